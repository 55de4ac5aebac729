"""The ways to begin a clause that says something lasting, in French, and what joins such clauses."""

from __future__ import annotations

from typing import Final

from holdfast.facts.capture.french_words import (
    ADVERBS,
    AGE,
    ATTRIBUTES,
    HOBBIES,
    ILL,
    JOBS,
    KIN,
    LANGUAGE,
    LIVES,
    NO_ROLE,
    OFTEN,
    OWNED,
    ROLES,
    THINGS,
    TRADE,
    TRAITS,
    WHO,
)
from holdfast.facts.capture.speech import NAME, Form, any_of
from holdfast.markdown.fact_row import Category

__all__ = ["ASKS", "FORMS", "GIVEN", "KIN_SAYS", "LIKE_ME", "MINE", "MY", "NO_LINK", "SETTLED", "THEN", "WE", "WHY"]

WE: Final = (
    r"(?:nous|on|(?:l'|le |la |notre |mon |ma )(?:équipe|bureau|conseil(?: \w+)?|ag|assemblée(?: \w+)?|"
    r"comité(?: des? \w+)?|commission(?: des? \w+)?|syndicat|cse|ca|"
    r"direction|collectif|famille|"
    r"asso|association|rédaction|copro|copropriété|mairie|boîte))"
)
SETTLED: Final = "(?:acté|décidé|réglé|tranché|entendu|validé)"
AM: Final = r"(?:(?:moi )?(?:je (?:ne )?|j'|j )?suis|chuis|chu|jsuis|je sui)"
HAVE: Final = r"(?:j'ai|jai|j ai|je n'ai|on (?:n')?a|nous (?:n')?avons)"
IS: Final = rf"(?:(?:une? |le |la )?(?:[\w'-]+ ){{0,2}}(?:{JOBS}|{TRAITS})\b|{TRADE})"
# Who they are, told by the way: "ma mère qui est en fauteuil", "mon fils de huit ans", "ma sœur Léa".
GIVEN: Final = (
    rf"(?:{KIN}(?:,? {NAME}|,? (?:[\w'-]+,? )?(?:qui )?(?:n')?(?:est|sont) {ADVERBS}{IS}|"
    rf",? (?:[\w'-]+,? )?(?:qui )?(?:n')?(?:a|ont) (?:\w+ )?(?:{AGE}|(?:[\w']+ ){{0,3}}?{ILL}\b)|"
    rf",? (?:[\w'-]+,? )?qui (?:s'appelle(?:nt)?|{LIVES})|,? (?:de |d'|âgée?s? de |\()?{AGE})|(?:mon|ma|"
    rf"notre) (?:[\w-]+ )?{WHO} {TRAITS}\b)"
)
MINE: Final = rf"(?:mon|ma|mes) (?:\w+ )?{ILL}"
LIKE_ME: Final = (
    r"(?:quelqu'un|une personne|un gars|une fille|un débutant|des gens)(?:,)? (?:qui, )?comme moi,? (?:qui )?\w"
)
KIN_SAYS: Final = (
    rf"(?:{GIVEN}|{KIN},? (?:[\w'-]+,? )?(?:s'app?elle(?:nt)?|se nomme(?:nt)?|c'est {NAME}|(?:est|"
    rf"sont) une? (?!{NO_ROLE}\b)|"
    rf"(?:a|ont) {OWNED}|(?:(?:ne|n') ?)?{LIVES}))"
)
WHY: Final = (
    r"comme|car|parce que|parce qu'|vu que|vu qu'|puisque|puisqu'|étant donné que|sachant que|sachant qu'|surtout que|"
    r"d'autant que|en sachant que|c'est que|d'autant plus que|à savoir que|le fait est que"
)
MY: Final = r"(?:je\b|j'|jai\b|j ai\b|jsuis\b|chuis\b|chu\b|on\b|nous\b|mon\b|ma\b|mes\b|notre\b|moi\b|chez\b)"
ASKS: Final = any_of(
    r"tu (?:peux|connais|sais|saurais|as|aurais|me|m'|penses|crois|pourrais|veux|recommandes|conseilles|proposes|"
    r"ferais)"
    r"|t'as|t'aurais|peux-tu|pouvez-vous|pourrais-tu|vous (?:pouvez|avez|me|connaissez)|est-ce|qu'est-ce|c'est quoi|"
    r"y a quoi|il y a quoi",
    r"comment|quel(?:le)?s?|combien|pourquoi|y a-t-il|qui (?:peut|sait)|que (?:faire|dois|me)|quoi (?:faire|mettre)|"
    r"il (?:me )?faut|faut-il|dois-je|puis-je|aide[- ]moi|dis[- ]moi|donne[- ]moi|fais[- ]moi|explique[- ]moi|"
    r"trouve[- ]moi|propose[- ]moi|conseille[- ]moi|je (?:cherche|voudrais|veux)\b|j'aimerais",
)
THEN: Final = any_of(
    r"trouve|propose|donne|fais|écris|explique|montre|vérifie|adapte|prépare|planifie|cherche|liste|calcule|organise|"
    r"remplace|rédige|suggère|recommande|aide|convertis|mets|adapte|évite|réponds|dis|raconte|crée|génère|corrige|"
    r"arrête|appelle|tutoie|vouvoie|appelez|retiens|note|n'oublie",
    rf"c'est\b(?! {SETTLED})|ça\b|ce serait|une idée|des idées|un conseil|des conseils|une astuce|il (?:y a|faut|"
    rf"existe)|il y en a|"
    r"où\b|quand est|des (?:recommandations|suggestions)|tu\b|vous\b|on peut\b|merci|stp|possible|budget\b|pas d|"
    r"t'en penses",
)
OFTEN_FIRST: Final = (
    r"(?:tou(?:s|tes) les (?!deux\b)[\w-]+(?: [\w-]+)?|chaque (?!fois)[\w-]+(?: [\w-]+)?|les? (?:\w+dis?|dimanches?|"
    r"week-?ends?)(?: [\w-]+)?|en semaine|d'habitude|un \w+ sur deux|du lundi au \w+)"
)
NO_LINK: Final = "".join(
    rf"(?<!\b{word})"
    for word in "que qui si "
    "quand lorsque dont où comment pourquoi combien quoi laquelle lequel quels dit dis disent dise "
    "écrit crie répète".split()
)

