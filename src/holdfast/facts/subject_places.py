"""Which places are countries, regions or large towns, in the languages of the sentence forms.

Who lives in Rome lives in Italy, and both sentences are true. A small gazetteer tells the two apart: a town that it
does not know may lie in any country, and contradicts none.
"""

from __future__ import annotations

import re
from enum import StrEnum
from functools import cache
from typing import Final, NamedTuple

__all__ = ["Place", "is_in_a_country", "is_known", "one_lies_in_the_other", "place_meant", "places_agree"]

# The code of a country, its names, and its large towns; `_` stands for a blank, `/` between names of one town.
_GAZETTEER: Final = """
ad andorra andorre :
ae uae united_arab_emirates emirates vereinigte_arabische_emirate émirats_arabes_unis emiratos_árabes_unidos : \
dubai/dubái abu_dhabi
al albania albanien albanie albânia : tirana
am armenia armenien arménie armênia : yerevan
ao angola : luanda
ar argentina argentinien argentine : buenos_aires córdoba_argentina rosario
at austria österreich autriche áustria : vienna/wien/vienne/viena graz linz salzburg/salzbourg/salzburgo innsbruck \
klagenfurt
au australia australien australie austrália : sydney melbourne brisbane perth adelaide canberra
az azerbaijan aserbaidschan azerbaïdjan : baku
ba bosnia bosnien bosnie bósnia : sarajevo
bd bangladesh bangladesch : dhaka
be belgium belgien belgique bélgica belgio : brussels/brüssel/bruxelles/bruselas/bruxelas antwerp/antwerpen \
ghent/gent
bg bulgaria bulgarien bulgarie bulgária : sofia
bo bolivia bolivien bolivie bolívia : la_paz
br brazil brasilien brésil brasil brasile : são_paulo/sao_paulo rio_de_janeiro/rio brasília salvador recife curitiba \
porto_alegre belo_horizonte fortaleza manaus belém goiânia campinas florianópolis natal joão_pessoa maceió vitória \
campo_grande cuiabá ribeirão_preto
by belarus biélorussie bielorrusia : minsk
ca canada kanada canadá : toronto montreal/montréal vancouver ottawa calgary
ch switzerland schweiz suisse suiza suíça svizzera : zurich/zürich/zúrich/zurique/zurigo geneva/genf/genève/ginebra \
basel/bâle/basilea bern/berne/berna lausanne lucerne/luzern winterthur \
st._gallen lugano
cl chile chili cile : santiago/santiago_de_chile valparaíso
cm cameroon kamerun cameroun camerún camarões : yaoundé
cn china chine cina : beijing/peking/pékin/pekín/pequim shanghai shenzhen guangzhou
co colombia kolumbien colombie colômbia : bogotá/bogota medellín cali
cr costa_rica : san_josé
cu cuba kuba : havana/havanna/la_habana
cy cyprus zypern chypre chipre : nicosia
cz czechia czech_republic tschechien tchéquie chequia tchéquia cechia : prague/prag/praga brno/brünn
de germany deutschland allemagne alemania alemanha germania : berlin/berlín/berlim/berlino \
munich/münchen/múnich/munique hamburg/hambourg/hamburgo cologne/köln/colonia/colônia frankfurt/francfort stuttgart \
düsseldorf leipzig dresden/dresde hanover/hannover nuremberg/nürnberg bremen/brême bonn ulm freiburg mainz \
heidelberg karlsruhe mannheim dortmund essen potsdam rostock kiel lübeck bielefeld bochum wuppertal duisburg münster \
augsburg wiesbaden braunschweig chemnitz magdeburg halle aachen krefeld oberhausen erfurt kassel hagen saarbrücken \
hamm ludwigshafen oldenburg osnabrück leverkusen solingen darmstadt paderborn regensburg ingolstadt würzburg \
wolfsburg göttingen heilbronn pforzheim erlangen jena trier koblenz bamberg tübingen konstanz passau schwerin \
cottbus siegen flensburg
dk denmark dänemark danemark dinamarca danimarca : copenhagen/kopenhagen/copenhague aarhus
do dominican_republic república_dominicana : santo_domingo
dz algeria algerien algérie argelia argélia : algiers/alger
ec ecuador équateur equador : quito guayaquil
ee estonia estland estonie estônia : tallinn tartu
eg egypt ägypten égypte egipto egito egitto : cairo/kairo/le_caire/el_cairo
es spain spanien espagne españa espanha spagna : madrid barcelona/barcelone/barcellona \
seville/sevilla/séville/sevilha valencia bilbao málaga granada zaragoza cádiz palma alicante córdoba valladolid vigo \
gijón vitoria pamplona santander almería oviedo salamanca san_sebastián donostia burgos murcia_ciudad toledo badajoz \
león huelva tarragona
et ethiopia äthiopien éthiopie etiopía etiópia : addis_ababa
fi finland finnland finlande finlandia finlândia : helsinki tampere
fr france frankreich francia frança : paris/parís/parigi lyon marseille/marsella/marselha nice/nizza/niza toulouse \
bordeaux/burdeos lille nantes strasbourg/straßburg/estrasburgo rennes grenoble montpellier reims le_havre dijon \
angers nîmes toulon saint-étienne brest tours limoges amiens annecy metz besançon orléans mulhouse rouen caen nancy \
avignon
gb uk united_kingdom great_britain britain großbritannien grossbritannien royaume-uni reino_unido regno_unito : \
london/londres/londra manchester birmingham edinburgh glasgow bristol leeds liverpool cardiff belfast oxford \
cambridge sheffield newcastle nottingham leicester brighton southampton portsmouth plymouth york bath aberdeen \
dundee swansea reading coventry norwich exeter
gh ghana : accra
gr greece griechenland grèce grecia grécia : athens/athen/athènes/atenas/atene thessaloniki
gt guatemala :
hk hong_kong hongkong :
hr croatia kroatien croatie croacia croácia : zagreb split
hu hungary ungarn hongrie hungría hungria ungheria : budapest/budapeste
id indonesia indonesien indonésie indonésia : jakarta bali
ie ireland irland irlande irlanda : dublin/dublín/dublino cork galway
il israel israël israele : tel_aviv jerusalem haifa
in india indien inde índia : delhi/new_delhi mumbai bangalore/bengaluru chennai hyderabad pune kolkata
iq iraq irak iraque : baghdad
ir iran irán irã : tehran/teheran
is iceland island islande islandia islândia : reykjavik/reykjavík
it italy italien italie italia itália : rome/rom/roma milan/mailand/milano/milão/milán naples/neapel/napoli \
turin/torino florence/florenz/firenze/florencia venice/venedig/venezia/venise bologna palermo genoa/genua/genova
jm jamaica jamaika jamaïque : kingston
jo jordan jordanien jordanie jordania : amman
jp japan japon japón japão giappone : tokyo/tokio/tóquio osaka kyoto/kioto
ke kenya kenia quênia : nairobi
kh cambodia kambodscha cambodge camboya camboja : phnom_penh
kr south_korea korea südkorea corée_du_sud corea_del_sur : seoul/séoul/seúl/seul busan
kz kazakhstan kasachstan : almaty
lb lebanon libanon liban líbano : beirut/beyrouth
li liechtenstein :
lk sri_lanka : colombo
lt lithuania litauen lituanie lituania lituânia : vilnius
lu luxembourg luxemburg luxemburgo lussemburgo :
lv latvia lettland lettonie letonia letônia : riga
ma morocco marokko maroc marruecos marrocos marocco : casablanca rabat marrakesh/marrakech
mc monaco mónaco :
md moldova moldawien moldavie : chișinău
me montenegro monténégro : podgorica
mk north_macedonia nordmazedonien macédoine_du_nord : skopje
mt malta malte : valletta
mx mexico mexiko mexique méxico messico : mexico_city/ciudad_de_méxico guadalajara monterrey
my malaysia malaisie malasia malásia : kuala_lumpur
mz mozambique mosambik moçambique : maputo
ng nigeria nigéria : lagos abuja
nl netherlands holland niederlande niederlanden pays-bas países_bajos holanda países_baixos paesi_bassi olanda : \
amsterdam rotterdam the_hague/den_haag/la_haye utrecht eindhoven
no norway norwegen norvège noruega norvegia : oslo bergen trondheim stavanger
np nepal népal : kathmandu
nz new_zealand neuseeland nouvelle-zélande nueva_zelanda nova_zelândia : auckland wellington christchurch
pa panama panamá :
pe peru pérou perú perù : lima cusco
ph philippines philippinen filipinas : manila
pk pakistan pakistán paquistão : karachi lahore islamabad
pl poland polen pologne polonia polônia polónia : warsaw/warschau/varsovie/varsovia/varsóvia \
krakow/kraków/krakau/cracovie gdansk/gdańsk wrocław
pt portugal portogallo : lisbon/lissabon/lisbonne/lisboa/lisbona porto/oporto/o_porto coimbra braga faro aveiro \
évora setúbal leiria viseu funchal guimarães
py paraguay paraguai : asunción
qa qatar katar catar : doha
ro romania rumänien roumanie rumania romênia : bucharest/bukarest/bucarest
rs serbia serbien serbie sérvia : belgrade/belgrad
ru russia russland russie rusia rússia : moscow/moskau/moscou/moscú/moscovo saint_petersburg/st._petersburg
sa saudi_arabia saudi-arabien arabie_saoudite arabia_saudí arábia_saudita : riyadh jeddah
se sweden schweden suède suecia suécia svezia : stockholm/estocolmo/stoccolma gothenburg/göteborg malmö uppsala lund
sg singapore singapur singapour singapura :
si slovenia slowenien slovénie eslovenia : ljubljana
sk slovakia slowakei slovaquie eslovaquia : bratislava
sn senegal sénégal : dakar
th thailand thaïlande tailandia tailândia : bangkok chiang_mai
tn tunisia tunesien tunisie túnez tunísia : tunis
tr turkey türkei turquie turquía turquia turchia : istanbul ankara izmir
tw taiwan taïwan taiwán : taipei
tz tanzania tansania tanzanie : dar_es_salaam
ua ukraine ucrania ucrânia ucraina : kyiv/kiev/kiew lviv odesa
ug uganda ouganda : kampala
us usa us u.s united_states america vereinigte_staaten amerika états-unis estados_unidos stati_uniti : \
new_york/nueva_york/nova_york/nyc/new_york_city los_angeles/la chicago san_francisco/sf boston seattle austin denver \
portland miami philadelphia houston dallas atlanta san_diego washington las_vegas detroit palm_springs phoenix \
san_antonio san_jose columbus charlotte indianapolis nashville baltimore milwaukee albuquerque sacramento \
kansas_city minneapolis cleveland new_orleans tampa orlando pittsburgh cincinnati st._louis salt_lake_city honolulu \
raleigh oakland buffalo boise madison ann_arbor
uy uruguay uruguai : montevideo
uz uzbekistan usbekistan : tashkent
ve venezuela : caracas
vn vietnam : hanoi saigon/ho_chi_minh_city
za south_africa südafrika afrique_du_sud sudáfrica áfrica_do_sul : cape_town/kapstadt johannesburg durban
"""
_REGIONS: Final = """
gb england/inglaterra/angleterre scotland/schottland/écosse/escocia/escócia wales northern_ireland
de bavaria/bayern/bavière/baviera hesse/hessen saxony/sachsen thuringia/thüringen brandenburg baden-württemberg \
nordrhein-westfalen/nrw/north_rhine-westphalia niedersachsen/lower_saxony rheinland-pfalz saarland \
schleswig-holstein mecklenburg-vorpommern sachsen-anhalt
at tyrol/tirol carinthia/kärnten styria/steiermark vorarlberg
ch ticino/tessin wallis/valais graubünden
fr brittany/bretagne normandy/normandie provence alsace/elsass occitanie île-de-france corsica/corse/korsika
es catalonia/cataluña/catalunya/katalonien andalusia/andalucía/andalusien galicia basque_country/país_vasco asturias \
extremadura aragón navarra murcia canarias/canary_islands mallorca/majorca
it tuscany/toscana/toskana/toscane lombardy/lombardia sicily/sicilia/sizilien sardinia/sardegna/sardinien \
piedmont/piemonte veneto puglia umbria liguria calabria
pt algarve alentejo madeira açores/azores minho
be flanders/flandern wallonia/wallonie
us california/kalifornien/californie texas florida oregon colorado arizona nevada utah ohio michigan illinois \
massachusetts virginia north_carolina south_carolina west_virginia pennsylvania new_jersey minnesota wisconsin \
montana idaho alaska hawaii maine vermont connecticut maryland tennessee kentucky indiana iowa kansas missouri \
louisiana alabama mississippi arkansas oklahoma nebraska wyoming new_mexico north_dakota south_dakota new_hampshire \
rhode_island delaware
ca ontario quebec/québec british_columbia alberta nova_scotia manitoba saskatchewan
au queensland victoria tasmania new_south_wales
br bahia minas_gerais paraná santa_catarina rio_grande_do_sul pernambuco ceará goiás
se skåne småland
- georgia
"""
# They lie within a region or across several: beside one of its own country none of these is a contradiction.
_AREAS: Final = """
gb cornwall yorkshire kent surrey devon essex midlands lake_district highlands cotswolds
de ruhrgebiet/ruhr/ruhr_area black_forest/schwarzwald allgäu franken/franconia rheinland eifel harz schwaben
us silicon_valley bay_area midwest east_coast west_coast new_england deep_south pacific_northwest
es costa_brava costa_del_sol
fr côte_d'azur french_riviera
- scandinavia/skandinavien/scandinavie/escandinavia alps/alpen/alpes balkans/balkan pyrenees baltics benelux
"""
_CONTINENTS: Final = (
    "europe europa africa afrika afrique áfrica asia asien asie ásia south_america südamerika amérique_du_sud "
    "sudamérica américa_do_sul north_america nordamerika eu european_union"
)
_PART: Final = re.compile(
    r"(?:north|south|east|west|central|greater|inner|downtown|upper|lower|nord|süd|ost)(?:ern)?[ -](?=\w)"
)


