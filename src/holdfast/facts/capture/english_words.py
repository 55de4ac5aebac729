"""The words that the English patterns choose from: trades, traits, kin, pets, illnesses, things that people own."""

from __future__ import annotations

from holdfast.facts.capture.speech import any_of

__all__ = [
    "ANIMALS",
    "ATTRIBUTES",
    "DAYS",
    "DOES",
    "HEALTH",
    "ILL",
    "JOBS",
    "KIN",
    "LIVES",
    "MEDICINE",
    "NOT_LASTING",
    "NO_HABIT",
    "NO_ROLE",
    "OFTEN",
    "ORIGINS",
    "OWNED",
    "PLATFORMS",
    "ROLES",
    "STYLE",
    "THINGS",
    "TRAITS",
    "VERBS",
]

JOBS = any_of(
    "nurse|doctor|lawyer|attorney|paralegal|artist|musician|postdoc|undergrad|physicist|chemist|biologist|statistician",
    "analyst|consultant|founder|co-founder|ceo|cto|cfo|pm|architect|accountant|electrician|mechanic|chef|cook|barista",
    "pilot|soldier|veteran|midwife|dentist|pharmacist|psychologist|therapist|vet|veterinarian|librarian|archivist|sre",
    "freelancer|contractor|retiree|pensioner|parent|mother|father|mom|mum|dad|grandmother|grandfather|widow|widower",
    "sysadmin|devops|priest|rabbi|imam|coach|vegan|vegetarian|pescatarian|coeliac|celiac|diabetic|christian|muslim|jew",
    "buddhist|hindu|atheist|citizen|resident|expat|immigrant|hobbyist|cyclist|novice|dev|guy|woman|man|person|swe|user",
    r"[a-z-]*(?:[a-z]{2}(?<!numb)(?<!lett)(?<!aft)(?<!oth)(?<!eith)(?<!remind)(?<!mark)(?<!fold)(?<!ord)(?<!filt)"
    r"(?<!param)(?<!numb)(?<!matt)(?<!tri)er|[a-z]{3}(?<!err)(?<!fact)(?<!vect)(?<!fav)or|[a-z]{3}ician|"
    r"[a-z]{3}arian)",
    "student|assistant|accountant|agent|apprentice|trainee|employee|intern|temp|au pair|firefighter|policeman|fireman",
    "fisherman|salesman|tradesman|handyman|postman|businesswoman|clerk|cop|monk|nun|host|landlady|mp|guide|model|smith",
)
TRAITS = any_of(
    "vegan|vegetarian|pescatarian|(?:gluten|dairy|sugar|lactose|alcohol|meat|nut|grain|caffeine)[- ]free|keto|"
    "plant-based|paleo|lactose[- ]intolerant|allergic|intolerant|diabetic|coeliac|celiac",
    "left[- ]handed|right[- ]handed|ambidextrous|colou?r[- ]?blind|blind|deaf|hard of hearing|dyslexic|autistic|halal",
    "neurodivergent|epileptic|asthmatic|married|engaged to|single(?= |$|,)|divorced|widowed|separated|pregnant|retired",
    "self[- ]employed|freelance|freelancing|unemployed|bilingual|trilingual|jewish|muslim|christian|catholic|hindu",
    "buddhist|sikh|agnostic|quaker|anglican|mormon|orthodox|protestant|kosher|teetotal|sober|based|born|bipolar|"
    "anaemic|anemic|short[- ]sighted",
    "near[- ]sighted|long[- ]sighted|hypermobile|disabled|paraplegic|dyspraxic|gay|bisexual|lesbian|trans|non-?binary",
    "originally from|from|living (?:in|with|at|near|abroad|alone|on)|fluent|native|studying|training (?:for|as|to be)",
    "learning(?! a lot| so much| about| that| how)|new to|responsible for|in charge of|raising|breast-?feeding|"
    "home-?schooling",
    r"(?:nearly |almost |about |only |just (?:turned|gone) |turning )?\d{1,3}(?=$|,| and| with| but| or|\)| year|"
    r" yo\b)",
    r"\d'\d{0,2}|\d ?(?:ft|foot) ?\d{0,2}|\d{1,3} years? old|\d{1,2}[- ]years?[- ]old|in the (?:gmt|utc|cet|est|pst)|"
    r"in my (?:early |late |mid )?[a-z]+ties",
    r"working (?:as|at|for|in|part[- ]time|full[- ]time|nights|from home|remotely)|on an? (?:[\w-]+ ){1,2}diet",
    "in a wheelchair|a wheelchair user|scared of|terrified of|afraid of(?! that| this| it| the)|colou?rblind|"
    "sensitive to",
    "in (?:my|the) (?:first|second|third|fourth|fifth|final|last) (?:year|semester|term) (?:of|at)|a year into",
    "doing (?:an?|my) (?:[\\w-]+ ){0,2}(?:phd|masters?|degree|ba|bsc|msc|mba|apprenticeship|residency|course)",
    "(?:recovering|suffering) from|going through (?:menopause|chemo\\w*|a divorce|ivf)|waiting (?:for|"
    "on) a (?:kidney|hip)",
    "renovating|restoring|converting|self-building|saving (?:up )?for|expecting (?:an?|our|my|twins)|due in|due on",
    r"\d(?:[.,]\d+)? ?(?:m|ft|feet|foot|cm|metres?|kg|kilos|lbs?|stone)\b|\d{2,3} ?(?:cm|kg|kilos|lbs?|stone)\b",
    "home-?schooled|adopted|grown[- ]up|potty[- ]trained|housebound|bedridden|incontinent|non-?verbal|hyperactive|"
    "picky eaters?",
    "on (?:universal credit|benefits|disability|pip|medicaid|medicare|parole|probation|an? [\\w-]+ visa|minimum wage|"
    "zero hours|nights|night shifts?)",
    "hearing[- ]impaired|visually impaired|immunocompromised|postmenopausal|perimenopausal|on (?:parental|"
    "maternity) leave",
)
ORIGINS = (
    r"(?:half[- ]|originally |part )?(?-i:[A-Z])(?:[a-z]{2,12}(?:ian|ish|ese|ean|ch|wegian)|merican|erman|reek|hai|"
    r"zech|"
    r"raqi|sraeli|akistani|angladeshi|wiss|inn|ane|wede|cot|orwegian)\b"
)
KIN = any_of(
    "wife|husband|partner|girlfriend|boyfriend|fianc[eé]e?|spouse|ex|ex-wife|ex-husband|mother|mom|mum|father|dad|"
    "sister",
    "brother|son|daughter|kid|child|baby|twins?|toddler|teenager|aunt|auntie|uncle|cousin|niece|nephew|grandmother",
    "grandma|grandfather|grandpa|boss|manager|colleague|coworker|co-worker|teammate|flatmate|roommate|housemate|gf|bf",
    "landlord|landlady|neighbou?r|friend|bestie|mate|doctor|gp|dentist|therapist|lawyer|accountant|client|co-?founder",
    "mentor|advisor|adviser|supervisor|assistant|[a-z]{3,8}-in-law|in-laws|step-?(?:son|daughter|mother|mum|mom|"
    "father|"
    "dad|brother|sister|kids?)",
    "goddaughter|godson|kids|children|parents|grandson|granddaughter|grandchild(?:ren)?|grandkids|gran|nan|granddad",
    "grandad|nana|granny|siblings?|sisters|brothers|sons|daughters|eldest|oldest|youngest|little one|girls|boys|boy|"
    "girl",
    r"\d{1,2}[- ]year[- ]old|other half|missus|better half|hubby|team ?lead|tutor|nanny|au pair|lodger|tenant|midwife",
)
ANIMALS = any_of(
    "dogs?|pups?|cats?|pupp(?:y|ies)|kittens?|parrots?|budgies?|horses?|pon(?:y|ies)|rabbits?|bunn(?:y|ies)|"
    "hamsters?|ferrets?",
    "guinea pigs?|gerbils?|rats?|mice|tortoises?|turtles?|snakes?|geckos?|lizards?|goldfish|fish tank|aquarium|goats?",
    "chickens|hens|ducks|bees|beehives?|sheep|cows|alpacas?|donkeys?|pigs?|cockatiels?|parakeets?|axolotls?|pets?|"
    "tarantula",
    "(?:golden |labrador |flat-coated )?retrievers?|labradors?|labs?|beagles?|poodles?|dachshunds?|spaniels?|terriers?",
    "collies?|greyhounds?|whippets?|bulldogs?|pugs?|huskys?|huskies|shepherds?|corgis?|chihuahuas?|rottweilers?|"
    "staff(?:y|ie)",
    "labradoodle|cockapoo|dalmatian|boxers?|great dane|siamese|persian|maine coon|ragdoll|tabby|moggy|rescue|mutt|"
    "tomcat",
)
ROLES = any_of(
    "lead|leader|manager|boss|ceo|cto|cfo|coo|cmo|founder|co-?founder|owner|maintainer|director|head|designer|engineer",
    "developer|architect|scrum master|pm|contact|client|customer|supplier|vendor|intern|analyst|accountant|lawyer",
    "administrator|admin|chair|president|principal|secretary|assistant|colleague|teacher|mentor|supervisor|doctor",
    "wife|husband|partner|sister|brother|son|daughter|mother|father|friend|neighbou?r|dentist|therapist|landlord",
)
NO_ROLE = any_of(
    "bit|little|lot|few|tad|while|mess|fan|huge|big|great|loss|idiot|fool|moron|genius|wreck|step|minute|moment|second",
    "bad|good|better|worse|total|complete|happy|long|day|week|hour|month|year|couple|ways?|human|firm|strong|believer",
    "mix|stickler|sucker|quick|tough|bot|robot|disaster|third|half|quarter|user here|bundle|ball|terrible|horrible|"
    "failure",
    "pain|burden|arse|asshole|jerk|saint|angel|star|monster|joke|zombie|noob here|sad|slow|lost|whole|single (?:step|"
    "point)|legend|hypocrite|dummy|liar",
)
NO_HABIT = any_of(
    "want|need|think|know|guess|believe|feel|hope|wish|wonder|mean|understand|see|hear|get|got|try|keep|find|look|"
    "forget",
    "remember|agree|disagree|doubt|suppose|assume|expect|notice|reali[sz]e|recogni[sz]e|imagine|say|said|tell|ask|"
    "mention",
    "suggest|swear|promise|bet|admit|apologi[sz]e|thank|appreciate|let|make|do|did|can|could|will|would|should|must|"
    "may",
    "might|have|had|has|am|is|are|was|were|be|been|gonna|gotta|come|came|go|went|put|take|took|give|gave|send|sent|"
    "click",
    "open|close|type|enter|press|select|add|remove|delete|install|run|ran|call|copy|paste|import|export|upload|"
    "download",
    "update|upgrade|restart|reboot|log|change|set|start|stop|finish|begin|began|move|turn|switch|use|pass|return|"
    "print|read",
    "write|fix|debug|test|deploy|build|push|pull|commit|merge|compile|execute|create|define|declare|render|fetch|"
    "load|save",
    "fail|lose|lost|break|broke|miss|accept|reject|buy|bought|order|receive|wait|stand|sit|worry|care|mind|seem|"
    "appear|sound",
    "didnt|doesnt|wont|wasnt|couldnt|pretty|tend|sure|first|rather|seen|confess|happy|both|all|now|kinda|quite|"
    "whatever|who|which|that|had|gonna|like|love|hate|prefer|enjoy|met|left|spent|paid|won|just|never|always|also|"
    "only|really|still|and|or|but|to|in|on|at",
    "dream|plan|intend|struggle|suck|deserve|refuse|hesitate|figure|reckon|literally|actually|usually|sometimes|"
    "often|even",
    "can't|don't|won't|couldn't|didn't|haven't|wasn't|wouldn't|shouldn't|cannot|dont|cant|apply|choose|chose|pick|"
    "decide|check",
    "forgot|hid|blew|flew|froze|hung|rang|rose|shook|sank|stuck|swore|tore|understood|built|burnt|dealt|fed|fought|"
    "learnt|saw|heard|felt|thought|knew|ate|drank|wrote|drove|made|told|gotten|found|woke|slept|fell|grew|wore|spoke|"
    "taught|bet|sat",
    "stood|ran|swam|sang|began|broke|brought|caught|held|kept|led|meant|rode|sold|shot|slept|stole|threw|wake|die|"
    "laugh|cry",
    "end up|ended|figured|show|follow|pay|lie|mess|screw|stay|leave|meet|watch|hit|drop|draw|cut|trust|sign|skip|"
    "convert|return",
    "define|store|loop|sort|iterate|parse|query|join|request|post|submit|filter|select|initiali[sz]e|concatenate|"
    "subtract|map",
    "suspect|better|become|once|loe|rest|vote|wanna|too|much|less|from|match|with|for|as|of|than|then|there|here|out|"
    "divide|multiply|compute|"
    "calculate|assign|append|insert|replace|rename|refactor|reload|refresh|scroll|drag|hover|toggle|enable|disable|"
    "configure|connect",
)
OFTEN = any_of(
    "every (?:single |other |second |third |first |last )?(?:day|week|month|year|morning|evening|night|weekend|summer|"
    "winter|spring|autumn|fall|lunchtime|christmas|(?:mon|tues|wednes|thurs|fri|satur|sun)day|tue|thu|fri|sat)s?",
    "(?:once|twice|(?:two|three|four|five|six|seven|\\d) (?:times|days|nights|evenings|mornings|hours|miles|books|km|"
    "k)) "
    "(?:a|per|every) (?:day|week|month|year|fortnight)",
    "on (?:mon|tues|wednes|thurs|fri|satur|sun)day (?:mornings|afternoons|evenings|nights)|(?:on |most )?(?:mon|tues|"
    "wednes|thurs|fri|satur|sun)days|on weekends|at (?:the )?weekends?|for a living|most "
    "(?:days|evenings|mornings|nights|weekends)",
    r"\d\w* (?:times )?(?:a|per) (?:day|week|month)|\w+s a (?:day|week|month|year)(?! ago| off)|daily|weekly|"
    r"fortnightly",
    "before (?:work|breakfast|school)|after (?:work|school)|in the (?:mornings|evenings|summers|winters)|"
    "during the week|nightly",
)
ILL = any_of(
    "diabetes|hay fever|asthma|anxiety|depression|arthritis|migraines?|(?:high|low) blood pressure|high cholesterol|"
    "t1d",
    "insomnia|adhd|add|autism|epilepsy|eczema|psoriasis|ibs|crohn'?s|sciatica|tinnitus|scoliosis|anaemia|anemia|"
    "glaucoma",
    "dyslexia|ptsd|ocd|allerg(?:y|ies)|intolerances?|a (?:bad|weak|dodgy|bum|trick|fused) (?:back|knee|hip|heart|"
    "shoulder)",
    "a pacemaker|coeliac(?: disease)?|celiac(?: disease)?|endometriosis|pcos|fibromyalgia|lupus|ms|gout|reflux|gerd|"
    "hiv",
    "osteoporosis|hypothyroidism|hashimoto'?s|parkinson'?s|dementia|alzheimer'?s|cancer|copd|a heart condition|a stoma",
    "sleep apn(?:o)?ea|rosacea|vertigo|bipolar|dyspraxia|dyscalculia|narcolepsy|long covid|a hearing aid|"
    "hearing aids|pots",
    "polyarthritis|angina|a stammer|a stutter|cerebral palsy|down'?s syndrome|colitis|a hernia|gallstones|"
    "kidney stones|a heart murmur",
    "atrial fibrillation|afib|hepatitis|acne|vitiligo|alopecia|neuropathy|carpal tunnel|tendonitis|plantar fasciitis|"
    "tmj|burnout",
    "cataracts|aphantasia|raynaud'?s|(?:flat|wide) feet|a prosthe\\w+|a slipped dis[ck]|an underactive thyroid|"
    "hypertension",
    "(?:a|an) (?:artificial|replacement|new|metal|prosthetic) (?:hip|knee|leg|heart valve)|one kidney|type [12]|"
    "haemophilia",
)
HEALTH = any_of("suffer from|suffer with|live with|struggle with|was diagnosed with|deal with|have had|'ve had")
MEDICINE = (
    r"(?:[a-z]{2,}(?:statins?|pril|sartan|olol|prazole|farin|formin|azepam|azolam|pine|mab|cycline|oxetine|traline|"
    r"thyroxine|cillin|profen|triptan|tadine|parin|done|xaban|zolam|lukast|terol|phenidate)|insulin|"
    r"the (?:mini-?)?pill|"
    r"antidepressants|ssris?|blood thinners|beta[- ]blockers|steroids|hrt|ritalin|lithium|adderall|"
    r"blood pressure (?:meds|"
    r"tablets|pills|medication)|antihistamines|ozempic|metformin|immunosuppressants|chemo|anticoagulants|vitamin d)\b"
)
DAYS = r"(?:name|surname|birthday|wedding|anniversary|due date|school|exam|allergy|diet|flight|operation|surgery)"
NOT_LASTING = any_of(
    "thing|list|dict\\w*|array|string|file|table|column|row|function|class|variable|button|page|form|script|code|"
    "query|call",
    "dataframe|csv|json|object|loop|error|log|server|component|branch|commit|pr|conflict|draft|text|paragraph|"
    "sentence|letter",
    "essay|homework|assignment|deadline|flight|train|time|minutes?|hours?|go|break|guest|visitor|crush|nightmare|"
    "migraine today",
    "hard time|long day|busy|free|spare|right to|clue|theory|hunch|suspicion|request|favou?r|task|ticket|word|number|"
    "input|value",
    "chicken|egg|onion|leek|potato|tomato|pumpkin|courgette|cabbage|(?:\\w+ )?recipe|friend|passing|hunger|craving|"
    "app that|tab|window|message|email|call",
    "cold|fever|headache|hangover|meeting|question|questions|problem|issue|cough|rash|temperature|minute|moment|idea|"
    "exam",
    "interview|appointment|point|feeling|lot|few|bit|while|couple|sore|bad day|good day|twice|half|more|less|no idea|"
    "bug",
    "test tomorrow|party|date tonight|day off|choice|doubt|chance|look|plan|reason|habit of|way of|stomach|flu|virus",
)
DOES = any_of(
    "lives?|works?|loves?|hates?|studies|speaks|turns \\d+|was born|eats?(?= (?:no|only|meat|fish|halal|kosher|vegan))",
    "drinks? (?:no|only)|plays(?= (?:the|for|in|football|chess|rugby|tennis|piano|guitar|violin))|teaches|prefers|"
    "dislikes",
    "suffers from|(?:doesn't|don't|can't|won't) (?:eat|drink|like|have|speak|drive|do (?:dairy|gluten|spicy)|tolerate)",
    "goes to (?:school|nursery|uni|university|college|kindergarten|a )|starts? (?:school|nursery|uni|university|"
    "college|at)",
    "owns?|runs (?:an?|his|her|the)|is allergic|needs? (?:a wheelchair|glasses|insulin)|only (?:eats?|drinks?|speaks?)",
    "is in (?:year|grade|reception|nursery|primary|high school|the army|a wheelchair)|is due|are both|is expecting|"
    "uses an?",
    "goes by|works?|drives an?|collects|coaches|can't (?:stand|swim|read|walk)|uses (?:they|he|she)/|wears?|has always",
    "has (?:" + ILL + "|(?:an?|two|three|four|her own|his own|\\d) (?!" + NOT_LASTING + r"\b)[a-z-]+)|was diagnosed|"
    "has been "
    r"(?:an? |living|working|vegan|vegetarian|diabetic|married|sober)|is (?:getting|getting) married|have \w+ allerg",
)
OWNED = any_of(
    ANIMALS,
    ILL,
    "kids?|child(?:ren)?|sons?|daughters?|twins|sisters?|brothers?|siblings|toddlers?|bab(?:y|ies)|grandkids|"
    "grandchildren",
    "nieces?|nephews?|boys|girls|teenagers?|(?:one|two|\\d{1,2}|three|four|five|six|seven|eight|nine|"
    "ten)[- ]year[- ]olds?",
    "phd|degree|masters?|diploma|a-levels|house|flat|apartment|cottage|bungalow|semi|terrace|terraced house|studio|"
    "loft",
    "allotment|vegetable garden|garden|balcony|greenhouse|workshop|sauna|boat|narrowboat|caravan|camper ?van|motorhome",
    "macbook(?: \\w+)?|thinkpad|chromebook|iphone|pixel|android phone|ipad|kindle|gaming pc|nas|raspberry pi|"
    "3d printer",
    "tesla|car|bike|e-?bike|motorbike|motorcycle|scooter|van|truck|pickup|tractor|golf|civic|corolla|outback|polo|"
    "fiesta",
    "driving licen[cs]e|green card|passport|season ticket|railcard|museum card|gym membership|mortgage|visa|blue badge",
    "piano|guitar|violin|cello|drum kit|saxophone|telescope|sewing machine|kiln|pottery wheel|coffee machine|air fryer",
    "induction hob|gas hob|wood ?burner|heat pump|gas boiler|combi boiler|solar panels|allotment plot|pacemaker|"
    "wheelchair",
    "collection of|shop|bakery|caf[eé]|salon|studio|farm|smallholding|business|startup|podcast|blog|youtube channel|"
    "etsy",
    "tattoos?|long hair|curly hair|afro hair|oily skin|dry skin|sensitive skin|braces|glasses|hearing loss|"
    "perfect pitch",
    "citizenship|dual nationality|experience (?:in|with|as)|shellfish|sourdough starter|bad (?:knees?|back)|fear of|"
    "phobia",
)
THINGS = (
    r"(?:project|app|application|product|backend|back[- ]end|frontend|front[- ]end|repo|repository|codebase|service|"
    r"company|team|site|website|api|database|monorepo|server|cluster|stack|ci|pipeline|main branch|default branch|"
    r"staging|production|infrastructure|infra|docs|office|sprint|sprints|release|releases|deploys|shop|store|startup|"
    r"deployment|deployments|standup|stand-up|platform|library|cli|client|tests|data|style guide|convention|firm|org)"
)
ATTRIBUTES = any_of(
    "name|first name|last name|surname|middle name|full name|nickname|birthday|anniversary|time ?zone|address|job|"
    "postcode",
    "phone number|mobile number|number|e-?mail|e-?mail address|employer|pronouns|(?:[a-z]+ )?size|blood type|"
    "blood group",
    "mother tongue|(?:native|first|second|main|strongest) language|github|github (?:handle|username|account)|handle|"
    "username",
    "hometown|home town|nationality|diet|working hours|work hours|office hours|job title|role|os|operating system|"
    "height",
    "shell|default browser|browser|editor|ide|laptop|phone|car|keyboard(?: layout)?|budget|company|star sign|weight|"
    "religion",
    "date of birth|bike|camera|commute|flat|house|apartment|garden|oven|hob|kitchen|boiler|printer|tv|desktop|pc|"
    "computer",
    "(?:master's |bachelor's |phd )?(?:thesis|dissertation)|exam|wedding|due date|deadline|field|major|degree|shift|"
    "shifts",
    "school|university|uni|gym|church|instrument|van|boat|guitar|piano|hair|skin|setup|dev setup|distro|terminal|"
    "monitor",
    "day off|rest day|salary|pension|landlord|visa|passport|hobby|hobbies|skin type|shoe size|ring size|hair type|"
    "lawn|stack",
)
VERBS = any_of(
    "use|answer|reply|respond|write|format|run|ask|put|keep|include|add|sign|check|commit|push|show|explain|give|tell",
    "call|start|end|prefer|avoid|test|lint|merge|deploy|delete|touch|edit|change|suggest|assume|send|schedule|book|"
    "stick",
    "speak|address|refer|quote|cite|wrap|name|import|create|mock|translate|begin|finish|provide|document|squash|rebase",
    "round|convert|spell|capitali[sz]e|reference|link|summari[sz]e|confirm|warn|remind|hardcode|install|recommend|"
    "return",
    "list|skip|apologi[sz]e|mention|talk|bring up|propose|offer|print|display|generate|break|double-check|be|round|"
    "order",
)
STYLE = any_of(
    "emojis?|emoticons|bullet ?points?|bullets|bulleted lists?|lists?|tables|markdown|headings?|headers|bold|jargon|"
    "fluff",
    "small talk|filler|preambles?|disclaimers|lectures?|lecturing|moralising|apologies|apologising|"
    "follow-up questions|slang",
    "exclamation marks?|em[- ]?dashes|metaphors|sugar-?coating|long (?:answers|explanations|intros|texts?)|"
    "walls of text",
    "abbreviations|acronyms|swearing|americanisms|american spellings?|comments in (?:the )?code|code comments|spoilers",
    "comic sans|puns|small print|chit-?chat|flattery|praise|code without comments|imperial(?: units)?|fahrenheit|cups",
)
LIVES = any_of(
    "live|reside|work|freelance|teach|study|volunteer|commute|rent|own|collect|breed|foster|coach|speak|play|knit|"
    "crochet",
    "sew|bake|brew|paint|sing|dance|cycle|swim|climb|hike|box|row|ski|surf|sail|skate|fish|hunt|farm|garden|meditate|"
    "pray",
    "fast|weigh|earn|wear glasses|wear contacts|wear (?:a )?size|train|lift|keep (?:bees|chickens|hens|goats|horses|"
    "ducks)",
    "code in|program in|write (?:in |mostly |mainly |python|go\\b|rust|java|c\\+\\+|c#|typescript|novels|poetry|"
    "fiction|songs)",
    "grow (?:tomatoes|vegetables|veg|roses|chillies|herbs|dahlias|my own)|ride (?:a|an|horses|my bike|to)|"
    "drive (?:an?|to)",
    "do (?:(?:a lot|lots|a bit|quite a bit) of [a-z]+|yoga|pilates|crossfit|judo|karate|bjj|karaoke|pottery|"
    "shift work|night shifts|nights|shifts)|host|moderate|dj",
    "identify as|belong to|observe|keep (?:kosher|shabbat|sabbath|lent)|celebrate|understand (?-i:[A-Z])\\w+(?:ish|"
    "ese|ch|an|ic|ian)?|eat (?:halal|kosher|vegan|vegetarian|plant-based|keto|gluten-free|no)",
    "shoot (?:on|film|raw|with)|busk|referee|umpire|babysit|home-?school|trade|run (?:marathons|ultras|half)|help run",
)
PLATFORMS = (
    r"(?:(?:an?|the|my|old|new|my old) ){0,2}(?:[\w-]+ ){0,2}?(?:arch|manjaro|fedora|ubuntu|debian|mint|nixos|linux|"
    r"gentoo|"
    r"opensuse|rocky|rhel|centos|freebsd|openbsd|windows|win ?1[01]|win ?7|mac(?:os|book|s)?|imac|m[1-5]|osx|os x|ios|"
    r"iphones?|ipad|ipados|android|pixel|galaxy|chromebook|chromeos|raspberry|wsl2?|thinkpad|framework|surface|xps|"
    r"python|node|java|php|rails|django|laravel|dotnet|\.net|postgres\w*|mysql|sqlite|vs ?code|vim|neovim|nvim|emacs|"
    r"helix|"
    r"intellij|pycharm|webstorm|jetbrains|kde|plasma|gnome|wayland|sway|i3|hyprland|zsh|fish shell|tmux|docker|podman|"
    r"kubernetes|k8s|k3s|aws|gcp|azure|hetzner|synology|proxmox|home assistant|steam deck|ps[45]|xbox|excel|lightroom|"
    r"photoshop|figma|blender|unity|godot|obsidian|notion|logseq|firefox|chrome|safari|brave|react|vue|svelte|angular|"
    r"typescript|rust|golang|kotlin|swift|terraform|ansible|github|gitlab|bitbucket|jira|slack|teams)\b"
)
