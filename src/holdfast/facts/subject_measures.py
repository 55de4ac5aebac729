"""Heights and weights in one unit: 180 cm equals 1.80 m, and 80 kg equals 176 lbs."""

from __future__ import annotations

from typing import Final

from holdfast.pattern import compile_late

__all__ = ["measure_meant", "measures_agree"]

_MEASURE: Final = compile_late(
    r"(?P<n>\d{1,3}(?:[.,]\d{1,2})?) ?(?P<u>cm|centimet(?:er|re)s?|m|met(?:er|re)s?|metros?|mètres?|kgs?|kilos?|"
    r"kilograms?|lbs?|pounds?|st|stone)(?: tall| high)?"
)
_FEET: Final = compile_late(
    r"(?P<f>\d) ?(?:'|ft\.?|feet|foot) ?(?:(?P<i>\d{1,2}) ?(?:''|\"|”|in\.?|inches|inch)?)?(?: tall)?"
)
_MEANT: Final = compile_late(r"(?P<n>\d+(?:\.\d+)?) (?P<u>cm|kg)(?P<c>~?)")
_CENTIMETRES: Final = 2.54  # to the inch
_KILOGRAMS: Final = {"l": 0.45359237, "p": 0.45359237, "s": 6.35029318}  # to the pound and to the stone
_ROUNDED: Final = 0.003  # half of what a step of one unit makes of a person's height or weight


def measure_meant(value: str) -> str:
    """Return a height in centimetres or a weight in kilograms, with a `~` where it was converted.

    "" for what is neither.
    """
    feet = _FEET.fullmatch(value)
    if feet is not None:
        return f"{(int(feet['f']) * 12 + int(feet['i'] or 0)) * _CENTIMETRES:.1f} cm~"
    found = _MEASURE.fullmatch(value)
    if found is None:
        return ""
    number, unit = float(found["n"].replace(",", ".")), found["u"]
    if unit.startswith("k"):
        return f"{number:g} kg"
    if unit[0] in _KILOGRAMS:
        return f"{number * _KILOGRAMS[unit[0]]:.1f} kg~"
    if unit.startswith("c"):
        return f"{number:g} cm"
    return f"{number * 100:g} cm"


def measures_agree(size: str, other: str) -> bool:
    """Say whether two of these can be one: of those that were converted, as far as both are rounded."""
    first, second = _MEANT.fullmatch(size), _MEANT.fullmatch(other)
    if first is None or second is None or first["u"] != second["u"] or first["c"] == second["c"]:
        return size == other
    return abs(float(first["n"]) - float(second["n"])) <= _ROUNDED * max(float(first["n"]), float(second["n"]))
