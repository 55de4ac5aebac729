"""The words by which a value is told from what is only said about something, as data.

"My manager is Bob" gives a value, and "My manager is Swiss" and "My manager is on holiday" give none.
"""

from __future__ import annotations

from typing import Final

__all__ = [
    "ALSO_NAMES",
    "BREAKS",
    "DESCRIBING",
    "GRADING",
    "NO_JOBS",
    "NO_NAMES",
    "NO_VALUES",
    "OCCUPATIONS",
    "OCCUPATION_ENDS",
    "PARTICLES",
    "ZONES",
]

NO_NAMES: Final = frozenset(
    # Written as names are, and none: where somebody is from, believes or ranks.
    "german austrian swiss french italian spanish portuguese british english scottish irish welsh american canadian "
    "mexican brazilian argentinian chilean colombian peruvian dutch belgian danish swedish norwegian finnish icelandic "
    "polish czech slovak hungarian romanian bulgarian greek turkish russian ukrainian serbian croatian slovenian "
    "chinese japanese korean vietnamese thai indian pakistani iranian persian iraqi israeli egyptian moroccan nigerian "
    "kenyan african asian european australian arab catalan basque bavarian indonesian filipino cuban venezuelan "
    "catholic protestant jewish muslim buddhist hindu christian orthodox atheist mormon lutheran "
    "français française allemand allemande italien italienne espagnol espagnole portugais portugaise suisse belge "
    "anglais anglaise américain américaine español española alemán alemana francés francesa inglés inglesa italiano "
    "italiana português portuguesa brasileiro brasileira francês alemão alemã inglês espanhol espanhola "
    "ceo cto cfo coo vp phd head director chief manager president chair ok "
    "monday tuesday wednesday thursday friday saturday sunday "
    # Who that is, the sentence before would say.
    "he she it they we you who this that these those nobody somebody someone everybody everyone anyone one what which "
    "er sie es wir ihr wer niemand jemand alle man il elle ils elles nous vous qui personne él ella ellos nadie quien "
    "alguien ele ela eles ninguém alguém lui lei chi nessuno "
    # Nouns that German writes as it writes names.
    "programm geheimnis schall arzt ärztin lehrer lehrerin chef chefin rentner künstler mein meine unser unsere der "
    "die das ein eine mon ma mes notre nos le les mi mis nuestro nuestra meu minha nosso nossa the a an my our your "
    "his her their its".split()
)

ALSO_NAMES: Final = frozenset("christian german israel chef".split())
"""Of those, what is a name where the sentence says that one follows."""

NO_VALUES: Final = frozenset(
    # What is said of something that has a value, in place of the value.
    "down up broken slow fast late early unknown tight wrong right important sick ill away off on out over busy free "
    "fine good great bad nice awful terrible horrible amazing awesome annoying boring exciting interesting stressful "
    "hard easy difficult tough simple complicated complex weird strange odd funny common rare unusual unique special "
    "secret private public unlisted hidden missing gone lost dead alive full empty open closed blocked expired "
    "invalid valid correct incorrect fake real true false short long big small huge tiny old new young tall strict "
    "lenient kind rude friendly angry happy sad tired pregnant retired married single divorced german happening "
    "coming going getting being becoming changing working spelled spelt pronounced written misspelled taken used "
    "shared known unclear unchanged confidential classified irrelevant negotiable flexible fixed ready done finished "
    "safe unsafe risky required mandatory optional too very so really quite pretty rather extremely always never "
    "still also just almost nearly probably maybe perhaps not no none nothing anything something somewhere soon later "
    "tomorrow today yesterday tonight next last approaching near close around here there back home alone to from for "
    "in at with without by about under above behind between among like than because if when while whose hers mine "
    "yours important overdue delayed postponed pending based located made set due better worse best worst more less "
    "most least enough what which who that where why how everything all both either neither my our your his her their "
    "its "
    # German
    "schwer schwierig leicht einfach lang kurz selten häufig ungewöhnlich seltsam komisch geheim unbekannt falsch "
    "richtig krank weg kaputt langweilig stressig anstrengend spannend toll super gut schlecht streng nett sehr zu so "
    "ziemlich wirklich nicht nie immer noch auch bald morgen heute nächste nächsten nächstes vorbei wichtig egal im in "
    "bei mit ohne aus von nach vor gerade nur "
    # French
    "difficile facile long court rare bizarre secret inconnu faux vrai malade parti cassé ennuyeux stressant "
    "passionnant bon mauvais strict gentil très trop pas plus jamais toujours encore bientôt demain aujourd'hui "
    "imprononçable dans chez avec sans de du des en sur sous "
    # Spanish, Portuguese and Italian
    "difícil fácil largo corto raro extraño secreto desconocido falso verdadero enfermo roto aburrido estresante "
    "bueno malo estricto amable muy demasiado no nunca siempre todavía pronto mañana hoy impronunciable con sin en de "
    "del longo curto estranho segredo desconhecido doente chato bom mau muito demais não sempre ainda logo amanhã "
    "hoje em com sem do da comum común difficile lungo corto segreto sconosciuto noioso molto troppo non mai sempre "
    "ancora presto domani oggi in con senza required mandatory optional crazy anytime asap well much little usual "
    "expected part mein meine mon ma mes".split()
)

