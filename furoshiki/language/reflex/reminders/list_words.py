"""How something is put on a list or taken off it in other languages than English, and what is answered.

Groups: `items`, and `name` of the list where it has one. A pattern holds for a whole sentence.
"""

from __future__ import annotations

import re

from furoshiki.language.reflex.reminders.values import ChangeList

_ITEMS = r"(?P<items>[^\n?]{1,200}?)"

_ADD = {
    "de": (
        r"(?:(?:bitte|kannst|könntest|würdest) )?(?:du )?(?:bitte )?(?:setze?|schreibe?|packe?|tu|füge?|notiere?|nimm"
        rf"|trage?) (?:mir |bitte |noch |doch |mal )*{_ITEMS} (?:noch |mit )?(?:auf|zu|in) (?:die|meine|unsere"
        rf"|der|meiner"
        r"|unserer) (?P<name>[\w-]*?)-?liste(?: (?:hinzu|drauf|ein))?",
        rf"(?:kannst|könntest|würdest) du (?:mir |bitte |noch |mal )*{_ITEMS} (?:noch |mit )?(?:auf|zu) (?:die|meine"
        r"|unsere|der) (?P<name>[\w-]*?)-?liste (?:setzen|schreiben|packen|tun|nehmen|hinzufügen)",
    ),
    "es": (
        r"(?:por favor )?(?:puedes |podrías )?(?:pon(?:er|me)?|añad(?:e|ir)|agreg(?:a|ar)|apunt(?:a|ar)|anot(?:a|ar)"
        rf"|mete(?:r)?|suma(?:r)?) {_ITEMS} (?:en|a) (?:la|mi|nuestra) lista(?: de (?:la |las |los )?(?P<name>\w+))?",
    ),
    "ru": (
        r"(?:пожалуйста )?(?:можешь )?(?:добав(?:ь|ить|ьте)|запи(?:ши|сать|шите)|внес(?:и|ти)|впи(?:ши|сать)"
        r"|занес(?:и|ти))"
        rf" (?:пожалуйста )?{_ITEMS} (?:в|на) (?:мой |наш )?список(?: (?P<name>\w+))?",
    ),
    "tr": (
        r"(?:lütfen )?(?:(?P<name>\w+) listesine|listeye|listeme) (?:bir )?(?P<items>[^\n?]{1,200}?) (?:ekle|yaz|koy)"
        r"(?:r mısın|ar mısın|sana|yiver)?",
        r"(?:lütfen )?(?P<items>[^\n?]{1,200}?) (?:(?P<name>\w+) listesine|listeye|listeme) (?:ekle|yaz|koy)"
        r"(?:r mısın|ar mısın|sana|yiver)?",
    ),
    "fr": (
        r"(?:s'il te plaît,? )?(?:(?:peux-tu|tu peux) )?(?:r?ajoute[rz]?|mets|mettre|note[rz]?|inscris)(?:-moi)?"
        rf" {_ITEMS} (?:à|sur|dans) (?:la|ma|notre) liste(?: (?:de |des |d')(?:la |les )?(?P<name>\w+))?",
    ),
    "pt": (
        r"(?:por favor )?(?:(?:pode|podes) )?(?:adicion[ae]r?|põe|ponha|pôr|coloca[r]?|coloque|bota[r]?|anota[r]?|anote"
        rf"|acrescenta[r]?|inclui[r]?) {_ITEMS} (?:à|a|na|para a) (?:minha |nossa )?lista"
        r"(?: (?:de|da|das|do|dos) (?P<name>\w+))?",
    ),
    "it": (
        r"(?:per favore )?(?:(?:puoi|potresti) )?(?:aggiungi|aggiungere|metti|mettere|scrivi|scrivere|segna|inserisci)"
        rf" {_ITEMS} (?:alla|nella|sulla|in) (?:mia |nostra )?lista(?: (?:della|di|delle|dei|del) (?P<name>\w+))?",
    ),
    "zh": (
        r"(?:请|麻烦|帮我|请帮我)?把(?P<items>[^\n?？]{1,60}?)(?:加到|加进|加入|放到|放进|写到|写进|添加到)(?:我的)?"
        r"(?P<name>\w{0,6}?)(?:清单|列表|单子)(?:上|里|里面)?",
        r"(?:请|帮我)?(?:在)?(?:我的)?(?P<name>购物|采购|待办|)(?:清单|列表|单子)(?:上|里|里面)?(?:加上|加|添加|写上)"
        r"(?P<items>[^\n?？了]{1,60})",
    ),
}
_REMOVE = {
    "de": (
        r"(?:(?:bitte|kannst) )?(?:du )?(?:bitte )?(?:streiche?|nimm|lösche?|entferne?) "
        rf"{_ITEMS} (?:wieder )?(?:von|aus) (?:der|meiner|unserer) (?P<name>[\w-]*?)-?liste(?: (?:runter|streichen))?",
    ),
    "es": (
        r"(?:por favor )?(?:quita|borra|elimina|saca|tacha) "
        rf"{_ITEMS} de (?:la|mi|nuestra) lista(?: de (?:la |las |los )?(?P<name>\w+))?",
    ),
    "ru": (rf"(?:пожалуйста )?(?:убери|удали|вычеркни) {_ITEMS} из (?:моего )?списка(?: (?P<name>\w+))?",),
    "tr": (rf"{_ITEMS} (?:(?P<name>\w+) listesinden|listeden|listemden) (?:çıkar|sil)(?:ır mısın|er misin)?",),
    "fr": (
        rf"(?:enlève|retire|supprime|raye) {_ITEMS} de (?:la|ma|notre) liste"
        r"(?: (?:de |des |d')(?:la |les )?(?P<name>\w+))?",
    ),
    "pt": (rf"(?:tira|remove|apaga|risca) {_ITEMS} da (?:minha )?lista(?: (?:de|da|das|do) (?P<name>\w+))?",),
    "it": (rf"(?:togli|rimuovi|cancella) {_ITEMS} dalla (?:mia )?lista(?: (?:della|di|delle) (?P<name>\w+))?",),
}

