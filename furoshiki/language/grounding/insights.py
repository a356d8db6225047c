"""Does an insight follow from the memories it cites? Asked without a model, before anything of it is kept.

An insight is a step away from its words, so it is judged by more than one rule: it rests on at least two memories, each
of which has something to do with it; together they hold its names, its numbers and enough of its words; and it says
more than any single one of them does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from furoshiki.language.grounding.words import LEAST_SIMILARITY, content_of, grounded, stems_of

LEAST_CITED = 2
"""One memory said again is no insight."""

SAME_WORDS = 0.8
"""Two insights that share this part of their words (Jaccard) are one insight, said again."""

_SAME_START = 4
"""Letters that two words must begin with alike to count as one word in another form ("swimming", "swim")."""

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
class Evidence:
    """A memory as it is put before a mind: its id, its words, when it was learned (aware)."""

    id: int
    content: str
    at: datetime


@dataclass(frozen=True)
class Judgement:
    """Whether an insight may be kept: the cited memories that carry it, or why it may not."""

    carried_by: tuple[int, ...]
    reason: str = ""

    @property
    def ok(self) -> bool:
        """Whether it may be kept."""
        return not self.reason


@dataclass(frozen=True)
class Challenged:
    """An insight that is to be judged again: what of its evidence still holds, and what speaks against it now."""

    text: str
    remaining: tuple[Evidence, ...]
    against: tuple[Evidence, ...]


@dataclass(frozen=True)
class Conduct:
    """What is valued, and what was done."""

    values: tuple[Evidence, ...]
    acts: tuple[Evidence, ...]


def judge(
    text: str,
    cited: Sequence[int],
    known: Mapping[int, str],
    likeness: Mapping[int, float] | None = None,
    least: int = LEAST_CITED,
    new: bool = True,
    said: str | None = None,
) -> Judgement:
    """Judge an insight against the memories it cites.

    `said` is a reader's objection, "" where it finds it carried, None where nobody read it: then words and cosines tell
    whether the memories have to do with it.

    `known` holds the words of every memory the mind was shown; `likeness` the cosine of the insight to each of them,
    where there is an encoder. `least` is how many memories must carry it; `new` whether it must say more than each.
    """
    cited = tuple(dict.fromkeys(cited))
    unknown = [memory_id for memory_id in cited if memory_id not in known]
    if unknown:
        return Judgement((), f"there is no memory {unknown[0]} among those it was shown")
    near = likeness or {}
    content = content_of(text, FRAME)
    if not content:
        return Judgement((), "it says nothing")
    if said:
        return Judgement((), said)
    carrying = tuple(
        memory_id
        for memory_id in cited
        if said is not None or content & stems_of(known[memory_id]) or near.get(memory_id, -1.0) >= LEAST_SIMILARITY
    )
    if len(carrying) < least:
        return Judgement((), f"{len(carrying)} of its {len(cited)} cited memories have to do with it, not {least}")
    words = [known[memory_id] for memory_id in carrying]
    if said is not None:
        again = new and any(content <= stems_of(one) for one in words)
        return Judgement((), "it only says one of its memories again") if again else Judgement(carrying)
    best = max((near[memory_id] for memory_id in carrying if memory_id in near), default=None)
    verdict = grounded(text, None, words, best, FRAME)
    if not verdict.ok:
        return Judgement((), verdict.reason)
    name = _opening_name(text)
    if name is not None and not _said(name, words):
        return Judgement((), f"{name!r} was never said in the cited words")
    if new and any(content_of(text) <= stems_of(one) for one in words):
        return Judgement((), "it only says one of its memories again")
    return Judgement(carrying)


def same(first: str, second: str, cosine: float | None = None, near: float = 0.9) -> bool:
    """Whether two insights are one, by their words or (where there is an encoder) by a cosine of at least `near`."""
    a, b = content_of(first), content_of(second)
    if a == b or (a and b and len(a & b) / len(a | b) >= SAME_WORDS):
        return True
    return cosine is not None and cosine >= near


def _opening_name(text: str) -> str | None:
    """The first word where it might be a name: a capital there proves nothing, so it must have been said."""
    first = next(iter(text.split()), "").strip(".,;:!?\"'\u201c\u201d()")
    if not first[:1].isupper() or not content_of(first, FRAME):
        return None
    return first


def _said(word: str, texts: Sequence[str]) -> bool:
    """Whether a word, or another form of it, stands in the texts."""
    mine = stems_of(word)
    start = word.casefold()[:_SAME_START]
    return any(
        mine <= said or (len(start) == _SAME_START and any(one.startswith(start) for one in said))
        for said in map(stems_of, texts)
    )
