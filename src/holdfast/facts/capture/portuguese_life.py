"""How a Portuguese clause begins that says how somebody lives: what a group settled, a household, a trade, a craft."""

from __future__ import annotations

from typing import Final

from holdfast.facts.capture.portuguese_words import ILL, JOBS, LANGUAGE, STYLE, TRAITS, WHO, YEARS
from holdfast.facts.capture.speech import NAME, Form
from holdfast.markdown.fact_row import Category

__all__ = ["LIFE"]

_FIRM: Final = (
    r"(?:empresa|negócio|loja|bar|restaurante|oficina|ateliê|estúdio|escritório|banda|grupo|associação|ong|startup|"
    r"consultoria|clínica|academia|cooperativa|padaria|quinta|editora|agência|marca|livraria|salão|firma)"
)
_PLACE: Final = (
    rf"(?:{_FIRM}|consultório|escola|colégio|faculdade|fábrica|biblioteca|turma|aula|turno|reunião|semana|ano fiscal|"
    r"horário|contrato|aluguel|renda|caldeira|equipa|equipe|time|departamento|bairro|prédio|ginásio|condomínio)"
)
# What nobody does only once.
_FOR_GOOD: Final = (
    r"(?:tricoto|bordo|esculpo|componho|cultivo|crio|escalo|mergulho|surfo|velejo|pesquiso|assessoro|audito|medito|"
    r"pratico|"
    r"colaboro|milito|divido (?:casa|apartamento)|pertenço|hospedo|coleciono|restauro|presido|lidero|supervisiono|"
    r"fotografo|"
    r"compito|leciono|cuido(?= d)|continuo (?:a )?(?:morando|trabalhando|morar|trabalhar|viver)|trampo|fico com "
    r"(?:meus|minhas|os|as) "
    r"(?:filh|crianç|miúd)\w+|ando de (?:bicicleta|bike|cadeira|moto)|dou (?:aulas?|yoga|cursos|formação|oficinas))"
)
# What is for good where no article says which one: "vendo bolos", and not "vendo o apartamento".
_OFTEN_DONE: Final = (
    r"(?:faço|costuro|pinto|desenho|edito|alugo|fabrico|conserto|vendo|importo|exporto|distribuo|entrego|transporto|"
    r"traduzo|programo|"
    r"gravo|cozinho|asso|planto|estudo|ensino|toco|escrevo(?= (?:mais |sobretudo |principalmente )?(?-i:[A-Z])))"
)
_BARE: Final = (
    r"(?!(?:[oa]s?|uma?s?|uns|a[os]?|de|d[oa]s?|em|n[oa]s?|com|para|pra|por|que|se|quando|como|mais que|menos|muito|"
    r"nada|mal|bem|tudo|"
    r"isso|isto|meu|minha|teu|seu|clique|caso|falta|ideia|conta|questão|parte|fila|jeito|referência|exemplos?|"
    r"perguntas?|testes?|"
    r"alterações|commits?|sentido)\b|\d)"
)

