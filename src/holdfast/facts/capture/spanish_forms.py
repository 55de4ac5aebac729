"""The ways to begin a clause that says something lasting, in Spanish, and what joins such clauses."""

from __future__ import annotations

from typing import Final

from holdfast.facts.capture.spanish_words import (
    AGE,
    ATTRIBUTES,
    ILL,
    JOBS,
    KIN,
    LANGUAGE,
    LIVES,
    NO_ROLE,
    NOT,
    OFTEN,
    OFTEN_FIRST,
    OWNED,
    ROLES,
    THINGS,
    TRADE,
    TRAITS,
    WHO,
    YEARS,
)
from holdfast.facts.capture.speech import NAME, Form, any_of
from holdfast.markdown.fact_row import Category

__all__ = ["ASKS", "FIRST", "FORMS", "GIVEN", "KIN_SAYS", "LIKE_ME", "MINE", "MY", "NO_LINK", "THEN", "WHY"]

NO_TRAIT: Final = (
    r"(?:consciente|capaz|incapaz|culpable|responsable de est\w+|quien|como|todo|toda|tonto|tonta|torpe|bueno|buena|"
    r"malo|mala|"
    r"malísim[oa]|pésim[oa]|feliz|libre|mejor|peor|sincer[oa]|honest[oa]|franc[oa]|clar[oa]|breve|pesad[oa]|root|"
    r"candidat[oa]|nada|"
    r"nadie|algo|partidari[oa]|afortunad[oa]|segur[oa]|nuevo aquí|idiota|inútil|yo\b|muy\b|demasiado|alguien|igual|"
    r"realmente|también|siempre|admin|para|por|parte|hombre muerto|toda|lento|"
    r"lenta|pirata|rey|reina|dios|leyenda|fan|fanátic[oa]|hincha|amante|aficionad[oa]|adict[oa]|apasionad[oa]|amig[oa])"
)
IS: Final = (
    rf"(?:(?:muy |bastante |también |una? |el |la )*(?:[\w-]+ ){{0,2}}(?:{JOBS}s?|{TRAITS})\b|(?:muy |"
    rf"bastante )?{TRADE})"
)
# Who they are, told by the way: "mi madre que va en silla de ruedas", "mi hijo de ocho años", "mi hermana Ana".
GIVEN: Final = (
    rf"(?:{KIN}(?:,? (?:(?:la |el )?(?:señora?|doña|don|dra?\.?) )?{NAME}|,? (?:\w+,? )?(?:que )?(?:no )?(?:es|son) "
    rf"{IS}|"
    rf",? (?:\w+,? )?(?:que )?(?:tienen?|padecen?|sufren? de) (?:\w+ )?(?:{AGE}|(?:\w+ ){{0,3}}?{ILL}\b)|"
    rf",? (?:\w+,? )?que (?:se llaman?|(?:ya )?{LIVES}|va en silla|usa )|,? (?:de |\()?{AGE}|"
    rf",? (?:\w+,? )?(?:que )?(?:está|va) (?:embarazada|en silla|jubilad[oa]|en paro|encamad[oa]))|(?:mi|"
    rf"nuestr[oa]) (?:\w+ )?{WHO} {TRAITS}\b)"
)
MINE: Final = rf"mis? (?:\w+ )?{ILL}\b"
LIKE_ME: Final = r"(?:alguien|una persona|quien|gente),? (?:que,? )?como yo,? (?:que )?\w"
KIN_SAYS: Final = (
    rf"(?:{GIVEN}|{KIN},? (?:\w+,? )?(?:se (?:ll|y)aman?|(?:es|son) (?:{NAME}|una? (?!{NO_ROLE}\b))|"
    rf"(?:no )?tienen? {OWNED}|"
    rf"(?:ya )?{LIVES})\b|mi {WHO} y yo (?!quer|ten[eé]mos que|nos pregunt|vamos a)\w+[aei]?mos\b)"
)
WHY: Final = (
    r"porque|ya que|como|puesto que|dado que|pues|es que|considerando que|teniendo en cuenta que|ten en cuenta que|"
    r"sabiendo que|tomando en cuenta que|visto que|lo que pasa es que|resulta que|que"
)
FIRST: Final = any_of(
    r"yo\b|soy|soi|tengo|tngo|vivo|bibo|bivo|trabajo|laburo|chambeo|curro(?= (?:en|de|como))|estudio|enseño|prefiero|"
    r"odio|detesto|adoro|uso|"
    r"utilizo|usamos|somos|vivimos|tenemos|trabajamos|hablo|hablamos|toco|padezco|sufro|nací|resido|llevo|doy clases|"
    r"manejo|conduzco|estoy (?:casad|jubil|embaraz|divorc|en paro|en silla|a dieta|aprendiendo|estudiando|"
    r"opositando)\w*",
    r"no (?:puedo (?:comer|beber|tomar|cargar|correr|levantar|conducir|caminar)|como|bebo|tomo|fumo|uso|manejo|"
    r"conduzco|tengo|trabajo|soporto|aguanto|puedo comer|me gustan?|soy|hablo|veo)|"
    r"nunca (?:como|bebo|tomo|uso|desayuno)|solo (?:como|bebo|uso|tengo)|me (?:llamo|gustan?|encantan?|dan? (?:miedo|"
    r"asco|pánico)|dedico|mudé|dicen|levanto|acuesto|acabo de|jubilé|molestan?|crié|diagnosticaron|operaron|yamo)|"
    r"a mí me",
    r"(?:ya )?(?:decidimos|decidí|quedamos|acordamos|elegimos|optamos)|hemos (?:\w+ )?(?:decidido|elegido|acordado)|he "
    r"(?:decidido|dejado)|nos (?:mudamos|decidimos|quedamos|decantamos)|juego (?:al|en)|practico|colecciono|crío|"
    r"dirijo|"
    r"cuido|voy (?:en silla|al gimnasio|a misa)|ando en|acabamos de|acabo de|vamos con|guardamos|comemos|criamos|"
    r"todos me",
)
MY: Final = rf"(?:{FIRST}|mis?\b|nuestr|en casa\b|no\b|nos\b|me\b|[a-záéíóúñ]{{2,12}}(?:o|oy|amos|emos|imos)\b)"
ASKS: Final = any_of(
    r"puedes|podés|podrías|me (?:das|dices|ayudas|armas|haces|recomiendas|pasas|explicas|puedes|podrías|propones|"
    r"recomendás|escribes|ayudás|sugieres|das|buscas)|sabes|sabés|conoces|conocés|qué|quién|cómo|dónde|cuándo|cuál|"
    r"cuáles|"
    r"cuánt[oa]s?|por qué|¿|hay (?:algún|alguna|alg|un|que|forma)|debería|tendría|quer(?:ía|emos|ría) (?:saber|una?)|"
    r"quiero|quisiera|necesito|busco|estoy buscando|me gustaría|ayúdame|ayudame|ayudá|dime|decime|dame|hazme|haceme|"
    r"explícame|recomiéndame|búscame|se puede|es (?:malo|bueno|normal|grave|posible|verdad|mejor|peligroso)|podemos|"
    r"sirve|conviene|vale la pena|a qué|con qué|de qué|en qué|para qué|alguna? (?:idea|consejo|sugerencia|"
    r"recomendación)",
)
THEN: Final = any_of(
    r"haz|hazme|dame|dime|ponme|dinos|ve\b|busca|encuentra|propón|propone|explica|adapta|adáptame|prepara|calcula|"
    r"organiza|escribe|redacta|"
    r"sugiere|recomienda|revisa|quita|cambia|reemplaza|convierte|muestra|lista|arma|ármame|crea|cuenta|trátame|llámame|"
    r"por favor|porfa|presupuesto|eso\b|es que|y eso|gasto\b|será|te\b|tú\b|vos\b|usted\b|puedo\b|debo\b|gracias|"
    r"sé breve|"
    r"[a-zñ]+[áéíóú][a-zñ]*(?:me|nos|mel[oa]|l[oa]s?)|tutéame|háblame|nada de|no uses|evita|respóndeme",
)
NO_LINK: Final = "".join(
    rf"(?<!\b{word})"
    for word in "que qué si cuando donde como cómo quien cual cuanto no nunca lo le se yo ya también siempre el mi un "
    "solo me para por de al del a en con los las la su nos te "
    "tu muy más tan entre sobre sin hasta casi este ese mientras "
    "aunque porque desde não nao dice diga dicen dijo digo grita".split()
)

