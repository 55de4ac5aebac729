"""Recognise messages that are not worth a search: "ok", "danke", "/new", "👍". Pure."""

from __future__ import annotations

import re
from unicodedata import category

from holdfast.pattern import compile_late
from holdfast.search.small_words import SMALL_WORDS

__all__ = ["is_name", "topic_words", "trivial_reason"]

_COMMAND = compile_late(r"\s*/[a-z][\w-]*(\s|$)", re.IGNORECASE)
_INSIDE = frozenset("'’_-./:@#+")  # signs that hold a word or an id together
_LOOKED_AT = 4000  # characters; a longer message with a letter in it is not trivial
_SHORT = 80  # characters; in a longer message "no problem" may be part of what is asked

# What people say to keep a conversation going, and what greets and thanks; in the languages that Holdfast is tested in.
_CHATTER = frozenset(
    """
    ok okay k kk yes yeah yep yup no nope nah sure fine good great nice cool awesome perfect right correct exactly done
    thanks thank thx ty cheers welcome sorry hi hello hey bye goodbye morning evening night lol haha hmm hm uh um oh ah
    wow well go ahead continue proceed next stop wait again understood agreed noted alright lgtm yay please bitte
    really seriously indeed absolutely definitely totally maybe perhaps exactly true amazing excellent brilliant
    wonderful fantastic lovely interesting congrats congratulations oops yikes ouch roger hooray cheerio afternoon
    ja jo nein gut prima super danke dankeschön vielen hallo tschüss genau stimmt passt klar weiter alles klasse schön
    oui non merci beaucoup bonjour salut bien sûr parfait d'accord accord voilà très bon continuez continue
    sí si no gracias muchas hola adiós vale bueno bien claro perfecto listo sigue adelante
    sì grazie mille ciao bene va perfetto certo esatto avanti
    sim não obrigado obrigada olá tchau beleza certo perfeito continua
    nee bedankt dank je hoi doei prima goed
    да нет спасибо большое привет пока хорошо ладно ок понятно ясно отлично супер давай дальше
    tak nie dzięki dziękuję cześć dobrze super
    evet hayır tamam teşekkürler teşekkür ederim merhaba selam güzel
    نعم لا شكرا شكراً حسنا حسناً مرحبا تمام
    हाँ हां नहीं ठीक है धन्यवाद शुक्रिया नमस्ते अच्छा
    네 예 아니요 아니 감사합니다 감사해요 고마워 고마워요 안녕 안녕하세요 좋아 좋아요 알겠습니다 알겠어요
    好 好的 是 是的 不 不是 对 对的 嗯 嗯嗯 谢谢 谢谢你 感谢 你好 您好 再见 收到
    明白 明白了 知道了 可以 行 没问题 继续 好啊 謝謝 感謝 對 沒問題 繼續
    はい いいえ うん ええ ありがとう ありがとうございます どうも 了解 了解です わかりました
    こんにちは おはよう おやすみ すみません お願いします いいね 続けて
    """.split()
)

# With what one asks, and not what for: small words of other languages, and what an assistant is told to do.
_ASKING = frozenset(
    """
    remind show say said says remember recall know mean find give explain talk talked mention mentioned
    wer was wo wann wie warum welche welcher welches ist sind war waren der die das dem den des ein eine und oder
    ich du wir mein meine habe hat hast haben mit von zu im am für über nochmal sag zeig
    qui que quoi quel quelle où quand comment pourquoi est sont était le la les un une des du de et ou je tu nous mon ma
    quién qué cuál dónde cuándo cómo es son era el los las una del y o yo mi en
    chi che cosa quale dove quando come è sono il lo gli di e io
    quem qual onde foi os as um uma do da eu meu minha
    wie wat waar wanneer hoe waarom zijn het een en ik mijn van
    кто что где когда как почему это был была в на и я мой моя
    """.split()
)

# Words that say something alone, and nothing together.
_PHRASES = compile_late(
    r"\b(?:no (?:problem|worries|thanks|need|idea)|sounds? (?:good|great|fine|right)|makes? sense|of course|"
    r"(?:good|great|nice) (?:job|work|point|idea|one|day|to know)|well done|go for it|keep (?:going|it up)|try again|"
    r"see you(?: (?:later|soon|then|tomorrow))?|talk (?:later|soon)|have a (?:good|great|nice) \w+|take care|"
    r"my bad|never ?mind|thanks a (?:lot|million|bunch)|i (?:see|know|think so|guess so|agree|understand)|"
    r"(?:that )?works(?: for me)?|will do|got it|carry on|let'?s (?:go|do it)|looks (?:good|great|fine)|"
    r"kein problem|guten (?:morgen|tag|abend)|gute nacht|auf wiedersehen|mach weiter|bis (?:bald|später|dann)|"
    r"pas de problème|bonne (?:nuit|journée)|à bientôt|buenos días|buenas (?:tardes|noches)|de nada|hasta luego)\b",
    re.IGNORECASE,
)

_EMPTY = _CHATTER | _ASKING | SMALL_WORDS


def trivial_reason(message: str) -> str:
    """Return why nothing needs to be looked up for a message; empty where something may."""
    if _COMMAND.match(message):
        return "the message is a command"
    if len(message) > _LOOKED_AT and any(map(str.isalnum, message)):
        return ""
    # One word is enough to ask for: "Kestrel?" is a question, and so is "wifi".
    if topic_words(message):
        return ""
    return "the message says nothing that could be looked up"


def topic_words(message: str) -> list[str]:
    """The words that say what a message is about, in lower case."""
    if len(message) <= _SHORT:
        plain = _PHRASES.sub(" ", message.replace("’", "'"))
    else:
        plain = message
    low = (word.lower().replace("’", "'") for word in _words(plain))
    return [word for word in low if word not in _EMPTY and _says_something(word)]


def is_name(word: str) -> bool:
    """Say whether a word is an id, a date, an address: what stands for one thing alone."""
    digits = sum(map(str.isdigit, word))
    # "id77" is an id; "20th" and "10am" are not.
    return digits >= 3 or (digits == 2 and word[0].isalpha()) or "_" in word or "@" in word


def _says_something(word: str) -> bool:
    # A single letter or sign, of an alphabet or not, is a particle more often than a question.
    return len(word) > 1


def _words(message: str) -> list[str]:
    kept = (
        letter if letter.isalnum() or letter in _INSIDE or category(letter)[0] == "M" else " " for letter in message
    )
    stripped = (piece.strip("'’_-./:@#+") for piece in "".join(kept).split())
    return [piece for piece in stripped if any(map(str.isalnum, piece))]
