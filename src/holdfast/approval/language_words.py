"""The words that text of each of five languages is full of; `review_reasons` tells by them what it can judge."""

from __future__ import annotations

from typing import Final

__all__ = ["LANGUAGE_WORDS"]

LANGUAGE_WORDS: Final = (
    """the a an i i'm i've my me we our us you your is are was am be been it this that of to in on for with and or
but not don't do does did have has had can could would should will what how why where when who which please
from at by as if so just use uses prefer like love hate live work remember always never now name she he they
said there any some all no yes note their these those more than into about because up out let's favorite
favourite call using here im ive dont got""",
    """ich mir mich mein meine meinen meiner wir uns unser unsere du dir dich dein deine ist sind war bin bist das
der die den dem des ein eine einen einem und oder aber nicht kein keine mit für auf von zu im in am an bei aus
nach wie was wo wenn dass als auch noch nur schon bitte danke kannst habe haben hat hab wird werden würde soll
es er sie man mal sehr mehr immer nie jetzt sofort merk merke wohne heiße arbeite mag gern lieber verwenden
benutze nutze hier gerade stell übersetze schreib nenn unserem diese dieser dieses zum zur über um da weil ne
nen unsre grad brauch such gibt gibts ja also esse welche welcher sie""",
    """je j'ai j'habite j'aime j'adore j' m'appelle moi mon ma mes nous notre nos on tu toi ton ta tes vous votre est
sont suis es c'est ce cette ces le la les l' un une des du de d' et ou mais ne n' pas plus jamais que qu' qui
quoi où comment pourquoi quand si avec pour sur dans par au aux en à chez il elle ils elles ça cela peux peut
peux-tu ai as avons avez ont bien très toujours désormais dorénavant s'il souviens souviens-toi retiens
traduis écris préfère déteste utilise utilisons travaille s'appelle appelle-moi voici merci être fait fais ke
ki pa jfais jsui jsuis jabite chu chuis jai prefere deteste depuis stp tout tous toutes toute leur lui y comme
parce puisque vu sans sous entre aussi alors donc car quel quelle réponds réponses dis mari femme fille fils
chien chat ans maison faut rien chaque évite arrête plutôt etre tres tutoie vouvoie mère père""",
    """soi bibo ola xq yo me mi mis nos nuestro nuestra tú tu tus te usted es son soy eres está están estoy el la los
las un una unos unas de del y o pero no ya que qué quién cómo dónde cuándo por para con sin en al a se lo le
si sí más muy siempre nunca hay tengo tiene tenemos he ha hemos había este esta esto ese esa eso aquí ahora
vivo trabajo prefiero gusta gustan encanta odio usamos uso recuerda recuerdas puedes quiero necesito creo
llamo llama llámame jefe jefa hermano dice dijo decidimos decidido desde hasta adelante partir bien gracias
favor traduce escribe imagina nuestros años hijos vos che laburo somos acá hola conmigo porfa dime cuando
tanto tantos tantas todo todos todas como porque también hace mucho ni sino entre sobre donde quien otro otra
algo nada cada hija hijo cosas contestes respondas uses hablas háblame contéstame respóndeme explícame hazme
dame perro perra gata casa nació vive estudio padre madre padres alergia alérgico alérgica meses tambien asi
aqui""",
    """sô só comigo ainda eh vc tbm eu me mim meu minha meus minhas nós nosso nossa você vocês tu teu tua seu sua é
são sou és está estão estou o a os as um uma uns umas de do da dos das no na nos nas e ou mas não já que quem
como onde quando porque por para pra com sem em ao à às se lhe isso isto este esta esse essa aqui agora aí
mais muito sempre nunca tem tenho temos há moro vivo trabalho prefiro gosto adoro odeio detesto usamos uso
lembre lembra lembre-se pode quero preciso acho chamo chama chefe irmã disse diz decidimos gente decidiu desde
até diante partir bem obrigado obrigada traduza escreva imagine anos filhos toda todo talvez numa num pelo
pela nao voce tô tou tá pro mãe pai tudo todos todas também cada outro outra nem entre sobre hoje fazer faz
ela ele eles responda responde respostas filho filha cachorro gato gata casa família tambem pelos pelas lá cá
sff pfv ser estar fui dele dela nossos nossas moramos vivemos somos queria""",
)
