"""The buttons that answer what is said unasked, by what it comes from. `conversation/commands/` hears them."""

from furoshiki.core import refs
from furoshiki.core.catalogue import say
from furoshiki.language.humanize import shorten
from furoshiki.owner.agenda.rules.long_tasks import LongTask
from furoshiki.owner.agenda.rules.mind_queue import Waiting

Row = list[dict[str, str]]

NUDGED = "reply_nudge "
"""What the key of a question that is brought up again begins with; which time it is, and after a blank the key of what
was asked, follow."""

DECISION = "delegation:"
"""What the key of something only the owner can decide begins with; what it comes from follows."""

_PROMOTION = "promotion:"


def of(item: Waiting) -> list[Row]:
    """Rows of buttons, none where words are the answer. What is brought up again is answered as the first time."""
    key = item.key.split(" ", 2)[-1] if item.key.startswith(NUDGED) else item.key
    if key.startswith(_PROMOTION):
        return [of_memory(refs.row(key))]
    ref = refs.Ref.parse(item.source if key == item.key else key.removeprefix(DECISION))
    if key.startswith(DECISION) and ref is not None:
        return _of_decision(ref)
    if ref is not None and ref.kind == "persistent_tasks":
        return [[_button(say("Show all of it"), f"longtask.show:{ref.id}")]]
    if ref is not None and ref.kind == "tasks" and item.kind in ("reminder", "need"):
        return [[_button(say("Done"), f"task.done:{ref.id}")]]
    return []


def beneath(number: int) -> Row:
    """Return the buttons under every unasked message, by the number of its decision: the same again
    later, and less of its kind."""
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
                    _button(say("Let go of it"), f"promise.drop:{number}"),
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
    """The words, and below them what the buttons decide, exactly as it is: nobody says yes to a paraphrase."""
    exactly = item.detail if item.kind == "delegation" or item.key.startswith(NUDGED) else ""
    return f"{words}\n\n{exactly}" if exactly and exactly not in words else words


def of_memory(memory_id: int) -> Row:
    """Yes and no under "May I count on this for good?"."""
    return [_button(say("Yes"), f"count.yes:{memory_id}"), _button(say("No"), f"count.no:{memory_id}")]


def of_doubt(memory_id: int) -> Row:
    """Yes and no under something told that may not be so."""
    return [_button(say("Yes"), f"doubt.yes:{memory_id}"), _button(say("No"), f"doubt.no:{memory_id}")]


def of_description(drift_id: int) -> Row:
    """Return the buttons under a new self-description that needs the owner's decision."""
    return [
        _button(say("Let it be so"), f"self.accept:{drift_id}"),
        _button(say("Leave it as it is"), f"self.decline:{drift_id}"),
    ]


def of_plugin(job_id: int) -> Row:
    """Return the buttons under a plugin it wrote; neither runs it."""
    return [
        _button(say("What may it do?"), f"plugin.show:{job_id}"),
        _button(say("Leave it"), f"plugin.decline:{job_id}"),
    ]


def of_long_task(task: LongTask, *, whole: bool = False) -> Row:
    """What may be done with a long task as it stands; nothing to show where it is shown `whole`."""
    verbs = {
        "proposed": ((say("Do it"), "accept"), (say("No"), "decline")),
        "accepted": ((say("Pause"), "pause"), (say("Call off"), "cancel")),
        "in_progress": ((say("Pause"), "pause"), (say("Call off"), "cancel")),
        "paused": ((say("Go on"), "resume"), (say("Call off"), "cancel")),
    }.get(task.state, ())
    shows = () if whole else ((shorten(task.title, 30), "show"),)
    return [_button(text, f"longtask.{verb}:{task.id}") for text, verb in (*shows, *verbs)]


def _button(text: str, data: str) -> dict[str, str]:
    return {"text": text, "data": data}
