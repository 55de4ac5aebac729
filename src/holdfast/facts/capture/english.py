"""How people speak about themselves in English."""

from __future__ import annotations

from holdfast.chunks.fact import Category
from holdfast.facts.capture.english_words import (
    ATTRIBUTES,
    DAYS,
    DOES,
    HABITS,
    ILL,
    JOBS,
    KIN,
    NO_ROLE,
    OFTEN,
    OWNED,
    ROLES,
    THINGS,
    TRAITS,
    VERBS,
)
from holdfast.facts.capture.speech import NAME, Form, Speech, any_of

__all__ = ["ENGLISH"]

_I = r"i(?:'ve|ve| have)?"
_IM = r"(?:i'm|i am|im|i've been|ive been|i have been)"
_WE = r"(?:we|our (?:team|company|group)|my team|the team)(?:'ve| have| had)?"
_ADVERBS = (
    r"(?:(?:really|just|also|still|generally|mostly|much|absolutely|personally|strongly|truly|do|currently|now|"
    r"typically|normally|only|always|usually|never|finally|recently|kinda|quite|very much|officially|already|"
    r"both) ){0,3}"
)
_NUMBER = r"(?:an? |one |two |three |four |five |six |no |some |my own |the |\d{1,2} )?"
_GIVEN = r"(?: (?!never|always|just|also|already|still|who|that|and|really|only|now|often)[\w-]+)?"

