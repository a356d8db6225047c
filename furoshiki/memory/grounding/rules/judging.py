"""The judgement: form refuses, a reader settles, and without a reader nearness and doubts leave it unconfirmed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from furoshiki.memory.grounding.rules.doubts import clauses_of, doubts, strange_to
from furoshiki.memory.grounding.rules.form import broken
from furoshiki.memory.grounding.rules.statement import Judged, Nearness, Outcome, Reading, Scale, Statement

_SETTLED: Mapping[Reading, Outcome] = {
    "supported": "known",
    "not supported": "unconfirmed",
    "contradicted": "refused",
}


@dataclass(frozen=True)
class Signs:
    """What speaks against a statement: the rule of form it breaks, doubts, and cosines where there is an encoder."""

    broken: str
    doubts: tuple[str, ...] = ()
    near: float | None = None
    near_others: float | None = None
    free: bool = False


def judge(one: Statement, nearness: Nearness | None = None, reading: Reading | None = None) -> Judged:
    """What comes of a statement, by the rules of form, what a reader said of it, and how near it is to what it cites.

    Without `nearness` nothing is refused for being far, without `reading` what is doubted is unconfirmed.
    """
    return settled(signs(one, nearness), nearness.scale if nearness else None, reading)


def signs(one: Statement, nearness: Nearness | None) -> Signs:
    """What speaks against a statement, before anybody weighs it."""
    if reason := broken(one):
        return Signs(reason)
    if nearness is None:
        strange = ("none of its words are said there",) if strange_to(one) else ()
        return Signs("", (*doubts(one), *strange), free=one.free)
    near = nearness.cosine(one.text, one.cited)
    others = clauses_of(one.others)
    near_others = nearness.cosine(one.text, others) if others else None
    return Signs("", tuple(doubts(one, nearness.cosine)), near, near_others, one.free)


def settled(found: Signs, scale: Scale | None, reading: Reading | None = None) -> Judged:
    """The judgement by signs; `scale` says what their cosines mean."""
    if found.broken:
        return Judged("refused", (found.broken,))
    near = found.near if scale else None
    reasons = list(found.doubts)
    if scale and near is not None and (found.near_others or -1.0) > near + scale.nearer:
        reasons.append("it is nearer to somebody else's words")
    if reading == "contradicted" and not reasons and scale and near is not None and near >= scale.sure:
        return Judged("unconfirmed", ("a reader finds it contradicted, though nothing else speaks against it",))
    if reading is not None:
        return Judged(_SETTLED[reading], () if reading == "supported" else (f"a reader finds it {reading}",))
    if scale and near is not None:
        if near < scale.far:
            return Judged("refused", ("it has nothing to do with what it cites",))
        if near < (scale.sure_if_free if found.free else scale.sure):
            reasons.append("it is not near enough to what it cites")
    return Judged("unconfirmed", tuple(reasons)) if reasons else Judged("known")
