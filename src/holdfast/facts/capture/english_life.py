"""How an English clause begins that says how somebody lives: trades, places, times, things, wishes about answers."""

from __future__ import annotations

from typing import Final

from holdfast.facts.capture.english_phrases import ADVERBS, AT_HAND, IM, NUMBER, WORDS
from holdfast.facts.capture.english_words import (
    ATTRIBUTES,
    HEALTH,
    ILL,
    JOBS,
    LIVES,
    MEDICINE,
    NO_HABIT,
    NO_ROLE,
    NOT_LASTING,
    OFTEN,
    ORIGINS,
    OWNED,
    PLATFORMS,
    STYLE,
    THINGS,
    TRAITS,
    VERBS,
)
from holdfast.facts.capture.speech import NAME, Form
from holdfast.markdown.fact_row import Category

__all__ = ["LIFE"]

LIFE: Final = (
    Form(
        "trait",
        Category.FACT,
        0.65,
        rf"{IM} {ADVERBS}(?:an? )?(?:not )?{TRAITS}(?!\w)|{IM} {ADVERBS}{ORIGINS}|"
        rf"{IM} {ADVERBS}(?:not )?an? (?!your\b)(?:[\w-]+ ){{0,4}}{JOBS}\b|"
        rf"{IM} (?:also |currently |now |actually |just )?an? (?!{NO_ROLE}\b)[a-z0-9]|"
        rf"{IM} (?:partly|partially|half|legally|severely|mildly|highly|slightly|type [12]) {TRAITS}\b|"
        rf"i've been {WORDS}{{0,3}}?{TRAITS}|{IM} type [12] diabetic|(?:i'm |we're )?allergic to (?!your|this|the |"
        rf"that)\w|"
        rf"{IM} {ADVERBS}(?:the )?(?:[\w-]+ ){{0,3}}(?:lead|head|cto|ceo|director|manager|owner|founder) (?:of|at|"
        rf"for) |"
        rf"{IM} the (?!one\b|only\b|same\b|first\b|last\b|type\b|kind\b)(?:[\w-]+ ){{1,3}}(?:of|at|for) (?:our|my|"
        rf"an?|"
        rf"the) |i(?:'ve| {HEALTH}|'ve had) {WORDS}{{0,3}}?{ILL}\b|my (?:family|parents) and i are from |"
        r"i(?:'ve)? ?(?:had|have had) (?:my|an?|both|two) .{2,40} (?:removed|replaced|out|fitted|transplant\w*|"
        r"bypass|amputated)|"
        r"(?:i(?:'ve)? )?had (?:an? |open |my )?(?:[\w-]+ ){0,2}(?:surgery|operation|stroke|heart attack|transplant|"
        r"c-section|cancer|hysterectomy|mastectomy)\b|"
        rf"being (?:an? )?(?:[\w-]+ ){{0,3}}(?:{TRAITS}|{JOBS})\b|being an? (?:[\w-]+ ){{1,4}}(?:i|my|we)\b|"
        r"had (?:my|an?|both) .{2,40} (?:removed|replaced|out|fitted|transplant|bypass)\b|i(?:'ll|"
        r" will) be \d\d (?:in|on|next|this)|"
        r"i(?:'ll)? turn \d\d|i(?:'ve)? (?:just |recently )?turned \d\d|i'm one of (?:two|three|four|five|six|seven|"
        r"eight|nine|ten)|i'm between jobs|i get [a-z]+ (?:easily|quickly|very easily)|i only have (?:sight|hearing|"
        r"one|partial|use of)\b|turning \d\d |as someone (?:in (?:her|his|their|my)|who|with|from) \w|"
        rf"{IM} (?:(?:up|over|down|out|currently|now|all the way) ){{0,4}}(?:in|near|outside) {NAME}(?! (?:mode|for|"
        rf"until|"
        rf"till|today|this|tomorrow|"
        r"right|at the|with (?:friends|my))\b)(?!.*\b(?:for (?:the|a) (?:weekend|week|day|few)|until|this week|"
        r"on holiday|tomorrow|today)\b)|"
        rf"we're (?:(?:up|over|down|out|currently|now) ){{0,4}}(?:in|near|outside) {NAME}|i'm moving to {NAME}|"
        rf"i'm moving to an? [\w ]{{2,20}} in {NAME}|"
        rf"i (?:take|am on|have to take) (?:[\w-]+ ){{0,3}}?{MEDICINE}|{IM} (?:on|"
        rf"taking) (?:[\w-]+ ){{0,2}}?{MEDICINE}|"
        rf"as an? (?:[\w-]+ ){{0,4}}?{JOBS}(?: (?:in|at|from|with|of|for) [\w' -]{{2,40}}?)?,? (?:i|my|i'm|i've|we)\b"
        r"(?! (?:want|need|should|can)\b)|(?:vegan|vegetarian|coeliac|celiac|diabetic|(?:[a-z]+ )?(?:developer|nurse|"
        r"teacher|"
        r"student)) here\b|speaking as an? \w|(?:i'm|we're) an? (?:\w+ )?(?:family|team|household|couple|band|"
        r"group) of |"
        r"we(?:'re| are) (?:both |all )?(?:deaf|blind|vegan|vegetarian|disabled|teachers|nurses|doctors|students|"
        r"in our|allergic|coeliac|retired|expecting|married|based|from|an? (?!bit|little|lot|few|mess)\w)|"
        r"(?:i )?(?:broke|lost|tore|injured|fractured|shattered) my (?:[\w-]+ ){1,4}(?:in \d{4}|years ago|as a)|"
        r"i'm the only [\w-]+ (?:[\w-]+ ){0,3}(?:on|with|using|who|at|in|for) |(?:(?:my|the) )?(?:doctor|gp|"
        r"consultant|psychiatrist|specialist|doc|nurse|dentist) (?:has )?(?:just )?(?:put me on|prescribed(?: me)?|"
        r"diagnosed me with|started me on) \w|i've (?:recently |just )?(?:gone|turned|become) (?:[\w-]+ )?(?:vegan|"
        r"vegetarian|veggie|teetotal|sober|keto|paleo|freelance|part[- ]time|(?:dairy|gluten|sugar|meat|"
        r"alcohol)[- ]free)|"
        r"(?:(?:right |over |out |up |down )?here in|(?:over|out|up|down) in) (?-i:[A-Z])\w|(?:for|to) (?:someone|"
        r"somebody|people) who,? like me,? \w|if,? like me,? you|i (?:don't|can't|never|no longer) (?:drive|swim|fly|"
        r"cycle|cook|own|have an?(?! (?:favou?rite|clue|problem|choice|minute|second|copy|question|preference|link|"
        r"idea))|speak|work|wear|live|ski|dance|vote)\b|(?:with|because of|due to|"
        r"despite) my (?:[\w-]+ ){0,2}?(?:asthma|arthritis|diabetes|migraines?|epilepsy|adhd|anxiety|eczema|"
        r"bad (?:back|knee)|allerg(?:y|ies)|condition)\b|i can't (?:sit|stand (?:for|up)|walk|bend|"
        r"kneel|swim|drive|see (?:well|very)|hear (?:well|very)|read music|ride a|lift (?:heavy|more)|whistle)|"
        rf"(?:{NAME}|english|spanish|french|german) (?:isn't|is) my (?:first|second|third|native|mother) (?:language|"
        rf"tongue)",
    ),
    Form(
        "place or work",
        Category.FACT,
        0.65,
        r"i teach (?!you|this|that|it)\w|we (?:both |all |currently |still )?(?:rent\b|live (?:in|on|near|with|"
        r"at|outside|by) |own (?:an?|our) |don't (?:eat|drink|have an? (?:car|garden|tv|dishwasher|balcony|oven|"
        r"freezer))|"
        r"drive an? |keep (?!getting|seeing|having)|home-?school |speak |foster |eat (?:halal|kosher|vegan|meat|"
        r"mostly|no ))|"
        r"(?:we've|i've) no (?:car|garden|tv|oven|dishwasher|freezer|balcony|lift|kids|driving)|"
        rf"(?:i )?(?:no longer |don't )?{ADVERBS}(?:live|reside|work|freelance|teach|study|studied|volunteer|"
        r"consult|grew up|commute) (?:in|at|near|for|as|with|from(?! scratch)|on(?= (?:an?|the) )|remotely|alone|"
        r"outside|by the|"
        r"part[- ]time|full[- ]time|nights|shifts|night shifts|there|to|law|medicine|close to|upstairs|abroad|"
        r"[a-z]+(?:ology|istry|ics|ing)\b)|i work (?:[\w-]+ )?(?:shifts?|nights|days|hours|weekends|mondays)|"
        rf"(?:(?:i|i've|we|we've) {ADVERBS}|(?:just|recently|finally) )(?:moved|relocated|emigrated|settled) (?:in|"
        rf"to|from|back|out|"
        r"in with|house|here)|(?:living|working|based|studying|teaching) (?:in|at|as|near|out of|with|for|remotely) |"
        r"i was (?:born(?! ready| yesterday)|raised|brought up) |i come from |(?:i|we) (?:run|own|manage|operate) "
        r"(?:an?|my|our|the) "
        r"(?!script|tests?|command|code|program|build|query|loop|risk)(?:[\w' -]{2,40})|"
        rf"(?:i|i've) {ADVERBS}(?:retired|graduated|got (?:married|divorced|engaged|promoted)|changed jobs|"
        rf"became an? |"
        rf"left my job|quit my job|left {NAME}|joined {NAME}|joined (?:the|an?) [\w -]{{2,40}} (?:team|company|"
        rf"startup)|"
        r"started (?:a new job|at|working (?:at|for|as))|(?:was|been) (?:promoted|laid off|diagnosed|made redundant))|"
        r"i am? ?(?:studying|reading) \w|i'm (?:studying|majoring in|enrolled)|i'm at (?:uni|university|college)\b|"
        r"i switched "
        r"(?:from|to) (?!.*\b(?:branch|main|master|conflicts?|tab|account)\b)|i've (?:recently |"
        r"just )?switched (?:from|to) ",
        about_things=True,
    ),
    Form(
        "schedule",
        Category.FACT,
        0.6,
        rf"(?:i've|we've|i have|there's) (?!to\b|been\b)(?:[\w'-]+ ){{1,6}}?{OFTEN}|{IM} (?:off|free|away|"
        rf"in the office|out|"
        rf"busy|at [\w' -]{{2,30}}|home|working from home|on call|on shift) (?:[\w'-]+ ){{0,3}}?{OFTEN}|"
        r"(?:i|we) (?:really |also |usually |normally |always |mostly )?(?!get|got|keep|see|try|have|receive|lose|"
        r"forget|am|was|need|want|think|"
        rf"do\b|can|will|paid|had|went|spent|eat|drink|spend|wear)[a-z]+ (?:[\w':-]+ ){{0,6}}?{OFTEN}\b|"
        rf"i (?:work|volunteer|teach|train|have|do|attend) (?:[\w':-]+ ){{0,6}}?{OFTEN}|"
        r"(?:mon|tues|wednes|thurs|fri|satur|sun)days(?: and (?:mon|tues|wednes|thurs|fri|satur|sun)days)? (?:is|"
        r"are) (?:my|our|always|for) |"
        rf"i (?:start|finish|get off|clock off) (?:(?:work|my shift) )?(?:at|around|before) \d|on (?:mon|tues|wednes|"
        rf"thurs|fri|satur|"
        rf"sun)days "
        r"(?:i|we)(?:'m|'re|'ve)? (?!want|need|will|can|should)\w|every (?:other |second )?(?:day|morning|evening|"
        r"week|month|"
        r"year|summer|[a-z]{3,6}day) (?:i|we)(?:'ve|'m|'re)? (?!want|need|get|see|wake up)\w+ (?!the\b|this\b|that\b)|"
        r"my (?:[\w-]+ ){0,2}(?:class|lesson|"
        r"practice|shift|rehearsal|course|lecture|training|club|service|appointment|group|standup)s? (?:is|are|runs?) "
        r"(?:on|at|every) (?!hold|risk|fire)",
        about_things=True,
    ),
    Form(
        "habit",
        Category.PREFERENCE,
        0.55,
        r"i (?:(?:don't|never|always|usually|only|mostly|normally|typically|no longer|tend to|rarely) ){1,2}"
        r"(?:eat|drink|smoke|wear|watch|read|travel|fly|cook|buy|listen|play|wake up|get up|go to bed|take sugar|"
        r"take notes|celebrate|run on|sleep|train|exercise|meditate|shop|pay|have (?:breakfast|"
        r"lunch|dinner)|sit|order|bring|pack|stay)\b|i (?:always|never|only|exclusively) use |i (?:always|"
        r"never) (?:want|need|have) |"
        rf"i (?:usually |always |normally |mostly )?(?:eat|drink|wear|spend) (?:[\w'-]+ ){{0,6}}?{OFTEN}\b|"
        r"i(?:'ve)? (?:recently |just )?(?:stopped|quit|gave up|given up|"
        r"started) (?:eating|drinking|smoking|using|wearing|running|cycling|swimming|meditating|commuting|smoking|"
        r"alcohol|coffee|sugar|learning)|(?:neither|none) of us (?:eats?|drinks?|drives?|likes?|smokes?) |(?:i|"
        r"we) (?:don't|can't|never|no longer) (?:eat|drink|smoke|use|own|touch|cook with) |"
        r"don't eat (?!this|that|it\b|the\b)\w|never eat ",
        about_things=True,
        weak=True,
    ),
    Form(
        "belonging",
        Category.FACT,
        0.6,
        rf"(?:i've|i own|i adopted|we adopted|we've|we own|i keep|we keep|i bought|got|we're (?:getting|raising)) "
        rf"(?!been\b|to\b|had\b|always\b|never\b|just\b|seen\b|wanted\b|heard\b|met\b|read\b|"
        rf"lost\b){NUMBER}(?:[\w'.-]+ ){{0,4}}?{OWNED}(?!\w)(?! (?:question|problem|issue|returns?)\b)|"
        r"i've (?:[\w-]+ ){0,4}(?:years?|decades?)'?(?: of| in| as| experience)\b|(?:i've )?been (?!trying|getting|"
        r"having|looking|waiting|staring|thinking|wondering|meaning)(?:an? [\w -]{3,40}|[a-z]+ing(?: at)?(?= (?:for|"
        r"since))|[a-z]+ing [\w "
        r"-]{2,40}) (?:for|since) (?!an? (?:hour|while|bit)|hours|days|weeks|this|yesterday|\d+ (?:minutes|hours|"
        r"days|min))|"
        r"i (?:own|collect|breed|foster) (?!this|that|it\b|the\b)\w|"
        r"i (?:can |also )?(?:speak|play|drive|ride) (?!with\b|around\b|to\b|an? (?:file|video|sound|clip))|"
        r"i (?:run|manage|lead|own|head|maintain|coach|co-?founded|founded) (?:an?|the|my|our) (?!.*\b(?:script|"
        r"tests?|"
        r"command|code|program|build|query|migration|linter|container|job|loop|state|file)\b)|"
        rf"(?:i|we) {ADVERBS}{LIVES}(?= |$|,)(?! (?:with (?:this|that|the)|it\b|this\b|that\b|on (?:this|that|the|"
        rf"it)\b|around\b|well\b))|"
        rf"(?:i've|we've) (?:an?|my own|"
        rf"our own) (?!{NOT_LASTING}\b)(?:(?!{NOT_LASTING}\b)[\w'-]+ ){{0,2}}(?!{NOT_LASTING}\b)[\w-]+"
        r"(?=$|[,)]| (?:in|on|with|and|but|that|who|which|from|of|at|for|so|called|named|as|since|near|under|over|"
        r"here)\b)",
        about_things=True,
        weak=True,
    ),
    Form(
        "attribute",
        Category.FACT,
        0.65,
        r"my (?!problem|question|issue|point|guess|idea|bad|code|function|script|head|mind|brain|phone|battery|"
        r"concern|fear|goal|"
        r"plan|aim|task|query|output|result|draft|essay|boss|feet|back|throat|understanding|hope|dream|wish|advice|"
        r"character|"
        r"protagonist|answer|error|mistake|fault|test|build|app|string|array|list|first|second|last|next|only|turn|"
        r"flight|train)"
        r"(?:[\w'-]+ ){0,2}?[\w-]+(?: is|'s| are) (?:about|around|roughly|an? (?!bit|little|mess|pain|nightmare|"
        r"disaster|joke|"
        r"problem|lot|total|complete|real|huge|massive|good|bad|great|terrible|wreck|shambles|tip|constant)|mostly|"
        r"mainly|from \d|"
        r"made (?:of|in)|(?:one|two|three|four|five|six|black|white|gr[ea]y|cream|beige|brown|oak|wooden|brick|stone|"
        r"leather|curly|thick|south|north|east|west)\b|(?-i:[A-Z])|[£$€]?\d+(?![\d.]*%)|called|at (?:[A-Z]|"
        r"\d+(?![\d.]*%)|the)|due (?:on|in|by)|in (?-i:[A-Z])|based)|"
        r"(?:phone|laptop|car|bike|camera|os|editor|job|age|location|city|diet|budget|device|printer|allergies|"
        r"hobbies|machine) ?: \w|(?:my|our) (?:[\w-]+ )?(?:kitchen|flat|house|garden|office|car|van|bathroom|oven|"
        r"laptop|phone|school|village|street|bedroom|balcony|keyboard|camera) (?:only )?has (?:no|an?|only|two|three|"
        r"very) \w|(?:my|our) (?:shifts?|class(?:es)?|rota|hours|contract|lease|course|term|salary|"
        r"pension|rent|mortgage|visa|subscription|"
        r"membership|landlord|commute) (?:rotates?|runs?|ends?|starts?|change|takes?|expires?|goes|costs?|is \d|only|"
        r"always) |"
        r"i (?:take home|earn|make|bring home|pay) (?:about |around |roughly )?[£$€]?\d[\d.,]*k?(?! (?:copies|"
        r"mistakes))|"
        rf"(?:my|our) (?:work |home |new |private |personal |current |main |old |daily |total )?{ATTRIBUTES}"
        r"(?: for [\w' ]{2,40}?)?(?: is|'s| are| runs|:)(?: now| currently| still| about| around| roughly| only|"
        r" due)? "
        r"(?!not |the best|like |broken|slow|dead|down|too |so |very |acting|making|running|being|gone|full|stuck|"
        r"open|"
        r"on the line|on fire|a mess|a bit|at \d+ ?%|on \d+ ?%|killing|wrong|leaking|missing|really|coming|here|"
        r"getting|always|lost|going|"
        r"driving|near(?:ly)? (?:done|full)|cold|hot|empty|ok|okay|good|great|fine|awful|terrible|loud|noisy|boring|"
        r"late)",
    ),
    Form(
        "tools",
        Category.FACT,
        0.6,
        rf"(?:i'm|we're) {ADVERBS}(?:on|using|running|stuck on|still on) {PLATFORMS}{AT_HAND}|(?:running|using|"
        rf"on) {PLATFORMS} "
        rf"(?!and (?:get|got)|but)\w|i {ADVERBS}(?:use|code in|write|run|build with|deploy to|host) {AT_HAND}"
        r"(?!.*\bbut\b)(?!(?:an?|the|two|this|that|it|cargo|npm|pip)\b)\w|"
        rf"we {ADVERBS}(?:use|run|deploy|host|ship|release|target|support|store|follow|don't use|"
        r"no longer use|write|build|develop|keep|track|manage|bill|invoice|meet|review|merge) "
        r"(?!.*\b(?:here|but)\b)|"
        r"(?:it's|everything is|everything's) all (?:on |in )?(?-i:[A-Z.])\w|(?:everything|it all|all of it|"
        r"all our (?:stuff|services|apps)) (?:here |at work )?(?:runs|is hosted|lives|sits|is) (?:on|in|at|with) |"
        r"we've (?:a|an) (?:policy|rule|convention|agreement|standup|stand-up|freeze|deadline|rota) |"
        rf"(?:our|the|this|my) (?:[\w-]+ ){{0,3}}{THINGS}(?: itself)? (?:uses|use|runs? (?:on|in)|is (?:called|"
        rf"named|written|hosted|built|deployed|based|{NAME})|are (?:written|called|hosted|on|every)|lives? (?:in|on|"
        rf"at|under)|"
        r"sits? (?:in|on|at)|starts?|ends?|begins?|targets?|requires?|is (?:always )?(?:on|at|in) )",
        about_things=True,
        weak=True,
    ),
    Form(
        "doing",
        Category.FACT,
        0.5,
        rf"(?:i|we) {ADVERBS}(?!{NO_HABIT}\b)(?![a-z]+(?:ed|ly)\b)[a-z]{{3,}} (?!it\b|this\b|that\b|these\b|those\b|"
        rf"the (?:same|first|"
        r"second|last|wrong|following)|you\b|with you|how\b|what\b|why\b|if\b|whether\b|him\b|her\b|them\b|"
        r"for (?:this|that|the)\b|to (?:this|"
        r"that|the)\b|about\b|like\b|and\b|but\b|so\b|or\b|because\b|when\b|my way\b|out\b|up\b|down\b|"
        r"off\b)(?!.* (?:her|him|them|it)$)\w|"
        r"(?:i'm|we're) (?:starting|opening|launching|setting up|founding) (?:my own|our own|an?|our) (?!new (?:chat|"
        r"thread|line)|discussion|fresh)\w|(?:i'm|we're) in (?!a (?:meeting|hurry|rush|call|bad|good|weird|car|taxi|"
        r"queue|pickle|bind|mood)|the (?:shower|car|middle|mood|kitchen|bath|pub|process|train|bus|settings|"
        r"terminal|console|menu|wrong|same|right|dark|loop|zone)|bed|trouble|pain|line|tears|need|shock|awe|luck|"
        r"control|town|here|there|your|this|that|for|no |agreement)\w|"
        r"i've (?!just|already|never|tried|got|lost|been (?:trying|staring|waiting|looking|getting|"
        r"having))[a-z]+ .{2,60}\b(?:for (?:(?:over|about|nearly|almost|the (?:last|past)|more than|some|many) )?"
        r"(?:\d+|two|three|four|five|six|ten|twenty|thirty|several|a few|many) (?:years|decades|yrs)|since (?:19|"
        r"20)\d\d|all my life)|"
        r"(?:i'm |we're )?(?:retaking|redoing|doing|taking|writing|finishing|studying for) (?:an?|my|our|"
        r"the) (?:[\w-]+ ){0,3}(?:ma|msc|mba|ba|"
        r"phd|degree|gcse|a[- ]?levels?|course|diploma|thesis|dissertation|novel|book|exams?|apprenticeship|"
        r"certificate|bootcamp|masters?|"
        r"bachelors?|doctorate|driving test)\b|been an? (?:[\w-]+ ){1,4}(?:for|since|going on|\d)|"
        r"(?:(?:we|i|we've|i've) |(?:just|recently|finally) |(?:we|i|we've|i've) (?:just|recently|"
        r"finally) )(?:bought|picked up|inherited|adopted|rescued|treated myself to) (?:an?|our|my|two) "
        r"(?!few|bit|lot|coffee|sandwich|ticket|pizza|kebab)\w",
        about_things=True,
        weak=True,
    ),
    Form(
        "answers",
        Category.PREFERENCE,
        0.7,
        rf"(?:please |and )?(?:no|without|skip (?:the|all)|avoid|drop the|leave out (?:the|all)?|less|fewer|"
        rf"spare me the|"
        rf"never any|cut the|stop (?:with the|using|adding)|don't (?:use|give me|add|include)) (?:any |all |more |"
        rf"so many |the )?{STYLE}"
        rf"\b|i (?:don't|never) (?:want|need|like) (?:any |your |all )?(?:[\w-]+ )?{STYLE}\b|"
        rf"{VERBS} .{{3,60}},? (?:always|every time|ever)$|just {VERBS} .{{3,60}},? always$|"
        rf"(?:please )?(?:keep|make) (?:your |the |all )+(?:answers?|replies|responses|explanations)\b|"
        rf"(?:when|whenever|if) (?:you|i) .{{3,60}}?,? (?:please )?(?:always )?{VERBS} \w|(?:please )?(?:always|"
        rf"never) "
        r"(?:give|show|tell|send|ask) me |(?:metric|imperial|celsius|british|american|uk|us) (?:units?|spelling|"
        r"english) "
        r"(?:please|only|always)\b|(?:please )?(?:use|stick to|write in|answer in) (?:metric|celsius|british|"
        r"american|simple|"
        r"plain|easy) (?:units?|english|spelling|words|language)|"
        r"(?:please )?(?:reply|answer|respond|write back|talk to me) (?:to me )?(?:only |always )?in (?-i:[A-Z])\w+|"
        r"(?:please )?(?:use|it's) (?:he/him|she/her|they/them)|(?:please )?(?:don't|never) (?:give|send|show|"
        r"offer) me (?!this|that|the|it|any of|your)\w|i only want .{3,60} from you|(?:answers?|"
        r"replies) in .{3,30} (?:only|please)|no [\w-]+ in (?:anything|any of|"
        r"your|the (?:recipes|suggestions))\b|(?:please )?(?:never|don't) use the (?:word|phrase|term) |"
        r"(?:please )?stop (?:[a-z]+ing (?:every|all|each|your|me|with)|(?:apologi[sz]|lectur|moralis|repeat)ing)|"
        r"(?:please )?don't (?:ever )?(?:suggest|recommend|propose|offer|apologi[sz]e|lecture|sugar-?coat|send me to|"
        r"tell me "
        r"to|mention)\b",
    ),
)
