"""How people speak about themselves in Spanish."""

from __future__ import annotations

from holdfast.chunks.fact import Category
from holdfast.facts.capture.speech import NAME, Form, Speech, any_of

__all__ = ["SPANISH"]

_NOT = (
    r"(?:yo )?(?:ya no |no |nunca |jamás |casi nunca |casi siempre |siempre |también |solo |sólo |todavía |"
    r"ahora |normalmente |actualmente |suelo )?"
)
_JOBS = any_of(
    r"desarrollador|desarrolladora|programadora?|ingenier[oa]|enfermer[oa]|médic[oa]|doctora?|profesora?|maestr[oa]|"
    r"abogad[oa]|estudiante",
    r"investigadora?|arquitect[oa]|contable|contadora?|diseñadora?|ilustradora?|periodista|traductora?|fotógraf[oa]|"
    r"músic[oa]|consultora?",
    r"directora?|fundadora?|gerente|empresari[oa]|autónom[oa]|freelance|jubilad[oa]|funcionari[oa]|policía|"
    r"bomber[oa]|panader[oa]|cociner[oa]",
    r"camarer[oa]|vendedora?|electricista|fontaner[oa]|mecánic[oa]|agricultora?|farmacéutic[oa]|psicólog[oa]|"
    r"dentista|fisioterapeuta|matrona",
    r"bibliotecari[oa]|analista|administrativ[oa]|administradora?|científic[oa]|físic[oa]|químic[oa]|biólog[oa]|"
    r"matemátic[oa]|escritora?|chofer",
    r"vegetarian[oa]|vegan[oa]|diabétic[oa]|celíac[oa]|intolerante|alérgic[oa]|zurd[oa]|diestr[oa]|daltónic[oa]|"
    r"disléxic[oa]|sord[oa]|asmátic[oa]",
    r"solter[oa]|casad[oa]|divorciad[oa]|viud[oa]|padre|madre|abuel[oa]|española?|español|mexican[oa]|argentin[oa]|"
    r"colombian[oa]|chilen[oa]|peruan[oa]|"
    r"católic[oa]|musulm[aá]na?|judí[oa]|budista|ate[oa]|piloto|actor|actriz|veterinari[oa]|técnic[oa]|nuev[oa] en",
)
_KIN = any_of(
    r"mujer|esposa|marido|esposo|pareja|novia|novio|prometid[oa]|madre|mamá|padre|papá|hermana|hermano|hijo|hija|"
    r"tía|tío|prim[oa]|sobrin[oa]",
    r"abuela|abuelo|jefa|jefe|colega|compañer[oa](?: de piso)?|caser[oa]|vecin[oa]|amig[oa]|perr[oa]|gat[oa]|"
    r"caballo|loro|conejo|médic[oa]",
    r"doctora?|dentista|abogad[oa]|contable|gestora?|client[ea]|soci[oa]|mentora?|tutora?|suegr[oa]|cuñad[oa]",
)
_ROLES = any_of(
    r"responsable|jef[ea]|líder|lead|tech lead|directora?|ceo|cto|cfo|fundadora?|gerente|encargad[oa]|dueñ[oa]|"
    r"diseñadora?|desarrolladora?",
    r"ingenier[oa]|arquitect[oa]|contacto|client[ea]|proveedora?|becari[oa]|analista|contable|mantenedora?|"
    r"scrum master|product owner|mujer",
    r"esposa|marido|hermana|hermano|hijo|hija|madre|padre|amig[oa]|vecin[oa]|colega|médic[oa]|dentista|"
    r"president[ea]|coordinadora?|secretari[oa]",
)
_OWNED = any_of(
    r"hij[oa]s?|gemel[oa]s|mellizos|herman[oa]s?|perr[oa]s?|gat[oa]s?|caballos?|niet[oa]s?|diabetes|asma|tdah|"
    r"alergias?|migrañas|epilepsia|celiaquía|loros?",
)
_ORDERS = any_of(
    "usa|utiliza|responde|contesta|escribe|pon|haz|da|añade|incluye|ejecuta|explica|muestra|evita|pregunta|comprueba|"
    "prueba|formatea",
    "comenta|habla|llama|propón|empieza|termina|cita|avisa|respóndeme|contéstame|escríbeme|háblame|guarda|revisa",
)
_FORBIDDEN = any_of(
    "uses|utilices|respondas|contestes|escribas|pongas|hagas|des|añadas|incluyas|ejecutes|borres|subas|toques|"
    "cambies|modifiques|me hables|me llames",
)
_ATTRIBUTES = (
    r"(?:nombre|apellido|apodo|cumpleaños|aniversario|zona horaria|huso horario|dirección|teléfono|"
    r"número(?: de teléfono)?|correo(?: electrónico)?|"
    r"e-?mail|profesión|trabajo|lengua materna|idioma materno|talla|grupo sanguíneo|empresa|ciudad natal|horario|"
    r"editor|navegador|"
    r"sistema operativo|edad|fecha de nacimiento|puesto|usuario de github)"
)

