"""The words that the English patterns choose from: trades, traits, kin, habits, things that people own."""

from __future__ import annotations

from holdfast.facts.capture.speech import any_of

__all__ = [
    "ATTRIBUTES",
    "DAYS",
    "DOES",
    "HABITS",
    "ILL",
    "JOBS",
    "KIN",
    "NO_ROLE",
    "OFTEN",
    "OWNED",
    "ROLES",
    "THINGS",
    "TRAITS",
    "VERBS",
]

JOBS = any_of(
    "developer|programmer|engineer|nurse|doctor|teacher|professor|lecturer|lawyer|attorney|solicitor|paralegal",
    "designer|illustrator|artist|writer|author|journalist|editor|translator|photographer|musician|composer|actor",
    "student|undergrad|postdoc|researcher|scientist|physicist|chemist|biologist|mathematician|statistician|historian",
    "analyst|consultant|manager|director|founder|co-founder|ceo|cto|cfo|pm|architect|accountant|bookkeeper|auditor",
    "electrician|plumber|carpenter|mechanic|welder|farmer|baker|chef|cook|barista|bartender|waiter|waitress|driver",
    "pilot|sailor|soldier|veteran|officer|firefighter|paramedic|midwife|dentist|pharmacist|psychologist|therapist",
    "physiotherapist|vet|veterinarian|librarian|archivist|curator|freelancer|contractor|entrepreneur|retiree|pensioner",
    "parent|mother|father|mom|mum|dad|grandmother|grandfather|widow|widower|sysadmin|administrator|devops|sre|tester",
    "trader|banker|broker|realtor|landlord|tenant|homeowner|priest|pastor|rabbi|imam|coach|trainer|tutor|owner",
    "vegan|vegetarian|pescatarian|coeliac|celiac|diabetic|christian|muslim|jew|buddhist|hindu|atheist|citizen|resident",
    "expat|immigrant|beginner|expert|maintainer|hobbyist|gardener|runner|cyclist|climber|swimmer|hiker|gamer|smoker",
)
TRAITS = any_of(
    "vegan|vegetarian|pescatarian|gluten[- ]free|lactose[- ]intolerant|allergic|intolerant|diabetic|coeliac|celiac",
    "left[- ]handed|right[- ]handed|ambidextrous|colou?r[- ]?blind|blind|deaf|hard of hearing|dyslexic|autistic",
    "neurodivergent|epileptic|asthmatic|married|engaged to|single|divorced|widowed|pregnant|retired|self[- ]employed",
    "freelance|freelancing|unemployed|bilingual|trilingual|jewish|muslim|christian|catholic|hindu|buddhist|based|born",
    "originally from|from|living (?:in|with|at|near|abroad|alone)|fluent|native|learning (?!a lot|so much|about|that|"
    "how)|studying|training for|"
    "new to|responsible for|in charge of",
    r"\d{1,3} years? old|\d{2}(?=$|,| and)|in the (?:gmt|utc|cet|est|pst)|in my (?:early |late |mid )?[a-z]+ties",
    r"working (?:as|at|for)|on a [\w-]+ diet|on (?:an? |my )?(?:chromebook|macbook|mac|linux|windows|ubuntu|debian|"
    r"ipad)",
    "in a wheelchair|a wheelchair user|scared of|terrified of|afraid of (?!that|this|it|the)",
)
KIN = any_of(
    "wife|husband|partner|girlfriend|boyfriend|fianc[eé]e?|spouse|ex|mother|mom|mum|father|dad|sister|brother|son",
    "daughter|kid|child|baby|twins|aunt|uncle|cousin|niece|nephew|grandmother|grandma|grandfather|grandpa|boss|manager",
    "colleague|coworker|co-worker|teammate|flatmate|roommate|landlord|landlady|neighbou?r|friend|dog|cat|puppy|kitten",
    "parrot|horse|rabbit|hamster|doctor|gp|dentist|therapist|lawyer|accountant|client|co-?founder|mentor|advisor",
    "adviser|supervisor|assistant|[a-z]{3,8}-in-law|step(?:son|daughter|mother|mum|mom|father|dad|brother|sister)",
    "goddaughter|godson|kids|children|parents|grandson|granddaughter|grandchild(?:ren)?|grandkids|gran|nan|granddad",
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
    "mix|stickler|sucker|quick|tough|bot|robot|disaster|third|half|quarter|user here",
)
OFTEN = any_of(
    "every (?:single )?(?:day|week|month|year|morning|evening|night|weekend|summer|winter|[a-z]{3,6}day)",
    "(?:once|twice|[a-z]+ times|[a-z]+ (?:hours|miles|books|km)) (?:a|per) (?:day|week|month|year)",
    "on (?:mon|tues|wednes|thurs|fri|satur|sun)days|on weekends|at weekends|for a living",
    r"\w+s a (?:day|week|month|year)(?! ago| off)",
)
ILL = any_of(
    "diabetes|hay fever|asthma|anxiety|depression|arthritis|migraines?|(?:high|low) blood pressure|high cholesterol",
    "insomnia|adhd|autism|epilepsy|eczema|psoriasis|ibs|crohn's|sciatica|tinnitus|scoliosis|anaemia|anemia|glaucoma",
    "dyslexia|ptsd|ocd|[a-z]+ allergy|[a-z]+ intolerance|a (?:bad|weak) (?:back|knee|hip|heart)|a pacemaker",
)
DAYS = r"(?:name|surname|birthday|wedding|anniversary|due date|school|exam|allergy|diet|flight|operation|surgery)"
DOES = any_of(
    "has(?! been [a-z]+ing)|have(?! been [a-z]+ing)|lives?|works?|loves?|hates?|studies|speaks|turns|was born|eats?",
    "drinks?|plays|teaches|prefers|dislikes|suffers from|(?:doesn't|don't|can't|cannot) (?:eat|drink|like|have|speak)",
    "goes to|starts (?:school|nursery|uni|university|college)|owns",
)
OWNED = any_of(
    "kids?|child(?:ren)?|sons?|daughters?|twins|sisters?|brothers?|siblings|dogs?|cats?|puppy|kittens?|parrots?|"
    "horses?",
    "rabbits?|golden retriever|allerg(?:y|ies)|diabetes|asthma|adhd|autism|dyslexia|epilepsy|migraines|arthritis",
    "celiac disease|coeliac disease|nut allergy|phd|degree in|masters? in|house in|flat in|apartment in|green card",
    "macbook|thinkpad|iphone|android phone|tesla|motorbike|motorcycle|allotment|pet|collection of|workshop|studio|"
    "sauna",
    "boat|caravan|campervan|e-?bike|vegetable garden|garden|balcony|turtle|tortoise|snake|goats?|chickens|bees|"
    "aquarium",
)
THINGS = (
    r"(?:project|app|application|product|backend|back[- ]end|frontend|front[- ]end|repo|repository|codebase|service|"
    r"company|team|site|website|api|database|monorepo|server|cluster|stack|ci|pipeline|main branch|default branch|"
    r"staging|production|infrastructure|infra|docs|office|sprint|sprints|release|releases|deploys|"
    r"deployment|deployments|standup|stand-up|platform|library|cli|client|tests|data|style guide|convention)"
)
ATTRIBUTES = any_of(
    "name|first name|last name|surname|middle name|full name|nickname|birthday|anniversary|time ?zone|address|job",
    "phone number|mobile number|number|e-?mail|e-?mail address|employer|pronouns|shoe size|blood type|blood group",
    "mother tongue|native language|first language|github|github (?:handle|username|account)|handle|username|height",
    "hometown|home town|nationality|diet|working hours|work hours|office hours|job title|role|os|operating system|"
    "shell",
    "default browser|browser|editor|ide|laptop|phone|car|keyboard layout|budget|company|star sign|date of birth",
)
VERBS = any_of(
    "use|answer|reply|respond|write|format|run|ask|put|keep|include|add|sign|check|commit|push|show|explain|give|tell",
    "call|start|end|prefer|avoid|test|lint|merge|deploy|delete|touch|edit|change|suggest|assume|send|schedule|book",
    "speak|address|refer|quote|cite|wrap|name|import|create|mock|translate|begin|finish|provide|document|squash|rebase",
    "round|convert|spell|capitali[sz]e|capitalise|reference|link|summari[sz]e|confirm|warn|remind|hardcode|install",
)
HABITS = any_of(
    "eat|drink|smoke|use|wear|watch|write|read|work|travel|fly|cook|buy|listen|play|commute|wake up|get up|go to bed",
    "start work|code|take sugar|take notes|celebrate|drive|cycle|run on|sleep|train|exercise|deploy|meditate",
)
