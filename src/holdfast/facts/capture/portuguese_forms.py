"""The ways to begin a clause that says something lasting, in Portuguese, and what joins such clauses."""

from __future__ import annotations

from typing import Final

from holdfast.facts.capture.portuguese_words import (
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
    r"(?:nov[oa] aqui|consciente|capaz|incapaz|culpad[oa]|quem|como|todo|toda|tonto|tonta|burr[oa]|ruim|péssim[oa]|"
    r"feliz|livre|"
    r"melhor|pior|"
    r"sincer[oa]|honest[oa]|franc[oa]|clar[oa]|breve|chat[oa]|root|candidat[oa]|nada|ninguém|algo|contra|sortud[oa]|"
    r"idiota|inútil|"
    r"para|parte|lent[oa]|pirata|rainha|deus|viciad[oa]|apaixonad[oa]|amante|doid[oa]|louc[oa]|mais|gostos[oa]|"
    r"grat[oa]|obrigad[oa]|"
    r"favor|muito|demais|alguém|igual|realmente|também|sempre|admin|só\b|seu|sua|teu|tua|lenda|aquel[ea])"
)
IS: Final = (
    rf"(?:(?:muito |bastante |também |uma? |[oa] )*(?:[\w-]+ ){{0,2}}(?:{JOBS}s?|{TRAITS})\b|(?:muito |"
    rf"bastante )?{TRADE})"
)
# Who they are, told by the way: "minha mãe que é cadeirante", "o meu filho de oito anos", "a minha irmã Ana".
GIVEN: Final = (
    rf"(?:{KIN}(?:,? (?:[oa] )?{NAME}|,? (?:\w+,? )?(?:que )?(?:não )?(?:é|são) {IS}|"
    rf",? (?:\w+,? )?(?:que )?(?:têm|tem|sofre de|sofrem de) (?:\w+ )?(?:{AGE}|(?:\w+ ){{0,3}}?{ILL}\b)|"
    rf",? (?:\w+,? )?que (?:se chama|chama-se|(?:já )?{LIVES}|anda de cadeira|usa )|,? (?:de |\()?{AGE}|"
    rf",? (?:\w+,? )?(?:que )?(?:está|tá|anda) (?:grávida|aposentad[oa]|reformad[oa]|acamad[oa]|desempregad[oa]|de "
    rf"cadeira))|(?:[oa] )?(?:meu|minha|noss[oa]) (?:\w+ )?{WHO} {TRAITS}\b)"
)
MINE: Final = rf"(?:[oa]s? )?(?:meus?|minhas?) (?:\w+ )?{ILL}\b"
LIKE_ME: Final = r"(?:quem|alguém|uma pessoa|gente),? (?:que,? )?como eu,? (?:que )?\w"
KIN_SAYS: Final = (
    rf"(?:{GIVEN}|{KIN},? (?:\w+,? )?(?:se (?:ch|x)amam?|chamam?-se|(?:é|são) (?:[oa] )?(?:{NAME}|"
    rf"uma? (?!{NO_ROLE}\b))|"
    rf"(?:não )?t[eê]m "
    rf"{OWNED}|(?:já )?{LIVES})\b|(?:[oa] )?(?:meu|minha) {WHO} e eu (?!quer|temos que|vamos)\w+[aei]?mos\b)"
)
WHY: Final = (
    r"porque|já que|como|visto que|dado que|pois|é que|considerando que|lembrando que|sabendo que|uma vez que|"
    r"levando em conta que|tendo em conta que|acontece que|pq|que"
)
FIRST: Final = any_of(
    r"sô|eu\b(?!,| (?:faço|posso|devo|preciso|quero|queria|gostaria|uso isso))|sou|tenho|moro|vivo|trabalho|trampo|"
    r"estudo|ensino|"
    r"leciono|prefiro|odeio|detesto|adoro|uso|utilizo|usamos|somos|vivemos|moramos|temos|trabalhamos|falo|falamos|toco|"
    r"sofro|"
    r"nasci|resido|dou aulas?|dirijo|conduzo|(?:estou|tô|tou) (?:casad|aposent|reform|grávid|divorc|desempreg|"
    r"a aprender|"
    r"aprendendo|estudando|de dieta|de licença|de baixa)\w*",
    r"n[ãa]o (?:posso (?:comer|beber|tomar|carregar|correr|levantar|pegar|dirigir)|como|bebo|tomo|fumo|uso|dirijo|"
    r"conduzo|tenho|trabalho|suporto|aguento|posso comer|gosto|sou|falo|curto|vejo)|"
    r"nunca (?:como|bebo|tomo|uso)|só (?:como|bebo|uso|tenho)|me (?:chamo|mudei|formei|aposentei|casei|dedico|chamam|"
    r"diagnosticaram|criei)|chamo-me|mudei-me|dedico-me|gosto|curto",
    r"(?:já )?(?:decidimos|decidi|optamos|optámos|escolhemos|combinamos|combinámos|fechamos|fechámos)|"
    r"a gente (?:decidiu|"
    r"fechou|mora|usa|tem|escolheu|optou|vai de|não come|combinou|resolveu)|jogo (?:futebol|vôlei|xadrez|em|no|na|"
    r"ténis|"
    r"tênis|rpg)|pratico|coleciono|crio|lidero|cuido d|ando de cadeira|acabei de|acabamos de|acabámos de|comemos|faço "
    r"(?:faculdade|mestrado|doutorado|medicina|direito|yoga|crossfit|natação|pilates|aulas|judô|teatro)|todos me",
)
MY: Final = (
    rf"(?:{FIRST}|(?:[oa]s? )?(?:meu|minha|noss)|em casa\b|a gente\b|n[ãa]o\b|me\b|tod[oa]|"
    rf"[a-záéíóúâêôãõç]{{2,12}}(?:o|ou|amos|emos|imos)\b)"
)
ASKS: Final = any_of(
    r"você (?:pode|consegue|sabe|tem|conhece|recomenda|me)|vc (?:pode|tem|sabe|me)|podes|consegues|sabes|conheces|me "
    r"(?:ajuda|indica|sugere|explica|passa|diz|dá|recomenda|faz|monta|ensina)|o que|que (?:tipo|livro|filme|editor|"
    r"frutas?|peças|jogo|benefícios|receita|prato|marca)|quem|como (?:é que|eu(?!,)|faço|posso|que|se|fazer|resolver|"
    r"declaro|"
    r"tornar|ajudo)|onde|por onde|quando|qual|quais|quant[oa]s?|por que|porque é que|será que|dá (?:pra|para)|há "
    r"(?:algum|alguma|comboio|alg)|tem (?:algum|alguma|como|jeito)|é (?:verdade|normal|grave|perigoso|possível|seguro)|"
    r"existe|faz mal|vale a pena|quero|queria|gostaria|preciso|procuro|estou (?:à|a) procura|"
    r"pode(?:ria)? (?:me )?(?:ajud|"
    r"sugerir|indic|explic|monta)\w*|ajuda-me|diz-me|dá-me|faz-me|alguma? (?:ideia|dica|sugestão|conselho)|posso|devo|"
    r"tenho (?:de|que)|a que horas",
)
THEN: Final = any_of(
    r"faz|faça|monta|monte|acha|ache|sugere|sugira|escreve|escreva|explica|explique|adapta|adapte|prepara|prepare|"
    r"calcula|"
    r"calcule|organiza|organize|redige|redija|recomenda|indica|indique|confere|confira|tira|tire|troca|troque|mostra|"
    r"mostre|lista|liste|cria|crie|conta|conte|marca|marque|procura|me (?:trata|chama|trate|chame)|trata-me|chama-me",
    r"por favor|pfv|sff|orçamento|isso\b|é que|e isso|gasto\b|você\b|tu\b|obrigad|seja breve|[a-zç]+-(?:me|nos)\b|"
    r"nada de|"
    r"n[ãa]o uses?|evita|evite|por isso|responde|responda|coisa rápida|daí|então",
)
NO_LINK: Final = "".join(
    rf"(?<!\b{word})"
    for word in "que se quando onde como quem qual quanto não nao nunca lhe eu já também sempre o os meu minha um uma "
    "só me para pra por de do da ao à a em no na com as sua seu nos te muito mais tão entre sobre sem até quase este "
    "esse enquanto embora desde mas e diz diga dizem disse digo fala".split()
)

