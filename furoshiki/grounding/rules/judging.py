"""The judgement: form refuses, a reader settles, and without a reader nearness and doubts leave it unconfirmed."""

from __future__ import annotations

from collections.abc import Mapping

from furoshiki.grounding.rules.doubts import doubts
from furoshiki.grounding.rules.form import broken
from furoshiki.grounding.rules.statement import Judged, Nearness, Outcome, Reading, Statement

_SETTLED: Mapping[Reading, Outcome] = {
    "supported": "known",
    "not supported": "unconfirmed",
    "contradicted": "refused",
}


def judge(one: Statement, nearness: Nearness | None = None, reading: Reading | None = None) -> Judged:
    """What comes of a statement, by the rules of form, what a reader said of it, and how near it is to what it cites.

    Without `nearness` nothing is refused for being far, without `reading` what is doubted is unconfirmed.
    """
    if reason := broken(one):
        return Judged("refused", (reason,))
    near = nearness.cosine(one.text, one.cited) if nearness else None
    if reading == "contradicted" and nearness and near is not None and near >= nearness.scale.sure:
        if not (found := doubts(one, nearness)):  # a reader may err, too
            return Judged("unconfirmed", ("a reader finds it contradicted, though nothing else speaks against it",))
        return Judged("refused", (f"a reader finds it {reading}", *found))
    if reading is not None:
        return Judged(_SETTLED[reading], () if reading == "supported" else (f"a reader finds it {reading}",))
    found = doubts(one, nearness)
    if nearness and near is not None:
        if near < nearness.scale.far:
            return Judged("refused", ("it has nothing to do with what it cites",))
        if near < (nearness.scale.sure_if_free if one.free else nearness.scale.sure):
            found.append("it is not near enough to what it cites")
    return Judged("unconfirmed", tuple(found)) if found else Judged("known")
