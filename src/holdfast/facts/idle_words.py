"""The words that carry nothing, and the words that mean one another, as data: closed lists of five languages.

Whatever is not in them counts. A word belongs here only if no sentence says something else without it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

__all__ = [
    "AGREEABLE",
    "ARTICLES",
    "BEFORE",
    "CLOSERS",
    "CONTRACTED",
    "DENYING",
    "FILLERS",
    "FRONTED",
    "LIKING",
    "LIMITING",
    "NUMBERS",
    "ONGOING",
    "OWN",
    "PAUSED_CLOSERS",
    "POLITE_CLOSERS",
    "SCANT",
    "SUBJECTS",
    "TAILS",
]


def _phrases(text: str) -> frozenset[tuple[str, ...]]:
    return frozenset(tuple(phrase.split()) for phrase in text.replace("\n", " ").split(","))


def _pairs(text: str) -> dict[str, str]:
    return {word: other.replace("_", " ") for word, _, other in (pair.partition(":") for pair in text.split())}


CLOSERS: Final = _phrases(
    "btw, by the way, fyi, though, tho, thx, obviously, of course, just so you know, as you know, as you already know, "
    "as you may know, übrigens, wie du weißt, wie du ja weißt, wie sie wissen, d'ailleurs, au fait, bien sûr, "
    "évidemment, comme tu sais, comme tu le sais, comme vous le savez, por cierto, por supuesto, obviamente, como ya "
    "sabes, aliás, como você sabe, como já sabes"
)
"""What may stand at the end of any sentence and adds nothing to it."""

POLITE_CLOSERS: Final = _phrases(
    "thanks, thank you, thank you very much, thanks a lot, many thanks, cheers, please, ok, okay, correct, that's "
    "correct, that is correct, that's right, yes, yep, yeah, indeed, as well, too, you know, as i said, like i said, "
    "as mentioned, as i mentioned, for the record, for your information, stimmt, das stimmt, genau, klar, natürlich, "
    "danke, danke schön, vielen dank, bitte, ja, wie gesagt, merci, merci beaucoup, d'accord, oui, c'est ça, "
    "exactement, s'il te plaît, s'il vous plaît, voilà, comme je l'ai dit, gracias, muchas gracias, vale, claro, sí, "
    "correcto, exacto, por favor, eso es, como sabes, como sabe, como dije, como ya dije, evidentemente, obrigado, "
    "obrigada, muito obrigado, muito obrigada, certo, correto, exato, sim, tá, é claro, como disse, como eu disse, a "
    "propósito"
)
"""The same behind a pause, or where somebody tells of himself and has just named a place: "the build is ok" says it."""

PAUSED_CLOSERS: Final = _phrases("right, richtig, exact, isso, alright")
"""The same behind a pause only: an exit may be to the right."""

OWN: Final = frozenset(
    "i i'm i've my we we're we've our user the_user ich mein meine wir unser unsere je j'ai j'habite mon ma mes nous "
    "notre nos yo mi mis vivo trabajo tengo nuestro nuestra eu meu minha moro tenho nosso nossa".split()
)
"""What a sentence begins with that tells of who says it."""

BEFORE: Final = (
    r"(?:(?:please (?:remember|note)|remember|note|don't forget|keep in mind)(?: that\b|[,:]) |(?:just so you know|for "
    r"the record|as you (?:may |already )?know|as i said|fyi|btw|by the way)(?: that\b|[,:])? |(?:please|hey|hi|hello|"
    r"yes|yep|yeah|ok|okay|right|bitte|hallo|ja|genau|stimmt|salut|bonjour|oui|d'accord|s'il te plaît|hola|sí|vale|"
    r"claro|oye|por favor|olá|oi|sim|certo|tá), |please |(?:bitte )?(?:merke? dir|denk daran), dass |wie (?:du (?:ja )?"
    r"weißt|gesagt), |(?:n'oublie pas|rappelle-toi|souviens-toi|note) (?:que |qu')|comme tu (?:le )?sais, |(?:recuerda|"
    r"acuérdate de|no olvides|ten en cuenta) que |como (?:ya )?sabes, |(?:lembra-te de|lembre-se de|lembre|não te "
    r"esqueças de|não esqueça) que |como (?:você sabe|já sabes), )+"
)
"""What a sentence may begin with, besides the openers of a claim."""

FILLERS: Final = frozenset(
    "really actually definitely certainly truly indeed honestly also wirklich auch tatsächlich vraiment "
    "aussi effectivement realmente también também".split()
)
"""Of no weight between the words of a sentence, unless it denies something: "not really"."""

DENYING: Final = frozenset(
    "not no never none nobody nothing neither nor without nicht kein keine keinen keiner keinem nie niemals nichts "
    "ohne ne pas jamais sans aucun aucune plus rien nunca sin jamás ninguna ningún ninguno nada tampoco não nem sem "
    "jamais nenhum nenhuma non mai senza".split()
)

LIMITING: Final = DENYING | frozenset(
    "only just merely rarely seldom hardly barely scarcely almost nearly sometimes occasionally maybe perhaps possibly "
    "probably might may could would should unless except if but until till former formerly longer once used avoid "
    "avoids avoiding stopped quit unsure supposedly allegedly temporarily either or "
    "nur bloß kaum selten fast beinahe manchmal gelegentlich vielleicht eventuell möglicherweise wohl könnte würde "
    "sollte wenn falls außer aber bis ehemals früher oder vorübergehend "
    "seulement juste rarement peine presque parfois peut-être probablement pourrait devrait si sauf mais jusqu'à ou "
    "autrefois sólo solo solamente apenas raramente casi quizás quizá tal acaso probablemente podría debería excepto "
    "salvo pero hasta antes o "
    "só somente quase talvez provavelmente poderia deveria se exceto mas até ou antigamente".split()
)
"""With one of these the rest of a sentence is no longer said outright."""

ARTICLES: Final[Mapping[str, str]] = {
    "a": "a",
    "an": "a",
    "the": "the",
    **{word: word for word in "der die das den dem ein eine einen einem einer le la les un une el los las una".split()},
    **{word: word for word in "os um uma".split()},
}
"""Articles, each with its kind: of one kind they are one, and one may be left out. In "je la vois" it is somebody."""

SCANT: Final = frozenset("few little peu poco poca pouco pouca wenig paar".split())
"""With an article before it, each of these is more than without one."""

CONTRACTED: Final = _pairs(
    "i'm:i_am i've:i_have i'll:i_will you're:you_are you've:you_have we're:we_are we've:we_have we'll:we_will "
    "they're:they_are they've:they_have they'll:they_will it's:it_is that's:that_is there's:there_is don't:do_not "
    "doesn't:does_not didn't:did_not isn't:is_not aren't:are_not wasn't:was_not weren't:were_not won't:will_not "
    "can't:can_not cannot:can_not couldn't:could_not wouldn't:would_not shouldn't:should_not haven't:have_not "
    "hasn't:has_not hadn't:had_not mustn't:must_not fav:favourite favorite:favourite hab:habe chama-se:se_chama"
)

NUMBERS: Final = _pairs(
    "two:2 three:3 four:4 five:5 six:6 seven:7 eight:8 nine:9 ten:10 eleven:11 twelve:12 thirteen:13 fourteen:14 "
    "fifteen:15 sixteen:16 seventeen:17 eighteen:18 nineteen:19 twenty:20 thirty:30 forty:40 fifty:50 sixty:60 "
    "seventy:70 eighty:80 ninety:90 zwei:2 drei:3 vier:4 fünf:5 sechs:6 sieben:7 acht:8 neun:9 zehn:10 elf:11 zwölf:12 "
    "zwanzig:20 dreißig:30 vierzig:40 fünfzig:50 deux:2 trois:3 quatre:4 cinq:5 huit:8 dix:10 onze:11 douze:12 "
    "vingt:20 trente:30 quarante:40 cinquante:50 dos:2 tres:3 cuatro:4 cinco:5 seis:6 siete:7 ocho:8 nueve:9 diez:10 "
    "doce:12 veinte:20 treinta:30 cuarenta:40 cincuenta:50 dois:2 duas:2 três:3 quatro:4 sete:7 oito:8 nove:9 dez:10 "
    "doze:12 vinte:20 trinta:30 quarenta:40 cinquenta:50"
)
"""Number words that mean nothing else where they are written small ("once" and "neuf" do); "one" may be an article."""

ONGOING: Final = _pairs("using:use working:work living:live studying:study learning:learn teaching:teach")
"""What lasts is the same as what goes on now; who is having a baby does not have one."""

LIKING: Final = frozenset(
    "like likes prefer prefers enjoy enjoys mag bevorzuge aime préfère gosto prefiro prefiero".split()
)
"""One liking for another; of a person, love is more."""

SUBJECTS: Final = frozenset("i we you he she they it je nous".split())
"""Where one of these stands behind a phrase, the phrase could as well stand at the end."""

FRONTED: Final = frozenset(
    "in on at for during after before since by with from en à au pour pendant après avant depuis avec".split()
)

TAILS: Final = FRONTED | frozenset(
    "every each and because when where which who daily mit bei im am jeden und weil et parce chaque cada y porque con "
    "em com e no na".split()
)
"""With one of these a sentence goes on that could have ended before."""

AGREEABLE: Final = frozenset("👍 👌 🙂 😊 😀 😃 😄 😁 🙏 🎉 ✨ 💪 🥰 🤗 😇 ☺ ❤ 💕 💙 💚 😍 :) :-) =)".split())
"""What people put behind a sentence when they mean it."""
