"""Combines turns, sent messages and waiting input into the one list of the Chat page."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from furoshiki.messages.channels import WEB
from furoshiki.messages.values import COMPANION, USER, Turn

_ADDRESS = re.compile(r"\]\([^()\s]*\)")
_MARKS = re.compile(r"[\W_]+")

WITHDRAWN = "withdrawn"  # the prefix of errors for words withdrawn before they were sent

_UNMARKED = frozenset({"reaction", "silence"})


@dataclass(frozen=True)
class Button:
    """A button's label, and the data of a press."""

    text: str
    data: str


@dataclass(frozen=True)
class Sent:
    """A sent or waiting message. `formatted`: its Markdown was already removed for Telegram;
    `held`: its file can be shown."""

    id: int
    turn_id: int | None
    turn_key: str | None
    channel: str
    kind: str
    text: str
    formatted: bool
    buttons: tuple[Button, ...]
    file: str | None
    error: str | None
    at: datetime
    held: bool = False


@dataclass(frozen=True)
class Unanswered:
    """A message from the page without an answer, yet or for good. `state` is the inbox's."""

    id: int
    text: str
    state: str
    at: datetime
    file: str | None = None


@dataclass(frozen=True)
class Entry:
    """One message of the page. `key` is its stable name; `markdown` says whether marks are
    Markdown. The content of `file` is in the outbox row `file_at`, if it can be shown.

    state: "" (said), "waiting", "thinking" (both of `envelope`), "aside" (given up), "failed".
    """

    key: str
    speaker: str
    channel: str
    kind: str
    text: str
    at: datetime
    markdown: bool = False
    buttons: tuple[Button, ...] = ()
    file: str | None = None
    file_at: int | None = None
    state: str = ""
    error: str | None = None
    envelope: int | None = None


_STATES = {"pending": "waiting", "processing": "thinking", "dead": "aside"}


def list_entries(
    said: Sequence[Turn], sent: Iterable[Sent], waiting: Iterable[Unanswered], pressed: frozenset[str]
) -> list[Entry]:
    """Return the conversation, oldest first. Buttons are shown until one is pressed."""
    by_turn: dict[int, list[Sent]] = {}
    by_key: dict[str, list[Sent]] = {}
    loose: list[Sent] = []
    last_of_key = {one.turn_key: one.id for one in said if one.turn_key}
    for one in {one.id: one for one in sent}.values():
        if one.kind == "reaction" or not (one.text or one.file):
            continue
        if one.turn_id is not None:
            by_turn.setdefault(one.turn_id, []).append(one)
        elif one.turn_key in last_of_key:
            by_key.setdefault(str(one.turn_key), []).append(one)
        else:
            loose.append(one)
    entries = [_make_waiting_entry(unanswered) for unanswered in waiting]
    aside = [entry for entry in entries if entry.state == "aside"]
    beside = sorted([*map(_of_sent, loose), *aside], key=lambda one: (one.at, one.key))
    found: list[Entry] = []
    for turn in said:
        while beside and beside[0].at < turn.at:
            found.append(beside.pop(0))
        found += _of_turn(turn, by_turn.get(turn.id, ()))
        if turn.turn_key and last_of_key[turn.turn_key] == turn.id:
            found += [_of_sent(one) for one in by_key.get(turn.turn_key, ())]
    found += [*beside, *(entry for entry in entries if entry.state != "aside")]
    return [_hide_buttons(entry, pressed) for entry in found if entry.error is None or WITHDRAWN not in entry.error]


def _of_turn(turn: Turn, sent: Iterable[Sent]) -> list[Entry]:
    """Return a turn, and messages sent with it in other words, as questions with buttons."""
    marked = turn.speaker == COMPANION and turn.kind not in _UNMARKED
    entry = Entry(f"turn-{turn.id}", turn.speaker, turn.channel, turn.kind, turn.text, turn.at, markdown=marked)
    besides: list[Entry] = []
    words = _bare(turn.text)
    for one in sent:
        if not one.buttons:
            continue
        if _bare(one.text) in words:
            entry = replace(entry, buttons=(*entry.buttons, *one.buttons))
        else:
            besides.append(_of_sent(one))
    return [entry, *besides]


def _of_sent(one: Sent) -> Entry:
    return Entry(
        f"sent-{one.id}",
        COMPANION,
        one.channel,
        one.kind,
        one.text,
        one.at,
        markdown=not one.formatted,
        buttons=one.buttons,
        file=one.file,
        file_at=one.id if one.held else None,
        state="failed" if one.error else "",
        error=one.error,
    )


def _make_waiting_entry(unanswered: Unanswered) -> Entry:
    state = _STATES[unanswered.state]
    return Entry(
        f"wait-{unanswered.id}",
        USER,
        WEB,
        "text",
        unanswered.text,
        unanswered.at,
        file=unanswered.file,
        state=state,
        envelope=unanswered.id,
    )


def _hide_buttons(entry: Entry, pressed: frozenset[str]) -> Entry:
    open_ = entry.channel == WEB and not any(button.data in pressed for button in entry.buttons)
    return entry if open_ or not entry.buttons else replace(entry, buttons=())


def _bare(text: str) -> str:
    """Return the words without marks, addresses and blanks, to compare a turn with its messages."""
    return _MARKS.sub("", _ADDRESS.sub("", text))