FORMS: Final = (
    Form(
        "decision",
        Category.DECISION,
        0.7,
        rf"{WE} (?:\w+ )?(?:avons|a|ont) (?:[\w']+ ){{0,2}}(?:décidé|choisi|opté|convenu|acté|tranché|retenu|"
        rf"abandonné|validé|voté|approuvé|arrêté notre choix|signé (?:avec|chez|pour)|laissé tomber)(?: ?:|,| ) ?|"
        r"(?:mon|ma) [\w-]+ et moi (?:\w+ )?avons (?:\w+ )?(?:décidé|choisi|opté) |(?:ma|la|notre) décision est prise|"
        r"j'ai fini par (?:me décider,|choisir|opter)|"
        r"je (?:démissionne|quitte (?:mon|ma) |me marie|pars (?:vivre|m'installer)|prends ma retraite|"
        r"reprends (?:mes études|la fac)|"
        r"divorce)|"
        r"j'ai (?:\w+ ){0,2}(?:décidé(?! (?:de )?(?:te|t'|vous)\b)|choisi|opté|pris la décision|pris ma décision) |"
        r"j'arrête (?:définitivement )?(?:mon|ma|mes|le|la) "
        r"(?=[\w ]+ (?:en|à|pour|cette année|l'an))|(?:on|je) part(?:s)? (?:\w+ )?sur |"
        r"nous partons (?:\w+ )?sur |la décision(?: est| :) |(?:on s'est|nous nous sommes) (?:\w+ )?(?:mis d'accord|"
        r"décidée?s|arrêtés) |c'est d'accord avec \w+ ?: |il a été décidé |"
        rf"c'est {SETTLED} ?[:,](?! (?:merci|non|tu)\b)|"
        rf"(?:finalement |au final |bon |donc )*(?:on|nous|je) .{{2,100}}, c'est {SETTLED}$|"
        r"(?:on|nous) (?:\w+ )?(?:migre|migrons|passe|passons|bascule|basculons|reste|restons|change pour) "
        r"(?:à|sur|vers|chez|avec) (?!(?:la|le) (?:question|suite|partie|point|plage|table))",
        about_things=True,
        weak=True,
    ),
    Form(
        "thing",
        Category.FACT,
        0.55,
        rf"(?:mon|ma) (?:[\w-]+ ){{0,2}}?{NAME}(?: [\w-]+)? (?:de )?(?:19|20)\d\d\b|"
        rf"(?:mon|ma|notre) (?!(?:\w+ )?{WHO}\b)[\w-]+(?: [\w-]+)? (?:c'est|est) une? (?:\w+ )?{NAME}",
    ),
    Form(
        "named person",
        Category.ENTITY,
        0.6,
        rf"{KIN_SAYS}|(?:notre|mon|ma|le|la) (?:[\w'-]+ ){{0,3}}{ROLES}(?: [\w'-]+){{0,3}} (?:est|s'appelle|c'est) "
        rf"{NAME}|{NAME}(?: {NAME})? est (?:maintenant )?(?:mon|ma|notre|le|la|l')\s?(?:[\w-]+ ){{0,2}}{ROLES}\b|"
        rf"{NAME}(?:,| c'est) (?:mon|ma|notre) (?:[\w-]+ )?{WHO},? (?:\w+ )?(?:est|a|qui|s'occupe|vit|travaille)\b|"
        rf"{NAME}(?: {NAME})? (?:dirige|gère l'équipe|s'occupe d) |"
        rf"(?:on|je|nous) (?:\w+ )?(?:mont|lanc|cré|démarr|ouvr|fond|tien|anim)\w* (?:une?|mon|ma|"
        rf"notre) (?:[\w-]+ )?(?:boîte|asso|"
        rf"association|journal|revue|site|appli|startup|start-up|entreprise|coopérative|podcast|chaîne|blog|magasin|"
        rf"boutique|café|"
        rf"resto|restaurant|festival|club|collectif|crèche|micro-crèche|marque|librairie|gîte|brasserie|ferme|troupe|"
        rf"fanzine|salon)\b|"
        rf"(?:(?:on|je|nous) (?:\w+ )?(?:mont|lanc|développ|cré|prépar|boss|travaill|organis|tien|anim|ouvr|dirig|gèr|"
        rf"édit)\w* |mon |"
        rf"ma |notre )(?!(?:\w+ )?(?:{WHO})\b)(?:[\w'-]+ ){{1,9}}?(?:qui s'appelle|qui s'appellera|s'appelle|"
        rf"s'appellera|nommée?|baptisée?|appelée?) [\w\"«]",
    ),
    Form(
        "favourite",
        Category.PREFERENCE,
        0.6,
        r"(?:mon|ma|mes) [\w' -]{2,40} (?:préférée?s?|favorite?s?)(?: pour [\w ]{2,20})? (?:est|sont|reste|c'est) |"
        r"(?!(?:ce|c'|ça|cela|il|elle|lequel|laquelle|celui|celle)\b)[\w' -]{2,40} (?:est|sont) (?:mon|ma|mes) "
        r"(?:[\w'-]+ ){0,3}(?:préférée?s?|favorite?s?)\b",
    ),
    Form(
        "likes",
        Category.PREFERENCE,
        0.6,
        rf"(?:moi,? )?(?:je préfère|jpréfère|je n'aime|j'aime|j'adore|je déteste|je hais|j'apprécie|je n'apprécie|"
        rf"je (?:ne )?supporte|j'évite|je kiffe|je n'ai jamais (?:aimé|pu)|j'ai jamais (?:aimé|"
        rf"supporté)) {ADVERBS}(?!(?:bien|beaucoup|assez|trop|bcp|plutôt|pas|ça)$)|"
        rf"(?:les? |la |l'|des? |du )[\w'-]+(?: [\w'-]+)?,? (?:moi,? )?(?:j'ai jamais (?:pu|aimé)|j'aime pas|j'adore|"
        rf"je déteste|je peux "
        rf"pas|je supporte pas|j'évite|j'en (?:mange|bois) (?:pas|jamais|plus)|très peu pour moi|c'est pas mon truc|"
        rf"beurk|berk|pouah|c'est non)|(?!(?:la |le |les )?(?:première?|deux|seconde?|dernière?|celle|celui|ça|ton|ta|"
        rf"tes|cette|ce)\b)[\w' -]{{2,50}} c'est ce que je (?:préfère|déteste|supporte)|(?:les? |la |l')"
        rf"[\w' -]{{2,30}} (?:me dégoûte|me répugne|m'horripile|me gonfle|m'insupporte)|{AM} (?:pas )?(?:très |plutôt |"
        rf"trop |du tout |"
        rf"plus )+(?:sucré|salé|dessert|viande|café|thé|alcool|sport|plage|montagne|télé|fromage|poisson|foule|ville|"
        rf"campagne|mer)\b|"
        rf"je (?:ne )?(?:jure|craque) (?:que par|pour) |"
        rf"{AM} (?:pas )?(?:très |plus |plutôt |trop |team |une? )*(?:fan|adepte|accro|mordue?|passionnée?|"
        r"branchée?|team)(?: d(?:es |e |u |')| aux? | par | \w)|j'ai (?:une |la |très |trop |le )*(?:horreur|passion|"
        r"peur|phobie|"
        r"trouille|hantise|vertige|faible) (?:\w+ )?(?:d(?:es |e |u |')|pour )|(?:[\w'-]+ ){1,5}(?:me (?:rend|rendent|"
        r"donne|"
        r"donnent|fait|font) (?:malade|mal|de l'|des (?:boutons|migraines|plaques)|la migraine|peur|horreur)|"
        r"ne me réussi\w+ pas)",
        about_things=True,
        weak=True,
    ),
    Form(
        "habit",
        Category.PREFERENCE,
        0.55,
        r"(?:je|on|nous) (?:ne )?(?:mange|bois|fume|porte|regarde|prends|cuisine|utilise|conduis|boit|mangeons|"
        r"consomme|"
        r"achète|digère|tolère|voyage|roule|cours|paie|sors|vais (?:jamais|plus))(?:ons)? (?:plus|jamais|pas|que|ni|"
        r"presque|toujours|uniquement|seulement|sans|casher|halal|bio|végé\w*|kasher|cacher)\b|"
        r"je n'utilise (?:plus|jamais|pas|que) |j'ai (?:arrêté (?:de |d'|le |la |l')|commencé (?:le |la |l'))|"
        r"j'utilise (?:toujours|uniquement|surtout) |je (?:me )?(?:ne )?(?:\w+ )?conduis pas$|"
        r"(?:je|on) (?:jeûne|fait? le ramadan|fais le carême|suit? un régime|suis un régime)",
        about_things=True,
        weak=True,
    ),
    Form(
        "form of address",
        Category.PREFERENCE,
        0.7,
        rf"appel(?:le|ez)[- ]moi (?:plutôt |simplement |juste )?(?:{NAME}|[\w-]+$)|"
        rf"(?:tu peux|vous pouvez) (?:aussi )?m(?:'appeler|e dire|e tutoyer|e vouvoyer) ?|"
        r"tout le monde m'appelle |on m'appelle |mes amis m'appellent |(?:tutoie|vouvoie|tutoyez|vouvoyez)[- ]moi|"
        r"(?:on )?(?:peut|pourrait) se (?:tutoyer|vouvoyer)|on se (?:tutoie|vouvoie)$|ne me (?:vouvoie|tutoie|dis)\w* "
        r"(?:pas|plus|jamais)|je préfère qu(?:e (?:tu|vous)|'on) (?:me |m'|se )?\w+|dis[- ]moi (?:tu|vous)$|"
        r"(?:parle|réponds|écris)[- ]moi (?:plutôt |uniquement |toujours )(?:en|comme) ",
    ),
    Form(
        "name",
        Category.FACT,
        0.8,
        r"(?:je|j) m'app?elle |je me nomme |je me présente,? (?:je suis |moi c'est )?\w|mon (?:nom|"
        r"prénom)(?: de famille)? (?:est|c'est|s'écrit) |moi,? c'est "
        rf"(?!pas|plutôt|quoi)\w|ici {NAME}|je me prénomme |(?:bonjour, )?{NAME} à l'appareil|"
        rf"(?-i:[Jj]e suis [A-ZÉ][a-zà-ÿ]+)(?=,| de | du | et j)",
    ),
    Form(
        "trait",
        Category.FACT,
        0.65,
        rf"je suis (?:aussi |également )?une? (?!{NO_ROLE}\b)[a-zà-ÿ]|j'ai été (?:élevée?|diagnostiquée?|opérée?|"
        rf"naturalisée?|licenciée?|promue?|greffée?) |{AM} {ADVERBS}(?:\w+ )?{TRADE}(?! (?:si|que)\b)|"
        rf"(?:je|jme) (?:tourne|suis) (?:sous|sur|avec) (?:une? )?(?:[\w-]+ ){{0,2}}(?:windows|linux|debian|ubuntu|mac|"
        rf"macos|fedora|arch|android|ios|thinkpad|macbook|pc|iphone|manjaro|mint|nixos|raspberry)\b|"
        rf"(?:{HAVE}|je souffre d[eu']|je fais d[eu']|je suis atteinte? d[eu']) ?(?!(?:[\w']+ ){{0,3}}(?:sur|avec|"
        rf"contre|qui|que|pour|question|doute|exposé|cours|rdv)\b)(?:[\w']+ ){{0,3}}{ILL}|"
        rf"{AM} {ADVERBS}(?!ton |ta |votre )(?:une? |le |la |de |d'origine )?(?:[\w'-]+ ){{0,2}}(?:{JOBS}|{TRAITS})\b|"
        rf"(?:on|nous) (?:est|sommes) (?:tous |toutes )?(?:une? (?!{NO_ROLE}\b)\w+|(?:une? )?{TRAITS}|\w+ à la maison|"
        rf"(?:cinq|six|\d) (?:à|"
        rf"dans))\b|{HAVE} (?:déjà |bientôt |presque |juste |seulement |quand même )?{AGE}(?! d| à| chez| dans)|"
        rf"{AM} (?:\w+ )?(?:née? |originaire d|basée? (?:à|en)|de {NAME}|du (?:signe|matin|soir|nord|sud)|"
        rf"d'origine|installée? (?:à|en|dans)|inscrite? (?:à|en|au)|abonnée? (?:à|aux?)|suivie? par|"
        rf"sous (?:traitement|\w+(?:ine|ol|um|ane))|à la fac|à l'université|étudiante?|élève|membre|"
        rf"responsable|en charge|chargée?) ?|je viens (?:de |d')(?:la |l')?{NAME}|"
        rf"(?:opérée?|diagnostiquée?|amputée?|greffée?) (?:d[eu'] ?|\w)|on m'a (?:opérée?|diagnostiquée?|posé|retiré|"
        rf"enlevé|greffé) |je (?:ne )?peux "
        rf"(?:pas|plus) (?:manger|boire|porter|courir|marcher|conduire|lever|prendre l'avion|monter|nager|avaler)|"
        rf"j'ai grandi (?:à|en|au|dans) |je suis (?!\w+(?:é|ée|és|i|ie|u|ue|is|ise|ul|ule|ment|ant|ours|ent|in|ôt|core|"
        rf"jà|rd)\b)[a-zà-ÿ-]{{4,}} (?:à|chez|au) {NAME}|"
        rf"(?:mon|ma|le|la) (?:médecin|doc|docteur|psy\w*|cardio\w*|dermato\w*|gynéco\w*|neuro\w*|spécialiste|"
        rf"généraliste)"
        rf"(?: \w+)? m'a (?:mise?|prescrit|diagnostiquée?|détecté|interdit)|{AM} en (?:\w+|\d\w+) année d|"
        rf"tout le monde est {TRAITS}|je mesure \d|je (?:pèse|fais) \d+ ?(?:kg|kilos|cm|m)|je chausse du |"
        rf"(?:en tant qu(?:e |')|étant )(?:[\w'-]+ ){{0,2}}(?:{JOBS}|{TRAITS}|{TRADE})(?!.* (?:je veux|je peux))|"
        rf"{LIKE_ME}|{MINE}|{AM} au régime |(?:je suis |j'étais )?ancien(?:ne)? {TRADE}|"
        r"j'ai (?:[\w-]+ ){0,3}(?:ans|années) (?:d'expérience|dans|de métier|de pratique)",
    ),
    Form(
        "place or work",
        Category.FACT,
        0.65,
        rf"ça fait (?:[\w-]+ ){{1,4}}(?:ans|mois|années) que (?:je |j'|on )|je donne des cours |on loue\b|je loue "
        rf"(?!une voiture)|(?:on|nous) (?:a|avons) (?:une?|deux|trois|quatre|\d) (?:[\w-]+ ){{0,3}}de \d|"
        rf"j'reste (?:à|au|en) |je (?:fais|bosse en|suis en|travaille en) (?:les )?(?:[235]x[78]|nuits|"
        rf"horaires décalés)\b|(?:j'habite|je (?:ne )?vis|je n'habite|je crèche|je loge|on (?:vit|habite|vient d(?:e |"
        rf"')(?:s'installer|"
        rf"emménager|déménager|se marier|se pacser|s'acheter|adopter|avoir (?=une?|des|notre)))|nous (?:vivons|"
        rf"habitons)) {ADVERBS}(?:[\w'-]+ )?(?:à|en|au|aux|dans|chez|près|avec|seule?|sur|rue|une?|là|ici)?\b|"
        rf"je viens (?:de |d')(?:m'installer|emménager|déménager|me marier|adopter|(?:m')?acheter (?=(?:une?|ma|"
        rf"mon) (?:\w+ )?(?:maison|appart|voiture|vélo|moto|mac|tesla|camping))|avoir (?=une?|mon|ma|\d)|être "
        rf"(?:promu|embauch|diagnos)\w*|prendre ma retraite|me mettre (?:à mon|au|à la)|passer mon permis) ?|"
        rf"je (?:ne )?(?:travaille|bosse|taffe) {ADVERBS}(?:à|en|au|aux|chez|comme|pour|dans|de|depuis|avec|le|les|"
        rf"la|que|seule?|pas|qu'à|dehors|\d)\b|"
        r"(?:je suis|on suit) des cours|j'étudie |je fais (?:des études|un master|une licence|une thèse|un bts|un "
        r"doctorat|une prépa|médecine|du droit|mon internat)|j'enseigne |je prépare (?:le|l'|mon) ?(?:concours|bac|"
        rf"agrégation|capes|permis)|(?:j'ai|je suis|on a) (?:\w+ )?(?:déménagée?|emménagée?|parti vivre|retournée? "
        rf"vivre|quitté {NAME}|rejoint {NAME}|pris ma retraite|racheté|monté (?:ma|une)|ouvert (?:ma|un|mon)|repris "
        rf"(?:mes études|une|la ferme)|adopté|créé (?:ma|mon|une))|je me suis (?:mise? (?:au|à la|à l'|aux|à mon)|"
        rf"installée?|mariée?|inscrite?|"
        rf"lancée?) ",
    ),
    Form(
        "belonging",
        Category.FACT,
        0.6,
        rf"{HAVE} (?:aussi |déjà |toujours |moi |à la maison |chez moi |acheté |adopté |hérité d'|repris |"
        rf"retapé )?{OWNED}|"
        rf"(?:je|on) (?:comprends?|lis|lit|baragouine|maîtrise|écris) (?:un peu |bien |mal |à peu près )?(?:le |l'|"
        rf"la )?{LANGUAGE}\b|"
        rf"(?:je|on) (?:parle|parlons) (?!de\b|d'|avec\b|du\b|à\b|trop|pas\b)|j'apprends (?!que\b|à (?:mon|ma)\b)\w|"
        rf"(?:je|on) joue (?:de |du |au |à la |aux |dans )|(?:je|on) (?:fais|fait|pratique) (?:beaucoup |souvent |"
        rf"aussi |surtout )?(?:du |de la |"
        rf"de l'|de |le |la |l')(?:[\w-]+ )?{HOBBIES}|je (?:dirige|gère|possède|maintiens|tiens(?= une? )|élève|"
        rf"cultive|"
        r"collectionne|encadre|chante|danse|fabrique|anime|préside|entraîne|m'occupe|"
        r"coache|produis|milite|roule (?=en|avec)|tricote|brasse|jardine|randonne|coordonne|m'entraîne|brode|sculpte|"
        r"écris des (?:romans|poèmes)|compose) (?!pas\b|ça\b|le (?:premier|second)|la (?:première|même))"
        r"(?:une?|le|la|les|mon|ma|mes|l'|des|deux|trois|du|de|dans|en|avec|d')|je m'occupe d|je (?:cours|nage|"
        r"grimpe) (?:\w+ )?(?:\d|deux|trois|"
        r"en club|des (?:marathons|semis))|"
        r"je suis (?:un traitement|un régime|une thérapie)|je prends (?:un traitement|"
        r"la pilule|(?:de la |du |de l'|des |un )?"
        r"(?:anti\w+|insuline|médicaments|médocs|somnifères|compléments|[a-zé]{4,}(?:ine|ol|ox|pril|pam|ane|ium|"
        r"artan))\b)|je porte (?:des|un appareil|une prothèse)",
    ),
    Form(
        "schedule",
        Category.FACT,
        0.55,
        rf"(?:je |j'|on |nous )(?!reçois|vois|essaie|dois|peux|veux|perds|oublie|faisais|cherche|voudrais|aimerais)"
        rf"[\wà-ÿ']+ (?:[\w:.'-]+ ){{0,7}}?{OFTEN}(?!\w)|"
        rf"{OFTEN_FIRST},? c'est (?!quoi|fermé|ouvert)\w|{OFTEN_FIRST},? (?:je |j'|on |nous )(?!reçois|vois|essaie|"
        rf"dois|peux|veux|perds|oublie|cherche)\w",
        about_things=True,
        weak=True,
    ),
    Form(
        "for years",
        Category.FACT,
        0.6,
        r"(?:je |j'|on |nous )(?!attend|cherche|n'arrive|n'ai|ai pas|essaie|galère|veux|dois|"
        r"peux)[\w']+ (?:[\w'-]+ ){0,8}?"
        r"depuis (?:(?:[\w-]+ ){1,3}(?:ans|années|mois)\b|(?:19|20)\d\d|toujours|(?:\w+ )?petite?\b|l'âge|l'enfance|"
        r"mes \d|"
        r"longtemps|mon (?:divorce|opération|accident|enfance|adolescence)|ma (?:naissance|retraite|grossesse)|la fac)",
        weak=True,
    ),
    Form(
        "attribute",
        Category.FACT,
        0.65,
        rf"(?:mon|ma) (?:[\w'-]+ )?{THINGS} (?:est|c'est) une? (?!{NO_ROLE}\b)|(?:mon|ma|"
        rf"notre) (?:[\w'-]+ )?{THINGS} (?:fait|mesure|date d|a|est) (?:\w+ )?\d|"
        rf"(?:mon|ma|mes) (?:nouvelle? |nouveau )?{ATTRIBUTES}(?: de [\w']+| [\w']+)? (?:est|sont|c'est|tombe|"
        rf"commence) "
        r"(?!pas |cassé|lent|trop |en panne|quoi|mort|bloqué|où)",
    ),
    Form(
        "tools",
        Category.FACT,
        0.6,
        r"j'utilise (?!.*\b(?:ici|mais)\b)|tout (?:tourne|est (?:hébergé|en|sur)|passe par|se fait) (?:sur|sous|en|"
        r"chez|avec)? ?|on (?:est|tourne) (?:\w+ )?(?:sur|"
        r"sous|full|chez) (?!le point|place|la (?:bonne|même|page)|d'accord)|je (?:bosse|travaille) (?:sous|sur|"
        r"avec) (?!ce|cette|le |la |un |une |ça)|"
        r"(?:notre|ma|la) stack,? (?:c'est|est|:) |(?:on|nous) (?:n')?(?:utilise|utilisons|déploie|déployons|héberge|"
        r"hébergeons|livre|livrons|code|codons|facture|facturons|bosse|vend|vendons|fabrique|fabriquons|élève|élevons|"
        r"cultive|cultivons|"
        r"produit|produisons|tient|tenons|gère|gérons|accueille|accueillons|exploite|exploitons|exporte|exportons|"
        r"importe|importons|édite|éditons|restaure|restaurons|brasse|brassons|forme|formons|loue|louons|emploie|"
        r"employons|"
        r""
        r"développe|développons|stockons|stocke|travaille|travaillons|suit|suivons) (?!.*\b(?:ici|mais)\b)|"
        r"je (?:code|développe|programme|déploie|dév) (?:\w+ )?(?:en|avec|sur|sous|surtout|principalement) |"
        r"(?:notre|nos|le|la|mon) (?:[\w'-]+ ){0,2}(?:projet|back-?end|front-?end|base de données|base|serveur|"
        r"équipe|entreprise|boîte|application|appli|api|site|dépôt|cluster|pipeline|code|produit|"
        r"branche principale|stack|service|bureau|magasin|école|asso|association) (?:utilise|tourne (?:sur|avec|"
        r"sous)|est (?:écrite? en|hébergée? |basée? |fermée? )|s'appelle|commence|se trouve|repose sur|est à|est en|"
        r"compte \w+ (?:personnes|employés|salariés|membres)) ?",
        about_things=True,
        weak=True,
    ),
)