_QUARTERS = """
new_york brooklyn manhattan queens bronx the_bronx harlem williamsburg astoria soho tribeca chelsea bushwick
los_angeles hollywood santa_monica venice_beach silver_lake echo_park
san_francisco mission the_mission soma castro the_castro sunset the_sunset
chicago hyde_park lincoln_park wicker_park logan_square
london camden hackney brixton islington shoreditch soho chelsea greenwich kensington notting_hill peckham clapham
berlin kreuzberg neukölln mitte friedrichshain charlottenburg prenzlauer_berg wedding moabit schöneberg pankow spandau
hamburg altona eimsbüttel st._pauli ottensen barmbek blankenese winterhude
munich schwabing giesing haidhausen sendling bogenhausen maxvorstadt pasing
cologne ehrenfeld nippes deutz kalk lindenthal
frankfurt sachsenhausen bornheim bockenheim
vienna leopoldstadt favoriten ottakring neubau josefstadt hietzing
zurich oerlikon wiedikon altstetten
paris montmartre belleville le_marais bastille ménilmontant saint-germain batignolles
lyon croix-rousse villeurbanne guillotière
marseille le_panier noailles
brussels ixelles schaerbeek molenbeek saint-gilles
madrid chamberí malasaña lavapiés salamanca chueca vallecas carabanchel
barcelona gràcia gracia eixample raval born poblenou sants barceloneta
mexico_city coyoacán condesa polanco roma_norte xochimilco
buenos_aires palermo recoleta san_telmo belgrano caballito
bogotá chapinero usaquén la_candelaria
lisbon alfama baixa belém bairro_alto chiado alvalade
porto ribeira foz cedofeita boavista
são_paulo pinheiros moema vila_madalena itaim_bibi liberdade
rio_de_janeiro copacabana ipanema leblon botafogo lapa tijuca
rome trastevere testaccio monti
milan navigli brera isola
amsterdam jordaan de_pijp oost
copenhagen nørrebro vesterbro østerbro
stockholm södermalm östermalm vasastan
oslo grünerløkka frogner
sydney bondi newtown surry_hills
melbourne fitzroy st_kilda brunswick
toronto scarborough etobicoke the_annex
tokyo shibuya shinjuku roppongi asakusa setagaya shimokitazawa
"""
"""Towns, each with quarters that people say they live in."""


