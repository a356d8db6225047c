"""How other languages than English ask to have something forgotten: patterns for a whole sentence in small letters.

Group x is what it is about. "Don't forget" stands in none of them.
"""

from __future__ import annotations

import re
from typing import Literal

Kind = Literal["everything", "before", "this", "conversation", "about"]

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
    "pl": r"(?:[\s,]{1,4}(?:proszę|teraz|dziękuję|z pamięci)){0,4}",
}
_X = r"(?P<x>.{2,160}?)"

_SAYINGS: dict[str, tuple[tuple[Kind, str], ...]] = {
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
            "about",
            rf"vergiss,? (?:bitte,? )?(?:alles )?(?:über )?(?!es$|nicht|mich|dich|ihn|sie$|das$|.* nicht$)(?:dass"
            rf" )?{_X}",
        ),
        ("about", rf"lösche? (?:bitte )?(?:alles über |alles zu ){_X}"),
        ("about", rf"(?!das |es |alles |alle ){_X} (?:bitte )?vergessen"),
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
        ("about", rf"(?:olvida|olvides|olvídate de) (?!lo$)(?:que |todo sobre |lo de )?{_X}"),
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
        ("about", rf"oublie (?:que |qu'|tout sur )?{_X}"),
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
        ("about", rf"dimentica (?:che |tutto su )?{_X}"),
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
        ("about", rf"(?:esquece|esqueça) (?:que |tudo sobre )?{_X}"),
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
        ("about", rf"забудь(?: про| о| об| обо|,? что)? {_X}"),
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

SAYINGS: tuple[tuple[Kind, re.Pattern[str]], ...] = tuple(
    (kind, re.compile(rf"{_LEAD[language]}(?:{pattern}){_TRAIL[language]}"))
    for language, sayings in _SAYINGS.items()
    for kind, pattern in sayings
)
"""What is to be forgotten ("everything", "before", "about"), and the pattern that says so."""
