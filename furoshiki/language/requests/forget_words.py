"""How other languages than English ask to have something forgotten: patterns for a whole sentence in small letters.

Group x is what it is about. "Don't forget" stands in none of them.
"""

from __future__ import annotations

import re
from typing import Literal

Kind = Literal["everything", "before", "this", "conversation", "about"]
"""What is to be forgotten; of what was told about something ("told" in the patterns) all that was said of it."""

Said = Literal["everything", "before", "this", "conversation", "about", "told"]

_LEAD = {
    "de": r"(?:(?:bitte|hey|hallo|ok|okay|oh|nein|doch|und|aber|kannst du|könntest du|würdest du|du kannst|du sollst"
    r"|ich möchte, dass du|ich will, dass du)[\s,]{1,4}){0,4}",
    "es": r"(?:(?:por favor|hola|oye|ok|no,|y|pero|puedes|podrías|quiero que)[\s,]{1,4}){0,4}",
    "fr": r"(?:(?:s'il te plaît|s'il vous plaît|salut|ok|non,|et|mais|peux-tu|pourrais-tu|tu peux|je veux que"
    r" tu)[\s,]{1,4}){0,4}",
    "it": r"(?:(?:per favore|ciao|ok|no,|e|ma|puoi|potresti|voglio che tu)[\s,]{1,4}){0,4}",
    "pt": r"(?:(?:por favor|olá|oi|ok|não,|e|mas|podes|pode|você pode|poderia)[\s,]{1,4}){0,4}",
    "nl": r"(?:(?:alsjeblieft|alstublieft|hoi|ok|nee,|en|maar|kun je|kan je|wil je|zou je)[\s,]{1,4}){0,4}",
    "tr": r"(?:(?:lütfen|merhaba|tamam|hayır|ve|ama)[\s,]{1,4}){0,4}",
    "ru": r"(?:(?:пожалуйста|привет|нет|и|но|можешь|прошу)[\s,]{1,4}){0,4}",
    "zh": r"(?:请|麻烦你?|你能)?",
    "pl": r"(?:(?:proszę|cześć|ok|nie,|i|ale|czy możesz|możesz)[\s,]{1,4}){0,4}",
}
_TRAIL = {
    "de": r"(?:[\s,]{1,4}(?:bitte|wieder|jetzt|danke|sofort|komplett|ganz|aus deinem gedächtnis|ja)){0,4}",
    "es": r"(?:[\s,]{1,4}(?:por favor|ya|gracias|ahora|de tu memoria)){0,4}",
    "fr": r"(?:[\s,]{1,4}(?:s'il te plaît|s'il vous plaît|merci|maintenant|de ta mémoire)){0,4}",
    "it": r"(?:[\s,]{1,4}(?:per favore|grazie|adesso|dalla tua memoria)){0,4}",
    "pt": r"(?:[\s,]{1,4}(?:por favor|obrigad[oa]|agora|da tua memória|da sua memória)){0,4}",
    "nl": r"(?:[\s,]{1,4}(?:alsjeblieft|alstublieft|weer|nu|bedankt|uit je geheugen)){0,4}",
    "tr": r"(?:[\s,]{1,4}(?:lütfen|artık|şimdi|teşekkürler|misin|mısın|musun|müsün)){0,4}",
    "ru": r"(?:[\s,]{1,4}(?:пожалуйста|сейчас|спасибо|из памяти)){0,4}",
    "zh": r"(?:吧|好吗)?",
    "pl": r"(?:[\s,]{1,4}(?:proszę|teraz|dziękuję|z pamięci)){0,4}",
}
_X = r"(?P<x>.{2,160}?)"
_X2 = r"(?P<y>.{2,160}?)"

DAYS = {
    **dict.fromkeys(("gestern", "ayer", "вчера", "dün", "昨天"), "yesterday"),
    **dict.fromkeys(("heute", "hoy", "сегодня", "bugün", "今天"), "today"),
}
"""Days as they are said elsewhere, and as a forgetting knows them."""

