"""How people speak about themselves in Portuguese, on both sides of the ocean."""

from __future__ import annotations

from holdfast.facts.capture.portuguese_forms import (
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
from holdfast.facts.capture.portuguese_life import LIFE
from holdfast.facts.capture.portuguese_words import FORBIDDEN, OFTEN_FIRST, ORDERS, STYLE
from holdfast.facts.capture.speech import NO_THING, Speech, any_of

__all__ = ["PORTUGUESE"]

PORTUGUESE = Speech(
    code="pt",
    loose=True,
    words="""sô só comigo ainda eh vc tbm
    eu me mim meu minha meus minhas nós nosso nossa você vocês tu teu tua seu sua é são sou és
    está estão estou o a os as um uma uns umas de do da dos das no na nos nas e ou mas não já que quem como
    onde quando porque por para pra com sem em ao à às se lhe isso isto este esta esse essa aqui agora aí
    mais muito sempre nunca tem tenho temos há moro vivo trabalho prefiro gosto adoro odeio detesto usamos
    uso lembre lembra lembre-se pode quero preciso acho chamo chama chefe irmã disse diz decidimos gente
    decidiu desde até diante partir bem obrigado obrigada traduza escreva imagine anos filhos toda todo
    talvez numa num pelo pela nao voce tô tou tá pro mãe pai tudo todos todas também cada outro outra nem
    entre sobre hoje fazer faz ela ele eles responda responde respostas filho filha cachorro gato gata casa
    família tambem pelos pelas lá cá sff pfv ser estar fui dele dela nossos nossas moramos vivemos somos
    queria""",
    fillers=any_of(
        "ah|ai|bom|bem|ok|então|e|também|aliás|a propósito|por falar nisso|para sua informação|só pra você saber|"
        "só para você saber|pra você saber|fyi|é que|mano|uai|bah|oxe|cara|véi|galera|gente|pá|epá|olha|olhe|opa|oi+|"
        "e aí|eae|bom dia|"
        "boa tarde|boa noite|olá(?: boa tarde| bom dia| boa noite)?|pessoal|uma dúvida|dúvida|viva|tipo assim|poxa|"
        "putz",
        "na verdade|na real|de fato|de facto|n[ãa]o(?=[,:;])|sim|desculpa|desculpe|correção|como eu disse|"
        "como disse|lembro que|te lembro que|relembro que|tenha em mente que|leve em conta que|lembrando que|detalhe|"
        "aviso que|acontece que|o lance é que|só que",
        "sinceramente|pessoalmente|obrigad[oa]|contexto|meu contexto|sobre mim|outra coisa|mais uma coisa|por favor|"
        "pfv|"
        "para ser claro|importante|saiba que|basicamente|além disso|ainda por cima|por isso|mas|sff|assim",
        "atualmente|agora|hoje em dia|tipo|para constar|só para saberes|fica sabendo que|em casa|cá em casa(?! tod|"
        " a gente| somos| ninguém)|"
        f"aqui em casa(?! tod| a gente| somos| falamos| ninguém)|lá em casa|no trabalho|no escritório|"
        f"(?:{WHY})(?= {FIRST}|"
        f" (?:[oa] )?(?:meu|minha|noss)| em casa| a gente)",
    )
    + r"(?:,|:|;| -| –| —|!|\.\.\.|…)? ",
    explicit=r"(?:por favor,? |e |também |ok |olha,? |você pode |pode |poderia |quero que |pfv,? ){0,3}(?:"
    + any_of(
        r"lembr(?:e|a)(?:-se|-te)?(?: bem| sempre| aí)?(?: de)?(?:,|:)?(?: que| disto:| disso:)?|"
        r"(?:se )?lembrar de que",
        r"não (?:se |te )?esque(?:ça|ças|ce|cer)(?:-se)?(?: nunca)?(?: de)?(?:,|:)?(?: que)?|anot[ae](?: aí)?(?: bem|"
        r" isso| "
        r"isto| pra mim)?(?:,|:| que)(?: que)?|(?:toma|tome) nota(?: aí)?(?: de)?(?:,|:| que)|aponta(?: aí)?(?:,|:|"
        r" que)",
        r"memoriz[ae](?:,|:| que)|guard[ae] (?:isso )?na (?:sua |tua )?memória(?:,|:| que)?|registr?[ae](?: aí)?(?:,|:|"
        r" que)|"
        r"grav[ae](?: aí)?(?:,|:| que)|(?:tem|tenha) (?:sempre )?(?:em mente|presente)(?:,|:| que)|guard[ae] que",
        r"não (?:perca|percas|perde) de vista que|(?:põe|bota) (?:na cabeça|aí) que|guard[ae] (?:isto|isso)(?:,|:)|"
        r"nota (?:mental|para mim)(?:,|:)|para (?:o futuro|mais tarde|a próxima|"
        r"referência futura)(?:,|:)|fica registr?ado(?:,|:| que)|(?:fica|fique) com (?:isto|isso) em mente(?:,|:| que)",
    )
    + ") ",
    explicit_after=r"(?:,| -|;)? (?:por favor |e )?(?:lembre-se disso|lembra disso|lembra-te disso|não esqueça|"
    r"não se esqueça|"
    r"não esqueças|não esquece|não te esqueças|anota aí|anota isso|anote isso|guarda isso|guarda aí|toma nota)"
    r"(?: por favor| tá)?$",
    no_memory=r"(?:quando|como (?:é|foi|a gente)|por que|porque|onde|quem|o que|da vez|daquel|se\b|isso$|isto$|"
    r"disso|de (?!que)|\w+(?:ar|er|ir)\b|(?:você |tu )?(?:é\b|és\b|deve\b|não tem)|você\b|aquele|este\b|esse\b)",
    standing=r"(?!(?:ele|ela|eles|isso|isto|os|as)\b).{0,200}\b(?:a partir de (?:agora|hoje)|de agora em diante|"
    r"daqui (?:para a frente|pra frente|por diante|em diante)|doravante|no futuro|até segunda ordem|(?:nas|das|"
    r"para as) "
    r"próximas (?:vezes|respostas|conversas)|da próxima vez em diante)\b",
    orders=rf"(?:chega de|nada de|sem mais) (?:respostas?|mensagens?|textos?) |"
    rf"(?:por favor,? |pfv,? )?(?:{ORDERS} (?:[\w',-]+ ){{0,8}}?(?:sempre|por padrão|por defeito|toda vez que|"
    rf"sempre "
    rf"que|em todas as|nas (?:su|tu)as respostas|quando (?:me )?(?:responde|escreve|explica)\w*)\b|"
    rf"sempre (?:me )?{ORDERS}\b|"
    rf"(?:nunca|jamais) (?:mais )?(?:me )?(?:{ORDERS}|{FORBIDDEN})\b|"
    rf"n[ãa]o {FORBIDDEN} (?:[\w'-]+ ){{0,5}}?(?:nunca|jamais|quando (?:me )?respond\w+|nas (?:su|tu)as (?:respostas|"
    rf"mensagens))\b|n[ãa]o (?:precisa (?:de )?|me )?{FORBIDDEN} (?:mais |tant[oa]s? |com tant[oa]s? |de )*{STYLE}\b|"
    rf"n[ãa]o "
    rf"me (?:chame|trate|chames|trates|chama|trata) (?:de|por|como|com) |"
    rf"(?:deixa|deixe|para|pare|chega|evita|evite|zero|nada|menos|sem) (?:de |com )*(?:usar |pôr |colocar |meter |"
    rf"tant[oa]s? |"
    rf"[oa]s |fazer )*(?:{STYLE}\b.{{0,30}}(?:tuas|suas|sff|por favor|pfv|obrigad|comigo|quando)|(?:usar|pôr|colocar|"
    rf"meter|"
    rf"tant[oa]s?) (?:tant[oa]s? )?{STYLE}|(?:se |te )desculpar|pedir desculpa|me (?:tratar|chamar)|tratar-me|"
    rf"repetir)\b|"
    rf"(?:quando (?:me )?(?:responde|responder|escreve|escrever|explica|explicar|fores)\w*|quando eu (?:te )?(?:pedir|"
    rf"mandar|perguntar|colar|der|passar|mostrar|enviar|postar))[^,]{{0,60}}?,? (?:{ORDERS}|n[ãa]o |sempre )|(?:quero|"
    rf"prefiro|preciso) que (?:sempre )?(?:você "
    r"|tu )?(?:me )?(?:responda|fale|trate|chame|explique|escreva|respondas|fales|trates|chames|expliques|"
    r"escrevas)s?\b)",
    forms=(*FORMS, *LIFE),
    at_hand=r"(?:mais |muito |só )?(?:d?est[aeo]s?\b|d?ess[ae]s?\b|d?isso\b|d?isto\b|assim\b|d?[oa]? ?(?:seu|sua|"
    r"teu|tua)\b|como (?:ficou|você|está)|d?o que\b|que você\b|que (?:me|se)\b|quando\b|(?:perder|esperar) |"
    r"d?[oa]s? (?:primeir[oa]|segund[oa]|terceir[oa]|últim[oa]|outr[oa]|nov[oa]|versão|proposta|ideia|solução|"
    r"resposta|função|opção|forma|jeito|código|arquivo|ficheiro|tom|estilo|ritmo|estrutura|texto|título|final|"
    r"resultado)\b|uma? (?:laço|função|script|lista|regex|variável|classe|loop|map)\b|tudo\b|nada\b|obrigad)",
    dangling=r"\b(?:isso|isto|aquilo|deles|delas|eles|elas|disso|disto)\b",
    doubtful=r"\b(?:poema|canção|música|história|conto|romance|narrador|herói|personagem|roteiro|filme|"
    r"série)\b.{0,60}\b(?:diz|diga|dizem|"
    r"em que|onde|conta)\b|"
    r"\b(?:escrev|redij|redig|invent|faz|faça|ger[ae])\w*.{3,80}\b(?:tipo|algo como) (?:gosto|sou|tenho|moro|"
    r"eu|adoro|odeio|amo|me )|"
    r"^(?:por exemplo|tipo|algo como),? (?:sou|eu|moro|tenho|trabalho)\b|\bdigamos que\b|^(?:e )?se (?!pude|der|for "
    r"possível|faz favor|não)|\b(?:morasse|fosse|tivesse|suponhamos|"
    r"(?:diz|disse|dizem|disseram|falou|contou|comentou|pensa|acha|perguntou|afirma) (?:que|assim)|"
    r"segundo (?:(?:[oa]s?|el[ea]|uma?|meu|minha) \w|(?-i:[A-Z]))|me (?:disse|"
    r"disseram|falou|perguntou|contou)|(?:um|o mesmo|esse|este) erro|"
    r"(?:adoro|amo) (?:quando|que))\b|"
    r"^(?:ah|oh|nossa|uau),? (?:que )?(?:ótimo|maravilha|beleza|legal|bom|claro|giro|fixe)\b|"
    r"^(?:que (?:ótimo|maravilha|beleza|legal|bom|alegria|giro|fixe)|ótimo|maravilha|perfeito|"
    r"parabéns)\b(?!.*\bobrigad)",
    unsure=rf"\b(?:ela|ele|eles|cara) tipo\b|\bse (?:eu (?!posso|devo)|a gente|nós|você|tiv|{FIRST}\b)|\ba "
    rf"impressão (?:que|de)|\b(?:estou|"
    rf"tô) pensando em",
    technical=r"\b(?:testes|cada push|na ci|commits?|localhost|recarrego|trace|erros?|falhas?|bugs?|exceção|compila|"
    r"travou|nunca termina|quebrei|aviso|logs?|null|none|undefined|"
    r"csv|json|regex|map|for|laço|array|script|"
    r"abas?)\b",
    passing=r"\b(?:amanhã|hoje|agora|logo|esta (?:noite|tarde|semana)|(?:este|esta|neste|nesta) (?:sábado|domingo|"
    r"segunda|terça|quarta|"
    r"quinta|sexta)|ontem|próxim[oa]s?|desta vez|de novo|outra vez)\b",
    wishing=r"\b(?:gostaria|queria|adoraria|tomara|talvez|quem sabe|pudesse|poderia(?! me)|deveria|acho que|penso que|"
    r"suponho|"
    r"espero|provavelmente|pode ser que|não funciona|problemas? (?:com|de conexão)|trava|ontem|hoje(?! em dia)|"
    r"hoje de manhã|"
    r"amanhã|esta (?:noite|tarde|semana)|aviso d|quebrad[oa]|neste momento|não tenho (?:a )?certeza|não sei se|"
    r"me pergunto|"
    r"em dúvida|até (?:segunda|terça|quarta|quinta|sexta|sábado|domingo|amanhã)|alugad[oa]|que (?:você|vc|"
    r"tu) (?:me )?(?:mandou|fez|enviou|passou|"
    r"mandaste|fizeste|enviaste)|que (?:eu )?te (?:mandei|enviei|passei)|nada (?:\w+ )?desde|este fim de semana|"
    r"nesse fim de semana|por enquanto|carrinho d[aoe]|na foto|contigo)\b|\b(?:em|de|com|para|por|um|uma|o|a|os|as|do|"
    r"da|no|na|ou|e|"
    r"que|meu|minha|sob)$",
    asking=r"(?:você (?:pode|consegue|lembra|sabe)|pode(?:ria)? (?:me )?(?:ajud|corrig|revis|explic)|o que|quem|"
    r"como (?:é|eu(?!,)|faço|posso)|onde|quando(?! (?:me |eu ))|qual|quanto|por que|será que)\b",
    material=r"\btradu[zç]|\btradução\b|"
    rf"\bcorrig\w*{NO_THING}(?! (?:ensuite|après|d'abord|toujours|después|primero|siempre|luego|depois|primeiro|"
    rf"sempre)\b)|\brevisar?\b.{{0,300}}:$|\breescrev\w+ (?:este|esse|o|no|em)\b|"
    r"\bimagin[ae]\b|\bsuponha|\bsuponhamos\b|\bfaz de conta|\bfaça de conta|\binvent[ae] \w|\bfaç?[az] (?:o|de) papel|"
    r"\bfazer o "
    r"papel|\bfaç?[az] de conta|\bvamos (?:jogar|brincar)\b|\bexercício \d|\b(?:do|este|esse|meu) exercício\b|"
    r"\badivinha\b|\bquem "
    r"sou eu\b|\b(?:continua|continue|segue|completa|complete) (?:o|a|este|esta) (?:diálogo|história|conto|poema|"
    r"texto)|"
    r"\bfinj?[ag]e?\b|\bfingindo\b|\bescrev(?:a|e|er)\b(?:-me)? uma? (?:[\w-]+ ){0,2}(?:história|conto|poema|canção|"
    r"música|"
    r"diálogo|cena|romance|tweet|tuíte|piada|discurso|crônica|resenha|post|anúncio)\b|\bem nome d[eoa]\b|"
    r"\b(?:para|pra|d)[ao]? ?(?:o |a )?(?:meu|minha|uma?) (?:amig[oa]|prim[oa]|irmã|irmão|colega|cliente|ti[oa]|"
    r"filh[oa]|mãe|pai|mulher|marido)\b.{0,80}: |\bcomo (?:é que )?(?:(?:se )?(?:digo|falo|fala|fica)(?: isso|"
    r" isto)? em \w+|se diz(?=:| [\"«“]| em \w+ ?[:\"«“]| (?:[\w']+ ){2,12}em (?:inglês|alemão|francês|italiano|"
    r"espanhol|japonês|latim|chinês)\b))|"
    r"\bfrase\b|\bgramática\b|\bortografia\b|\bmeu (?:romance|personagem|protagonista|conto|roteiro)\b",
    joking=r"\b(?:brincadeira|é brincadeira|tô brincando|estou brincando|estou a brincar|zoeira|ironia)\b",
    laughing=r"\b(?:kkk+|haha\w*|rsrs+|lol)\b|[😂🤣😜😝😛🙃😏]",
    joints=rf"(?=[ ,;])(?:{NO_LINK}(?:(?:,|;| –| —| -)?(?: (?:e|mas|porque|pq|já que|como|embora|pois|além disso|"
    rf"também|"
    rf"então|é que|visto que|dado que|considerando que|lembrando que|nem|sabendo que|uma vez que|só que|"
    rf"e também)\b){{0,3}} "
    rf"(?={FIRST}\b)|(?:,|;| –| —| -)?(?: (?:e|para|pra|pro|com|à|ao|mas|porque|como|que))? (?={KIN_SAYS}|"
    rf"{LIKE_ME}|{MINE})|,? (?:porque|já que|tendo em conta que|"
    rf"considerando que|sabendo que|lembrando que|visto que|dado que|é que|levando em conta que) "
    rf"(?=(?:n[ãa]o |me |eu )*[a-záéíóúâêôãõç]{{2,12}}(?:o|ou|amos|emos|imos)\b))|"
    rf"(?:,|;| –| —| -)?(?: (?:e|mas|então|por isso|e aí))(?: então)? (?={ASKS}\b)|"
    rf"(?:,|;| –| —| -)(?: (?:e|mas|então|ou))? (?={ASKS}|{THEN})|"
    rf"(?:,|;| –| —| -)(?: (?:e|mas|que|porque|também|como))? (?={FIRST}\b)|"
    r"(?:,|;| –| —| -)? (?:então|portanto|por isso) (?=(?:nada|n[ãa]o|sem|por favor) )|"
    r"(?:,|;| –| —| -)? (?:e|mas|embora) (?=(?:ainda|queria|gostaria|eu|me|noss[oa]|não gosto|já não) |(?:meu|minha) "
    r"[\w -]{2,40} (?:é|se chama|usa)\b|(?:me trat|me cham|trata-me|chama-me|sem |não uses|evita|todos me|"
    r"todo mundo me))|"
    r"(?:,|;| –| —| -) (?=(?:meu|minha) [\w -]{2,40} (?:é|se chama)\b|você pode |pode |por favor ))",
    about_me=r"\b(?:meu (?:perfil|cv|currículo)|meus dados|sobre mim|a meu respeito|lembre|lembra|minhas preferências|"
    r"nosso stack|anota|anote|sobre nós)\b",
    states=r"\b(?:é|são|era|está|estão|tem|têm|usa|usam|roda|sai|saem|vai|vão|mora|vive|começa|termina|vence|expira|"
    r"custa|deve|pode|há|se chama|fica|cai|fecha|abre)\b",
    leads=any_of(
        OFTEN_FIRST,
        r"(?:aqui |cá |lá )?em casa|no (?:trabalho|trampo|escritório|serviço)|na (?:minha )?(?:família|escola|empresa|"
        r"equipe|"
        r"equipa)|desde (?:[\w-]+ ){0,3}?[\w-]+|para (?:o|este|meu|a) [\w-]+(?: [\w-]+)?|normalmente|geralmente|"
        r"em geral|no fim|com (?:[oa]s? |meus? |minhas? )?[\w-]+|"
        r"quando (?:me|eu te|eu) [^,]{3,60}|(?:aqui|cá) (?:em|n[oa]s?) [\w ]{3,24}|(?:cada vez|sempre|toda vez) que "
        r"[^,]{3,60}|como|eu|(?:[\w-]+ ){1,4}e eu|eu e [\w ]{2,20}|(?:há|faz) (?:\w+ ){1,3}que",
    )
    + rf"(?:,? (?={MY})|$)",
    given=rf"{GIVEN}|{LIKE_ME}|{MINE}",
    because=r"\b(?:porque|já que|visto que|dado que|considerando que|lembrando que|sabendo que|uma vez que|"
    r"levando em conta que|tendo em "
    r"conta que|pois|sendo que)\s*$",
    profile=r"(?:[\w']+ ){0,3}(?:(?:o )?meu (?:perfil|cv|currículo)|(?:os )?meus dados|dados (?:meus|pessoais|"
    r"sobre mim)|sobre mim|"
    r"apresentação|quem sou|parte técnica|(?:meu |nosso |o )?(?:stack|setup|ambiente|config\w*))(?: \w+){0,4}: ",
)