FORMS: Final = (
    Form(
        "thing",
        Category.FACT,
        0.55,
        rf"mi (?:[\w-]+ ){{0,2}}?{NAME}(?: [\w-]+)? (?:del? )?(?:19|20)\d\d\b|"
        rf"(?:mi|nuestr[oa]) (?!(?:\w+ )?{WHO}\b)[\w-]+(?: [\w-]+)? es una? (?:\w+ )?{NAME}",
    ),
    Form(
        "decision",
        Category.DECISION,
        0.7,
        r"(?:(?:nosotros |yo |al final |finalmente )?(?:ya )?(?:hemos|he) (?:\w+ ){0,2}(?:decidido|elegido|optado|"
        r"acordado|escogido|descartado|quedado en|contratado|apostado) |"
        r"(?:[\w ]{2,30} y yo )?(?:por fin |al final |finalmente |ya |lo )*(?:me decidí|me he decidido|tengo decidido|"
        r"tomé la decisión|tomamos la decisión|decidimos|decidí(?! \w+[aei]r(?:te|le)\b)|acordamos|elegimos|optamos|"
        r"escogimos|quedamos (?:en|con)|"
        r"descartamos|nos decidimos|nos decantamos|contratamos|cerramos con|definimos|votamos|resolvimos)(?::|,| ) ?|"
        r"(?:me|nos) (?:voy a |vamos a )?(?:mudar|mudo|casar|caso|jubilar|jubilo|divorciar|divorcio)\b|(?:voy a dejar|"
        r"dejo|renuncio a|voy a renunciar a) (?:mi|el) (?:trabajo|empleo|curro|carrera)|"
        r"(?:el|la|mi|nuestr[oa]) (?:equipo|junta|comité|comisión(?: de \w+)?|sindicato|asamblea|consejo|dirección|"
        r"familia|grupo|"
        r"comunidad|directiva|"
        r"empresa) (?:ya )?(?:ha )?"
        r"(?:decidió|decidido|acordó|acordado|eligió|votó|votado|aprobó|aprobado)(?::|,| ) ?|"
        r"[^,:]{2,100}, (?:ya )?está decidido$|"
        r"(?:al final )?nos (?:vamos a )?qued(?:amos|ar) con |(?:al final )?vamos (?:a ir )?con (?!mi|la idea)|"
        r"nos (?:pasamos|cambiamos|mudamos) a |la decisión(?: es|:| fue) |está decidido(?:,|:)|ya está decidido)",
        about_things=True,
        weak=True,
    ),
    Form(
        "named person",
        Category.ENTITY,
        0.6,
        rf"{KIN_SAYS}|(?:nuestr[oa]|mi|el|la) (?:[\w-]+ ){{0,3}}{ROLES}(?: [\w-]+){{0,3}} (?:es|se llama) {NAME}|"
        rf"{NAME}(?: {NAME})? es (?:ahora )?(?:mi|nuestr[oa]|el|la) (?:[\w-]+ ){{0,2}}{ROLES}\b|"
        rf"{NAME}, mi (?:\w+ )?{WHO},? (?:\w+ )?(?:es|tiene|vive|que)\b|"
        rf"{NAME}(?: {NAME})? (?:dirige|lidera|se encarga de) |"
        rf"(?:(?:estamos|estoy) \w+ndo|lanzamos|lanzo|montamos|monto|creamos|abrimos|abro|fundamos|llevamos) (?:una?|"
        rf"mi|nuestr[oa]) "
        rf"(?:[\w-]+ )?(?:empresa|asociación|revista|periódico|web|app|startup|cooperativa|pódcast|podcast|canal|blog|"
        rf"tienda|café|"
        rf"restaurante|festival|club|colectivo|guardería|marca|librería|cervecería|granja|compañía|fanzine|ong|"
        rf"fundación)\b|"
        rf"(?:(?:estamos|estoy) \w+ndo |tenemos |tengo |\w+amos |mi |"
        rf"nuestr[oa] )(?!(?:\w+ )?(?:{WHO})\b)(?:[\w-]+ ){{1,9}}?(?:que se llama(?:rá)?|se "
        rf"llama(?:rá)?|llamad[oa]|bautizad[oa] como) [\w\"«]",
    ),
    Form(
        "favourite",
        Category.PREFERENCE,
        0.6,
        r"mis? (?:[\w-]+ ){1,4}(?:favorit[oa]s?|preferid[oa]s?) (?:es|son|sigue siendo) (?![\"'«“])|"
        r"(?!(?:est[eoa]s?|es[eoa]s?|cuál|qué|quién)\b)[\w' -]{2,40} (?:es|son) mis? (?:[\w-]+ ){0,3}"
        r"(?:favorit[oa]s?|preferid[oa]s?)\b",
    ),
    Form(
        "likes",
        Category.PREFERENCE,
        0.6,
        r"(?:yo |a mí )?(?:prefiero|odio|detesto|adoro|amo|evito|aborrezco|no soporto|no aguanto|no tolero|"
        r"(?:l[ea]s? )?tengo (?:mucho |un |una )?(?:miedo|pavor|terror|pánico|fobia|asco|manía|tirria) al?|"
        r"me dan? (?:mucho |un )?(?:miedo|pánico|asco|vértigo|fobia|"
        r"alergia)|(?:no |ya no |nunca |siempre )?me "
        r"(?:gustan?|encantan?|fascinan?|molestan?|chiflan?|copan?|laten?|flipan?|apasionan?)(?: (?:mucho|más|bastante|"
        r"nada|muchísimo|un montón|mil))?(?! (?:mucho|más|bastante|nada|muchísimo|un montón|igual|mejor)$)|"
        r"no soy (?:nada |mucho |muy )?de|"
        r"(?:el|la|los|las) [\w ]{2,25} (?:ni |no )?(?:l[oae]s? )?(?:soporto|aguanto|trago|puedo ni ver|pruebo|odio|"
        r"detesto|adoro|evito|me van?)|soy (?:muy |más |bien )?(?:fan|fanátic[oa]|hincha|amante|aficionad[oa]|adict[oa]"
        r"|apasionad[oa]) (?:del?|al?|por)|soy más (?:bien )?del?|no soy (?:muy |nada )?(?:fan|amig[oa]) de(?:l)?|"
        r"me caen? mal|"
        r"me sientan? (?:fatal|mal)) |"
        r"(?!(?:est[ea]|es[eao]|esto|tu|la (?:primer|segund|últim)\w*)\b)[\w ]{2,50} (?:es|son) lo que más (?:me gusta|"
        r"odio|me molesta)\b|[\w ]{2,30} (?:puaj|guácala|qué asco|ni muert[oa]|ni "
        r"loc[oa])\b|"
        r"(?!(?:eso|esto|así|no|ya|tus?|cómo|como|lo|creo|qué|que|si|pero|y|est[ea]|es[ea])\b|(?:la|el|los|"
        r"las) (?:primer|segund|tercer|últim|"
        r"versión|propuesta|idea|respuesta|opción|título|final|tono|resultado|código|texto|foto|diseño|color|nuev|"
        r"otr)\w*)"
        r"(?:[\w-]+ ){1,5}(?:no )?me (?:gustan?|encantan?|sientan? (?:mal|fatal|bien)|caen? (?:mal|"
        r"pesad[oa])|dan? (?:alergia|miedo|asco|pánico|migraña|acidez)|relajan?|estresan?)(?= |$)",
        about_things=True,
        weak=True,
    ),
    Form(
        "habit",
        Category.PREFERENCE,
        0.55,
        r"(?:yo )?(?:ya no|no|nunca|siempre|solo|sólo|casi nunca|normalmente) (?:puedo )?(?:como|comer|bebo|beber|fumo|"
        r"uso|utilizo|tomo|tomar|llevo|escribo|leo|compro|cocino|viajo|comemos|bebemos|desayuno|ceno|consumo|"
        r"veo la tele|conduzco|manejo|usamos tele)\b|(?:yo )?suelo (?:trabajar|comer|beber|usar|levantarme|escribir|"
        r"cenar|desayunar|\w+[aei]r(?:me)?) |he dejado de |dejé de (?:fumar|beber|comer|usar|tomar) |dejé (?:el|la) "
        r"(?:azúcar|alcohol|tabaco|café|carne|gluten)|estoy a dieta",
        about_things=True,
        weak=True,
    ),
    Form(
        "form of address",
        Category.PREFERENCE,
        0.7,
        rf"(?:por favor,? )?(?:llámame|llámeme|dime|decime|llamame) (?:solo |nomás |mejor )?{NAME}|"
        rf"(?:me )?puedes (?:llamarme|decirme|llamar|decir|tutearme) ?|(?:pero )?tod(?:os|o el mundo) me (?:llaman?|"
        r"dicen?|conocen?) |me (?:dicen|llaman|conocen como|conocen por) \w|mis amigos me (?:dicen|llaman) |"
        r"(?:tutéame|tuteame|trátame de|tratame de|háblame de (?:tú|usted|vos)|hablame de|podemos tutearnos)|"
        r"(?:no )?me (?:gusta|molesta) que me (?:trates|hables|llames|digas|tutees|contestes|respondas)\b|"
        r"(?:respóndeme|contéstame|háblame|escríbeme) (?:solo |únicamente |siempre )(?:en|con) ",
    ),
    Form(
        "name",
        Category.FACT,
        0.8,
        rf"(?:yo )?me (?:ll|y)amo (?!al\b|la atención|a (?:silencio|engaño))|mi (?:nombre|apellido)(?: completo)? "
        rf"(?:es|se escribe) |(?:yo )?soy {NAME}(?=,|$|"
        rf" de | y )|"
        rf"aquí {NAME}(?=,|$)|te (?:habla|saluda|escribe) {NAME}",
    ),
    Form(
        "trait",
        Category.FACT,
        0.65,
        rf"{NOT}soy (?!tu |su |vuestr)(?:una? |el |la )?(?:[\w-]+ ){{0,2}}(?:{JOBS}|{TRAITS})\b|{NOT}(?:soy|"
        rf"somos) (?:de|"
        rf"originari[oa]s? de|natural de) (?:la |el )?(?:{NAME}|\w+(?=,|$| y| pero))|(?:yo )?(?:tengo|ya cumplí|"
        rf"cumplo) "
        rf"{AGE}(?! (?:de garantía|de plazo|para))|mido (?:un|1)|peso \d|calzo (?:un|el)? ?\d|"
        rf"(?:yo )?soy una? (?!{NO_ROLE}\b)[a-zà-ÿ]|{NOT}soy (?:muy |bastante |algo |"
        rf"medio )?(?!{NO_TRAIT}\b)[a-záéíóúüñ]{{4,}}\b|"
        rf"(?:el|la|mi) (?:médic[oa]|doctora?|psiquiatra|neurólog[oa]|cardiólog[oa]|dermatólog[oa]|ginecólog[oa]|"
        rf"pediatra)"
        rf" me (?:recetó|ha recetado|mandó|diagnosticó|detectó|puso|prohibió)|(?:estoy|voy) en (?:el )?(?:primer|"
        rf"primero|segundo|"
        rf"tercer|tercero|cuarto|quinto|último|\d\w*) (?:año |semestre |curso )?de|tod[oa]s (?:somos|son) {TRAITS}|"
        rf"(?:yo )?soy (?:el |la )?{TRADE}|(?:yo )?(?:tengo|"
        rf"padezco(?: de)?|sufro de|tenemos|me diagnosticaron|vivo con) (?!(?:\w+ ){{0,3}}(?:sobre|con|contra|que|para|"
        rf"duda|pregunta|trabajo|examen|cita)\b)(?:\w+ ){{0,3}}{ILL}\b|"
        rf"(?:mi \w+ y yo )?somos (?:muy |tod[oa]s )*(?:una? (?!{NO_ROLE}\b)\w+|{TRAITS}|{JOBS}s|{TRADE}|"
        rf"(?:cinco|seis|cuatro|tres|dos|\d) (?:en|de|person))|"
        rf"en (?:mi )?casa (?:\w+ )?(?:somos|tod[oa]s (?:somos|son)|hablamos|guardamos|comemos|no|usamos|vivimos)\b|"
        rf"(?:hago|sigo|llevo) (?:una )?(?:dieta|ayuno|keto|ramadán)|(?:guardamos|comemos|cocinamos|como) (?:kósher|"
        rf"kosher|halal|sin |vegano|vegetariano)|"
        rf"(?:voy|ando|estoy|me muevo) (?:siempre )?en silla de ruedas|llevo (?:una |un )?(?:{ILL}|gafas|lentes|"
        rf"audífonos|"
        rf"marcapasos)|(?:como (?:yo )?soy|al ser|siendo|por ser) (?:una? )?(?:[\w-]+ ){{0,2}}(?:{JOBS}|{TRAITS})\b|"
        rf"llevo {YEARS} (?:viviendo|trabajando|estudiando|aprendiendo|dando|haciendo|tocando|en {NAME}|como|de "
        rf"experiencia|sin |siendo|casad|jubilad|con )|tengo {YEARS} de experiencia|"
        rf"{LIKE_ME}|{MINE}|(?:operad[oa]|diagnosticad[oa]) (?:de|con)|(?:me|nos) (?:operaron|diagnosticaron|"
        rf"detectaron|trasplantaron|extirparon|"
        rf"amputaron|pusieron (?:una prótesis|un marcapasos|un stent))|no puedo (?:comer|beber|tomar|cargar|correr|"
        rf"levantar|hacer "
        rf"esfuerzos|conducir|caminar|volar|agacharme|nadar|tragar)|"
        r"(?:yo )?nací en |(?:me )?(?:crié|crecí) en |estoy (?:casad[oa]|divorciad[oa]|embarazada|jubilad[oa]|"
        r"solter[oa]|en paro|desemplead[oa]|aprendiendo |estudiando |separad[oa]|opositando|preparando (?:la oposición|"
        r"oposiciones|el examen|un maratón)|haciendo (?:el|un|mi) (?:máster|doctorado|tesis|prácticas))",
    ),
    Form(
        "place or work",
        Category.FACT,
        0.65,
        rf"(?:hago|trabajo a|estoy a) turnos|(?:doy|damos|imparto) clases |{NOT}(?:vivo|resido|vivimos|"
        rf"residimos) (?:ahora |actualmente )?(?:en|con|cerca|"
        rf"sol[oa]|a|al|por|de)\b|"
        rf"{NOT}(?:trabajo|laburo|chambeo|curro|trabajamos) (?:ahora |actualmente |solo |siempre |también )?(?:en|como|"
        rf"para|de|con|desde|a|al|por|remoto|media|los|l[oa]s|por|solo|tres|cuatro)\b|"
        r"(?:yo )?me acabo de (?:jubilar|mudar|casar|divorciar|graduar|separar)|"
        rf"(?:acabo|acabamos) de (?:jubilarme|mudar(?:me|nos)|casar(?:me|nos)|divorciarme|graduarme|adoptar|"
        rf"comprar(?:me|nos)? {OWNED}|tener (?:un|una|mi|nuestro) (?:\w+ )?(?:hij|beb|nen|mell|gemel)|abrir (?:una?|mi|"
        rf"nuestr)|empezar (?:a trabajar|en|la carrera|un))|"
        rf"{NOT}(?:estudio|enseño|curso) (?!est[eao]|la (?:función|posibilidad))\w|(?:yo )?(?:me|nos) (?:mudé|"
        rf"he mudado|"
        rf"mudamos|hemos mudado|trasladé|jubilé|gradué|casé|casamos|divorcié|cambié|instalé|instalamos|dedico|"
        rf"dedicamos) |"
        rf"(?:dejé|entré en|me fui de|fiché por) {NAME}|(?:abrí|monté|tengo montad[oa]) (?:una?|mi) ",
    ),
    Form(
        "belonging",
        Category.FACT,
        0.6,
        r"(?:yo )?(?:tomo|tomamos|me inyecto) (?:la |una |mi )?(?:pastillas?|insulina|anti\w+|medicación|hierro|"
        r"[a-z]{4,}(?:ina|pril|tan|"
        r"pam|azol|olol|statina))\b|"
        rf"(?:yo )?(?:entiendo|leo|domino|chapurreo) (?:bien |algo de |un poco de )?(?:el )?{LANGUAGE}\b|"
        rf"(?:yo )?(?:no )?(?:tengo|tenemos|me compré|compramos|adopté|adoptamos) {OWNED}|"
        r"(?:yo |en casa )?(?:hablo|hablamos) (?!en serio|en nombre|mal\b|bien\b|mucho\b|poco\b|alto\b|de\b|con\b|"
        r"sobre\b|del\b)|"
        r"(?:yo )?(?:aprendo|estoy aprendiendo) (?!que\b)|"
        r"(?:yo )?toco (?:el|la|en|batería|guitarra|piano|bajo) ?(?!botón|tecla|código)|(?:yo )?(?:juego|"
        r"jugamos) (?:al|a la|"
        r"en) |(?:hago|practico|entreno) (?:sobre todo |principalmente |mucha |mucho |más que nada )?(?:fotos?|"
        r"fotografía|yoga|crossfit|natación|ciclismo|boxeo|judo|pilates|escalada|teatro|cerámica|"
        r"running|atletismo|voluntariado|surf|karate|senderismo)|corro (?:maratones|medias)|"
        r"(?:yo )?(?:llevo(?= (?:las cuentas|la contabilidad|el|la|los|una?|mi) )(?! (?:una?|la) (?:hora|rato|semana|"
        r"mañana|eternidad))|me encargo de|me ocupo de|"
        r"dirijo|lidero|mantengo|gestiono|colecciono|crío|cultivo|cuido|entreno|vendo(?= \w+s\b)|fabrico|coordino|"
        r"administro|restauro|crio|canto en|bailo|manejo (?:un|una|para)) (?:una?|el|la|mi|mis|los|las|a|de|dos|en|"
        r"\w+s)\b",
    ),
    Form(
        "schedule",
        Category.FACT,
        0.55,
        rf"(?:yo )?(?:me )?(?!recib|teng|ve[oa]|intent|pierd|olvid|quier|pued|deb|neces|cómo|"
        rf"como te)[a-záéíóúñ]{{2,12}}(?:o|oy|amos|emos|imos) (?:[\w:.-]+ ){{0,7}}?{OFTEN}(?!\w)|"
        rf"tengo (?:[\w-]+ ){{1,6}}{OFTEN}(?!\w)|{OFTEN_FIRST},? (?:toca|hay|es) (?!lo\b)\w|{OFTEN_FIRST},? (?:yo |no |"
        rf"me |"
        rf"nos )*(?!recib|quier|pued|deb|neces|ve[oa])"
        rf"[a-záéíóúñ]{{1,12}}(?:o|oy|amos|emos|imos)\b",
        about_things=True,
        weak=True,
    ),
    Form(
        "for years",
        Category.FACT,
        0.6,
        r"(?:yo )?(?:no |me |nos )*(?!esper|busc|intent|quier|pued|cre[oí])[a-záéíóúñ]{2,12}(?:o|oy|amos|emos|"
        r"imos) (?:[\w-]+ )"
        r"{0,8}?desde (?:hace )?(?:(?:[\w-]+ ){1,3}(?:años|meses)\b|(?:19|20)\d\d|siempre|niñ[oa]|pequeñ[oa]|chic[oa]|"
        r"chiquit[oa]|"
        r"los \d+|joven|la (?:uni|universidad|infancia))|hace (?:\w+ ){1,3}(?:años|meses) que (?:soy|vivo|trabajo|"
        r"tengo|toco|no|"
        r"uso|juego|estudio|hago)\b",
        weak=True,
    ),
    Form(
        "attribute",
        Category.FACT,
        0.65,
        rf"mi (?:[\w-]+ )?{THINGS} es una? (?!{NO_ROLE}\b)|(?:mi|nuestr[oa]) (?:[\w-]+ )?{THINGS} (?:tiene|mide|es de|"
        rf"es del) (?:\w+ )?\d|mis? (?:nuev[oa] )?{ATTRIBUTES}(?: de \w+)? (?:es|son|va|empieza|"
        rf"cae) (?!lent[oa]|muy |demasiado |el que\b|est[eao]\b)",
    ),
    Form(
        "tools",
        Category.FACT,
        0.6,
        r"(?:yo |nosotros |siempre )?(?:todo (?:corre|está|lo tenemos|lo hacemos) (?:en|con|sobre)|"
        r"lo tenemos todo (?:en|con)|(?:corremos|tenemos|desplegamos|hospedamos|corro|tengo|monto) todo "
        r"(?:en|con)|(?:programo|desarrollo|desarrollamos|trabajo) (?:en|con|sobre|bajo)|uso|usamos|utilizamos|utilizo|"
        r"desplegamos|alojamos|programamos|programo|"
        r"no usamos|ya no usamos|facturamos|vendemos|fabricamos|cultivamos|criamos|producimos|exportamos|importamos|"
        r"distribuimos|"
        r"gestionamos|llevamos|organizamos (?!una? )|restauramos|editamos|alquilamos|atendemos|fabrico|exporto|"
        r"trabajamos (?:con|en)) (?!.*\b(?:aquí|pero)\b)|"
        r"(?:nuestr[oa]s?|el|la|mi) (?:[\w-]+ ){0,2}(?:proyecto|backend|frontend|base de datos|servidor|equipo|"
        r"empresa|aplicación|app|api|web|sitio|tienda|"
        r"repositorio|repo|clúster|cluster|pipeline|código|producto|rama principal|stack|servicio|oficina) "
        r"(?:usa|utiliza|corre (?:en|sobre)|está (?:escrit[oa]|alojad[oa]|hech[oa]|en|desplegad[oa])|se llama|"
        r"empieza|se basa en|funciona (?:con|sobre)|trabaja (?:en|con|desde)|vive en) ",
        about_things=True,
        weak=True,
    ),
)
