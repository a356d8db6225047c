"""Priorities in a request: "urgent: call the bank", "…, low priority", "… !1"."""

import re
from dataclasses import replace

from furoshiki.core.catalogue import later, say
from furoshiki.language.requests.values import ChangeList, Remind, Request, SeveralRequests
from furoshiki.language.word_tables import by_language

# The words for each priority, 1 (urgent) to 5. The default is 3.
_WORDS = {int(priority): words for priority, words in by_language("priorities")["en"].items()}

# the words for a priority, after the item
_SAID = {1: later(", urgent"), 2: later(", important"), 4: later(", can wait"), 5: later(", can wait long")}


def describe_priority(priority: object) -> str:
    """Return the words for a priority, 1 (urgent) to 5; "" for a normal one."""
    text = _SAID.get(int(str(priority or 0)))
    return say(text) if text else ""


_ANY = "|".join(f"(?P<p{priority}>{words})" for priority, words in _WORDS.items())
_BEFORE = re.compile(rf"^\W{{0,3}}(?:{_ANY}|!(?P<mark>[1-5])|p(?P<short>[1-5]))\s?(?:[:!–—-]{{1,3}}|(?<=\d))\s", re.I)
_AFTER = re.compile(
    rf"\s{{0,3}}(?:[,;(–—-]|\bwith\b|(?<=\w)\.)\s{{0,3}}(?:and |it's |it is |this is |that's )?"
    rf"(?:{_ANY})\)?[\s.!]{{0,4}}$",
    re.IGNORECASE,
)
_MARK = re.compile(
    r"\s{0,3},?\s(?:!(?P<mark>[1-5])|p(?P<short>[1-5])|(?:with )?priority (?P<said>[1-5]))[\s.]{0,3}$", re.I
)


def split_priority(text: str) -> tuple[str, int | None]:
    """Return the text without its priority words, and the priority or None."""
    for pattern in (_BEFORE, _MARK, _AFTER):
        match = pattern.search(text)
        if match is not None and (rest := (text[: match.start()] + text[match.end() :]).strip()):
            return rest, _priority(match)
    return text, None


def leads(text: str) -> bool:
    """Return whether a text begins with its priority: then it is a task."""
    return _BEFORE.match(text) is not None


def put_on(wanted: Request | None, priority: int) -> Request | None:
    """Add a priority to a request; None if it can have none."""
    if isinstance(wanted, SeveralRequests):
        return SeveralRequests(tuple(put_on(part, priority) or part for part in wanted.wanted))
    if isinstance(wanted, Remind) or (isinstance(wanted, ChangeList) and wanted.action == "add"):
        return replace(wanted, priority=priority)
    return None


def _priority(match: re.Match[str]) -> int:
    said = match.groupdict()
    figure = next((said[name] for name in ("mark", "short", "said") if said.get(name)), None)
    return int(figure) if figure else next(one for one in _WORDS if said[f"p{one}"])
