"""The day that a week begins with: as the settings say, or as it is where the person lives."""

from __future__ import annotations

import os
from collections.abc import Mapping

from holdfast.settings.search_settings import WeekStart

__all__ = ["first_weekday"]

_MONDAY, _SATURDAY, _SUNDAY = 0, 5, 6
# Source: the Unicode CLDR, supplemental data, weekData/firstDay. Everywhere else a week begins on Monday.
_SUNDAYS = frozenset(
    "AG AS BD BR BS BT BW BZ CA CO DM DO ET GT GU HK HN ID IL IN JM JP KE KH KR LA MH MM MO MT MX MZ NI NP PA PE PH PK "
    "PR PT PY SA SG SV TH TT TW UM US VE VI WS YE ZA ZW".split()
)
_SATURDAYS = frozenset("AE AF BH DJ DZ EG IQ IR JO KW LY OM QA SD SY".split())
_NAMED = {WeekStart.MONDAY: _MONDAY, WeekStart.SATURDAY: _SATURDAY, WeekStart.SUNDAY: _SUNDAY}
_LOCALE = ("LC_ALL", "LC_TIME", "LANG")  # the first that is set says which


def first_weekday(chosen: WeekStart, environment: Mapping[str, str] | None = None) -> int:
    """Return the weekday (Monday is 0) that a week begins with; by the locale where nothing is chosen, else Monday."""
    if chosen in _NAMED:
        return _NAMED[chosen]
    if environment is None:
        environment = os.environ
    locale = next((value for name in _LOCALE if (value := environment.get(name))), "")
    _, _, territory = locale.replace("-", "_").partition("@")[0].partition(".")[0].partition("_")
    if territory.upper() in _SATURDAYS:
        return _SATURDAY
    if territory.upper() in _SUNDAYS:
        return _SUNDAY
    return _MONDAY
