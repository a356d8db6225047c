"""Read explicit orders in a message: the calls that fulfil them, or the missing detail.

Stricter than the built-in mind's reading: next to a model's answer, only unambiguous orders are
carried out. Each kind of order is a row of `ORDERS`.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

from furoshiki.conversation.promises.rules.fulfilled import LOOKS
from furoshiki.language import word_tables
from furoshiki.language.facts.assertions import list_asserted
from furoshiki.language.reflex import telling
from furoshiki.language.reflex.hearing import Heard
from furoshiki.language.reflex.reminders import open_questions, requests
from furoshiki.language.reflex.reminders import respond as agenda
from furoshiki.language.reflex.reminders.embedded_requests import QUOTES, SENTENCE
from furoshiki.language.reflex.values import SkillCall
from furoshiki.language.reflex.wording import Wording
from furoshiki.language.requests import values as asked
from furoshiki.language.words import asks

_WAYS = word_tables.by_language("orders_told")["en"]
# without one of these words a message contains no order and costs nothing
_ASKS = re.compile(_WAYS["asks"], re.IGNORECASE)

_LISTS = re.compile(r"list|спис|清单|列表|单子|to-?do|\btask", re.IGNORECASE)
# a list to be written or discussed now, not a stored one
_DRAFTED = re.compile(_WAYS["drafted"], re.IGNORECASE)

_REMINDED = re.compile(_WAYS["reminded"], re.IGNORECASE)
_NOTE = re.compile(_WAYS["note"], re.IGNORECASE)
_NOTED = "They asked to remember: “{what}”"


@dataclass(frozen=True)
class Ordered:
    """An order: its `calls`, or the question for a missing detail. `again`: ask the model once more
    before the program acts."""

    calls: tuple[SkillCall, ...] = ()
    question: str = ""
    again: bool = True


@dataclass(frozen=True)
class Order:
    """A kind of order: its reader, and skills that also fulfil it."""

    read: Callable[[Heard, Wording], Ordered | None]
    also: frozenset[str] = frozenset({"persistent_task"})


def orders(heard: Heard, wording: Wording) -> tuple[tuple[Order, Ordered], ...]:
    """Return all explicit orders in a message."""
    found = ((one, one.read(heard, wording)) for one in ORDERS)
    return tuple((kind, ordered) for kind, ordered in found if ordered is not None)


def likely(own: str, last_reply: str) -> bool:
    """Return whether to read a message for orders: it has a keyword or answers an open question."""
    return _ASKS.search(own) is not None or open_questions.question(last_reply) is not None


def _agenda(heard: Heard, wording: Wording) -> Ordered | None:
    situation = heard.situation
    if heard.text[:1] in QUOTES:
        return None
    plain = requests.request(heard.text, situation.now, situation.habits)
    if plain is None and open_questions.find_open(heard) is None:
        return None
    wanted = agenda.wish(heard)
    if wanted is None or not _plain(wanted, heard, answers=plain is None):
        return None
    made = agenda.carry_out(wanted, heard, wording)
    if made is None:
        return None
    calls = tuple(call for call in made.calls if call.args.get("action") not in LOOKS)
    if calls:
        return Ordered(calls)
    asks = isinstance(wanted, asked.Remind | asked.ChangeList) and not made.calls
    return Ordered(question=made.text) if asks and made.text else None


def _plain(wanted: asked.Request, heard: Heard, *, answers: bool) -> bool:
    """Return whether a request is unambiguous even within a conversation with a model."""
    text = heard.text
    match wanted:
        case asked.SeveralRequests():
            return all(_plain(one, heard, answers=answers) for one in wanted.wanted)
        case asked.Remind():
            named = answers or _REMINDED.search(text) is not None
            return wanted.when is not None or (bool(wanted.what) and named)
        case asked.ChangeList():
            drafted = _DRAFTED.search(text) is not None
            return wanted.surely and not drafted and _LISTS.search(text) is not None
        case asked.ClearList() | asked.MoveItems():
            return True
        case asked.MoveReminder() | asked.RenameReminder():
            return wanted.named or answers
        case asked.CancelReminder() | asked.Snooze():
            return wanted.surely
        case _:
            return False


def _note(heard: Heard, _wording: Wording) -> Ordered | None:
    """Read a request to remember ("Remember that my locker is 114"); questions do not count."""
    sentences = (part.strip(" .!\n") for part in SENTENCE.split(heard.text) if part)
    found = next((match for one in sentences if (match := _NOTE.match(one)) is not None), None)
    if found is None or asks(heard.text) or heard.asks_to_forget:
        return None
    facts = telling.new_facts(heard)
    if facts:
        return Ordered(tuple(telling.memorize(fact) for fact in facts), again=False)
    what = (found["what"] or found["that"]).strip(" .!")
    if not list_asserted(what):
        return None
    return Ordered((SkillCall("memorize", {"text": _NOTED.format(what=what)}),), again=False)


ORDERS = (
    Order(_agenda),
    Order(_note, frozenset({"schedule", "list", "persistent_task"})),
)


def in_words(ordered: Ordered) -> str:
    """Describe an order for a model."""
    if not ordered.calls:
        return f"a reminder or a list (missing: {ordered.question})"
    said = []
    for call in ordered.calls:
        details = ", ".join(f"{name} {value}" for name, value in call.args.items() if value)
        said.append(f"{call.name} ({details})")
    return "; ".join(said)
