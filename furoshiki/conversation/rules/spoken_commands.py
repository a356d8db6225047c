"""Recognise plain words that mean a slash command: "undo that", "why didn't you write?"."""

import re
from typing import NamedTuple

from furoshiki.extensions.plugins.authoring.rules import wishes


class Spoken(NamedTuple):
    """The command and its arguments."""

    name: str
    args: str = ""


def command(text: str) -> Spoken | None:
    """Return the command that a message means; None for other messages."""
    if (wish := wishes.find_wish(text)) is not None:
        return Spoken("wish", wish)
    if len(text) > _LONGEST:
        return None
    if _UNDO.fullmatch(text):
        return Spoken("undo")
    plain = _EDGES.sub("", " ".join(text.split()).replace("\u2019", "'"))
    for pattern, name, args in _SAID:
        if (found := pattern.fullmatch(plain)) is not None:
            return Spoken(name, args.format(*(part.lower() for part in found.groups() if part is not None)))
    return None


_LONGEST = 80

_UNDO = re.compile(
    r"\W{0,5}(?:(?:please|oops|oh|no|wait|sorry|can you|could you)[\s,.!]{1,3}){0,3}(?:undo(?: (?:that|it|this|the last"
    r"(?: one| thing| change)?|your last change))?|take (?:that|it|this) back|(?:put|bring) (?:that|it|them|those) back"
    r"|revert(?: (?:that|it))?|mach das rückgängig|rückgängig|deshazlo|deshacer|geri al|отмени это)"
    r"(?:[\s,]{1,3}please)?\W{0,5}",
    re.IGNORECASE,
)

_ASIDE = r"please|bitte|por favor|lütfen|пожалуйста|ok|okay|hey|and|also|well|so|but|und|y|peki|а|ну"
_EDGES = re.compile(
    rf"^\W{{0,5}}(?:(?:{_ASIDE})\b\W{{0,3}}){{0,2}}|(?:\W{{1,3}}(?:{_ASIDE}))?\W{{0,5}}$", re.IGNORECASE
)
"""Words around a command without meaning."""

_WRITE = r"(?:write|text|message|ping)"
_WROTE = rf"(?:{_WRITE}|written|texted|messaged)"
_ME = r"(?: (?:to )?me)?"
_THEN = (
    r"(?: (?:today|yesterday|just now|now|then|this morning|this evening|last night|tonight|first|again|earlier|me))?"
)

_PATTERNS: tuple[tuple[str, str, str], ...] = (
    # why it wrote or did not write
    (rf"why (?:did(?:n't| not) you|haven't you|have you not) {_WROTE}(?: anything)?{_ME}{_THEN}", "why", "not"),
    (rf"why (?:did you|have you) {_WROTE}(?: that)?{_ME}(?: that)?{_THEN}", "why", ""),
    (r"(?:warum|wieso|weshalb) hast du (?:mir )?(?:heute |gestern )?nicht(?:s)? geschrieben", "why", "not"),
    (r"(?:warum|wieso|weshalb) hast du (?:mir )?(?:das )?(?:heute |gestern |gerade )?geschrieben", "why", ""),
    (r"por ?qué no me (?:escribiste|has escrito)(?: hoy| ayer)?", "why", "not"),
    (r"por ?qué me (?:escribiste|has escrito)(?: hoy| ayer| eso)?", "why", ""),
    (r"(?:neden|niye|niçin) (?:bana )?(?:bugün |dün )?(?:hiç )?yazmadın", "why", "not"),
    (r"(?:neden|niye|niçin) (?:bana )?(?:bugün |dün |bunu )?yazdın", "why", ""),
    (r"почему ты (?:мне )?(?:сегодня |вчера )?не (?:писал|писала|написал|написала)(?: мне)?", "why", "not"),
    (r"почему ты (?:мне )?(?:сегодня |вчера |это )?(?:написал|написала)(?: мне)?(?: это)?", "why", ""),
    # the milestones reached
    (r"how far along are you(?: now| by now| already| so far)?", "readiness", ""),
)  # fmt: skip
"""Patterns of whole messages in the languages with known time words, with command and arguments,
which may use the pattern's groups."""

_SAID = tuple((re.compile(pattern, re.IGNORECASE), name, args) for pattern, name, args in _PATTERNS)
