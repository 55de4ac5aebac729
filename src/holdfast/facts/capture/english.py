"""How people speak in English: what leads in, asks to remember, doubts, and what is a text to work on."""

from __future__ import annotations

from holdfast.facts.capture.english_forms import FORMS
from holdfast.facts.capture.english_life import LIFE
from holdfast.facts.capture.english_ways import WAYS
from holdfast.facts.capture.english_words import KIN, VERBS
from holdfast.facts.capture.speech import NAME, Speech, any_of

__all__ = ["ENGLISH"]

_OTHERS = (
    r"(?:he|she|they|someone|somebody|people|everyone|boss|manager|wife|husband|partner|friends?|colleagues?|mother|"
    r"mum|"
    r"mom|dad|father|brother|sister|son|daughter|doctor|vet|teacher|client|customer|user|it|caller|e-?mail|letter|"
    r"who|which|"
    r"guy|man|woman|girl|neighbou?r|dude|article|book|sign|post|blog|report|study)"
)
_INVENTED = any_of(
    "story|stories|poem|song|dialogue|scene|novel|tweet|monologue|joke|essay|personas?|characters?|haiku|limerick|"
    "bios?|testimonial",
    "review|diary|conversation|sketch|lyrics|rap|fable|fan ?fiction|screenplay|dating profile|sample \\w+|fairy tale|"
    "ballad|sonnet",
)
_TEXTS = any_of(
    _INVENTED,
    "profile|speech|caption|post|script|ad|slogan|headline|tagline|sentence|paragraph|commit message|changelog|"
    "abstract|posting|listing|blurb|screenplay|fan ?fiction|quote",
)
_WORK_ON = any_of(
    "improve|shorten|summari[sz]e|translate|rewrite|rate|critique|proof-?read|edit|polish|simplify|paraphrase|rephrase",
    "reword|correct|continue|finish|complete|caption|extend|condense|grade|score|punctuate|spell-?check|explain|"
    "analy[sz]e",
    "punch up|tighten|fact-?check|transcribe|classify|fill in|fill out|format|tidy up|clean up|turn|convert|reply to",
)
# A clause about the speaker begins without any sign, but not behind these: "if I live in", "I think I have a".
_NOT_BEHIND = """
    like if that when where what how whether who which why think say says said told me guess wish while until
    before after than as once unless and but so or do am did can should would could will have thinks suppose
    know believe assume narrator imagine pretend hope only on of in with for to from at about by is not
"""
_BEFORE_I = "".join(rf"(?<!\b{word} )" for word in _NOT_BEHIND.split())
_SUBJECT = (
    rf"(?:both|all|the two) of us |(?:i|i'm|im|i've|ive|i'd|we|we're|we've|we'd|i'll) |(?:my|"
    rf"our) [\w' -]{{2,40}} (?:is|are|uses|runs|has|lives|works|"
    rf"doesn't|can't|hates|loves|turns|starts?)\b|(?:(?:don't|dont|do not)(?! (?:i|you|we|they)\b)|please|pls|no|"
    rf"nothing) |(?:never|"
    rf"always) (?:{VERBS}) "
)
_QUESTION = (
    r"(?:what'?s|how's|where'?s|who's|what|how|which|where|why|when|who|is|are|do|does|can|could|should|would|will|"
    r"any) "
    r"(?:\w|i\b)(?!\w* is my\b)"
)

_BECAUSE = (
    r"because|since|cos|cuz|coz|bc|as|given(?: that)?|considering(?: that)?|seeing (?:as|that)|"
    r"bearing in mind(?: that)?|knowing(?: that)?|now that"
)

