"""More sentence forms, as data: how to reach the user and for whom the user works, and where others live.

They are those of `subject_words` in German, French, Spanish and Portuguese.
"""

from __future__ import annotations

from typing import Final

from holdfast.facts.subject_words import LIVES, WHO, Form

__all__ = ["GIVEN_NAMES", "IN_ENGLISH", "MORE_FORMS"]

GIVEN_NAMES: Final = frozenset(
    # No name that is a well-known company's as well: no Otto, no Oscar, no Mercedes.
    "anna anne anja andrea angela antje birgit brigitte carla carolin christina claudia clara doris elena elisabeth "
    "elke emma eva franziska gabi hanna hannah heike helga ines inge ingrid jana jasmin jessica johanna julia juliane "
    "karin katharina katja katrin kerstin lara laura lea lena leonie lisa luisa manuela maria marie marina martina "
    "melanie mia michaela monika nadine nicole petra renate sabine sandra sarah silke simone sofia sonja sophie "
    "stefanie susanne svenja tanja tina ulrike ursula ute vanessa vera achim alexander andreas anton bernd bernhard "
    "christian christoph daniel david dennis dieter dirk dominik erik felix florian frank franz friedrich georg "
    "gerhard hans heinz helmut holger horst jakob jan jens joachim jochen johannes jonas jörg josef jürgen kai karl "
    "karsten klaus konrad lars leon lukas manfred marc marcel marco mario mark markus martin matthias michael moritz "
    "niklas norbert olaf oliver paul peter philipp rainer ralf reinhard robert rolf rüdiger sebastian simon stefan "
    "steffen sven thomas thorsten tim tobias tom torsten udo ulf ulrich uwe volker walter werner wolfgang "
    "adam alice amy andrew anthony barbara ben beth bill bob brian carol catherine charles chris christine "
    "cynthia dan deborah diane donald donna dorothy edward elizabeth emily eric fiona gary george grace greg harry "
    "heather helen henry ian jack jacob james jane janet jason jeff jennifer jenny jeremy jim joan joe john jonathan "
    "joseph josh joyce judith karen kate katherine kathy keith kelly ken kevin kim larry linda liz lucy luke margaret "
    "mary matt matthew megan mike nancy natalie nathan nick olivia pamela patricia patrick phil rachel "
    "rebecca richard rick rob roger ruth ryan sally sam samuel scott sharon stephen steve steven sue susan teresa "
    "theresa timothy tony victoria wendy william zoe "
    "antoine arnaud aurélie bruno camille cécile céline chloé christophe clément corinne denis élise émilie éric "
    "fabien florence françois françoise frédéric gilles guillaume hélène hugo isabelle jacques jean jérôme julie "
    "julien laurent luc lucas manon marion mathieu maxime nathalie nicolas olivier pascal philippe pierre rémi "
    "romain sébastien sophie stéphane sylvie thierry valérie véronique vincent virginie yves "
    "alberto alejandro álvaro ana andrés ángel antonio beatriz carlos carmen cristina diego elena enrique esteban "
    "fernando francisco gabriel gonzalo guillermo inés irene isabel javier jesús joaquín jorge josé juan juana julio "
    "lucía luis luisa manuel marcos mariana marta miguel mónica natalia pablo paco paula pedro pilar rafael ramón raúl "
    "ricardo roberto rosa sergio silvia susana tomás víctor "
    "afonso amélia andré artur bernardo bruna caio catarina cláudia daniela duarte eduardo fábio felipe fernanda "
    "filipe flávia gustavo helena henrique inês joana joão jorge leonardo letícia luana lúcia luís luiz luíza marcelo "
    "margarida mateus matheus maurício nuno patrícia paulo renata rodrigo rui sílvia sónia sônia teresa thiago tiago "
    "vítor".split()
)
"""Common given names: by these alone a German noun is told from a name, and a person from an employer."""

_PERSON = rf"(?:herrn? |frau |dr\.? |prof\.? )?(?:{'|'.join(sorted(GIVEN_NAMES))})\b.*|(?:herr|frau|dr\.?|prof\.?) .+"
_HOLDS = r"(?:jetzt |nun |ab sofort |maintenant |désormais |ahora |agora )?"

