"""Small words of the languages besides English that are read for facts: German, Spanish, Turkish, Russian.

By language: words that tell which it is, those in which claims are framed (they prove nothing), those that deny, those
that leave open, those by which others are quoted, and those that change what is known of a life, each with what
licenses it. Words are written as they are said; stems are made of them where they are read.
"""

from __future__ import annotations

from collections.abc import Mapping

TELLING: Mapping[str, str] = {
    "en": """the i i'm my is am are to of was with for that it have has you she he we on not and at this in a
        live""",
    "de": """ich bin und nicht der das ist habe hab hat mein meine meiner meinen wir uns eine einen auf mit bei
        nach seit heute auch aber noch mir mich zu vom im am für gegen dass wohne sie er den dem des von ein
        heißt""",
    "es": """el la los las que de en y mi mis soy tengo vivo una un con para por no es está estoy pero me se muy
        al del hace trabajo""",
    "tr": """ben bir ve çok için ama benim bu da de var değil mi mı ile oldu yok daha gibi şey kadar adım""",
}

FRAME: Mapping[str, str] = {
    "de": """der die das ein eine einen einem einer und in im an am auf bei mit von vom zu zum zur für nutzer
        nutzerin nutzers benutzer benutzerin hat haben habe ist sind sei bin heißt wohnt wohnen wohne lebt
        leben lebe mag mögen sein seine seinen seiner seinem ihr ihre ihren ihrer ihrem er sie es sich als
        arbeitet arbeiten arbeite namens name gegen nicht kein keine""",
    "es": """el la los las un una unos unas y o en de del al a con por para usuario usuaria vive vivir vivo tiene
        tener tengo es está ser soy se llama llamo su sus mi mis le gusta me lo trabaja trabajo como que no""",
    "tr": """bir ve kullanıcı kullanıcının kullanıcıya yaşıyor yaşıyorum yaşar oturuyor oturuyorum var seviyor
        seviyorum adı adım onun benim ben o olarak çalışıyor çalışıyorum bu için ile değil yok""",
    "ru": """пользователь пользователя пользователю пользовательница живёт живет живу зовут любит люблю у есть в
        во на и его её ее их он она я меня мой моя моё мои работает работаю как с со не это имеет к по от""",
}

NO: Mapping[str, str] = {
    "de": r"\b(?:nicht|nie|niemals|kein\w{0,2}|keineswegs|weder)\b",
    "es": r"\b(?:no|nunca|jamás|tampoco|ningun[oa]?|ningún|sin)\b",
    "tr": r"\b(?:değil\w{0,6}|yok\w{0,4}|hiç|asla)\b|\w{2}m[ıiuü]yor|\w{2}m[ae]d[ıi]|(?<!na)m[ae]z\b"
    r"|\w{2}m[ae]y[ae]c[ae]",
    "ru": r"\b(?:не|нет|никогда|ни)\b",
}

OPEN: Mapping[str, str] = {
    "de": r"\b(?:würde\w{0,3}|wäre\w{0,2}|hätte\w{0,2}"
    r"|könnte\w{0,3}|möchte\w{0,3}|wünsch\w{0,5}|vielleicht|eventuell|vermutlich"
    r"|falls|wenn|ob|träum\w{0,4}|fast|beinahe|überleg\w{0,3}|früher|angeblich)\b",
    "es": r"\b(?:quisiera|gustaría|ojalá|quizás?|tal vez|acaso|si(?! chiama)|sería"
    r"|podría|sueño|soñé|casi|antes|supuestamente|imagina)\b",
    "tr": r"\b(?:keşke|belki|eğer|istiyorum|isterdim|isterim|galiba|sanki|neredeyse|eskiden|hayal"
    r"|rüya\w{0,6}|olsa)\b|\ws[ae]m\b|s[ae]yd[ıi]",
    "ru": r"\b(?:если|бы|хотел\w?|хочу|мечтаю|может|возможно|наверное|будто|почти|раньше|якобы|снилось)\b",
}

EVER: Mapping[str, str] = {
    "de": r"\b(?:(?P<ever>immer|nie|niemals|ständig|jede\w{0,2})|alle\w{0,2})\b",
    "es": r"\b(?:(?P<ever>siempre|nunca|jamás|cada)|tod[oa]s?)\b",
    "tr": r"\b(?:(?P<ever>her|hep|daima|asla|hiç)|bütün)\b",
    "ru": r"\b(?:(?P<ever>всегда|никогда|постоянно|кажд\w{1,3})|вс[её])\b",
}

REASON: Mapping[str, str] = {
    "de": r"\b(?:weil|denn|damit|wegen|deshalb)\b",
    "es": r"\b(?:porque|para que|por eso)\b",
    "tr": r"\b(?:çünkü|yüzünden|diye)\b",
    "ru": r"\b(?:потому|поэтому|чтобы|из-за)\b",
}

HEARSAY: Mapping[str, str] = {
    "de": r"\b(?:sagt\w{0,2}|gesagt|erzählt\w{0,2}|meint\w{0,2}|behauptet\w{0,2}|schreibt|schrieb|glaubt"
    r"|laut)\b",
    "es": r"\b(?:dice|dicen|dijo|dijeron|cuenta|contó|afirma|cree|escribió|según)\b",
    "tr": r"\b(?:dedi|diyor|söyledi|söylüyor|anlattı|yazdı|göre|sanıyor)\b",
    "ru": r"\b(?:сказала?|сказали|говорит|говорят|утверждает|думает|считает|пишет"
    r"|написала?|рассказала?)\b",
}

