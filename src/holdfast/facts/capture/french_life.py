"""How a French clause begins that says how somebody lives: what a group settled, a household, a trade, a craft."""

from __future__ import annotations

from typing import Final

from holdfast.facts.capture.french_words import ILL, JOBS, LANGUAGE, OFTEN, STYLE, TRADE, TRAITS, WHO
from holdfast.facts.capture.speech import NAME, Form
from holdfast.markdown.fact_row import Category

__all__ = ["LIFE"]

_FIRM: Final = (
    r"(?:boîte|entreprise|société|boutique|magasin|resto|restaurant|atelier|studio|cabinet|groupe|asso|association|ong|"
    r"startup|start-up|clinique|école|coopérative|boulangerie|ferme|maison d'édition|agence|marque|librairie|salon|pme|"
    r"exploitation|auto-école|brasserie)"
)
_PLACE: Final = (
    rf"(?:{_FIRM}|bureau|collège|lycée|usine|bibliothèque|cours|réunion|semaine|exercice|horaire|contrat|bail|loyer|"
    r"chaudière|équipe|service|quartier|immeuble|salle|crèche|fac)"
)
# What nobody does only once.
_FOR_GOOD: Final = (
    r"(?:pâtisse|tricote|brode|sculpte|compose|jardine|cultive|élève|monte à cheval|grimpe|plonge|surfe|chasse|"
    r"navigue|restaure|"
    r"enseigne|dirige|coordonne|administre|collabore|milite|conseille|audite|anime|encadre|supervise|médite|"
    r"pratique|bricole|"
    r"héberge|coiffe|arbitre|collectionne|cohabite|télétravaille|étudie|appartiens|préside|brasse|m'entraîne|"
    r"m'occupe d|"
    r"me lève|me couche|me chauffe|me déplace|me soigne|me forme|me reconvertis|donne des (?:cours|ateliers|"
    r"formations)|"
    r"donne un cours|roule (?=en )|code (?=en )|développe (?=en |des )|programme (?=en )|bosse (?=en |comme |chez |"
    r"dans |à |au )|"
    r"prépare (?:le|l'|mon|un) ?(?:concours|capes|agrég|bac|permis|diplôme|doctorat|marathon|examen))"
)
# What is for good where nothing says which one: "je vends des bijoux", and not "je vends l'appart".
_OFTEN_DONE: Final = (
    r"(?:fais|couds|peins|dessine|photographie|répare|construis|fabrique|loue|vends|importe|exporte|distribue|livre|"
    r"transporte|"
    r"traduis|imprime|cuisine|plante|pêche|garde|forme|soigne|accueille|tourne|chante|danse|écris(?= (?:surtout |"
    r"principalement )"
    r"?(?:du |en )(?-i:[A-Z])))"
)
_BARE: Final = (
    r"(?:surtout |principalement |aussi |beaucoup )?(?:des?|du|de la|de l'|d'|en|dans|surtout) ?(?!(?:mon|ma|ce|"
    r"cette|ça|la même|test|"
    r"tests|erreurs?|recherches|essais|bêtises|efforts|fautes|pauses?|gaffe|mal|bien|mieux|sorte|rond|conneries|"
    r"économies|boucle)\b)"
)
_THEY: Final = (
    r"(?:roule|cultive|élève|vend|fabrique|loue|héberge|se chauffe|cuisine|jardine|vit|habite|cohabite|partage|brasse|"
    r"chasse|pêche|navigue|restaure|retape|rénove|tient|gère|accueille|mange|boit|parle|se déplace|circule|"
    r"voyage|campe|chauffe|composte|recycle|trie)"
)