class _Kind(StrEnum):
    TOWN = "town"
    REGION = "region"
    AREA = "area"
    COUNTRY = "country"
    CONTINENT = "continent"


class Place(NamedTuple):
    """A place: what it is, the name that is the same in all languages, and its country where that is known."""

    kind: str
    name: str
    country: str = ""


def is_known(value: str) -> bool:
    """Whether the gazetteer has a place."""
    return value in _places()


def place_meant(value: str) -> str:
    """A place in one spelling for all languages; what the gazetteer does not know is a town."""
    known = _places()
    bare = value.strip(" .,")
    found = known.get(bare) or known.get(_PART.sub("", bare, count=1))
    if found is None:
        found = Place(_Kind.TOWN, _PART.sub("", bare, count=1))
    return ":".join(found)


def places_agree(one: str, other: str) -> bool:
    """Whether somebody can live in both: one lies in the other, or nobody here knows that it does not."""
    first, second = (Place(*place.split(":")) for place in (one, other))
    if first.kind == second.kind != _Kind.AREA:
        parts = (first.name, second.name), (second.name, first.name)
        return any(part == whole or part.startswith((f"{whole} ", f"{whole}-")) for part, whole in parts)
    if first.country and second.country and _Kind.CONTINENT not in (first.kind, second.kind):
        return first.country == second.country
    return True


