"""The words of time in eight languages, and the small words that tell which language a question is in.

`kind: entries`, entries separated by commas, or by bars where their place is their value (months from 1, weekdays from
Monday 0, seasons from spring 0, units as in UNITS). `=` gives a value (of "early": 1 a third, 2 a half,
3 a week). `~` marks a word that is also something else (a name, a verb, a word of another language): it counts only
where what stands around it says so. `!` marks a verb. Romanian has small words only: it looks like its sisters, and
has other words for time.
"""

from __future__ import annotations

import re

__all__ = ["LANGUAGES", "SMALL", "UNITS", "asks_for_anything"]

UNITS = ("day", "week", "month", "quarter", "year", "weekend", "hour")

LANGUAGES: dict[str, str] = {
    "en": """
day: today=0, tonight=0, this morning=0, this afternoon=0, this evening=0, earlier today=0, just now=0, yesterday=-1,
  last night=-1, day before yesterday=-2, tomorrow=1, day after tomorrow=2
month: january,~jan | february,~feb | !march,~mar | ~april,~apr | !may | ~june,~jun | ~july,~jul | ~august,~aug |
  september,~sept,~sep | october,~oct | november,~nov | december,~dec
weekday: monday,~mon | tuesday,~tue,~tues | wednesday,~wed | thursday,~thu,~thur,~thurs | friday,~fri | saturday,~sat
  | sunday,~sun
season: ~spring | ~summer | autumn,~fall | ~winter
unit: day,days | week,weeks | month,months | quarter,quarters | year,years | weekend,weekends | hour,hours
number: a=1, an=1, one=1, two=2, three=3, four=4, five=5, six=6, seven=7, eight=8, nine=9, ten=10, eleven=11,
  twelve=12, couple of=2, couple=2, a couple of=2, a couple=2, few=4, a few=4, several=5, half a=0
last: last, previous
rolling: past
this: this, the current, current
next: next, the coming, coming
ago: ago, back
in: in
at: in, during, of, back in, within, around
near: on, over, for, at, by, that
since: since
until: until, till, up to, through
before: before, prior to
after: after
between: between
from: from
to: to, through, until, till
and: and
of: of
article: the
part: morning, afternoon, evening, night
early: early, beginning of, start of, first half of=2, first week of=3, first weekend of=3
mid: mid, middle of
late: late, end of, second half of=2, last week of=3, last weekend of=3
recent: recently=30, lately=30, the other day=10, these days=30
ahead: will, ll, shall, upcoming
feast: christmas=1224-1226, new year s eve=1231-1231, halloween=1031-1031, valentine s day=0214-0214
""",
    "de": """
day: heute=0, heute morgen=0, heute abend=0, heute früh=0, gestern=-1, gestern abend=-1, vorgestern=-2, ~morgen=1,
  übermorgen=2
none: am morgen, guten morgen, jeden morgen, am nächsten morgen
month: januar,jänner | februar | märz,maerz | ~april | ~mai | ~juni | ~juli | ~august | september | oktober | november
  | dezember
weekday: montag | dienstag | mittwoch | donnerstag | freitag | samstag,sonnabend | sonntag
season: ~frühling,frühjahr | ~sommer | ~herbst | ~winter
unit: tag,tage,tagen | woche,wochen | monat,monate,monaten,monats | quartal,quartals | jahr,jahre,jahren,jahres |
  wochenende,wochenendes | stunde,stunden
number: ein=1, eine=1, einer=1, einem=1, einen=1, zwei=2, drei=3, vier=4, fünf=5, sechs=6, sieben=7, acht=8, neun=9,
  zehn=10, elf=11, zwölf=12, paar=3, ein paar=3, einigen=4, einige=4
last: letzte, letzten, letzter, letztes, letztem, vergangene, vergangenen, vergangener, vergangenes, vorige, vorigen,
  voriger, voriges
this: diese, diesen, dieser, dieses, diesem
next: nächste, nächsten, nächster, nächstes, kommende, kommenden, kommender, kommendes
agobefore: vor
in: in
at: im, in, am, vom, seit, um, im monat, des, für
since: seit, ab
until: bis, bis zum, bis ende
before: vor, vor dem
after: nach, nach dem
between: zwischen
from: von, vom
to: bis, bis zum
and: und
of: des
article: der, die, das, dem, den
part: morgen, vormittag, nachmittag, abend, nacht
early: anfang
mid: mitte
late: ende
recent: kürzlich=30, neulich=14, in letzter zeit=30
ahead: wird, werden, werde
feast: weihnachten=1224-1226, ~silvester=1231-1231
""",
    "fr": """
day: aujourd hui=0, ce matin=0, cet après midi=0, ce soir=0, cette nuit=0, ~hier=-1, hier soir=-1, avant hier=-2,
  demain=1, après demain=2
month: janvier | février | ~mars | avril | ~mai | ~juin | juillet | août,~aout | septembre | octobre | novembre |
  décembre
weekday: lundi | mardi | mercredi | jeudi | vendredi | samedi | dimanche
season: printemps | ~été | automne | ~hiver
unit: jour,jours | semaine,semaines | mois | trimestre,trimestres | an,ans,année,années | week end,weekend,week ends |
  heure,heures
number: un=1, une=1, deux=2, trois=3, quatre=4, cinq=5, six=6, sept=7, huit=8, neuf=9, dix=10, onze=11, douze=12,
  quinze=15, quelques=4
rolling: dernier, dernière, derniers, dernières, passés, passées
lastafter: dernier, dernière, passé, passée, précédent, précédente
this: ce, cet, cette
nextafter: prochain, prochaine
agobefore: il y a, y a
in: dans
at: en, au, de, d, du, courant, pendant, durant, le, au mois de, au mois d, l
since: depuis, dès
until: jusqu en, jusqu à, jusqu au
before: avant, avant le
after: après, après le
between: entre
from: de, du
to: à, au
and: et
article: le, la, les, l, du, ces
part: matin, soir, après midi
early: début
mid: mi
late: fin
recent: récemment=30, dernièrement=30, l autre jour=10, ces derniers temps=30
feast: ~noël=1224-1226
""",
    "es": """
day: hoy=0, esta mañana=0, esta tarde=0, esta noche=0, anoche=-1, ayer=-1, anteayer=-2, antes de ayer=-2, ~mañana=1,
  pasado mañana=2
none: la mañana, por la mañana
month: enero | febrero | marzo | abril | ~mayo | junio | julio | agosto | septiembre,setiembre | octubre | noviembre |
  diciembre
weekday: lunes | martes | miércoles | jueves | viernes | sábado | ~domingo
season: primavera | ~verano | otoño | invierno
unit: día,días | semana,semanas | mes,meses | trimestre,trimestres | año,años | fin de semana,fines de semana |
  hora,horas
number: un=1, una=1, uno=1, dos=2, tres=3, cuatro=4, cinco=5, seis=6, siete=7, ocho=8, nueve=9, diez=10, once=11,
  doce=12, quince=15, unos=4, unas=4, algunos=4
last: pasado, pasada
rolling: último, última, últimos, últimas, pasados, pasadas
lastafter: pasado, pasada, anterior
this: este, esta
next: próximo, próxima
nextafter: que viene, próximo, próxima
agobefore: hace
in: dentro de
at: en, de, del, durante, el, para, en el mes de
since: desde, desde el
until: hasta, hasta el
before: antes de, antes del
after: después de, después del
between: entre
from: de, del, desde, desde el
to: a, al, hasta, hasta el
and: y
of: de, del
article: el, la, los, las
part: por la mañana, por la tarde, por la noche
early: principios de, comienzos de, inicios de
mid: mediados de
late: finales de, fines de
recent: recientemente=30, últimamente=30, el otro día=10
feast: navidad=1224-1226, nochevieja=1231-1231
""",
    "pt": """
day: hoje=0, esta manhã=0, hoje de manhã=0, esta noite=0, ontem=-1, ontem à noite=-1, anteontem=-2, amanhã=1, depois
  de amanhã=2
month: janeiro | fevereiro | março,~marco | abril | ~maio | junho | julho | agosto | setembro | outubro | novembro |
  dezembro
weekday: segunda feira,~segunda | terça feira,~terça | quarta feira,~quarta | quinta feira,~quinta | sexta
  feira,~sexta | sábado | ~domingo
season: primavera | verão | outono | inverno
unit: dia,dias | semana,semanas | mês,meses | trimestre,trimestres | ano,anos | fim de semana,fins de semana |
  hora,horas
number: um=1, uma=1, dois=2, duas=2, três=3, quatro=4, cinco=5, seis=6, sete=7, oito=8, nove=9, dez=10, onze=11,
  doze=12, quinze=15, alguns=4, algumas=4
last: passado, passada
rolling: último, última, últimos, últimas
lastafter: passado, passada, anterior
this: este, esta, neste, nesta, deste, desta
next: próximo, próxima
nextafter: que vem, próximo, próxima
ago: atrás
agobefore: há, faz
in: daqui a
at: em, de, no, na, do, da, durante, para
since: desde, desde o, a partir de
until: até, até o
before: antes de, antes do
after: depois de, após
between: entre
from: de, desde
to: a, até
and: e
of: de
article: o, a, os, as
part: de manhã, à tarde, à noite
early: início de, começo de
mid: meados de
late: fim de, final de
recent: recentemente=30, ultimamente=30, outro dia=10
feast: ~natal=1224-1226
""",
    "it": """
day: oggi=0, stamattina=0, stamani=0, stasera=0, ieri=-1, ieri sera=-1, l altro ieri=-2, altro ieri=-2, domani=1,
  dopodomani=2
month: gennaio | febbraio | marzo | aprile | maggio | giugno | luglio | agosto | settembre | ottobre | novembre |
  dicembre
weekday: lunedì | martedì | mercoledì | giovedì | venerdì | sabato | domenica
season: primavera | estate | autunno | inverno
unit: giorno,giorni | settimana,settimane | mese,mesi | trimestre,trimestri | anno,anni | fine settimana,weekend |
  ora,ore
number: un=1, uno=1, una=1, due=2, tre=3, quattro=4, cinque=5, sei=6, sette=7, otto=8, nove=9, dieci=10, undici=11,
  dodici=12, quindici=15, qualche=4, alcuni=4, alcune=4
last: scorso, scorsa
rolling: ultimo, ultima, ultimi, ultime, scorsi, scorse
lastafter: scorso, scorsa, passato, passata
this: questo, questa, quest
next: prossimo, prossima
nextafter: prossimo, prossima
ago: fa
in: tra, fra
at: in, a, ad, di, nel, nell, durante, d, del, dell, il
since: da, dal, dallo
until: fino a, fino al
before: prima di, prima del
after: dopo, dopo il
between: tra, fra
from: da, dal
to: a, al
and: e
of: di, del
article: il, lo, la, i, gli, le, l
part: mattina, pomeriggio, sera, notte
early: inizio, inizi di
mid: metà
late: fine
recent: recentemente=30, ultimamente=30, l altro giorno=10
feast: ~natale=1224-1226
""",
    "nl": """
day: vandaag=0, vanochtend=0, vanmorgen=0, vanmiddag=0, vanavond=0, gisteren=-1, gisteravond=-1, eergisteren=-2,
  ~morgen=1, overmorgen=2
month: januari | februari | maart | ~april | ~mei | ~juni | ~juli | augustus | september | oktober | november |
  december
weekday: maandag | dinsdag | woensdag | donderdag | vrijdag | zaterdag | zondag
season: lente,voorjaar | zomer | herfst,najaar | ~winter
unit: dag,dagen | week,weken | maand,maanden | kwartaal,kwartalen | jaar,jaren | weekend,weekeinde | uur,uren
number: een=1, één=1, twee=2, drie=3, vier=4, vijf=5, zes=6, zeven=7, acht=8, negen=9, tien=10, elf=11, twaalf=12,
  paar=3, een paar=3, enkele=4
last: vorige, vorig
rolling: afgelopen, laatste
this: deze, dit
next: volgende, volgend, komende
ago: geleden
in: over
at: in, op, van, tijdens, rond, om
since: sinds, vanaf
until: tot, tot en met
before: vóór
after: na
between: tussen
from: van
to: tot, tot en met
and: en
article: de, het
part: ochtend, middag, avond, nacht
early: begin
mid: half
late: eind
recent: onlangs=30, laatst=14, de laatste tijd=30
ahead: zal, zullen
feast: kerst=1224-1226, kerstmis=1224-1226
""",
    "ru": """
day: сегодня=0, сегодня утром=0, сегодня вечером=0, вчера=-1, вчера вечером=-1, позавчера=-2, завтра=1, послезавтра=2
month: январь,января,январе | февраль,февраля,феврале | март,~марта,марте | апрель,апреля,апреле | ~май,~мая,~мае |
  июнь,июня,июне | июль,июля,июле | август,августа,августе | сентябрь,сентября,сентябре | октябрь,октября,октябре |
  ноябрь,ноября,ноябре | декабрь,декабря,декабре
weekday: понедельник,понедельника | вторник,вторника | ~среда,~среду,~среды | четверг,четверга |
  пятница,пятницу,пятницы | суббота,субботу,субботы | воскресенье,воскресенья
season: весной,весна,весны,весну | летом,лето,лета | осенью,осень,осени | зимой,зима,зимы,зиму
unit: день,дня,дней,дни | неделя,неделю,недели,недель,неделе,неделей | месяц,месяца,месяцев,месяце,месяцы |
  квартал,квартала,квартале,кварталов | год,года,году,лет,годы | выходные,выходных | час,часа,часов
one: день, неделю, месяц, год, час
number: один=1, одну=1, одна=1, два=2, две=2, три=3, четыре=4, пять=5, шесть=6, семь=7, восемь=8, девять=9, десять=10,
  одиннадцать=11, двенадцать=12, несколько=4, пару=2, пара=2
last: прошлый, прошлая, прошлую, прошлой, прошлое, прошлом, прошлого, прошлым, прошлые, прошлых, предыдущий,
  предыдущей, предыдущем
rolling: последний, последняя, последнюю, последние, последних, последнее
this: этот, эта, эту, этой, этом, это, эти, этих, этим, этого
next: следующий, следующую, следующей, следующем, следующая, будущем, будущей, следующие
ago: назад
in: через
at: в, во, на, за, около, к
since: с, со, начиная с
until: до, по
before: до, перед
after: после
between: между
from: с, со, от
to: по, до
and: и
part: утром, днём, днем, вечером, ночью
early: начале, начала
mid: середине, середины
late: конце, конца
recent: недавно=30, на днях=10, в последнее время=30
ahead: будет, будут, будем
feast: рождество=0106-0107, новый год=1231-0101
""",
}