ENGLISH = Speech(
    code="en",
    words="""the a an i i'm i've my me we our us you your is are was am be been it this that of to in on for with and or
    but not don't do does did have has had can could would should will what how why where when who which please
    from at by as if so just use uses prefer like love hate live work remember always never now name she he they
    said there any some all no yes note their these those more than into about because up out let's favorite
    favourite call using here""",
    fillers=any_of(
        "oh|ok|okay|well|so|and|also|btw|by the way|fyi|just so you know|so you know|just fyi|for context|for info",
        "as i said|as mentioned|like i said|actually|correction|no|nope|yes|yeah|yep|hey|hi|hello|sorry|in fact|note",
        "note that|please note|please note that|keep in mind|keep in mind that|bear in mind that|to be clear|heads up",
        "quick one|quick note|one more thing|another thing|ps|p\\.s\\.|anyway|honestly|personally|in general",
        "long story short|in short|(?:please )?keep in mind for [\\w ]{2,40}|generally|generally speaking|update|"
        "important|thanks|thank you|cool|great|good|right|wait|that's wrong",
        "since you asked|to clarify|about me|background|context|because|hey there|hi there|hello there|"
        "for what it's worth",
        "nowadays|these days|as of (?:today|now|last week|last month|this week)|oh and|ok so|outside of work|at work|"
        "at home",
    )
    + r"(?:,|:|;| -| –| —|!|\.\.\.|…)? ",
    explicit=r"(?:please |pls |also |and |so |hey |ok |okay |oh |can you |could you |would you |i want you to |"
    r"i'd like you to )"
    r"{0,3}(?:please )?(?:"
    + any_of(
        r"(?:always )?remember(?: for (?:later|next time|the future|good))?(?:,|:| -)?(?: this|"
        r" the following)?:?(?: that)?",
        r"(?:don't|do not|dont|never)(?: you)?(?: ever)? forget(?:,|:)?(?: that)?(?= )(?! to )",
        r"(?:memori[sz]e|save this|(?:a )?note for (?:later|the future)|make a (?:mental )?note|take (?:a )?note|"
        r"note down|write down|jot down)(?: that|:|"
        r" of this:)",
        r"(?:save|add|commit|store|put)(?: this| that| it)?(?: in)?(?:to)? (?:your |long-term |the )?memory(?: that|"
        r":|,)?",
        r"(?:for|as) (?:future|later) reference(?:,|:)?(?: that)?|for the record(?:,|:)?|for your (?:memory|records|"
        r"notes)[,:]?",
        r"(?:note|reminder|memo) to (?:self|myself)(?:,|:| -)?",
    )
    + ") ",
    explicit_after=r"(?:(?:,| -|;| and) (?:please |so |pls )?| (?:please|pls) )(?:remember (?:that|this|it)|"
    r"keep (?:that|this) in mind|"
    r"don't forget (?:that|this|it)|make a note(?: of (?:that|this|it))?)(?: for (?:later|next time|"
    r"the future))?(?:,? please)?$",
    no_memory=r"(?:when|how|the (?:time|day|old days)|what|why|where|who|which|to (?!always\b|never\b|use\b)|me$|"
    r"this$|that$|"
    r"it$|them$|everything$|(?:that|this|it) for me|from\b|last\b|our (?:talk|chat|conversation)|you(?: (?:are|must|"
    r"have|got|can|will)|'re|'ve|'ll)\b|"
    r"to use (?:this|that|the)\b|anything|seeing|doing|reading)",
    standing=r"(?!(?:it|he|she|they|this|that|there|who|the|i)\b).{0,200}\b(?:from now on|from here on(?: out)?|"
    r"going forward|henceforth|from this point on|until further notice|"
    r"in all (?:future|your) (?:answers|replies|responses|messages|commits))\b",
    orders=r"(?:please |pls |also )?(?:(?:make sure|be sure|ensure)(?: you| to| that you)* |you (?:should|must|can) |"
    rf"remember to |do )?(?:(?:always|never) {VERBS}\b(?!.*\b(?:this|that) (?:function|method|file|script|class|"
    rf"test)\b)"
    rf"|{VERBS} (?!.*\b(?:this|that) (?:function|method|file|script|class|test)\b).{{2,80}} "
    r"(?:every time|by default|in all projects|in every project|whenever you))",
    forms=(
        Form(
            "decision",
            Category.DECISION,
            0.7,
            rf"(?:(?:after|following|in the end|eventually) (?:[\w-]+ ){{0,8}})?(?:{_WE}|{_I}) (?:(?:just|finally|"
            rf"now|all|both|also|jointly|already) ){{0,2}}"
            r"(?:decided|agreed (?:to|on|that)|chose|chosen|opted (?:for|to|out of)|settled on|settled for|"
            r"picked(?! up| out)|committed to|"
            r"ruled out|"
            r"voted|resolved to|made the decision|signed off on) |(?:we're|we are) going (?:to go )?with |"
            r"we went with |"
            r"we(?:'re| are) (?:switching|migrating|moving) (?:to|from|away) |we(?:'ll| will) go with |"
            r"(?:the |our |final )?decision(?: is|:) |it's (?:been )?decided(?: that|:) ",
            about_things=True,
        ),
        Form(
            "named person",
            Category.ENTITY,
            0.6,
            rf"my (?:[\w-]+ ){{0,2}}{KIN}(?:'s name| 's name)? (?:is|are|was)(?: called| named)? (?:{NAME}|an? \w)|"
            rf"my (?:[\w-]+ )?{KIN}{_GIVEN} (?:is|are) (?:called|named|turning|\d|from|{TRAITS})|"
            rf"my (?:[\w-]+ )?{KIN},? {NAME},? \w|"
            rf"my (?:[\w-]+ )?{KIN}'s (?:turning )?\d|my {KIN}{_GIVEN} and i (?:are|both|live|have|don't|can't|own|"
            rf"rent) |"
            rf"my (?:[\w-]+ )?{KIN}{_GIVEN} {DOES} |my (?:[\w-]+ )?{KIN}(?:'s|s') {DAYS} is |"
            rf"(?:our|my|the) (?:[\w-]+ ){{0,3}}{ROLES} is (?:called |named )?{NAME}|"
            rf"(?!(?:it|this|that|he|she|here|there|who|what)\b){NAME}(?: {NAME})? (?:is|was) (?:now )?(?:(?:my|"
            rf"our) (?:[\w-]+ ){{0,3}}{ROLES}\b|"
            rf"(?:the|an?) (?:[\w-]+ ){{0,3}}(?!client|contact|customer|vendor|head|chair){ROLES} (?:of|for|at|on|"
            rf"here)\b)|"
            rf"{NAME}(?: {NAME})? (?:leads|heads|is responsible for|is in charge of|reports to) ",
        ),
        Form(
            "favourite",
            Category.PREFERENCE,
            0.6,
            r"my (?:all[- ]time |least )?(?:favou?rite|preferred|go-to) (?!part\b|bit\b|thing about th)[^,.]{2,50} "
            r"(?:is|are|has always been|remains) |"
            r"(?!(?:this|that|these|those|it|he|she|which|what|who|the (?:first|second|third|last|other))\b)"
            r"[\w' -]{2,40} (?:is|are) my (?:absolute |all[- ]time )?(?:favou?rite|go-to|preferred) \w",
            about_things=True,
        ),
        Form(
            "likes",
            Category.PREFERENCE,
            0.6,
            rf"i {_ADVERBS}(?:prefer|like|love|hate|dislike|detest|loathe|despise|enjoy|adore|favou?r|can'?t stand|"
            r"cannot stand|can'?t bear|don't like|do not like|dont like|don't enjoy|don't care for|don't love|avoid) |"
            rf"i(?:'d| would) (?:much )?rather |{_IM} (?:really |not |not really )?(?:an? (?:big |huge |"
            rf"great )?)?fan of |"
            rf"{_IM} (?:not |really |very )?(?:much )?into |i have a (?:strong )?(?:preference|dislike|"
            rf"soft spot) for |"
            rf"{_IM} (?:more of )?an? (?:morning|night|dog|cat|coffee|tea|people) person|"
            r"i (?:tend to|try to) (?:avoid|prefer) |i can'?t (?:eat|tolerate|digest) |i only (?:know|speak|read|own|"
            r"understand) |i've always (?:liked|loved|"
            r"hated) ",
            about_things=True,
        ),
        Form(
            "form of address",
            Category.PREFERENCE,
            0.7,
            r"(?:please |you can |just |but )?(?:don't )?call me (?!back|later|when|if|at\b|on\b|in\b|tomorrow|"
            r"crazy|today|"
            r"asap|now|a\b|an\b|old|stupid|silly)\w|(?:people|friends|everyone) calls? me |i go by ",
        ),
        Form(
            "name",
            Category.FACT,
            0.8,
            rf"my (?:\w+ )?(?:name|surname)(?: is|'s) |i'm called |{_IM} "
            rf"(?!(?:sorry|done|fine|sure|not|good|ok|okay|back|ready|also|really|just|still|here|happy|"
            rf"glad)\b){NAME}"
            rf"(?: {NAME})?(?=$|,| and | from | by the way| from )",
        ),
        Form(
            "trait",
            Category.FACT,
            0.65,
            rf"{_IM} {_ADVERBS}(?:not )?{TRAITS}\b|"
            rf"{_IM} {_ADVERBS}(?:not )?an? (?!your\b)(?:[\w-]+ ){{0,4}}{JOBS}\b|"
            rf"{_IM} (?:also |currently |now |actually )?an? (?!{NO_ROLE}\b)[a-z]|"
            rf"{_IM} (?:partly|partially|half|legally) {TRAITS}\b|my (?:family|parents|wife|husband) and i are from |"
            rf"{_IM} {_ADVERBS}(?:the )?(?:[\w-]+ ){{0,3}}(?:lead|head|cto|ceo|director|manager|owner|"
            rf"founder) (?:of|at|for) |"
            rf"{_IM} the (?!one\b|only\b|same\b|first\b|last\b|type\b|kind\b)(?:[\w-]+ ){{1,3}}(?:of|at|for) (?:our|"
            rf"my|an?|the) |"
            rf"i (?:have|'ve had|ve had|suffer from|was diagnosed with|live with|'ve got) (?:[\w-]+ ){{0,3}}{ILL}\b|"
            rf"i've had (?:[\w-]+ ){{0,3}}{ILL}\b|"
            rf"as an? (?:[\w-]+ ){{0,3}}{JOBS},? (?:i|my|i'm|i've)\b(?! (?:want|need|should|can)\b)",
        ),
        Form(
            "place or work",
            Category.FACT,
            0.65,
            r"i teach (?!you|this|that|it)\w|we (?:both |all |currently |still )?(?:rent\b|live (?:in|on|near|with|"
            r"at|outside) |"
            r"own (?:an?|our) |don't (?:eat|drink|have a (?:car|garden|tv|dishwasher|balcony))|have no (?:car|garden|"
            r"tv|oven))|"
            rf"i (?:no longer |don't |do not |used to )?{_ADVERBS}(?:live|reside|work|freelance|teach|study|studied|"
            rf"volunteer|"
            r"consult|grew up|commute) (?:in|at|near|for|as|with|from|on|remotely|alone|outside|part[- ]time|"
            r"full[- ]time|"
            r"nights|there|to|law|medicine|[a-z]+(?:ology|istry|ics|ing)\b)|"
            rf"(?:{_I} {_ADVERBS}|(?:just|recently|finally) )(?:moved|relocated|emigrated) (?:to|from|back|out|in with|"
            r"house|here)|"
            r"i was (?:born|raised) |i come from |"
            rf"{_I} {_ADVERBS}(?:retired|graduated|got (?:married|divorced|engaged|promoted)|changed jobs|"
            rf"became an? |"
            rf"left my job|quit my job|left {NAME}|joined {NAME}|joined (?:the|an?) [\w -]{{2,40}} (?:team|company|"
            rf"startup)|"
            r"started (?:a new job|at|working (?:at|for|as))|was (?:promoted|laid off|diagnosed))|"
            rf"{_I} {_ADVERBS}switched (?:from|to) (?!.*\bbranch\b)",
            about_things=True,
        ),
        Form(
            "habit",
            Category.PREFERENCE,
            0.55,
            rf"i (?:(?:don't|do not|dont|never|always|usually|only|mostly|normally|typically|no longer|tend to|"
            rf"rarely) )"
            rf"{{1,2}}{HABITS}\b|i always (?:want|need|have) |"
            rf"i (?!get|got|keep|see|try|have|receive|lose|forget|am|was|need|want|think|do\b|can|will|paid|"
            rf"spent)[a-z]+ "
            rf"(?:[\w'-]+ ){{0,6}}?{OFTEN}\b|i(?:'ve)? (?:recently |just )?(?:stopped|quit|gave up|given up|started) "
            r"(?:eating|drinking|smoking|using|wearing|running|cycling|swimming|meditating|commuting|smoking|"
            r"alcohol|coffee)",
            about_things=True,
        ),
        Form(
            "belonging",
            Category.FACT,
            0.6,
            rf"(?:i have|i've|ive|i've got|i own|i adopted|"
            rf"we have) (?!been\b)(?:got )?{_NUMBER}(?:[\w-]+ ){{0,3}}{OWNED}\b|"
            r"(?:i have|i've|ive) (?:got )?(?:[\w-]+ ){0,4}(?:years?|yrs?|decades?)'?(?: of| in| as| experience)\b|"
            r"i (?:own|collect|breed|foster) (?!this|that|it\b|the\b)\w|"
            r"i (?:can |also )?(?:speak|play|drive|ride) (?!with\b|around\b|to\b)|"
            r"i (?:run|manage|lead|own|head|maintain|coach|co-?founded|founded) (?:an?|the|my|our) (?!.*\b(?:script|"
            r"tests?|command|"
            r"code|program|build|query|migration|linter|container|job|loop|state|file)\b)",
            about_things=True,
        ),
        Form(
            "attribute",
            Category.FACT,
            0.65,
            rf"my (?:work |home |new |private |personal |current |main )?{ATTRIBUTES}(?: is|'s| are| runs)(?: now)? "
            r"(?!not |the best|like |broken|slow|dead|down|too |so |very |acting|making|running|being|gone|full|"
            r"stuck|open|"
            r"on the line)",
        ),
        Form(
            "tools",
            Category.FACT,
            0.6,
            rf"i {_ADVERBS}use (?!.*\b(?:here|but)\b)|"
            rf"we {_ADVERBS}(?:use|run|deploy|host|ship|release|target|support|store|follow|don't use|do not use|"
            r"no longer use|write|build|develop|keep|track|manage|bill|invoice|meet) (?!.*\b(?:here|but)\b)|"
            r"we have (?:a|an) (?:policy|rule|convention|agreement|standup|stand-up|freeze|deadline) |"
            rf"(?:our|the|this|my) (?:[\w-]+ ){{0,3}}{THINGS}(?: itself)? (?:uses|use|runs? (?:on|in)|is (?:called|"
            rf"named|written|hosted|"
            rf"built|deployed|based|{NAME})|are (?:written|called|hosted|on|every)|lives? (?:in|on|at|under)|"
            rf"sits? (?:in|on|at)|"
            r"starts?|ends?|begins?|targets?|requires?|is (?:always )?(?:on|at|in) )",
            about_things=True,
        ),
    ),
    at_hand=r"(?:only |just |really |also )?(?:too\b|as well\b|(?:much|often|a lot)$|now\b|the whole\b|th(?:is|at|"
    r"ese|ose)\b|it\b|its\b|them\b|your?\b|yours\b|how\b|what\b|"
    r"when\b|where\b|the "
    r"(?:first|second|third|fourth|last|latter|former|other|new|newer|old|older|shorter|longer|simpler|previous|"
    r"current|way|idea|"
    r"result|version|approach|look|suggestion|answer|output|code|function|changes?|file|following|one|above|same)\b|"
    r"both\b|"
    r"option\b(?! \w+:)|version\b|to$|to (?:see|know|get|have|add|thank|ask|understand|hear|fix|make|change)\b|"
    r"everything\b|a "
    r"(?:function|script|loop|regex|variable|class|lambda|for|while|dict|list|dictionary|hook)\b|him\b|her\b|"
    r"all of\b|one of\b)",
    dangling=r"\b(?:it|its|them|they|their|these|those|such|him)\b|\bthis\b(?! (?:year|month|week|repo|repository|"
    r"project|"
    r"team|company|"
    r"codebase|machine|laptop))|\bthat\b(?= (?:one|kind|way|thing|idea|approach|function|file|version|part)\b|$)",
    doubtful=r"\b(?:if|unless|suppose|supposing|imagine|assuming|pretend|hypothetically|let's say|lets say|wish|"
    r"might|maybe|"
    r"perhaps|would(?! (?:much )?rather| you\b| like\b| love\b)|could(?! you\b)|i think|i guess|i believe|i suppose|"
    r"i hope|"
    r"i feel|"
    r"i thought|probably|not sure|as though|as if|"
    r"(?:he|she|they|someone|somebody|people|everyone|boss|manager|wife|husband|partner|friend|friends|colleague|"
    r"mother|mum|mom|"
    r"dad|father|brother|sister|doctor|teacher|client|customer|user|it|caller|e-?mail|letter|who|which) "
    r"(?:\w+ )?(?:said|says|say|told|tells|thinks?|"
    r"claims?|wrote|writes|asked|asks|mentioned|insists?|texted|wants? me|believes?)|according to|"
    r"errors?|exceptions?|traceback|stack ?trace|bugs?|crash(?:es|ed|ing)?|fail(?:s|ed|ing|ure)?|broken|"
    r"(?:doesn't|does not|isn't|not|won't|can't get it to) work(?:ing)?|undefined|segfault|warnings?|line \d+|stuck|"
    r"not rerender\w*|problems?|issues?|regressions?|used to work|yesterday|this morning|right now|at the moment|"
    r"for (?:this|the) (?:test|demo|example|task|ticket|pr)|"
    r"live in (?:\w+ )?(?:fear|terror|dread|denial|hope)|"
    r"(?:love|adore|enjoy) (?:getting|being|having to)|(?-i:LOVE|ADORE))\b|"
    r"^(?:e\.g\.|for example|for instance|something like),? i\b|"
    r"^(?:oh|yeah|yay|wow|ah) (?:sure|great|brilliant|fantastic|wonderful|lovely|perfect|joy)\b",
    wishing=r"\bi'd\b(?! (?:much )?rather)|\bid (?:like|love)\b|\bwould (?:like|love)\b",
    asking=r"(?:do|does|did|can|could|would|will|should|shall|is|are|am|was|were|have|has|what|where|when|why|how|"
    r"who|whose|which)"
    r" (?:i|you|we|they|he|she|it|this|that|the|my|our|your|there|do|does|did|is|are|would|should|can|much|many|"
    r"about|if)\b",
    material=r"\btranslat(?:e|ion|ing)\b|\bproof-?read|\brephras|\bparaphras|\brewrite\b|\breword|\bgrammatical|"
    r"\bgrammar\b|"
    r"\bspell-?check|\bpretend|\brole-?play|\bact as\b|\bimagine\b|\bsuppose\b|\blet'?s say\b|\bhypothetical|"
    r"\b(?:write|draft|compose|continue|finish|make up|tell me|create|generate)\b(?: me| us)? (?:an?|the|my|this|"
    r"some) "
    r"(?:[\w-]+ ){0,3}(?:story|poem|song|dialogue|scene|novel|tweet|monologue|joke|essay|persona|character|speech|"
    r"haiku|limerick|"
    r"bio|profile|testimonial|review|diary|caption|post|conversation)\b|\bin the (?:voice|style) of\b|"
    r"\bhow (?:do|would|can) (?:you|i|we) say\b|\bexample sentence|\b(?:this|the|following) sentence|\bfill in the\b|"
    r"\bmy (?:novel|protagonist|character|narrator|lyrics)\b|\blorem ipsum\b|\bpolish (?:it|this|my)|"
    r"\bcover letter below\b|"
    r"\b(?:for|of) (?:my|a|his|her|our) (?:friend|mate|cousin|brother|sister|colleague|client|boss|uncle|aunt|son|"
    r"daughter|mother|mum|mom|father|dad|wife|husband)\b.{0,80}: |"
    r"\bwho (?:wrote|said) this\b|\btest (?:data|message|sentence)\b|\bsentiment\b|\bclassify\b",
    joking=r"\b(?:jk|just kidding|kidding|sarcasm|joking)\b|(?:^|\s)/s\b",
    laughing=r"\b(?:lol|lmao|rofl|ha(?:ha)+h?|hehe)\b|[😂🤣😜😝😛🙃😏]",
    joints=r"(?:,|;| –| —| -)? (?:and|but|so|though|while|plus) (?:also )?"
    r"(?=(?:i|i'm|im|i've|ive|i'd|we|we're|we've|we'd) |(?:my|our) [\w -]{2,40} (?:is|are|uses|runs|has|lives)\b|"
    r"(?:don't|do not|please|pls|no|nothing) )|"
    r"(?:,|;| –| —| -) (?=(?:i|i'm|im|i've|ive|i'd|we|we're|we've) |(?:my|our) [\w -]{2,40} "
    r"(?:is|are|uses|runs|has|lives)\b|(?:can|could|would|will) you |please |pls |what |how |which |where |"
    r"any (?:idea|suggestion))",
    about_me=r"\b(?:about (?:me|myself|us)|remember|my preferences|my setup|our setup|our stack|keep in mind|"
    r"who i am|for context|"
    r"house rules|ground rules|facts)\b",
    states=r"\b(?:is|are|was|were|has|have|uses?|runs?|goes?|go|lives?|works?|needs?|starts?|ends?|expires?|"
    r"rotates?|must|can|will|"
    r"costs?|owns?|opens?|closes?|gets?|takes?|comes?|means|contains?|stays?|belongs?)\b|'s\b",
)
