"""What comes of conclusions from memories, and whether two are the same.

Whether one follows from the memories it cites is judged like everything a mind says (`grounding.believing`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from furoshiki.language.grounding.words import content_of, stems_of

LEAST_CITED = 2
"""One memory said again is no insight."""

SAME_WORDS = 0.8
"""Two insights that share this part of their words (Jaccard) are one insight, said again."""

_FRAME_WORDS = """
often usually always never again whenever when where while although though because since unless than then only also
more most less much many some something someone thing things very quite rather still even just both same other others
person people user someone's seem seems appear appears tend tends come comes came feel feels find finds look looks
matter matters value values important care cares mean means need needs try tries keep keeps speak speaks mention
mentions talk talks describe describes show shows express expresses like love loves enjoy enjoys prefer prefers what
which whose how why through about between against after before during without within over under out up down back so
such can could would should may might one two way part time times life
"""
FRAME = stems_of(_FRAME_WORDS)
"""Words in which insights are put; they prove nothing."""


@dataclass(frozen=True)
class Judgement:
    """Whether an insight may be kept: the cited memories that carry it, or why it may not."""

    carried_by: tuple[int, ...]
    reason: str = ""

    @property
    def ok(self) -> bool:
        """Whether it may be kept."""
        return not self.reason


def unfit(text: str, cited: Sequence[int], known: Mapping[int, str], least: int, *, new: bool) -> str:
    """Why a conclusion is none, whatever it means: it is empty, or what it cites was not shown, is too little, or says
    as much.

    `known` holds the words of every memory the mind was shown; `least` is how many must carry it; `new` whether it must
    say more than each of them. "" where nothing is wrong.
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


def same(first: str, second: str, cosine: float | None = None, near: float = 0.9) -> bool:
    """Whether two insights are one, by their words or (where there is an encoder) by a cosine of at least `near`."""
    a, b = content_of(first), content_of(second)
    if a == b or (a and b and len(a & b) / len(a | b) >= SAME_WORDS):
        return True
    return cosine is not None and cosine >= near
