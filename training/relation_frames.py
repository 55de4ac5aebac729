"""Frames of pairs, filled: `data/relation_frames.txt` with names, things, days and pastimes in the places of {a}, {n} …

A known sentence and what replaces something of another kind stand beside each other, too: so what is learnt of words of
change is learnt together with what they must be about.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

__all__ = ["BESIDE", "REPLACES", "SAME", "Pair", "framed"]

SAME, REPLACES, BESIDE = range(3)


class Pair(NamedTuple):
    """A known sentence, a new one, and what that is to it."""

    known: str
    said: str
    then: int


class Block(NamedTuple):
    """The frames of one kind in one language."""

    language: str
    kind: str
    known: list[str]
    said: list[tuple[int, str]]


COMPANIES = (
    "Intel Oracle Nestlé Bayer Allianz Accenture Shopify Novartis Lidl Philips Samsung IBM Hitachi "
    "Decathlon Zara Ikea Unilever Airbus Huawei Tencent Toyota Pfizer Adidas Lufthansa Santander Ubisoft "
    "SAP "
).split()
PEOPLE = (
    "Anna Ben Sofia Mateo Ingrid Yusuf Chen Hana Olga Pedro Fatima Liam Rosa Jonas Keiko Marta Ravi Elena "
).split()
CITIES = (
    "Oslo Lyon Porto Turin Dublin Vienna Chicago Lagos Seoul Krakow Ghent Leipzig Valencia Bristol Osaka "
    "Montreal Nairobi "
).split()
HABITS = (
    "go cycling,drink wine,play chess,swim,eat sweets,smoke,take the bus,meditate,watch "
    "TV,eat meat,lift weights,volunteer,sing in a choir,play golf"
).split(",")
CHOICES = (
    ("bullet points", "long text"),
    ("morning meetings", "evening meetings"),
    ("Python", "Rust"),
    ("aisle seats", "window seats"),
    ("texting", "calling"),
    ("red wine", "white wine"),
    ("metric units", "imperial units"),
    ("trains", "planes"),
    ("formal tone", "casual tone"),
    ("hotels", "hostels"),
)
THINGS = {
    "car": "Fiat Panda,Ford Focus,Toyota Yaris,Mazda CX-5,Opel Corsa,BMW i3,Kia Niro".split(","),
    "phone": "Galaxy S21,iPhone 13,Nokia 3310,Xperia 5,OnePlus 9,Moto G".split(","),
    "laptop": "MacBook Pro,Dell XPS,Surface,Zenbook,Chromebook,Framework".split(","),
    "camera": "Nikon D750,Fujifilm X-T4,Leica Q2,Olympus,Lumix".split(","),
    "bike": "Trek,Brompton,Specialized,Giant,Canyon".split(","),
    "tablet": "Galaxy Tab,iPad mini,Fire HD,reMarkable".split(","),
}
TOOLS = {
    "build": "Travis CI,CircleCI,Drone,TeamCity,Buildkite".split(","),
    "database": "MongoDB,MariaDB,SQLite,DynamoDB,Cassandra".split(","),
    "tasks": "Asana,ClickUp,Monday,Todoist,Basecamp".split(","),
    "frontend": "Vue,Svelte,Ember,Solid,jQuery".split(","),
    "code": "Bitbucket,Gitea,Perforce,Mercurial".split(","),
    "editor": "Vim,Emacs,VS Code,Zed,Sublime".split(","),
    "cloud": "Heroku,AWS,Azure,Hetzner,Fly".split(","),
    "calls": "Zoom,Webex,Discord,Mattermost,Google Meet".split(","),
    "notes": "OneNote,Bear,Logseq,Apple Notes,Roam".split(","),
}
DAYS = {
    "en": (
        "Monday,Tuesday afternoon,Thursday at 3,Sunday,4 March,11 May,May 20,the 7th of "
        "June,September 9,2 October,next Wednesday,10 am on Friday"
    ).split(","),
    "de": "Montag,Dienstag um 10,Donnerstag,3. März,12. Mai,7. Juni,28. September,Freitag".split(","),
    "fr": "lundi,mardi 14 h,3 mars,12 mai,7 juin,28 septembre,vendredi".split(","),
    "es": "lunes,martes a las 10,3 de marzo,12 de mayo,7 de junio,viernes".split(","),
    "pt": "segunda,terça às 10,3 de março,12 de maio,7 de junho,sexta".split(","),
    "it": "lunedì,martedì alle 10,3 marzo,12 maggio,7 giugno,venerdì".split(","),
    "nl": "maandag,dinsdag om 10 uur,3 maart,12 mei,7 juni,vrijdag".split(","),
    "zh": "星期一,周三下午,3月4号,5月12日,6月7号,周五".split(","),
    "ja": "月曜日,水曜の午後,3月4日,5月12日,6月7日,金曜日".split(","),
}
EVENTS = {
    "en": (
        "interview,exam,release,demo,concert,surgery,workshop,kick-off,parents' "
        "evening,party,check-up,deadline,inspection"
    ).split(","),
    "de": "Prüfung,Hochzeit,Abgabe,Besprechung,Operation,Schulung,Feier".split(","),
    "fr": "fête,présentation,formation,visite,soutenance,livraison".split(","),
    "es": "fiesta,reunión,entrega,presentación,cita,operación".split(","),
    "pt": "festa,reunião,apresentação,consulta,prova,cirurgia".split(","),
    "it": "festa,riunione,consegna,visita,presentazione,cena".split(","),
    "nl": "vergadering,bruiloft,keuring,presentatie,oplevering,feest".split(","),
    "zh": "面试,考试,婚礼,手术,发布会,聚会".split(","),
    "ja": "面接,試験,結婚式,手術,発表,飲み会".split(","),
}
LIKES = {
    "en": (
        "cycling,sushi,opera,gardening,olives,horror films,chess,swimming,beer,gin,video "
        "games,camping,yoga,running,baking,sweets,knitting,karaoke,cheese,smoking,soda,gambling"
    ).split(","),
    "de": "Radfahren,Sushi,Oper,Oliven,Schach,Schwimmen,Wein,Camping,Yoga,Käse,Rauchen,Süßigkeiten".split(","),
    "fr": ("le vélo,les sushis,l'opéra,les olives,les échecs,le vin,le yoga,le fromage,le tabac,le sucre").split(","),
    "es": ("el ciclismo,el sushi,la ópera,las aceitunas,el ajedrez,el vino,el yoga,el tabaco,el azúcar").split(","),
    "pt": "ciclismo,sushi,ópera,azeitonas,xadrez,vinho,yoga,tabaco,açúcar".split(","),
    "it": "il ciclismo,il sushi,l'opera,le olive,gli scacchi,il vino,lo yoga,il tabacco".split(","),
    "nl": "fietsen,sushi,opera,olijven,schaken,wijn,yoga,roken,kaas".split(","),
    "zh": "骑车,寿司,歌剧,下棋,喝酒,瑜伽,抽烟,甜食,游泳".split(","),
    "ja": "自転車,寿司,オペラ,将棋,お酒,ヨガ,タバコ,甘い物,水泳".split(","),
}
LETTERS = {"S": SAME, "R": REPLACES, "B": BESIDE}
EACH = 4  # known sentences for each new one


def read_blocks(path: Path) -> list[Block]:
    """The blocks of a file of frames."""
    blocks: list[Block] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        mark, _, words = line.partition(" ")
        if mark == "@":
            blocks.append(Block(*words.split(), [], []))
        elif mark == "K":
            blocks[-1].known.append(words)
        elif mark in LETTERS:
            blocks[-1].said.append((LETTERS[mark], words))
    return blocks


def framed(path: Path, seed: int) -> list[Pair]:
    """The pairs that the frames of a file make."""
    chance = random.Random(seed)
    blocks = read_blocks(path)
    pairs: list[Pair] = []
    for block in blocks:
        others = [other for other in blocks if other.language == block.language and not alike(other.kind, block.kind)]
        for then, frame in block.said:
            known_ones = chance.sample(block.known, min(len(block.known), EACH))
            if block.kind == "list":  # the sentence of the same form tells most
                known_ones += [
                    block.known[at] for at in (block.said.index((then, frame)),) if at < len(block.known)
                ] * 3
            for known in known_ones:
                told = values(block, chance)
                pairs.append(Pair(varied(known.format(**told), chance), varied(frame.format(**told), chance), then))
            if then != REPLACES:
                continue
            other = chance.choice(others)
            known = chance.choice(other.known).format(**values(other, chance))
            said = varied(frame.format(**values(block, chance)), chance)
            pairs.append(Pair(varied(known, chance), said, BESIDE))
            one, two = values(block, chance), values(block, chance)
            if names_another(block.kind, frame, one, two):
                known = chance.choice(block.known).format(**one)
                pairs.append(Pair(varied(known, chance), varied(frame.format(**two), chance), BESIDE))
    return pairs


def alike(one: str, other: str) -> bool:
    """Whether what one kind says may replace what another does."""
    return one == other or {one, other} <= {"taste", "habit", "habit2"}


def names_another(kind: str, frame: str, one: Mapping[str, str], two: Mapping[str, str]) -> bool:
    """Whether a frame names the thing it is about, and that is another one in the second filling."""
    key = {"thing": "x", "tool": "x", "event": "e", "habit": "h", "habit2": "i"}.get(kind, "")
    named = {"thing": "{a}", "tool": "{a}", "event": "{e}", "habit": "{h}", "habit2": "{i}"}.get(kind, "{?}")
    return named in frame and one[key] != two[key]


def values(block: Block, chance: random.Random) -> dict[str, str]:
    """Something for each place of a frame."""
    told: dict[str, str] = {}
    told["n"], told["m"] = chance.sample(PEOPLE, 2)
    told["c"], told["d"] = chance.sample(CITIES, 2)
    told["i"], told["k"] = chance.sample(LIKES[block.language], 2)
    told["j"] = told["i"]
    told["h"], told["g"] = chance.sample(HABITS, 2)
    told["p"], told["q"] = map(str, chance.sample(range(1, 30), 2))
    if block.kind == "company":
        told["a"], told["b"] = chance.sample(COMPANIES, 2)
    if block.kind in ("thing", "tool"):
        kinds = THINGS if block.kind == "thing" else TOOLS
        told["x"], other = chance.sample(sorted(kinds), 2)
        told["a"], told["b"] = chance.sample(kinds[told["x"]], 2)
        told["y"] = chance.choice(kinds[other])
    if block.kind == "event":
        told["a"], told["b"] = chance.sample(DAYS[block.language], 2)
        told["e"], told["f"] = chance.sample(EVENTS[block.language], 2)
    if block.kind == "prefer":
        told["a"], told["b"] = chance.choice(CHOICES)[:: chance.choice((1, -1))]
    return told


def varied(text: str, chance: random.Random) -> str:
    """A sentence as people type it: at times without a capital, at times with a stop."""
    first = text[0].lower() if chance.random() < 0.15 else text[0].upper()
    return first + text[1:] + ("." if chance.random() < 0.2 else "")
