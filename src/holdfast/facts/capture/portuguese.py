"""How people speak about themselves in Portuguese, on both sides of the ocean."""

from __future__ import annotations

from holdfast.chunks.fact import Category
from holdfast.facts.capture.speech import NAME, NO_THING, Form, Speech, any_of

__all__ = ["PORTUGUESE"]

_NOT = (
    r"(?:eu )?(?:já não |não |nunca |jamais |quase nunca |quase sempre |sempre |também |só |ainda |agora |"
    r"normalmente |atualmente |geralmente )?"
)
_JOBS = any_of(
    r"desenvolvedora?|programadora?|engenheir[oa]|enfermeir[oa]|médic[oa]|doutora?|professora?|advogad[oa]|"
    r"estudante|pesquisadora?|investigadora?",
    r"arquitet[oa]|contadora?|contabilista|designer|ilustradora?|jornalista|tradutora?|fotógraf[oa]|músic[oa]|"
    r"consultora?|diretora?|fundadora?",
    r"gerente|empresári[oa]|autônom[oa]|freelancer|aposentad[oa]|reformad[oa]|funcionári[oa] públic[oa]|policial|"
    r"polícia|bombeir[oa]|padeir[oa]",
    r"cozinheir[oa]|garçom|garçonete|vendedora?|eletricista|encanadora?|canalizadora?|mecânic[oa]|agricultora?|"
    r"farmacêutic[oa]|psicólog[oa]|dentista",
    r"fisioterapeuta|bibliotecári[oa]|analista|administradora?|cientista|físic[oa]|químic[oa]|biólog[oa]|"
    r"matemátic[oa]|escritora?|motorista|piloto",
    r"vegetarian[oa]|vegan[oa]|diabétic[oa]|celíac[oa]|intolerante|alérgic[oa]|canhot[oa]|destr[oa]|daltônic[oa]|"
    r"daltónic[oa]|disléxic[oa]|surd[oa]",
    r"asmátic[oa]|solteir[oa]|casad[oa]|divorciad[oa]|viúv[oa]|pai|mãe|av[óô]|brasileir[oa]|portugu[eê]sa?|"
    r"angolan[oa]|católic[oa]|evangélic[oa]|ate[ua]|"
    r"judi[au]|budista|atriz|ator|veterinári[oa]|técnic[oa]|nov[oa] em",
)
_KIN = any_of(
    r"esposa|mulher|marido|esposo|companheir[oa]|namorad[oa]|noiv[oa]|mãe|pai|irmã|irmão|filho|filha|tia|tio|"
    r"prim[oa]|sobrinh[oa]|avó|avô|chefe",
    r"chefa|colega|amig[oa]|vizinh[oa]|cachorr[oa]|cão|cadela|gat[oa]|cavalo|papagaio|coelho|médic[oa]|doutora?|"
    r"dentista|advogad[oa]|contadora?|cliente",
    r"sóci[oa]|mentora?|orientadora?|sogr[oa]|cunhad[oa]|senhori[oa]|genro|nora|net[oa]|padrasto|madrasta|entead[oa]|"
    r"bebê|bebé|pais|filhos|filhas|sogros",
)
# "Ser" is what lasts, "estar" what passes: what follows the first needs no list of trades.
_TRADE = (
    r"(?!(?:consciente|primeir[oa]|sincer[oa]|capaz|incapaz|melhor|pior|culpad[oa]|diferente|nada|tod[oa]|"
    r"obrigad[oa])\b)"
    r"[a-zà-ÿ]{2,30}(?:dora?|tora?|sora?|eir[oa]|ista|ic[oa]|ente|ante|ári[oa]|ólog[oa]|triz|ad[oa]|id[oa])\b"
)
_ILL = any_of(
    r"pressão alta|colesterol|asma|diabetes|enxaquecas?|hipertensão|artrose|ansiedade|depressão|eczema|tensão alta",
    r"epilepsia|rinite|\w*fobia|intolerância|alergia|vertigens?|hipotireoidismo|insónias?|insônia|tdah",
)
_OFTEN = any_of(
    "todos os (?:dias|anos|meses|verões|fins de semana|sábados|domingos)|todas as (?:semanas|manhãs|noites|tardes)",
    "tod[oa] (?:dia|semana|mês|ano|manhã|noite|fim de semana|segunda|terça|quarta|quinta|sexta|sábado|domingo)",
    "cada (?:dia|semana|mês|ano)|(?:vez|vezes|horas|livros|quilómetros|quilômetros|km) (?:por|ao|à) (?:dia|semana|"
    "mês|ano)",
)
_NO_ROLE = "(?:pouco|desastre|fã|inútil|negação|grande|bom|boa|mau|idiota|gênio|génio|caso|apaixonad[oa])"
_DOES = any_of(
    r"tem|têm|mora|moram|vive(?! \w+ndo)|trabalha|odeia|adora|come|não come|bebe|não bebe|joga|estuda|fala|sofre de|"
    r"toca",
    r"prefere|fuma|não pode|faz \d+ anos|entra (?:na|no)|vai (?:à|na|para a) (?:escola|creche|universidade)|detesta",
)
_YEARS = r"(?:\w+ ){1,3}(?:anos?|meses|décadas?)"
_ROLES = any_of(
    r"responsável|chefe|líder|lead|tech lead|gerente|diretora?|ceo|cto|cfo|fundadora?|encarregad[oa]|don[oa]|"
    r"designer|desenvolvedora?|engenheir[oa]",
    r"arquitet[oa]|contato|contacto|cliente|fornecedora?|estagiári[oa]|analista|contadora?|mantenedora?|"
    r"scrum master|product owner|esposa|marido|irmã",
    r"irmão|filho|filha|mãe|pai|amig[oa]|vizinh[oa]|colega|médic[oa]|dentista|presidente|coordenadora?|secretári[oa]",
)
_OWNED = any_of(
    r"filh[oa]s?|gême[oa]s|gémeos|irmãos?|irmãs?|cachorr[oa]s?|cães|cão|gat[oa]s?|cavalos?|net[oa]s?|diabetes|asma|"
    r"tdah|alergias?|enxaquecas?|epilepsia|doença celíaca",
)
_ORDERS = any_of(
    "use|usa|utilize|responda|responde|escreva|escreve|coloque|põe|ponha|faça|faz|dê|adicione|inclua|execute|rode|"
    "explique|explica|mostre|mostra|evite",
    "pergunte|verifique|teste|formate|comente|fale|fala|chame|proponha|comece|termine|cite|avise|me responda|"
    "me chame|guarde|revise",
)
_ATTRIBUTES = (
    r"(?:nome|sobrenome|apelido|aniversário|fuso horário|fuso|endereço|morada|telefone|número(?: de telefone)?|"
    r"celular|e-?mail|profissão|trabalho|"
    r"língua materna|tipo sanguíneo|empresa|cidade natal|horário|editor|navegador|sistema operacional|"
    r"sistema operativo|idade|data de nascimento|cargo)"
)