LIFE: Final = (
    Form(
        "decision",
        Category.DECISION,
        0.7,
        r"(?:(?:en|au|à la|à l'|lors d[eu]|pendant|après) ?[\w' -]{2,40}?,? )?(?:il a été|c'est|ça a été) (?:décidé|"
        r"acté|"
        r"voté|convenu|validé|approuvé|tranché) ?(?:que|qu'|de|:|,)|"
        r"(?:(?:en|au|à la|à l'|lors d[eu]) ?[\w' -]{2,40}?,? )(?:on|nous|ils) (?:a|avons|ont) (?:\w+ )?(?:décidé|"
        r"acté|voté|"
        r"convenu|validé|approuvé|choisi|tranché) ?(?::|,|de |d'|que |qu'|pour |contre |le |la |les |l'|un)|"
        r"(?:on|nous|j') ?(?:a|avons|ai) (?:\w+ )?fini par (?:choisir|prendre|opter|acheter|garder|retenir|trancher|"
        r"voter|"
        r"signer|embaucher) |(?:finalement|au final|bon) (?:ce sera|on (?:garde|prend|choisit|part)) \w",
    ),
    Form(
        "decision",
        Category.DECISION,
        0.7,
        r"(?:l'|le |la |notre |mon |ma )(?:équipe|bureau|conseil|ag|assemblée|comité|commission|syndicat|cse|ca|"
        r"direction|collectif|famille|"
        r"asso|association|rédaction|copro|copropriété|mairie|boîte|classe|club|jury)(?: [\w' -]{2,20}?)? (?:a|ont) "
        r"(?:\w+ )?(?:rejeté|annulé|"
        r"reporté|approuvé|élu|refusé|adopté|nommé|tranché|voté) ?(?::|,| )|[^,:]{4,100}, c'est (?:acté|décidé|voté|"
        r"réglé|validé|tranché)$",
    ),
    Form(
        "project",
        Category.ENTITY,
        0.6,
        rf"notre (?:[\w-]+ )?[\w-]+ (?:est|c'est) {NAME} {NAME}\b|(?:mon|ma|mes|notre|nos) (?!question|problème|"
        rf"souci|avis|dieu)[a-zà-ÿ-]+(?: "
        rf"[a-zà-ÿ-]+)?, (?:la |le )?{NAME}(?: {NAME})?, \w|"
        rf"(?:mon|ma|notre) (?:[\w-]+ )?{_FIRM},? (?:la |le |les |l')?{NAME}(?: [\w.&'-]+){{0,3}}?,? \w",
    ),
    Form(
        "household",
        Category.FACT,
        0.6,
        r"(?:chez (?:nous|moi)|à la maison|dans (?:ma|notre) (?:famille|coloc)),? (?:personne|aucun de nous|tout le "
        r"monde|"
        r"tous|on) (?:ne |n')?(?:mange|boit|fume|supporte|tolère|a|est|sont|parle|peut|porte|digère|aime)\b|"
        rf"(?:ici|là|nous ici) (?:à|en|au|aux|dans (?:le|la|les|l')) ?{NAME},? (?:on|nous|je|j')|(?:on|nous|j'|je) "
        rf"?(?:a|"
        rf"avons|ai|suis|est|vis|vit) [\w' -]{{3,50}}? ici,? (?:à|en|au|aux|dans (?:le|la|les|l')) ?{NAME}|"
        rf"(?:on|nous|je|j') ?(?:me |m'|se |nous )?[a-zà-ÿ]{{3,14}} (?:la maison |chez nous )?(?:uniquement|seulement|"
        rf"exclusivement|qu') ?(?:au|à|avec|en|par|aux|de|d') ?\w|(?:on|nous) {_THEY} (?:pas )?(?:en|au|à|avec|des|"
        rf"du|de|"
        rf"une?|la|le|les|aux|dans|sur|que|depuis) \w|"
        rf"j'ai (?:la garde d\w* )?(?:mes|les|ma|mon) (?:\w+ )?{WHO}s? .{{0,30}}(?:{OFTEN}|sur deux|en alternance)|"
        r"j'ai que (?:des|une?|du|de la) (?!question|minute|heure|problème|doute)\w|j'ai (?:pas |plus )(?:le |de |"
        r"d')(?:permis|voiture|four|balcon|ascenseur|télé|enfants?|internet|jardin|"
        r"lave-vaisselle|frigo|smartphone)\b",
        weak=True,
    ),
    Form(
        "likes",
        Category.PREFERENCE,
        0.6,
        r"(?:je )?(?:raffole|suis (?:dingue|gaga|folle|fou|fana|friande?)|dingue|gaga|accro|fana|friande?|folle|fou|"
        r"inconditionnel(?:le)?) (?:d[eu'] ?|des |aux? |par )\w|(?:adore|déteste|kiffe|hais|préfère) (?:les?|la|l'|"
        r"des|tout)"
        r" ?(?!(?:idée|version|réponse|titre|ton|première?|deuxième|fin|texte)\b)\w|"
        r"(?!(?:ça|ce|cela|ton|ta|cette)\b)[\w' -]{2,40} (?:c'est|est|n'est|ce n'est) (?:vraiment |carrément |"
        r"franchement )?"
        r"(?:pas (?:trop |vraiment |du tout |tellement )?(?:mon (?:truc|délire|fort|genre|style)|ma (?:tasse|came|"
        r"passion))|"
        r"niet|hors de question|sans moi|mon péché mignon|ma passion)|"
        r"(?!(?:ça|ce|cela)\b)(?:les? |la |l'|du |de la )[\w' -]{2,30} (?:non merci|très peu pour moi|ça passe pas|je "
        r"(?:peux|supporte) pas|j'évite|c'est niet|j'ai jamais (?:accroché|aimé|pu|compris)|ça m'a jamais)|"
        r"(?:supporter|supportrice|fan|abonnée?|inconditionnel(?:le)?) (?:d[eu'] ?|des |de l')[\w' -]{2,30} "
        r"(?:depuis|de toujours)|je suis plutôt (?:(?-i:[A-Z]{2,})|thé|café|chats?|chiens?|salé|sucré|mer|montagne|"
        r"bière|vin|rock|jazz|fantasy|polars?|matin|soir)\b",
        about_things=True,
        weak=True,
    ),
    Form(
        "answers",
        Category.PREFERENCE,
        0.7,
        r"(?:les |tes |vos |le |la )?(?:réponses?|explications|exemples|résumés|code|commentaires|textes?|listes|"
        r"chiffres|"
        r"nombres|dates|heures|prix|mesures|unités|quantités|températures|recettes|mails|variables)(?: [\w-]+){0,2} "
        r"(?:toujours|"
        r"seulement|uniquement|jamais)(?: [\w-]+)? (?:en|avec|sans|de|au|à) \w|"
        rf"(?:avec moi|pour moi),? (?:pas d|jamais d|sans |que d|toujours )\w*|(?:pas|jamais) (?:de |"
        rf"d'){STYLE}.{{0,15}} "
        rf"(?:avec moi|pour moi)|"
        r"(?:à )?(?:chaque|toutes les) fois que (?:je |j')(?:t'|te |vous )?\w+ .{2,50}?,? (?:mets|écris|donne|réponds|"
        r"utilise|convertis|fais|affiche|rends|passe|traduis|pense|évite|ajoute|précise)\b|"
        r"(?:tu peux|vous pouvez|on peut|merci de|n'hésit\w+ pas à) (?:me |se )(?:tutoyer|vouvoyer)",
    ),
    Form(
        "trait",
        Category.FACT,
        0.65,
        rf"(?:en tant qu(?:e |')|étant |comme je suis )(?:une? )?(?:[\w'-]+ ){{0,2}}?(?:malvoyante?|malentendante?|"
        rf"{JOBS}|"
        rf"{TRAITS}|{TRADE})\b(?! je (?:veux|peux|souhaite))|"
        rf"(?:le |l')?{LANGUAGE} (?:est|c'est) ma (?:langue|deuxième)|allergique (?:à|au|aux) \w|{TRAITS} ici\b|"
        rf"(?:papa|maman|père|mère) (?:solo|célibataire|isolée?|au foyer|de (?:deux|trois|quatre|\d))|"
        r"[a-zà-ÿ]{4,}(?:iste|eur|euse|ier|ière|teur|trice|ien|ienne|ant|ante|logue|cien) (?:(?:de|en|d') ?[\w-]+ "
        r")?depuis "
        r"(?:les|toujours|(?:19|20)\d\d|\d|(?:\w+ )?(?:ans|années|l'enfance|tout))|"
        r"je suis (?:actuellement )?en (?:reconversion|formation|alternance|apprentissage|bts|master|licence|prépa|"
        r"thèse|"
        r"internat|congé parental|arrêt longue|invalidité|recherche d'emploi)\b|je me (?:reconvertis|forme|prépare) |"
        rf"(?:mon|ma|le|la) (?:médecin|doc|docteur|psy\w*|cardio\w*|dermato\w*|gynéco\w*|neuro\w*|endocrino\w*|"
        rf"rhumato\w*|"
        rf"sage-femme|généraliste|spécialiste)[\w ]{{0,12}},? (?:(?:le |la )?(?:docteure?|dr\.?) {NAME},? )?m'a "
        rf"(?:\w+ )?"
        rf"(?:mise? sous|prescrit|diagnostiqu|détect|interdit|donné|arrêté)\w*|"
        rf"(?:j'ai|je porte|on m'a posé) (?:une? )?(?:[\w-]+ )?(?:prothèse|pacemaker|stent|canne|béquilles|fauteuil|"
        rf"pompe à insuline|appareil auditif|{ILL})\b(?! (?:à rendre|sur|pour))|"
        rf"(?:{TRAITS}|sobre|abstinente?|sourde?|aveugle) (?:d'|de |depuis |du ) ?[\w' ]{{2,25}}$|depuis que "
        rf"(?:j'ai arrêté|je suis|j'ai (?:eu|déménagé|perdu)|"
        rf"on (?:a|vit)) \w|née? à {NAME},? (?:je |mais |et )",
    ),
    Form(
        "attribute",
        Category.FACT,
        0.6,
        rf"(?:toute? )?(?:mon|ma|notre) (?:équipe|boîte|famille|société) (?:entière )?(?:est|vit|habite|bosse|"
        rf"travaille) (?:à|en|au|dans) {NAME}|je fais tout (?:dans|avec|sur|sous|en) \w|"
        rf"ici (?:à|en|au|dans (?:le|la|les)) {NAME} (?:il|on|c'est|l') ?\w|(?:mon|ma|notre) (?:[\w-]+ )?{_PLACE} "
        rf"(?:ferme|ouvre|commence|finit|termine|dure|expire|est (?:à|en|au|le|tous|"
        rf"fermée?|ouverte?|révisée?)|travaille|compte (?:\d|deux|trois|quatre)|a lieu|tombe) ?\w|"
        r"(?:mon|ma|notre|le|la|l') ?(?:[\w-]+ )?(?:back(?:-?end)?|front(?:-?end)?|api|appli|base de données|"
        r"serveur|site) "
        r"(?:est|c'est|tourne|on l'a|est écrite?|est faite?) (?:fait |écrit |codé )?(?:en|avec|sur|sous) \w",
        weak=True,
    ),
    Form(
        "doing",
        Category.FACT,
        0.5,
        rf"(?:je |j')(?:{_FOR_GOOD}(?= |'|$|\w)(?! (?:pas|plus|ça|ce|cette|cela)\b)|{_OFTEN_DONE} {_BARE}(?=\w{{3,}}))",
        about_things=True,
        weak=True,
    ),
)