LIFE: Final = (
    Form(
        "decision",
        Category.DECISION,
        0.7,
        r"(?:(?:n[ao]s?|em|depois d[ao]|após [ao]) [\w -]{3,40}?,? )?(?:já |no fim |finalmente )*(?:(?:foi|ficou|está) "
        r"(?:decidid|acordad|aprovad|votad|combinad|resolvid|escolhid|definid)[oa](?: (?:que|por))?|decidiu-se|"
        r"acordou-se|votou-se|aprovou-se|resolveu-se)(?::|,| )|(?:no fim |afinal |a gente )?(?:acab(?:amos|ámos|ei|"
        r"ou)) "
        r"(?:por )?(?:escolh|opt|contrat|decid|fic|compr)(?:endo|ando|indo|er|ar|ir)\b|"
        r"(?:na|no) [\w -]{3,30} (?:decidimos|acordámos|acordamos|votámos|votamos|aprovámos|aprovamos|combinamos)\b",
    ),
    Form(
        "decision",
        Category.DECISION,
        0.7,
        r"(?:[oa] )?(?:meu |minha |noss[oa] )?(?:equip[ea]|time|direção|assembleia|condomínio|conselho|diretoria|"
        r"sindicato|comissão|junta|"
        r"câmara|turma|grupo|escola|família)(?: d[aoe]s? [\w-]+)? (?:já )?(?:rejeit|cancel|adi|aprov|eleg|descart|"
        r"decid|vot|nome)\w+ \w|"
        r"[^,:]{4,100}, (?:já )?(?:está|fica|ficou) (?:decidido|acordado|fechado|aprovado|combinado)$",
    ),
    Form(
        "project",
        Category.ENTITY,
        0.6,
        rf"(?:[oa] )?noss[oa] (?:[\w-]+ )?[\w-]+ é (?:[oa] )?{NAME} {NAME}\b|(?:[oa]s? )?(?:meus?|minhas?|"
        rf"noss[oa]s?) (?!(?:\w+ )?(?:pergunta|problema|dúvida|ponto|resposta|código|deus|opinião|"
        rf"conselho)\b)[a-záéíóúâêôãõç-]+(?: [a-záéíóúâêôãõç-]+)?, (?:[oa] )?{NAME}(?: {NAME})?, \w|"
        rf"(?:[oa] )?(?:meu|minha|noss[oa]) (?:[\w-]+ )?{_FIRM},? (?:[oa] )?{NAME}(?: [\w.&'-]+){{0,3}}?,? \w",
    ),
    Form(
        "household",
        Category.FACT,
        0.6,
        r"(?:(?:aqui|cá|lá) em casa|em casa|na (?:minha |nossa )?família|entre nós),? (?:ninguém|nenhum de nós|"
        r"todos|toda "
        r"a gente|todo mundo|quase ninguém) (?:não )?(?:come|bebe|fuma|tolera|tem|é|são|somos|fala|pode|usa|toma|prova|"
        r"suporta|aguenta|gosta)\b|"
        rf"(?:aqui|cá) (?:em|n[oa]s?) {NAME}(?: {NAME})?,? (?:[\w-]+ ){{0,2}}?(?:temos|vivemos|tenho|vivo|moro|moramos|"
        rf"usamos|não temos|a gente tem|somos|sou)\b|(?:vivemos|vivo|moramos|moro) (?!que\b)[\w "
        rf"-]{{3,50}}? "
        rf"(?:aqui |cá )?(?:em|n[oa]) {NAME}(?=$|,|\)| e | com | desde )|"
        r"(?:eu )?só (?:tenho|temos) (?!uma? (?:pergunta|dúvida|hora|minuto|problema)|\d|que\b|tempo|dinheiro|dois|"
        r"duas|três|isso)\w|"
        r"(?:eu |a gente )?[a-záéíóúâêôãõç]{3,12}(?:amos|emos|imos|o) (?:a casa |em casa )?(?:só|somente|apenas|"
        r"unicamente|exclusivamente) (?:com|em|a|por|de|no|na) \w|(?:não tenho|não temos|sem) (?:carta|carteira|carro|"
        r"forno|micro-?ondas|máquina|varanda|elevador|tv|filhos|internet|gás|aquecimento)\b",
        weak=True,
    ),
    Form(
        "likes",
        Category.PREFERENCE,
        0.6,
        r"(?!(?:iss?to|isso|ess[ea]|est[ea])\b)[\w ]{2,30} (?:não |nunca )?(?:é|são|foi|foram) (?:muito |bem |nada |"
        r"mesmo |lá )*"
        r"(?:(?:a )?minha (?:praia|paixão|fraqueza|cena|onda)|(?:o )?meu (?:forte|estilo|género|gênero|vício|fraco))\b|"
        r"(?!(?:iss?to|isso|ess[ea]|est[ea])\b)(?:[oa]s?) [\w ]{2,30} (?:não |nem )(?:suporto|aguento|engulo|posso ver|"
        r"como|quero ver)\b|[\w ]{2,25} (?:eu )?não (?:consigo|posso) nem \w+|[\w ]{2,25} nem (?:pensar|vê-l|ver|"
        r"pintad)[\w-]*|"
        r"(?:sou )?(?:louc[oa]|doid[oa]|viciad[oa]|fã|fanátic[oa]|tarad[oa]|adept[oa]|torcedora?|sóci[oa]|"
        r"apaixonad[oa]|maluc[oa]) (?:por|d[eoa]s?|em) [\w ]{2,30}|"
        r"(?:sou )?(?:corinthiano|corintiano|flamenguista|palmeirense|são-paulino|santista|vascaíno|gremista|colorado|"
        r"cruzeirense|atleticano|benfiquista|portista|sportinguista)\b|(?:curto|amo|adoro|odeio) (?:mais |muito |"
        r"demais )?"
        r"(?!que|quando|isso|essa|esse|este|esta)\w",
        about_things=True,
        weak=True,
    ),
    Form(
        "answers",
        Category.PREFERENCE,
        0.7,
        r"(?:as |os |o |a |(?:su|tu)as )?(?:respostas?|explicações|exemplos|resumos|código|comentários|textos?|listas|"
        r"números|datas|horas|preços|medidas|unidades|quantidades|temperaturas|receitas|e-?mails|variáveis)(?: "
        r"[\w-]+){0,2} "
        r"(?:sempre|só|somente|apenas|nunca)(?: [\w-]+)? (?:em|com|sem|de|no|na) \w|"
        rf"(?:comigo|para mim|pra mim|nas minhas respostas),? (?:nada de|sem|nem|só|sempre) \w|(?:sem|nada de) {STYLE} "
        rf"(?:comigo|para mim|pra mim|nunca)|"
        r"(?:cada vez|sempre|toda vez) que (?:eu )?(?:te |lhe )?(?:passar|mandar|der|pedir|colar|enviar|escrever|"
        r"perguntar|puser|partilhar|mostrar|falar|postar|citar|colocar)\b.{2,60}? \w+",
    ),
    Form(
        "trait",
        Category.FACT,
        0.65,
        rf"(?:por ser|sendo|como) (?:uma? )?(?:[\w-]+ ){{0,2}}?(?:usuári[oa] de|utilizadora? de|cadeirante|{JOBS}|"
        rf"{TRAITS})\b,? (?:que sou|preciso|tenho|me|não|trabalho|quero)\b|por ser (?:uma? )?\w|"
        r"(?:sou )?[a-záéíóúâêôãõç]{4,}(?:ista|eir[oa]|dora?|nte|ad[oa]|log[oa]|ic[oa]|ári[oa]|an[oa]|ês|esa) "
        r"(?:(?:de|em) [\w-]+ )?desde (?:há|os|a|criança|criancinha|pequen|miúd|sempre|(?:19|20)\d\d|\d)|"
        rf"{TRAITS} (?:por )?(?:aqui|cá)\b|(?:o )?{LANGUAGE} é (?:a )?(?:minha|meu) (?:língua|idioma|segunda)|como "
        rf"(?:uma? )?(?:[\w-]+ )?(?:{JOBS}|{TRAITS})(?: [\w ]{{2,20}}?)?$|"
        r"(?:estou|tô|tou|ando) (?:me )?(?:requalificando|reciclando|especializando|formando|"
        r"preparando (?:para|pra)|a preparar-me|a requalificar-me|a formar-me|a tirar [oa] (?:curso|carta)|"
        r"tirando a carteira|estudando (?:para|pra)|a estudar para)|"
        rf"(?:{TRAITS}) (?:d[eoa]|desde|há|a) [\w ]{{2,20}}$|desde que (?:larguei|deixei|parei|me (?:operaram|mudei|"
        rf"aposentei|casei)|nasceu|sou|"
        rf"tenho|moro|trabalho)\b|(?:estou|tô|tou|ando) há {YEARS} (?!(?:à|a) espera|esperando|tentando|a tentar|"
        rf"procurando)\w|"
        rf"(?:[oa] )?(?:meu|minha) (?:médic[oa]|doutora?|psiquiatra|\w+ologista|cardio\w*|endócrino|obstetra),? "
        rf"(?:(?:[oa] )?(?:doutora?|dra?\.?) {NAME},? )?(?:me )?(?:receit|pass|diagnostic|mand|proib|prescrev|"
        rf"p[ôu]s)\w+|"
        rf"(?:tenho|uso|colocaram|puseram-me) (?:uma? )?(?:[\w-]+ )?(?:prótese|marca-?passo|pacemaker|stent|bengala|"
        rf"muletas|cadeira de rodas|bomba de insulina|aparelho|{ILL})\b",
    ),
    Form(
        "attribute",
        Category.FACT,
        0.6,
        rf"(?:[oa] )?(?:meu|minha|noss[oa]) (?:equip[ea]|time|empresa|família)(?: tod[oa]| inteir[oa])? (?:está|"
        rf"fica|mora|vive|trabalha|é) (?:em|n[oa]|d[eoa]) {NAME}|"
        rf"(?:eu )?faço tudo (?:n[oa]|em|com) \w|comigo (?:é|só) (?:só |sempre )?\w|aqui (?:em|n[oa]) {NAME} (?:faz|"
        rf"há|tem|é|chove) \w|(?:[oa] )?(?:meu|minha|noss[oa]) (?:[\w-]+ )?{_PLACE} (?:fecha|abre|começa|termina|"
        rf"acaba|dura|vence|fica (?:em|"
        rf"n[oa])|trabalha|tem (?:\d|dois|duas|três|quatro)|(?:é|são) (?:às|aos|todas?|cada)) ?\w|"
        r"(?:[oa] )?(?:meu |minha |noss[oa] )?(?:[\w-]+ )?(?:back(?:end)?|front(?:end)?|api|app|banco de dados|"
        r"servidor|"
        r"site|sistema) (?:é|está|foi|roda|corre|fica|a gente (?:fez|tem|montou)|(?:nós )?fizemos|fiz) (?:feit[oa] |"
        r"escrit[oa] |montad[oa] )?(?:em|com|no|na|sobre) \w",
        weak=True,
    ),
    Form(
        "doing",
        Category.FACT,
        0.5,
        rf"(?:eu |também |ainda )*(?:{_FOR_GOOD}(?= |$)(?! (?:iss?o|isto|est[ea]|ess[ea])\b)|{_OFTEN_DONE} (?:mais |"
        rf"sobretudo |muito |muita )?{_BARE}(?=\w{{3,}}))|"
        rf"(?:[oa] )?(?:meu|minha) (?:\w+ )?{WHO} (?:usa|precisa de|anda (?:com|de)) (?:uma? )?(?:bengala|andador|"
        rf"andarilho|muletas|óculos|cadeira de rodas|fraldas?|aparelho|oxigênio|oxigénio|insulina)\b",
        about_things=True,
        weak=True,
    ),
)
