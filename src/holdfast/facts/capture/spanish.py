"""How people speak about themselves in Spanish."""

from __future__ import annotations

from holdfast.chunks.fact import Category
from holdfast.facts.capture.speech import NAME, NO_THING, Form, Speech, any_of

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
    r"doctora?|dentista|abogad[oa]|contable|gestora?|client[ea]|soci[oa]|mentora?|tutora?|suegr[oa]|cuñad[oa]|"
    r"yern[oa]|nuera|"
    r"niet[oa]|padrastro|madrastra|hijastr[oa]|niñ[oa]|bebé|padres|suegros|hijos|hijas",
)
# "Ser" is what lasts, "estar" what passes: what follows the first needs no list of trades.
_TRADE = (
    r"(?!(?:consciente|primer[oa]|sincer[oa]|capaz|incapaz|mejor|peor|culpable|diferente|nada|tod[oa]|yo|así|"
    r"consecuente)\b)"
    r"[a-zà-ÿ]{2,30}(?:dora?|tora?|sora?|er[oa]|ista|ic[oa]|ente|ante|ari[oa]|olog[oa]|ólog[oa]|triz|ad[oa]|id[oa])\b"
)
_ILL = any_of(
    r"(?:la )?(?:tensión|presión) alta|colesterol|asma|diabetes|migrañas?|hipertensión|artrosis|ansiedad|depresión|"
    r"eccema",
    r"epilepsia|rinitis|\w*fobia|intolerancia|alergia|vértigo|hipotiroidismo|insomnio|tdah",
)
_OFTEN = any_of(
    "todos los (?:días|años|meses|veranos|inviernos|fines de semana|lunes|martes|miércoles|jueves|viernes|sábados|"
    "domingos)",
    "todas las (?:semanas|mañanas|noches|tardes)|cada (?:día|semana|mes|año|mañana|noche|verano|fin de semana)",
    "(?:vez|veces|horas|libros|kilómetros|km) (?:al?|por|a la) (?:día|semana|mes|año)",
)
_NO_ROLE = "(?:poco|desastre|fan|inútil|negad[oa]|lío|gran|buen|mal|idiota|genio|caso|apasionad[oa])"
_SHOWN = "(?:ejemplos|enlaces|emojis|listas|tablas|código|anglicismos|tecnicismos|párrafos|chistes|disculpas)"
_DOES = any_of(
    "tiene|tienen|vive|viven|trabaja|odia|adora|come|no come|bebe|no bebe|juega|estudia|habla|padece|sufre de|no puede",
    "toca|prefiere|fuma|cumple|empieza (?:el cole|la escuela|la uni|primaria)|va al? (?:cole|instituto|universidad)",
)
_YEARS = r"(?:\w+ ){1,3}(?:años?|meses|décadas?)"
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
        "importante|actualmente|ahora|ahora mismo|hoy en día|a título personal|oye|buenas|en casa|en el trabajo|"
        "en la oficina|en mi casa",
    )
    + r"(?:,|:|;| -| –| —|!|\.\.\.|…)? ",
    explicit=r"(?:por favor,? |porfa,? |y |también |ok |oye,? |puedes |podrías ){0,3}(?:"
    + any_of(
        r"recuerda(?: bien| siempre)?(?:,|:)?(?: que| esto:)?|recuerde(?:,|:)?(?: que)?|"
        r"acuérdate(?: bien)?(?: de)?(?:,|:)?(?: que)",
        r"no (?:te )?olvides(?: nunca)?(?: de)?(?:,|:)?(?: que)?|apunta(?: bien)?(?:,|:| que)(?: que)?|apúntate(?:,|"
        r":| que)|anota(?:,|:| que)(?: que)?",
        r"toma nota(?: de)?(?:,|:| que)|memoriza(?:,|:| que)|guarda en (?:tu |la )?memoria(?:,|:| que)?|"
        r"nota (?:mental|para mí)(?:,|:)|guarda (?:esto|eso)(?:,|:)",
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
    rf"no {_FORBIDDEN} (?:[\w'-]+ ){{0,5}}?(?:nunca|jamás)\b|"
    rf"no me (?:pongas|des|mandes|envíes|hagas|enseñes) (?:más |tant[oa]s )?{_SHOWN}\b)",
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
            rf"mis? (?:\w+ )?{_KIN}s? (?:se llaman?|(?:es|son) (?:{NAME}|una? |{_JOBS}s?\b|(?:muy |"
            rf"bastante )?{_TRADE})|"
            rf"{_DOES} )|"
            rf"mi (?:\w+ )?{_KIN},? {NAME},? \w|"
            rf"(?:nuestr[oa]|mi|el|la) (?:[\w-]+ ){{0,3}}{_ROLES}(?: [\w-]+){{0,3}} (?:es|se llama) {NAME}|"
            rf"{NAME}(?: {NAME})? es (?:ahora )?(?:mi|nuestr[oa]|el|la) (?:[\w-]+ ){{0,2}}{_ROLES}\b|"
            rf"{NAME}(?: {NAME})? (?:dirige|lidera|se encarga de) ",
        ),
        Form(
            "favourite",
            Category.PREFERENCE,
            0.6,
            r"mis? (?:[\w-]+ ){1,4}(?:favorit[oa]s?|preferid[oa]s?) (?:es|son|sigue siendo) |"
            r"(?!(?:est[eoa]s?|es[eoa]s?|cuál|qué|quién)\b)[\w' -]{2,40} (?:es|son) mis? (?:[\w-]+ ){0,3}"
            r"(?:favorit[oa]s?|preferid[oa]s?)\b",
        ),
        Form(
            "likes",
            Category.PREFERENCE,
            0.6,
            r"(?:yo |a mí )?(?:prefiero|odio|detesto|adoro|amo|evito|aborrezco|no soporto|no aguanto|no tolero|"
            r"tengo (?:mucho )?miedo a|me dan? (?:mucho |un )?(?:miedo|pánico|asco|vértigo|fobia|alergia)|"
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
            r"(?:fumar|beber|comer|usar|tomar) |"
            rf"(?:yo )?(?:me )?(?!recib|teng|ve[oa]|intent|pierd|olvid|quier|pued|deb|neces|cómo|"
            rf"como te)[a-záéíóúñ]{{2,12}}o "
            rf"(?:[\w-]+ ){{0,6}}?{_OFTEN}\b",
            about_things=True,
        ),
        Form(
            "form of address",
            Category.PREFERENCE,
            0.7,
            rf"(?:por favor,? )?(?:llámame|llámeme|dime) {NAME}|"
            rf"puedes llamarme |todos me llaman |"
            r"(?:tutéame|trátame de|háblame de (?:tú|usted|vos)|podemos tutearnos)|"
            r"(?:no )?me (?:gusta|molesta) que me (?:trates|hables|llames|digas|tutees|contestes|respondas)\b",
        ),
        Form("name", Category.FACT, 0.8, r"(?:yo )?me llamo |mi (?:nombre|apellido)(?: completo)? es "),
        Form(
            "trait",
            Category.FACT,
            0.65,
            rf"{_NOT}soy (?!tu |su |vuestr)(?:una? |el |la )?(?:[\w-]+ ){{0,2}}{_JOBS}\b|{_NOT}soy (?:de|"
            rf"originari[oa] de) (?:la |el )?{NAME}|(?:yo )?tengo \d{{1,3}} años|"
            rf"(?:yo )?soy una? (?!{_NO_ROLE}\b)[a-zà-ÿ]|(?:yo )?soy (?:el |la )?{_TRADE}|(?:yo )?(?:tengo|"
            rf"padezco(?: de)?|sufro de) (?:\w+ ){{0,2}}{_ILL}\b|"
            rf"(?:como (?:yo )?soy|al ser|siendo) (?:una? )?(?:[\w-]+ ){{0,2}}{_JOBS}\b|"
            rf"llevo {_YEARS} (?:viviendo|trabajando|estudiando|aprendiendo|en {NAME}|como|de experiencia|sin )|"
            rf"tengo {_YEARS} de experiencia|"
            r"(?:yo )?nací en |(?:me )?(?:crié|crecí) en |estoy (?:casad[oa]|divorciad[oa]|embarazada|jubilad[oa]|"
            r"solter[oa]|en paro|aprendiendo )",
        ),
        Form(
            "place or work",
            Category.FACT,
            0.65,
            rf"doy clases de |{_NOT}(?:vivo|resido|vivimos|residimos) (?:ahora |actualmente )?(?:en|con|cerca|"
            rf"sol[oa]|a)\b|"
            rf"{_NOT}trabajo (?:ahora |actualmente |solo )?(?:en|como|para|de|con|desde|a|por|remoto|media)\b|"
            r"(?:yo )?me acabo de (?:jubilar|mudar|casar|divorciar|graduar|separar)|"
            r"acabo de (?:jubilarme|mudarme|casarme|divorciarme|graduarme|empezar (?:a trabajar|en))|"
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
    doubtful=r"^(?:por ejemplo|algo como|tipo),? (?:soy|vivo|me|tengo|trabajo)\b|\b(?:pongamos|digamos) que\b|\bsi\b|"
    r"\b(?:ojalá|quizás?|tal vez|a lo mejor|viviera|fuera|fuese|tuviera|pudiera|podría|debería|"
    r"creo que|pienso que|supongo|espero|"
    r"supongamos|imagina|imaginemos|probablemente|seguramente|puede que|"
    r"(?:dice|dijo|dicen|dijeron|(?<!en )cuenta|contó|comentó|piensa|cree|opina|preguntó|afirma) que|según|me (?:dijo|"
    r"dijeron|preguntó)|"
    r"error(?:es)?|fallos?|falla|bugs?|excepción|no funciona|no compila|no va|problemas?|se cuelga|no termina|ayer|"
    r"esta mañana|advertencia|rot[oa]|"
    r"ahora mismo|en este momento|(?:me encanta|adoro) (?:que me|cuando))\b|"
    r"^(?:ah|oh|uy|claro|sí) ?,? (?:claro|genial|qué bien|perfecto|estupendo|qué maravilla|me encanta)\b",
    wishing=r"\b(?:me gustaría|quisiera|querría)\b",
    asking=r"¿|(?:puedes|podrías|sabes|recuerdas|te acuerdas|qué|quién|cómo|dónde|cuándo|cuál|cuánto|por qué)\b",
    material=r"\btradu[cz]|\btraducción\b|"
    rf"\bcorr[ie]g\w*{NO_THING}|\brevisar?\b.*:$|\breescrib\w+ (?:este|el) texto|"
    r"\bimagin[ae]\b|\bimaginemos\b|\bsupongamos\b|"
    r"\bhaz como si\b|\bjuego de rol|\bfinge\b|\bescrib(?:e|eme|ir|a)\b(?:me)? una? (?:[\w-]+ ){0,2}(?:historia|"
    r"cuento|poema|canción|diálogo|escena|novela|tweet|"
    r"tuit|chiste|discurso|relato|reseña|post)\b|\bcómo se dice\b|\bpara (?:mi|una?) (?:amig[oa]|prim[oa]|herman[oa]|"
    r"colega|client[ea]|tí[oa]|hij[oa]|madre|padre|mujer|marido|compañer[oa])\b.{0,80}: |\bfrase\b|\bgramática\b|"
    r"\bortografía\b|"
    r"\bmi (?:novela|personaje|protagonista)",
    joking=r"\b(?:es (?:una )?broma|era (?:una )?broma|bromeo|estoy bromeando|de broma|ironía)\b",
    laughing=r"\b(?:jaja\w*|jeje\w*|lol)\b|[😂🤣😜😝😛🙃😏]",
    joints=r"(?:,|;| –| —| -)? (?:así que|asi que|por eso) (?=(?:nada|no|sin|por favor) )|"
    r"(?:,|;| –| —| -)? (?:y|pero|aunque) (?=(?:todavía|aún|quiero|quisiera|yo|me|soy|tengo|prefiero|odio|usamos|"
    r"nuestr[oa]|no me|ya no|"
    r"hemos|vivo|trabajo) |mi [\w -]{2,40} (?:es|se llama|usa)\b)|"
    r"(?:,|;| –| —| -) (?=(?:me|soy|tengo|prefiero|odio|usamos|vivo|trabajo) |mi [\w -]{2,40} (?:es|se llama)\b|"
    r"puedes |podrías |¿|por favor )",
    about_me=r"\b(?:sobre mí|acerca de mí|recuerda|mis preferencias|nuestro stack|apunta|sobre nosotros)\b",
    states=r"\b(?:es|son|era|está|están|tiene|tienen|usa|usan|corre|sale|salen|va|van|vive|empieza|termina|vence|"
    r"caduca|cuesta|debe|puede|hay|se llama|"
    r"se \w+n?|queda)\b",
)