DESCRIBING: Final = frozenset(
    "down broken gone missing lost unknown unclear undecided annoying boring exciting interesting awful terrible "
    "horrible amazing awesome great good bad fine nice okay hard easy difficult slow late overdue important wrong "
    "outdated changing a secret mystery surprise mess problem pain joke nightmare the best worst schwierig kaputt "
    "unbekannt langweilig gut schlecht toll ein geheimnis difficile inconnu ennuyeux bon mauvais un secret mystère "
    "difícil desconocido aburrido bueno malo secreto desconhecido chato bom mau segredo um over".split()
)
"""Of these alone no favourite, default or status is made."""

GRADING: Final = frozenset(
    "too very really quite extremely almost nearly always never still also getting being becoming spelled spelt "
    "pronounced hardly sehr wirklich immer nie très vraiment toujours jamais muy realmente siempre nunca muito "
    "sempre".split()
)
"""With these begins what is said of a thing, and no thing."""

BREAKS: Final = frozenset(
    "from in at on of for with since until till who whose that which by near and or but as the an a aus von in bei mit "
    "seit der die das und oder chez avec depuis qui et de con desde que y e com desde que von".split()
)
"""With these begins what is said beside a name."""

PARTICLES: Final = frozenset(
    "de da do dos das del della di du van von der den ter ten la le el al bin ibn ben y e i of af av zu zur mac "
    "st. dr. mr. mrs. ms. prof. jr. sr.".split()
)
"""Small words within a name."""

OCCUPATIONS: Final = frozenset(
    "teaching nursing writing programming coding engineering farming gardening cooking cleaning painting acting "
    "driving fishing consulting accounting marketing translating editing designing nurse chef cook clerk judge pilot "
    "architect surgeon coach vet medic monk nun priest guide host model spy intern barista dj tailor poet smith "
    "scribe sales support accountant consultant assistant attendant sergeant student agent president superintendent "
    "cleric mechanic physicist analyst scientist diplomat athlete au-pair nanny midwife housewife police ceo cto cfo "
    "coo hr médecin avocat avocate prof professeur enseignant enseignante étudiant étudiante commerçant assistante "
    "juge pilote architecte comptable secrétaire journaliste vétérinaire médico médica abogado abogada maestro "
    "maestra enfermero enfermera juez piloto arquitecto contable estudiante advogado advogada enfermeiro enfermeira "
    "juiz arquiteto contador estudante cozinheiro head lead chief".split()
)
OCCUPATION_ENDS: Final = (
    *("er", "or", "ist", "ian", "eer", "man", "woman", "smith", "wright", "eur", "euse", "ier", "ière", "iste", "ien"),
    *("ienne", "trice", "ero", "era", "ista", "dor", "dora", "eiro", "eira", "ório", "in"),
)
"""How most words for what somebody does for a living end."""

NO_JOBS: Final = frozenset(
    # They end as those do, or stand behind an article as those do.
    "better harder easier safer slower faster busier over other under never ever together for after later super poor "
    "minor major in again vain certain main plain thin mess joke nightmare dream pain challenge burden mystery "
    "struggle lot bit secret problem disaster blessing privilege risk worry matter killer horror bummer downer "
    "drainer no-brainer team whole expert cher amer premier dernier régulier entier particulier".split()
)

ZONES: Final = {
    name: (group, hours)
    for group, hours, names in (
        ("cet", 1.0, "cet cest mez mesz met europe/berlin europe/paris europe/madrid europe/rome europe/vienna"),
        ("cet", 1.0, "europe/zurich europe/amsterdam europe/brussels europe/stockholm europe/oslo europe/copenhagen"),
        ("cet", 1.0, "europe/prague europe/warsaw europe/budapest"),
        ("wet", 0.0, "wet west bst gmt utc z europe/london europe/lisbon europe/dublin"),
        ("eet", 2.0, "eet eest europe/athens europe/helsinki europe/kyiv europe/bucharest europe/sofia"),
        ("msk", 3.0, "msk europe/moscow"),
        ("india", 5.5, "ist asia/kolkata"),
        ("japan", 9.0, "jst asia/tokyo"),
        ("eastern", -5.0, "est edt et eastern america/new_york america/toronto"),
        ("middle", -6.0, "cst cdt america/chicago america/mexico_city"),
        ("mountain", -7.0, "mst mdt mountain america/denver"),
        ("pacific", -8.0, "pst pdt pt pacific america/los_angeles america/vancouver"),
        ("brasília", -3.0, "brt america/sao_paulo"),
        ("sydney", 10.0, "aest aedt australia/sydney australia/melbourne"),
    )
    for name in names.split()
}
"""Names of time zones: those of one group are one, and how far it is ahead of UTC in the winter."""
