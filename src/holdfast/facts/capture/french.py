"""How people speak about themselves in French."""

from __future__ import annotations

from holdfast.facts.capture.french_forms import (
    ASKS,
    FORMS,
    GIVEN,
    KIN_SAYS,
    LIKE_ME,
    MINE,
    MY,
    NO_LINK,
    SETTLED,
    THEN,
    WE,
    WHY,
)
from holdfast.facts.capture.french_life import LIFE
from holdfast.facts.capture.french_words import STYLE, VERBS
from holdfast.facts.capture.speech import NO_THING, Speech, any_of

__all__ = ["FRENCH"]

FRENCH = Speech(
    code="fr",
    loose=True,
    words="""je j'ai j'habite j'aime j'adore j' m'appelle moi mon ma mes nous notre nos on tu toi ton ta tes vous
    votre est sont suis es c'est ce cette ces le la les l' un une des du de d' et ou mais ne n' pas plus
    jamais que qu' qui quoi où comment pourquoi quand si avec pour sur dans par au aux en à chez il elle ils
    elles ça cela peux peut peux-tu ai as avons avez ont bien très toujours désormais dorénavant s'il
    souviens souviens-toi retiens traduis écris préfère déteste utilise utilisons travaille s'appelle
    appelle-moi voici merci être fait fais ke ki pa jfais jsui jsuis jabite chu chuis jai prefere deteste
    depuis stp tout tous toutes toute leur lui y comme parce puisque vu sans sous entre aussi alors donc car
    quel quelle réponds réponses dis mari femme fille fils chien chat ans maison faut rien chaque évite
    arrête plutôt etre tres tutoie vouvoie mère père""",
    fillers=any_of(
        "ah|bon|alors|ok|d'accord|et|aussi|au fait|d'ailleurs|pour info|pour information|fyi|en fait|en réalité|non|"
        "oui|si(?=[,:;])|salut|wesh|bonjour|bonsoir|hello|hey|coucou|yo|dis|dites|bjr|slt|svp|stp|s'il te plaît|re|pis|"
        "ben|"
        "euh|bah|mais|voilà|alors voilà|donc|du coup|eh bien|écoute|tiens|moi(?= (?:je|j'|aussi))|perso|quoi",
        "désolée?|pardon|correction|comme je l'ai dit|comme dit|à noter que|à noter|sache que|sachez que|tu sais|"
        "garde en tête que|pour que tu saches|pour ta gouverne|honnêtement|personnellement|généralement|"
        r"merci|contexte|mon contexte|ma situation|à propos de moi|petit rappel|petite précision|précision|"
        r"je te rappelle que|je te signale que|rappel|côté \w+|coté \w+|je précise"
        "(?: que| qu'il)?|il faut savoir que|faut savoir que|il se trouve que|en gros|franchement|à vrai dire",
        "pour le contexte|dernière chose|autre chose|pour être clair|important|actuellement|aujourd'hui|maintenant|"
        "ps|au bureau|au travail|au boulot|à la maison|chez moi|chez nous|sinon|par contre|en plus|et puis|"
        f"(?:{WHY})(?= ?{MY})|finalement|au final|après (?:réflexion|discussion|réunion)|ça y est|tout compte fait",
    )
    + r"(?: ?,| ?:| ?;| -| –| —| ?!|\.\.\.|…)? ?(?<=[ ,:;!…']) ?",
    explicit=r"(?:s'il te plaît,? |stp,? |et |aussi |ok |peux-tu |pourrais-tu |tu peux |pense à |merci de ){0,3}(?:"
    + any_of(
        r"souviens[- ]toi(?: bien)?(?: ?:|,)?(?: que| qu'| de ceci ?:)?|souvenez-vous(?: ?:|,)?(?: que)?|"
        r"rappelle[- ]toi(?: ?:|,)?(?: que)?",
        r"retiens(?: bien| stp)?(?: ?:|,)?(?: que| qu'| ceci ?:| ça ?:)?|(?:garde|retiens) ça ?:|"
        r"retenez(?: bien)?(?: ?:|,)?(?: que)?|mémorise(?: ?:|,)?(?: que)?",
        r"n'oublie(?:z)? (?:pas|jamais)(?: ?:|,)?(?: que| qu')?|(?:oublie|oubliez) (?:pas|jamais)(?: ?:|,)? qu(?:e|')|"
        r"note(?:z|s)?(?: bien| stp| quelque part| donc| ça)?(?: ?:| que| qu')|prends (?:bien )?(?:en )?note(?: ?:|"
        r" que)",
        r"garde(?:z)? (?:bien |ça )?en (?:mémoire|tête)(?: ?:| que| qu')?|enregistre(?: ?:| que| bien que)|"
        r"note pour (?:moi|plus tard) ?:|pour (?:plus tard|mémoire|la suite|la prochaine fois) ?[,:]|"
        r"(?:mets|ajoute|garde)[\w -]{0,20} mémoire(?: ?:| que| qu')|(?:à retenir|mémo|pense-bête) ?:",
        r"(?:ne )?(?:perds|perdez) pas de vue que|dis-toi bien que|mets-toi (?:bien )?(?:dans la tête|en tête) que|"
        r"te souvenir que|te rappeler que|retenir que|noter que|j'aimerais que tu (?:retiennes|notes|"
        r"te souviennes) que",
    )
    + ") ?",
    explicit_after=r"(?: ?,| -| ?;| ?\(|\.)? (?:s'il te plaît |merci de |et )?(?:souviens-t'en|retiens-le|retiens ça|"
    r"n'oublie pas(?: stp)?|oublie pas(?: stp)?|garde(?:-le| ça) en (?:tête|mémoire)|note-le|note ça|à retenir|"
    r"retiens-le bien|t'en souvenir)\)?$",
    no_memory=r"(?:quand|comment|pourquoi|où|qui\b|de (?!ceci)|d'|du\b|des\b|la (?:fois|dernière)|quoi|ce que|ça$|"
    r"cela$|-?le$|-?moi|tu (?:es|n'as|dois)|l'(?:erreur|exemple)|cet|cette|ce\b)",
    standing=r"(?!(?:il|elle|ils|elles|ce|c'est|le|la|les)\b).{0,200}\b(?:à partir de maintenant|"
    r"à partir d'aujourd'hui|désormais|dorénavant|à l'avenir|dès maintenant|jusqu'à nouvel ordre|"
    r"pour (?:toutes? )?(?:les|nos|tes) prochaines? (?:fois|réponses|conversations|échanges))\b",
    orders=rf"(?:plus (?:jamais )?de|assez de|fini les?) (?:\w+ )?(?:réponses?|messages?|textes?) |"
    rf"(?:s'il te plaît,? |stp,? )?{VERBS}\b(?:[- ]moi)? (?:[\w',%-]+ ){{0,9}}?(?:toujours|systématiquement|"
    r"par défaut|à chaque fois|chaque fois que|(?:dans|à) (?:toutes )?(?:tes|vos) (?:réponses|messages|textes|"
    r"explications)|avec moi|quand (?:tu|vous) (?:me |m')?(?:réponds|répondez|écris|parles|expliques|codes)|"
    r"quand je te (?:pose|demande|parle|écris))\b|(?:ne |n')(?:\w+ )?(?:\w+) (?:plus )?jamais (?!.*\bcette fonction\b)|"
    r"toujours (?:utiliser|répondre|écrire|mettre|lancer|tester)\b|"
    r"(?:ne )?jamais (?:utiliser|répondre|écrire|mettre|lancer|pousser)\b|"
    r"(?:évite|arrête|n'utilise pas|ne mets pas|mets pas|utilise pas|pas d|plus d|jamais d|zéro |sans |moins d)"
    r".{2,60} (?:dans (?:tes|vos) (?:réponses|messages|textes)|quand tu (?:me |m')?(?:réponds|écris|parles))\b|"
    rf"(?:arrête|arrêtez|cesse|évite|évitez|stop) (?:avec |aux? |à |de |d'|le |la |l'|"
    rf"les )*(?:[\w'-]+ ){{0,3}}?{STYLE}|"
    rf"(?:ne |n')(?:me |m')?(?:mets|fais|donne|sers|écris|utilise) (?:pas|plus) (?:de |d'|tant de )?{STYLE}|"
    rf"(?:plus|jamais|pas trop|trop) (?:de |d'){STYLE} (?:stp|merci|s'il te)|"
    rf"(?:quand|chaque fois que|dès que|lorsque) (?:tu (?:me |m')?(?:réponds|écris|expliques|proposes|donnes|codes|"
    rf"corriges|parles|cites)|je te (?:demande|pose|envoie|colle|parle|donne|passe|montre|file|soumets|"
    rf"partage)) .{{2,80}}?,? (?:{VERBS}|ne |n'|pas d)\b|"
    r"je (?:veux|préfère|souhaite) que (?:tu|vous) (?:me |m')?(?:répond|écri|parl|tuto|vouvo|appel|expliqu|évit|"
    r"donn)\w+",
    forms=(*FORMS, *LIFE),
    at_hand=r"(?:ça\b|cela\b|ceci\b|ce(?:tte|s|t)?\b|celui|celle|ton\b|ta\b|tes\b|votre\b|vos\b|comment\b|"
    r"comme (?:ça|cela)|l'idée|que (?:tu|vous)\b|(?:la|le|les|l') ?(?:première?|deuxième|seconde?|troisième|dernière?|"
    r"nouvelle?|nouveau|autre|version|style|rythme|structure|tournure|texte|rendu|proposition|idée|solution|réponse|"
    r"fonction|approche|option|façon|code|fichier|"
    r"résultat|ton|début|fin|titre)\b|une? (?:boucle|fonction|script|liste|regex|variable|classe|hook|map|tableau)\b|"
    r"rien\b|tout\b(?! (?:chez|sur|dans|sous|en)\b)|merci|quand\b|l[ea] \d)",
    dangling=r"\b(?:cela|ceci|celui|celle|ceux|celles|ça(?! (?:fait|va|me|m)\b))\b",
    doubtful=r"\b(?:poème|chanson|histoire|conte|roman|narrateur|héros|personnage|scénario|sketch|film|"
    r"série)\b.{0,60}\b(?:dit|dise|où|raconte)\b|"
    r"\b(?:écri[st]|rédige|génère|invente|trouve|propose|fais)\b.{3,80}\b(?:genre|du style|style|"
    r"du genre) (?:je |j'|mon |ma )|"
    r"^(?:par exemple|genre|du style),? (?:je |j')|^(?:et )?si (?!tu (?:peux|veux)|possible|bien)|"
    r"\b(?:supposons|imaginons|admettons|mettons que|"
    r"(?:a|ont|m'a|m'ont|vient de me) (?:dit|raconté|expliqué|affirmé|soutenu|répondu|sorti|écrit)|dit que|disent que|"
    r"prétend|raconte que|d'après|selon (?!moi)|m'a demandé|paraît que|(?:une|cette|même|l') ?erreur (?!de jeunesse)|"
    r"(?:j'adore|j'aime) (?:trop )?quand|"
    r"quand j'étais)\b|^(?:ah |oh |ben |ouais )?(?:super|génial|bravo|parfait|bien sûr|formidable|magnifique|top|"
    r"merveilleux|youpi|chouette|quel bonheur|quelle joie)\b(?!.*\bmerci\b)|\bvraiment bravo\b",
    unsure=r"\b(?:(?:fait|lui|elle|il|mec) genre\b|si (?:on|nous|je (?!peux|dois|puis)|j'(?!ai (?:bien )?compris))|"
    r"l'impression (?:que|d))",
    technical=r"\b(?:tests|chaque push|en ci|commits?|localhost|recharge|sauvegarde|modif|trace|erreurs?|bugs?|"
    r"planté|plante|exception|échoue|avertissement|compile|log|logs|stack ?trace|null|"
    r"none|"
    r"undefined|csv|json|regex|map|une boucle|array|script)\b",
    passing=r"\b(?:demain|ce soir|aujourd'hui|cet après-midi|tout à l'heure|(?<!le )(?<!les )(?<!chaque )(?<!tous "
    r")(?<!du )(?<!au )"
    r"(?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche)(?! off| sur deux)|prochaine?|cette fois|là|rouvrir|à "
    r"nouveau|encore une fois)\b",
    wishing=r"\b(?:aimerais|voudrais|souhaiterais|peut-être|je pense|je crois|je suppose|j'espère|j'imagine|"
    r"je trouve que|probablement|sans doute|pourrais(?! ?-?tu)|devrais|serais|aurais|ne marche pas|ne fonctionne pas|"
    r"marche plus|marche pas|problème (?:avec|sur|de (?:connexion|code))|souci (?:avec|sur)|bloquée?|hier|ce matin|ce "
    r"soir|aujourd'hui|tout à l'heure|s'arrête pas|en train|demain|en ce moment|cette semaine|la semaine prochaine|"
    r"j'hésite|on hésite|demande si|pas (?:encore )?sûre?|à la bourre|en retard|jusqu'(?:à|au) (?:\w+di|dimanche|"
    r"demain|ce soir|la fin)|de location|que tu (?:m'as|viens de)|que vous m'avez|que je "
    r"(?:t'ai|viens de)|rien (?:\w+ )?depuis|ce week-?end|cet après-midi|pour l'instant|à l'instant|"
    r"là tout de suite|panier|wishlist|sur la photo|avec toi)\b|\b(?:à|en|de|sous|sur|dans|chez|avec|pour|par|un|une|"
    r"le|la|les|du|des|au|ou|"
    r"et|que|mon|ma)$",
    asking=r"(?:est-ce|peux-tu|pouvez-vous|pourrais-tu|sais-tu|as-tu|où|quand(?! (?:tu|je te|je vous)\b)|comment|"
    r"pourquoi|quel(?:le)?s?|"
    r"qui est|que (?:dois|faut|puis)|qu'est-ce|c'est quoi|c'est (?:grave|normal|vrai|possible)|t'as|connais-tu|"
    r"combien|dois-je|tu te souviens|tu (?:peux(?! m'appeler| me (?:dire|tuto|vouvo))|connais|sais)|vous pouvez(?! "
    r"m'appeler| me (?:dire|tuto|vouvo)))\b",
    material=r"\btradui[st]|\btraduction\b|"
    rf"\bcorrige\w*{NO_THING}(?! (?:ensuite|après|d'abord|toujours|después|primero|siempre|luego|depois|primeiro|"
    rf"sempre)\b)|\brelire\b|\brelis\b|\breformul|\bimagine\b|\bimaginons\b|"
    r"\bsupposons\b|\bfais comme si\b|\bjeu de rôle|\bfais semblant|\bjou(?:e|ons|er) (?:le rôle|à|un jeu)|"
    r"\bon (?:fait|joue) (?:un jeu|une partie|à\b.{3,40} :)|\bdans la peau d|\bdevinette|\bqui suis-je\b|"
    r"\b(?:ré)?écri(?:s|vez|re)(?:-moi)? (?:une? (?:[\w-]+ ){0,2}(?:histoire|poème|chanson|dialogue|scène|roman|"
    r"tweet|blague|conte|discours|nouvelle|post|avis|sketch|témoignage|annonce)\b)|\bcomment (?:dit-on|on "
    r"dit|dire|se dit)\b(?! [«\"]? ?[\w'-]+ ?[»\"]?(?: ?\?|$| en \w+))|\bphrase (?:d'exemple|suivante|est)|"
    r"\bcette phrase\b|\bgrammaire\b|\b(?:l'|cet |mon )exercice\b|\bexercice \d|\bénoncé\b|"
    r"\bcontinue (?:l'histoire|le dialogue|le texte)|\bréécri[st]|\bparoles?\b.{0,20}\bchanson|"
    r"\bpour (?:mon|ma|une?) (?:amie?|pote|copine?|copain|cousine?|frère|sœur|collègue|cliente?|oncle|tante|fils|fille|"
    r"mère|père|femme|mari)\b.{0,80} ?: |\bau nom de\b.{0,60} : |"
    r"\borthographe\b|\b(?:mon|ma) (?:roman|personnage|protagoniste|nouvelle fantasy|pièce de théâtre|scénario)",
    joking=r"\b(?:je plaisante|je rigole|je blague|c'est une blague|ironie|je déconne)\b",
    laughing=r"\b(?:haha\w*|mdr+|ptdr+|lol)\b|[😂🤣😜😝😛🙃😏]",
    joints=rf"(?=[ ,;])(?:{NO_LINK}(?:(?: ?[,;]| –| —| -)?(?: (?:et|mais|car|donc|alors|pis|puis|ni|sinon|du coup|or|"
    rf"en fait|aussi|par contre|en plus|surtout|maintenant|aujourd'hui|depuis|{WHY}|et en plus|"
    rf"d'ailleurs)\b){{0,3}} ?(?<=[ '])"
    rf"(?=(?:moi )?(?:je |j'|jai |jsui|chu |chuis |j(?=[bcdfgpqrtv][a-zà-ÿ]{{2,}} |hab|abit|aim|ador|util)|on (?!y )|"
    rf"nous (?:\w+ons|sommes|n'|ne)\b))|"
    rf"(?: ?[,;]| –| —| -)?(?: (?:et|pour|avec|à|chez|mais|car|sinon|comme|{WHY}))? (?={KIN_SAYS}|{LIKE_ME}|{MINE})|"
    rf"(?: ?[,;]| –| —| -)?(?: (?:et|mais|donc|alors|du coup))? (?={ASKS}\b))|"
    rf"(?: ?[,;]| –| —| -)(?: (?:et|mais|donc|alors|du coup|ou|stp|merci))? (?={THEN})|"
    r"(?: ?,| ?;| –| —| -)? (?:et|mais|donc|alors) (?=(?:pas d|pas plus|ne |évite|arrête|s'il te plaît|tutoie|vouvoie|"
    r"réponds|appelle)|(?:mon|ma|notre) [\w' -]{2,40} (?:est|s'appelle|utilise|tourne)\b)|"
    r"(?: ?,| ?;| –| —| -) (?=(?:mon|ma) [\w' -]{2,40} (?:est|c'est|s'appelle)\b))",
    about_me=r"\b(?:mon (?:profil|cv)|mes (?:infos|données)|moi en bref|à propos de moi|sur moi|me concernant|souviens|"
    r"retiens|mes préférences|notre stack|à retenir|"
    r"à noter)\b",
    states=r"\b(?:est|sont|était|a|ont|utilise|tourne|sortent?|part(?:ent)?|va|vont|habite|vit|commence|finit|"
    r"expire|coûte|doit|peut|faut|se trouve|s'appelle|reste|change|tombe|ferme|ouvre)\b",
    leads=any_of(
        r"tou(?:s|tes) les [\w-]+(?: [\w-]+)?|chaque [\w-]+(?: [\w-]+)?|les? (?:\w+dis?|dimanches?|soirs?|matins?|"
        r"midis?|"
        r"week-?ends?)(?: (?:soirs?|matins?|midis?|après-midi))?(?: et les? \w+)?|en (?:semaine|été|hiver|vacances)|"
        r"d'habitude|en général|normalement|l'été|l'hiver|du lundi au \w+|un \w+ sur deux|(?:à )?(?:chaque|toutes "
        r"les) fois que [^,]{3,60}",
        r"depuis (?:[\w'-]+ ){0,4}?[\w'-]+|chez (?:nous|moi)|à la maison|dans (?:ma|mon|notre|la) [\w-]+(?: [\w-]+)?|"
        r"au "
        r"(?:boulot|travail|bureau|taf|lycée|collège)|pour (?:le|ce|notre|mon) [\w-]+(?: [\w-]+)?|avec (?:mon|ma|mes|"
        r"l') "
        r"?[\w-]+(?: [\w-]+)?|quand (?:tu|je te) [^,]{3,60}|après (?:[\w'-]+ ){0,5}?[\w'-]+|finalement|au final",
        r"j'ai fini par me décider|ça y est|moi|perso|comme|(?:[\w'-]+ ){1,4}et moi|moi et [\w' ]{2,20}|(?:les? |la |"
        r"l'|des |du )[\w'-]+(?: [\w'-]+)?|en tant qu(?:e|') ?[\w -]{3,40}|étant [\w -]{3,40}|"
        r"ça fait (?:[\w-]+ ){1,4}que|"
        rf"c'est {SETTLED}|{WE} a (?:voté|décidé|tranché|validé)",
    )
    + rf"(?:,? (?={MY})|$)",
    given=rf"{GIVEN}|{LIKE_ME}|{MINE}",
    because=rf"(?:{WHY})['\s]*$",
    profile=r"(?:[\w']+ ){0,3}(?:mon (?:profil|cv)|mes (?:infos|données|coordonnées)|sur moi|me concernant|moi en bref|"
    r"qui je suis|"
    r"me présenter|présentation|côté (?:technique|tech)|(?:notre |ma |la )?(?:stack|config|conf)|(?:mon |"
    r"le )?setup)(?: \w+){0,4} ?: ",
)
