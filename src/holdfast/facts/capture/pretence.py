"""Signs that somebody says "I am" or "I have" and does not mean themselves; in every language.

Where the assistant had misread something, what is denied is news to nobody; a boast is a joke; what somebody has in a
game is a piece of the game; and a line that is asked who sang it is a song's.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from holdfast.facts.capture.quick import at_words

__all__ = ["denied", "lasting", "misread", "pretended", "sung"]

_MISREAD: Final = (
    r"\byou(?:'ve| have)? (?:just |totally )?(?:made (?:that|it|this) up|misread|misunderstood|invented|imagined|"
    r"hallucinated|got (?:that|it|me|this) wrong|confused|mixed (?:that|it|me) up|assumed)|\b(?:re-?read|read) (?:my|"
    r"what|it|the|that) [^.!?]{0,40}(?:again|properly|carefully)?|\bi never (?:said|told|mentioned|claimed|wrote)|"
    r"\bi (?:didn't|did not|haven't) (?:say|tell|mention|mentioned|said)|"
    r"\bwhere did you get (?:that|the)|"
    r"\b(?:falsch verstanden|missverstanden|verwechselt|erfunden|dir ausgedacht|falsch gelesen|nie (?:gesagt|behauptet|"
    r"erwähnt)|nicht (?:gesagt|behauptet|erwähnt)|(?:keine?n?) \w+ erwähnt|lies (?:\w+ ){0,3}(?:nochmal|noch mal|genau|"
    r"richtig))|"
    r"\b(?:(?:as|avez) (?:tout |tou |\w+ )?(?:mal (?:compris|lu)|inventé|confondu)|mal compris|t'inventes|relis|"
    r"relisez|"
    r"jamais (?:dit|parlé|mentionné)|(?:pas|rien) (?:dit|mentionné))\b|"
    r"\b(?:(?:entendiste|entendió|entendido|leíste|leido|leído|comprendiste|interpretaste) (?:todo )?mal|"
    r"mal entendid|malinterpret|inventaste|inventado|te (?:lo )?(?:inventas|confund|equivoc)|confundiste|"
    r"(?:vuelve|volvé) a leer|lee (?:otra vez|de nuevo|bien)|nunca (?:dije|mencioné|he dicho)|"
    r"no (?:dije|mencioné|he dicho))|"
    r"\b(?:(?:entendeu|entendeste|percebeste|leste|leu|compreendeste) (?:tudo )?(?:errado|mal)|inventaste|inventou|"
    r"se confundiu|confundiste|confundiu|(?:leia|lê|lê lá|releia|relê) (?:outra vez|de novo|bem)|releia|"
    r"nunca (?:disse|falei|mencionei)|não (?:disse|falei|mencionei))"
)
_DENIED: Final = (
    r"\b(?:not|no|never|none|cannot|nicht|kein\w*|nie|niemals|pas|jamais|aucune?|nunca|ningun[oa]?|ningún|não|nao|"
    r"nenhuma?)\b|n't\b"
)
_BOAST: Final = (
    r"(?:multi-?)?(?:millionaires?|billionaires?|millionär\w*|milliardär\w*|millionnaires?|milliardaires?|"
    r"(?:multi)?millonari[oa]s?|milionári[oa]s?|bilionári[oa]s?|ric[oa]|riche|steinreich|made of money|loaded|"
    r"ministre|the president|the (?:king|queen|pope)|superman|batman|iron man|spider-?man|the walrus|"
    r"a (?:large )?language model|a (?:genius|mind ?reader|robot|wizard|psychic)|"
    r"hellseher\w*|(?:un |el )?(?:adivino|rey|papa|presidente)|aquel|(?:un )?(?:devin|robot)|o (?:rei|papa|presidente)|"
    r"adivinho|robô|tonto|tonta|burr[oa]|bobo|boba|idiota)"
)
_PRETENDED: Final = (
    rf"\b(?:i'm|im|i am|we're|ich bin|bin ich|bin|je suis|chuis|on est|soy|somos|sou) (?:ja |auch |doch |natürlich |"
    rf"obviously |clearly |of course |totally |a |an |un |une |una |um |uma |ein |eine |muy |tan |muito |tão |très |"
    rf"super ){{0,4}}{_BOAST}\b|"
    r"\b(?:in|im|auf|bei|dans|sur|en|no|na|em) (?:my |meine[mrn]? |mon |ma |mi |meu |minha |the |el |la |le |o |a )?"
    r"(?:minecraft|stardew(?: valley)?|animal crossing|skyrim|zelda|pok[eé]mon\b|fortnite|roblox|civ(?:ilization)?|"
    r"factorio|terraria|valheim|d&d|dnd|elden ring|hay day|clash|valorant|wow\b|sims|(?:los|les|die|the|os) sims|"
    r"monopoly|catan|catán|schach|game|gameplay|spiel|jeu|juego|jogo|rpg|witcher|gta|runescape|farmville|hogwarts|"
    r"baldur'?s gate|diablo|warcraft|dark souls|subnautica|rimworld|campaign|kampagne|campaña|campanha|dream|traum|"
    r"rêve|sueño|sueños|sonho)\b(?! de (?:pelota|mesa))|"
    r"\b(?:les (?:blancs|noirs)|(?:con|de|com|as) (?:blancas|negras|brancas|pretas)|(?:play|playing)(?: as| with)? "
    r"(?:white|black)|(?:mit|als) (?:weiß|"
    r"schwarz)|(?:in|on|en|em|auf|sur) [a-h][1-8])(?!\w)|"
    r"\b(?:my|mein(?:em|en)?|mon|mi|meu|o meu) (?:(?!favou?rite)\w+ )?(?:character|charakter|spielfigur|perso|"
    r"personnage|avatar|"
    r"personaje|personagem|paladin|bard|rogue|wizard|pj)\b"
)
_SUNG: Final = (
    r"\bwho (?:sang|sings|said|says|wrote|writes|sung) (?:it|this|that|the)\b|\b(?:lyrics?|chorus|verse|line|slogan|"
    r"quote|saying|proverb) (?:go(?:es)?|is|says|said|reads?|runs?)\b|\bwhich (?:gospel|song|film|movie|book|play|"
    r"speech|poem) (?:is|was)\b|\bwhat (?:song|film|movie|poem) (?:is|was|goes)\b|"
    r"\b(?:von wem (?:ist|war|stammt|kommt)|wer (?:hat das gesagt|singt|sang|sagte)|aus welchem (?:lied|film|song|buch|"
    r"stück)|(?:damit|hat er damit|hat sie damit) gemeint|welche[sr]? (?:lied|song|film) (?:ist|war)|ohrwurm)\b|"
    r"\b(?:c'est de qui|de qui est|qui (?:a dit|chante|chantait|a écrit)|d'où vient (?:ce|cette|l'|la|le)|"
    r"de quel(?:le)? (?:film|chanson|livre|pièce)|l'expression)\b|"
    r"\b(?:de quién (?:es|era)|quién (?:dijo|canta|cantaba|escribió)|de qué (?:año|canción|película|libro) (?:es|era|"
    r"sale)|qué canción|la (?:canción|letra) (?:dice|es|que dice)|de dónde (?:viene|sale) (?:la|el|esa|ese|eso))\b|"
    r"\b(?:de quem (?:é|era)|quem (?:disse|canta|cantava|escreveu)|de que (?:ano|música|filme|livro) (?:é|era)|"
    r"que música|a (?:música|letra) (?:diz|que diz)|de onde (?:vem|saiu) (?:a|o|essa|esse))\b|"
    r"(?:^|\n)(?:\w+ )?(?:sketch|joke|tweet|caption|bio|headline|story(?! short)|lyrics|draft|plot|witz|spruch|"
    r"szene|blague|légende|chiste|"
    r"piada|legenda|escena|cena)(?: \w+)?: |"
    r"\d.{1,80}\d[^\d\n]{0,80}\b(?:what(?:'s| is) (?:left|x|y)|how much (?:do i|is left|change)|was (?:bleibt|ist x)|"
    r"wie viel (?:bleibt|"
    r"zahle)|il (?:me )?reste (?:quoi|combien)|ça fait combien|qué (?:me )?queda|cuánto (?:pago|me queda|es en "
    r"total)|o que sobra|"
    r"quanto (?:pago|sobra|fica))\b|"
    r"\b(?:which|what)(?: one)? is (?:correct|right|better)\b|\bwas ist (?:richtig|korrekt)\b|\bon dit\b.{3,60}\bou\b|"
    r"\b(?:qué|cuál) es (?:lo )?correcto\b|\bo certo é\b|\bqual (?:é )?(?:o )?(?:certo|correto)\b|\bpatient "
    r"(?:presents|says|sagt|dit)\b|"
    r"\bpaciente (?:dice|diz|refiere)\b|"
    r"\bby (?:the )?(?-i:[A-Z])[a-z]+(?: (?-i:[A-Z])[a-z]+)?, (?:who|what|when|which)\b"
)
_LASTING: Final = (
    r"\b(?:all my life|lifelong|since i was|(?:\d+|\w+) years|seit|schon immer|von klein auf|depuis|de toujours|"
    r"(?:de )?toda la vida|desde|hace (?:\w+ ){1,2}años|(?:a|da) vida toda|há (?:\w+ ){1,2}anos)\b"
)


def misread(message: str) -> bool:
    """Whether a message says that the assistant understood something wrongly."""
    return _pattern(_MISREAD).search(message) is not None


def denied(fact: str) -> bool:
    """Whether a clause says no: "I don't have a dog"."""
    return _pattern(_DENIED).search(fact) is not None


def pretended(sentence: str) -> bool:
    """Whether a sentence boasts, or tells of a game."""
    return _pattern(_PRETENDED).search(sentence) is not None


def sung(message: str) -> bool:
    """Whether a message asks where a song, a saying or a line of a film comes from."""
    return _pattern(_SUNG).search(message) is not None


def lasting(clause: str) -> bool:
    """Whether a clause says for how long: who laughs about it means it all the same."""
    return _pattern(_LASTING).search(clause) is not None


@cache
def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(at_words(text), re.IGNORECASE)
