"""The verdict: form refuses, a reader settles doubts; otherwise they leave it unconfirmed."""

from dataclasses import dataclass

from furoshiki.memory.grounding.rules.doubts import (
    OF_ELSE,
    OF_OTHERS,
    SUPPOSED,
    UNREAD,
    clauses_of,
    doubts,
    find_additions,
    strange_to,
)
from furoshiki.memory.grounding.rules.form import broken
from furoshiki.memory.grounding.rules.statement import Judged, Nearness, Reading, Scale, Statement

# the reason of a memory in doubt that nobody is asked about: most likely it is not so
CONTRADICTED = "a reader finds it contradicted, though nothing else speaks against it"


@dataclass(frozen=True)
class Signs:
    """Evidence against a statement: broken rule, doubts, additions, and cosines if available."""

    broken: str
    doubts: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    near: float | None = None
    near_others: float | None = None
    free: bool = False


def judge(statement: Statement, nearness: Nearness | None = None, reading: Reading | None = None) -> Judged:
    """Judge a statement by the rules of form, the reader's answer, and similarity to the cited
    text.

    Without `nearness` nothing is refused for dissimilarity; without `reading` a doubted statement
    is unconfirmed. "Supported" does not settle additions, another person's plan told as done, or a
    statement that is far from the cited text and nearer to others' words.
    """
    return judge_signs(signs(statement, nearness), nearness.scale if nearness else None, reading)


def signs(statement: Statement, nearness: Nearness | None) -> Signs:
    """Return the evidence against a statement, without weighing it."""
    if reason := broken(statement):
        return Signs(reason)
    if nearness is None:
        strange = ("none of its words are said there",) if strange_to(statement) else ()
        return Signs("", (*doubts(statement), *strange), tuple(find_additions(statement)), free=statement.free)
    near = nearness.cosine(statement.text, statement.cited)
    others = clauses_of(statement.others)
    near_others = nearness.cosine(statement.text, others) if others else None
    return Signs(
        "",
        tuple(doubts(statement, nearness.cosine)),
        tuple(find_additions(statement)),
        near,
        near_others,
        statement.free,
    )


def judge_signs(found: Signs, scale: Scale | None, reading: Reading | None = None) -> Judged:
    """Judge by collected signs; `scale` has the thresholds for their cosines."""
    if found.broken:
        return Judged("refused", (found.broken,))
    near = found.near if scale else None
    far = scale is not None and near is not None and near < (scale.sure_if_free if found.free else scale.sure)
    nearer = scale is not None and near is not None and (found.near_others or -1.0) > near + scale.nearer
    reasons = (*found.doubts, *found.added, *(("it is nearer to somebody else's words",) if nearer else ()))
    if reading == "supported":
        firm = found.added or {SUPPOSED, OF_ELSE} <= {*reasons} or (far and nearer and not found.free)
        return Judged("unconfirmed", reasons) if firm else Judged("known")
    if reading == "contradicted" and not {*reasons} - {UNREAD} and scale and near is not None and near >= scale.sure:
        return Judged("unconfirmed", (CONTRADICTED,))
    if reading is not None:
        of_others = SUPPOSED not in reasons and not OF_OTHERS.isdisjoint(reasons)
        firm = reading == "contradicted" or of_others
        return Judged("refused" if firm else "unconfirmed", (f"a reader finds it {reading}",))
    if scale and near is not None and near < scale.far and UNREAD not in reasons:
        return Judged("refused", ("it has nothing to do with what it cites",))
    reasons += ("it is not near enough to what it cites",) if far else ()
    return Judged("unconfirmed", reasons) if reasons else Judged("known")
