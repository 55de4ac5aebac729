"""The people, trades, conditions, things and times that French speakers name when they speak about themselves."""

from __future__ import annotations

from typing import Final

from holdfast.facts.capture.speech import NAME, any_of

__all__ = [
    "ADVERBS", "AGE", "ATTRIBUTES", "HOBBIES", "ILL", "JOBS", "KIN", "LANGUAGE", "LIVES", "NO_ROLE", "OFTEN", "OWNED",
    "ROLES", "STYLE", "THINGS", "TRADE", "TRAITS", "VERBS", "WHO",
]  # fmt: skip

ADVERBS: Final = (
    r"(?:(?:vraiment|beaucoup|bien|surtout|toujours|aussi|encore|personnellement|actuellement|maintenant|souvent|"
    r"plutôt|pas|plus|également|jamais|pas du tout|particulièrement|absolument|généralement|trop|désormais|tout|"
    r"récemment|juste|très|assez|complètement|totalement|officiellement|légèrement|un peu|actuellement) ){0,3}"
)
JOBS: Final = any_of(
    r"développeu(?:r|se)|dev|ingénieure?|infirmi(?:er|ère)|médecin|enseignante?|professeure?|profs?|avocate?|"
    r"étudiante?|chercheu(?:r|se)|architecte|comptable|designer|journaliste|photographe|musicienn?e?|instit|interne",
    r"consultante?|chef(?:fe)? d[e'] ?\w+|gérante?|entrepreneu(?:r|se)|freelance|maître[a-z-]* [\w-]+|apprentie?|"
    r"indépendante?|auto-entrepreneu(?:r|se)|retraitée?|fonctionnaire|polici(?:er|ère)|pompi(?:er|ère)|gendarme",
    r"électricienn?e?|mécanicienn?e?|pharmacienn?e?|psychologue|psy|kiné|ostéo|podologue|aide[ -]soignante?|"
    r"vétérinaire",
    r"sage-femme|bibliothécaire|libraire|analyste|data scientist|doctorante?|lycéenn?e?|collégienn?e?|écrivaine?|véto|"
    r"militaire|curé|pasteur|maire|artisane?|paysanne?|éleveu(?:r|se)|viticult(?:eur|rice)|guide|coach|"
    r"magistrate?|notaire|huissi(?:er|ère)|assistante? \w+|agente? \w+|secrétaire|nounou|\w+ de métier|"
    r"intermittente?|alternante?|stagiaire|thésarde?|chauffeu(?:r|se)|livreu(?:r|se)|facteur|factrice|cadre",
)
TRAITS: Final = any_of(
    r"végétarienn?e?s?|végéta[rl]ienn?e?s?|végé|végane?s?|vegans?|pescétarienn?e?s?|flexitarienn?e?s?|diabétiques?|"
    r"cœliaques?|coeliaques?|intolérante?s?|allergiques?|gauch(?:er|ère)s?|droiti(?:er|ère)s?|ambidextre",
    r"daltonienn?e?s?|dys(?:lexique|praxique|orthographique|phasique|calculique)s?|sourde?s?|malentendante?s?|"
    r"malvoyante?s?|aveugles?|asthmatiques?|autistes?|épileptiques?|tdah|haut potentiel|hypersensibles?|insomniaques?|"
    r"hypertendue?s?|bipolaires?|migraineu(?:x|se)|handicapée?s?|tétraplégique|paraplégique|en fauteuil(?: roulant)?|"
    r"en situation de handicap|phobique|claustrophobe|agoraphobe|hypothyroïdienn?e?|myopes?|presbyte|astigmate",
    r"mariée?s?|pacsée?s?|divorcée?s?|séparée?s?|célibataires?|veu(?:f|ve)s?|enceinte|orphelin|au chômage|"
    r"à la retraite|en couple|en cdi|en cdd|en reconversion|en alternance|en télétravail|en apprentissage|"
    r"à mi-temps|à temps partiel|à mon compte|en congé (?:maternité|parental|paternité)|en terminale|en première|"
    r"en (?:seconde|master|licence|prépa|bts|but|iut|thèse|doctorat|l[123]|m[12]|cm[12]|ce[12]|cp|sixième|6e|3e|4e|5e)|"
    r"en arrêt (?:maladie|longue)|au rsa|propriétaires?|locataires?|sobres?|daltoniens",
    r"belges?|suisses?|française?s?|québécoise?s?|canadienn?e?s?|sénégalaise?s?|marocaine?s?|algérienn?e?s?|"
    r"tunisienn?e?s?|camerounaise?s?|ivoirienn?e?s?|bretonn?e?s?|corses?|basques?|alsacienn?e?s?|allemande?s?|"
    r"italienn?e?s?|espagnole?s?|portugaise?s?|anglaise?s?|américaine?s?|polonaise?s?|libanaise?s?|musulmane?s?|"
    r"juive?s?|juif|catholiques?|protestante?s?|bouddhistes?|athées?|croyante?s?|pratiquante?s?|bilingues?|trilingue",
    r"papa|maman|père|mère|grand-(?:père|mère)|belle-mère|beau-père|parent|aîné|jumeau|jumelle|fille unique|"
    r"fils unique|matinale?|couche-tard|lève-tôt|introvertie?|extravertie?|frileu(?:x|se)|novice|débutante?|"
    r"autodidacte|bénévole|famille d'accueil|aidante?",
)
WHO: Final = any_of(
    "femme|mari|mec|meuf|nana|conjointe?|compagne|compagnon|copine|copain|blonde|chum|fiancée?|époux|épouse|mère|maman|"
    "père|papa|"
    "daronn?e?|sœur|soeur|frère|frangine?|fils|fille|gamine?|gosse|bébé|bb|enfant|tante|tata|oncle|tonton|cousine?|"
    "nièce|neveu|filleule?|parrain|marraine|grand-mère|grand-père|mamie|mamy|papi|papy|mémé|pépé|ex",
    r"bel(?:le)?-(?:mère|sœur|soeur|fille|maman)|beau-(?:père|frère|fils|papa)|demi-(?:sœur|soeur|frère)|"
    r"arrière-grand-(?:mère|père)|petite?-(?:fils|fille|amie?)|enfants|parents|beaux-parents|petits-enfants|filles|"
    r"jumeaux|jumelles|ados?|aînée?|cadette?|benjamine?|petite?|grande?|sœurs|frères|gamins|gosses|neveux|nièces",
    "chien|chienne|chiot|chat|chatte|chaton|cheval|jument|poney|perroquet|perruche|lapine?|hamster|cochon d'inde|"
    "tortue|furets?|canari|poule|serpent|gecko|poisson|âne|chèvre|rat|chiens|chats|chevaux|lapins|poules",
    r"chef|cheffe|patronn?e?|boss|n\+1|manageu?[rs]e?|collègue|colocataire|coloc|propriétaire|proprio|voisine?|amie?|"
    r"pote|meilleure? amie?|médecin(?: traitant)?|dentiste|avocate?|comptable|cliente?|associée?|mentor|tutrice|"
    r"tuteur|prof(?:esseure?)?|coach|psy|nounou|assistante?|directrice|directeur|binôme|stagiaire|kiné|banqui(?:er|"
    r"ère)",
)
KIN: Final = (
    rf"(?:mon|ma|mes|notre|nos) (?:[\w-]+ )?{WHO}s?(?: de (?:bureau|chambre|classe|boulot|travail|promo|palier))?"
)
LANGUAGE: Final = any_of(
    r"français|anglais|allemand|espagnol|italien|portugais|arabe|darija|russe|chinois|mandarin|japonais|coréen|turc|"
    r"polonais|roumain|"
    r"néerlandais|flamand|breton|basque|corse|occitan|alsacien|créole|lingala|wolof|berbère|kabyle|persan|hébreu|hindi|"
    r"grec|latin|"
    r"ukrainien|vietnamien|langue des signes|lsf|suédois|hongrois|tchèque|serbe|albanais|tamoul|catalan",
)
# "Être" says both what lasts and what passes; a trade is known by how it ends.
TRADE: Final = (
    r"(?!(?:dernière?|première?|entière?|fière?|heureuse|furieuse|nerveuse|sérieuse|amoureuse|malheureuse|curieuse|"
    r"ailleurs|meilleure?|triste|volontaire|solidaire|débordante?|perplexe|joyeuse|anxieuse|grincheuse|chanceuse|"
    r"contraire|nécessaire|bien|contente?|absente?|présente?|importante?|pendant|avant|content|maintenant|vraiment|"
    r"hésitante?|impatiente?|consciente?|confiante?|soucieuse|peureuse|paresseuse|inférieure?|supérieure?)\b)"
    r"[a-zà-ÿ-]{3,30}(?:iste|ier|ière|eur|euse|rice|icien|icienne|aire|ologue|graphe|thérapeute|pathe|"
    r"iatre|(?:gn|str|nsult|lt)ante?)s?\b"
)
ILL: Final = any_of(
    r"diabète|asthme|eczéma|psoriasis|épilepsie|hypertension|migraines?|arthrose|polyarthrite|rhume des foins|"
    r"dépression|acouphènes|tdah|tda|toc|cholestérol|sclérose|fibromyalgie|endométriose|sopk|crohn|parkinson|alzheimer",
    r"intolérances?|allergies?|\w*phobie|vertiges?|de la tension|le mal de (?:mer|l'air|la route)|apnée|scoliose|"
    r"hernie|maladie de \w+|maladie (?:cœliaque|coeliaque|chronique|auto-immune)|cancer|trisomie|autisme|"
    r"dys\w{4,}|hypothyroïdie|insomnies? chroniques?|reflux|goutte|anémie|lupus|glaucome|cataracte|pacemaker|"
    r"prothèse|thyroïde|insuffisance \w+|syndrome|(?:un|une) handicap|trouble \w+|le vih|acné|rosacée",
)
OFTEN: Final = any_of(
    r"tous les (?:jours|soirs|matins|midis|mois|ans|week-?ends|\w+dis|dimanches|étés|hivers|deux \w+|quinze jours)|"
    r"toutes les (?:semaines|nuits|deux semaines|vacances)|un (?:\w+ )?sur deux|une fois par an|du lundi au \w+",
    r"chaque (?:jour|soir|matin|semaine|mois|année|week-?end|été|hiver|\w+di|dimanche|fois)|(?:l'été|l'hiver)$|"
    r"(?:le|les) (?:\w+dis?|dimanches?|week-?ends?)(?: (?:soirs?|matins?|midis?|après-midi))?$|en semaine",
    r"(?:par|fois par|heures par|livres par|km par) (?:jour|nuit|semaine|mois|an)|pour gagner ma vie|à chaque \w+",
)
NO_ROLE: Final = (
    r"(?:peu|fan|petit|grand|gros|boulet|idiote?|imbécile|âne|génie|cas|nul|bon|bonne|vrai|vraie|quiche|bille|brêle|"
    r"débutant complet|formation|cours|série|conférence|chaîne|stage|tuto|recette|procédure|loque|zombie|éponge|patate)"
)
HOBBIES: Final = any_of(
    r"yoga|vélo|vtt|foot|football|futsal|tennis|padel|judo|karaté|aïkido|boxe|danse|natation|escalade|rando\w*|course|"
    r"trail|"
    r"triathlon|marche|gym|muscu\w*|crossfit|pilates|plongée|apnée|escrime|golf|pétanque|ski|surf|voile|équitation|"
    r"cheval|"
    r"basket|hand\w*|volley|rugby|badminton|ping-pong|parapente|kayak|aviron|moto|tir à l'arc|sport|patinage|roller|"
    r"skate",
    r"théâtre|impro|poterie|céramique|couture|tricot|crochet|broderie|musique|piano|guitare|chant|violon\w*|batterie|"
    r"flûte|"
    r"saxo\w*|accordéon|trompette|harpe|basse|photo\w*|peinture|dessin|aquarelle|jardinage|permaculture|bénévolat|"
    r"bricolage|"
    r"menuiserie|apiculture|freelance|télétravail|intérim|baby-sitting|jeu de rôle|chorale|modélisme|généalogie|"
    r"astronomie|"
    r"cosplay|échecs|poker|philatélie|cuisine|pâtisserie|langue des signes|radio|magie|cirque|montage vidéo|conseil",
)
ROLES: Final = any_of(
    r"responsable|chef|cheffe|manager|manageuse|direct(?:eur|rice)|pdg|ceo|cto|cfo|drh|rh|lead|tech lead|"
    r"fondat(?:eur|rice)|gérante?|designer|développeu(?:r|se)|dev|ingénieure?|architecte|contact|cliente?|fournisseur",
    r"stagiaire|analyste|comptable|mainteneu(?:r|se)|propriétaire|scrum master|product owner|femme|mari|sœur|frère|"
    r"fils|fille|mère|père|amie?|voisine?|collègue|médecin|dentiste|présidente?|trésori(?:er|ère)|secrétaire|binôme",
)
LIVES: Final = any_of(
    r"habite|vit|vivent|travaille|bosse|adore(?:nt)?|déteste(?:nt)?|aime(?:nt)?|n'aime(?:nt)? pas|(?:ne )?mange"
    r"(?:nt)? (?:pas|plus|que)|(?:ne )?boit (?:pas|plus|que)|joue (?:au|à|du|de)|étudie|parle(?:nt)? (?!de\b|à\b)\w+|"
    r"souffre d[eu']|entre (?:au|en|à)|apprend (?:le|la|l')|préfère|fume|(?:ne )?supporte pas|rentre en|va (?:au|à "
    r"la|à l') ?(?:école|collège|lycée|crèche|fac|maternelle)|fait (?:du|de la|de l') ?(?!bruit|fièvre|cinéma|chantage|"
    r"stop|mal)|passe (?:le|son) (?:bac|brevet)|"
    r"fête|est (?:née?|morte?|décédée?)|porte des|ne (?:voit|marche|parle|entend) (?:pas|plus)|dort (?:dans|avec)",
)
_COUNT: Final = (
    r"(?:une?|deux|trois|quatre|cinq|six|sept|huit|dix|douze|vingt|trente|des|plusieurs|pas de|pas d'|plus de|plus d'|"
    r"pas le|\d{1,3}|(?:le|la|l') ?(?=permis|bac|double|nationalité)|(?!peut-|là-)[\w-]+-\w+) ?"
)
THINGS: Final = any_of(
    r"enfants?|fils|filles?|jumeaux|jumelles|sœurs?|soeurs?|frères?|ados?|gosses?|gamins?|petits-enfants|bébé|bb|"
    r"garçons?",
    r"chiens?|chats?|chevaux|cheval|chienne|chatte|animal|animaux|tortues?|vaches?|chèvres?|poules|oiseaux|chaton|"
    r"chiots?|lapins?|hamsters?|poissons|aquarium|ruches?|moutons?|perroquet|perruches?|furets?|poney|ânes?|serpent",
    r"longère|corps de ferme|pavillon|duplex|loft|grange|moulin|étang|jardin|potager|balcon|terrasse|serre|piscine|"
    r"verger|maison|appart(?:ement)?|studio|cave|ferme|gîte|chalet|"
    r"mobil-home|résidence secondaire|yourte|péniche|poêle|cheminée|pompe à chaleur|mètres carrés|m2|m²|hectares?",
    r"camping-car|voiture|bagnole|auto|char|moto|scooter|vélo|vtt|fourgon|utilitaire|tracteur|voilier|bateau|"
    r"trottinette|permis|twingo|clio|mégane|kangoo|golf|polo|tesla|dacia|renault|peugeot|citroën|toyota|berlingo",
    r"guitare|piano|violon|batterie|télescope|appareil photo|imprimante 3d|ordi|ordinateur|pc|mac|console|switch|"
    r"ps[45]|xbox|iphone|android|"
    r"samsung|pixel|macbook|imac|chromebook|thinkpad|liseuse|kindle|nas|raspberry(?: pi)?|thermomix|cookeo|airfryer|"
    r"friteuse|machine à pain|machine à coudre|congélateur|lave-vaisselle|micro-ondes|four|télé|robot cuiseur",
    r"entreprise|boîte|société|boutique|resto|restaurant|salon|cabinet|gîtes|chaîne youtube|podcast|blog|association|"
    r"collection d\S*|tatouages?|lunettes|lentilles|appareil auditif|implant|prothèse|stérilet|bac|master|licence|"
    r"doctorat|cap|bts|double nationalité|nationalité|crédit|prêt immobilier|hypothèque|livret a|assurance vie",
)
OWNED: Final = (
    rf"(?:{_COUNT}(?:(?!(?:sur|pour|avec|dans|contre|sous|qui|que|à|au|chez|mon|ma|de|du|des|"
    rf"d')\b)[\w'-]+ ){{0,2}}?{THINGS}\b(?! (?:à rendre|de maths|à corriger))|"
    rf"une? (?:[\w-]+ )?(?:{NAME}|\w+|\d{{3}}) (?:diesel|essence|électrique|hybride|de (?:19|20)\d\d|(?:19|20)\d\d)\b)"
)
VERBS: Final = any_of(
    "réponds|répondez|écris|écrivez|utilise|utilisez|emploie|mets|mettez|donne|donnez|ajoute|fais|faites|lance|"
    "explique|expliquez|montre|garde|évite|évitez|demande|vérifie|teste|formate|commente|parle|appelle|tutoie|"
    "vouvoie|propose|commence|termine|cite|préviens|pousse|supprime|sois|soyez|convertis|calcule|précise|indique",
    "reste|limite|rédige|corrige|arrondis|numérote|finis|traduis|dis|adresse|compte|code|indente",
)
STYLE: Final = any_of(
    r"listes?(?: à puces)?|puces|émojis?|emojis?|smileys?|anglicismes|tableaux|jargon|intros?|introductions?|"
    r"conclusions?|excuses|formules de politesse|compliments|disclaimers|avertissements|points d'exclamation|"
    r"majuscules|gras|titres|astérisques|blabla|abréviations|métaphores|flatteries?|pavés|réponses (?:longues|trop)|"
    r"phrases (?:longues|trop)|gros mots|mots (?:anglais|compliqués)|termes (?:techniques|anglais)|markdown|humour|"
    r"blagues|t'excuser|me (?:vouvoyer|tutoyer|flatter|dire|demander|répéter|faire la morale)|répéter ma question",
)
ATTRIBUTES: Final = (
    r"(?:nom|prénom|surnom|pseudo|anniversaire|anniv|fuseau horaire|adresse|numéro(?: de téléphone)?|e-?mail|"
    r"adresse (?:mail|e-?mail)|métier|boulot|langue maternelle|pointure|taille|groupe sanguin|employeur|"
    r"entreprise|boîte|ville natale|horaires|éditeur|navigateur|système d'exploitation|os|ordi|âge|"
    r"date de naissance|poste|spécialité|religion|nationalité|signe(?: astro\w*)?|mutuelle|banque|opérateur|"
    r"médecin traitant|salaire|loyer)"
)
AGE: Final = r"(?:\d{1,3}|[\w-]{2,20}(?: [\w-]{2,14})?) (?:ans|mois|balais|piges)\b"
