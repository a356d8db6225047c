"""Labelled messages in context: the training data of the tie-breaker and the tests of the router.

A line is `label TAB context TAB message [TAB what recall found, with " | " between]`; "#" begins a
comment.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from furoshiki.owner.routing.rules.deciding import Around
from furoshiki.owner.routing.values import MODES, Mode

CONTEXTS: Mapping[str, Around] = {
    "new": Around(new_topic=True),
    "cold": Around(),
    "begun": Around(turns=2),
    "going": Around(turns=4, antecedent=True),
    "rich": Around(turns=4, surroundings=True, antecedent=True),
    "full": Around(turns=4, gists=3, surroundings=True, antecedent=True),
    "asked": Around(turns=4, asked=True, antecedent=True),
}
"""From a stranger's first message to an evening with reminders; "asked": an answer is expected."""


@dataclass(frozen=True)
class Labelled:
    """One message, its context, and the best way to answer it."""

    label: Mode
    text: str
    around: Around


def read(table: str) -> list[Labelled]:
    """Read the rows of a table. Raises ValueError with the line number."""
    found = []
    for number, line in enumerate(table.splitlines(), 1):
        if not line or line.startswith("#"):
            continue
        label, context, message, *recalled = line.split("\t")
        mode = next((one for one in MODES if one == label), None)
        if mode is None or context not in CONTEXTS:
            raise ValueError(f"line {number}: {label!r} in {context!r} is no mode in a context we know")
        recall = recalled[0].split(" | ") if recalled and recalled[0] else []
        found.append(Labelled(mode, message, replace(CONTEXTS[context], recalled=recall)))
    return found
