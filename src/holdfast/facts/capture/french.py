"""How people speak about themselves in French."""

from __future__ import annotations

from holdfast.chunks.fact import Category
from holdfast.facts.capture.speech import NAME, NO_THING, Form, Speech, any_of

__all__ = ["FRENCH"]

_WE = r"(?:nous|on|l'équipe|notre équipe|mon équipe)"
_ADVERBS = (
    r"(?:(?:vraiment|beaucoup|bien|surtout|toujours|aussi|encore|personnellement|actuellement|maintenant|souvent|"
    r"plutôt|pas|plus|également|"
    r"jamais|pas du tout|particulièrement|absolument|généralement|trop|désormais|tout|récemment|juste) ){0,3}"
)
_JOBS = any_of(
    r"développeu(?:r|se)|ingénieure?|infirmi(?:er|ère)|médecin|enseignante?|professeure?|prof|avocate?|étudiante?|"
    r"chercheu(?:r|se)",
    r"architecte|comptable|graphiste|illustrat(?:eur|rice)|designer|journaliste|traduct(?:eur|rice)|photographe|"
    r"musicienn?e?",
    r"consultante?|chef de projet|cheffe de projet|direct(?:eur|rice)|fondat(?:eur|rice)|gérante?|entrepreneu(?:r|"
    r"se)|freelance",
    r"indépendante?|auto-entrepreneu(?:r|se)|retraitée?|fonctionnaire|policier|pompier|boulang(?:er|ère)|"
    r"cuisini(?:er|ère)|serveu(?:r|se)",
    r"vendeu(?:r|se)|électricienn?e?|plombi(?:er|ère)|mécanicienn?e?|agricult(?:eur|rice)|pharmacienn?e?|"
    r"psychologue|dentiste|kiné",
    r"sage-femme|bibliothécaire|analyste|data scientist|administrat(?:eur|rice)|doctorante?|lycéenn?e?|libraire|"
    r"écrivaine?|aut(?:eur|rice)",
    r"végétarienn?e?|végane?|vegan|pescétarienn?e?|diabétique|cœliaque|coeliaque|intolérante?|allergique|gauch(?:er|"
    r"ère)|droiti(?:er|ère)",
    r"daltonienn?e?|dyslexique|sourde?|malentendante?|asthmatique|mariée?|divorcée?|célibataire|veu(?:f|ve)|"
    r"enceinte|au chômage|à la retraite",
    r"belge|suisse|française?|québécoise?|canadienn?e?|musulmane?|juive?|catholique|bouddhiste|athée|père|mère|papa|"
    r"maman",
)
_KIN = any_of(
    "femme|mari|conjointe?|compagne|compagnon|copine|copain|fiancée?|mère|maman|père|papa|sœur|soeur|frère|fils|"
    "fille|enfant|tante",
    "oncle|cousine?|nièce|neveu|grand-mère|grand-père|chef|cheffe|patronne?|collègue|colocataire|coloc|propriétaire|"
    "voisine?|amie?",
    "chien|chienne|chat|chatte|cheval|perroquet|lapin|médecin|dentiste|avocate?|comptable|cliente?|associée?|mentor|"
    r"tutrice|tuteur|bel(?:le)?-(?:mère|sœur|fille|maman)|beau-(?:père|frère|fils|papa)|demi-(?:sœur|frère)|"
    r"petite?-(?:fils|fille|amie?)|enfants|parents|beaux-parents|petits-enfants",
)
_TRADE = (
    r"(?!(?:dernière?|première?|entière?|fière?|heureuse|furieuse|nerveuse|sérieuse|amoureuse|malheureuse|curieuse|"
    r"ailleurs|"
    r"contraire|nécessaire|bien|contente?|absente?|présente?|importante?|pendant|avant|content|maintenant|vraiment)\b)"
    r"[a-zà-ÿ-]{3,30}(?:iste|ier|ière|eur|euse|rice|icien|icienne|aire|ologue|graphe|ante?)\b"
)
_ILL = any_of(
    "diabète|asthme|eczéma|épilepsie|hypertension|migraines|arthrose|rhume des foins|dépression|acouphènes|tdah|"
    "cholestérol",
    "intolérance|allergie|phobie|vertige|de la tension|le mal de (?:mer|l'air|la route)",
)
_OFTEN = any_of(
    r"tous les (?:jours|soirs|matins|mois|ans|week-ends|\w+dis|dimanches|étés|hivers)|toutes les (?:semaines|nuits)",
    r"chaque (?:jour|soir|matin|semaine|mois|année|week-end|été|hiver|\w+di|dimanche)",
    r"(?:par|fois par|heures par|livres par|km par) (?:jour|semaine|mois|an)|pour gagner ma vie",
)
_NO_ROLE = r"(?:peu|fan|petit|grand|gros|boulet|idiote?|imbécile|âne|génie|cas|nul|bon|bonne|vrai|vraie)"
_SETTLED = "(?:acté|décidé|réglé|tranché|entendu|validé)"
_DOES = any_of(
    "a|ont|habite|vit|travaille|adore|déteste|aime|n'aime pas|mange|ne mange (?:pas|plus)|boit|ne boit (?:pas|plus)",
    "joue|étudie|parle|souffre d[eu']|entre (?:au|en|à)|apprend|préfère|fume|ne supporte pas",
)
_ROLES = any_of(
    r"responsable|chef|cheffe|manager|manageuse|direct(?:eur|rice)|pdg|ceo|cto|cfo|lead|tech lead|fondat(?:eur|"
    r"rice)|gérante?|designer",
    r"développeu(?:r|se)|ingénieure?|architecte|contact|cliente?|fournisseur|stagiaire|analyste|comptable|"
    r"mainteneu(?:r|se)|propriétaire",
    r"scrum master|product owner|femme|mari|sœur|frère|fils|fille|mère|père|amie?|voisine?|collègue|médecin|"
    r"dentiste|présidente?",
)
_OWNED = any_of(
    r"enfants?|fils|filles?|jumeaux|jumelles|sœurs?|frères?|chiens?|chats?|chevaux|cheval|chienne|petits-enfants|"
    r"diabète|asthme|tdah",
    r"animal|animaux|tortues?|vaches?|chèvres?|poules|oiseaux|jardin|potager|camping-car|vélo électrique|collection d",
    r"allergies?|migraines|épilepsie|maladie cœliaque|chaton|lapins?",
)
_VERBS = any_of(
    "réponds|répondez|écris|écrivez|utilise|utilisez|emploie|mets|mettez|donne|donnez|ajoute|fais|faites|lance|"
    "explique|montre|garde",
    "évite|demande|vérifie|teste|formate|commente|parle|appelle|tutoie|vouvoie|propose|commence|termine|cite|"
    "préviens|pousse|supprime",
)
_ATTRIBUTES = (
    r"(?:nom|prénom|surnom|pseudo|anniversaire|fuseau horaire|adresse|numéro(?: de téléphone)?|e-?mail|"
    r"adresse (?:mail|e-?mail)|métier|"
    r"langue maternelle|pointure|groupe sanguin|employeur|entreprise|ville natale|horaires|éditeur|navigateur|"
    r"système d'exploitation|âge|"
    r"date de naissance|poste)"
)

