"""How a Spanish clause begins that says how somebody lives: what a group settled, a household, a trade, a craft."""

from __future__ import annotations

from typing import Final

from holdfast.facts.capture.spanish_words import ILL, JOBS, LANGUAGE, OFTEN, STYLE, TRAITS, WHO, YEARS
from holdfast.facts.capture.speech import NAME, Form
from holdfast.markdown.fact_row import Category

__all__ = ["LIFE"]

_FIRM: Final = (
    r"(?:empresa|negocio|tienda|bar|restaurante|taller|estudio|despacho|banda|grupo|asociación|ong|startup|consultora|"
    r"clínica|academia|cooperativa|panadería|bodega|finca|editorial|agencia|marca|librería|peluquería|pyme|firma)"
)
_PLACE: Final = (
    rf"(?:{_FIRM}|oficina|consulta|colegio|cole|instituto|fábrica|biblioteca|clase|turno|jornada|reunión|semana|"
    r"año fiscal|horario|contrato|alquiler|caldera|equipo|departamento|barrio|edificio|gimnasio)"
)
# What nobody does only once; of "busco", "intento" and "veo" there are none here.
_FOR_GOOD: Final = (
    r"(?:tejo|bordo|esculpo|compongo|cultivo|crío|escalo|buceo|surfeo|navego|investigo|asesoro|audito|imparto|"
    r"madrugo|medito|"
    r"practico|colaboro|milito|convivo|comparto (?:piso|casa|depa)|pertenezco|hospedo|coleccion[oa]|restauro|"
    r"presido|lidero|"
    r"superviso|trasnocho|teletrabajo|fotografío|oposito|compito|oficio|apadrino|entreno(?= (?:a|en|para))|cuido(?= "
    r"(?:a|de) )|"
    r"sigo (?:viviendo|trabajando|estudiando|usando)|curro|laburo|chambeo|doy (?:clases?|yoga|cursos|terapia|talleres))"
)
# What is for good where no article says which one: "vendo pasteles", and not "vendo el piso".
_OFTEN_DONE: Final = (
    r"(?:hago|coso|pinto|dibujo|edito|diseño|alquilo|fabrico|reparo|arreglo|vendo|importo|exporto|distribuyo|"
    r"reparto|transporto|"
    r"traduzco|programo|grabo|cocino|horneo|planto|estudio|enseño|toco|calefacciono|escribo(?= (?:sobre todo |más "
    r"que nada )?"
    r"(?-i:[A-Z])))"
)
_BARE: Final = (
    r"(?!(?:el|la|los|las|lo|una?|unos|unas|al?|de|del|en|con|para|por|que|si|cuando|como|más|menos|muy|nada|mucho|"
    r"mal|bien|"
    r"todo|esto|eso|mi|tu|su|clic|click|caso|falta|memoria|referencia|gracias|cola|madera|fondo|tiempo|cuentas?|trampa|"
    r"ejemplos?|preguntas?|pruebas?|cambios|commits?|tests?)\b|\d)"
)
LIFE: Final = (
    Form(
        "decision",
        Category.DECISION,
        0.7,
        r"(?:(?:en|tras|durante|después de) (?:el|la|los|las|nuestr[oa]|mi|una?) [\w -]{3,40}?,? )?(?:ya |al final |"
        r"finalmente )*(?:se|nos) (?:decidió|acordó|aprobó|votó|resolvió|eligió|ha (?:decidido|acordado|aprobado|"
        r"votado|"
        r"resuelto)|hemos (?:decidido|decantado|quedado))(?: (?:que|por|con))?(?::|,| )|"
        r"(?:al final |finalmente )?(?:acabamos|terminamos|acabé|terminé|hemos acabado) (?:eligiendo|escogiendo|"
        r"optando|contratando|decidiendo|decantándonos|quedándonos|yéndonos|comprando) |"
        r"(?:en|tras) (?:el|la) [\w -]{3,30} (?:decidimos|acordamos|votamos|aprobamos|elegimos|quedamos en)\b",
    ),
    Form(
        "decision",
        Category.DECISION,
        0.7,
        r"(?:el|la|mi|nuestr[oa]) (?:[\w-]+ )?(?:equipo|junta|comité|comisión|sindicato|asamblea|consejo|claustro|"
        r"dirección|grupo|"
        r"comunidad|directiva|empresa|pleno|ayuntamiento|ampa)(?: de [\w-]+)? (?:ya )?(?:ha )?(?:rechaz|cancel|"
        r"aplaz|aprob|eleg|elig|"
        r"descart|decid|vot|nombr)\w+ \w|[^,:]{4,100}, (?:ya )?(?:está|queda|quedó) (?:decidido|acordado|cerrado|"
        r"aprobado)$",
    ),
    Form(
        "project",
        Category.ENTITY,
        0.6,
        rf"nuestr[oa] (?:[\w-]+ )?[\w-]+ es {NAME} {NAME}\b|(?:mi|mis|nuestr[oa]s?) (?!pregunta|problema|duda|"
        rf"dios)[a-záéíóúñ-]+(?: "
        rf"[a-záéíóúñ-]+)?, (?:la |el )?{NAME}(?: {NAME})?, \w|"
        rf"(?:mi|nuestr[oa]) (?:[\w-]+ )?{_FIRM},? (?:la |el |los |las )?{NAME}(?: [\w.&'-]+){{0,3}}?,? \w",
    ),
    Form(
        "household",
        Category.FACT,
        0.6,
        r"(?:(?:aquí |acá )?en (?:mi |nuestra )?(?:casa|familia)|en el (?:piso|depa)|entre nosotros) (?:nadie|"
        r"ningun[oa]|"
        r"tod[oa]s|tod[oa] el mundo|casi nadie) (?:no )?(?:come|bebe|fuma|tolera|tiene|es|somos|habla|puede|lleva|toma|"
        r"prueba|comemos|soporta|aguanta)\b|"
        rf"(?:aquí|acá) en (?:la |el |los |las )?{NAME}(?: {NAME})?,? (?:[\w-]+ ){{0,2}}?(?:tenemos|vivimos|tengo|vivo|"
        rf"usamos|no tenemos|somos|soy)\b|(?:vivimos|vivo) (?!que\b)[\w -]{{3,50}}? (?:aquí |"
        rf"acá )?"
        rf"en {NAME}(?=$|,|\)| y | con | desde )|"
        r"(?:solo|sólo|únicamente) (?:tengo|tenemos|dispongo de) (?!una? (?:pregunta|duda|hora|minuto|problema)|\d|"
        r"que\b|tiempo|dinero|dos|tres)\w|"
        r"(?:nos |me )?[a-záéíóúñ]{3,12}(?:amos|emos|imos|o) (?:la casa |en casa )?(?:solo|sólo|únicamente|"
        r"exclusivamente|todo) (?:con|en|a|por|de) \w|(?:no tengo|no tenemos|sin) (?:carn[eé]t?|licencia|coche|carro|"
        r"auto|horno|microondas|lavavajillas|balcón|ascensor|tele|hijos|internet|gas|calefacción|aire)\b",
        weak=True,
    ),
    Form(
        "likes",
        Category.PREFERENCE,
        0.6,
        r"(?:a mí )?me (?:vuelven?|traen?|tienen?) loc[oa]s?(?: por)? |(?:no )?me (?:chiflan?|pirran?|privan?|molan?|"
        r"rechiflan?|pierden?) (?!a\b)(?:el|la|los|las|mucho|más|lo)\b|"
        r"(?!(?:est[eoa]s?|es[eoa]s?|lo)\b)[\w ]{2,30} (?:no |nunca )?(?:es|son|fue|ha sido) (?:nada |mucho |muy |para "
        r"nada |precisamente )*(?:lo mío|mi (?:rollo|fuerte|estilo|onda|pasión|debilidad|vicio))\b|"
        r"(?!(?:est[eoa]s?|es[eoa]s?)\b)(?:el|la|los|las) [\w ]{2,30} (?:no |ni )?(?:l[oae]s? )(?:soporto|aguanto|"
        r"trago|"
        r"puedo (?:ni )?(?:ver|oler|probar|tragar|comer)|como|pruebo|quiero ni ver|evito|odio)\b|[\w ]{2,25} ni "
        r"(?:verl|olerl|probarl|tocarl)[oa]s?\b|"
        r"(?:el|la|los|las) [\w ]{2,25} nunca me (?:han?|gust|llam|atra|conv)\w*|"
        r"[\w ]{2,25} (?:me dan?|me producen?) (?:asco|grima|repelús|alergia|urticaria)\b|"
        r"(?:loc[oa]|enganchad[oa]|fan|fanátic[oa]|adict[oa]|forof[oa]|hincha|soci[oa]|seguidora?|devot[oa]) "
        r"(?:absolut[oa] |total |acérrim[oa] )?(?:del?|por|al?) [\w ]{2,30}|(?:del|de la) "
        rf"{NAME}(?: {NAME})? (?:desde|de toda la vida|a muerte)",
        about_things=True,
        weak=True,
    ),
    Form(
        "answers",
        Category.PREFERENCE,
        0.7,
        r"(?:las |tus |los |el |la )?(?:respuestas?|explicaciones|ejemplos|resúmenes|código|comentarios|textos?|listas|"
        r"números|fechas|horas|precios|medidas|unidades|cantidades|temperaturas|recetas|correos|variables)(?: "
        r"[\w-]+){0,2} "
        r"(?:siempre|solo|sólo|únicamente|nunca)(?: [\w-]+)? (?:en|con|sin|de|a) \w|"
        rf"(?:conmigo|a mí|para mí|en mis respuestas),? (?:mejor )?(?:nada de|sin|ni|solo|sólo|siempre) \w|(?:sin|"
        rf"nada de)"
        rf" {STYLE} (?:conmigo|para mí|nunca)|"
        r"(?:cada vez|siempre) que (?:yo )?(?:te )?(?:pase|mande|dé|pida|pegue|envíe|escriba|pregunte|ponga|comparta|"
        r"muestre|hable|comente|suba|cite)\b.{2,60}? (?!no\b$)\w+",
    ),
    Form(
        "trait",
        Category.FACT,
        0.65,
        rf"(?:al ser|por ser|siendo) (?:una? )?(?:[\w-]+ ){{0,2}}?(?:usuari[oa] de|{JOBS}|{TRAITS})\b|"
        rf"(?:como|siendo) (?:una? )?(?:[\w-]+ ){{0,2}}?(?:usuari[oa] de [\w ]{{3,20}}|{JOBS}|{TRAITS}),? (?:que soy|"
        rf"necesito|tengo|me|no|trabajo)\b|"
        r"(?:soy |yo )?[a-záéíóúñ]{4,}(?:ista|er[oa]|dora?|nte|ad[oa]|log[oa]|ic[oa]|ari[oa]|an[oa]|és|esa) "
        r"(?:(?:de|en) [\w-]+ )?desde (?:hace|los|niñ|pequeñ|chic|siempre|(?:19|20)\d\d|\d)|"
        rf"{TRAITS} (?:por )?(?:aquí|acá)\b|(?:manejo|conduzco) una? {NAME}|(?:el )?{LANGUAGE} es mi (?:lengua|"
        rf"idioma|segunda)|como (?:una? )?(?:[\w-]+ )?(?:{JOBS}|{TRAITS})(?: [\w ]{{2,20}}?)?$|"
        r"me estoy (?:reciclando|formando|reconvirtiendo|preparando|sacando|especializando) \w|"
        r"(?:estoy|ando|sigo) (?:sacándome|formándome|preparándome|opositando|especializándome|preparando (?:el |la |"
        r"las |un |una |mi |mis )?(?:(?-i:[A-Z]{2,})|oposici|exam|selectividad|tesis|máster|marat|certific|b[12]|"
        r"c[12]))|"
        rf"llevo {YEARS} (?!esperando|intentando|buscando|tratando|mirando|peleando)(?:[a-záéíóú]+ndo|sin \w+|"
        rf"[a-záéíóú]+(?:[oa]|ad[oa]))\b|"
        rf"(?:{TRAITS}) (?:de|del|desde|al?) [\w ]{{2,20}}$|desde que (?:dejé|me (?:operaron|mudé|jubilé|"
        rf"diagnosticaron|casé|separé)|"
        rf"nació|soy|tengo|vivo|trabajo)\b|hace {YEARS} que (?!no (?:me|te|lo|la|funciona)|espero|busco|"
        rf"intento)(?:no )?[a-záéíóúñ]{{2,}}o\b|"
        rf"(?:mi|el|la) (?:médic[oa]|doctora?|psiquiatra|\w+ólog[oa]|cardi\w+|endocrin\w*|matrona),? "
        rf"(?:(?:el |la )?(?:doctora?|dra?\.?) {NAME},? )?me (?:ha )?(?:recet|mand|diagnostic|detect|pus|prohib|"
        rf"quit)\w+|"
        rf"(?:tengo|llevo|me pusieron|uso) (?:una? )?(?:[\w-]+ )?(?:prótesis|marcapasos|stent|bastón|muletas|"
        rf"silla de ruedas|bomba de insulina|audífonos?|férula|{ILL})\b|"
        r"tomo (?!nota|el (?:bus|metro|tren)|un (?:taxi|café))[\w-]+ (?:para|por|contra) (?:el|la|los|las|mi) \w",
    ),
    Form(
        "attribute",
        Category.FACT,
        0.6,
        rf"(?:tod[oa] )?mi (?:equipo|empresa|familia|oficina) (?:entera? )?(?:está|vive|trabaja|es) (?:en|de) "
        rf"{NAME}|(?:yo )?hago todo (?:en|con|desde) \w|"
        rf"(?:aquí|acá) en {NAME} (?:hace|hay|es|llueve|no hay) \w|(?:mi|nuestr[oa]) (?:[\w-]+ )?{_PLACE} (?:cierra|"
        rf"abre|empieza|termina|acaba|cumple|libra|dura|vence|está (?:en|"
        rf"a)|trabaja|tiene (?:\d|dos|tres|cuatro)|(?:es|son) (?:los|a las|cada|todos)) \w|"
        r"(?:en (?:mi|el|la|nuestr[oa]) (?:curro|trabajo|laburo|empresa|equipo|oficina|depto|departamento|cole|"
        r"despacho|"
        rf"clase|pega|chamba),? )?(?:tiramos|tiro|funcionamos|nos manejamos) (?:de|con|sobre) {NAME}|"
        r"(?:el|la|mi|nuestr[oa]) (?:[\w-]+ )?(?:back(?:end)?|front(?:end)?|api|web|app|base de datos|servidor|"
        r"sitio) (?:es|"
        r"está|va|l[oa] (?:hicimos|tenemos|hice|tengo|montamos)|corre|funciona) (?:hech[oa] |escrit[oa] |montad[oa] )?"
        r"(?:en|con|sobre) \w",
        weak=True,
    ),
    Form(
        "doing",
        Category.FACT,
        0.5,
        rf"(?:yo |también |además )*(?:{_FOR_GOOD} (?!est[eoa]\b|es[eoa]\b|lo\b)|{_OFTEN_DONE} (?:sobre todo |mucho "
        rf"|mucha )?{_BARE})(?=\w{{3,}})|"
        rf"(?:nos|me) [a-záéíóúñ]{{3,12}}(?:amos|emos|imos|o) (?:[\w-]+ ){{0,4}}?{OFTEN}\b|"
        rf"a (?:mi|mis|nuestr[oa]s?) (?:\w+ )?{WHO} (?:no )?les? (?:gusta|encanta|sienta|da|cae|duele|molesta|toca|"
        rf"salió|falta)n? \w|"
        rf"mi (?:\w+ )?{WHO} (?:arranca|empieza|va|entra) (?:[\w-]+ ){{0,3}}(?:jardín|cole|escuela|guarde|insti|"
        rf"uni)\w*|"
        rf"mi (?:\w+ )?{WHO} (?:y yo )?(?:usa|lleva|necesita|anda con) (?:una? )?(?:bastón|andador|muletas|gafas|"
        rf"lentes|"
        rf"silla de ruedas|pañales|audífonos?|oxígeno|insulina)\b",
        about_things=True,
        weak=True,
    ),
)