ENGLISH = Speech(
    code="en",
    words="""the a an i i'm i've my me we our us you your is are was am be been it this that of to in on for with and or
    but not don't do does did have has had can could would should will what how why where when who which please
    from at by as if so just use uses prefer like love hate live work remember always never now name she he they
    said there any some all no yes note their these those more than into about because up out let's favorite
    favourite call using here im ive dont got""",
    fillers=any_of(
        "oh|ok|okay|well|so|and|also|btw|by the way|fyi|just so you know|so you know|just fyi|for context|for info",
        "as i said|as mentioned|like i said|actually|correction|no(?=[,;:!.]| i\b| my\b| we\b)|nope|yes|yeah|yep|hey|"
        "hi|hello|sorry|in fact|note",
        "note that|please note|please note that|keep in mind|keep in mind that|bear in mind that|to be clear|heads up",
        "quick one|quick note|one more thing|another thing|ps|p\\.s\\.|anyway|honestly|personally|in general|um+|uh+|"
        "erm?",
        "long story short|in short|(?:please )?keep in mind for [\\w ]{2,40}|generally|generally speaking|update|"
        "plus|then",
        "important|thanks|thank you|cool|great|good|right|wait|that's wrong|since you asked|to clarify|about me|"
        "background",
        "context|because|hey there|hi there|hello there|for what it's worth|fwiw|good (?:morning|evening|afternoon)|"
        "but",
        "nowadays|these days|as of (?:today|now|last week|last month|this week)|oh and|ok so|outside of work|at work",
        "at home|since|as(?= (?:i|i'm|im|i've|we|my|our)\\b)|given(?: that)?|seeing as|now that|considering|cos|cuz|"
        "coz",
        "'cause|bc|basically|like|look|listen|see|you see|thing is|the thing is|the context is|though|although|anyways",
        "bearing in mind(?: that)?|considering that|knowing(?: that)?|as for me|me personally|me(?=,)|i mean|"
        "at my (?:company|job|work|place)|over here|here at [\\w ]{2,20}(?=,)|"
        "in my (?:house|home|family|team|company)|in our (?:house|home|family|team|office)|seeing that|on my end|"
        "for my part",
        "y'all|guys|folks|hi all|hi everyone|hey (?:guys|all|everyone|folks)|hiya|morning|evening|alright|mind you|"
        "to be honest|tbh|full disclosure|in case it matters|if it helps|if it matters",
        "for reference|side note|small note|quick question|question|hmm+|oh yeah|oh btw|after the [\\w -]{3,20}|"
        "so far|once "
        "again|just to say|just saying|let me add|small thing|remember|hey [a-z]+(?=,)|ah|ugh|first off|quick context",
        "professionally|privately|in my (?:spare|free) time|on the side|for work|in real life|irl|after all|lately|"
        "i should "
        "(?:say|mention|add)(?: that)?|you should know(?: that)?|worth (?:saying|knowing|mentioning)(?: that)?",
    )
    + r"(?:,|:|;| -| –| —|!|\.\.\.|…)? ",
    explicit=r"(?:please |pls |also |and |so |hey |ok |okay |oh |can you |could you |would you |will you |"
    r"i want you to |"
    r"i need you to |i'd like you to |you should |you can ){0,3}(?:please )?(?:just )?(?:"
    + any_of(
        r"(?:always )?remember(?: for (?:later|next time|the future|good))?(?:,|:| -)?(?: this|"
        r" the following)?:?(?: that)?",
        r"(?:don't|do not|dont|never)(?: you)?(?: ever)? forget(?:,|:)?(?: that)?(?= )(?! to )",
        r"(?:memori[sz]e|save this|(?:a )?note for (?:later|the future|next time)|make a (?:quick |"
        r"mental )?note(?: of)?|"
        r"take (?:a )?note|note (?:this )?down|write (?:this )?down|jot (?:this )?down|put (?:this )?down)(?: that|:|"
        r",|"
        r" of this:)",
        r"(?:save|add|commit|store|put|keep|write|note)(?: this| that| it)?(?: in| down in)?(?:to)? (?:your |"
        r"long-term |the )?(?:memory|notes)"
        r"(?: that|:|,| -| –)?",
        r"(?:for|as) (?:future|later) reference(?:,|:)?(?: that)?|for the record(?:,|:)?|for your (?:memory|records|"
        r"notes)[,:]?|for next time(?:,|:)|for later(?:,|:)",
        r"(?:quick |one |small |another |a )?(?:thing|note|fact|point|something) (?:to|for you to) (?:remember|note|"
        r"keep in mind)(?:,|:)|(?:note|reminder|memo) to (?:self|myself)(?:,|:| -)?|keep a note(?:,|:)?(?: that)?",
        r"(?:do|please) note(?= (?:my|our) )|note(?: down| somewhere)?,? that|(?:save|store|note|log|record)(?: "
        r"this| the following)?:|"
        r"(?:please )?note that",
    )
    + ") ",
    explicit_after=r"(?:(?:,| -|;|:|\.| and) (?:please |so |pls |can you |could you )?| (?:please|"
    r"pls) )(?:(?:please )?"
    r"remember (?:that|this|it)|keep (?:that|this|it) in mind|bear (?:that|this|it) in mind|"
    r"don'?t forget (?:that|this|it)|make a note(?: of (?:that|this|it))?|note (?:that|this|it) down|save (?:that|"
    r"this|it)|"
    r"write (?:that|this|it) down|remember that for (?:me|later|next time))"
    r"(?: for (?:later|next time|the future|me))?(?:,? (?:please|pls|ok))?$",
    no_memory=r"(?:the (?:function|method|class|script|loop|variable|parameter|query) (?:must|should|needs|has to)\b|"
    r"when|how|the (?:time|day|old days)|what|why|where|who|which|to (?!always\b|never\b|use\b)|me$|"
    r"this$|that$|"
    r"it$|them$|everything$|(?:that|this|it) for me|from\b|last\b|our (?:talk|chat|conversation)|you(?: (?:are|must|"
    r"have|got|can|will)|'re|'ve|'ll)\b|"
    r"to use (?:this|that|the)\b|anything|seeing|doing|reading|whether|if\b)",
    standing=r"(?!(?:it|he|she|they|this|that|there|who|the|i)\b).{0,200}\b(?:from now on|from here on(?: out)?|"
    r"going forward|henceforth|from this point on|until further notice|"
    r"in all (?:future|your) (?:answers|replies|responses|messages|commits)|in every (?:answer|reply|response)|"
    r"that goes for (?:every|all)|(?:same )?for every answer)\b|"
    r"(?:please |pls )?(?:no|never|don't|dont|stop) .{2,80},? ever$|(?:please |no |don't |"
    r"never ).{2,80}\bin (?:the )?future,?(?: please)?$",
    orders=r"(?:please |pls |also |and |so ){0,4}(?:(?:make sure|be sure|ensure)(?: you| to| that you){0,4} |"
    r"you (?:should|"
    r"must) |"
    rf"remember to |do |can you |could you |i want you to )?(?:(?:always|never) {VERBS}\b(?!.*\b(?:this|"
    rf"that) (?:function|"
    rf"method|file|script|class|test)\b)"
    rf"|{VERBS} (?!.*\b(?:this|that) (?:function|method|file|script|class|test)\b).{{2,80}} "
    r"(?:every time|by default|in all projects|in every project|whenever (?:you|i)))",
    forms=(*FORMS, *LIFE, *WAYS),
    at_hand=r"(?:only |just |really |also )?(?:too\b|as well\b|(?:much|often|a lot)$|now\b|the whole\b|th(?:is|at|"
    r"ese|ose)\b|it\b|its\b|them\b|your?\b|yours\b|how\b|what\b|when\b|where\b|nothing\b|the "
    r"(?:first|second|third|fourth|last|latter|former|other|new|newer|old|older|shorter|longer|simpler|previous|"
    r"current|way|idea|result|version|approach|look|suggestion|answer|output|code|function|changes?|file|following|"
    r"one|"
    r"above|same|(?:blue|red|green) (?:one|button)|button|page|wrong|title|ending|intro|tone|opening|paragraph|draft|"
    r"colou?rs?|style|part)\b|"
    r"both\b|option\b(?! \w+:)|version\b|to$|to (?:see|know|get|have|add|thank|ask|understand|hear|fix|make|change|"
    r"say|"
    r"share|talk)\b|everything\b|an? "
    r"(?:function|script|loop|regex|variable|class|lambda|for|while|dict|list|dictionary|hook|component|query|table|"
    r"array|"
    r"string|file|column|question|copy|look|bit|lot|few|quick)\b|him\b|her\b|his\b|their\b|all of\b|one of\b|"
    r"(?:a )?(?:lot|bit|few)\b)",
    dangling=r"\b(?:its|(?<!/)them|their|these|those|such|(?<!/)him)\b|\bit\b(?! (?:is|was|has)\b|'s)|"
    r"\bthis\b(?! (?:year|month|week|"
    r"repo|repository|project|team|company|codebase|machine|laptop|autumn|spring|summer|winter|semester|term))|"
    r"\bthat\b(?= (?:one|kind|way|thing|idea|approach|function|file|version|part)\b|$)",
    doubtful=r"^(?:if|unless|suppose|supposing|imagine|assuming|pretend|hypothetically|what if|say i|say we|"
    r"let'?s say)\b|"
    r"\b(?:wish i|as though|as if|traceback|stack ?trace|segfault|used to work|apparently i|according to|"
    r"live in (?:\w+ )?(?:moment|fear|terror|dread|denial|hope)|"
    r"(?:love|adore|enjoy) (?:getting|being|having to|paying|waiting|queuing|sitting in|standing in|spending|losing|"
    r"doing "
    r"(?:taxes|laundry)|it when|when|how)|(?-i:LOVE|ADORE))\b|"
    r"^(?:e\.g\.|for example|for instance|something like),? i\b|\bi never said\b|\bdid i (?:say|tell)\b|"
    r"^(?:oh|yeah|yay|wow|ah|well|just|how)? ?(?:sure|great|brilliant|fantastic|wonderful|lovely|perfect|joy|awesome|"
    r"amazing|terrific|super|fabulous|marvell?ous)[,!.]* (?:i|my|just|another|now)\b(?! (?:have|live|work|am|'m|"
    r"use)\b)",
    unsure=r"\b(?:(?:saying|says|goes|said)(?: that)? i\b|(?:he|she|they|guy|bloke|dude)(?:'s| is| was| were| goes| "
    r"went| just goes)(?: all| just)? like|"
    r"(?<!even )if(?!,? like me)|unless|suppose|imagine|assuming|pretend|hypothetically|let's say|"
    r"lets say|wish|might|maybe|perhaps|"
    r"would(?! (?:much )?rather| you\b| like\b| love\b| pick\b| take\b| choose\b)|could(?! you\b)|i think|i guess|"
    r"i believe|"
    r"i suppose|i hope|i feel|i thought|i doubt|i reckon|i wonder|i assume|don'?t think|don'?t know|no idea|"
    r"supposedly|"
    r"probably|not sure|unsure|used to|back when|(?<!my )back in|once upon|in (?:my|a) (?:dream|past life)|when i was|"
    r"as a (?:kid|child|teenager|student|boy|girl)|(?:last|this) time|"
    rf"{_OTHERS} (?:\w+ )?(?:said|says|say|told|tells|thinks?|claims?|wrote|writes|asked|asks|mentioned|insists?|"
    rf"texted|"
    r"wants? me|believes?|reckons?|goes like)|according to|"
    r"for (?:this|the) (?:test|demo|example|task|ticket|pr)|until (?:recently|last|\d)|"
    r"broken|bugs?|crash(?:es|ed|ing)?|undefined|warnings?|line \d+|regressions?|i(?:'d| would) be)\b",
    technical=r"\b(?:errors?|exceptions?|bugs?|crash(?:es|ed|ing)?|fails?|failed|failing|failure|undefined|null|"
    r"warnings?|"
    r"nothing happens|no effect|trying to|(?:doesn't|doesnt|does not|isn't|won't|not|can't get it to) (?:work|run|"
    r"start|load|compile|build|boot|show)(?:ing)?|"
    r"line \d+|stuck|not rerender\w*|issues?|regressions?|timeout|returns?|loops?|conflicts?|(?:wrong|feature|"
    r"this) branch|button|login page|"
    r"index|array|nan|zeros|dataset|dataframe|columns?|pandas|numpy|csv|regex|function|method|variable|compile\w*|"
    r"throws?|\d{3}s?(?= error)|40[0-9]|50[0-9]|exit code|tests|(?:every|each) push|in ci|commits?|localhost|"
    r"reload\w*|trace|"
    r"doesn't seem|stops? (?:working|responding)|problems?|sorted|\w+\(\)|clicked?|segfaults?|deprecat\w+|"
    r"freez(?:es|ing)|hangs|lags?)(?!\w)",
    passing=r"\b(?:years ago|ages ago|right now|at the moment|today|tonight|tomorrow|this (?:morning|afternoon|"
    r"evening|once|weekend)|in \d+ (?:min\w*|hours?)|"
    r"(?:in|for) (?:ten|five|twenty|a few) minutes|for now|so far|just (?:got|now)|already|again|next(?=$|,)|next "
    r"(?:month|week|"
    r"year|weekend)|later|on (?:mon|tues|"
    r"wednes|thurs|fri|satur|sun)day\b(?! (?:afternoon|morning|evening|night)s)|at \d+ ?%|last (?:night|week)|"
    r"nothing happens|trying to|coming)\b",
    wishing=r"\bi'd\b(?! (?:much |always )?(?:rather|sooner|pick|take|choose)\b)|\bid (?:like|love)\b|"
    r"\bwould (?:like|love)\b|\b(?:want|hope|plan|planning|hoping|dream|dreaming|tempted|would love)(?: to| of)\b|"
    r"^(?!.*\b(?:decided|agreed|voted|settled|chose|picked|went with|signed off)\b).*\b(?:yesterday|this morning|"
    r"right now|"
    r"at the moment|tonight|today)\b|"
    r"\bthinking (?:of|about)\b|\bi'm considering\b|\blooking to\b",
    asking=r"(?!when(?:ever)? (?:you|i) )(?:do|does|did|can|could|would|will|should|shall|is|are|am|was|were|have|"
    r"has|what|where|"
    r"when|why|how|who|whose|which)"
    r" (?:i|you|we|they|he|she|it|this|that|the|my|our|your|there|do|does|did|is|are|would|should|can|much|many|"
    r"about|if|an?|someone|people)\b(?!.{3,80} is my )",
    material=rf"^dear (?:sir|madam|hiring|mr|mrs|ms|dr|team|all|colleague|editor|customer|landlord|neighbou?r|"
    rf"professor)|\b(?:in )?what year (?:are|will|were|was) |\btranslat(?:e|ion|ing)\b|\b(?:please |can you |"
    rf"could you |^){_WORK_ON} (?:(?:this|the|my|these|our|a|following|"
    rf"that|for me|it|\w+) ){{0,4}}(?:{_TEXTS}|text|dialogue|form|mail|e-?mail|letter|message)s?\b|"
    r"\b(?:this|the following|these) (?:[\w-]+ )?(?:tweet|review|slogan|headline|caption|lyrics?|dialogue|poem|"
    r"posting|joke)\b|"
    r"\bproof-?read|\brephras|\bparaphras|\brewrite(?: ?:| (?:this|that|it|my|these|them|in|as|so)\b)|\breword|"
    r"\bgrammatical|\bgrammar\b|\bwhich (?:one )?is (?:right|"
    r"correct|better)\b.{0,3}[:\"“]|\bspell-?check|\bpretend|\brole-?play|\bact as\b|\bimagine\b|\bsuppose\b|"
    r"\blet'?s say\b|"
    r"\bhypothetical|\blet'?s (?:play|do a scene|act)\b|\byou(?:'re| are) \w+ and i(?:'m| am) |\byou(?:'re| are|"
    r" play| will be| be) (?:now )?(?:my|the|an?) "
    r"(?!best|star|legend|life ?saver|genius|great|good|angel|gem|machine|bot|ai|assistant|hero|treasure|real)|"
    r"\bbe my (?!guest)|\bi(?:'m| am| play|'ll be| will be) the (?:customer|patient|buyer|seller|villain|hero|"
    r"applicant|"
    r"suspect|guest|client)\b|"
    r"\b(?:write|draft|compose|continue|finish|make up|tell me|create|generate|invent|give me)\b(?: me| us)? (?:an?|"
    r"the|my|"
    rf"this|some|\d{{1,6}}|two|three|five|ten)? ?(?:[\w-]+ ){{0,3}}{_INVENTED}\b|\bin the (?:voice|style) of\b|"
    r"\bhow (?:do|would|can) (?:you|i|we) say\b|\bexample sentence|\b(?:this|the|following) sentence|"
    r"\bfill in th\w+\b|"
    r"\bmy (?:novel|protagonist|character|narrator|lyrics|heroine|hero|villain)\b|\blorem ipsum\b|\bpolish (?:it|"
    r"this|my)|"
    r"\bcover letter below\b|\bthe narrator\b|\bfirst[- ]person\b|\bfake (?:data|names?|users?|profiles?)\b|"
    r"\bdummy data\b|"
    rf"\b(?:for|of) (?:my|a|his|her|our) {KIN}\b.{{0,80}}: |\bhow many (?:[\w-]+ ){{1,4}}(?:left|altogether|in total|"
    rf"each|remain\w*|"
    r"now|in all|do (?:i|we|they|both))\b|\bhow old (?:is|am|will|was)\b.{0,200}\b(?:when|be|now)\b|"
    r"\bwho (?:wrote|said) this\b|\btest (?:data|message|sentence)\b|\bsentiment\b|\bclassify\b",
    joking=r"\b(?:jk|just kidding|kidding|sarcasm|joking)\b|(?:^|\s)/s\b",
    laughing=r"\b(?:lol|lmao|rofl|ha(?:ha)+h?|hehe)\b|[😂🤣😜😝😛🙃😏]",
    leads=r"(?:(?:it's|its|it is|that's|thats|ok|right|so|well|then)[, ]+)?(?:(?:been |all )?(?:decided|settled|"
    r"final|official|agreed)|made (?:up my mind|my mind up)|my mind is "
    r"made up|final (?:answer|decision|call)|i've (?:finally )?(?:decided|made up my mind)|"
    r"i've made my decision)(?: then| now)?(?:,|:| -)?(?: |$)",
    given=rf"(?:{_BECAUSE}) |(?:for|to) (?:someone|somebody|people) who,? like me|if,? like me|(?:my|"
    rf"our) (?:[\w-]+ ){{0,2}}{KIN},? (?:who|she|he|they)\b",
    joints=r"(?=[ ,;()])(?:"
    rf"(?:,|;| –| —| -)? (?=(?:for|to) (?:someone|somebody|people) who,? like me|if,? like me)|(?:,|;| –| —|"
    rf" -)? (?=(?:{_BECAUSE}) (?:i|i'm|im|i've|ive|we|we're|we've|my|our) )|"
    rf" (?=(?:my|our) (?:[\w-]+ ){{0,2}}{KIN},? (?:who(?:'s| is| has| loves| hates| can't| doesn't| lives| works|"
    rf" turns)|s?he(?:'s| is| has| "
    rf"loves| hates| can't| doesn't| lives| works| turns)|{NAME} who)\b)(?<!\bfrom )(?<!\bsays )(?<!\band )|"
    rf"(?:,|;| –| —| -)? (?:and|but|so|though|while|plus|whereas|&|n) (?:also )?"
    rf"(?!i (?:are|both) )(?={_SUBJECT})|(?:,|;| –| —| -)? (?:and|but|so|&) (?={_QUESTION}|(?:everyone|everybody|"
    rf"people|most people|nobody|friends) |(?:he|she|they) (?:says?|"
    rf"said|told|thinks?|wants?|reckons?)\b)|"
    r"(?:,|;| –| —| -)? (?:and|but|so|&) (?:now )?(?=it |it's |its |need |needs |want |keep |i (?:need|want)|"
    r"find |make |give |show |suggest |recommend )|"
    rf"(?:,|;| –| —| -|\(|\)) ?(?={_SUBJECT}|(?:can|could|would|will) you |what(?:'s|s)? |how |which |where |"
    rf"when (?:should|do|is)|"
    r"any (?:idea|suggestion|tip|good|advice|recommendation)|is (?:that|it|there|this)|are there|should |find |make |"
    r"give |"
    r"show |write |suggest |recommend |it's |it won't |the fan )|"
    rf" (?=(?:i|we) (?:live|work (?:at|as|in|for|shifts)|have (?:an?|two|three|four|my)|teach|study)\b|"
    rf"i(?:'m| am) (?:an? |allergic|vegan|vegetarian|from|diabetic|\d)|i(?:'ve| have) got |"
    rf"my (?:[\w-]+ )?(?:{KIN}|car|name|job|house|flat|dog|cat)(?: is|'s| has| are) |what should (?:i|we) |how (?:do|"
    rf"can|would|"
    r"should) (?:i|we) |what (?:are|is|can) |can you |is (?:that|this|it) (?:normal|ok|okay|bad|safe))"
    + _BEFORE_I
    + ")",
    about_me=r"\b(?:about (?:me|myself|us)|remember|my preferences|my setup|our setup|our stack|keep in mind|"
    r"who i am|for context|house rules|ground rules|facts|here's (?:the thing|my situation|some context|the deal|"
    r"where)|my "
    r"situation|some (?:context|background|info))\b",
    states=r"^(?:i|i'm|i've|my|we|our)\b|\b(?:is|are|was|were|has|have|uses?|runs?|goes?|go|lives?|works?|needs?|"
    r"starts?|ends?|expires?|"
    r"rotates?|must|can|will|costs?|owns?|opens?|closes?|gets?|takes?|comes?|means|contains?|stays?|belongs?)\b|'s\b",
)
