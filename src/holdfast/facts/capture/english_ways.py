"""How an English clause begins that says how people live together, where they went, what they train for and follow."""

from __future__ import annotations

from typing import Final

from holdfast.facts.capture.english_phrases import WORDS
from holdfast.facts.capture.english_words import JOBS, KIN, OFTEN, STYLE, TRAITS, VERBS
from holdfast.facts.capture.speech import NAME, Form
from holdfast.markdown.fact_row import Category

__all__ = ["WAYS"]

_FIRM: Final = (
    r"(?:company|business|shop|store|startup|firm|studio|agency|charity|band|bakery|caf[eé]|restaurant|farm|clinic|"
    r"practice|school|club|workshop|brewery|salon|brand|non-?profit|cooperative|co-op|garage|nursery)"
)
_PLACE: Final = (
    rf"(?:{_FIRM}|office|library|gym|class|meeting|fiscal year|financial year|week|shift|boiler|contract|lease|team|"
    r"building|department|factory|warehouse|council|parish|church|neighbou?rhood|school year|bins?|recycling|water|"
    r"gate|market|canteen|kindergarten|daycare|nursery)"
)

WAYS: Final = (
    Form(
        "decision",
        Category.DECISION,
        0.7,
        r"(?:we|i|we've|i've) (?:both |all |just |finally )?(?:ended up|wound up|settled|landed|gone) (?:picking|"
        r"choosing|"
        r"going (?:with|for)|buying|keeping|hiring|switching|with) \w|"
        r"(?:at|in|after) (?:the|our|last|yesterday's) [\w' -]{3,40}?,? (?:we|it was|the \w+|they) (?:all "
        r")?(?:voted|decided|"
        r"agreed|resolved|approved|settled)\b|it (?:was|has been|'s been) (?:decided|agreed|resolved|voted|settled) "
        r"(?:that|"
        r"to|on|by)|(?:the|our) (?:committee|board|council|team|club|union|class|parish|group|family|jury|pta|hoa|"
        r"residents|members|management|leadership|choir|band)(?: [\w-]+)? (?:has |have |just |finally |unanimously "
        r"){0,3}"
        r"(?:voted|decided|agreed|resolved|approved|chosen|chose|picked|scrapped|cancelled|rejected|postponed|"
        r"elected|dropped) ",
        about_things=True,
    ),
    Form(
        "named person",
        Category.ENTITY,
        0.6,
        rf"(?:my|our) {WORDS}{{0,2}}(?:{KIN})s?,? {NAME}(?:, {NAME})?,? (?:and|&|\+) {NAME}\b,? \w|"
        rf"our (?:[\w-]+ )?[\w-]+ is {NAME} {NAME}\b|(?:my|our) (?!(?:\w+ )?(?:question|problem|issue|point|answer|"
        rf"code|god|apologies|bad|dear|turn|guess|advice)\b)[a-z-]+(?: [a-z-]+)?, {NAME}(?: {NAME})?, (?!and\b|"
        rf"or\b)\w|"
        rf"(?:my|our) {WORDS}?{_FIRM}, (?:the )?{NAME}(?: [\w.&'-]+){{0,3}}?, \w",
    ),
    Form(
        "household",
        Category.FACT,
        0.6,
        r"(?:at (?:our|my) (?:place|house|home)|(?:here )?at home|in (?:our|my|this) (?:house|household|family|home|"
        r"flat))"
        r",? (?:nobody|no one|none of us|everyone|everybody|we all|half of us|only) \w+|"
        r"(?:nobody|no one|none of us|everyone|everybody) (?:at (?:our|my) (?:place|house|home)|at home|in (?:our|my) "
        r"(?:house|household|family|home)) \w|"
        rf"(?:i|we) (?:only )?(?:get|see|have|take) (?:my|the|our) {WORDS}{{0,2}}?{KIN}s? (?:[\w'-]+ ){{0,4}}?{OFTEN}|"
        r"i only (?:have|'ve got) (?:an? )?(?!questions?|minutes?|few|hours?|days?|weeks?|bit|little|couple|one "
        r"(?:hour|day|question)|time|\d|to\b)\w|"
        r"(?:we|i)(?:'ve| have| get)? (?:got )?(?:really |very |terribly |super |such )?(?:hard|soft|bad|no|slow|"
        r"cold|hot) "
        r"(?:water|internet|broadband|soil|winters?|summers?|mains|gas|heating|signal|air)\b|"
        rf"(?:we|i)(?:'ve| have|'re| are|'m)? .{{3,60}} (?:out |over |up |down )?here in (?:rural |central |north |"
        rf"south |"
        rf"east |west |northern |southern )?{NAME}|(?:we|i) (?:only )?heat (?:the house |our house )?(?:only )?with \w",
        weak=True,
    ),
    Form(
        "place or work",
        Category.FACT,
        0.65,
        rf"(?:i |we |just |recently |finally )*(?:moved|relocated|emigrated|immigrated|transferred|retired) (?:here "
        rf"|over "
        rf"|back |out )?(?:from [\w ,]{{2,30}}? )?to (?!the\b|a\b){NAME}|(?:i |we |i was |we were )?born (?:and "
        rf"raised |and "
        rf"bred )?in [\w ,]{{2,40}}|(?:now |currently |presently )?living in {NAME}|"
        r"(?:i'm |we're |currently |now )*(?:retraining|training|qualifying|apprenticing|interning|studying|revising|"
        r"preparing|prepping|working towards?|cramming) (?:as|to (?:be|become)|for|towards?) (?:an? |the |my |our )?"
        r"(?!interview|tomorrow|trip|party|meeting|presentation|dinner|demo|this|that|release|launch)\w",
    ),
    Form(
        "trait",
        Category.FACT,
        0.65,
        rf"{TRAITS} here\b|as an? (?:[\w-]+ ){{0,3}}?(?:user|wearer|amputee|carer|caregiver|survivor|beginner|"
        rf"learner|speaker|{TRAITS}|"
        rf"{JOBS})(?: (?:in|at|from|with|of|for) [\w' -]{{2,30}}?)?,? (?:i|my|we)\b(?! (?:want (?:to|the)|can)\b)|"
        r"(?:i've |i )?been an? [\w -]{3,40}? (?:since|for|all my) (?!an? (?:hour|while|bit)|hours|days|weeks|this|"
        r"ages|"
        r"yesterday)|(?:i |i've )?(?:had|got|have) (?:an? |my |both |two )?(?:[\w-]+ ){0,2}(?:replacement|"
        r"transplant|bypass|"
        r"pacemaker|stent|prosthesis|prosthetic|hearing aids?|implant|stoma|insulin pump|epipen|guide dog|cane|walker|"
        r"crutches|wheelchair)\b|"
        r"my (?:doctor|gp|consultant|psychiatrist|specialist|cardiologist|neurologist|dermatologist|oncologist|"
        r"[a-z]+ologist|"
        rf"midwife|dentist),? (?:dr\.? {NAME},? )?(?:has |just |recently )*(?:put me on|prescribed|diagnosed|"
        rf"started me on|"
        r"took me off|told me to avoid)\b",
    ),
    Form(
        "likes",
        Category.PREFERENCE,
        0.6,
        r"(?:i'm |we're |i am )?(?:absolutely |totally |completely |a bit |kinda )?(?:crazy|mad|nuts|bonkers|"
        r"passionate|"
        r"wild) about (?!this|that|it\b|the idea|how|your)\w|(?:i'm |we're )?(?:obsessed with|hooked on|addicted to|"
        r"partial "
        r"to|fond of|allergic to) (?!this|that|it\b|the idea|how|your)\w|"
        r"(?:i'm )?(?:an? )?(?:life-?long|die-?hard|long-?time|huge|big|massive|proud|lifetime|devoted) [\w' "
        r"-]{2,30} (?:fan|"
        r"supporter|follower|collector|nerd|reader|gamer|member|listener|lover|enthusiast)\b|"
        r"(?!(?:this|that|it|the|your|these|those)\b)[\w' -]{2,30} (?:isn't|aren't|is not|are not|was never|has "
        r"never been) "
        r"(?:really |exactly |quite )?(?:my (?:cup of tea|thing|jam|bag|style|scene|forte)|for me)|"
        r"(?:i'm |i am )?(?:(?:more of|more|not|not really|definitely not) an? )?[\w -]{2,20} (?:person|guy|gal|"
        r"girl) here\b|(?:i'm |i am )?(?:more of|more|not|not really) an? [\w -]{2,20} (?:guy|gal|girl|person|man|"
        r"woman|kid|type)\b|"
        r"(?:i've )?never (?:been|was) (?:an? |much of an? |big |really )*(?:fan of|into|keen on|fond of|one for) \w|"
        r"can't do (?!this|that|it\b|the\b|anything|my\b)\w+(?=$|,| )",
        about_things=True,
        weak=True,
    ),
    Form(
        "attribute",
        Category.FACT,
        0.6,
        rf"(?:my|our) (?:whole |entire )?(?:team|company|family|office)(?:'s| is| are| lives| sits| works) (?:all "
        rf")?(?:in|from|based in) {NAME}|i do (?:all|most|everything)(?: of)?(?: my)?(?: [\w-]+)? "
        rf"(?:in|with|on|from) (?-i:[A-Z])\w|(?:ever )?since i (?:gave up|quit|stopped|moved|became|"
        rf"turned) \w|(?:my|our) (?:[\w-]+ )?{_PLACE} (?:closes|opens|starts|begins|ends|finishes|gets|is "
        rf"(?:serviced|collected|on|at|"
        rf"every|closed|open)|are (?:collected|on|every)|meets|runs|shuts|renews|expires|lets out|has (?:\d|two|"
        rf"three|four))"
        rf" (?!me\b|my\b|soon|now)\w|"
        r"(?:my|our|the) (?:[\w-]+ )?(?:back-?end|front-?end|api|app|site|website|server|database|codebase)(?:'s| "
        r"is| runs| was)"
        r" (?:all |mostly |written |built |done )?(?:in|on|with) (?-i:[A-Z])\w",
        weak=True,
    ),
    Form(
        "answers",
        Category.PREFERENCE,
        0.7,
        rf"(?:whenever|every time|each time|any ?time) (?:i|you) [^,]{{3,60}}(?:, (?:please |just |always |pls )?| "
        rf"please | pls | always )"
        rf"(?:{VERBS}|format|convert|reply|assume|round|translate|quote|list|call|write|make)\b|"
        rf"no {STYLE} (?:for me|with me|please|ever)|(?:for me|with me),? (?:no|never|always|only|just) \w|"
        r"(?:answers|replies|responses|explanations|examples|comments|code|dates|prices|times|hours|numbers|"
        r"measurements|units|temperatures|"
        r"amounts|recipes|summaries)(?: to me| please)? (?:always|only|never) (?:in|with|without|as) \w|"
        r"(?:please )?(?:use|put|keep|write|give|show) .{2,50} (?:in|for) (?:everything|anything|all|whatever) "
        r"(?:you|i) \w|"
        r"always (?:give|write|put|keep|add|leave|do|make|show|use) [\w ]{2,30} (?:in|with|without|as) \w",
    ),
)