_SHOPPING = {
    "einkauf", "einkaufs", "einkäufe", "compra", "compras", "súper", "super", "покупок", "alışveriş", "courses",
    "achats", "spesa", "购物", "采购",
}  # fmt: skip
_TODO = {"aufgaben", "to-do-", "todo", "tareas", "дел", "yapılacaklar", "tâches", "tarefas", "待办"}
_AND = re.compile(r"\s*(?:[,;、]|和|\s(?:und|sowie|y|e|и|ve|et|ed)\s)\s*", re.IGNORECASE)
_ARTICLE = re.compile(
    r"^(?:(?:ein(?:e[nms]?)?|etwas|noch|die|den|das|el|la|los|las|un|une|una|du|de la|de l'|des|le|les|l'|il|lo"
    r"|gli|i|o|a"
    r"|os|as)\s|(?:de l|l)')",
    re.IGNORECASE,
)
_COURTESY = re.compile(
    r"(?<![\s,])[\s,]*(?:bitte|por ?fa(?:vor)?|porfis?|pls|please|пожалуйста|lütfen|s'il te plaît|per favore|请"
    r"|danke|gracias|спасибо|teşekkürler)$",
    re.IGNORECASE,
)


def parse_request(plain: str) -> ChangeList | None:
    """What a sentence in another language than English asks of a list. `plain` has single blanks."""
    text = plain.strip(" .!?¿¡,。！？\u2026").replace("\u2019", "'")
    text = _COURTESY.sub("", text)
    for action, table in _COMPILED:
        for tongue, pattern in table:
            match = pattern.fullmatch(text)
            if match is not None and (items := _split(match["items"])):
                return ChangeList(action, items, _normalize_name(match["name"]), tongue=tongue)
    return None


def _split(items: str) -> tuple[str, ...]:
    parts = (_ARTICLE.sub("", part.strip(" .!\"'«»„“”")) for part in _AND.split(items))
    return tuple(part for part in parts if part)


def _normalize_name(name: str | None) -> str | None:
    bare = (name or "").strip(" -").lower()
    if bare in _SHOPPING:
        return "shopping"
    return "todo" if bare in _TODO else bare or None


_COMPILED = tuple(
    (
        action,
        tuple((tongue, re.compile(one, re.IGNORECASE)) for tongue, patterns in table.items() for one in patterns),
    )
    for action, table in (("add", _ADD), ("remove", _REMOVE))
)
