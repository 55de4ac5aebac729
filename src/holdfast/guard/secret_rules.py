"""The looks of the vendors' tokens: a fixed piece of text to look for, and what has to stand around it.

Every repeat has an upper bound, and a body is tried only where its fixed piece stands: the time is linear in the text
whatever it holds. The formats are those the vendors publish; lengths are lower bounds, because vendors lengthen them.

Not covered here: tokens without a fixed piece. Those are known by the name they are assigned to, in `secrets`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache

from holdfast.named_tuple import NamedTuple
from holdfast.pattern import compile_late

__all__ = [
    "MIN_TOKEN",
    "RULES",
    "TOKEN_CHARACTERS",
    "Rule",
    "anchors",
    "compiled",
    "has_mixed_word",
    "is_dummy",
    "token_at",
]

MIN_TOKEN = 20  # an AWS access key id, the shortest token that we know
TOKEN_CHARACTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-.:/+=~%"  # noqa: S105

# What JSON and URLs put before a token, and what would otherwise read as a letter of it.
_ESCAPE = compile_late(r"(?:\\[nrtbf]|%[0-9A-Fa-f]{2}|\\u[0-9A-Fa-f]{4}|\\x[0-9A-Fa-f]{2})\Z")
_DUMMY = compile_late(
    r"EXAMPLE|\bYOUR|[-_]YOUR|PLACEHOLDER|CHANGE.?ME|X{8}|0{12}|1234567890123456|INSERT|(?-i:dummy|Dummy|DUMMY)|-HERE\b",
    re.IGNORECASE,
)
_DIGIT = compile_late("[0-9]")
_CASE = compile_late("[a-z](?=[A-Z])|[A-Z](?=[a-z])")
_LONG_PART = compile_late("[A-Za-z0-9]{8,}")
_TAIL = compile_late("[A-Za-z0-9_-]*")


class Rule(NamedTuple):
    """One kind of token: its fixed piece, the body behind it, and the text before it."""

    kind: str
    anchor: str
    body: str
    before: str
    check: Callable[[str], bool]


def _is_boundary(text: str, at: int) -> bool:
    """Say whether a token can begin here.

    It can't in the middle of a word, but it can right after an escape such as `\\n` or `%3D`.
    """
    if at == 0:
        return True
    previous = text[at - 1]
    return not (previous.isascii() and previous.isalnum()) or _ESCAPE.search(text, max(0, at - 6), at) is not None


def is_dummy(token: str) -> bool:
    """Say whether a token was written to be read, as `AKIA…EXAMPLE` of the AWS manual.

    A random one never says so.
    """
    return len(set(token[-64:])) < 7 or _DUMMY.search(token) is not None


def has_mixed_word(token: str) -> bool:
    """Say whether a word of it has both letters and digits.

    No word of a name that is made of words does.
    """
    return any(not part.isalpha() and not part.isdigit() and len(set(part)) >= 5 for part in _LONG_PART.findall(token))


def _accept_any(_token: str) -> bool:
    return True


def _looks_random(token: str) -> bool:
    """Say whether it has a digit, or changes case as no word does.

    One in forty short tokens has no digit at all.
    """
    return _DIGIT.search(token) is not None or len(_CASE.findall(token)) >= 3


_HEX = "[0-9a-fA-F]"
_WORD = "[A-Za-z0-9_-]"
_END = "(?![A-Za-z0-9])"
_ALONE = "(?<![_-])"

# kind | fixed pieces | body | check
_TABLE: list[tuple[str, str, str, Callable[[str], bool]]] = [
    ("AWS access key id", "AKIA ASIA ABIA ACCA", f"[A-Z0-9]{{16}}{_END}", _accept_any),
    ("AWS Bedrock key", "ABSK", "[A-Za-z0-9+/]{100,300}={0,2}", _accept_any),
    ("GitHub token", "ghp_ gho_ ghu_ ghs_ ghr_", "[A-Za-z0-9_]{36,255}", _accept_any),
    ("GitHub token", "github_pat_", "[A-Za-z0-9_]{30,255}", _accept_any),
    (
        "GitLab token",
        "glpat- gldt- glrt- glcbt- glptt- glft- glsoat- glimt- glagent- gloas- glffct- GR1348941",
        "[A-Za-z0-9_.-]{20,255}",
        _looks_random,
    ),
    (
        "Slack token",
        "xoxa- xoxb- xoxc- xoxd- xoxe- xoxo- xoxp- xoxr- xoxs- xoxe.xoxb- xoxe.xoxp- xapp-",
        "[A-Za-z0-9%-]{16,255}",
        _looks_random,
    ),
    (
        "Slack webhook",
        "hooks.slack.com/services/ hooks.slack.com/workflows/ hooks.slack.com/triggers/",
        "[A-Z0-9]{6,20}/[A-Za-z0-9]{6,30}/[A-Za-z0-9/]{16,100}",
        _accept_any,
    ),
    ("Stripe key", "sk_live_ sk_test_ rk_live_ rk_test_ sk_prod_ rk_prod_", "[A-Za-z0-9]{16,255}", _looks_random),
    ("webhook signing secret", "whsec_", "[A-Za-z0-9+/]{24,100}={0,2}", _looks_random),
    ("OpenAI key", "sk-proj- sk-svcacct- sk-admin- sk-None-", f"{_WORD}{{20,255}}", _looks_random),
    ("OpenAI key", "sk-", "[A-Za-z0-9_-]{16,100}T3BlbkFJ[A-Za-z0-9_-]{16,100}", _accept_any),
    ("Anthropic key", "sk-ant-", f"{_WORD}{{24,255}}", _looks_random),
    ("OpenRouter key", "sk-or-v1- sk-or-", f"{_HEX}{{40,128}}", _accept_any),
    ("LLM provider key", "sk-", "[A-Za-z0-9]{32,255}", _looks_random),  # DeepSeek, Moonshot, older OpenAI
    ("LLM provider key", "gsk_ xai- pplx- nvapi- tvly- fw_ csk- r8_", "[A-Za-z0-9_-]{32,255}", has_mixed_word),
    ("LangSmith key", "lsv2_pt_ lsv2_sk_ ls__", f"{_HEX}{{32}}", _accept_any),
    ("ElevenLabs key", "sk_", f"[0-9a-f]{{48}}{_END}", _accept_any),
    ("Google API key", "AIza", f"{_WORD}{{35,60}}", _accept_any),
    ("Google OAuth secret", "GOCSPX-", f"{_WORD}{{20,100}}", _accept_any),
    ("Google OAuth token", "ya29. 1//0", "[A-Za-z0-9_.-]{30,500}", _looks_random),
    ("Hugging Face token", "hf_ api_org_", "[A-Za-z0-9]{30,100}", _accept_any),
    ("npm token", "npm_", "[A-Za-z0-9]{36,100}", _accept_any),
    ("PyPI token", "pypi-Ag", f"{_WORD}{{30,500}}", _accept_any),
    ("RubyGems key", "rubygems_", f"[0-9a-f]{{48}}{_END}", _accept_any),
    ("crates.io token", "cio", f"[A-Za-z0-9]{{32}}{_END}", has_mixed_word),
    ("Docker token", "dckr_pat_ dckr_oat_", f"{_WORD}{{24,100}}", _accept_any),
    ("DigitalOcean token", "dop_v1_ doo_v1_ dor_v1_", f"[0-9a-f]{{64}}{_END}", _accept_any),
    ("SendGrid key", "SG.", f"{_WORD}{{16,40}}\\.{_WORD}{{30,80}}", _accept_any),
    ("Airtable token", "pat", f"[A-Za-z0-9]{{14}}\\.[0-9a-f]{{64}}{_END}", _accept_any),
    ("Twilio key", "SK", f"[0-9a-f]{{32}}{_END}", _accept_any),
    ("Brevo key", "xkeysib- xsmtpsib-", f"{_HEX}{{64}}", _accept_any),
    (
        "Discord bot token",
        "MD MT Mj Mz ND NT Nj Nz OD OT",
        rf"{_WORD}{{18,30}}\.{_WORD}{{5,8}}\.{_WORD}{{27,60}}",
        _looks_random,
    ),
    (
        "Discord webhook",
        "discord.com/api/webhooks/ discordapp.com/api/webhooks/",
        f"[0-9]{{16,21}}/{_WORD}{{40,100}}",
        _accept_any,
    ),
    ("Azure storage key", "AccountKey= accountkey=", "[A-Za-z0-9+/]{86}==", _accept_any),
    ("Azure access key", "SharedAccessKey= sharedaccesskey=", "[A-Za-z0-9+/]{40,90}={0,2}", _accept_any),
    ("JWT", "eyJ", rf"{_WORD}{{8,1024}}\.eyJ{_WORD}{{8,8192}}(?:\.{_WORD}{{0,2048}})?", _accept_any),
    (
        "JWT",
        "eyJ",
        rf"{_WORD}{{8,1024}}\.{_WORD}{{0,700}}\.{_WORD}{{10,100}}\.{_WORD}{{8,8192}}\.{_WORD}{{16,100}}",
        _accept_any,
    ),
    ("age secret key", "AGE-SECRET-KEY-1 AGE-PLUGIN-", "[0-9A-Z-]{50,200}", _accept_any),
    ("Cloudflare token", "cfut_ cfat_ cfk_", f"{_WORD}{{40,100}}", _accept_any),
    ("Cloudflare token", "v1.0-", f"{_HEX}{{24}}-{_HEX}{{140,160}}", _accept_any),
    ("Vault token", "hvs. hvb. hvr.", f"{_WORD}{{20,300}}", _accept_any),
    ("Databricks token", "dapi", f"[0-9a-f]{{32}}(?:-[0-9])?{_END}", _accept_any),
    ("Linear key", "lin_api_ lin_oauth_ lin_wh_", "[A-Za-z0-9]{32,100}", _accept_any),
    ("Notion token", "ntn_ secret_", "[A-Za-z0-9]{40,60}", _looks_random),
    ("Shopify token", "shpat_ shpca_ shppa_ shpss_ shptka_", f"{_HEX}{{32}}{_END}", _accept_any),
    ("Square token", "sq0atp- sq0csp- sq0csb- sq0idb-", f"{_WORD}{{22,60}}", _accept_any),
    ("Square token", "EAAA", f"{_WORD}{{60}}(?!{_WORD})", _looks_random),
    ("Atlassian token", "ATATT3 ATCTT3 ATBB", "[A-Za-z0-9_=-]{24,255}", _looks_random),
    ("Postman key", "PMAK-", f"{_HEX}{{24}}-{_HEX}{{34}}", _accept_any),
    ("Sentry token", "sntrys_ sntryu_ sntrya_", "[A-Za-z0-9+/=_-]{40,500}", _accept_any),
    ("Doppler token", "dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.", "[A-Za-z0-9_.-]{40,100}", _looks_random),
    ("Grafana token", "glsa_ glc_", "[A-Za-z0-9_+/-]{32,255}={0,2}", _accept_any),
    ("New Relic key", "NRAK- NRJS- NRII- NRRA- NRIQ-", "[A-Za-z0-9_-]{19,64}", _accept_any),
    ("Dropbox token", "sl.", f"{_WORD}{{100,255}}", _looks_random),
    ("Figma token", "figd_ figo_ figoh_ figor_", f"{_WORD}{{36,100}}", _accept_any),
    ("Supabase key", "sbp_ sb_secret_", f"{_WORD}{{30,100}}", _looks_random),
    ("PlanetScale token", "pscale_tkn_ pscale_pw_ pscale_oauth_", "[A-Za-z0-9_.-]{32,100}", _accept_any),
    ("Pulumi token", "pul-", f"[0-9a-f]{{40}}{_END}", _accept_any),
    ("1Password service token", "ops_eyJ", f"{_WORD}{{100,2000}}", _accept_any),
    (
        "Tailscale key",
        "tskey-auth- tskey-api- tskey-client- tskey-",
        "[A-Za-z0-9]{8,32}-[A-Za-z0-9]{20,64}",
        _accept_any,
    ),
    ("Mapbox token", "sk.eyJ", rf"{_WORD}{{30,200}}\.{_WORD}{{16,40}}", _accept_any),
    ("Heroku key", "HRKU-", "[A-Za-z0-9_-]{30,100}", _looks_random),
    ("Fly token", "fm1_ fm2_ fo1_ fm1a_ fm1r_", "[A-Za-z0-9+/_-]{40,2000}={0,2}", _looks_random),
    ("Buildkite token", "bkua_ bkpt_ bkct_", "[A-Za-z0-9_]{32,100}", _accept_any),
    ("Artifactory key", "AKCp", "[A-Za-z0-9]{60,80}", _accept_any),
    ("PostHog key", "phx_", "[A-Za-z0-9]{40,60}", _accept_any),
    ("Contentful token", "CFPAT-", f"{_WORD}{{40,60}}", _accept_any),
    ("HubSpot token", "pat-na1- pat-na2- pat-eu1-", f"{_HEX}{{8}}-(?:{_HEX}{{4}}-){{3}}{_HEX}{{12}}", _accept_any),
    ("Typeform token", "tfp_", "[A-Za-z0-9_.-]{40,80}", _looks_random),
    ("Prefect key", "pnu_ pnb_", "[A-Za-z0-9]{36}", _accept_any),
    ("EasyPost key", "EZAK EZTK", f"[A-Za-z0-9]{{54}}{_END}", _looks_random),
    ("Duffel token", "duffel_live_ duffel_test_", f"{_WORD}{{43}}", _accept_any),
    ("Clojars token", "CLOJARS_", f"[0-9a-f]{{60}}{_END}", _accept_any),
]
# The fixed piece stands inside: kind | fixed pieces | before | body | check
_INNER: list[tuple[str, str, str, str, Callable[[str], bool]]] = [
    ("Mailgun key", "key-", _ALONE, f"[0-9a-f]{{32}}{_END}", _accept_any),  # `cache-key-…` is a content hash
    ("Azure SAS signature", "sig=", _ALONE, "[A-Za-z0-9%+/_-]{40,120}={0,2}", _looks_random),
    ("Telegram bot token", ":A", "[0-9]{6,12}", f"{_WORD}{{34}}(?!{_WORD})", _accept_any),
    ("Azure client secret", "7Q~ 8Q~", "[A-Za-z0-9_.~-]{3}", "[A-Za-z0-9_.~-]{31,34}", _looks_random),
    ("Mailchimp key", "-us", "[0-9a-f]{32}", f"[0-9]{{1,2}}{_END}", _accept_any),
    ("Terraform token", ".atlasv1.", "[A-Za-z0-9]{14}", "[A-Za-z0-9_=-]{60,80}", _accept_any),
]

RULES: tuple[Rule, ...] = (
    *(Rule(kind, anchor, body, "", check) for kind, anchors, body, check in _TABLE for anchor in anchors.split()),
    *(
        Rule(kind, anchor, body, rf"{before}\Z", check)
        for kind, anchors, before, body, check in _INNER
        for anchor in anchors.split()
    ),
)
compiled = cache(re.compile)  # on first use: a command that meets no token pays for no expression


@cache
def anchors() -> re.Pattern[str]:
    """Return all fixed pieces as one expression, by their first character.

    A branch is taken only where it can succeed.
    """
    firsts: dict[str, list[str]] = {}
    for anchor in sorted({rule.anchor for rule in RULES}, key=lambda anchor: (-len(anchor), anchor)):
        firsts.setdefault(anchor[0], []).append(re.escape(anchor[1:]))
    return re.compile("|".join(f"{re.escape(first)}(?:{'|'.join(rest)})" for first, rest in firsts.items()))


@cache
def rules_at(anchor: str) -> tuple[Rule, ...]:
    """Return the rules to try at this anchor, those with the longest fixed piece first."""
    return tuple(sorted((rule for rule in RULES if anchor.startswith(rule.anchor)), key=lambda rule: -len(rule.anchor)))


def token_at(text: str, at: int, anchor: str) -> tuple[str, int, int] | None:
    """Return the kind, start and end of the token whose fixed piece stands here, or None."""
    for rule in rules_at(anchor):
        start = at
        if rule.before:
            before = compiled(rule.before).search(text, max(0, at - 40), at)
            if before is None:
                continue
            start = before.start()
        if not _is_boundary(text, start):
            continue
        body = compiled(rule.body).match(text, at + len(rule.anchor))
        if body is not None and rule.check(body[0]) and not is_dummy(text[start : body.end()]):
            # What hangs on to the token may be more of it: no tail stays behind.
            end = _TAIL.match(text, body.end())
            return rule.kind, start, end.end() if end else body.end()
    return None