FRENCH = Speech(
    code="fr",
    words="""je j'ai j'habite j'aime j'adore j' m'appelle moi mon ma mes nous notre nos on tu toi ton ta tes vous votre
    est sont suis es c'est ce cette ces le la les l' un une des du de d' et ou mais ne n' pas plus jamais que
    qu' qui quoi où comment pourquoi quand si avec pour sur dans par au aux en à chez il elle ils elles ça cela
    peux peut peux-tu ai as avons avez ont bien très toujours désormais dorénavant s'il souviens souviens-toi
    retiens traduis écris préfère déteste utilise utilisons travaille s'appelle appelle-moi voici merci être
    fait fais""",
    fillers=any_of(
        "ah|bon|alors|ok|d'accord|et|aussi|au fait|d'ailleurs|pour info|pour information|fyi|en fait|en réalité|non|"
        "oui|si|salut|bonjour",
        "coucou|désolée?|pardon|correction|comme je l'ai dit|comme dit|à noter que|à noter|sache que|sachez que|"
        "garde en tête que|voilà",
        "pour que tu saches|pour ta gouverne|honnêtement|personnellement|en général|généralement|merci|contexte|"
        "à propos de moi|petit rappel",
        "pour le contexte|dernière chose|autre chose|pour être clair|important|actuellement|aujourd'hui|maintenant|"
        "ps|au bureau|au travail|au boulot|à la maison|"
        "chez moi|chez nous",
    )
    + r"(?: ?,| ?:| ?;| -| –| —| ?!|\.\.\.|…)? ",
    explicit=r"(?:s'il te plaît,? |stp,? |et |aussi |ok |peux-tu |pourrais-tu ){0,3}(?:"
    + any_of(
        r"souviens-toi(?: bien)?(?: ?:|,)?(?: que| qu'| de ceci ?:)?|souvenez-vous(?: ?:|,)?(?: que)?|"
        r"rappelle-toi(?: ?:|,)?(?: que)?",
        r"retiens(?: bien)?(?: ?:|,)?(?: que| qu'| ceci ?:)?|(?:garde|retiens) ça ?:|retenez(?: bien)?(?: ?:|"
        r",)?(?: que)?|mémorise(?: ?:|"
        r",)?(?: que)?",
        r"n'oublie(?:z)? (?:pas|jamais)(?: ?:|,)?(?: que| qu')?|note(?:z)?(?: bien)?(?: ?:| que| qu')|"
        r"prends note(?: ?:| que)",
        r"garde(?:z)? en mémoire(?: ?:| que)?|enregistre(?: ?:| que)|note pour (?:moi|plus tard) ?:|"
        r"pour (?:plus tard|mémoire|la suite) ?[,:]",
        r"te souvenir que|te rappeler que|retenir que",
    )
    + ") ?",
    explicit_after=r"(?: ?,| -| ?;) (?:s'il te plaît )?(?:souviens-t'en|retiens-le|retiens ça|n'oublie pas|"
    r"garde ça en tête|note-le)$",
    no_memory=r"(?:quand|comment|pourquoi|où|qui\b|de (?!ceci)|d'|du\b|des\b|la (?:fois|dernière)|quoi|ce que|ça$|"
    r"cela$|-?le$|-?moi|"
    r"tu (?:es|n'as|dois)|l'(?:erreur|exemple)|cet|cette|ce\b)",
    standing=r"(?!(?:il|elle|ils|elles|ce|c'est|le|la|les)\b).{0,200}\b(?:à partir de maintenant|"
    r"à partir d'aujourd'hui|désormais|dorénavant|à l'avenir|dès maintenant|jusqu'à nouvel ordre)\b",
    orders=rf"(?:s'il te plaît,? )?{_VERBS}\b(?:-moi)? (?:[\w'-]+ ){{0,6}}?(?:toujours|systématiquement)\b|"
    r"(?:ne |n')(?:\w+) jamais (?!.*\bcette fonction\b)|toujours (?:utiliser|répondre|écrire|mettre|lancer|tester)\b|"
    r"(?:ne )?jamais (?:utiliser|répondre|écrire|mettre|lancer|pousser)\b|"
    r"(?:évite|arrête|n'utilise pas|ne mets pas|pas d|jamais d).{2,60} dans (?:tes|vos) (?:réponses|messages|textes)\b",
    forms=(
        Form(
            "decision",
            Category.DECISION,
            0.7,
            rf"{_WE} (?:\w+ )?(?:avons|a|ont) (?:\w+ )?(?:décidé|choisi|opté|convenu|acté|tranché|retenu|abandonné|"
            rf"validé) |"
            r"j'ai (?:\w+ )?(?:décidé|choisi|opté) |on part sur |nous partons sur |la décision(?: est| :) |"
            rf"c'est {_SETTLED} ?[:,]|"
            rf"(?:finalement |au final |bon |donc )*(?:on|nous|je) .{{2,100}}, c'est {_SETTLED}$|"
            r"(?:on|nous) (?:migre|migrons|passe|passons) (?:à|sur|vers) ",
            about_things=True,
        ),
        Form(
            "named person",
            Category.ENTITY,
            0.6,
            rf"(?:mon|ma|mes) (?:[\w-]+ )?{_KIN} (?:s'appelle(?:nt)?|se nomme|(?:est|sont) (?:{NAME}|une? |"
            rf"{_JOBS}s?\b|{_TRADE})|{_DOES} )|(?:mon|ma) (?:[\w-]+ )?{_KIN},? {NAME},? \w|"
            rf"(?:notre|mon|ma|le|la) (?:[\w'-]+ ){{0,3}}{_ROLES}(?: [\w'-]+){{0,3}} (?:est|s'appelle) {NAME}|"
            rf"{NAME}(?: {NAME})? est (?:maintenant )?(?:mon|ma|notre|le|la|l')\s?(?:[\w-]+ ){{0,2}}{_ROLES}\b|"
            rf"{NAME}(?: {NAME})? (?:dirige|gère l'équipe|s'occupe d) ",
        ),
        Form(
            "favourite",
            Category.PREFERENCE,
            0.6,
            r"(?:mon|ma|mes) [\w' -]{2,40} (?:préférée?s?|favorite?s?)(?: pour [\w ]{2,20})? (?:est|sont|reste) |"
            r"(?!(?:ce|c'|ça|cela|il|elle|lequel|laquelle|celui|celle)\b)[\w' -]{2,40} (?:est|sont) (?:mon|ma|mes) "
            r"(?:[\w'-]+ ){0,3}(?:préférée?s?|favorite?s?)\b",
        ),
        Form(
            "likes",
            Category.PREFERENCE,
            0.6,
            rf"(?:moi,? )?(?:je préfère|je n'aime|j'aime|j'adore|je déteste|je hais|j'apprécie|je n'apprécie|"
            rf"je ne supporte|j'évite|"
            rf"je n'ai jamais aimé) {_ADVERBS}|(?:je suis (?:fan|adepte)|j'ai horreur) d(?:es |e |u |')",
            about_things=True,
        ),
        Form(
            "habit",
            Category.PREFERENCE,
            0.55,
            r"je (?:ne )?(?:mange|bois|fume|porte|regarde|prends|cuisine|utilise|conduis) (?:plus|jamais|pas|que|"
            r"toujours|"
            r"uniquement|seulement) |je n'utilise (?:plus|jamais|pas|que) |j'ai (?:arrêté|commencé) (?:de |d'|à |"
            r"le |la |l')|"
            r"j'utilise (?:toujours|uniquement|surtout) |"
            rf"(?:je |j')(?!reçois|vois|essaie|ai\b|suis|dois|peux|veux|perds|oublie|faisais)[\wà-ÿ]+ "
            rf"(?:[\w'-]+ ){{0,6}}?{_OFTEN}\b",
            about_things=True,
        ),
        Form(
            "form of address",
            Category.PREFERENCE,
            0.7,
            rf"appelle(?:z)?-moi (?:plutôt |simplement )?{NAME}|"
            rf"tu peux m'appeler |"
            r"tout le monde m'appelle |(?:tutoie|vouvoie)-moi|on (?:peut|pourrait) se (?:tutoyer|vouvoyer)",
        ),
        Form(
            "name",
            Category.FACT,
            0.8,
            r"je m'appelle |je me nomme |mon (?:nom|prénom)(?: de famille)? est |"
            r"moi c'est ",
        ),
        Form(
            "trait",
            Category.FACT,
            0.65,
            rf"je suis (?:aussi |également )?une? (?!{_NO_ROLE}\b)[a-zà-ÿ]|j'ai été élevée? |"
            rf"je suis (?:\w+ )?{_TRADE} (?:à|en|au|dans|chez|pour|de)\b|"
            r"je suis en (?:fauteuil|situation de handicap|couple|cdi|cdd|reconversion|alternance|télétravail|"
            r"apprentissage|"
            r"terminale)\b|je (?:tourne|suis) sous (?:windows|linux|debian|ubuntu|mac|macos|fedora|arch|android|ios)\b|"
            rf"(?:j'ai|je souffre d[eu']|je fais d[eu']) ?(?:\w+ ){{0,3}}{_ILL}\b|j'ai (?:\w+ )?peur (?:des? |du |d')|"
            rf"(?:je (?:ne )?|j'|j)?suis {_ADVERBS}(?!ton |ta |votre )(?:une? |le |la )?(?:[\w'-]+ ){{0,2}}{_JOBS}\b|"
            rf"j'ai \d{{1,3}} ans|"
            rf"je suis (?:née? |originaire d|basée? (?:à|en)|de {NAME})|je viens (?:de |d')(?:la |l')?{NAME}|"
            rf"j'ai grandi (?:à|en|au) |"
            rf"(?:en tant qu(?:e |')|étant )(?:[\w'-]+ ){{0,2}}{_JOBS},? (?:je|j'|mon|ma|mes)\b(?! (?:veux|peux))|"
            r"j'ai (?:[\w-]+ ){0,3}(?:ans|années) (?:d'expérience|dans|de métier|de pratique)",
        ),
        Form(
            "place or work",
            Category.FACT,
            0.65,
            rf"ça fait (?:[\w-]+ ){{1,4}}(?:ans|mois|années) que (?:je |j')|je donne des cours |on loue\b|"
            rf"(?:on|nous) (?:a|avons) (?:une?|deux|trois|quatre|\d) (?:[\w-]+ ){{0,3}}de \d|"
            rf"(?:j'habite|je (?:ne )?vis|je n'habite|je loge|on (?:vit|habite)|nous (?:vivons|"
            rf"habitons)) {_ADVERBS}(?:à|en|au|aux|dans|chez|près|avec|seule?|"
            rf"sur|rue)\b|"
            rf"je (?:ne )?(?:travaille|bosse|taffe) {_ADVERBS}(?:à|en|au|aux|chez|comme|pour|dans|de nuit|depuis|"
            rf"à distance|avec|"
            rf"de chez)\b|"
            r"je suis des cours|j'étudie |je fais des études |j'enseigne |"
            rf"(?:j'ai|je suis) (?:\w+ )?(?:déménagée?|emménagée?|parti vivre|retournée? vivre|quitté {NAME}|"
            rf"rejoint {NAME}|pris ma retraite)",
        ),
        Form(
            "belonging",
            Category.FACT,
            0.6,
            rf"j'ai (?:une? |deux |trois |quatre |cinq |des |\d{{1,2}} )?(?:[\w-]+ ){{0,2}}{_OWNED}\b|"
            r"je parle (?!de\b|d'|avec\b|du\b|à\b)|j'apprends (?!que\b|à\b)|je joue (?:de |du |au |à la )|"
            r"je (?:dirige|gère|possède|maintiens) (?:une?|le|la|mon|ma|l') ?",
        ),
        Form(
            "attribute",
            Category.FACT,
            0.65,
            rf"(?:mon|ma|mes) (?:nouvelle? |"
            rf"nouveau )?{_ATTRIBUTES}(?: de \w+| \w+)? (?:est|sont|c'est) "
            r"(?!pas |cassé|lent|trop |en panne)",
        ),
        Form(
            "tools",
            Category.FACT,
            0.6,
            r"j'utilise (?!.*\b(?:ici|mais)\b)|(?:on|nous) (?:n')?(?:utilise|utilisons|déploie|déployons|héberge|"
            r"hébergeons|livre|livrons|"
            r"développe|développons|stockons|stocke|travaille|travaillons|suit|suivons) (?!.*\b(?:ici|mais)\b)|"
            r"(?:notre|nos|le|la|mon) (?:[\w'-]+ ){0,2}(?:projet|back-?end|front-?end|base de données|base|serveur|"
            r"équipe|entreprise|boîte|"
            r"application|appli|api|site|dépôt|cluster|pipeline|code|produit|branche principale|stack|service|"
            r"bureau) "
            r"(?:utilise|tourne sur|tourne avec|est (?:écrite? en|hébergée? |basée? )|s'appelle|commence|se trouve|"
            r"repose sur|est à|est en) ?",
            about_things=True,
        ),
    ),
    at_hand=r"(?:ça\b|cela\b|ceci\b|ce(?:tte|s|t)?\b|celui|celle|ton\b|ta\b|tes\b|votre\b|vos\b|comment\b|"
    r"comme (?:ça|cela)|l'idée|que (?:tu|vous)\b|"
    r"(?:la|le|les|l') ?(?:première?|deuxième|seconde?|troisième|dernière?|nouvelle?|nouveau|autre|version|"
    r"proposition|idée|solution|"
    r"réponse|fonction|approche|option|façon|code|fichier)\b|une? (?:boucle|fonction|script|liste|regex|variable|"
    r"classe|hook)\b|tout\b|merci)",
    dangling=r"\b(?:cela|ceci|celui|celle|ceux|celles|ça(?! fait))\b",
    doubtful=r"^(?:par exemple|genre|du style),? (?:je |j')|\b(?:si (?!bien)|s'il\b(?! te)|peut-être|je pense|"
    r"je crois|je suppose|j'espère|j'imagine|"
    r"je trouve que|probablement|sans doute|"
    r"pourrais(?! ?-?tu)|devrais|serais|aurais|supposons|imagine|imaginons|admettons|"
    r"(?:a|ont|m'a|m'ont) dit|dit que|disent que|pense que|prétend|raconte|d'après|selon|demande si|m'a demandé|"
    r"erreurs?|bugs?|plante|planté|exception|ne marche pas|ne fonctionne pas|marche plus|problèmes?|souci|échoue|"
    r"bloquée?|hier|"
    r"ce matin|s'arrête pas|en train|avertissement|(?:j'adore|j'aime) (?:trop )?quand)\b|\bsi j'|"
    r"^(?:ah|oh|ben|ouais) (?:super|génial|bravo|parfait|bien sûr|formidable)\b|\bvraiment bravo\b",
    wishing=r"\b(?:aimerais|voudrais|souhaiterais)\b",
    asking=r"(?:est-ce|peux-tu|pouvez-vous|pourrais-tu|sais-tu|as-tu|où|quand|comment|pourquoi|quel(?:le)?s?|"
    r"qui est|que (?:dois|faut|puis)|qu'est-ce|"
    r"combien|dois-je|tu te souviens|tu peux|vous pouvez)\b",
    material=r"\btradui[st]|\btraduction\b|"
    rf"\bcorrige\w*{NO_THING}|\brelire\b|\brelis\b|\breformul|\bimagine\b|\bimaginons\b|"
    r"\bsupposons\b|\bfais comme si\b|"
    r"\bjeu de rôle|\bfais semblant|\bécri(?:s|vez|re)(?:-moi)? une? (?:[\w-]+ ){0,2}(?:histoire|poème|chanson|"
    r"dialogue|scène|roman|tweet|blague|conte|"
    r"discours|nouvelle|post|avis)\b|\bcomment (?:dit-on|on dit)\b|\bphrase (?:d'exemple|suivante|est)|"
    r"\bcette phrase\b|\bgrammaire\b|"
    r"\bpour (?:mon|ma|une?) (?:amie?|pote|copine?|copain|cousine?|frère|sœur|collègue|cliente?|oncle|tante|fils|fille|"
    r"mère|père|femme|mari)\b.{0,80} ?: |"
    r"\borthographe\b|\bmon (?:roman|personnage|protagoniste)",
    joking=r"\b(?:je plaisante|je rigole|je blague|c'est une blague|ironie)\b",
    laughing=r"\b(?:haha\w*|mdr+|ptdr+|lol)\b|[😂🤣😜😝😛🙃😏]",
    joints=r"(?: ?,| ?;| –| —| -)? (?:et|mais|donc|alors) (?=(?:pas d|pas plus|ne |évite|s'il te plaît)|(?:je|nous|"
    r"on) |j'|(?:mon|ma|notre) [\w' -]{2,40} (?:est|"
    r"s'appelle|utilise|tourne)\b)|"
    r"(?: ?,| ?;| –| —| -) (?=(?:je|nous) |j'|(?:mon|ma) [\w' -]{2,40} (?:est|c'est|s'appelle)\b|peux-tu |"
    r"pourrais-tu |tu peux |comment |quel)",
    about_me=r"\b(?:à propos de moi|sur moi|me concernant|souviens|retiens|mes préférences|notre stack|à retenir|"
    r"à noter)\b",
    states=r"\b(?:est|sont|était|a|ont|utilise|tourne|sortent?|part(?:ent)?|va|vont|habite|vit|commence|finit|"
    r"expire|coûte|doit|peut|faut|"
    r"se trouve|s'appelle|reste)\b",
)
