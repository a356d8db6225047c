"""Requests about lists in other languages: add, remove, check off, show, empty, begin.

The patterns are `config/words`, "lists"; each matches a whole sentence.
"""

import re

from furoshiki.language.reflex.reminders.values import (
    CancelReminder,
    ChangeList,
    ClearList,
    Request,
    ShowDay,
    ShowList,
    ShowReminders,
)
from furoshiki.language.requests.list_things import LONGEST, PARTS, normalize_name, split
from furoshiki.language.word_tables import pattern, texts

_POLITE = (
    r"(?:bitte|por ?fa(?:vor)?|porfis?|pfv|pf|pls|please|пожалуйста|lütfen"
    r"|s'il te plaît|stp|per favore|请问?|danke|gracias"
    r"|спасибо|teşekkürler|hey|oye|dis|senti|слушай|sag mal|sag mir|dime|dis-moi|dimmi|diz-me|me diz|подскажи|скажи"
    r"|kannst du|puedes|podrías|tu peux|peux-tu|puoi|pode[sm]?|можешь)"
)
_COURTESY = re.compile(rf"^(?:{_POLITE}[\s,]+){{1,3}}|^请问?|(?<![\s,])[\s,]*{_POLITE}$", re.IGNORECASE)
"""Courtesies before or after a request."""


def parse_request(plain: str) -> Request | None:
    """Parse a list request in another language. `plain` has single spaces. A thing bought or
    done counts only if it is on a list."""
    if len(plain) > LONGEST:
        return None
    text = plain.strip(" .!?¿¡,。！？\u2026").replace("\u2019", "'")
    plainly = _COURTESY.sub("", text)
    for action, tongue, asks in _COMPILED:
        match = asks.fullmatch(text) or asks.fullmatch(plainly)
        if match is None:
            continue
        said = match.groupdict()
        if action == "reminders":
            when = said.get("when")
            return ShowDay(when) if when else ShowReminders()
        if action == "all":
            return CancelReminder("", every=True)
        if action == "cancel":
            return CancelReminder(said["items"] or "")
        name = normalize_name(said.get("name"))
        if action == "clear":
            return ClearList(name)
        if action == "new":
            return ChangeList("add", split(said.get("items") or ""), name, tongue=tongue)
        if action == "left":
            return ShowList("shopping" if said.get("buy") else "it", surely=bool(said.get("buy")))
        if action == "show":
            return ShowList(name or "" if "name" in said else None)
        if items := split(said["items"]):
            return ChangeList(action, items, name, surely=action != "check", tongue=tongue)
    return None


_COMPILED = tuple(
    (action, tongue, re.compile(pattern(ways, PARTS), re.IGNORECASE))
    for action in ("clear", "new", "all", "add", "remove", "show", "left", "reminders", "cancel", "check")
    for tongue, patterns in texts("lists", action).items()
    for ways in patterns
)
