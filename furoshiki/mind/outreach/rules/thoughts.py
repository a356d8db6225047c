"""Build queued thoughts about decisions for the owner and finished work.

As everywhere in the mind queue, these texts are not messages: the voice words them.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Literal

from furoshiki.core import refs
from furoshiki.language.humanize import plural, shorten
from furoshiki.language.reflex.wording import add_full_stop
from furoshiki.language.words import ends_asking
from furoshiki.mind.outreach.rules.buttons import DECISION, NUDGED
from furoshiki.owner.agenda.rules.long_tasks import LongTask, Step
from furoshiki.owner.agenda.rules.mind_queue import Thought

LONGEST_QUESTION = 300  # maximum length of a repeated question, in characters

_SENTENCE = re.compile(r"(?:[^.!?\n]|[.!?]{1,3}[\u201d\"\u2019')])+[.!?]*")
_QUOTED = re.compile(r": ?[\u201c\"][^\u201c\u201d\"]*[\u201d\"](?=\?$)")


def of_description(drift_id: int, share: float, because: str) -> Thought:
    """Ask to replace the self-description by one that differs too much; `share` is in [0, 1]."""
    why = f", because {because.rstrip('.')}" if because else ""
    words = f"May I change how I describe myself? {share:.0%} of the text would be new{why}; /self shows all of it"
    return _decision(words, refs.name("personality_drift_log", drift_id))


def of_proposal(token: str) -> Thought:
    """Ask about a skill call that awaits consent. The request may quote others, so it is shown
    verbatim, not in the thought."""
    words = "May I do what I asked them about? They have not answered yet"
    return _decision(words, refs.name("proposals", token))


def of_failing_promise(commitment_id: int, honoured: int) -> Thought:
    """Ask about a commitment that keeps failing. `honoured` is part of the key, so each run of
    failures is asked about once."""
    words = "Shall I let go of something I set myself, or go on trying? It keeps failing me"
    source = refs.name("commitments", commitment_id)
    return Thought("delegation", words, f"{DECISION}{source}/{honoured}", source)


def of_operation(operation_id: int, title: str) -> Thought:
    """Report an operation that failed while the owner was away."""
    source = refs.name("operations", operation_id)
    return Thought("task_update", f"{title}: failed", f"task_update:{source}", source)


# texts by the outcome of a wish for a plugin
PLUGINS: Mapping[Literal["proposed", "rejected", "failed"], str] = {
    "proposed": "I wrote the plugin {name}{why}; it runs only if they apply it",
    "rejected": "I tried to write the plugin {name}{why}, and my own review turned it down: /wish tells why",
    "failed": "I tried to write the plugin {name}{why}, and did not get it done: /wish tells why",
}


def of_plugin(job_id: int, name: str, state: str, own: bool) -> Thought:
    """Report the outcome of a plugin wish (a state of PLUGINS); `own`: the companion's own wish."""
    source = refs.name("plugin_jobs", job_id)
    found = next(words for known, words in PLUGINS.items() if known == state)
    words = found.format(name=name, why=", which I wished for myself" if own else " that they wished for")
    if state == "proposed":
        return _decision(words, source)
    return Thought("task_update", words, f"task_update:{source}", source)


# maximum characters of a long task's result, and of the whole news; a button shows the rest
RESULT_SHOWN, NEWS_SHOWN = 140, 300


def of_long_task(task: LongTask) -> Thought:
    """Report the end of a long task and its result, or ask to begin it."""
    source, title = refs.name("persistent_tasks", task.id), task.title
    if task.state == "proposed":
        own = "" if task.source_tag == "user" else ", which came to my mind"
        return _decision(f"May I begin with the long task “{title}”{own}?", source)
    result = shorten(" ".join((task.result or "").split()), RESULT_SHOWN)
    ends = {"completed": "is done", "expired": "ran out of time"}
    words = f"The long task “{title}” {ends.get(task.state, 'did not work out')}"
    parts = [words, f"Why: {task.reason}" if task.reason else "", f"What came of it: {result}" if result else ""]
    summary = shorten(" ".join(add_full_stop(part) for part in parts if part), NEWS_SHOWN)
    return Thought("task_update", summary, f"task_update:{source}/{task.state}", source)


def of_progress(task: LongTask, steps: Sequence[Step]) -> Thought:
    """Report the progress of a long task and its latest finding."""
    source = refs.name("persistent_tasks", task.id)
    done = [step for step in steps if step.state == "done"]
    latest = shorten(" ".join((done[-1].result or "").split()), RESULT_SHOWN) if done else ""
    words = f"The long task “{task.title}” is {task.coverage:.0%} done ({len(done)} of {plural(len(steps), 'step')})."
    summary = f"{words} {add_full_stop(f'Found last: {latest}')}" if latest else words
    return Thought("task_update", summary, f"task_update:{source}/{task.coverage:.0%}", source)


def behind(task: LongTask) -> str | None:
    """Return the full result of a long task; None when the news contain all of it."""
    return task.result if task.result and len(task.result) > RESULT_SHOWN else None


def of_list(name: str, last: int) -> Thought:
    """Report a finished list; `last` is the task ticked off last."""
    called = name.removeprefix("user_").replace("_", " ")
    source = refs.name("tasks", last)
    return Thought("task_update", f"the {called} list: done", f"task_update:{source}", source)


def of_open_question(task_id: int, question: str, nudges: int, key: str) -> Thought:
    """Repeat an unanswered question of the companion; `key` is its original key."""
    words = f"I asked them this and have not heard: {question}"
    return Thought("reply_nudge", words, f"{NUDGED}{task_id}/{nudges} {key}", refs.name("tasks", task_id))


def find_question(words: str) -> str | None:
    """Return the last question in a text, without a quotation at its end; None without one."""
    found = [one.strip() for one in _SENTENCE.findall(words) if ends_asking(one)]
    return _QUOTED.sub("", found[-1])[-LONGEST_QUESTION:] if found else None


def _decision(words: str, source: str) -> Thought:
    return Thought("delegation", words, f"{DECISION}{source}", source)