SPANISH = Speech(
    code="es",
    words="""yo me mi mis nos nuestro nuestra tú tu tus te usted es son soy eres está están estoy el la los las un una
    unos unas de del y o pero no ya que qué quién cómo dónde cuándo por para con sin en al a se lo le si sí más
    muy siempre nunca hay tengo tiene tenemos he ha hemos había este esta esto ese esa eso aquí ahora vivo
    trabajo prefiero gusta gustan encanta odio usamos uso recuerda recuerdas puedes quiero necesito creo llamo
    llama llámame jefe jefa hermano dice dijo decidimos hemos decidido desde hasta adelante partir bien gracias
    favor traduce escribe imagina nuestros años hijos""",
    fillers=any_of(
        "ah|bueno|vale|ok|pues|entonces|y|también|por cierto|para tu información|para que lo sepas|para que sepas|"
        "que sepas que|que sepas|fyi",
        "en realidad|la verdad es que|la verdad|de hecho|no(?=[,:;])|sí|hola|perdona|perdón|corrección|como dije|"
        "como te dije|ten en cuenta que",
        "ten en cuenta|sinceramente|personalmente|en general|por lo general|gracias|contexto|sobre mí|otra cosa|"
        "una cosa más|para ser claro",
        "importante|actualmente|ahora|ahora mismo|hoy en día|a título personal|oye|buenas",
    )
    + r"(?:,|:|;| -| –| —|!|\.\.\.|…)? ",
    explicit=r"(?:por favor,? |porfa,? |y |también |ok |oye,? |puedes |podrías ){0,3}(?:"
    + any_of(
        r"recuerda(?: bien| siempre)?(?:,|:)?(?: que| esto:)?|recuerde(?:,|:)?(?: que)?|"
        r"acuérdate(?: bien)?(?: de)?(?:,|:)?(?: que)",
        r"no (?:te )?olvides(?: nunca)?(?: de)?(?:,|:)?(?: que)?|apunta(?: bien)?(?:,|:| que)(?: que)?|apúntate(?:,|"
        r":| que)|anota(?:,|:| que)(?: que)?",
        r"toma nota(?: de)?(?:,|:| que)|memoriza(?:,|:| que)|guarda en (?:tu |la )?memoria(?:,|:| que)?|"
        r"nota (?:mental|para mí)(?:,|:)",
        r"para (?:el futuro|más adelante|futuras referencias)(?:,|:)|que conste que|recordar que|graba(?:,|:| que)",
    )
    + ") ",
    explicit_after=r"(?:,| -|;) (?:por favor )?(?:recuérdalo|no lo olvides|tenlo en cuenta|apúntalo|anótalo)$",
    no_memory=r"(?:cuando|cuándo|cómo|como (?:hicimos|te)|por qué|dónde|quién|lo que|la vez|si\b|esto$|eso$|"
    r"\w+(?:ar|er|ir|arlo|erlo|irlo|arme)\b|"
    r"(?:tú )?(?:eres|debes|no tienes)|aquel|este\b|ese\b)",
    standing=r"(?!(?:él|ella|ellos|esto|eso|el|la|los|las)\b).{0,200}\b(?:a partir de (?:ahora|hoy)|"
    r"de ahora en adelante|desde ahora|de aquí en adelante|en adelante|en el futuro|en lo sucesivo|"
    r"hasta nuevo aviso)\b",
    orders=rf"(?:por favor,? )?(?:{_ORDERS} (?:[\w'-]+ ){{0,5}}?siempre\b|siempre {_ORDERS}\b|(?:nunca|"
    rf"jamás) {_FORBIDDEN}\b|"
    rf"no {_FORBIDDEN} (?:[\w'-]+ ){{0,5}}?(?:nunca|jamás)\b)",
    forms=(
        Form(
            "decision",
            Category.DECISION,
            0.7,
            r"(?:(?:nosotros |yo |al final |finalmente )?(?:hemos|he) (?:\w+ )?(?:decidido|elegido|optado|acordado|"
            r"escogido|descartado|quedado en) |"
            r"(?:al final |finalmente )?(?:decidimos|decidí|acordamos|elegimos|optamos|escogimos|quedamos en|"
            r"descartamos|nos decidimos) |"
            r"(?:el equipo|mi equipo) (?:ha )?(?:decidió|decidido|acordó|acordado|eligió) |nos quedamos con |"
            r"vamos con |"
            r"la decisión(?: es|:) |está decidido(?:,|:))",
            about_things=True,
        ),
        Form(
            "named person",
            Category.ENTITY,
            0.6,
            rf"mis? (?:\w+ )?{_KIN}s? (?:se llaman?|es (?:{NAME}|una? |alérgic|vegan|vegetarian)|tiene |vive |"
            rf"trabaja |odia |adora )|"
            rf"mi (?:\w+ )?{_KIN},? {NAME},? \w|"
            rf"(?:nuestr[oa]|mi|el|la) (?:[\w-]+ ){{0,3}}{_ROLES}(?: [\w-]+){{0,3}} (?:es|se llama) {NAME}|"
            rf"{NAME}(?: {NAME})? es (?:ahora )?(?:mi|nuestr[oa]|el|la) (?:[\w-]+ ){{0,2}}{_ROLES}\b|"
            rf"{NAME}(?: {NAME})? (?:dirige|lidera|se encarga de) ",
        ),
        Form(
            "favourite",
            Category.PREFERENCE,
            0.6,
            r"mis? (?:[\w-]+ ){1,4}(?:favorit[oa]s?|preferid[oa]s?) (?:es|"
            r"son|sigue siendo) ",
        ),
        Form(
            "likes",
            Category.PREFERENCE,
            0.6,
            r"(?:yo |a mí )?(?:prefiero|odio|detesto|adoro|amo|evito|aborrezco|no soporto|no aguanto|no tolero|"
            r"(?:no |ya no |nunca )?me "
            r"(?:gustan?|encantan?|fascinan?|molestan?|chiflan?)(?: (?:mucho|más|bastante|nada|muchísimo))?|"
            r"soy (?:muy )?(?:fan|fanátic[oa]) de(?:l)?|"
            r"no soy (?:muy )?fan de(?:l)?|me caen? mal|me sienta mal) ",
            about_things=True,
        ),
        Form(
            "habit",
            Category.PREFERENCE,
            0.55,
            r"(?:yo )?(?:ya no|no|nunca|siempre|solo|sólo|casi nunca|normalmente) (?:como|bebo|fumo|uso|utilizo|"
            r"tomo|llevo|escribo|leo|compro|cocino|viajo|"
            r"veo la tele|conduzco) |(?:yo )?suelo (?:trabajar|comer|beber|usar|levantarme|escribir|cenar|"
            r"desayunar) |he dejado de |dejé de "
            r"(?:fumar|beber|comer|usar|tomar) ",
            about_things=True,
        ),
        Form(
            "form of address",
            Category.PREFERENCE,
            0.7,
            rf"(?:por favor,? )?(?:llámame|llámeme|dime) {NAME}|"
            rf"puedes llamarme |todos me llaman |"
            r"(?:tutéame|trátame de)",
        ),
        Form("name", Category.FACT, 0.8, r"(?:yo )?me llamo |mi (?:nombre|apellido)(?: completo)? es "),
        Form(
            "trait",
            Category.FACT,
            0.65,
            rf"{_NOT}soy (?!tu |su |vuestr)(?:una? |el |la )?(?:[\w-]+ ){{0,2}}{_JOBS}\b|{_NOT}soy (?:de|"
            rf"originari[oa] de) (?:la |el )?{NAME}|(?:yo )?tengo \d{{1,3}} años|"
            r"(?:yo )?nací en |(?:me )?(?:crié|crecí) en |estoy (?:casad[oa]|divorciad[oa]|embarazada|jubilad[oa]|"
            r"solter[oa]|en paro|aprendiendo )",
        ),
        Form(
            "place or work",
            Category.FACT,
            0.65,
            rf"{_NOT}(?:vivo|resido) (?:ahora |actualmente )?(?:en|con|cerca|sol[oa]|a)\b|"
            rf"{_NOT}trabajo (?:ahora |actualmente |solo )?(?:en|como|para|de|con|desde|a|por|remoto|media)\b|"
            rf"{_NOT}(?:estudio|enseño) (?!est[eao]|la (?:función|posibilidad))\w|(?:yo )?me (?:mudé|he mudado|"
            rf"trasladé|jubilé|gradué|casé|divorcié|cambié) |"
            rf"(?:dejé|entré en|me fui de|fiché por) {NAME}",
        ),
        Form(
            "belonging",
            Category.FACT,
            0.6,
            rf"(?:yo )?(?:no )?(?:tengo|tenemos) (?:una? |dos |tres |cuatro |cinco |varios |"
            rf"\d{{1,2}} )?(?:[\w-]+ ){{0,2}}?{_OWNED}\b|"
            r"(?:yo )?hablo (?!de\b|con\b|sobre\b)|(?:yo )?(?:aprendo|estoy aprendiendo) (?!que\b)|"
            r"(?:yo )?toco (?:el|la) (?!botón|tecla|código)|"
            r"(?:yo )?(?:dirijo|lidero|mantengo|gestiono) (?:una?|el|la|mi) ",
        ),
        Form(
            "attribute",
            Category.FACT,
            0.65,
            rf"mis? (?:nuev[oa] )?{_ATTRIBUTES} (?:es|son|va) (?!lent[oa]|muy |"
            rf"demasiado )",
        ),
        Form(
            "tools",
            Category.FACT,
            0.6,
            r"(?:yo |nosotros |siempre )?(?:uso|usamos|utilizamos|utilizo|desplegamos|alojamos|programamos|"
            r"no usamos|ya no usamos|"
            r"trabajamos (?:con|en)) (?!.*\b(?:aquí|pero)\b)|"
            r"(?:nuestr[oa]s?|el|la|mi) (?:[\w-]+ ){0,2}(?:proyecto|backend|frontend|base de datos|servidor|equipo|"
            r"empresa|aplicación|app|api|web|sitio|"
            r"repositorio|repo|clúster|cluster|pipeline|código|producto|rama principal|stack|servicio|oficina) "
            r"(?:usa|utiliza|corre (?:en|sobre)|está (?:escrit[oa]|alojad[oa]|hech[oa]|en|desplegad[oa])|se llama|"
            r"empieza|se basa en|funciona (?:con|sobre)|"
            r"trabaja (?:en|con|desde)|vive en) ",
            about_things=True,
        ),
    ),
    at_hand=r"(?:más |mucho |solo )?(?:est[aeo]s?\b|es[aeo]s?\b|así\b|tus?\b|cómo\b|como (?:quedó|lo|está)|"
    r"lo (?:que|de)\b|que (?:lo|la|me|te)\b|"
    r"(?:la|el|los|las) (?:primer[oa]?|segund[oa]|tercer[oa]?|últim[oa]|otr[oa]|nuev[oa]|versión|propuesta|idea|"
    r"solución|respuesta|función|opción|forma|"
    r"manera|código|archivo|resultado)\b|una? (?:bucle|función|script|lista|regex|variable|clase)\b|todo\b|gracias|"
    r"un bucle)",
    dangling=r"\b(?:eso|esto|aquello|esos|esas|ellos|ellas)\b",
    doubtful=r"\bsi\b|\b(?:ojalá|quizás?|tal vez|a lo mejor|viviera|fuera|fuese|tuviera|pudiera|podría|debería|"
    r"creo que|pienso que|supongo|espero|"
    r"me gustaría|quisiera|supongamos|imagina|imaginemos|probablemente|seguramente|puede que|"
    r"(?:dice|dijo|dicen|dijeron|cuenta|contó|comentó|piensa|cree|opina|preguntó|afirma) que|según|me (?:dijo|"
    r"dijeron|preguntó)|"
    r"error(?:es)?|fallos?|falla|bugs?|excepción|no funciona|no compila|no va|problemas?|se cuelga|no termina|ayer|"
    r"esta mañana|advertencia|rot[oa]|"
    r"ahora mismo|en este momento)\b",
    asking=r"¿|(?:puedes|podrías|sabes|recuerdas|te acuerdas|qué|quién|cómo|dónde|cuándo|cuál|cuánto|por qué)\b",
    material=r"\btradu[cz]|\btraducción\b|\bcorrig|\bcorreg|\brevisar?\b.*:$|\breescrib\w+ (?:este|el) texto|"
    r"\bimagin[ae]\b|\bimaginemos\b|\bsupongamos\b|"
    r"\bhaz como si\b|\bjuego de rol|\bfinge\b|\bescrib(?:e|eme|ir|a)\b(?:me)? una? (?:[\w-]+ ){0,2}(?:historia|"
    r"cuento|poema|canción|diálogo|escena|novela|tweet|"
    r"tuit|chiste|discurso|relato|reseña|post)\b|\bcómo se dice\b|\bfrase\b|\bgramática\b|\bortografía\b|"
    r"\bmi (?:novela|personaje|protagonista)",
    joking=r"\b(?:jaja\w*|jeje\w*|lol|es (?:una )?broma|era (?:una )?broma|bromeo|estoy bromeando|de broma|"
    r"ironía)\b|[😂🤣😜😝😛🙃😏]",
    joints=r"(?:,|;| –| —| -)? (?:y|pero|aunque) (?=(?:yo|me|soy|tengo|prefiero|odio|usamos|nuestr[oa]|no me|ya no|"
    r"hemos|vivo|trabajo) |mi [\w -]{2,40} (?:es|se llama|usa)\b)|"
    r"(?:,|;| –| —| -) (?=(?:me|soy|tengo|prefiero|odio|usamos|vivo|trabajo) |mi [\w -]{2,40} (?:es|se llama)\b|"
    r"puedes |podrías |¿|por favor )",
    about_me=r"\b(?:sobre mí|acerca de mí|recuerda|mis preferencias|nuestro stack|apunta|sobre nosotros)\b",
    states=r"\b(?:es|son|era|está|están|tiene|tienen|usa|usan|corre|sale|salen|va|van|vive|empieza|termina|vence|"
    r"caduca|cuesta|debe|puede|hay|se llama|"
    r"se \w+n?|queda)\b",
)
