"""Places that a text names, whatever language it speaks: mail and net addresses, paths, numbers of hosts, options."""

from __future__ import annotations

import re
from typing import Final

from holdfast.pattern import compile_late

__all__ = ["ADDRESS", "PATH", "PLACE"]

ADDRESS: Final = "@"
PATH: Final = "/"
# Any name of the net or of a file; of what is called so itself, "Node.js" and ".NET" are all that is common.
PLACE: Final = compile_late(
    r"(?P<address>[\w.+-]{0,64}\w@\w[\w.-]{0,64}|\bhttps?:\S{0,200}|\bwww\.\S{0,200})"
    r"|\b(?!(?:node|vue|next|react|three|express|d3|nuxt|ember|nest|chart|alpine|p5)\.js\b|asp\.net\b)[\w-]{2,63}"
    r"\.(?-i:[a-z]{2,})\b|\b\w{1,40} (?:dot|punkt|point|punto|ponto|punt) (?:com|net|org|io|ai|shop|sh|app|dev)\b"
    r"|(?:(?<=[ (=])|^)(?:~|\.{1,2}|\w:)?[/\\]\w[^\s,;]{0,200}|(?:(?<= )|^)\.(?!net\b)\w{2,}"
    r"|\b\d{1,3}(?:\.\d{1,3}){3}\b|(?:(?<= )|^)--\w[\w-]{0,40}",
    re.IGNORECASE,
)
