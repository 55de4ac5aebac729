"""How people speak about themselves in Spanish, on both sides of the ocean."""

from __future__ import annotations

from holdfast.facts.capture.spanish_forms import (
    ASKS,
    FIRST,
    FORMS,
    GIVEN,
    KIN_SAYS,
    LIKE_ME,
    MINE,
    MY,
    NO_LINK,
    THEN,
    WHY,
)
from holdfast.facts.capture.spanish_life import LIFE
from holdfast.facts.capture.spanish_words import FORBIDDEN, OFTEN_FIRST, ORDERS, STYLE
from holdfast.facts.capture.speech import NO_THING, Speech, any_of

__all__ = ["SPANISH"]

SPANISH = Speech(
    code="es",
    loose=True,
    words="""soi bibo ola xq yo me mi mis nos nuestro nuestra tú tu tus te usted es son soy eres está están estoy el
    la los las un una unos unas de del y o pero no ya que qué quién cómo dónde cuándo por para con sin en al
    a se lo le si sí más muy siempre nunca hay tengo tiene tenemos he ha hemos había este esta esto ese esa
    eso aquí ahora vivo trabajo prefiero gusta gustan encanta odio usamos uso recuerda recuerdas puedes
    quiero necesito creo llamo llama llámame jefe jefa hermano dice dijo decidimos decidido desde hasta
    adelante partir bien gracias favor traduce escribe imagina nuestros años hijos vos che laburo somos acá
    hola conmigo porfa dime cuando tanto tantos tantas todo todos todas como porque también hace mucho ni sino entre
    sobre donde quien otro otra algo nada cada hija hijo cosas contestes respondas uses hablas háblame
    contéstame respóndeme explícame hazme dame perro perra gata casa nació vive estudio padre madre padres
    alergia alérgico alérgica meses tambien asi aqui""",
    fillers=any_of(
        "ah|ay|ola|bueno|vale|ok|pues|entonces|y|también|por cierto|para tu información|para que lo sepas|"
        "para que sepas|"
        "que sepas que|que sepas|fyi|es que|che|mira|mirá|oye|oiga|buenas(?: tardes| noches)?|buenos días|buen día|hey|"
        "parce|wey|pana|a ver|o sea|eh|este|wey|güey|tío|oye mira|ando|holi|holaa*|saludos|disculpa|disculpe|"
        "una pregunta|pregunta",
        "en realidad|la verdad es que|la verdad|de hecho|no(?=[,:;])|sí|hola|perdona|perdón|corrección|como dije|"
        "como te dije|ten en cuenta que|aclaro que|te cuento que|resulta que|lo que pasa es que|fíjate que|básicamente",
        "ten en cuenta|sinceramente|personalmente|por lo general|gracias|contexto|mi contexto|sobre mí|otra cosa|"
        "una cosa más|para ser claro|te comento|te aviso|te recuerdo que|aviso|ojo|dato|porfa|por favor|encima|además|"
        "así que|pero",
        "importante|actualmente|ahora|ahora mismo|hoy en día|a título personal|en casa(?! tod| somos| nadie| ning)|"
        "en el trabajo|"
        f"en la oficina|en mi casa(?! nadie| tod| ning)|(?:{WHY})(?= {FIRST}| mis? | nuestr| en casa| en mi)",
    )
    + r"(?:,|:|;| -| –| —|!|\.\.\.|…)? ",
    explicit=r"(?:por favor,? |porfa,? |y |también |ok |oye,? |puedes |podrías |quiero que ){0,3}(?:"
    + any_of(
        r"recuerda(?: bien| siempre| por favor| porfa)?(?:,|:)?(?: que| esto:)?|recuerde(?:,|:)?(?: que)?|recordá(?:,|"
        r":)?"
        r"(?: que)?|acuérdate(?: bien| siempre)?(?: de)?(?:,|:)?(?: que)|acordate(?: de)?(?:,|:)?(?: que)|"
        r"recuerdes que",
        r"no (?:te )?olvides(?: nunca)?(?: de)?(?:,|:)?(?: que)?|no se te olvide(?:,|:)?(?: que)?|no olvidar(?:,|"
        r":)?(?: "
        r"que)|apunta(?: bien| por ahí| esto)?(?:,|:| que)(?: que)?|"
        r"apúntate(?:,|:| que)|(?:anot[aáe]|anótate|anotate|agendá|agenda)(?: bien| por ahí| esto)?(?:,|:|"
        r" que)(?: que)?",
        r"toma nota(?: de)?(?:,|:| que)|memoriza(?:,|:| que)|guard[aá] en (?:tu |la )?memoria(?:,|:| que)?|"
        r"nota(?: mental| para mí)?(?:,|:)|guarda (?:esto|eso)(?:,|:)|guarda(?:te)? que|registra(?:,|:| que)|"
        r"ten(?:lo)? (?:siempre )?presente(?:,|:| que)|quédate con (?:esto:|que)",
        r"no (?:pierdas|pierda) de vista que|métete en la cabeza que|que no se te pase que|para (?:el futuro|"
        r"más adelante|futuras referencias|que lo recuerdes|la próxima)(?:,|:)|que conste que|"
        r"recordar que|graba(?:,|:| que)|grábate (?:,|:|que)",
    )
    + ") ",
    explicit_after=r"(?:,| -|;)? (?:por favor |porfa |y )?(?:recuérdalo|no lo olvides|no se te olvide|tenlo en cuenta|"
    r"tenlo presente|apúntalo|anótalo|anotalo|acuérdate|guárdalo|para que lo recuerdes)(?: por favor| porfa)?$",
    no_memory=r"(?:cuando|cuándo|cómo|como (?:hicimos|te)|por qué|dónde|quién|lo que|la vez|si\b|esto$|eso$|"
    r"\w+(?:ar|er|ir|arlo|erlo|irlo|arme)\b|(?:tú )?(?:eres|debes|no tienes)|aquel|este\b|ese\b)",
    standing=r"(?!(?:él|ella|ellos|esto|eso|el|la|los|las)\b).{0,200}\b(?:a partir de (?:ahora|hoy)|"
    r"de ahora en adelante|desde ahora|de aquí en adelante|de acá en adelante|de ahora en más|en adelante|en el futuro|"
    r"en lo sucesivo|hasta nuevo aviso|(?:para|en) (?:todas )?(?:las|tus) próximas? (?:veces|respuestas|vez))\b",
    orders=rf"(?:no más|basta de|nada de|ya no quiero) (?:respuestas|mensajes|textos) |"
    rf"(?:por favor,? |porfa,? )?(?:{ORDERS} (?:[\w',-]+ ){{0,8}}?(?:siempre|por defecto|cada vez que|"
    rf"en todas tus|en "
    rf"tus respuestas|cuando me (?:contestes|respondas|escribas|expliques|hables))\b|siempre (?:me )?{ORDERS}\b|"
    rf"(?:nunca|"
    rf"jamás) (?:más )?{FORBIDDEN}\b|ya no {FORBIDDEN}\b|"
    rf"no {FORBIDDEN} (?:[\w'-]+ ){{0,5}}?(?:nunca|jamás|cuando me|en tus (?:respuestas|mensajes|textos))\b|"
    rf"no {FORBIDDEN} (?:más |tant[oa]s? |con tant[oa]s? |de )*{STYLE}\b|no me (?:hables|trates|llames|digas) (?:de|"
    rf"con|en) |"
    rf"no me (?:pongas|des|mandes|envíes|hagas|enseñes) (?:más |tant[oa]s )?{STYLE}\b|"
    rf"(?:deja|dejá|para|pará|basta|evita|evitá|cero|nada|menos|sin|ya) (?:de |con |ya )*(?:usar |poner |meter |"
    rf"tant[oa]s? |"
    rf"l[oa]s |hacer )*(?:{STYLE}\b.{{0,30}}(?:tus|porfa|por favor|gracias|conmigo|cuando)|(?:usar|poner|meter|"
    rf"tant[oa]s?) "
    rf"(?:tant[oa]s? )?{STYLE}|disculparte|tratarme|llamarme|decirme|repetir)\b|"
    rf"cuando (?:me (?:contestes|respondas|escribas|expliques|des|hables|pases)|te (?:pida|pase|pregunte|mande|pegue|"
    rf"dé|muestre|envíe|comparta))"
    rf"[^,]{{0,60}}?,? (?:{ORDERS}|no |siempre )|(?:quiero|prefiero|necesito) que (?:siempre )?me (?:respondas|"
    rf"contestes|"
    r"hables|trates|llames|expliques|escribas|tutees|digas)\b)",
    forms=(*FORMS, *LIFE),
    at_hand=r"(?:más |mucho |solo )?(?:est[aeo]s?\b|es[aeo]s?\b|así\b|tus?\b|cómo\b|como (?:quedó|lo|está)|"
    r"lo (?:que|de)\b|que (?:lo|la|me|te|se)\b|cuando\b|"
    r"(?:la|el|los|las) (?:primer[oa]?|segund[oa]|tercer[oa]?|últim[oa]|otr[oa]|nuev[oa]|versión|propuesta|idea|"
    r"solución|respuesta|función|opción|forma|manera|código|archivo|resultado|tono|estilo|ritmo|estructura|texto|"
    r"diseño|título|final|que)\b|una? (?:bucle|"
    r"función|"
    r"script|lista|regex|variable|clase|map)\b|todo\b|nada\b|gracias|un bucle|(?:perder|esperar) )",
    dangling=r"\b(?:eso|esto|aquello|esos|esas|ellos|ellas)\b",
    doubtful=r"\b(?:poema|canción|historia|cuento|novela|narrador|héroe|personaje|guion|peli|película|"
    r"serie)\b.{0,60}\b(?:dice|diga|dicen|"
    r"donde|cuenta)\b|"
    r"\b(?:escrib|redact|invent|haz|ponme|genera)\w*.{3,80}\b(?:tipo|en plan|algo como|onda) (?:me |soy|tengo|"
    r"vivo|yo|odio|amo)|"
    r"^(?:por ejemplo|algo como|tipo),? (?:soy|vivo|me|tengo|trabajo)\b|\b(?:pongamos|digamos) que\b|"
    r"^(?:y )?si (?!puedes|es posible|no te)|"
    rf"\b(?:igual|capaz que|quizá|quizás) (?:{FIRST})\b|"
    r"\b(?:viviera|fuera (?!de)|fuese|tuviera|supongamos|imaginemos|"
    r"(?:dice|dijo|dicen|dijeron|(?<!en )cuenta|contó|comentó|piensa|cree|opina|preguntó|afirma) que|según|me (?:dijo|"
    r"dijeron|preguntó|soltó|contó)|(?:un|el mismo|este|ese) error|"
    r"(?:me encanta|adoro) (?:que|cuando)|dicen (?:en|por))\b|"
    r"^(?:ah|oh|uy|claro|sí) ?,? (?:claro|genial|qué bien|perfecto|estupendo|qué maravilla|me encanta)\b|"
    r"^(?:qué (?:maravilla|bien|alegría|divertido)|genial|estupendo|fantástico|perfecto|bravo|"
    r"buenísimo)\b(?!.*\bgracias\b)",
    unsure=rf"\ben plan (?=yo\b|{FIRST})|\bsi (?:yo\b|me (?!puedes|ayudas|recom)|{FIRST}\b)|\bla impresión de|"
    rf"\bestoy pensando en",
    technical=r"\b(?:tests|cada push|en ci|commits?|localhost|recargo|traza|error(?:es)?|fallos?|bugs?|excepción|"
    r"compila|se cuelga|no termina|advertencia|logs?|null|none|"
    r"undefined|csv|json|"
    r"regex|map|bucle|array|script|pestañas?)\b",
    passing=r"(?<!la )(?<!las )(?<!cada )\bmañana\b|\b(?:hoy|ahora|esta (?:noche|tarde|mañana|semana)|(?<!de )(?<!a "
    r")el (?:lunes|martes|miércoles|"
    r"jueves|viernes|sábado|domingo)|ayer|luego|dentro de|próxim[oa]s?|todavía|esta vez|otra vez|de nuevo)\b",
    wishing=r"\b(?:me gustaría|quisiera|querría|ojalá|quizás?|tal vez|a lo mejor|pudiera|podría|debería|creo que|"
    r"pienso que|"
    r"supongo|espero|probablemente|seguramente|puede que|no funciona|no va|problemas? (?:con|de conexión)|ayer|"
    r"esta mañana|"
    r"esta (?:noche|tarde|semana)|hoy(?! en día)|mañana (?:tengo|voy)|ahora mismo|en este momento|rot[oa]|"
    r"no estoy segur[oa]|"
    r"no sé si|me pregunto|dudando|dudamos|hasta (?:el (?:lunes|martes|miércoles|jueves|viernes|sábado|domingo)|"
    r"mañana)|de alquiler|que me (?:mandaste|"
    r"pasaste|diste|enviaste|hiciste)|que te (?:pasé|mandé|envié|pegué|puse)|nada (?:\w+ )?desde|este (?:finde|"
    r"fin de semana)|por ahora|(?<!la )"
    r"mañana (?:a|por|tengo|voy|temprano)|carrito|en la foto|contigo)\b|\b(?:a|en|de|con|para|por|un|una|el|la|los|las|"
    r"del|al|o|y|que|"
    r"mi)$",
    asking=r"¿|(?:puedes(?! (?:llamarme|decirme|tutearme))|podrías|sabes|recuerdas|te acuerdas|qué|quién|cómo|dónde|"
    r"cuándo(?! (?:me|te|le)\b)|"
    r"cuál|cuánto|por qué|hay alg)\b",
    material=r"\btradu[cz]|\btraducción\b|"
    rf"\bcorr[ie]g\w*{NO_THING}(?! (?:ensuite|après|d'abord|toujours|después|primero|siempre|luego|depois|primeiro|"
    rf"sempre)\b)|\brevisar?\b.{{0,300}}:$|\breescrib\w+ (?:este|el|al|en)\b|"
    r"\bimagin[ae]\b|\bimaginemos\b|\bsupongamos\b|\binventa\b|\bejercicio \d|\b(?:del|este|mi) ejercicio\b|"
    r"\badivinanza|"
    r"\bhaz como si\b|\bjuego de rol|\bvamos a jugar|\bfinge\b|\bhaz(?:me)? de \w+|\bhagamos (?:un|como)|\bjuguemos\b|"
    r"\b(?:sigue|continúa|completa) (?:el|la|este|esta) (?:diálogo|historia|cuento|poema|texto|relato)|\bquién soy\b|"
    r"\bescrib(?:e|eme|ir|a)\b(?:me)? una? (?:[\w-]+ ){0,2}(?:historia|cuento|poema|canción|diálogo|escena|novela|"
    r"tweet|"
    r"tuit|chiste|discurso|relato|reseña|post|anuncio)\b|\bcómo (?:(?:se )?(?:digo|dirías|diría)(?: esto| eso)? en \w+|"
    r"se dice(?=:| [\"«“]| en \w+ ?[:\"«“]| (?:[\w']+ ){2,12}en (?:inglés|alemán|francés|italiano|portugués|japonés|"
    r"catalán|latín|chino)\b))|"
    r"\bpara (?:mi|una?) (?:amig[oa]|prim[oa]|herman[oa]|"
    r"colega|client[ea]|tí[oa]|hij[oa]|madre|padre|mujer|marido|compañer[oa])\b.{0,80}: |\bfrase\b|\bgramática\b|"
    r"\bortografía\b|\ben nombre de\b|\bmi (?:novela|personaje|protagonista|cuento|guion)\b|—(?:dij|respond|contest|"
    r"confes)",
    joking=r"\b(?:es (?:una )?broma|era (?:una )?broma|bromeo|estoy bromeando|de broma|ironía)\b",
    laughing=r"\b(?:jaja\w*|jeje\w*|lol)\b|[😂🤣😜😝😛🙃😏]",
    joints=rf"(?=[ ,;])(?:{NO_LINK}(?:(?:,|;| –| —| -)?(?: (?:y|pero|porque|ya que|como|aunque|pues|además|también|"
    rf"entonces|o sea|es que|así que|puesto que|dado que|considerando que|teniendo en cuenta que|ten en cuenta que|e|"
    rf"ni|"
    rf"sabiendo que|y además|por cierto)\b){{0,3}} (?={FIRST}\b)|"
    rf"(?:,|;| –| —| -)?(?: (?:y|para|con|a|pero|porque|como|que))? (?={KIN_SAYS}|{LIKE_ME}|{MINE})|,? (?:porque|"
    rf"ya que|teniendo en cuenta que|"
    rf"considerando que|sabiendo que|puesto que|dado que|es que) (?=(?:no |me |nos |yo )*[a-záéíóúñ]{{2,12}}(?:o|oy|"
    rf"amos|emos|imos)\b))|"
    rf"(?:,|;| –| —| -)?(?: (?:y|pero|entonces|así que|y entonces))(?: entonces)? (?={ASKS}\b)|"
    rf"(?:,|;| –| —| -)(?: (?:y|pero|entonces|así que|o))? (?={ASKS}|{THEN})| (?=¿)|"
    rf"(?:,|;| –| —| -)(?: (?:y|pero|que|porque|además|como|también))? (?={FIRST}\b)|"
    r"(?:,|;| –| —| -)? (?:así que|asi que|por eso) (?=(?:nada|no|sin|por favor) )|"
    r"(?:,|;| –| —| -)? (?:y|pero|aunque) (?=(?:todavía|aún|quiero|quisiera|yo|me|"
    r"nuestr[oa]|no me|ya no|hemos) |mi [\w -]{2,40} (?:es|se llama|usa)\b|(?:trátame|llámame|tutéame|háblame|"
    r"respóndeme|no uses|evita|todos me)\b)|"
    r"(?:,|;| –| —| -) (?=(?:me|mi [\w -]{2,40} (?:es|se llama)) ))",
    about_me=r"\b(?:mi (?:perfil|cv|currículum)|mis datos|datos míos|sobre mí|acerca de mí|recuerda|mis preferencias|"
    r"nuestro stack|apunta|sobre nosotros)\b",
    states=r"\b(?:es|son|era|está|están|tiene|tienen|usa|usan|corre|sale|salen|va|van|vive|empieza|termina|vence|"
    r"caduca|cuesta|debe|puede|hay|se llama|se \w+n?|queda|toca|cierra|abre)\b",
    leads=any_of(
        OFTEN_FIRST,
        r"en (?:mi )?casa|en el (?:trabajo|curro|laburo|cole|insti)|en la oficina|en mi (?:familia|pueblo|casa|trabajo|"
        r"empresa|equipo)|desde (?:hace )?(?:[\w-]+ ){0,3}?[\w-]+|para (?:el|este|mi|nuestro|la) [\w-]+(?: [\w-]+)?|"
        r"normalmente|"
        r"por lo general|en general|al final|con (?:los |las |el |la |mis? )?[\w-]+|finalmente|cuando (?:me|"
        r"te) [^,]{3,60}|(?:cada vez|siempre) que [^,]{3,60}|(?:aquí|acá) en (?:la |el |los )?[\w ]{3,24}|como|yo|a "
        r"mí|(?:[\w-]+ ){1,4}y yo|yo y [\w ]{2,20}|hace (?:\w+ ){1,3}que",
    )
    + rf"(?:,? (?={MY})|$)",
    given=rf"{GIVEN}|{LIKE_ME}|{MINE}",
    because=r"\b(?:porque|ya que|puesto que|dado que|considerando que|teniendo en cuenta que|sabiendo que|"
    r"tomando en cuenta que|"
    r"visto que|si tenemos en cuenta que)\s*$",
    profile=r"(?:[\w']+ ){0,3}(?:mi (?:perfil|cv|currículum)|mis datos|datos (?:míos|personales|sobre mí)|sobre mí|"
    r"presentación|quién soy|lo técnico|"
    r"(?:mi |nuestro |el )?(?:stack|setup|entorno|config\w*))(?: \w+){0,4}: ",
)
