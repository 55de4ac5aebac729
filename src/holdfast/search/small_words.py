"""Words that every sentence has. In a module of its own: a hook asks for nothing else of a search, every time."""

from __future__ import annotations

__all__ = ["SMALL_WORDS"]

# Small words of English questions. Other languages do without a list: the index leaves out what is too common.
SMALL_WORDS = frozenset(
    "a about after again all also am an and any are aren't as at be because been before being between both but by "
    "can can't could couldn't did didn't do does doesn't doing don't down during each else ever few for from further "
    "get gets got had hadn't has hasn't have haven't having he her here hers herself him himself his how i i'd i'll "
    "i'm i've if in into is isn't it it's its itself just let's like me more most much my myself no nor not now of "
    "off on once only or other our ours ourselves out over own please same she should shouldn't so some such tell "
    "than that that's the their theirs them themselves then there there's these they they're this those through to "
    "too under until up us very was wasn't we we're were weren't what what's when where which while who whom whose "
    "why will with won't would wouldn't you you're your yours yourself yourselves".split()
)
"""Words that say nothing of what a question is about."""
