"""The people, trades, conditions, things and times that Spanish speakers name when they speak about themselves."""

from __future__ import annotations

from typing import Final

from holdfast.facts.capture.speech import NAME, any_of

__all__ = [
    "AGE", "ATTRIBUTES", "FORBIDDEN", "ILL", "JOBS", "KIN", "LANGUAGE", "LIVES", "NOT", "NO_ROLE", "OFTEN",
    "OFTEN_FIRST", "ORDERS", "OWNED", "ROLES", "STYLE", "THINGS", "TRADE", "TRAITS", "WHO", "YEARS",
]  # fmt: skip

NOT: Final = (
    r"(?:yo )?(?:ya no |no |nunca |jamás |casi nunca |casi siempre |siempre |también |solo |sólo |todavía |"
    r"ahora |normalmente |actualmente |suelo |sigo |básicamente )?"
)
JOBS: Final = any_of(
    r"desarrollador|desarrolladora|programadora?|ingenier[oa]|enfermer[oa]|médic[oa]|doctora?|profes?|profesora?|"
    r"maestr[oa]|abogad[oa]|estudiante|investigadora?|arquitect[oa]|contable|contadora?|diseñadora?|ilustradora?",
    r"periodista|traductora?|fotógraf[oa]|músic[oa]|consultora?|directora?|fundadora?|gerente|empresari[oa]|"
    r"autónom[oa]|"
    r"freelance|jubilad[oa]|pensionad[oa]|funcionari[oa]|policía|bomber[oa]|panader[oa]|cociner[oa]|camarer[oa]|mesero",
    r"vendedora?|electricista|fontaner[oa]|plomero|mecánic[oa]|agricultora?|farmacéutic[oa]|psicólog[oa]|dentista|"
    r"fisioterapeuta|fisio|kinesióloga?|matrona|partera|bibliotecari[oa]|analista|administrativ[oa]|administradora?",
    r"científic[oa]|físic[oa]|químic[oa]|biólog[oa]|matemátic[oa]|escritora?|ch[oó]fer|taxista|repartidora?|albañil|"
    r"piloto|actor|actriz|veterinari[oa]|técnic[oa]|nuev[oa] en|becari[oa]|opositora?|azafata|militar|juez|jueza|"
    r"notari[oa]|cajer[oa]|guardia|conserje|portero|carnicer[oa]|peluquer[oa]|celadora?|auxiliar|mamá|papá|"
    r"bioquímic[oa]",
)
TRAITS: Final = any_of(
    r"vegetarian[oa]s?|vegan[oa]s?|pescetarian[oa]s?|flexitarian[oa]s?|diabétic[oa]s?|celíac[oa]s?|intolerantes?|"
    r"alérgic[oa]s?|zurd[oa]s?|diestr[oa]s?|daltónic[oa]s?|disléxic[oa]s?|sord[oa]s?|cieg[oa]s?|asmátic[oa]s?|"
    r"autistas?|"
    r"hipertens[oa]s?|epiléptic[oa]s?|bipolar|hipoacúsic[oa]|miope|discapacitad[oa]|hemofílic[oa]|hipotiroide[oa]|tdah",
    r"solter[oa]s?|casad[oa]s?|divorciad[oa]s?|separad[oa]s?|viud[oa]s?|padre|madre|abuel[oa]|papá|mamá|huérfan[oa]|"
    r"primeriz[oa]|hij[oa] únic[oa]|gemel[oa]|mellizo|zurd[oa]|noctámbul[oa]|madrugadora?|friolent[oa]|friolera|"
    r"introvertid[oa]|principiante|novat[oa]|autodidacta|voluntari[oa]|bilingüe|trilingüe|inquilin[oa]|propietari[oa]",
    r"española?|español|mexican[oa]s?|argentin[oa]s?|colombian[oa]s?|chilen[oa]s?|peruan[oa]s?|venezolan[oa]s?|"
    r"uruguay[oa]s?|cuban[oa]s?|bolivian[oa]s?|ecuatorian[oa]s?|paraguay[oa]s?|guatemaltec[oa]s?|dominican[oa]s?|"
    r"costarricense|hondureñ[oa]|salvadoreñ[oa]|gallegos?|gallega|catal[aá]na?|vasc[oa]|andaluza?|canari[oa]|"
    r"madrileñ[oa]|"
    r"valencian[oa]|asturian[oa]|maño|porteñ[oa]|tapatí[oa]|regi[oa]|católic[oa]s?|musulm[aá]n(?:a|es)?|judí[oa]s?|"
    r"budista|ate[oa]s?|cristian[oa]s?|evangélic[oa]s?|testigo de jehová|mormón",
)
WHO: Final = any_of(
    r"mujer|esposa|señora|chico|chica|marido|esposo|pareja|novi[oa]s?|prometid[oa]|madre|mamá|mami|viej[oa]|padre|papá|"
    r"papi|"
    r"herman[oa]s?|herman[oa] (?:mayor|menor|pequeñ[oa])|hijos?|hijas?|peques?|nen[ae]s?|chic[oa]s|guagua|wawa|"
    r"pib[ea]s?|"
    r"tí[oa]s?|prim[oa]s?|sobrin[oa]s?|abuel[oa]s?|abuelit[oa]|yay[oa]|suegr[oa]s?|cuñad[oa]s?|yerno|nuera|niet[oa]s?|"
    r"padrastro|madrastra|hijastr[oa]s?|niñ[oa]s?|bebé|padres|papás|viejos|gemel[oa]s|melliz[oa]s|ahijad[oa]|madrina|"
    r"padrino|adolescentes?|ex|exmarido|familia",
    r"perr[oa]s?|perrit[oa]s?|cachorr[oa]|gat[oa]s?|gatit[oa]s?|michi|lomito|caballo|yegua|poni|loro|periquito|cotorra|"
    r"canario|"
    r"conej[oa]s?|hámster|cobaya|cuy|tortuga|hurones|hurón|pez|gallinas?|burro|cabra|iguana|mascota|gecko",
    r"jef[ea]|colega|compañer[oa](?: de (?:piso|cuarto|trabajo|depa))?|roomie|caser[oa]|vecin[oa]|amig[oa]|"
    r"mejor amig[oa]|"
    r"médic[oa]|doctora?|dentista|abogad[oa]|contable|contadora?|gestora?|client[ea]|soci[oa]|mentora?|tutora?|"
    r"psicólog[oa]|profesora?|entrenadora?|asistente|directora?|fisio|pediatra|niñera",
)
KIN: Final = rf"(?:mis?|nuestr[oa]s?) (?:\w+ )?{WHO}s?(?: de (?:piso|trabajo|clase|cuarto|oficina|curro|depa))?"
LANGUAGE: Final = any_of(
    r"español|castellano|inglés|francés|alemán|italiano|portugués|árabe|ruso|chino|mandarín|japonés|coreano|catalán|"
    r"gallego|euskera|"
    r"vasco|valenciano|quechua|guaraní|náhuatl|maya|aymara|mapudungun|rumano|polaco|neerlandés|turco|hebreo|hindi|"
    r"griego|latín|"
    r"lengua de (?:signos|señas)|sueco|ucraniano|búlgaro",
)
# "Ser" is what lasts, "estar" what passes: what follows the first needs no list of trades.
TRADE: Final = (
    r"(?!(?:consciente|primer[oa]|sincer[oa]|capaz|incapaz|mejor|peor|culpable|diferente|nada|tod[oa]|yo|así|"
    r"consecuente|root|candidat[oa]|afortunad[oa]|complicad[oa]|únic[oa]|entero|nuevo|exagerad[oa]|client[ea])\b)"
    r"[a-zà-ÿ]{2,30}(?:dora?|tora?|sora?|er[oa]|ista|ic[oa]|ente|ante|ari[oa]|olog[oa]|ólog[oa]|triz|ad[oa]|id[oa]|"
    r"terapeuta|iatra|arca|grafo|grafa)s?\b"
)
ILL: Final = any_of(
    r"(?:la )?(?:tensión|presión) alta|colesterol|asma|diabetes|migrañas?|hipertensión|artrosis|artritis|ansiedad|"
    r"depresión|eccema|dermatitis|psoriasis|escoliosis|hernia|endometriosis|ovario poliquístico|sop|lupus|fibromialgia|"
    r"parkinson|alzheimer|esclerosis|cáncer|leucemia|autismo|tea|síndrome de \w+|crohn|colon irritable|gastritis|"
    r"reflujo",
    r"epilepsia|rinitis|\w*fobia|intolerancia|alergias?|vértigo|hipotiroidismo|hipertiroidismo|insomnio|tdah|tda|toc|"
    r"dislexia|anemia|gota|celiaquía|apnea|marcapasos|prótesis|discapacidad|glaucoma|cataratas|soplo|vih|acné|asperger|"
    r"ácido úrico|daltonismo|miopía|astigmatismo|pie plano|trastorno \w+|enfermedad \w+",
)
OFTEN: Final = any_of(
    "todos los (?:días|años|meses|veranos|inviernos|fines de semana|findes|lunes|martes|miércoles|jueves|viernes|"
    "sábados|"
    "domingos)|(?:los|cada) (?:lunes|martes|miércoles|jueves|viernes|sábados?|domingos?|findes?|fines de semana)|"
    r"de lunes a (?:viernes|sábado|jueves)|entre semana|una? \w+ (?:de cada dos|sí y (?:otr[oa]|un[oa]) no)|día por "
    r"medio",
    r"todas las (?:semanas|mañanas|noches|tardes)|cada (?:día|semana|mes|año|mañana|noche|verano|fin de semana|"
    r"dos \w+)",
    "(?:vez|veces|horas|libros|kilómetros|km|días) (?:al?|por|a la) (?:día|semana|mes|año)",
)
OFTEN_FIRST: Final = (
    r"(?:tod[oa]s l[oa]s \w+(?: de semana)?|los (?:lunes|martes|miércoles|jueves|viernes|sábados|domingos|findes|"
    r"fines de "
    r"semana)(?: (?:y|por) (?:los |la )?\w+)?|cada (?!vez)\w+(?: de semana)?|de lunes a \w+|entre semana|por las \w+|"
    r"en (?:verano|invierno|navidad)|un \w+ de cada dos|un \w+ sí y otro no|una vez (?:al|por) \w+|dos veces (?:al|"
    r"por) \w+)"
)
NO_ROLE: Final = (
    "(?:poco|desastre|fan|inútil|negad[oa]|lío|gran|buen|buena|mal|mala|idiota|genio|caso|apasionad[oa]|tonto|burro|"
    "cero|"
    "zombi|trapo|imán)"
)
ROLES: Final = any_of(
    r"responsable|jef[ea]|líder|lead|tech lead|directora?|ceo|cto|cfo|fundadora?|gerente|encargad[oa]|dueñ[oa]|"
    r"diseñadora?|desarrolladora?|ingenier[oa]|arquitect[oa]|contacto|client[ea]|proveedora?|becari[oa]|analista",
    r"contable|mantenedora?|scrum master|product owner|mujer|esposa|marido|hermana|hermano|hijo|hija|madre|padre|"
    r"amig[oa]|vecin[oa]|colega|médic[oa]|dentista|president[ea]|coordinadora?|secretari[oa]|tesorer[oa]|rrhh",
)
LIVES: Final = any_of(
    r"viven?|trabajan?|labura|odian?|adoran?|(?:no )?comen? (?!mal|bien)|no comen?|(?:no )?beben?|no tomar?n?|jueg(?:a|"
    r"an) "
    r"(?:al?|en)|estudian?|hablan?(?! (?:de|con|mal))|padecen?|sufren? de|no pueden? (?:comer|beber|tomar|caminar|"
    r"andar|ver|oír|subir)|toca (?:el|la)|prefieren?|fuman?|"
    r"cumplen?|empieza (?:el cole|la escuela|la uni|primaria|el insti|la primaria|el kinder)|van? al? (?:la )?(?:cole|"
    r"escuela|instituto|universidad|uni|kinder|jardín|guarde)|(?:le|les) (?:gustan?|encantan?|dan? (?:miedo|alergia))|"
    r"no (?:le|les) gustan?|nació|nacieron|falleció|murió|usa (?:lentes|gafas|silla|audífonos|marcapasos|bastón)|"
    r"llevan? (?:\w+ )?(?:años|gafas|lentes)|es de|son de|odia",
)
_COUNT: Final = (
    r"(?:una?|dos|tres|cuatro|cinco|seis|siete|ocho|diez|varios|varias|unos|unas|\d{1,3}|"
    r"un par de|muchos|muchas)? ?"
)
THINGS: Final = any_of(
    r"hij[oa]s?|gemel[oa]s|mellizos|herman[oa]s?|niet[oa]s?|nen[ae]s?|niñ[oa]s|peques|bebés?|bebe|bb|adolescentes|"
    r"sobrin[oa]s?",
    r"perr[oa]s?|perrit[oa]s?|gat[oa]s?|gatit[oa]s?|caballos?|loros?|conejos?|tortugas?|gallinas|vacas|cabras|ovejas|"
    r"hámsters?|hurones|hurón|ratas|cobayas?|iguanas?|abejas|gecko|pecera|acuario|peces|canarios?|colmenas|"
    r"mascotas?|cuyes|yeguas?|burros?|cachorros?|periquitos",
    r"huerto|huerta|jardín|balcón|terraza|patio|piscina|alberca|pileta|casa|casita|depa|departamento|piso|apartamento|"
    r"finca|chacra|rancho|parcela|invernadero|garaje|sótano|hectáreas?|metros cuadrados|m2|m²|chimenea|estufa de leña",
    r"coche|carro|auto|moto|motocicleta|bici|bicicleta|furgoneta|furgo|camioneta|autocaravana|camión|tractor|velero|"
    r"barco|lancha|patinete|vocho|tsuru|chevy|jetta|corsa|clio|seat|ford|toyota|renault|nissan|honda|hyundai|kia|"
    r"chevrolet",
    r"guitarra|piano|violín|batería|telescopio|impresora 3d|play|ps[45]|xbox|switch|iphone|android|samsung|pixel|"
    r"macbook|"
    r"mac|imac|chromebook|thinkpad|portátil|laptop|kindle|nas|raspberry(?: pi)?|thermomix|airfryer|freidora|horno|"
    r"panificadora|máquina de coser|congelador|lavavajillas|microondas|cámara réflex|dron|tele",
    r"empresa|negocio|tienda|tiendita|restaurante|bar|taller|estudio|consulta|despacho|peluquería|canal de youtube|"
    r"podcast|blog|ong|asociación|granja|panadería|puesto|kiosco|colección de|tatuajes?|gafas|lentes|lentillas|"
    r"audífonos|"
    r"implante|carnet|licencia de conducir|máster|doctorado|carrera|hipoteca|doble nacionalidad|nacionalidad|pasaporte|"
    r"seguro (?:de|médico)|plan de pensiones|beca",
)
OWNED: Final = (
    rf"(?!que\b|ganas\b|el\b|la\b|los\b)(?:{_COUNT}(?:(?!(?:sobre|para|con|en|contra|que|al?|mi|mis|del?|"
    rf"por)\b)[\w-]+ ){{0,2}}?{THINGS}\b(?! (?:que entregar|de (?:prueba|ejemplo)))|"
    rf"una? (?:[\w-]+ ){{0,2}}?(?:{NAME}|\w+) (?:del? )?(?:diésel|diesel|híbrido|eléctrico|(?:19|20)\d\d|'?\d\d|"
    rf"del? (?:año )?"
    rf"'?\d\d)(?!\d|[.,]\d| ?(?:%|€|euros|años|días|horas|min|kg|g|km|cm|líneas|columnas|filas|páginas))\b)"
)
ORDERS: Final = any_of(
    "usa|utiliza|responde|contesta|escribe|pon|haz|da|añade|agrega|incluye|ejecuta|explica|muestra|evita|pregunta|"
    "comprueba|prueba|formatea|respondé|contestá|usá|escribí|poné|hacé|explicá|hablá|sé|convierte|redondea|redacta",
    "comenta|habla|llama|propón|empieza|termina|cita|avisa|respóndeme|contéstame|escríbeme|háblame|guarda|revisa|ponme|"
    "dame|explícame|respondeme|contestame|hablame|escribeme|explicame|ve|trata|trátame|resume|limita|mantén|indica|"
    "dime",
)
FORBIDDEN: Final = any_of(
    "uses|utilices|respondas|contestes|escribas|pongas|hagas|des|añadas|agregues|incluyas|ejecutes|borres|subas|toques|"
    "cambies|modifiques|me (?:hables|llames|digas|trates|contestes|respondas|escribas|expliques|mandes|des|pongas|"
    "hagas|"
    "tutees|ustedees|vosees|repitas)|empieces|termines|repitas|metas|abuses de|te disculpes|inventes",
)
STYLE: Final = any_of(
    r"emojis?|emoticon(?:es|os)|listas?|viñetas|tablas?|anglicismos|tecnicismos|jerga|introducci[oó]n(?:es)?|intros?|"
    r"conclusiones|disculpas|cumplidos|halagos|advertencias|exclamaciones|mayúsculas|negritas?|títulos|asteriscos|"
    r"rollos?|paja|abreviaturas|metáforas|párrafos|textos? largos?|respuestas largas|chistes|markdown|ejemplos|enlaces|"
    r"código|formalidades|formalismos|palabras (?:en inglés|raras|rebuscadas)|términos (?:en inglés|técnicos)|"
    r"muletillas",
)
ATTRIBUTES: Final = (
    r"(?:nombre|apellido|apodo|cumpleaños|cumple|aniversario|zona horaria|huso horario|dirección|teléfono|"
    r"número(?: de teléfono)?|correo(?: electrónico)?|e-?mail|profesión|trabajo|oficio|lengua materna|idioma materno|"
    r"talla|estatura|peso|grupo sanguíneo|tipo de sangre|empresa|ciudad natal|horario|turno|ordenador|compu|"
    r"computadora|computador|pc|portátil|laptop|compu|editor|navegador|"
    r"sistema operativo|edad|fecha de nacimiento|puesto|usuario de github|carrera|especialidad|religión|nacionalidad|"
    r"signo|banco|pueblo|barrio|ciudad|colegio|escuela|instituto|coche|carro|auto|celular|móvil|alquiler|sueldo)"
)
YEARS: Final = r"(?:\w+ ){1,3}(?:años?|meses|décadas?)"
AGE: Final = r"(?:\d{1,3}|[\w-]{2,20}(?: y [\w-]{2,14})?) (?:años|añitos|meses|anos)\b"