FORMS: Final = (
    Form(
        "thing",
        Category.FACT,
        0.55,
        rf"(?:o |a )?(?:meu|minha) (?:[\w-]+ ){{0,2}}?{NAME}(?: [\w-]+)? (?:d[eoa] )?(?:19|20)\d\d\b|"
        rf"(?:o |a )?(?:meu|minha|noss[oa]) (?!(?:\w+ )?{WHO}\b)[\w-]+(?: [\w-]+)? é uma? (?:\w+ )?{NAME}",
    ),
    Form(
        "decision",
        Category.DECISION,
        0.7,
        r"(?:(?:(?:eu e [\w ]{2,20}|[oa] (?:meu|minha) [\w-]+ e eu|[\w ]{2,25} e eu) )?(?:nós |eu |já |no fim |"
        r"por fim |afinal |a gente |o time |a equipe |a equipa |a direção |o grupo |a assembleia |o condomínio |"
        r"o conselho |a família |a diretoria |a turma |o sindicato |a comissão (?:de \w+ )?){0,3}(?:já )?"
        r"(?:decidimos|decidi|decidiu|aprovou|aprovamos|resolveu|resolvi|optamos|optámos|optei|optou|escolhemos|"
        r"escolhi|escolheu|"
        r"combinamos|combinámos|combinou|acordamos|acordámos|definimos|definiu|descartamos|resolvemos|contratamos|"
        r"fech(?:ou|amos|ámos|ei) (?:com|o|a|em)|bateu o martelo|votou|votamos|tomei a decisão|tenho decidido|"
        r"me decidi|decidi-me)(?::|,| ) ?|(?:vou )?(?:me mudar|mudar-me|me casar|casar-me|me "
        r"aposentar|reformar-me|me demitir|demitir-me|me mudo|mudo-me)\b|vou (?:largar|sair d[oa]) (?:meu |minha |"
        r"o meu )?(?:emprego|trabalho|"
        r"faculdade)|a decisão(?: é|:| foi) |"
        r"está decidido(?:,|:)|[^,:]{2,100}, está decidido$|(?:no fim )?(?:já )?fic(?:amos|ámos|ou) com [oa] |"
        r"(?:a gente |no fim )?(?:vamos|vai) (?:de|com [oa]) "
        r"(?!carro|avião|ônibus|trem|metrô|moto|bike|novo|manhã|uber|táxi|férias|barco|autocarro|comboio)|(?:vamos|"
        r"a gente vai) (?:migrar|mudar) para |"
        r"(?:com [\w ]{2,30}? )?(?:já )?ficou (?:decidido|combinado|acordado|definido)(?: que)? )",
        about_things=True,
        weak=True,
    ),
    Form(
        "named person",
        Category.ENTITY,
        0.6,
        rf"{KIN_SAYS}|(?:o |a )?(?:noss[oa]|meu|minha|o|a) (?:[\w-]+ ){{0,3}}{ROLES}(?: [\w-]+){{0,3}} (?:é|se chama|"
        rf"chama-se) (?:o |a )?{NAME}|"
        rf"(?:o |a )?{NAME}(?: {NAME})? é (?:agora )?(?:o |a )?(?:meu |minha |"
        rf"noss[oa] )?(?:[\w-]+ ){{0,2}}{ROLES}\b|"
        rf"(?:o |a )?{NAME}, (?:o |a )?(?:meu|minha) (?:\w+ )?{WHO},? (?:\w+ )?(?:é|tem|mora|que)\b|"
        rf"(?:o |a )?{NAME}(?: {NAME})? (?:lidera|dirige|coordena|é responsável por|cuida d[aoe]) |"
        rf"(?:(?:estamos|estou|tô) (?:a )?\w+|lançamos|montamos|criamos|abrimos|abri|fundamos|lançámos) (?:uma?|meu|"
        rf"minha|noss[oa]) (?:[\w-]+ )?"
        rf"(?:empresa|associação|revista|jornal|site|app|startup|cooperativa|podcast|canal|blog|loja|café|restaurante|"
        rf"festival|clube|"
        rf"coletivo|creche|marca|livraria|cervejaria|quinta|companhia|fanzine|ong|fundação)\b|"
        rf"(?:(?:estamos|estou|tô) (?:a )?\w+ |temos |tenho |\w+amos |(?:o )?meu |(?:a )?minha |(?:o |"
        rf"a )?noss[oa] )(?!(?:\w+ )?(?:{WHO})\b)"
        rf"(?:[\w-]+ ){{1,9}}?(?:que se chama(?:rá)?|que vai se chamar|se chama|chama-se|chamad[oa]|"
        rf"batizad[oa] de) [\w\"«]",
    ),
    Form(
        "favourite",
        Category.PREFERENCE,
        0.6,
        r"(?:o |a )?(?:meu|minha)s? (?:[\w-]+ ){1,4}(?:favorit[oa]s?|preferid[oa]s?) (?:é|são|continua sendo) "
        r"(?![\"'«“])|"
        r"(?!(?:est[ea]s?|ess[ea]s?|isso|isto|qual|quem)\b)[\w' -]{2,40} (?:é|são) (?:o |a |os |as )?"
        r"(?:meu|minha)s? (?:[\w-]+ ){0,3}(?:favorit[oa]s?|preferid[oa]s?)\b",
    ),
    Form(
        "likes",
        Category.PREFERENCE,
        0.6,
        r"(?:eu )?(?:prefiro|odeio|detesto|adoro|amo|evito|n[ãa]o suporto|n[ãa]o aguento|n[ãa]o tolero|(?:morro de|"
        r"tenho(?: muito)?) (?:medo|pavor|nojo|pânico|horror|fobia) (?:d[eoa]s?|a)|(?:n[ãa]o |nunca |"
        r"já não |sempre )?(?:gosto|curto)(?: (?:muito|mais|bastante|nada|"
        r"demais))?(?: de)?(?! (?:muito|mais|bastante|nada|demais|imenso)$)|n[ãa]o sou (?:nada |"
        r"muito |grande coisa )?de|"
        r"(?:o|a|os|as) [\w ]{2,25} (?:eu )?(?:n[ãa]o |nem )?(?:suporto|aguento|consigo (?:comer|ver)|dispenso|detesto|"
        r"adoro|evito)|(?:n[ãa]o )?sou (?:muito |mais |super )?(?:fã|viciad[oa]|apaixonad[oa]|amante|"
        r"doid[oa]|louc[oa]) (?:d[eoa]s?|em|por)|sou mais d[eoa]|me dá (?:nojo|pavor|medo)) |"
        r"(?!(?:est[ea]|ess[ea]|isso|isto|tua|sua|a (?:primeir|segund|últim)\w*)\b)[\w ]{2,50} (?:é|"
        r"são) o que (?:eu )?mais (?:gosto|odeio|detesto)\b|[\w ]{2,30} (?:credo|eca|argh|que nojo|nem mort[oa])\b|"
        r"(?!(?:isso|isto|assim|não|já)\b)(?:[\w-]+ ){1,5}(?:n[ãa]o )?(?:me (?:faz|fazem|cai|caem) (?:mal|bem)|"
        r"me d(?:á|ão) (?:alergia|"
        r"enxaqueca|azia|medo|nojo|pânico|sono)|fazem?-me mal|dão-me|dá-me (?:alergia|azia|medo|nojo))(?= |$)",
        about_things=True,
        weak=True,
    ),
    Form(
        "habit",
        Category.PREFERENCE,
        0.55,
        r"(?:eu )?(?:já n[ãa]o|n[ãa]o|nunca|sempre|só|quase nunca|normalmente|geralmente) (?:posso )?(?:como|comer|"
        r"bebo|beber|"
        r"fumo|uso|utilizo|tomo|tomar|visto|escrevo|leio|compro|cozinho|viajo|comemos|bebemos|consumo|janto|"
        r"assisto|dirijo|conduzo)\b|(?:eu )?costumo (?:trabalhar|comer|beber|usar|acordar|escrever|jantar|\w+[aei]r) |"
        r"(?:eu )?(?:parei de|deixei de|larguei) (?:[oa] )?(?:fumar|beber|comer|usar|tomar|açúcar|álcool|cigarro|café|"
        r"carne|glúten)\b|(?:faço|sigo) (?:uma )?(?:dieta|jejum|low carb|keto|ramadão|ramadã)|(?:estou|tô) de dieta",
        about_things=True,
        weak=True,
    ),
    Form(
        "form of address",
        Category.PREFERENCE,
        0.7,
        rf"(?:por favor,? )?(?:pode(?:s|m)? )?(?:me chama|me chame|"
        rf"chama-me|chame-me|me chamar|chamar-me|tratar-me|me tratar)(?: só| apenas)?(?: de| por)? (?:{NAME}|tu\b|"
        rf"você\b|"
        rf"senhora?\b|\w+$)|todos me chamam |todo mundo me chama |(?:os )?(?:meus )?amigos (?:me chamam|chamam-me) |"
        r"(?:trata-me|trate-me|me trat[ae]) (?:por|de|com) |podemos tratar-nos por |"
        r"(?:n[ãa]o )?gosto que me (?:trates|trate|chames|chame|respondas|responda|fales|fale)\b|"
        r"(?:fala|fale|responde|responda)(?:-me| comigo)? (?:só |apenas |sempre )(?:em|com) ",
    ),
    Form(
        "name",
        Category.FACT,
        0.8,
        r"(?:eu )?me (?:ch|x)amo |(?:eu )?chamo-me |(?:o )?meu (?:nome|sobrenome|apelido)(?: completo)? (?:é|"
        r"se escreve|escreve-se) |"
        rf"(?:eu )?sou (?:o|a) {NAME}(?=,|$| de | e )|aqui (?:é|quem fala é) (?:o |a )?{NAME}",
    ),
    Form(
        "trait",
        Category.FACT,
        0.65,
        rf"{NOT}sou (?!(?:o |a )?(?:seu|sua|teu|tua)\b)(?:uma? |o |a )?(?:[\w-]+ ){{0,2}}(?:{JOBS}|{TRAITS})\b|"
        rf"{NOT}(?:sou|somos) (?:de|do|da|dos|das|natural de|natural do) (?:{NAME}|\w+(?=,|$| e| mas))|"
        rf"(?:eu )?(?:tenho|"
        rf"já fiz|faço) {AGE}(?! (?:de garantia|de prazo|para|pra))|(?:eu )?nasci (?:em|no|na) |"
        rf"(?:eu )?sou uma? (?!{NO_ROLE}\b)[a-zà-ÿ]|{NOT}sou (?:muito |bastante |meio |"
        rf"super )?(?!{NO_TRAIT}\b)[a-záéíóúâêôãõç]{{4,}}\b|"
        rf"(?:[oa] )?(?:meu |minha )?(?:médic[oa]|doutora?|psiquiatra|neuro\w*|cardio\w*|dermato\w*|gineco\w*|pediatra)"
        rf" (?:me )?(?:receitou|passou|diagnosticou|mandou|proibiu|prescreveu)(?:-me)?|(?:estou|tô|tou|"
        rf"ando) no (?:primeiro|segundo|"
        rf"terceiro|quarto|quinto|último|\d\w*) (?:ano|período|semestre)|tod[oa]s? (?:mundo |nós )?(?:é|são|"
        rf"somos) {TRAITS}|"
        rf"tenho \d[,.m]\d+(?: metros?)? de altura|(?:eu )?sou (?:o |a )?(?:{TRADE}|ceg[oa]\b)|(?:eu )?(?:tenho|"
        rf"sofro de|"
        rf"temos|vivo com|convivo com|fui diagnosticad[oa] com|(?:me "
        rf")?diagnosticaram(?:-me)? com) (?!(?:\w+ ){{0,3}}(?:sobre|com|contra|que|para|pra|dúvida|pergunta|trabalho|"
        rf"exame|consulta)\b)(?:\w+ ){{0,3}}{ILL}\b|"
        rf"(?:comemos|cozinhamos|como) (?:kosher|halal|sem |vegano|vegetariano)|"
        rf"somos (?:muito |tod[oa]s )*(?:uma? (?!{NO_ROLE}\b)\w+|{TRAITS}|{JOBS}s|{TRADE}|(?:cinco|seis|quatro|três|"
        rf"dois|\d) (?:em|cá|lá|aqui|pessoas))|(?:aqui |cá |lá )?em casa (?:tod[oa]s? (?:mundo )?(?:é|são|somos)|"
        rf"somos|falamos|a gente|comemos|não|ninguém come|moramos)\b|(?:a gente|nós) (?:é|somos) {TRAITS}|"
        rf"(?:eu )?(?:ando de|uso) (?:cadeira de rodas|muletas)|(?:eu )?uso (?:uma? )?(?:{ILL}|óculos|lentes|aparelho "
        rf"auditivo|bomba de insulina)|meço (?:um|1)|peso \d|calço \d|"
        rf"(?:como (?:eu )?sou|por ser|sendo) (?:uma? )?(?:[\w-]+ ){{0,2}}(?:{JOBS}|{TRAITS})\b|{LIKE_ME}|{MINE}|"
        rf"(?:fui )?(?:operad[oa]|diagnosticad[oa]) (?:d[oae]|com)|(?:me )?(?:operaram|diagnosticaram)(?:-me)? |"
        rf"n[ãa]o posso (?:comer|beber|"
        rf"tomar|carregar|correr|levantar|pegar peso|dirigir|conduzir|voar|caminhar|nadar)|tenho {YEARS} de "
        rf"experiência|(?:vivo|moro|trabalho|estou|estudo|toco|dou aulas?) (?:há|faz) {YEARS}|(?:há|"
        rf"faz) {YEARS} que (?:eu )?"
        rf"(?:moro|vivo|trabalho|toco|sou|estudo|jogo)|"
        r"(?:eu )?(?:cresci|fui criad[oa]) (?:em|no|na) |(?:estou|tô|tou) (?:casad[oa]|divorciad[oa]|grávida|"
        r"aposentad[oa]|"
        r"reformad[oa]|desempregad[oa]|aprendendo |a aprender |estudando (?:para|pra|medicina|direito)|"
        r"a estudar (?:para|"
        r"medicina|direito)|separad[oa]|de licença|de baixa|a fazer (?:o|um) (?:mestrado|doutoramento)|"
        r"fazendo (?:mestrado|"
        r"doutorado|faculdade))",
    ),
    Form(
        "place or work",
        Category.FACT,
        0.65,
        rf"(?:faço|trabalho por|trabalho em) (?:turnos?|escala|plantões)\b|(?:dou|damos) aulas?\b|"
        rf"(?:{NOT}(?:moro|vivo|resido|moramos|vivemos)|a gente mora) (?:agora |atualmente |mais )?(?:em|no|na|numa?|"
        rf"nos|nas|"
        rf"com|perto|sozinh[oa]|ao|à|a|de(?! amores)|há)\b|"
        rf"{NOT}(?:trabalho|trampo|trabalhamos) (?:agora |atualmente |mais |só |sempre |também )?(?:em|no|na|como|para|"
        rf"pra|"
        rf"por|de|com|desde|numa?|à|às|a|ao|aos|remoto|meio|há|das|nos|nas)\b|"
        rf"{NOT}(?:estudo|ensino|leciono|curso) (?!est[eao]|ess[ea]|a (?:função|possibilidade))\w|(?:eu )?(?:acabei|"
        rf"acabamos|acabámos) de (?:me )?(?:mudar|casar|adotar|comprar {OWNED}|ter (?:um|uma|meu|"
        rf"dois) (?:\w+ )?(?:filh|beb|nen|g[eêé]me)|abrir (?:uma?|meu|minha)|me aposentar|aposentar|"
        rf"reformar|formar|começar (?:a trabalhar|em|no|na|a faculdade))|faço (?:faculdade|mestrado|doutorado|medicina|"
        rf"direito|engenharia|enfermagem|graduação|pós|licenciatura|um curso de)|"
        rf"(?:eu )?(?:me|nos) (?:mudei|casei|formei|divorciei|aposentei|mudamos|casamos|dedico) ?|"
        rf"(?:eu )?(?:mudei-me|mudámo-nos|casei-me|reformei-me|dedico-me) |(?:eu )?(?:mudei|saí) (?:para|de|da|"
        rf"do) {NAME}|"
        rf"(?:eu )?entrei (?:na|no) {NAME}|(?:abri|montei) (?:uma?|meu|minha) ",
    ),
    Form(
        "belonging",
        Category.FACT,
        0.6,
        rf"(?:eu |a gente )?(?:n[ãa]o )?(?:tenho|temos|tem|comprei|compramos|adotei|adotamos|adotámos) {OWNED}|"
        rf"(?:eu )?(?:entendo|leio|domino|arranho) (?:bem |um pouco de )?(?:o )?{LANGUAGE}\b|"
        r"(?:eu )?(?:falo|falamos) (?!sério|a sério|mal\b|bem\b|muito\b|pouco\b|alto\b|de\b|com\b|sobre\b|d[oa]\b|"
        r"que\b|"
        r"em (?:público|nome))|(?:eu )?(?:aprendo|estou "
        r"aprendendo|estou a aprender) (?!que\b)|(?:eu )?toco (?!n[oa]\b|em\b|nesse|neste)\w+|"
        r"(?:eu )?(?:jogo|jogamos) (?:futebol|vôlei|xadrez|rpg|basquete|ténis|tênis|padel|em|no|na|handebol)\b|(?:faço|"
        r"pratico|treino) (?:sobretudo |principalmente |muita |muito |mais )?(?:fotos?|fotografia|yoga|ioga|crossfit|"
        r"natação|ciclismo|boxe|judô|judo|jiu-jitsu|pilates|escalada|teatro|cerâmica|"
        r"corrida|surf|karatê|trilha|balé|voluntariado|musculação|muay)|corro (?:maratonas?|meias)|canto (?:n[ao]|num|"
        r"numa|em) |(?:eu )?(?:tomo|tomamos|injeto) (?:a |uma |meu |minha )?(?:pílula|comprimidos?|"
        r"insulina|anti\w+|medicação|ferro|[a-z]{4,}(?:ina|pril|tana|pam|azol|olol|statina))\b|"
        r"(?:eu )?(?:(?:me )?(?:encarrego|ocupo)(?:-me)? d[aoe]s?|trato d[aoe]s?|lidero|dirijo|mantenho|gerencio|"
        r"plantei|coleciono|crio|cultivo|cuido d[aoe]s?|treino|vendo(?= \w+s\b)|fabrico|coordeno|"
        r"administro|restauro|danço) (?:uma?|[oa]s?|meus?|minhas?|de|dois|duas|em|\d+|\w+s)\b",
    ),
    Form(
        "schedule",
        Category.FACT,
        0.55,
        rf"(?:eu )?(?:me )?(?!receb|tenh|vej|tent|perc|perd|esque|quer|poss|dev|precis|"
        rf"como )[a-záéíóúâêôãõç]{{2,12}}(?:o|ou|amos|emos|imos)(?:-me)? (?:[\w:.-]+ ){{0,7}}?{OFTEN}(?!\w)|"
        rf"tenho (?:[\w-]+ ){{1,6}}{OFTEN}(?!\w)|{OFTEN_FIRST},? (?:é|tem|há) \w|{OFTEN_FIRST},? (?:eu |n[ãa]o |me |"
        rf"a gente )*(?!receb|quer|poss|dev|precis|"
        rf"vej)[a-záéíóúâêôãõç]{{1,12}}(?:o|ou|amos|emos|imos)(?:-me)?\b|{OFTEN_FIRST},? a gente \w",
        about_things=True,
        weak=True,
    ),
    Form(
        "for years",
        Category.FACT,
        0.6,
        r"(?:eu )?(?:n[ãa]o |me )*(?!esper|procur|tent|quer|poss|ach)[a-záéíóúâêôãõç]{2,12}(?:o|ou|amos|emos|"
        r"imos)(?:-me)? (?:[\w-]+ )"
        r"{0,8}?(?:(?:desde )?(?:há|faz) (?:[\w-]+ ){1,3}(?:anos|meses)\b|desde (?:os \d+|criança|pequen[oa]|sempre|"
        r"miúd[oa]|"
        r"menin[oa]|jovem|a (?:faculdade|infância)|(?:19|20)\d\d))",
        weak=True,
    ),
    Form(
        "attribute",
        Category.FACT,
        0.65,
        rf"(?:o |a )?(?:meu|minha) (?:[\w-]+ )?{THINGS} é uma? (?!{NO_ROLE}\b)|(?:o |a )?(?:meu|minha|"
        rf"noss[oa]) (?:[\w-]+ )?{THINGS} (?:tem|mede|é de) (?:\w+ )?\d|"
        rf"(?:o |a )?(?:meu|minha)s? (?:nov[oa] )?{ATTRIBUTES}(?: de \w+)? (?:é|são|fica|começa|cai|calha) (?!lent[oa]|"
        rf"muito |est[ea]\b"
        rf"|o que\b)",
    ),
    Form(
        "tools",
        Category.FACT,
        0.6,
        r"(?:eu |nós |a gente |sempre )?(?:(?:está )?tudo (?:roda|corre|está|fica|é)? ?(?:em|no|na)|(?:rodamos|rodo|"
        r"corremos|corro|temos|tenho) tudo (?:em|no|na)|"
        r"(?:programo|desenvolvo|desenvolvemos) (?:em|com)|uso|usamos|usa|utilizamos|utilizo|implantamos|hospedamos|"
        r"programamos|programo|"
        r"só uso|só usamos|não usamos|já não usamos|vendemos|fabricamos|faturamos|cultivamos|criamos|produzimos|"
        r"exportamos|importamos|distribuímos|"
        r"gerimos|organizamos (?!uma? )|restauramos|editamos|alugamos|atendemos|fabrico|exporto|"
        r"trabalhamos (?:com|em)) (?!.*\b(?:aqui|mas)\b)(?<!^usa )|"
        r"(?:o |a )?(?:noss[oa]s?|o|a|meu|minha) (?:[\w-]+ ){0,2}(?:projeto|backend|frontend|banco de dados|"
        r"base de dados|servidor|time|equipe|equipa|empresa|loja|"
        r"aplicação|aplicativo|app|api|site|repositório|repo|cluster|pipeline|código|produto|branch principal|"
        r"stack|serviço|escritório) "
        r"(?:usa|utiliza|roda (?:em|no|na)|corre (?:em|no)|é (?:escrit[oa]|feit[oa]|hospedad[oa]) |está (?:em|"
        r"no|na|hospedad[oa])|fica (?:em|no|na)|se chama|chama-se|começa|é baseado|trabalha) ?",
        about_things=True,
        weak=True,
    ),
)
