"""The values in the companion's identity documents, and whether a reply violates one.

A model's claim of a violation counts if the value exists, the reply was given, and the resulting
question mentions nothing else.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from furoshiki.language.grounding.words import content_of
from furoshiki.language.words import ends_asking
from furoshiki.memory.grounding.rules.conversation import Conversation, make_record
from furoshiki.memory.grounding.rules.judging import judge
from furoshiki.messages.values import Turn

LEAST_NAMED = 0.6  # minimum share of a named value's words that must occur in a shown value

_ITEM = re.compile(r"^[-*]\s+")
_MARKS = re.compile(r"\*\*|__|`")


def list_values(document: str) -> tuple[str, ...]:
    """Return the values of an identity document: its list items and paragraphs, one line each.

    Headings and sentences that introduce a list are left out.
    """
    found: list[list[str]] = []
    fresh = True
    for line in document.splitlines():
        text = line.strip()
        if not text or text.startswith("#"):
            fresh = True
            continue
        if fresh or _ITEM.match(text):
            found.append([])
        fresh = False
        found[-1].append(_ITEM.sub("", text))
    plain = (_MARKS.sub("", " ".join(lines)) for lines in found)
    return tuple(text for text in plain if not text.endswith(":"))


def match_value(value: str, shown: Sequence[str]) -> str | None:
    """Return the shown value that matches; None when most words occur in none."""
    words = content_of(value)
    if not words:
        return None
    best = max(shown, key=lambda one: len(words & content_of(one)), default=None)
    if best is None or len(words & content_of(best)) / len(words) < LEAST_NAMED:
        return None
    return best


def objection(question: str, value: str, reply: Turn, talk: Conversation, shown: Sequence[str]) -> str:
    """Return why a question about a reply may not be asked; "" if it fits a shown value."""
    if not ends_asking(question):
        return "it asks nothing"
    meant = match_value(value, shown)
    if meant is None:
        return f"{value!r} is not one of its values"
    record = [make_record(1, reply.text, reply.at), make_record(2, meant, reply.at)]
    judgement = judge(replace(talk, said=record).statement(question, "self", (1, 2), free=True))
    return "" if judgement.outcome == "known" else judgement.reason
