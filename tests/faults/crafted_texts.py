"""Texts that were made to cost more than they are worth, at any size: one piece of Markdown, chat or code, repeated."""

from __future__ import annotations

from typing import Final

__all__ = ["PROSE", "SHAPES", "crafted"]

PROSE: Final = (
    "The launch of Kestrel moved to the third of March, because the audit of the billing service took longer than we "
    "had planned. Ada leads the project now; Ben reviews every change.\n\nWe chose PostgreSQL for its row-level "
    "security, and keep the old database for reports. I live in Rome, and work from home on Fridays.\n\n"
)
"""What people write: the measure for what a text of that length may cost."""

SHAPES: Final = (
    *(
        "a",
        "A",
        "0",
        "_",
        ".",
        "-",
        "*",
        "#",
        "[",
        "(",
        "~",
        "\\",
        "\n",
        "\r\n",
        " x",
        "                    x",
        "a.",
        "QUJD",
    ),
    *("中", "ก", "a\u0301", "😀", "aЖ中ก0 ", "\u200da"),
    *("word ", "Word ", "a, ", "a; ", "a: ", "12. ", "2024-01-01 ", "-word ", "word* ", '"word" ', "a@b.c ", "|a"),
    *(
        "<!--",
        "<!-- a -->",
        "- a <!-- fact id=a1 -->\n",
        "<a>",
        "<memory-x>",
        "<user_query>",
        "- **user** (10:00): a\n",
    ),
    *(
        "[a](b) ",
        "**a** ",
        "~~a~~ ",
        "- a\n",
        "  - a\n",
        "# a\n",
        "a\n=\n",
        "> ",
        "> > > a\n",
        "```\n",
        "|-|-|\n",
        "---\na: b\n",
    ),
    *("password=", "http://a:b@c ", "-----BEGIN PRIVATE KEY-----\n", "sk-", '{"a":'),
    *(
        "I like tea. ",
        '"I am a b." ',
        '"a b c". ',
        "'a b c' ",
        "remember that I live in Rome. ",
        "please remember that ",
    ),
    *("my dog is called Rex and ", "forget everything about ", "where is ", "how old is "),
)
"""What is repeated."""


def crafted(shape: str, size: int) -> str:
    """Return a text of about this many bytes, which is what the limits count."""
    return shape * max(1, size // len(shape.encode()))
