"""Five needs of the companion, computed from its emotions and never stored as truth.

Each has two marks: amber (it may put a thought into the queue) and rose (that thought gets a higher
priority). A mark is left only below its level minus the hysteresis, so that it does not flicker.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

from furoshiki.core.config_table import ConfigTable
from furoshiki.feelings.rules.emotions import NAMES, Emotions

NEEDS = ("communication", "connection", "curiosity_need", "helpfulness", "self_knowledge")
Mark = Literal["calm", "amber", "rose"]


@dataclass(frozen=True)
class NeedLaw:
    """The formula of a need. `lacking` weighs 1 − emotion, `present` the emotion itself."""

    present: Mapping[str, float]
    lacking: Mapping[str, float]
    amber: float
    rose: float


@dataclass(frozen=True)
class NeedLaws:
    """The five laws, and how far below a mark a value must fall to leave it."""

    each: Mapping[str, NeedLaw]
    hysteresis: float

    @classmethod
    def from_checked(cls, table: ConfigTable) -> "NeedLaws":
        """Read the `[needs]` table. Raises ValueError with the wrong key."""
        table.only((*NEEDS, "amber", "rose", "hysteresis"))
        return cls(
            each={name: _law(table.table(name), table) for name in NEEDS},
            hysteresis=table.number("hysteresis", 0.0, 0.5),
        )

    def marked(self, amber: float | None, rose: float | None) -> "NeedLaws":
        """Return the laws with these marks, in [0, 1], for every need; rose is at least amber."""
        each = {}
        for name, law in self.each.items():
            least = law.amber if amber is None else amber
            each[name] = replace(law, amber=least, rose=max(least, law.rose if rose is None else rose))
        return replace(self, each=each)


def derive(emotions: Emotions, laws: NeedLaws) -> dict[str, float]:
    """Return the five needs, each in [0, 1]."""
    felt = emotions.as_mapping()
    return {name: _level(law, felt) for name, law in laws.each.items()}


def marks(needs: Mapping[str, float], before: Mapping[str, Mark], laws: NeedLaws) -> dict[str, Mark]:
    """Return each need's mark, given the one `before` (missing counts as calm)."""
    return {name: _mark(needs[name], before.get(name, "calm"), laws.each[name], laws.hysteresis) for name in NEEDS}


def find_pressing(reached: Mapping[str, Mark], needs: Mapping[str, float]) -> str | None:
    """Return the highest need with the mark rose, or None."""
    rose = [name for name in NEEDS if reached.get(name) == "rose"]
    return max(rose, key=lambda name: needs.get(name, 0.0), default=None)


def _level(law: NeedLaw, felt: Mapping[str, float]) -> float:
    total = sum(weight * felt[name] for name, weight in law.present.items())
    total += sum(weight * (1.0 - felt[name]) for name, weight in law.lacking.items())
    return min(1.0, max(0.0, total))


def _mark(value: float, before: Mark, law: NeedLaw, hysteresis: float) -> Mark:
    rose = law.rose - (hysteresis if before == "rose" else 0.0)
    amber = law.amber - (hysteresis if before != "calm" else 0.0)
    if value >= rose:
        return "rose"
    return "amber" if value >= amber else "calm"


def _law(table: ConfigTable, shared: ConfigTable) -> NeedLaw:
    table.only(("present", "lacking", "amber", "rose"))
    amber = (table if "amber" in table else shared).number("amber", 0.0, 1.0)
    rose = (table if "rose" in table else shared).number("rose", 0.0, 1.0)
    if rose < amber:
        raise ValueError(f"{table.name('rose')} must not lie below amber ({amber:g})")
    return NeedLaw(
        present=table.table_or_empty("present").numbers(0.0, 1.0, NAMES),
        lacking=table.table_or_empty("lacking").numbers(0.0, 1.0, NAMES),
        amber=amber,
        rose=rose,
    )