SMALL: dict[str, frozenset[str]] = {
    language: frozenset(words.split())
    for language, words in {
        "en": "the of what did when where who how is are were i we my our about for with have has that it",
        "de": "der die das und ist was wir ich haben hat habe über mit für wie wann wo wer eine nicht im am",
        "fr": "le la les il des du est que qui quoi quand où nous je avec pour sur une un et dans ai avons été",
        "es": "el la los las que qué cuándo dónde quién con para por una un y en del es fue hemos he",
        "pt": "o os as que quando onde quem com para por uma um e em do da no na foi é eu nós não",
        "it": "il lo la gli le che cosa quando dove chi con per una un e di del della nel è abbiamo ho",
        "ro": "în ce a fost din este cine cum câte pe la de care au și să pentru cu sunt al lui unde când mai",
        "nl": "de het een en van wat wanneer waar wie met voor ik we hebben heeft is dat op te hoe",
    }.items()
}

# What a question asks with that wants whatever there is of a time: "what happened", "was war los", "quoi de neuf".
_ANYTHING = frozenset(
    "happen happened happening happens anything everything something things thing going went new news note notes noted "
    "wrote written write up done do did been entry entries event events show list give there occurred remember any all "
    "day days log logs journal me was is s what's whats talk talked talking discuss discussed speak spoke said say "
    "summary recap review "
    "passiert geschah geschehen los war gab gibt gemacht getan alles irgendwas etwas neues notizen notiert geschrieben "
    "es vom von zum zur den dem an in aus seit bis besprochen gesprochen geredet gesagt "
    "parlé discuté hablado hablamos dicho falado falamos parlato detto besproken gesproken gezegd говорили обсуждали "
    "passé passe arrivé arrive fait eu neuf tout quelque chose notes écrit s'est c'est qu'est ce s est qu a au aux de "
    "pasó paso pasado ocurrió hice hicimos hubo todo algo nuevo notas escribí a al de desde hasta ha sucedido "
    "aconteceu houve fiz fizemos tudo algo novo notas escrevi de desde até "
    "successo accaduto fatto tutto qualcosa nuovo note scritto dal dalla di da al "
    "gebeurd gebeurde gebeurt alles iets nieuws notities geschreven gedaan er "
    "что было произошло случилось делал делали сделал сделали нового всё все записи в во на с за "
    "s-a întâmplat am făcut tot nou".split()
)
_ANYTHING_CJK = (
    *(
        "发生了什么",
        "發生了什麼",
        "做了什么",
        "做了什麼",
        "有什么",
        "有什麼",
        "什么",
        "什麼",
        "事情",
        "发生",
        "發生",
        "事",
        "的",
        "了",
        "呢",
        "吗",
    ),
    *(
        "何がありました",
        "何があった",
        "何をしました",
        "何をした",
        "何が",
        "何を",
        "ありましたか",
        "起きた",
        "起こった",
        "のこと",
        "か",
        "は",
        "に",
        "の",
        "と",
    ),
)


def asks_for_anything(question: str, time: str) -> bool:
    """Say whether a question asks for nothing but a time, which it names with these words."""
    from holdfast.search.small_words import SMALL_WORDS

    rest = question.replace(time, " ", 1).casefold()
    if not rest.isascii():
        for word in _ANYTHING_CJK:
            rest = rest.replace(word, " ")
    words = (word.replace("’", "'") for word in re.findall(r"[^\W_]+(?:['’-][^\W_]+)*", rest))
    known = _ANYTHING.union(SMALL_WORDS, *SMALL.values())
    return all(word in known or known.issuperset(re.split("['-]", word)) for word in words)