GRAVE: Mapping[str, str] = {
    "de": """
gestorben tot tod stirbt starb beerdigung witwe witwer verstorben | verloren begraben friedhof
selbstmord suizid suizidal | umbringen sterben
ermordet mörder mord getötet | erschossen
krebs tumor chemotherapie | leukämie onkologe
demenz schlaganfall hiv aids | alzheimer
depression depressionen depressiv bipolar psychose schizophrenie autismus magersucht | hoffnungslos therapeut
behindert gelähmt | rollstuhl
süchtig sucht alkoholiker alkoholikerin drogen heroin kokain | trinke entzug nüchtern
missbraucht missbrauch vergewaltigt misshandelt gewalt | schlägt geschlagen
gefängnis haft verhaftet verurteilt kriminell straftäter | gericht strafe
gekündigt entlassen arbeitslos | kündigung verloren job
bankrott schulden pleite obdachlos | insolvent kredit miete
geschieden scheidung getrennt | exfrau exmann trennung
fremdgegangen affäre betrogen | untreu
schwanger schwangerschaft fehlgeburt abtreibung unfruchtbar | baby erwarte erwarten
schwul lesbisch bisexuell transgender | freundin freund
muslim muslimin jüdisch christlich katholisch atheist | moschee kirche synagoge bete glaube
millionär millionärin milliardär | reich
""",
    "es": """
muerto muerta murió muerte falleció fallecido funeral viuda viudo | perdí enterramos cementerio
suicidio suicida suicidarse | matarme morir
asesinado asesino asesinato | mataron
cáncer tumor quimioterapia | leucemia oncólogo
demencia ictus vih sida | alzhéimer
depresión deprimido deprimida bipolar psicosis esquizofrenia autismo anorexia | terapeuta
discapacitado paralizado | silla ruedas
adicto adicta adicción alcohólico alcohólica drogas heroína cocaína | bebo sobrio
abuso abusado abusada violación violada maltrato maltratada violencia | pega pegaba
cárcel prisión arrestado detenido condenado criminal | juicio juzgado
despedido despedida desempleado desempleada paro | despidieron perdí trabajo
arruinado deudas bancarrota | debo préstamo
divorciado divorciada divorcio separado separada | ex
infiel aventura engañó | engañado
embarazada embarazo aborto estéril | bebé espero esperando
gay lesbiana bisexual transgénero | novia novio
musulmán musulmana judío judía católico católica ateo atea | mezquita iglesia sinagoga rezo creo
millonario millonaria | rico rica
""",
    "tr": """
öldü ölü ölüm vefat cenaze dul | kaybettim kaybettik mezarlık
intihar | öldürmek
öldürüldü cinayet katil | vuruldu
kanser tümör kemoterapi | lösemi onkolog
demans felç hiv aids | alzheimer
depresyon bipolar psikoz şizofreni otizm anoreksiya | terapist umutsuz
engelli felçli | sandalye
bağımlı bağımlısı alkolik uyuşturucu eroin kokain | içiyorum ayık
istismar tecavüz şiddet | dövüyor
hapis hapishane tutuklandı suçlu mahkum | mahkeme
kovuldu işsiz | kovuldum kovdular
iflas borç borçlu evsiz | kredi
boşandı boşanma boşanmış ayrıldı | boşandım ayrıldım
aldattı sadakatsiz | aldattım
hamile hamilelik düşük kürtaj kısır | bebek bekliyorum
eşcinsel gey lezbiyen biseksüel | sevgilim
müslüman yahudi hristiyan ateist | cami kilise sinagog
milyoner | zengin
""",
    "ru": """
умер умерла смерть погиб похороны вдова вдовец скончался | потеряли похоронили кладбище
самоубийство суицид | убить
убит убийца убийство | застрелили
рак опухоль химиотерапия | лейкемия онколог
деменция инсульт вич спид | альцгеймер
депрессия биполярное психоз шизофрения аутизм анорексия | психотерапевт
инвалид парализован | коляска
алкоголик наркоман зависимость наркотики героин кокаин | пью трезвый
насилие изнасилование изнасилована домогательства | бьёт бил
тюрьма арестован арестована осуждён осужден преступник | суд
уволен уволена безработный безработная | уволили
банкрот долги бездомный | кредит
развод развёлся развелась разведён разведена | расстались
измена изменил изменила | изменяет
беременна беременность выкидыш аборт бесплодна | ребёнка жду
гей лесбиянка бисексуал | девушка парень
мусульманин мусульманка еврей христианин католик атеист | мечеть церковь синагога
миллионер миллиардер | богат
""",
}

THIRD: Mapping[str, str] = {
    "de": r"\b(?:er|sie|sein\w{0,2}|ihm|ihn|ihr\w{0,2}|die|der)\b",
    "es": r"\b(?:él|ella|ell[oa]s|sus?|les?)\b",
    "tr": r"\b(?:o|onu|ona|onun|onlar\w{0,3})\b",
    "ru": r"\b(?:он|она|они|его|её|ему|ей|их|им)\b",
}
"""What points at somebody who is neither the writer nor whom they write to."""
