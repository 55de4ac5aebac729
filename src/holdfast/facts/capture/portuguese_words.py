"""The people, trades, conditions, things and times that Portuguese speakers name when they speak about themselves."""

from __future__ import annotations

from typing import Final

from holdfast.facts.capture.speech import NAME, any_of

__all__ = [
    "AGE", "ATTRIBUTES", "FORBIDDEN", "ILL", "JOBS", "KIN", "LANGUAGE", "LIVES", "NOT", "NO_ROLE", "OFTEN",
    "OFTEN_FIRST", "ORDERS", "OWNED", "ROLES", "STYLE", "THINGS", "TRADE", "TRAITS", "WHO", "YEARS",
]  # fmt: skip

NOT: Final = (
    r"(?:eu )?(?:já não |n[ãa]o |nunca |jamais |quase nunca |quase sempre |sempre |também |só |ainda |agora |"
    r"normalmente |atualmente |geralmente |basicamente )?"
)
JOBS: Final = any_of(
    r"desenvolvedora?|dev|programadora?|engenheir[oa]|enfermeir[oa]|médic[oa]|doutora?|professora?|prof|profe|"
    r"advogad[oa]|"
    r"estudante|universitári[oa]|pesquisadora?|investigadora?|arquitet[oa]|contadora?|contabilista|designer|"
    r"ilustradora?",
    r"jornalista|tradutora?|fotógraf[oa]|músic[oa]|consultora?|diretora?|fundadora?|gerente|empresári[oa]|autônom[oa]|"
    r"freelancer|aposentad[oa]|reformad[oa]|funcionári[oa] públic[oa]|servidora? públic[oa]|policial|polícia|"
    r"bombeir[oa]",
    r"padeir[oa]|cozinheir[oa]|garçom|garçonete|vendedora?|eletricista|encanadora?|canalizadora?|mecânic[oa]|"
    r"agricultora?|farmacêutic[oa]|psicólog[oa]|dentista|fisioterapeuta|fisio|bibliotecári[oa]|analista|"
    r"administradora?",
    r"cientista|físic[oa]|químic[oa]|biólog[oa]|matemátic[oa]|escritora?|motorista|motoboy|uber|entregadora?|piloto|"
    r"atriz|ator|veterinári[oa]|técnic[oa]|nov[oa] em|bolsista|concurseir[oa]|estagiári[oa]|mei|diarista|babá|caixa|"
    r"vestibulanda?|vestibulando|juiz|juíza|militar|pedreir[oa]|porteir[oa]|manicure|cabeleireir[oa]|cuidadora?|"
    r"síndic[oa]",
)
TRAITS: Final = any_of(
    r"vegetarian[oa]s?|vegan[oa]s?|pescetarian[oa]s?|ovolactovegetarian[oa]|diabétic[oa]s?|celíac[oa]s?|intolerantes?|"
    r"alérgic[oa]s?|canhot[oa]s?|destr[oa]s?|dalt[oôó]nic[oa]s?|disléxic[oa]s?|surd[oa]s?|ceg[oa]s?|asmátic[oa]s?|"
    r"autistas?|hipertens[oa]s?|epiléptic[oa]s?|bipolar|míope|cadeirantes?|pcd|hemofílic[oa]|deficiente \w+|tdah|"
    r"insone|neurodivergente|altas habilidades",
    r"solteir[oa]s?|casad[oa]s?|divorciad[oa]s?|separad[oa]s?|viúv[oa]s?|pai|mãe|av[óô]|órf[ãa]o?|filh[oa] únic[oa]|"
    r"g[eêé]me[oa]|grávida|noturn[oa]|madrugadora?|friorent[oa]|introvertid[oa]|iniciante|principiante|autodidata|"
    r"voluntári[oa]|bilíngue|inquilin[oa]|propietári[oa]|dona de casa|desempregad[oa]|sóci[oa]|estrangeir[oa]|"
    r"imigrante",
    r"brasileir[oa]s?|portugu[eê]s(?:a|es|as)?|angolan[oa]s?|moçambican[oa]s?|cabo-verdian[oa]s?|guineense|"
    r"mineir[oa]s?|"
    r"carioca|paulista|paulistan[oa]|gaúch[oa]|baian[oa]|nordestin[oa]|cearense|pernambucan[oa]|paraense|curitiban[oa]|"
    r"catarinense|capixaba|alentejan[oa]|açorian[oa]|madeirense|lisboeta|tripeir[oa]|minhot[oa]|algarvi[oa]|"
    r"católic[oa]s?|"
    r"evangélic[oa]s?|espírita|umbandista|candomblecista|ate[ua]s?|judi[au]s?|budista|muçulman[oa]s?|adventista|"
    r"testemunha de jeová|cristã|cristão|italian[oa]|argentin[oa]|espanhol[a]?|francesa?|alem[ãa]o?",
)
WHO: Final = any_of(
    r"esposa|mulher|patroa|marido|esposo|companheir[oa]|parceir[oa]|namorad[oa]|noiv[oa]|m[ãa]e|mamãe|pai|papai|coroa|"
    r"irmã(?: mais (?:nova|velha))?|irmão(?: mais (?:novo|velho))?|irmãos|irmãs|manos?|mana|filh[oa]s?|filhot[ea]|"
    r"caçula|bebê|bebé|tias?|tios?|prim[oa]s?|sobrinh[oa]s?|avó|avô|avós|vó|vô|vovó|vovô|sogr[oa]s?|cunhad[oa]s?|genro|"
    r"nora|net[oa]s?|padrasto|madrasta|entead[oa]s?|pais|miúd[oa]s?|putos?|g[eêé]me[oa]s|afilhad[oa]s?|madrinha|"
    r"padrinho|"
    r"adolescentes?|ex|ex-marido|família|crianças?|menin[oa]s?|guri|guria",
    r"cachorr[oa]s?|cachorrinh[oa]|cão|cães|cadela|cãozinho|dog|doguinho|gat[oa]s?|gatinh[oa]|cavalo|égua|papagaio|"
    r"periquito|canário|calopsita|coelh[oa]s?|hamsters?|furões|furão|porquinho-da-índia|tartaruga|jabuti|cágado|furão|peixe|galinhas?|"
    r"burro|cabra|iguana|pet",
    r"chefe|chefa|colega|amig[oa]|melhor amig[oa]|vizinh[oa]|médic[oa]|doutora?|dentista|advogad[oa]|contadora?|"
    r"cliente|"
    r"sóci[oa]|mentora?|orientadora?|senhori[oa]|psicólog[oa]|psiquiatra|professora?|treinadora?|personal|diretora?|"
    r"assistente|pediatra|babá|ama|roommate|diarista",
)
KIN: Final = (
    rf"(?:[oa]s? )?(?:meus?|minhas?|noss[oa]s?) (?:\w+ )?{WHO}s?(?: d[eo] (?:apê|casa|quarto|trabalho|turma|escritório|"
    rf"sala))?"
)
LANGUAGE: Final = any_of(
    r"português|inglês|francês|alemão|italiano|espanhol|castelhano|árabe|russo|chinês|mandarim|japonês|coreano|catalão|"
    r"galego|crioulo|"
    r"tupi|guarani|romeno|polonês|polaco|holandês|turco|hebraico|hindi|grego|latim|libras|língua gestual|sueco|"
    r"ucraniano|mirandês|"
    r"umbundu|quimbundo|tétum",
)
# "Ser" is what lasts, "estar" what passes: what follows the first needs no list of trades.
TRADE: Final = (
    r"(?!(?:consciente|primeir[oa]|sincer[oa]|capaz|incapaz|melhor|pior|culpad[oa]|diferente|nada|tod[oa]|root|"
    r"candidat[oa]|sortud[oa]|complicad[oa]|únic[oa]|obrigad[oa]|gostos[oa]|exagerad[oa]|cliente|contente)\b)"
    r"[a-zà-ÿ]{2,30}(?:dora?|tora?|sora?|eir[oa]|ista|ic[oa]|ente|ante|ári[oa]|ólog[oa]|triz|ad[oa]|id[oa]|terapeuta|"
    r"iatra|graf[oa])s?\b"
)
ILL: Final = any_of(
    r"pressão alta|colesterol|asma|diabetes|enxaquecas?|hipertensão|artrose|artrite|ansiedade|depressão|eczema|"
    r"tensão alta|dermatite|psoríase|escoliose|hérnia|endometriose|ovários? policísticos?|sop|lúpus|lupus|fibromialgia|"
    r"parkinson|alzheimer|esclerose|cancro|câncer|leucemia|autismo|tea|síndrome d[eo] \w+|crohn|intestino irritável",
    r"epilepsia|rinite|sinusite|\w*fobia|intolerância|alergias?|vertigens?|labirintite|hipotire?oidismo|hipotiroidismo|"
    r"insónias?|insônia|tdah|phda|toc|dislexia|anemia|gota|doença celíaca|apneia|marcapasso|pacemaker|prótese|"
    r"deficiência|"
    r"glaucoma|cataratas?|sopro|hiv|acne|asperger|gastrite|refluxo|miopia|astigmatismo|daltonismo|transtorno \w+|"
    r"doença \w+|tireoide",
)
OFTEN: Final = any_of(
    "todos os (?:dias|anos|meses|verões|fins de semana|sábados|domingos)|todas as (?:semanas|manhãs|noites|tardes|"
    "segundas|"
    "terças|quartas|quintas|sextas)(?:-feiras)?|(?:às|nas|aos|nos) (?:segundas|terças|quartas|quintas|sextas|sábados|"
    r"domingos|fins de semana)(?:-feiras?)?|de segunda a \w+|dia sim,? dia não|durante a semana",
    "tod[oa] (?:dia|semana|mês|ano|manhã|noite|verão|fim de semana|segunda|terça|quarta|quinta|sexta|sábado|domingo)",
    "cada (?:dia|semana|mês|ano)|(?:vez|vezes|horas|livros|quilómetros|quilômetros|km|dias) (?:por|ao|à|na) (?:dia|"
    "semana|"
    "mês|ano)",
)
OFTEN_FIRST: Final = (
    r"(?:tod[oa]s [oa]s [\w-]+(?: de semana)?(?: às \w+)?|tod[oa] (?:dia|semana|mês|ano|manhã|noite|verão|natal|fim de "
    r"semana|segunda|terça|quarta|quinta|sexta|sábado|domingo)(?:-feira)?(?: (?:de|à|às|por) \w+)?|(?:às|nas|aos|nos) "
    r"(?:segundas|terças|quartas|quintas|sextas|sábados|domingos|fins de semana)(?:-feiras?)?(?: e \w+)?|"
    r"cada (?!vez)\w+|"
    r"de segunda a \w+|de manhã|à noite|no verão|no inverno|\w+ sim,? \w+ não|(?:segunda|terça|quarta|quinta|sexta|"
    r"sábado|domingo)(?:-feira)?(?: (?:à|de) \w+)?|uma vez por \w+|(?:duas|três) vezes por \w+)"
)
NO_ROLE: Final = (
    "(?:pouco|desastre|fã|inútil|negação|grande|bom|boa|mau|má|idiota|gênio|génio|caso|apaixonad[oa]|burr[oa]|zero|"
    "zumbi|"
    "trapo|ímã|lixo)"
)
ROLES: Final = any_of(
    r"responsável|chefe|líder|lead|tech lead|gerente|diretora?|ceo|cto|cfo|fundadora?|encarregad[oa]|don[oa]|"
    r"designer|desenvolvedora?|engenheir[oa]|arquitet[oa]|contato|contacto|cliente|fornecedora?|estagiári[oa]|analista",
    r"contadora?|mantenedora?|scrum master|product owner|esposa|marido|irmã|irmão|filho|filha|mãe|pai|amig[oa]|"
    r"vizinh[oa]|colega|médic[oa]|dentista|presidente|coordenadora?|secretári[oa]|tesoureir[oa]|síndic[oa]|rh",
)
LIVES: Final = any_of(
    r"moram?|vive(?! \w+ndo)|vivem|trabalham?|odeiam?|adoram?|amam?(?= )|não com(?:e|em)|só com(?:e|em)|come (?!mal|"
    r"bem)|"
    r"não bebe|bebe|jogam?|estudam?|falam?(?! (?:d|com|que))|sofrem? d[eoa]|tocam?|preferem?|fumam?|"
    r"não podem? (?:comer|beber|tomar|caminhar|andar|ver|ouvir|subir)|faz \d+ anos|"
    r"fazem? (?:\d+ anos|judô|balé|natação|futebol|faculdade|medicina)|entra (?:na|no|para)|vai (?:à|na|para a|pra) "
    r"(?:escola|creche|universidade|facul)|anda (?:no|na) \d|detestam?|(?:não )?gostam? d[eoa]s?|nasceu|nasceram|"
    r"faleceu|"
    r"morreu|usa (?:óculos|cadeira|aparelho|marcapasso|bengala|fralda)|é d[eoa] |são d[eo] |tem medo|completa \d",
)
_COUNT: Final = (
    r"(?:uma?|dois|duas|três|quatro|cinco|seis|sete|oito|dez|vários|várias|uns|umas|\d{1,3}|"
    r"um par de|muitos|muitas|um monte de)? ?"
)
THINGS: Final = any_of(
    r"filh[oa]s?|g[eêé]me[oa]s|irmãos?|irmãs?|net[oa]s?|bebê|bebé|bebe|bb|nenê|miúdos?|crianças?|adolescentes|"
    r"sobrinh[oa]s?|entead[oa]s?",
    r"cachorr[oa]s?|cães|cão|cadela|gat[oa]s?|gatinh[oa]s?|cavalos?|papagaio|coelhos?|furões|furão|tartarugas?|galinhas|vacas|"
    r"cabras|"
    r"ovelhas|hamster|aquário|peixes|canários?|colmeias|pets?|calopsitas?|éguas?|burros?|periquitos?",
    r"horta|quintal|jardim|varanda|terraço|piscina|casa|casinha|apê|apartamento|ap|sítio|chácara|fazenda|terreno|"
    r"estufa|"
    r"garagem|cave|hectares?|metros quadrados|m2|m²|lareira|salamandra|quinta|monte",
    r"carro|moto|mota|motocicleta|bicicleta|bike|carrinha|furgão|caminhão|caminhonete|autocaravana|trator|veleiro|"
    r"barco|"
    r"lancha|trotinete|fusca|gol|corsa|uno|palio|onix|hb20|celta|civic|clio|fiat|ford|toyota|renault|honda|hyundai|"
    r"chevrolet|peugeot|citroën|opel|kombi|scooter",
    r"violão|guitarra|piano|violino|bateria|telescópio|impressora 3d|play|ps[45]|xbox|switch|iphone|android|samsung|"
    r"xiaomi|macbook|mac|imac|chromebook|thinkpad|portátil|notebook|kindle|nas|raspberry(?: pi)?|bimby|airfryer|"
    r"air fryer|forno|máquina de (?:costura|pão)|freezer|lava-louças?|micro-ondas|câmera|drone|tv|alexa",
    r"empresa|negócio|loja|lojinha|restaurante|bar|oficina|estúdio|consultório|escritório|salão|canal (?:no|"
    r"do) youtube|"
    r"podcast|blog|ong|associação|padaria|barraca|coleção de|tatuage(?:m|ns)|óculos|lentes|aparelho auditivo|implante|"
    r"carteira de motorista|carta de condução|cnh|mestrado|doutorado|doutoramento|licenciatura|hipoteca|financiamento|"
    r"dupla nacionalidade|nacionalidade|cidadania|passaporte|plano de saúde|seguro de|bolsa",
)
OWNED: Final = (
    rf"(?!que\b|de\b|vontade\b|o\b|a\b|os\b)(?:{_COUNT}(?:(?!(?:sobre|para|pra|com|em|contra|que|ao|à|meu|minha|"
    rf"d[eoa]s?|por|n[oa]s?)\b)[\w-]+ ){{0,2}}?{THINGS}\b(?! (?:pra entregar|de (?:teste|exemplo)))|"
    rf"uma? (?:[\w-]+ ){{0,2}}?(?:{NAME}|\w+) (?:de )?(?:diesel|flex|híbrido|elétrico|(?:19|20)\d\d|'?\d\d|ano \d+)"
    rf"(?!\d|[.,]\d| ?(?:%|€|euros|reais|anos|dias|horas|min|kg|g|km|cm|linhas|colunas|páginas))\b)"
)
ORDERS: Final = any_of(
    "use|usa|utilize|responda|responde|escreva|escreve|coloque|coloca|põe|ponha|faça|faz|dê|adicione|inclua|execute|"
    "rode|"
    "explique|explica|mostre|mostra|evite|evita|pergunte|verifique|teste|formate|comente|fale|fala|chame|proponha|"
    "comece|"
    "termine|cite|avise|seja|converta|arredonde|redija|mantenha|limite|indique|trate|conte|diga",
    "me responda|me responde|me chame|me chama|me explique|me explica|me fale|me fala|me dê|me dá|me trate|me escreva|"
    "responde-me|escreve-me|explica-me|fala-me|fala comigo|fale comigo|dá-me|trata-me|chama-me|guarde|revise|resume",
)
FORBIDDEN: Final = any_of(
    "uses?|utilizes?|respond[ae]s?|escrev[ae]s?|coloques?|colo(?:que|ca)|ponhas?|põe|faças?|faz|dês?|adiciones?|"
    "incluas?|"
    "executes?|apagues?|suba|mexas?|mudes?|alteres?|envies?|comeces?|termines?|repitas?|inventes?|abuses? d[eo]|"
    "peças desculpa|"
    "me (?:chames?|chama|trates?|trata|fales?|fala|respondas?|responde|mandes?|manda|dês?|dá|explique)|chames?|trates?|"
    "use|"
    "se desculpe|tentes?",
)
STYLE: Final = any_of(
    r"emojis?|emoticon(?:es|s)|listas?|marcadores|bullets?|tópicos|tabelas?|anglicismos|estrangeirismos|jargão|gírias?|"
    r"brasileirismos|introduç(?:ão|ões)|intros?|conclus(?:ão|ões)|desculpas|elogios|avisos|exclamaç(?:ão|ões)|"
    r"maiúsculas|"
    r"negritos?|títulos|asteriscos|enrolação|abreviaç(?:ão|ões)|abreviaturas|metáforas|textão|textões|respostas longas|"
    r"piadas|markdown|exemplos|links|código|formalidades?|palavras (?:em inglês|difíceis)|termos (?:em inglês|"
    r"técnicos)",
)
ATTRIBUTES: Final = (
    r"(?:nome|sobrenome|apelido|aniversário|aniversario|niver|fuso horário|fuso|endereço|morada|telefone|"
    r"número(?: de telefone)?|celular|telemóvel|e-?mail|profissão|trabalho|emprego|língua materna|tipo sanguíneo|"
    r"empresa|"
    r"cidade natal|horário|turno|computador|pc|portátil|notebook|laptop|editor|navegador|sistema operacional|"
    r"sistema operativo|idade|altura|peso|"
    r"data de nascimento|cargo|curso|especialidade|religião|nacionalidade|signo|banco|bairro|cidade|escola|faculdade|"
    r"carro|"
    r"aluguel|renda|salário|médico de família)"
)
YEARS: Final = r"(?:\w+ ){1,3}(?:anos?|meses|décadas?)"
AGE: Final = r"(?:\d{1,3}|[\w-]{2,20}(?: e [\w-]{2,14})?) (?:anos|aninhos|meses)\b"