MORE_FORMS: Final[tuple[Form, ...]] = (
    # German
    Form(
        "{a}",
        r"meine (?:neue )?(?P<a>telefonnummer|handynummer|mobilnummer|e-?mail|e-?mail-?adresse|mailadresse) "
        rf"(?:ist|lautet) {_HOLDS}(?P<v>.+)",
        cuts=True,
    ),
    # With a number or a sign: any German noun has a capital.
    Form(
        "{a}",
        rf"meine (?:neue )?(?P<a>adresse|anschrift) (?:ist|lautet) {_HOLDS}(?P<v>.*\d.*|\S+@\S+)",
        cuts=True,
    ),
    Form(
        "{a}",
        r"meine? (?:neuer? )?(?P<a>chef|chefin|vorgesetzter?|boss|manager|managerin) "
        rf"(?:heisst {_HOLDS}(?P<v>.+)|ist {_HOLDS}(?P<v2>{_PERSON}))",
        cuts=True,
    ),
    Form(LIVES, rf"{WHO} (?:wohnt|lebt) nicht mehr in (?P<v>.+)", no=True, cuts=True),
    Form(LIVES, rf"{WHO} (?:wohnt|lebt)(?: jetzt| nun| inzwischen| mittlerweile)? in (?P<v>.+)", cuts=True),
    Form(
        LIVES,
        rf"{WHO} ist(?: jetzt| gerade| kürzlich)? (?:von (?P<m>.+?) )?nach (?P<v>.+?) (?:um)?gezogen",
        once=True,
    ),
    Form(
        LIVES,
        r"(?:letzte woche|letzten monat|letztes jahr|gestern|kürzlich|neulich|vor kurzem) bin ich "
        r"(?:von (?P<m>.+?) )?nach (?P<v>.+?) (?:um)?gezogen",
        once=True,
    ),
    Form(LIVES, r"wir (?:wohnen|leben)(?: jetzt| nun| inzwischen| mittlerweile)? in (?P<v>.+)", cuts=True),
    Form(LIVES, r"wir sind(?: jetzt| gerade| kürzlich)? (?:von (?P<m>.+?) )?nach (?P<v>.+?) (?:um)?gezogen", once=True),
    Form(LIVES, r"ich bin(?: wieder)? (?:zurück )?nach (?P<v>.+?) (?:zurück)?gezogen", once=True),
    # French
    Form(
        "{a}",
        r"m(?:on|a) (?:nouveau |nouvel |nouvelle )?(?P<a>numéro de téléphone|numéro de portable|téléphone|numéro|"
        rf"e-?mail|adresse e-?mail|adresse mail|courriel|adresse) est {_HOLDS}(?:le )?(?P<v>.+)",
        cuts=True,
    ),
    Form(
        "{a}",
        r"m(?:on|a) (?:nouveau |nouvelle )?(?P<a>chef|cheffe|patron|patronne|manager|responsable) "
        rf"(?:est|s'appelle) {_HOLDS}(?P<v>.+)",
        cuts=True,
    ),
    Form(LIVES, rf"{WHO} n'habite plus (?:à|en|au|aux) (?P<v>.+)", no=True, cuts=True),
    Form(LIVES, rf"{WHO} (?:habite|vit|réside)(?: maintenant| désormais)? (?:à|en|au|aux) (?P<v>.+)", cuts=True),
    Form(
        LIVES,
        rf"{WHO} (?:a|vient de|s'est)(?: récemment)? (?:déménagé|emménagé|déménager|emménager|installée?) "
        r"(?:de (?P<m>.+?) )?(?:à|en|au|aux) (?P<v>.+)",
        cuts=True,
        once=True,
    ),
    Form(
        LIVES,
        r"(?:la semaine dernière|le mois dernier|l'année dernière|l'an dernier|hier|récemment),? "
        r"(?:j'ai|nous avons|on a) (?:déménagé|emménagé) (?:de (?P<m>.+?) )?(?:à|en|au|aux) (?P<v>.+)",
        cuts=True,
        once=True,
    ),
    Form(LIVES, r"nous (?:habitons|vivons)(?: maintenant| désormais)? (?:à|en|au|aux) (?P<v>.+)", cuts=True),
    Form(LIVES, r"nous avons déménagé (?:de (?P<m>.+?) )?(?:à|en|au|aux) (?P<v>.+)", cuts=True, once=True),
    # Spanish
    Form(
        "{a}",
        r"mi (?:nuevo |nueva )?(?P<a>número de teléfono|número de móvil|teléfono|móvil|celular|correo electrónico|"
        rf"correo|e-?mail|dirección de correo|dirección) es {_HOLDS}(?:el )?(?P<v>.+)",
        cuts=True,
    ),
    Form("{a}", rf"mi (?:nuevo |nueva )?(?P<a>jefe|jefa) (?:es|se llama) {_HOLDS}(?P<v>.+)", cuts=True),
    Form(LIVES, rf"{WHO} ya no vive en (?P<v>.+)", no=True, cuts=True),
    Form(LIVES, rf"{WHO}(?: ahora)? vive(?: ahora)? en (?P<v>.+)", cuts=True),
    Form(LIVES, rf"{WHO} se (?:ha mudado|mudó) (?:de (?P<m>.+?) )?a (?P<v>.+)", cuts=True, once=True),
    Form(
        LIVES,
        r"(?:la semana pasada|el mes pasado|el año pasado|ayer|hace poco|recientemente),? (?:yo )?"
        r"(?:me mudé|nos mudamos) (?:de (?P<m>.+?) )?a (?P<v>.+)",
        cuts=True,
        once=True,
    ),
    Form(LIVES, r"(?:nosotros )?vivimos(?: ahora)? en (?P<v>.+)", cuts=True),
    Form(LIVES, r"nos (?:hemos mudado|mudamos) (?:de (?P<m>.+?) )?a (?P<v>.+)", cuts=True, once=True),
    Form(LIVES, r"(?:he vuelto|volví) a vivir en (?P<v>.+)", cuts=True, once=True),
    # Portuguese
    Form(
        "{a}",
        r"(?:o |a )?(?:meu|minha) (?:novo |nova )?(?P<a>número de telefone|número de telemóvel|telefone|telemóvel|"
        rf"celular|e-?mail|endereço de e-?mail|endereço|morada) é {_HOLDS}(?:o )?(?P<v>.+)",
        cuts=True,
    ),
    Form(
        "{a}",
        r"(?:o |a )?(?:meu|minha) (?:novo |nova )?(?P<a>chefe|chefa|gerente|patrão) "
        rf"(?:é|chama-se|se chama) {_HOLDS}(?:[oa] )?(?P<v>.+)",
        cuts=True,
    ),
    Form(LIVES, rf"(?:o |a )?{WHO} (?:já )?não (?:mora|vive)(?: mais)? (?:em|no|na) (?P<v>.+)", no=True, cuts=True),
    Form(LIVES, rf"(?:o |a )?{WHO}(?: agora)? (?:mora|vive)(?: agora)? (?:em|no|na) (?P<v>.+)", cuts=True),
    Form(LIVES, rf"(?:o |a )?{WHO} (?:se mudou|mudou-se) (?:de (?P<m>.+?) )?para (?P<v>.+)", cuts=True, once=True),
    Form(
        LIVES,
        r"(?:na semana passada|semana passada|no mês passado|no ano passado|ontem|recentemente),? (?:eu )?"
        r"(?:me mudei|mudei-me|mudei|nos mudamos) (?:de (?P<m>.+?) )?para (?P<v>.+)",
        cuts=True,
        once=True,
    ),
    Form(LIVES, r"(?:nós )?(?:moramos|vivemos)(?: agora)? (?:em|no|na) (?P<v>.+)", cuts=True),
    Form(LIVES, r"nos mudamos (?:de (?P<m>.+?) )?para (?P<v>.+)", cuts=True, once=True),
    Form(LIVES, r"voltei a (?:morar|viver) (?:em|no|na) (?P<v>.+)", cuts=True, once=True),
)

IN_ENGLISH: Final = {
    name: english
    for english, names in (
        ("phone number", "telefonnummer/numéro de téléphone/téléphone/numéro/número de teléfono/teléfono"),
        ("phone number", "número de telefone/telefone"),
        ("mobile number", "cell number/handynummer/mobilnummer/numéro de portable/número de móvil/móvil"),
        ("mobile number", "celular/telemóvel/número de telemóvel"),
        ("email", "e-mail-adresse/emailadresse/email-adresse/e-mailadresse/mailadresse/adresse email/adresse mail"),
        ("email", "courriel/correo/correo electrónico/dirección de correo/endereço de email"),
        ("address", "adresse/anschrift/dirección/endereço/morada"),
        ("boss", "chef/chefin/vorgesetzte/vorgesetzter/cheffe/patron/patronne/responsable/jefe/jefa"),
        ("boss", "chefe/chefa/gerente/patrão/managerin"),
    )
    for name in names.split("/")
}
"""What those forms name, as the English ones do."""
