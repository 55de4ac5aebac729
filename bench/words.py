"""The vocabulary of the generated notes: common English words, and a long tail composed from syllables."""

from __future__ import annotations

from itertools import accumulate
from random import Random

__all__ = ["FUNCTION", "GENERAL", "OWNERS", "composed", "zipf"]


def _listed(paragraph: str) -> list[str]:
    """A word list written as a paragraph, which is easier to read and to edit than 400 quoted strings."""
    return paragraph.split()


# Ordered by how common they are: the position is the rank in the Zipf weights.
FUNCTION = _listed("""
the of and to in a is that for it was on with as be by this at from are or an not have but we they which were
can had has if when will all their one there been more so no into up out about other than its only then some
would these do what after before our who also any may could over where between most through each because
while both how same should now must such under off did does still even just again why until every during
once here yet never though against without within already almost perhaps you i he she them us my your
""")

GENERAL = _listed("""
team change service data system request user time error file release test work plan number state key node
issue cluster value page build queue queries record server version note list result job meeting review table
network process index default setting limit report cache window store step field check event message token
session address agent path host day week month rule load owner log point task level worker name client
schema call incident cost model policy budget volume image disk memory branch commit deploy deployment
staging production rollout rollback monitor alert metric latency throughput timeout retry backup restore
migration upgrade patch security access permission account customer invoice payment order product catalog
search filter query topic label tag format export import batch stream partition replica leader follower
lease lock thread pool buffer packet route gateway proxy balancer certificate domain zone region provider
vendor contract price discount quota meter sample probe trace span dashboard panel graph chart agree agreed
decide decided decision keep move remove replace rename split merge raise lower clear close open reopen
resolve resolved cause root fix fixed revert reverted land landed ship shipped approve approved reject
rejected wait block blocked follow ask answer explain measure compare confirm verify reproduce assign
document describe discuss expect prefer propose suggest warn notice remember forget learn slow fast large
small early late high low stable broken partial complete empty full local remote public private internal
external manual automatic daily weekly monthly nightly regional global shared single double first second
third last next previous current old new main spare hot cold warm idle busy morning evening friday monday
tuesday wednesday thursday january february march april june july august september october november december
quarter year hour minute people person engineer designer manager support finance legal sales marketing
operations research office room desk travel hotel flight train ticket calendar agenda guest lunch dinner
coffee design draft sketch proposal summary appendix section paragraph chapter figure reference source
reading book article paper letter email phone chat channel forum survey interview garden kitchen house
family school doctor recipe music film game sport weather holiday birthday language grammar translation
dictionary keyboard screen camera printer battery cable adapter sensor compiler parser linter runtime
library package module function method class object interface pointer integer string boolean array tuple
mapping iterator generator closure exception handler callback socket handshake cipher digest signature
entropy nonce salt vault secret rotation expiry renewal container pod registry manifest ingress sidecar
daemon operator controller scheduler autoscaler warehouse lake pipeline transform snapshot checkpoint cursor
offset watermark backfill lineage
""")

OWNERS = _listed("ada boris chidi dana emeka freya goran hana imran jonas kira luis mina noor otto priya")

_ONSETS = _listed("b br c ch cl d dr f fl g gr h j k kl l m n p pl pr qu r s sh sk st t tr v w z")
_VOWELS = _listed("a e i o u ai ea ou")
_CODAS = ["", "", "", "l", "n", "r", "s", "t", "m", "nd", "rk", "x"]


def composed(count: int, seed: str) -> list[str]:
    """`count` distinct words of two to four syllables that are in no dictionary but read like names.

    The short ones come first: in every language the words in frequent use are short.
    """
    random = Random(f"words:{seed}")
    taken = set(FUNCTION) | set(GENERAL) | set(OWNERS)
    words: list[str] = []
    while len(words) < count:
        syllables = random.choices((2, 3, 4), weights=(5, 4, 1))[0]
        word = "".join(
            random.choice(_ONSETS) + random.choice(_VOWELS) + random.choice(_CODAS) for _ in range(syllables)
        )
        if word not in taken:
            taken.add(word)
            words.append(word)
    return sorted(words, key=len)


def zipf(count: int, shift: float) -> list[float]:
    """Cumulative weights 1/(rank+shift); the shift flattens the head, as in real text."""
    return list(accumulate(1.0 / (rank + shift) for rank in range(1, count + 1)))
