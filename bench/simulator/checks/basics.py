"""Checks: messages answered once, nothing repeated, feelings in range, jobs successful."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from bench.simulator import store
from bench.simulator.checks.values import Finding, View
from furoshiki.core import refs

TICK = "soul_engine"
ANSWERED_KINDS = ("text", "location")


def answered_once(view: View) -> Iterator[Finding]:
    """Every message is handled, and its answer was sent, once."""
    if view.what != "answer" or not view.story.heard:
        return
    last = view.story.heard[-1]
    state, error = store.arrived(view.db, last.row)
    if state != "done":
        yield last.at, f"“{last.text}” is {state}{f' ({error})' if error else ''}"
        return
    if last.kind not in ANSWERED_KINDS:
        return
    answers = [one for one in view.story.said if one.turn_key == refs.name("inbox", last.row)]
    if not answers:
        yield last.at, f"“{last.text}” was not answered"


def said_once(view: View) -> Iterator[Finding]:
    """No message is delivered twice, and no answer is given twice."""
    if not view.new:
        return
    rows = Counter(one.row for one in view.story.said)
    words = Counter((one.turn_key, one.text) for one in view.story.said if one.turn_key and one.kind == "text")
    for one in view.new:
        again = one.turn_key is not None and one.policy != "reminder" and words[one.turn_key, one.text] > 1
        if rows[one.row] > 1 or again:
            yield one.at, f"“{one.text[:60]}” was said twice"


def feelings_in_range(view: View) -> Iterator[Finding]:
    """Emotions and needs are between 0 and 1 after every tick."""
    if view.what != TICK:
        return
    found = store.feelings(view.db, view.now)
    if found is None:
        yield view.now, "a tick left no line in the history of feelings"
        return
    for name, value in {**found[0], **found[1]}.items():
        if not 0.0 <= value <= 1.0:
            yield view.now, f"{name} is {value}"


def jobs_end_well(view: View) -> Iterator[Finding]:
    """No job fails."""
    last = view.story.ran[-1] if view.story.ran else None
    if last is not None and last.name == view.what and last.exit_code:
        yield last.at, f"{last.name} ended with {last.exit_code}: {last.summary}"
