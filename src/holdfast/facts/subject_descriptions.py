"""What is said of a favourite in place of naming one: "is closed", "is by Frank Herbert", "ist vergriffen".

A word that begins no name is told by a list. A participle or an adjective in small letters may be a favourite as well
("Blue", "running"), so against a known name it contradicts nothing, and against anything else it is a value.
"""

from __future__ import annotations

import re
from collections.abc import Set as AbstractSet
from typing import Final

from holdfast.facts.subject_value_words import DESCRIBING, GRADING, NO_NAMES, NO_VALUES

__all__ = ["may_describe", "only_describes"]

_FAVOURITE: Final = "favourite "
_TITLES: Final = frozenset("it us them she her head".split())
"""Of what is no name, what is one of a book or a film."""
_TO_DO: Final = re.compile(
    r"(?:hard|easy|difficult|tough|tricky|impossible|difficile|difícil|fácil|schwer) (?:to|à|de|zu) "
)
_THE_ONE: Final = re.compile(
    r"(?:the ones?|one|that one|this one|whatever|derjenige|der,|die,|das,|celui|celle|el que|la que|aquel\w*) "
)
_INDEFINITE: Final = frozenset("a an ein eine einer un une una um uma".split())
_ARTICLES: Final = _INDEFINITE | frozenset("the der die das le la les el los las o os as".split())
_BEFORE: Final = frozenset(
    # Where, whence and by whom. No "a": in Portuguese that is an article.
    "in on at by from near with without for to of about under behind above over inside outside around across along "
    "between opposite beside beyond against during since until off out up down back top "
    "im am an auf aus bei beim mit nach neben nahe unter über von vom vor zu zum zur hinter zwischen gegenüber seit "
    "à au aux chez dans de du en près sur sous par avec sans derrière devant "
    "al del cerca con para por sobre desde em no na nos nas do da dos das perto com ao aos".split()
)
"""With these begins where something is or what it is of, and no favourite."""
_NO_STATES: Final = frozenset(
    "colour color farbe couleur cor colore hobby sport activity pastime exercise workout verb word adjective food "
    "freizeitbeschäftigung tätigkeit passe-temps season weather mood style theme mode passatempo afición".split()
)
"""Favourites of these sorts are written in small letters, and may be participles."""
_NAMED_SORTS: Final = frozenset(
    "restaurant cafe café bar pub club team author writer poet book novel poem song album band singer musician artist "
    "painter composer actor actress director movie film show series podcast game player museum shop store bakery hotel "
    "city town country beach park brand company newspaper magazine website blog channel teacher lokal kneipe verein "
    "mannschaft autor autorin buch roman lied sänger sängerin künstler schauspieler serie spiel spieler laden stadt "
    "land kino auteur autrice livre groupe chanson chanteur chanteuse acteur actrice série équipe jeu joueur ville "
    "pays magasin musée restaurante autora libro novela canción grupo cantante actor actriz película equipo juego "
    "jugador ciudad país tienda museo livro romance música banda cantor cantora ator atriz filme time equipa jogo "
    "jogador cidade loja museu musik ort lugar".split()
)
"""Favourites of these sorts have names, which are written with capitals."""
_COMPARED: Final = re.compile(r"\w+er (?:than|als)\b|(?:more|less|as|plus|moins|más|menos|mais|so) \w+ ")
_STATES: Final = frozenset(
    "available unavailable abroad ahead asleep awake cheap expensive pricey crowded delicious cosy cozy amazing sold "
    "stuck shut booked broke dead fun lovely wonderful fantastic perfect popular famous relegated noisy quiet loud hot "
    "cold packed won lost worn torn cancelled canceled back bankrupt "
    "cher chère complet complète ouvert ouverte bondé loin proche super génial géniale magnifique délicieux vide plein "
    "caro cara barato barata lejos longe lindo linda bonito bonita abierto abierta aberto aberta lleno llena cheio "
    "cheia vacío vazio bueno rico delicioso deliciosa famoso famosa perfecto perfeito lotado lotada genial ótimo "
    "ótima campeón campeão".split()
)
_STATE_ENDS: Final = ("ing", "ed", "é", "ée", "és", "ées", "ado", "ada", "ido", "ida", "ando", "endo", "indo", "able")


def only_describes(attribute: str, value: str, capitals: AbstractSet[str]) -> bool:
    """Whether it says how something is; "great" is no book, and "Great Expectations" is one."""
    words = value.split()
    if not words or words[0] in capitals:
        return len(words) == 1 and words[0] in NO_NAMES - _TITLES and _is_named(attribute)
    if _TO_DO.match(value) is not None or set(words) <= DESCRIBING or words[0] in GRADING:
        return True
    if not attribute.startswith(_FAVOURITE):
        return False
    if words[0] in _BEFORE or _COMPARED.match(value) or _THE_ONE.match(f"{value} "):
        return True
    return not _of_states(attribute) and (words[0] in NO_VALUES or (words[0].endswith("ly") and len(words) > 1))


def may_describe(attribute: str, value: str, capitals: AbstractSet[str]) -> bool:
    """Whether a value is written as a participle or an adjective is, and may say no more than how something is."""
    words = value.split()
    if not words or not capitals or words[0] in capitals or not attribute.startswith(_FAVOURITE):
        return False
    if _of_states(attribute):
        return False
    if words[0] in _ARTICLES and len(words) > 1:
        # "The Bible" is one; "a classic" and "the best in town" are said of one.
        return _is_named(attribute) and (words[0] in _INDEFINITE or words[1] not in capitals)
    # In German all that has a name begins with a capital.
    german = any(word.startswith("lieblings") for word in capitals)
    return german or _is_named(attribute) or words[0] in _STATES or words[0].endswith(_STATE_ENDS)


def _is_named(attribute: str) -> bool:
    return attribute.startswith(_FAVOURITE) and attribute.rpartition(" ")[2] in _NAMED_SORTS


def _of_states(attribute: str) -> bool:
    return not _NO_STATES.isdisjoint(attribute.split())
