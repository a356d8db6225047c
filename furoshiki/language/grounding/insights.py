"""Checks of conclusions drawn from memories, and whether two are the same. Whether a conclusion
follows from the cited memories is judged like every claim (`grounding.believing`)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from furoshiki.language.grounding.words import content_of, stems_of
from furoshiki.language.word_tables import by_language

LEAST_CITED = 2  # least memories that an insight must cite: one memory repeated is no insight
SAME = 0.9  # insights with at least this cosine are the same
SAME_WORDS = 0.8  # insights with at least this Jaccard similarity of words are the same

# words that phrase insights; they are no evidence
FRAME = stems_of(by_language("small")["en"]["of_insights"])


@dataclass(frozen=True)
class Judgement:
    """Whether an insight may be stored: the memories that support it, or the reason against it."""

    carried_by: tuple[int, ...]
    reason: str = ""

    @property
    def ok(self) -> bool:
        """Whether it may be stored."""
        return not self.reason


def unfit(text: str, cited: Sequence[int], known: Mapping[int, str], least: int, *, new: bool) -> str:
    """Return why a conclusion is invalid whatever it means (empty, unknown or too few memories, no
    news); "" if valid.

    `known` holds the texts of all memories shown to the model; `least` is how many must support it;
    `new`: it must say more than each of them.
    """
    if not text.strip():
        return "it says nothing"
    unknown = [memory_id for memory_id in cited if memory_id not in known]
    if unknown:
        return f"there is no memory {unknown[0]} among those it was shown"
    if len(set(cited)) < least:
        return f"it rests on too few memories: {len(set(cited))}, not {least}"
    if new and any(content_of(text) <= stems_of(known[memory_id]) for memory_id in cited):
        return "it only says one of its memories again"
    return ""


def same(first: str, second: str, cosine: float | None = None) -> bool:
    """Return whether two insights are the same, by words or by a cosine of at least `SAME`."""
    a, b = content_of(first), content_of(second)
    if a == b or (a and b and len(a & b) / len(a | b) >= SAME_WORDS):
        return True
    return cosine is not None and cosine >= SAME