PORTUGUESE = Speech(
    code="pt",
    words="""eu me mim meu minha meus minhas nós nosso nossa você vocês tu teu tua seu sua é são sou és está estão estou
    o a os as um uma uns umas de do da dos das no na nos nas e ou mas não já que quem como onde quando porque
    por para pra com sem em ao à às se lhe isso isto este esta esse essa aqui agora aí mais muito sempre nunca
    tem tenho temos há moro vivo trabalho prefiro gosto adoro odeio detesto usamos uso lembre lembra lembre-se
    pode quero preciso acho chamo chama chefe irmã disse diz decidimos gente decidiu desde até diante partir bem
    obrigado obrigada traduza escreva imagine anos filhos toda todo às sou talvez numa num pelo pela""",
    fillers=any_of(
        "ah|bom|bem|ok|então|e|também|aliás|a propósito|por falar nisso|para sua informação|só pra você saber|"
        "só para você saber|pra você saber|fyi",
        "na verdade|na real|de fato|de facto|não(?=[,:;])|sim|oi|olá|desculpa|desculpe|correção|como eu disse|"
        "como disse|tenha em mente que|leve em conta que",
        "sinceramente|pessoalmente|em geral|geralmente|obrigad[oa]|contexto|sobre mim|outra coisa|mais uma coisa|"
        "para ser claro|importante|saiba que",
        "atualmente|agora|hoje em dia|olha|tipo|para constar|só para saberes|fica sabendo que|em casa|cá em casa|"
        "aqui em casa|"
        "lá em casa|no trabalho|no escritório",
    )
    + r"(?:,|:|;| -| –| —|!|\.\.\.|…)? ",
    explicit=r"(?:por favor,? |e |também |ok |olha,? |você pode |pode |poderia ){0,3}(?:"
    + any_of(
        r"lembr(?:e|a)(?:-se|-te)?(?: bem| sempre)?(?: de)?(?:,|:)?(?: que| disto:| disso:)?|(?:se )?lembrar de que",
        r"não (?:se |te )?esque(?:ça|ças|ce)(?:-se)?(?: de)?(?:,|:)?(?: que)?|anot[ae](?: aí)?(?: bem)?(?:,|:|"
        r" que)(?: que)?|toma nota(?:,|:| que)",
        r"tome nota(?:,|:| que)|memoriz[ae](?:,|:| que)|guard[ae] na (?:sua |tua )?memória(?:,|:| que)?|"
        r"grav[ae](?: aí)?(?:,|:| que)",
        r"guard[ae] (?:isto|isso)(?:,|:)|nota (?:mental|para mim)(?:,|:)|para (?:o futuro|mais tarde|"
        r"referência futura)(?:,|:)|fica registrado(?:,|"
        r":| que)",
    )
    + ") ",
    explicit_after=r"(?:,| -|;) (?:por favor )?(?:lembre-se disso|lembra disso|não esqueça|não se esqueça|"
    r"não esqueças|anota aí|anote isso)$",
    no_memory=r"(?:quando|como (?:é|foi|a gente)|por que|porque|onde|quem|o que|da vez|daquel|se\b|isso$|isto$|"
    r"disso|de (?!que)|\w+(?:ar|er|ir)\b|"
    r"(?:você |tu )?(?:é\b|és\b|deve\b|não tem)|você\b|aquele|este\b|esse\b)",
    standing=r"(?!(?:ele|ela|eles|isso|isto|os|as)\b).{0,200}\b(?:a partir de (?:agora|hoje)|de agora em diante|"
    r"daqui (?:para a frente|pra frente|em diante)|doravante|no futuro|até segunda ordem)\b",
    orders=rf"(?:por favor,? )?(?:{_ORDERS} (?:[\w'-]+ ){{0,5}}?sempre\b|sempre {_ORDERS}\b|(?:nunca|"
    rf"jamais) (?:me )?(?:{_ORDERS}|apague|suba|mexa|mude|altere|"
    r"chame|envie|uses|faças|escrevas|respondas|apagues)\b)",
    forms=(
        Form(
            "decision",
            Category.DECISION,
            0.7,
            r"(?:(?:nós |eu |no fim |por fim |a gente |o time |a equipe |a equipa )?(?:já )?(?:decidimos|decidi|"
            r"decidiu|resolveu|resolvi|optamos|optámos|optei|optou|escolhemos|escolhi|escolheu|"
            r"combinamos|combinámos|combinou|acordamos|definimos|descartamos|resolvemos) |a decisão(?: é|:) |"
            r"está decidido(?:,|:)|ficamos com o |vamos de |"
            r"ficou (?:decidido|combinado|acordado|definido)(?: que)? )",
            about_things=True,
        ),
        Form(
            "named person",
            Category.ENTITY,
            0.6,
            rf"(?:a |o )?(?:meu|minha)s? (?:\w+ )?{_KIN} (?:se chama|chama-se|(?:é|são) (?:o |a )?(?:{NAME}|uma? |"
            rf"{_JOBS}s?\b|(?:muito |bastante )?{_TRADE})|{_DOES} )|(?:a |o )?(?:meu|"
            rf"minha) (?:\w+ )?{_KIN},? {NAME},? \w|"
            rf"(?:o |a )?(?:noss[oa]|meu|minha|o|a) (?:[\w-]+ ){{0,3}}{_ROLES}(?: [\w-]+){{0,3}} (?:é|se chama|"
            rf"chama-se) (?:o |a )?{NAME}|"
            rf"(?:o |a )?{NAME}(?: {NAME})? é (?:agora )?(?:o |a )?(?:meu |minha |"
            rf"noss[oa] )?(?:[\w-]+ ){{0,2}}{_ROLES}\b|"
            rf"(?:o |a )?{NAME}(?: {NAME})? (?:lidera|dirige|coordena|é responsável por|cuida d[aoe]) ",
        ),
        Form(
            "favourite",
            Category.PREFERENCE,
            0.6,
            r"(?:o |a )?(?:meu|minha)s? (?:[\w-]+ ){1,4}(?:favorit[oa]s?|preferid[oa]s?) (?:é|são|continua sendo) |"
            r"(?!(?:est[ea]s?|ess[ea]s?|isso|isto|qual|quem)\b)[\w' -]{2,40} (?:é|são) (?:o |a |os |as )?"
            r"(?:meu|minha)s? (?:[\w-]+ ){0,3}(?:favorit[oa]s?|preferid[oa]s?)\b",
        ),
        Form(
            "likes",
            Category.PREFERENCE,
            0.6,
            r"(?:eu )?(?:prefiro|odeio|detesto|adoro|amo|evito|não suporto|não aguento|não tolero|(?:morro de|"
            r"tenho(?: muito)?) (?:medo|pavor) d[eoa]s?|(?:não |nunca |"
            r"já não )?(?:gosto|curto)(?: (?:muito|mais|bastante|nada|"
            r"demais))?(?: (?:de|do|da|dos|das))?|sou (?:muito )?fã d[eoa]s?|não sou (?:muito )?fã d[eoa]s?) ",
            about_things=True,
        ),
        Form(
            "habit",
            Category.PREFERENCE,
            0.55,
            r"(?:eu )?(?:já não|não|nunca|sempre|só|quase nunca|normalmente|geralmente) (?:como|bebo|fumo|uso|"
            r"utilizo|tomo|visto|escrevo|leio|compro|cozinho|viajo|"
            r"assisto|dirijo|conduzo) |(?:eu )?costumo (?:trabalhar|comer|beber|usar|acordar|escrever|jantar) |"
            r"(?:eu )?parei de (?:fumar|beber|comer|usar|tomar) |"
            r"(?:eu )?deixei de (?:fumar|beber|comer|usar|tomar) |"
            rf"(?:eu )?(?:me )?(?!receb|tenh|vej|tent|perc|perd|esque|quer|poss|dev|precis|"
            rf"como )[a-záéíóúâêôãõç]{{2,12}}o "
            rf"(?:[\w-]+ ){{0,6}}?{_OFTEN}\b",
            about_things=True,
        ),
        Form(
            "form of address",
            Category.PREFERENCE,
            0.7,
            rf"(?:por favor,? )?(?:pode )?(?:me chama|me chame|"
            rf"chama-me|chame-me|me chamar)(?: só)?(?: de)? {NAME}|"
            r"todos me chamam |(?:trata-me|trate-me|me trat[ae]) por |podemos tratar-nos por |"
            r"(?:não )?gosto que me (?:trates|trate|chames|chame|respondas|responda|fales|fale)\b",
        ),
        Form(
            "name",
            Category.FACT,
            0.8,
            r"(?:eu )?me chamo |chamo-me |(?:o )?meu (?:nome|sobrenome|"
            r"apelido)(?: completo)? é ",
        ),
        Form(
            "trait",
            Category.FACT,
            0.65,
            rf"{_NOT}sou (?!(?:o |a )?(?:seu|sua|teu|tua)\b)(?:uma? |o |a )?(?:[\w-]+ ){{0,2}}{_JOBS}\b|"
            rf"{_NOT}sou (?:de|do|da|natural de) {NAME}|(?:eu )?tenho \d{{1,3}} anos|(?:eu )?nasci em |"
            rf"(?:eu )?sou uma? (?!{_NO_ROLE}\b)[a-zà-ÿ]|(?:eu )?sou (?:o |a )?(?:{_TRADE}|ceg[oa]\b)|"
            rf"(?:eu )?(?:tenho|sofro de) (?:\w+ ){{0,2}}{_ILL}\b|"
            rf"(?:como (?:eu )?sou|por ser|sendo) (?:uma? )?(?:[\w-]+ ){{0,2}}{_JOBS}\b|tenho {_YEARS} de experiência|"
            rf"(?:vivo|moro|trabalho|estou) (?:há|faz) {_YEARS} (?:em|no|na|como)\b|"
            r"(?:eu )?cresci em |estou (?:casad[oa]|divorciad[oa]|grávida|aposentad[oa]|desempregad[oa]|aprendendo |"
            r"a aprender )",
        ),
        Form(
            "place or work",
            Category.FACT,
            0.65,
            rf"dou aulas (?:de|a)\b|"
            rf"{_NOT}(?:moro|vivo|resido|moramos|vivemos) (?:agora |atualmente |mais )?(?:em|no|na|numa?|nos|nas|com|"
            rf"perto|sozinh[oa]|"
            rf"ao)\b|"
            rf"{_NOT}trabalho (?:agora |atualmente |mais )?(?:em|no|na|como|para|pra|por|de|com|desde|numa?|à|remoto|"
            rf"meio)\b|"
            rf"{_NOT}(?:estudo|ensino|leciono) (?!est[eao]|ess[ea]|a (?:função|possibilidade))\w|"
            rf"(?:eu )?me (?:mudei|casei|formei|divorciei|aposentei) |"
            rf"(?:eu )?mudei-me |(?:eu )?(?:mudei|saí) (?:para|de|da|do) {NAME}|(?:eu )?entrei (?:na|no) {NAME}",
        ),
        Form(
            "belonging",
            Category.FACT,
            0.6,
            rf"(?:eu )?(?:não )?(?:tenho|temos) (?:uma? |dois |duas |três |quatro |cinco |vários |"
            rf"\d{{1,2}} )?(?:[\w-]+ ){{0,2}}?{_OWNED}\b|"
            r"(?:eu )?falo (?!de\b|com\b|sobre\b|d[oa]\b)|(?:eu )?(?:aprendo|estou aprendendo|"
            r"estou a aprender) (?!que\b)|(?:eu )?toco (?!n[oa]\b|em\b)\w+|"
            r"(?:eu )?(?:lidero|dirijo|mantenho|gerencio) (?:uma?|o|a|meu|minha) ",
        ),
        Form(
            "attribute",
            Category.FACT,
            0.65,
            rf"(?:o |a )?(?:meu|minha)s? (?:nov[oa] )?{_ATTRIBUTES} (?:é|são|"
            rf"fica) (?!lent[oa]|muito )",
        ),
        Form(
            "tools",
            Category.FACT,
            0.6,
            r"(?:eu |nós |a gente |sempre )?(?:uso|usamos|usa|utilizamos|utilizo|implantamos|hospedamos|programamos|"
            r"só uso|só usamos|não usamos|já não usamos|"
            r"trabalhamos (?:com|em)) (?!.*\b(?:aqui|mas)\b)(?<!^usa )|"
            r"(?:o |a )?(?:noss[oa]s?|o|a|meu|minha) (?:[\w-]+ ){0,2}(?:projeto|backend|frontend|banco de dados|"
            r"base de dados|servidor|time|equipe|equipa|empresa|"
            r"aplicação|aplicativo|app|api|site|repositório|repo|cluster|pipeline|código|produto|branch principal|"
            r"stack|serviço|escritório) "
            r"(?:usa|utiliza|roda (?:em|no|na)|corre (?:em|no)|é (?:escrit[oa]|feit[oa]|hospedad[oa]) |está (?:em|"
            r"no|na|hospedad[oa])|fica (?:em|no|na)|se chama|"
            r"chama-se|começa|é baseado|trabalha) ?",
            about_things=True,
        ),
    ),
    at_hand=r"(?:mais |muito |só )?(?:d?est[aeo]s?\b|d?ess[ae]s?\b|d?isso\b|d?isto\b|assim\b|d?[oa]? ?(?:seu|sua|"
    r"teu|tua)\b|como (?:ficou|você|está)|d?o que\b|que você\b|"
    r"(?:d?[oa]s? )?(?:primeir[oa]|segund[oa]|terceir[oa]|últim[oa]|outr[oa]|nov[oa]|versão|proposta|ideia|solução|"
    r"resposta|função|opção|forma|jeito|código|arquivo|"
    r"resultado)\b|uma? (?:laço|função|script|lista|regex|variável|classe|loop)\b|tudo\b|obrigad)",
    dangling=r"\b(?:isso|isto|aquilo|deles|delas|eles|elas|disso|disto)\b",
    doubtful=r"^(?:por exemplo|tipo|algo como),? (?:sou|eu|moro|tenho|trabalho)\b|\bdigamos que\b|\bse (?:eu|a gente|"
    r"nós|o|a|você|tiv|for|pud)|\b(?:tomara|talvez|quem sabe|morasse|fosse|tivesse|"
    r"pudesse|poderia(?! me)|deveria|acho que|penso que|suponho|espero|"
    r"suponha|suponhamos|imagine|imagina|provavelmente|pode ser que|"
    r"(?:diz|disse|dizem|disseram|falou|contou|comentou|pensa|acha|perguntou|afirma) que|segundo|me (?:disse|"
    r"disseram|falou|perguntou)|"
    r"erros?|falhas?|bugs?|exceção|não funciona|não compila|não roda|problemas?|trava|travou|nunca termina|ontem|"
    r"hoje de manhã|aviso|quebrad[oa]|quebrei|"
    r"neste momento|(?:adoro|amo) quando)\b|"
    r"^(?:ah|oh|nossa|uau),? (?:que )?(?:ótimo|maravilha|beleza|legal|bom|claro|giro|fixe)\b",
    wishing=r"\b(?:gostaria|queria|adoraria)\b",
    asking=r"(?:você (?:pode|consegue|lembra|sabe)|pode(?:ria)? (?:me )?(?:ajud|corrig|revis|explic)|o que|quem|"
    r"como (?:é|eu|faço|posso)|onde|quando|qual|quanto|por que|será que)\b",
    material=r"\btradu[zç]|\btradução\b|"
    rf"\bcorrig\w*{NO_THING}|\brevisar?\b.*:$|\breescrev\w+ (?:este|esse|o) texto|"
    r"\bimagin[ae]\b|\bsuponha|\bsuponhamos\b|\bfaz de conta|\bfaça de conta|"
    r"\bfinja\b|\bescrev(?:a|e|er)\b(?:-me)? uma? (?:[\w-]+ ){0,2}(?:história|conto|poema|canção|música|diálogo|"
    r"cena|romance|tweet|piada|discurso|crônica|resenha|post)\b|"
    r"\b(?:para|pra|d)[ao]? ?(?:o |a )?(?:meu|minha|uma?) (?:amig[oa]|prim[oa]|irmã|irmão|colega|cliente|ti[oa]|"
    r"filh[oa]|mãe|pai|mulher|marido)\b.{0,80}: |"
    r"\bcomo se diz\b|\bfrase\b|\bgramática\b|\bortografia\b|\bmeu (?:romance|personagem|protagonista)",
    joking=r"\b(?:brincadeira|é brincadeira|tô brincando|estou brincando|estou a brincar|zoeira|ironia)\b",
    laughing=r"\b(?:kkk+|haha\w*|rsrs+|lol)\b|[😂🤣😜😝😛🙃😏]",
    joints=r"(?:,|;| –| —| -)? (?:então|portanto|por isso) (?=(?:nada|não|sem|por favor) )|"
    r"(?:,|;| –| —| -)? (?:e|mas|embora) (?=(?:ainda|queria|gostaria|eu|me|sou|tenho|prefiro|odeio|adoro|usamos|moro|"
    r"vivo|trabalho|"
    r"noss[oa]|não gosto|já não|decidimos) |(?:meu|minha) [\w -]{2,40} "
    r"(?:é|se chama|usa)\b)|(?:,|;| –| —| -) (?=(?:eu|sou|tenho|prefiro|odeio|moro|vivo|trabalho|usamos) |(?:meu|"
    r"minha) [\w -]{2,40} (?:é|se chama)\b|você pode |pode |por favor )",
    about_me=r"\b(?:sobre mim|a meu respeito|lembre|lembra|minhas preferências|nosso stack|anota|anote|sobre nós)\b",
    states=r"\b(?:é|são|era|está|estão|tem|têm|usa|usam|roda|sai|saem|vai|vão|mora|vive|começa|termina|vence|expira|"
    r"custa|deve|pode|há|se chama|fica)\b",
)