def is_in_a_country(place: str) -> bool:
    """Whether a place, in the one spelling, is known well enough to say in which country it is."""
    return bool(place.rpartition(":")[2])


def one_lies_in_the_other(one: str, other: str) -> bool:
    """Whether one is a quarter of the other, as Kreuzberg is of Berlin. Of a place that nobody here knows that is not
    assumed: most are towns and villages, and who names another one does not live in the first any more."""
    first, second = (Place(*place.split(":")) for place in (one, other))
    return second.name in _quarters().get(first.name, ()) or first.name in _quarters().get(second.name, ())


@cache
def _quarters() -> dict[str, frozenset[str]]:
    """The towns that have a quarter of this name."""
    found: dict[str, frozenset[str]] = {}
    for line in _QUARTERS.strip().splitlines():
        town, *quarters = _split(line)
        found |= {name: found.get(name, frozenset()) | {town} for name in quarters}
    return found


@cache
def _places() -> dict[str, Place]:
    found: dict[str, Place] = {}
    found |= {name: Place(_Kind.CONTINENT, name) for name in _split(_CONTINENTS)}
    for kind, listed in ((_Kind.REGION, _REGIONS), (_Kind.AREA, _AREAS)):
        for line in listed.strip().splitlines():
            code, *regions = _split(line)
            for region in regions:
                spellings = region.split("/")
                found |= {one: Place(kind, spellings[0], code.strip("-")) for one in spellings}
    for line in _GAZETTEER.strip().splitlines():
        countries, _, towns = line.partition(" :")
        code, *names = _split(countries)
        found |= {name: Place(_Kind.COUNTRY, code, code) for name in names}
        for town in _split(towns):
            spellings = town.split("/")
            found |= {one: Place(_Kind.TOWN, spellings[0], code) for one in spellings}
    return found


def _split(words: str) -> list[str]:
    return [word.replace("_", " ") for word in words.split()]
