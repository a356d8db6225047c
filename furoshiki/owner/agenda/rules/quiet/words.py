"""How each language asks not to be written to: patterns for what of a clause is left without its time and its "please".

A pattern fits the whole rest or nothing: "leave me alone" is an order, "leave me alone with your jokes" is about jokes.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Kind = Literal["write", "alone", "timed", "need", "end"]
"""`write` forbids messages and `alone` asks to be left alone, with an end or without one; `timed` counts only with an
end; `need` says what somebody needs, no order by itself: with an end, and where nothing is asked. `end` ends it."""


@dataclass(frozen=True)
class Saying:
    """One language's words. `lead` may open a clause, `soft` may stand anywhere and says nothing; `orders` by kind;
    `reported` in the same sentence says that somebody else speaks or is spoken to."""

    lead: re.Pattern[str]
    soft: re.Pattern[str]
    orders: Mapping[Kind, re.Pattern[str]]
    reported: re.Pattern[str]


def _make_saying(lead: str, soft: str, reported: str, **orders: str) -> Saying:
    return Saying(
        lead=re.compile(rf"(?:{lead})(?:$|[ ])"),
        soft=re.compile(rf"(?<![^ ])(?:{soft})(?![^ ])"),
        orders={kind: re.compile(pattern) for kind, pattern in orders.items()},  # type: ignore[misc]
        reported=re.compile(rf"(?<!\w)(?:{reported})(?!\w)"),
    )


_V = r"(?:write|text|message|msg|ping|contact|disturb|bother|call|notify|dm|reach out|check in|check|check up)"
_VING = (
    r"(?:writing|texting|messaging|pinging|contacting|disturbing|bothering|calling|notifying"
    r"|reaching out"
    r"|checking in|checking up|checking)"
)
_ME = r"(?: to| on| with)? me"
_MORE = r"(?: (?:again|anymore|any more|ever again|at all|first|anything|any messages|unprompted))*"
_ROOM = (
    r"(?:some |a bit of |a little |a little bit of )?(?:space|room|peace|peace quiet|quiet|silence"
    r"|time alone|alone time|time to myself)"
)
_BY_MYSELF = r"(?:alone|by myself|on my own|undisturbed|left alone|to myself|for myself)"

_EN = _make_saying(
    lead=(
        r"and|but|so|then|also|well|anyway|look|listen|hey|hi|hello|sorry|thanks|thank you|ok"
        r"|okay|yes|please|"
        r"(?:can|could|would|will) you|(?:i want|i need|i would like|i'd like|i am asking"
        r"|i'm asking) you(?: to)?|"
        r"(?:i'd|i would) (?:like|love|want|need|appreciate|prefer|be (?:glad|happy|grateful))"
        r" (?:it )?if you(?: would| could)?|you should|you can"
        r"|you may|try(?: to)?|"
        r"from now on|to"
    ),
    soft=(
        r"please|pls|plz|just|kindly|really|for now|right now|now|ok|okay|thanks|thank you|thx|honestly"
        r"|seriously|right now"
        r"|then|though|if you can|if possible|completely|totally|furo"
    ),
    reported=(
        r"told|tells?|telling|sa(?:y|ys|id|ying)|ask(?:s|ed)|wrote|writes|texted|messaged"
        r"|yell\w*|scream\w*|shout\w*"
        r"|beg(?:s|ged)|wish(?:es|ed)?|wants?|wanted|hop(?:e|es|ed)|replied|replies|translate"
        r"|lyrics|sings?|sang"
        r"|imagine|if|whenever|when|goes|was like|were like|is like|read|reads|let's|made|makes"
        r"|make|help|heard"
    ),
    write=(
        r"only (?:answer|write|reply) when i write(?: first| to you)?|"
        rf"(?:don't|dont|do not|don't you|never|not|not to|no longer|didn't|did not|wouldn't)(?: ever"
        rf"| even)? {_V}{_ME}{_MORE}"
        rf"|(?:stop|quit|cease) {_VING}{_ME}{_MORE}|(?:don't|dont|do not|stop|not to"
        rf"|not) (?:send|sending) me"
        r" (?:any |any more |more )?(?:messages|texts|anything|stuff|notifications|pings)"
        rf"|i (?:don't|dont|do not) want (?:to hear from you|any messages|you to {_V}{_ME}"
        rf"|to be (?:messaged|contacted"
        rf"|disturbed|bothered|texted|written to)){_MORE}|(?:i'd|i would) (?:rather"
        rf"|prefer)(?: that| it if)? you"
        rf" (?:didn't|did not|don't|wouldn't|not) {_V}{_ME}{_MORE}|no more (?:messages|texts"
        rf"|check-?ins|check ins|pings)"
        r"|no check-?ins|no check ins"
    ),
    alone=(
        rf"(?:leave|let) me (?:alone|be|in peace)|give me {_ROOM}|give me a break from (?:you"
        rf"|your messages)"
        rf"|(?:i )?(?:want|need|would like|wish) to be left (?:alone|in peace)"
        rf"|i'd like to be left (?:alone|in peace)"
    ),
    timed=(
        r"not a word|(?:don't|do not) say (?:a word|anything)|say nothing|shut up|go away|silent|"
        r"(?:be|stay|keep|go|remain) (?:quiet|silent)|quiet|silence|radio silence|mute yourself"
        r"|do not disturb(?: me)?"
        rf"|dnd|no (?:messages|texts|notifications|contact|pings)(?: from you)?|pause (?:messages"
        rf"|your messages)|hush"
        rf"|(?:there's |there is )?no need to {_V}{_ME}|you (?:don't|dont|do not) (?:have"
        rf"|need) to {_V}{_ME}"
        r"|(?:don't|dont|do not|not) (?:write|text|message|msg|ping|check in|contact"
        r"|reach out)(?: first)?"
        r"|stop (?:writing|texting|messaging|the messages|the check-?ins)|leave me"
    ),
    need=(
        rf"i (?:need|want|would like|could use"
        rf"|will need)(?: to have)?(?: to be)? (?:{_BY_MYSELF}|{_ROOM})"
        rf"|i'(?:d like|ll need)(?: to have)?(?: to be)? (?:{_BY_MYSELF}|{_ROOM})"
        rf"|need (?:to be )?(?:{_BY_MYSELF}|{_ROOM})"
        r"|i (?:need|want) a break from (?:you|messages|this chat)|i (?:need|want) time (?:for"
        r"|to) myself"
    ),
    end=(
        r"(?:you're allowed to |feel free to )?(?:write|text|message|ping|talk|speak|disturb|bother)"
        r"(?: to)?(?: me)?(?: first)?(?: again| any ?time| whenever(?: you (?:like|want))?| as before)+"
        r"|(?:you're allowed to |feel free to )(?:write|text|message|talk)(?: to)?(?: me)?(?: now)?"
        r"|(?:end|stop|cancel|lift|break|turn off) the (?:quiet|silence|quiet time|quiet mode|pause"
        r"|do not disturb)|(?:quiet mode|quiet|dnd|do not disturb) off|unmute yourself"
        r"|resume(?: your messages)?|(?:start|begin) (?:messaging|writing to|texting) me again"
        r"|(?:stop|no need to) be(?:ing)? (?:quiet|silent)(?: any ?more)?|the (?:quiet|silence) is over"
        r"|you (?:needn't|don't have to|don't need to) (?:be quiet|be silent|hold back|stay quiet)"
        r"(?: any ?more| any longer)?"
    ),
)

_DE_V = r"(?:schreiben|stören|melden|kontaktieren|anschreiben|texten|nerven)"
_DE_REST = r"(?:in ruhe|in frieden|allein|alleine|zufrieden)"
_DE_ROOM = r"(?:ein bisschen |ein wenig |etwas |meine )?(?:ruhe|abstand|raum|freiraum|stille|zeit für mich|zeit allein)"

_DE = _make_saying(
    lead=(
        r"und|aber|also|hey|hallo|danke|ok|okay|ja|bitte|(?:kannst|könntest|würdest|magst"
        r"|darfst)(?: du)?|ich (?:will|möchte)|dass"
        r"|ich bitte dich|du sollst|du kannst|du darfst|sorry|dann"
    ),
    soft=(
        r"bitte|mal|einfach|jetzt|erstmal|erst mal|doch|halt|eben|lieber|wirklich|nun|gerade"
        r"|danke|ok|okay|von dir aus"
        r"|ganz|komplett|erst einmal|dann|wieder mal"
    ),
    reported=(
        r"sag(?:t|te|ten|en|st)?|gesagt|mein(?:t|te|ten)|schrieb\w*|geschrieben|schreibt|bat"
        r"|bittet|gebeten|will|wollte"
        r"|wünscht|wenn|falls|ob|heißt|übersetz\w*|hoff\w*|ruft|rief|schreit|schrie|fragt|fragte"
        r"|liedtext|soll"
    ),
    write=(
        r"schreib(?:e|t|st du)? mir (?:gar )?(?:nicht|nichts|keine nachrichten)(?: mehr| an)?"
        r"|schreib(?:e|t)? mich nicht an"
        r"|meld(?:e)? dich (?:bei mir )?nicht(?: bei mir)?(?: mehr)?|(?:stör|störe|kontaktier"
        r"|kontaktiere|nerv|nerve) mich"
        rf" nicht(?: mehr)?|hör auf mir zu schreiben|hör auf mit den nachrichten|(?:mir"
        rf"|mich) (?:nicht|nichts|keine"
        rf" nachrichten)(?: mehr)? (?:zu )?{_DE_V}|(?:ich )?(?:will"
        rf"|möchte) (?:nichts von dir hören|nicht gestört werden"
        r"|keine nachrichten(?: bekommen| von dir)?)|nichts von dir hören|nicht gestört werden"
        r"|keine check-?ins"
        r"|keine nachrichten mehr|schick(?:e)? mir (?:nichts|keine nachrichten)(?: mehr)?"
    ),
    alone=(
        rf"lass(?:t)? mich {_DE_REST}|gib mir {_DE_ROOM}|mich {_DE_REST} (?:zu )?lassen"
        rf"|{_DE_REST} gelassen werden"
        rf"|mich {_DE_REST} lässt|lass mir {_DE_ROOM}"
    ),
    timed=(
        rf"(?:nicht|nichts|keine nachrichten)(?: mehr)? {_DE_V}|sei (?:still|ruhig|leise|stumm)"
        rf"|keine (?:nachrichten"
        r"|meldungen)|ruhe|funkstille|du (?:brauchst|musst) (?:mir|mich"
        r"|dich) nicht (?:bei mir )?(?:zu )?"
        rf"(?:schreiben|melden)|schreib(?:e)? nicht(?: mehr)?|(?:brauchst"
        rf"|musst) (?:mir )?nicht (?:zu )?{_DE_V}"
    ),
    need=(
        rf"ich (?:brauche|brauch|will|möchte) {_DE_ROOM}|ich (?:muss|möchte|will) (?:allein"
        rf"|alleine|für mich)(?: sein)?"
        rf"|(?:brauche|brauch) {_DE_ROOM}|{_DE_ROOM}|(?:allein|alleine|für mich) sein"
        rf"|ich brauche (?:eine )?pause von (?:dir|allem)"
    ),
    end=(
        r"(?:mir |mich )?wieder (?:mir )?(?:schreiben|reden|stören)|dich wieder (?:bei mir )?melden"
        r"|schreib(?:e)? mir (?:ruhig |erst |gern )?wieder(?: wie früher)?|(?:die )?ruhe ist vorbei"
        r"|meld(?:e)? dich (?:ruhig |erst |gern )?wieder|stumm aus|ruhe (?:aus|beenden)"
        r"|(?:du )?(?:musst|brauchst) nicht (?:mehr|länger) (?:still|ruhig|leise) (?:zu )?sein"
    ),
)

_ES_ROOM = r"(?:un poco de |algo de )?(?:espacio|tranquilidad|silencio|paz|soledad|tiempo (?:a solas|para mí|para mi))"
_ES_ALONE = r"(?:en paz|sol[oa]|a solas|tranquil[oa])"

_ES = _make_saying(
    lead=(
        r"y|pero|pues|hola|oye|gracias|ok|vale|sí|por favor|(?:puedes|podrías)|(?:quiero"
        r"|necesito|te pido|prefiero)"
        r" que|entonces|que"
    ),
    soft=(
        r"por favor|porfa|porfavor|ya|ahora|de momento|simplemente|gracias|vale|ok"
        r"|entonces|de verdad|por ahora"
        r"|tú|un rato(?= no)"
    ),
    reported=(
        r"dice[ns]?|dijo|dijeron|dicho|decir|dile|pidió|pide|escribió|quiere[ns]?|quería|ojalá"
        r"|si|cuando|contó|gritó"
        r"|traduce|canción|letra|respondió|preguntó"
    ),
    write=(
        r"no me (?:escribas|mandes|envíes|envies|contactes|molestes|hables|llames"
        r"|busques)(?: (?:más|mas|nada|mensajes|más"
        r" mensajes))*|(?:deja|para) de (?:escribirme|molestarme|mandarme mensajes|contactarme"
        r"|enviarme mensajes)|no"
        r" (?:quiero|necesito) (?:que me (?:escribas|molestes)|más mensajes|mensajes"
        r"|recibir mensajes|saber de ti)"
        r"|no (?:escribirme|molestarme)(?: más)?|nada de mensajes|no más mensajes"
    ),
    alone=(rf"d[ée]jame {_ES_ALONE}|dame {_ES_ROOM}|(?:me dejes|dejarme) {_ES_ALONE}|(?:que )?me des {_ES_ROOM}"),
    timed=(
        r"cállate|no digas nada|"
        r"sin mensajes|no escribas(?: más)?|guarda silencio|silencio|no (?:hace falta que"
        r"|tienes que) (?:me escribas"
        r"|escribirme)|no hace falta que me escribas"
    ),
    need=(rf"(?:necesito|quiero|quisiera) (?:estar {_ES_ALONE}|{_ES_ROOM}|{_ES_ALONE})"),
    end=(
        r"(?:me )?(?:puedes )?(?:volver a (?:escribir(?:me)?|molestarme|hablar)"
        r"|(?:escribir(?:me)?|hablar(?:me)?) (?:otra vez|de nuevo|cuando quieras))"
        r"|vuelve a escribirme(?: como antes)?|se acabó el silencio|no hace falta que (?:te )?calles"
        r"|escríbeme cuando quieras|quita el modo silencio"
    ),
)

_TR_ROOM = r"(?:biraz )?(?:zaman|alan|müsaade|huzur|sessizlik)"

_TR = _make_saying(
    lead=r"ve|ama|peki|tamam|hey|merhaba|teşekkürler|sağol|lütfen|evet|rica etsem",
    soft=(
        r"lütfen|artık|şimdi|biraz|sadece|tamam mı|olur mu|tamam|teşekkürler|sağ ol|sağol"
        r"|gerçekten|hiç|bir daha|rica"
        r" ederim"
    ),
    reported=(
        r"dedi\w*|diyor\w*|yazdı|yazmış|söyledi|söyle|istiyor|istedi|eğer|keşke|sordu|çevir"
        r"|şarkı\w*|bağırdı|de ki"
    ),
    write=(
        r"bana (?:mesaj )?(?:yazma|atma|gönderme|yollama)(?:yın)?|bana mesaj(?:lar)? (?:atma"
        r"|yazma|gönderme)|beni"
        r" (?:rahatsız etme|arama|meşgul etme)|bana (?:mesaj atmayı|yazmayı"
        r"|mesaj yazmayı) (?:bırak|kes)|bana yazmanı"
        r" istemiyorum|bana yazmaz mısın|mesaj atma bana|yazma bana|mesaj istemiyorum"
        r"|rahatsız edilmek istemiyorum"
    ),
    alone=(
        r"beni (?:rahat|yalnız|kendi halime|huzur içinde) bırak(?:ır mısın|abilir misin)?"
        r"|(?:rahat|yalnız) bırak beni"
        r"|yalnız bırakılmak istiyorum"
    ),
    timed=(
        r"sessizlik|sessiz kal|senden haber almak istemiyorum|"
        rf"(?:mesaj )?(?:yazma|atma|gönderme)|rahat bırak|sessiz ol|sus|mesaj yok"
        rf"|bana {_TR_ROOM} (?:ver|tanı)"
        r"|yazmana gerek yok|bana yazmana gerek yok|rahatsız etme"
    ),
    need=(
        r"(?:ben )?(?:yalnız|tek başıma|kendimle) (?:kalmak istiyorum|kalmam (?:lazım|gerek"
        r"|gerekiyor)|kalmaya ihtiyacım var"
        r"|olmak istiyorum|olmam (?:lazım|gerek|gerekiyor)|olmaya ihtiyacım var)|(?:sessizliğe"
        r"|huzura|yalnızlığa)"
        r" ihtiyacım var"
    ),
    end=(
        r"(?:bana |beni )?(?:yine |tekrar |yeniden )(?:bana )?(?:yazabilirsin|yaz|konuşabilirsin"
        r"|rahatsız edebilirsin)|(?:bana )?yazabilirsin|sessizlik bitti|susmana gerek yok"
        r"|(?:bana )?istediğin zaman yaz|sessiz modu kapat|(?:eskisi gibi )?bana yaz yine"
    ),
)

_RU_ALONE = r"одн(?:ой|ому|у|ого|а)|один|наедине с собой"
_RU = _make_saying(
    lead=(
        r"и|но|а|ну|привет|спасибо|ок|ладно|хорошо|да|пожалуйста|(?:можешь|мог бы"
        r"|могла бы)(?: ты)?|(?:я )?(?:прошу|хочу)"
        r"(?: тебя)?(?: чтобы ты)?|ты"
    ),
    soft=(
        r"пожалуйста|просто|сейчас|уже|больше|пока что|совсем|очень|спасибо|ок|хорошо|ладно"
        r"|теперь|вообще|первым|первой"
        r"|немного|лучше"
    ),
    reported=(
        r"сказал\w*|говорит|говорил\w*|скажи|написал\w*|пишет|попросил\w*|просит|хочет|хотел\w*"
        r"|если|когда|спросил\w*"
        r"|крикнул\w*|переведи|песн\w*|ответил\w*|велел\w*|пусть"
    ),
    write=(
        r"не (?:пиши|пишите|писать|писал|писала) мне(?: ничего)?|мне не (?:пиши|писать|писал"
        r"|писала)|(?:меня )?не"
        r" (?:беспокой|трогай|тревожь|дергай|дёргай|отвлекай) меня|меня не (?:беспокой|трогай"
        r"|тревожь|дергай|дёргай|отвлекай)"
        r"|(?:перестань|хватит|прекрати) (?:мне )?писать(?: мне)?|не (?:присылай"
        r"|шли) (?:мне )?(?:сообщений|ничего"
        r"|сообщения)|не хочу (?:сообщений|чтобы ты (?:мне )?писал[аи]?)|не надо (?:мне писать"
        r"|писать мне)"
    ),
    alone=(
        rf"оставь меня(?: в покое| {_RU_ALONE})|дай мне (?:побыть (?:{_RU_ALONE})|покой|покоя"
        rf"|тишины)|оставить меня в"
        rf" покое|оставь меня, пожалуйста|чтобы меня оставили в покое"
    ),
    timed=(
        r"не хочу (?:тебя )?слышать(?: тебя)?|"
        r"не (?:пиши|писать|беспокой|беспокоить|трогай|тревожь)|можешь (?:мне )?не писать"
        r"|не (?:надо|нужно) (?:мне )?писать"
        r"|никаких сообщений|без сообщений|помолчи|молчи|тишина|дай мне время|оставь меня"
    ),
    need=(
        rf"(?:мне |я )?(?:(?:нужно|надо|хочу|хочется) )?(?:побыть |быть )(?:{_RU_ALONE})|мне нуж(?:ен"
        rf"|на|но|ны) (?:покой|тишина"
        rf"|одиночество|время|пауза)|мне (?:нужно|надо) (?:{_RU_ALONE})"
    ),
    end=(
        r"(?:можешь |можно )?(?:снова |опять )(?:мне )?(?:писать|говорить|беспокоить)(?: мне| меня)?"
        r"|(?:можешь |можно )(?:мне )?(?:снова |опять )?писать(?: мне)?|тишина (?:закончилась|окончена)"
        r"|пиши мне (?:снова|опять)(?: как раньше)?|снова пиши(?: мне)?|пиши мне когда захочешь"
        r"|не надо молчать|выключи режим тишины"
    ),
)

_FR = _make_saying(
    lead=r"et|mais|alors|salut|bonjour|merci|ok|oui|s'il te plaît|(?:peux-tu|pourrais-tu|tu peux"
    r"|tu pourrais)",
    soft=r"s'il te plaît|stp|s'il vous plaît|juste|maintenant|merci|d'accord|ok|pour l'instant"
    r"|un peu|vraiment|du tout",
    reported=r"dit|disait|dis|écrit|demandé|demande|veut|voulait|si|quand|traduis|chanson"
    r"|répondu|souhaite",
    write=(
        r"ne m'(?:écris|ecris|envoie|appelle) (?:pas|plus|rien)(?: de messages?)?"
        r"|ne me (?:contacte|dérange|parle|texte)"
        r" (?:pas|plus)|(?:arrête|cesse) de (?:m'écrire|m'envoyer des messages|me déranger)"
        r"|ne (?:pas|plus) (?:m'écrire"
        r"|me déranger|me contacter)|je ne veux (?:pas|plus) (?:de messages?|que tu m'écrives|rien entendre de toi)"
    ),
    alone=r"laisse[ -]moi (?:tranquille|seule?|en paix)|(?:fiche|fous)[ -]moi la paix"
    r"|me laisser (?:tranquille|seule?)",
    timed=r"n'écris (?:pas|plus)|pas de messages?|silence|tais-toi|laisse[ -]moi respirer"
    r"|donne[ -]moi de l'espace",
    need=r"j'ai besoin (?:d'être seule?|de calme|d'espace|de silence|de solitude"
    r"|de temps pour moi)|je veux être seule?",
    end=(
        r"(?:tu peux )?(?:de nouveau (?:m'écrire|me déranger)|m'écrire(?: à nouveau| de nouveau)?"
        r"|me réécrire)|fini le silence|écris-moi quand tu veux|désactive le mode silencieux"
        r"|recommence à m'écrire(?: comme avant)?|tu n'as plus besoin de te taire"
    ),
)
_PT = _make_saying(
    lead=r"e|mas|então|olá|oi|obrigad[oa]|ok|sim|por favor|(?:podes|pode|você pode|podias"
    r"|poderia)|quero que",
    soft=r"por favor|agora|obrigad[oa]|está bem|tá bom|ok|só|apenas|por enquanto|um pouco|mesmo"
    r"|você|nada",
    reported=r"disse\w*|diz|dizem|pediu|escreveu|quer|queria|se|quando|traduz|música|respondeu"
    r"|perguntou",
    write=(
        r"não me (?:escrevas?|mandes?|envies?|envie|contactes?|contate|incomodes?|perturbes?"
        r"|perturbe|chames?)"
        r"(?: (?:mais|mensagens|mensagem|mais mensagens))*|(?:para|pára|pare) de me (?:escrever"
        r"|mandar mensagens|incomodar)"
        r"|não quero (?:mensagens|que me escrevas?)"
    ),
    alone=r"(?:deixa-me|me deixa|me deixe|deixe-me) (?:em paz|sozinh[oa]|sossegad[oa]|quiet[oa])"
    r"|dá-me espaço|me dá espaço",
    timed=r"sem mensagens|nada de mensagens|não escrevas?|silêncio"
    r"|não precisas? (?:de )?(?:me )?escrever",
    need=r"preciso (?:de )?(?:ficar|estar) sozinh[oa]|preciso de (?:espaço|silêncio|sossego|paz)"
    r"|quero (?:ficar|estar) sozinh[oa]",
    end=r"(?:já )?(?:podes?|pode)?(?: me)? ?(?:voltar a (?:me )?escrever(?:-me)?"
    r"|escrever(?:-me)? (?:de novo|outra vez))",
)
_IT = _make_saying(
    lead=r"e|ma|allora|ciao|grazie|ok|sì|per favore|(?:puoi|potresti)|vorrei che",
    soft=r"per favore|per piacere|adesso|ora|grazie|va bene|ok|solo|per ora|un po'|davvero|proprio",
    reported=r"detto|dice|disse|diceva|chiesto|chiede|scritto|vuole|voleva|se|quando|traduci"
    r"|canzone|risposto",
    write=(
        r"non (?:scrivermi|mi scrivere|mandarmi(?: più)? messaggi|contattarmi|disturbarmi"
        r"|mi disturbare|cercarmi|mandarmi"
        r" nulla)(?: più)?|smettila? di (?:scrivermi|mandarmi messaggi|disturbarmi)"
        r"|non voglio (?:messaggi|che mi scrivi"
        r"|che tu mi scriva|essere disturbat[oa])"
    ),
    alone=r"lasciami (?:in pace|stare|sol[oa]|tranquill[oa])|lasciarmi (?:in pace|sol[oa]|stare)"
    r"|dammi (?:un po' di )?spazio",
    timed=r"niente messaggi|non scrivere|silenzio|stai zitt[oa]|nessun messaggio",
    need=r"ho bisogno di (?:stare sol[oa]|spazio|silenzio|tranquillità|pace)|voglio stare sol[oa]",
    end=r"(?:ora |adesso )?(?:puoi )?(?:scrivermi di nuovo|tornare a scrivermi|riscrivermi)",
)

SAYINGS: Mapping[str, Saying] = {
    "en": _EN, "de": _DE, "es": _ES, "tr": _TR, "ru": _RU, "fr": _FR, "pt": _PT, "it": _IT,
}  # fmt: skip

ZH_END = re.compile(
    r"你?(?:现在)?(?:可以|能)(?:再|又)?(?:来)?(?:给我)?(?:发消息|说话|打扰我|联系我)了?|不用再?安静了|安静时间结束了?|关掉免打扰"
)
ZH_TIMED = re.compile(r"^(?:(?:请|麻烦|先)*(?:保持)?安静(?:点|一点|下)?|(?:请|先)*别说话(?:了)?)")

ZH_ORDER = re.compile(
    r"^(?:(?:麻烦|请|你|先|就|能不能|可以|求你|拜托)*(?:别|不要|不用|请勿|勿)(?:再)?(?:给我|跟我|来)?(?:发(?:消息|信息|短信|微信)?|打扰我?|联系我?"
    r"|找我|烦我|理我|吵我)(?:了|好吗|好不好|谢谢|可以吗|行吗|吧|啊)*|(?:请|你|就|先)*让我(?:一个人)?(?:静一静|静静|静|安静一下|待着|清静一下"
    r"|待会儿)(?:吧|好吗)*)"
)
"""Chinese is written without blanks: the same with the time taken out."""

_HINTS = {
    "en": r"alone|in peace|(?:let|leave) me|quiet|silen[ct]|space|peace|disturb|dnd|check|contact"
    "|reach out|notif|writ|text|messag"
    r"|msg|ping|bother|hear from|break from|by myself|to myself|for myself|on my own"
    r"|mute|pause|hush|rest from|a word|shut up|go away|talk|speak|say (?:any|no)|when i write|resume",
    "de": r"schreib|stör|meld|ruhe|allein|frieden|kontaktier|nerv|nachricht|abstand|freiraum"
    "|raum|still|ruhig|leise"
    r"|von dir hören|für mich|funkstille|check-?in",
    "es": r"escrib|mensaj|molest|contact|paz|\bsol[oa]\b|tranquil|espaci|silenci|hables|llames"
    "|saber de ti|a solas|mandes|digas|cállate|calles|hablar",
    "tr": r"yaz|mesaj|rahat|yalnız|sessiz|\bsus\b|susma|tek başıma|arama|huzur|kendimle|haber|konuş",
    "ru": r"пиш|побыть|писа|беспоко|трогай|тревож|д[её]рга|поко|одн|сообщен|молч|тишин|отвлек|присыл|слыша|говорить",
    "fr": r"écri|ecri|dérang|tranquill|seul|paix|calme|envoie|silence|contacte|tais|entendre|silencieux",
    "pt": r"escrev|mensage|sozinh|incomod|em paz|espaço|silêncio|sossego|perturb",
    "it": r"scriv|messagg|disturb|in pace|sol[oa]\b|lasciami|silenzio|spazio|tranquill",
    "zh": r"别|不要|不用|勿|让我|安静|可以|打扰",
}
HINTS: Mapping[str, re.Pattern[str]] = {
    tongue: re.compile(pattern, re.IGNORECASE) for tongue, pattern in _HINTS.items()
}
HINT = re.compile("|".join(_HINTS.values()), re.IGNORECASE)
"""Words without which nobody asks for it, by language and of all: most messages are read no further."""