_SAYINGS: dict[str, tuple[tuple[Said, str], ...]] = {
    "de": (
        (
            "everything",
            r"(?:vergiss|vergessen|lösche?|löschen) (?:bitte )?(?:alles(?:,? (?:über mich|was du (?:über mich |von"
            r" mir )?weißt"
            r"|was ich (?:dir )?(?:je )?(?:gesagt|erzählt|geschrieben) habe))?|alle meine daten|(?:all )?meine"
            r" (?:gesamten )?daten"
            r"|meine nachrichten|dein(?: ganzes)? gedächtnis)|(?:alles|alle meine daten|meine daten) (?:bitte"
            r" )?(?:vergessen|löschen)",
        ),
        (
            "before",
            r"(?:vergiss|lösch|lösche),? (?:bitte,? )?(?:das|dies|das eben|das wieder|das gerade|meine letzte nachricht"
            r"|was ich (?:gerade|eben) (?:gesagt|geschrieben) habe)|(?:das|es) (?:bitte )?(?:vergessen|löschen|nicht"
            r" (?:merken|speichern"
            r"|behalten|aufheben))|(?:bitte )?(?:nicht (?:merken|speichern|behalten))|vergiss es bitte"
            r"|(?:merk dir|merke dir|speicher|speichere|behalt|behalte) (?:das|dies|es)(?: bitte)?(?: lieber)? nicht"
            r"|das (?:musst|sollst|brauchst) du (?:dir )?nicht (?:zu )?(?:merken|speichern|behalten)",
        ),
        (
            "told",
            r"(?:vergiss|vergesse|lösche?|streiche?|vergessen|löschen),? (?:bitte,? )?(?:alles,? )?(?:"
            rf"was (?:ich(?: dir)?|du|wir)(?: dir)? (?:je )?(?:über|von|zu|mit) {_X} (?:gesagt|erzählt"
            rf"|geschrieben|weißt"
            r"|gespeichert|besprochen)(?: habe?n?| hast)?"
            r"|was (?:ich|wir)(?: dir)? (?P<day>gestern|heute) (?:gesagt|erzählt|geschrieben|besprochen) haben?"
            r"|dass ich(?: dir)?(?: je)? (?:von|über) (?P<y>.{2,120}?) (?:erzählt|gesprochen|geredet) habe)",
        ),
        ("told", rf"(?:vergiss|lösche?),? (?:bitte,? )?alles (?:über|zu|von) {_X}"),
        ("about", rf"vergiss,? (?:bitte,? )?(?:dass )?{_X}"),
        (
            "about",
            rf"(?=mein|unser|alles über )(?!.*\b(?:hab\w*|hat\w*|hast|will|woll\w*|d[aü]rf\w*|nicht|kann\w*"
            rf"|muss\w*|soll\w*|w[eiu]rd\w*"
            rf"|hätte\w*|zu)\b){_X} (?:bitte )?vergessen",
        ),
    ),
    "es": (
        (
            "everything",
            r"(?:olvida|olvides|borra|borres|borrar|elimina|eliminar) (?:todo(?: lo que (?:sabes(?: de mí| sobre mí)?"
            r"|te he dicho))?"
            r"|todos mis datos|mis datos|todo sobre mí)",
        ),
        (
            "before",
            r"(?:olvida|olvides|borra|elimina) (?:eso|esto|mi último mensaje|lo que (?:acabo de decir|dije|he dicho))"
            r"|olvídalo por favor|no (?:guardes|recuerdes|almacenes|anotes) (?:eso|esto)|que no quede (?:guardado"
            r"|registrado)",
        ),
        (
            "told",
            r"(?:olvid(?:a|es|ar)|borr(?:a|es|ar)|elimin(?:a|es|ar)) (?:todo )?lo que (?:(?:sabes"
            r"|(?:te )?(?:dije|conté|he"
            rf" dicho|he contado)) (?:de|sobre|acerca de) {_X}|(?:te )?(?:dije|conté) (?P<day>ayer|hoy))",
        ),
        ("told", rf"(?:olvida|olvides|borra|elimina) todo (?:sobre|lo de) {_X}"),
        ("about", rf"(?:olvida|olvides) (?:que )?{_X}"),
    ),
    "fr": (
        (
            "everything",
            r"(?:oublie|oublies|efface|supprime|effacer|supprimer) (?:tout(?: ce que (?:tu sais(?: sur moi)?|j'ai"
            r" dit))?"
            r"|toutes mes données|mes données|tout sur moi)",
        ),
        (
            "before",
            r"(?:oublie|oublies|efface|supprime) (?:ça|cela|ceci|mon dernier message|ce que (?:je viens de dire|j'ai"
            r" dit))"
            r"|ne (?:garde|retiens|note|mémorise|sauvegarde|l'enregistre|le garde) pas(?: ça| cela)?",
        ),
        (
            "told",
            r"(?:oublie|efface|supprime) (?:tout )?ce que (?:je t'ai (?:dit|raconté)|j'ai dit|tu sais)"
            rf" (?:sur|de|à propos de) {_X}|(?:oublie|efface) tout sur {_X2}",
        ),
        ("about", rf"oublie (?:que |qu')?{_X}"),
    ),
    "it": (
        (
            "everything",
            r"(?:dimentica|cancella|elimina|cancellare) (?:tutto(?: (?:quello|ciò) che (?:sai(?: di me)?|ho detto))?"
            r"|tutti i miei dati|i miei dati)",
        ),
        (
            "before",
            r"(?:dimentica|cancella|elimina) (?:questo|quello|ciò|il mio ultimo messaggio|quello che ho (?:appena"
            r" )?detto)"
            r"|non (?:salvare|ricordare|tenere|memorizzare|conservare) (?:questo|quello)",
        ),
        (
            "told",
            r"(?:dimentica|cancella) (?:tutto )?(?:quello|ciò) che (?:ti ho (?:detto|raccontato)|ho detto|sai)"
            rf" (?:su|di|riguardo a) {_X}|dimentica tutto su {_X2}",
        ),
        ("about", rf"dimentica (?:che )?{_X}"),
    ),
    "pt": (
        (
            "everything",
            r"(?:esquece|esqueça|esquecer|apaga|apague|apagar|elimina) (?:tudo(?: o que (?:sabes|sabe)(?: sobre mim)?)?"
            r"|todos os meus dados|os meus dados|meus dados)",
        ),
        (
            "before",
            r"(?:esquece|esqueça|apaga|apague) (?:isso|isto|a minha última mensagem|o que (?:eu )?(?:acabei de dizer"
            r"|disse))"
            r"|não (?:guardes|guarde|lembres|salve|memorize|grave) (?:isso|isto)",
        ),
        (
            "told",
            r"(?:esquece|esqueça|apaga|apague) (?:tudo )?o que (?:(?:eu )?(?:te )?(?:disse|contei)|sabes?)"
            rf" (?:sobre|de) {_X}|(?:esquece|esqueça) tudo sobre {_X2}",
        ),
        ("about", rf"(?:esquece|esqueça) (?:que )?{_X}"),
    ),
    "nl": (
        (
            "everything",
            r"(?:vergeet|wis|verwijder|wissen|verwijderen) (?:alles(?: (?:over mij|wat je (?:over mij |van mij"
            r" )?weet))?"
            r"|al mijn gegevens|mijn gegevens)|(?:alles|al mijn gegevens|mijn gegevens) (?:wissen|verwijderen"
            r"|vergeten)",
        ),
        (
            "before",
            r"(?:vergeet|wis|verwijder) (?:dat|dit|mijn laatste bericht|wat ik (?:net|zojuist) zei)|vergeet het"
            r" alsjeblieft"
            r"|(?:onthoud|bewaar|noteer) (?:dat|dit) (?:alsjeblieft )?niet|dat (?:hoef|moet) je niet (?:te"
            r" )?(?:onthouden|bewaren)",
        ),
        ("about", rf"vergeet (?!het$|niet|.* niet)(?:dat |alles over )?{_X}"),
    ),
    "tr": (
        (
            "everything",
            r"(?:her şeyi|tüm verilerimi|bütün verilerimi|verilerimi|hakkımda (?:bildiğin )?her şeyi) (?:unut"
            r"|sil)(?:er|ir)?",
        ),
        (
            "before",
            r"(?:bunu|şunu|son mesajımı|az önce (?:dediğimi|söylediğimi|yazdığımı)) (?:unut|sil)(?:ur|er|ir)?"
            r"|(?:bunu|şunu) (?:kaydetme|saklama|aklında tutma|hatırlama)",
        ),
        (
            "told",
            rf"{_X} (?:hakkında|ile ilgili) (?:söyledi|anlattı|yazdı|bildi)\w+(?: (?:her şeyi|ne varsa))? (?:unut|sil)"
            r"|(?P<day>dün|bugün) (?:söyledi|anlattı|yazdı)\w+ her şeyi (?:unut|sil)",
        ),
        ("about", rf"{_X} unut(?:ur)?"),
    ),
    "ru": (
        (
            "everything",
            r"(?:забудь|забыть|удали|удалить|сотри) (?:вс[её](?:,? что (?:ты )?(?:знаешь|помнишь)(?: обо мне)?| обо"
            r" мне)?"
            r"|(?:все )?мои данные)",
        ),
        (
            "before",
            r"(?:забудь|забыть|удали|сотри) (?:это|об этом|мо[её] последнее сообщение|что я (?:только что )?(?:сказал"
            r"|сказала|написал"
            r"|написала))|не (?:сохраняй|запоминай|записывай|храни) это|это не (?:сохраняй|запоминай|записывай)",
        ),
        (
            "told",
            r"(?:забудь|удали|сотри),? (?:вс[её],? |то,? )?что (?:(?:ты (?:знаешь|помнишь)"
            r"|я (?:тебе )?(?:говорил|рассказ\w"
            rf"|сказал|писал)\w*(?: тебе)?) (?:о|об|обо|про) {_X}|я (?:тебе )?(?:говорил|рассказ\w|сказал|писал)\w*"
            r" (?P<day>вчера|сегодня))",
        ),
        ("about", rf"забудь(?: про| о| об| обо|,? что)? {_X}"),
    ),
    "zh": (
        ("everything", r"(?:删除|删掉|清除|忘掉|忘记)(?:我的?|关于我的)?所有(?:的)?(?:数据|信息|资料|记录|东西)"),
        ("before", r"(?:别|不要)(?:记住|保存|记录)(?:这个|这些|这件事|它)?"),
        ("told", rf"(?:忘掉|忘记|删除|删掉)(?:我(?:说过|告诉你|说)的)?(?:所有)?关于{_X}的(?:事情?|话|内容|信息|一切)"),
    ),
    "pl": (
        (
            "everything",
            r"(?:zapomnij|usuń|skasuj|wymaż) (?:wszystko(?: (?:o mnie|co o mnie wiesz))?|(?:wszystkie )?moje dane)",
        ),
        (
            "before",
            r"(?:zapomnij o tym|zapomnij to|usuń to|skasuj to|nie (?:zapisuj|zapamiętuj|przechowuj|notuj) tego)",
        ),
        ("about", rf"zapomnij(?: o| że|, że)? {_X}"),
    ),
}

SAYINGS: tuple[tuple[str, Said, re.Pattern[str]], ...] = tuple(
    (language, kind, re.compile(rf"{_LEAD[language]}(?:{pattern}){_TRAIL[language]}"))
    for language, sayings in _SAYINGS.items()
    for kind, pattern in sayings
)
"""A language, what is to be forgotten in it, and the pattern that says so."""
