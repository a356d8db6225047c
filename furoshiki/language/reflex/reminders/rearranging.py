"""Parse requests to show, cancel, move, rename or snooze reminders, and to show a day."""

import re

from furoshiki.language.dates.tokens import number_in, unit_in
from furoshiki.language.reflex.reminders.reminding import matter
from furoshiki.language.requests.correction_words import JOINT, LEAD, NOT
from furoshiki.language.requests.impossible import PLEASE
from furoshiki.language.requests.values import (
    CancelReminder,
    DropQuestion,
    MoveReminder,
    RenameReminder,
    Request,
    ShowDay,
    ShowReminders,
    Snooze,
)
from furoshiki.language.tables.calendar_names import WEEKDAYS
from furoshiki.language.word_tables import by_language, pattern, texts

_SAID = by_language("rearrange")["en"]
_PARTS = {"please": PLEASE, "lead": LEAD, "not": NOT, "joint": JOINT, "noun": _SAID["noun"], "end": _SAID["end"]}
_PARTS |= {"weekday": "|".join(WEEKDAYS), "day": _SAID["day"]}


def _compile(way: str) -> re.Pattern[str]:
    return re.compile(pattern(way, _PARTS), re.IGNORECASE)


_NOT_THEN = tuple(map(_compile, _SAID["not_then"]))
_WAYS = {name: _compile(way) for name, way in _SAID.items() if isinstance(way, str)}
_MOVE_ABROAD = tuple(
    re.compile(rf"^\W{{0,3}}(?:{way})\W{{0,3}}$", re.IGNORECASE)
    for ways in texts("move", "ways").values()
    for way in ways
)
_BY_ABROAD = {tongue: re.compile(way, re.IGNORECASE) for tongue, way in texts("move", "by").items()}
_IT_ABROAD = re.compile(f"|{'|'.join(texts('move', 'it').values())}", re.IGNORECASE)


def parse_rearrangement(plain: str) -> Request | None:
    """Parse a request about existing reminders. `plain` has single spaces."""
    return _parse_cancel(plain) or _put_off(plain) or _parse_change(plain) or _parse_show(plain)


def parse_refusal(plain: str) -> DropQuestion | None:
    """Return DropQuestion if a message refuses the open question."""
    return DropQuestion() if _WAYS["never_mind"].match(plain) else None


# what opens a correction, behind it: "12h30 en fait"
_BEHIND = re.compile(rf"[\s,]{{1,3}}(?:{'|'.join(texts('corrections', 'lead').values())})$", re.IGNORECASE)


def parse_correction(plain: str) -> MoveReminder | None:
    """Parse a corrected time: "not tomorrow, Friday", "sorry, at six". Any words match: the
    caller checks that the talk is about a reminder and the words are a time."""
    match = next((hit for one in _NOT_THEN if (hit := one.match(plain)) is not None), None)
    if match is not None:
        return MoveReminder(match["wrong"], match["to"].strip(" .!"))
    match = _WAYS["move_it"].match(plain) or _WAYS["meant"].match(plain) or _WAYS["earlier"].match(plain)
    if match is None:
        return None
    found = match.groupdict()
    to = (found.get("to") or found.get("chinese") or found.get("instead") or "").strip(" .!")
    return MoveReminder("", _BEHIND.sub("", to))


def _parse_cancel(plain: str) -> Request | None:
    match = _WAYS["cancel_all"].match(plain)
    if match is not None:
        words = matter(f"{match['before'] or ''} {match['rest'] or ''}")
        return CancelReminder(
            re.sub(r"\b(?:of mine|you have|i have|i set|that i set|waiting)\b", "", words).strip(), True
        )
    match = _WAYS["stop"].match(plain)
    if match is not None:
        words = matter(re.sub(r"\b(?:any ?more|any longer|please|again)\b", "", match["rest"]))
        return CancelReminder("" if words.lower() in {"it", "that", "this"} else words)
    match = _WAYS["cancel"].match(plain)
    if match is not None:
        rest = re.sub(r"\b(?:any ?more|any longer|please|again|thanks)\b", "", match["rest"])
        return CancelReminder(matter(f"{match['before']} {rest}"))
    if _WAYS["cancel_it"].match(plain):
        return CancelReminder("it")
    match = _WAYS["cancel_bare"].match(plain)
    return CancelReminder(match["what"], surely=False) if match is not None else None


def _put_off(plain: str) -> Request | None:
    match = _WAYS["snooze"].match(plain)
    if match is not None:
        return Snooze(matter_of_time(match["for"] or match["again"] or ""))
    match = _WAYS["not_now"].match(plain)
    return Snooze(matter_of_time(match["to"]), surely=False) if match is not None else None


def _parse_change(plain: str) -> Request | None:
    match = _WAYS["earlier"].match(plain)
    if match is not None:
        return MoveReminder("it", match["to"])
    match = _WAYS["rename"].match(plain)
    titled = match is not None and re.search(r"\b(?:rename|reword|to say|to read)\b", plain, re.IGNORECASE)
    if match is not None and titled:
        return RenameReminder(*_extract_rename(match))
    moved = _WAYS["move"].match(plain)
    if moved is not None and (moved["what"] or moved["about"] or moved["noun"]):
        what = f"{moved['what'] or ''} {moved['about'] or ''}".strip()
        way = "" if moved["way"].lower() in ("to", "until", "till", "for", "on") else f"{moved['way']} "
        return MoveReminder(what, f"{way}{moved['to']}".strip(" .!"), moved["noun"] is not None)
    return RenameReminder(*_extract_rename(match)) if match is not None else _parse_foreign_move(plain)


def _parse_foreign_move(plain: str) -> MoveReminder | None:
    """Parse a new time for a reminder in the other languages with time words."""
    for tongue, way in _BY_ABROAD.items():
        by = way.fullmatch(plain.strip(" .!"))
        if by is not None and (count := number_in(by["count"], tongue)) and (unit := unit_in(by["unit"], tongue)):
            return MoveReminder("it", f"{count:g} {unit}s later", True)
    match = next((found for one in _MOVE_ABROAD if (found := one.match(plain)) is not None), None)
    if match is None or _WAYS["on_list"].search(plain):
        return None
    what = (match["what"] or "").strip()
    to = re.sub(r"^(?:pra|para|pras) (?=\d)", "às ", match["to"].strip(" .!"))
    named = _WAYS["of_reminder"].match(what)
    if named is not None:
        return MoveReminder(what[named.end() :], to, True)
    if _IT_ABROAD.fullmatch(what):
        return MoveReminder("it", to, True)
    return MoveReminder(what, to)


def _extract_rename(match: re.Match[str]) -> tuple[str, str, bool]:
    return match["what"] or match["old"], match["title"].strip(), bool(match["noun"] or match["noun2"])


def _parse_show(plain: str) -> Request | None:
    if _WAYS["show_reminders"].search(plain):
        return ShowReminders()
    match = _WAYS["when_is"].match(plain)
    if match is not None:
        return ShowReminders(matter(f"{match['before'] or ''} {match['what']}"))
    match = _WAYS["show_day"].match(plain)
    if match is None:
        return None
    day = next(filter(None, match.groups()), "")
    return ShowDay("" if re.fullmatch(_NO_DAY, day.strip(), re.IGNORECASE) else day.strip())


_NO_DAY = r"(?:for |on )?(?:now|still|next|left|planned|coming up|ahead|the day|day)?"


def matter_of_time(words: str) -> str:
    """Return the words for a time without introducing words."""
    return re.sub(r"^\W{0,5}(?:for |it |of it |about it )?", "", words, flags=re.IGNORECASE).strip(" .!?")
