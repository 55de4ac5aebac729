"""How an English clause begins that says what was decided, who is who, and what somebody likes.

The patterns are matched on the spelling of english_spelling: "I'm" for "im" and "I am", "I've" for "I have got".
"""

from __future__ import annotations

from typing import Final

from holdfast.facts.capture.english_phrases import ADVERBS, BOTH, HEAD, IM, NOT_TRAITED, NUMBER, WE, WORDS
from holdfast.facts.capture.english_words import ANIMALS, DAYS, DOES, KIN, NO_ROLE, OFTEN, ROLES, TRAITS
from holdfast.facts.capture.speech import NAME, Form
from holdfast.markdown.fact_row import Category

__all__ = ["FORMS"]

FORMS: Final = (
    Form(
        "decision",
        Category.DECISION,
        0.7,
        rf"(?:(?:after|following|in the end|eventually) {WORDS}{{0,8}})?(?:{WE} )?(?:(?:just|finally|"
        r"now|all|both|also|jointly|already|unanimously|collectively|officially|basically) ){0,2}"
        r"(?:decided(?! (?:yet|by|whether))|agreed(?! with)|chose|chosen|opted (?:for|to|out of)|settled (?:on|"
        r"for)|picked(?! up| out| the wrong)|committed to|ruled out|voted|resolved to|made the (?:decision|call)|"
        r"signed off on|made up (?:my|our) minds?|went with|landed on|standardi[sz]ed on|gone with|"
        r"dropped support|approved|greenlit) |"
        r"(?:we're|team is) (?:now |officially |not |all |going to be )?(?:going (?:to go )?with|switching|migrating|"
        r"moving "
        r"(?:to|from|away|off|over|everything)|dropping|ditching|sticking (?:with|to)|staying (?:on|with|at)|"
        r"standardi[sz]ing|adopting|retiring|replacing|phasing out|sunsetting|pinning|going (?:for|full|all-in|"
        r"all in)) |"
        r"we(?:'ll| will) (?:go with|stick (?:with|to)|stay (?:on|with)|keep using) |"
        r"(?:we(?:'re going to|'ll| will|'re)|i(?:'ll|'m going to)) .{3,80}\b(?:that|it)(?:'s| is)? (?:settled|final|"
        r"decided|fixed|a done deal|agreed|set in stone)\b|"
        r"(?:the |our |final |team ){0,4}(?:decision|verdict|call)(?: is|:) |(?:it|that)(?:'s|s| is)(?: been|"
        r" all)? (?:decided|settled|"
        r"agreed)(?: then| now)?(?: that|:|,)? |(?:[\w'-]+ ){0,2}?(?:outcome|decision|agreement|verdict|"
        r"consensus)(?: (?:of|from|in) [\w' ]{3,30})?: |(?!hopefully|indeed|so|yes|yeah|yep|oh|well|maybe|ok|okay|"
        r"here|there|what|how|who|as|that|"
        r"sure)(?-i:[A-Z])[\w.+#-]+ it is(?=$|,|\.)|it's (?-i:[A-Z])\w+ now\b|made (?:up my mind|my mind up)(?:,|:) |"
        r"(?-i:[A-Z])\w+ is out\b|(?:final (?:answer|call|decision)|settled|decided)(?::|,) (?=w|i|it)|"
        r"going with (?-i:[A-Z])\w+ (?:then|for|over|instead)",
        about_things=True,
    ),
    Form(
        "project",
        Category.ENTITY,
        0.6,
        r"(?:i'm|we're|i've been|we've been|i've started|we've started|i started|we started|i run|"
        r"we run) (?:currently |just |now )?(?:building|developing|"
        r"making|writing|launching|starting|opening|setting up|working on|designing|creating|running|launched|"
        r"founded|coding)? ?(?:an?|our|my|this) .{3,70} "
        r"(?:called|named) \w|(?:my|our) (?:[\w-]+ ){0,2}(?:thesis|project|startup|start-up|band|company|business|"
        r"podcast|blog|book|novel|game|app|shop|charity|"
        r"club|choir|newsletter|channel|brand|caf[eé]|bakery|firm|side project|league|society)(?: is|"
        r"'s) (?:an? .{3,60} )?(?:called|named) \w|(?:my|our) (?:band|company|business|startup|shop|bakery|caf[eé]|"
        r"choir|podcast|charity|club|firm|studio|brand),? (?-i:[A-Z])\w",
    ),
    Form(
        "named person",
        Category.ENTITY,
        0.6,
        rf"my {WORDS}{{0,2}}(?:{KIN}|{ANIMALS})(?:'s name| 's name)? (?:is|are|was)(?: called| named)? (?:{NAME}|"
        rf"an? (?!{NO_ROLE}\b)\w)|"
        rf"{HEAD}(?: is|'s| are|'re) (?:called|named|turning|nearly \d|almost \d|about to turn|only \d|\d|from|"
        rf"{TRAITS}|an? (?!{NO_ROLE}\b)\w|{NAME}(?: |$|,)|the (?:[\w-]+ )?{ROLES}|both {TRAITS}|also {TRAITS}|into )|"
        rf"my {WORDS}?{KIN},? {NAME},? (?!is\b|and\b|was\b|has\b)\w|(?:our|my) {WORDS}{{0,2}}(?:{KIN}|"
        rf"{ANIMALS}) {NAME}(?=,? [\w(]..)(?! and (?:i|me)\b| (?:didn't|did|got|went|was)\b)|"
        rf"my {WORDS}?{KIN}'s (?:turning )?\d|{BOTH} (?:are|both|live|have|don't|can't|own|rent|work|run|eat) |"
        rf"{HEAD} (?:also |both |only |just |still |now |all )?{DOES}(?: |$|,)(?!(?:them|it|this|that|him|her)\b)|"
        rf"my {WORDS}?{KIN}(?:'s|s') {DAYS} is |"
        rf"{HEAD} (?!is\b|was\b|says\b|said\b|wants?\b|thinks?\b|keeps?\b|got\b|"
        rf"went\b)[a-z]+ (?:[\w'-]+ ){{0,5}}?{OFTEN}|"
        rf"(?:our|my|the) {WORDS}{{0,3}}{ROLES}(?: is|'s) (?:called |named )?{NAME}|"
        rf"(?!(?:it|this|that|he|she|here|there|who|what)\b){NAME}(?: {NAME})?(?:,? {NAME})? (?:is|"
        rf"was) (?:now )?(?:(?:my|"
        rf"our) {WORDS}{{0,3}}(?:{ROLES}|{KIN}|{ANIMALS})\b|"
        rf"(?:the|an?) {WORDS}{{0,3}}(?!client|contact|customer|vendor|head|chair){ROLES} (?:of|for|at|on|here)\b)|"
        rf"(?!(?:it|this|that|he|she|here|there|who|what|which|how|\w+day|today|tomorrow|"
        rf"where)\b){NAME}(?: {NAME})?(?: is|'s) (?:my|our) (?!favou?rite|problem|guess|choice|goal|life|dream|idea|"
        r"question|point|answer|thing|jam|ringtone|name|main|only|first|last|best|biggest|preferred|go-to|"
        r"least|mother tongue|native|language)[a-z-]+(?: [a-z-]+)?(?=$|,| and | at | who | in | from )|"
        rf"{NAME}(?: {NAME})?, (?:my|our) [\w -]{{3,30}}, \w|{NAME}(?: {NAME})? (?:leads|heads|is responsible for|"
        rf"is in charge of|reports to) |"
        rf"(?:i've |we've |got |have )?(?:an? |two |three )?{WORDS}{{0,4}}{ANIMALS} (?:called|named) \w|"
        rf"(?:i've|we've) {NUMBER}{WORDS}{{0,3}}{KIN}s?,? (?:called|named) \w",
    ),
    Form(
        "favourite",
        Category.PREFERENCE,
        0.6,
        r"my (?:all[- ]time |least )?(?:favou?rite|preferred|go-to|usual) (?!part\b|bit\b|thing about th)[^,.]{2,50}"
        r"(?: is| are| has always been| remains|'s) |"
        r"(?!(?:this|that|these|those|it|he|she|which|what|who|the (?:first|second|third|last|other))\b)"
        r"[\w' -]{2,40} (?:is|are|isn't|aren't) (?:an? (?:absolute )?(?:must|deal-?breaker)(?: for me| for us)?|"
        r"not for me|for me$|"
        r"(?:really |just )?(?:not )?(?:my thing|my cup of tea)|a no-no|my (?:absolute |all[- ]time )?(?:favou?rite|"
        r"go-to|preferred|comfort)|not my thing|"
        r"a no-go for (?:me|us)) ?\w*",
        about_things=True,
    ),
    Form(
        "likes",
        Category.PREFERENCE,
        0.6,
        r"i (?:\w+ )?(?:prefer|like|love) you to \w|i (?:\w+ )?(?:prefer|like|want|love|need) (?:(?:your |"
        r"all )?(?:answers?|replies|responses|explanations|examples|code samples|sources|"
        r"summaries)) (?!above|here|you gave|so far|but)\w|i (?:don't|do not) (?:like|want|need) (?:your |such |"
        r"any )?(?:long|verbose|lengthy|short|vague|generic)|"
        r"(?:i'm )?not (?:really |much )?(?:one for|big on|a big)|(?!that\b|this\b|it\b|what\b|"
        r"and\b)[\w' -]{2,30},? i (?:just |really |absolutely |honestly ){0,4}(?:can't "
        r"stand|hate|can't do|don't like|never liked|can't eat|never could|won't touch|can't bear|detest|love|adore|"
        r"avoid)(?=$|,| at all)|"
        r"(?:i )?never (?:could|been able to|got into|understood the appeal of|got on with) (?:stand |stomach |like |"
        r"eat )?\w|[\w' -]{2,30} (?:and i don't get (?:on|along)|"
        r"disgusts? me|gross(?:es)? me out|turns? my stomach)|i've (?:an? )?(?:sweet tooth|no sweet tooth|"
        r"thing against)|"
        rf"(?:(?:i|we) {ADVERBS}|really )(?:prefer|like|love|hate|dislike|detest|loathe|despise|enjoy|adore|favou?r|"
        rf"can't stand|"
        r"can't bear|can't abide|don't like|don't enjoy|don't care for|don't love|avoid|couldn't live without|"
        r"swear by|"
        r"don't do|never liked|don't trust|refuse to) (?!the (?!(?-i:[A-Z])|beach|sea|outdoors|mountains|cold|heat|"
        r"rain|snow|city|"
        r"countryside|gym|theatre|smell|taste|sound|texture|dark|piano|guitar|colou?r|taste|ocean|forest|sun|summer|"
        r"winter|nfl)\w)|"
        r"(?:love|hate|prefer|can't stand|don't like|not keen on|loathe|detest|adore) (?!the |it|this|that|how|when|"
        r"you)\w|"
        r"(?:i|we)(?:'d| would) (?:much |always )?(?:rather|sooner|pick .{2,50} over|take .{2,50} over|"
        r"choose .{2,50} over) |"
        rf"(?:{IM} |we're )?(?:really |not |not really |a huge |definitely not ){{0,4}}(?:an? (?:big |huge |great |"
        rf"massive )?)?"
        rf"fan of |{IM} (?:not |really |very |not very |not that |so not )?(?:much |big )?(?:into|keen on|"
        rf"on board with) |"
        r"(?:big|huge|massive|not much of an?|no) (?:[\w-]+ )?(?:fan of|fan|lover|drinker) |"
        r"i've (?:an? )?(?:strong |real |slight )?(?:preference|dislike|soft spot|weakness|thing) for |"
        rf"{IM} (?:more of |definitely |very much |not )?an? (?:[\w-]+ )?(?:morning|night|dog|cat|coffee|tea|people|"
        rf"beach|"
        r"[a-z]+) person\b|"
        r"i (?:tend to|try to|always try to) (?:avoid|prefer|eat|buy) |i can't (?:eat|tolerate|digest|have|handle) |"
        r"i only (?:know|speak|read|own|understand|eat|drink|buy|wear|drink) |"
        r"i've (?:always|never) (?:liked|loved|hated|enjoyed|been (?:an? fan of|into|keen)) |"
        r"[\w' -]{2,40} (?:gives? me (?:a )?(?:migraines?|hives|heartburn|headaches?|the creeps)|"
        r"makes? me (?:really |feel |very |so |violently ){0,4}(?:gag|sick|ill|bloated|itch|wheeze|sneeze|queasy|"
        r"nauseous))|"
        r"for me (?:it's|it has to be|only) \w|(?:only|just) .{3,40} for me\b|"
        r"[\w' -]{2,30} over [\w' -]{2,30} (?:any day|every time|always|for me)\b",
        about_things=True,
        weak=True,
    ),
    Form(
        "form of address",
        Category.PREFERENCE,
        0.7,
        r"(?:please |you can |you may |just |but |feel free to ){0,4}(?:don't )?call me (?!back|later|when|if|at\b|"
        r"on\b|"
        r"in\b|"
        r"tomorrow|crazy|today|asap|now|a\b|an\b|old|stupid|silly|out\b|up\b)\w|(?:people|friends|everyone|everybody|"
        r"my "
        r"friends|most people) (?:just )?calls? me |i go by |(?:please )?(?:address|refer to) me (?:as|by|with) |"
        r"(?:please )?use (?:my|the) (?:first name|name \w+|pronouns?)|i(?:'d| would) (?:rather|"
        r"prefer)(?: it if)? you (?:used?|call(?:ed)?|"
        r"address(?:ed)?) |(?:please )?(?:don't|stop|no need to) (?:call(?:ing)? me "
        r"(?!back)|say(?:ing)? sir)",
    ),
    Form(
        "name",
        Category.FACT,
        0.8,
        rf"(?:my (?:\w+ )?|the )?(?:name|surname)(?: is|'s) (?!not |wrong|missing|on |the |in )\w|names {NAME}|"
        rf"i'm called |{IM} "
        rf"(?!{NOT_TRAITED}\b){NAME}"
        rf"(?: {NAME})?(?=$|,| and | from | by the way| here| btw| in | \()|i'm (?!{NOT_TRAITED}\b)(?!far|away|home|"
        rf"tired|"
        r"exhausted|sick|fresh|straight|suffering|recovering|originally|coming|working|made|sore|getting)[a-z]+ from |"
        rf"(?!I\b|Same|New|Right|Over|Up|Down|Out|Me\b|Nothing|Anyone|Someone|Not|It|Hot|Cold|Raining|"
        rf"Still){NAME} here\b(?! is| we| you|,? (?:it|the) )|(?:this is|it's) {NAME} (?:here|again|from|in)\b|"
        rf"(?:it's|that's) (?:Dr|Mr|Mrs|Ms|Miss|Mx|Prof)\.? {NAME},? not |it's (?:spelled|spelt|pronounced) |"
        rf"it's {NAME},? not {NAME}",
    ),
)
