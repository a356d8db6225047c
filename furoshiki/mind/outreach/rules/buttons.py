"""The buttons under unprompted messages, by source. `conversation/commands/` handles them."""

from collections.abc import Mapping

from furoshiki.core import refs
from furoshiki.core.catalogue import later, say
from furoshiki.language.humanize import shorten
from furoshiki.owner.agenda.rules.long_tasks import LongTask
from furoshiki.owner.agenda.rules.mind_queue import Waiting

Row = list[dict[str, str]]

# the key prefix of a repeated question, followed by a count, a blank and the original key
NUDGED = "reply_nudge "

# the key prefix of a decision that only the owner can make, followed by its source
DECISION = "delegation:"

_PROMOTION = "promotion:"


def of(item: Waiting) -> list[Row]:
    """Return an item's button rows; [] for text. A repeated question keeps its buttons."""
    key = item.key.split(" ", 2)[-1] if item.key.startswith(NUDGED) else item.key
    if key.startswith(_PROMOTION):
        return [choices("memory", refs.row(key))]
    ref = refs.Ref.parse(item.source if key == item.key else key.removeprefix(DECISION))
    if key.startswith(DECISION) and ref is not None:
        return [choices(ref.kind, ref.id.partition("/")[0])] if ref.kind in _CHOICES else []
    if ref is not None and ref.kind == "persistent_tasks":
        return [[_button(say("Show it all"), f"longtask.show:{ref.id}")]]
    if ref is not None and ref.kind == "tasks" and item.kind in ("reminder", "need"):
        return [[_button(say("Done"), f"task.done:{ref.id}")]]
    return []


def beneath(number: int) -> Row:
    """Return the buttons under every unprompted message, with its decision number."""
    return [_button(say("Later"), f"outreach.later:{number}"), _button(say("Less of this"), f"outreach.less:{number}")]


def with_matter(item: Waiting, words: str) -> str:
    """Append the exact text that the buttons decide: nobody should consent to a paraphrase."""
    exactly = item.detail if item.kind == "delegation" or item.key.startswith(NUDGED) else ""
    return f"{words}\n\n{exactly}" if exactly and exactly not in words else words


_YES, _NO = later("Yes"), later("No")
# The choices for each kind of decision: words and button. A memory may be counted on for good; a
# doubtful statement may be true; neither choice runs a plugin.
_CHOICES: Mapping[str, tuple[tuple[str, str], tuple[str, str]]] = {
    "memory": ((_YES, "count.yes"), (_NO, "count.no")),
    "doubt": ((_YES, "doubt.yes"), (_NO, "doubt.no")),
    "personality_drift_log": ((later("Accept it"), "self.accept"), (later("Keep it as is"), "self.decline")),
    "proposals": ((later("Yes, do it"), "do.yes"), (_NO, "do.no")),
    "commitments": ((later("Drop it"), "promise.drop"), (later("Go on"), "promise.keep")),
    "plugin_jobs": ((later("What may it do?"), "plugin.show"), (later("Leave it"), "plugin.decline")),
    "persistent_tasks": ((later("Do it"), "longtask.accept"), (_NO, "longtask.decline")),
}


def choices(kind: str, row: int | str) -> Row:
    """Return the buttons for a decision of this kind (see `_CHOICES`) about a row."""
    return [_button(say(words), f"{button}:{row}") for words, button in _CHOICES[kind]]


def of_long_task(task: LongTask, *, whole: bool = False) -> Row:
    """Return the buttons for a long task in its state; without "show" if it is shown `whole`."""
    verbs = {
        "proposed": ((say("Do it"), "accept"), (say("No"), "decline")),
        "accepted": ((say("Pause"), "pause"), (say("Cancel it"), "cancel")),
        "in_progress": ((say("Pause"), "pause"), (say("Cancel it"), "cancel")),
        "paused": ((say("Go on"), "resume"), (say("Cancel it"), "cancel")),
    }.get(task.state, ())
    shows = () if whole else ((shorten(task.title, 30), "show"),)
    return [_button(text, f"longtask.{verb}:{task.id}") for text, verb in (*shows, *verbs)]


def _button(text: str, data: str) -> dict[str, str]:
    return {"text": text, "data": data}
