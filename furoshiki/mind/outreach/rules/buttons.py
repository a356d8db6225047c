"""The buttons under unprompted messages, by source. `conversation/commands/` handles them."""

from furoshiki.core import refs
from furoshiki.core.catalogue import say
from furoshiki.language.humanize import shorten
from furoshiki.owner.agenda.rules.long_tasks import LongTask
from furoshiki.owner.agenda.rules.mind_queue import Waiting

Row = list[dict[str, str]]

NUDGED = "reply_nudge "
"""The key prefix of a repeated question, followed by a count, a blank and the original key."""

DECISION = "delegation:"
"""The key prefix of a decision that only the owner can make, followed by its source."""

_PROMOTION = "promotion:"


def of(item: Waiting) -> list[Row]:
    """Return the button rows of an item; [] when the answer is text. A repeated question gets its
    original buttons."""
    key = item.key.split(" ", 2)[-1] if item.key.startswith(NUDGED) else item.key
    if key.startswith(_PROMOTION):
        return [of_memory(refs.row(key))]
    ref = refs.Ref.parse(item.source if key == item.key else key.removeprefix(DECISION))
    if key.startswith(DECISION) and ref is not None:
        return _of_decision(ref)
    if ref is not None and ref.kind == "persistent_tasks":
        return [[_button(say("Show it all"), f"longtask.show:{ref.id}")]]
    if ref is not None and ref.kind == "tasks" and item.kind in ("reminder", "need"):
        return [[_button(say("Done"), f"task.done:{ref.id}")]]
    return []


def beneath(number: int) -> Row:
    """Return the buttons under every unprompted message ("later", "less of this"), with its
    decision number."""
    return [_button(say("Later"), f"outreach.later:{number}"), _button(say("Less of this"), f"outreach.less:{number}")]


def _of_decision(ref: refs.Ref) -> list[Row]:
    number = ref.id.partition("/")[0]
    match ref.kind:
        case "personality_drift_log":
            return [of_description(int(number))]
        case "proposals":
            return [[_button(say("Yes, do it"), f"do.yes:{number}"), _button(say("No"), f"do.no:{number}")]]
        case "commitments":
            return [
                [
                    _button(say("Drop it"), f"promise.drop:{number}"),
                    _button(say("Go on"), f"promise.keep:{number}"),
                ]
            ]
        case "plugin_jobs":
            return [of_plugin(int(number))]
        case "persistent_tasks":
            return [
                [_button(say("Do it"), f"longtask.accept:{number}"), _button(say("No"), f"longtask.decline:{number}")]
            ]
    return []


def with_matter(item: Waiting, words: str) -> str:
    """Append the exact text that the buttons decide: nobody should consent to a paraphrase."""
    exactly = item.detail if item.kind == "delegation" or item.key.startswith(NUDGED) else ""
    return f"{words}\n\n{exactly}" if exactly and exactly not in words else words


def of_memory(memory_id: int) -> Row:
    """Return yes and no for "May I count on this for good?"."""
    return [_button(say("Yes"), f"count.yes:{memory_id}"), _button(say("No"), f"count.no:{memory_id}")]


def of_doubt(memory_id: int) -> Row:
    """Return yes and no for a doubtful statement."""
    return [_button(say("Yes"), f"doubt.yes:{memory_id}"), _button(say("No"), f"doubt.no:{memory_id}")]


def of_description(drift_id: int) -> Row:
    """Return the buttons under a new self-description that needs the owner's decision."""
    return [
        _button(say("Accept it"), f"self.accept:{drift_id}"),
        _button(say("Keep it as is"), f"self.decline:{drift_id}"),
    ]


def of_plugin(job_id: int) -> Row:
    """Return the buttons under a plugin that the companion wrote; neither runs it."""
    return [
        _button(say("What may it do?"), f"plugin.show:{job_id}"),
        _button(say("Leave it"), f"plugin.decline:{job_id}"),
    ]


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
