"""Every number of the mode router by its name: what each signal adds to a mode, and the bounds it may be moved within.

The shipped numbers and their bounds are `config/mode_router.json`; what was learned is laid over them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from furoshiki.core.config_table import ConfigTable

HIGHEST_VERSION = 1_000_000_000


@dataclass(frozen=True, slots=True)
class Weights:
    """The numbers of one version. A field's first word is the mode it belongs to; what is taken away is positive, too.

    `margin_*` say how close two modes must be for a tie-break, `tie_confident` how sure the classifier must be to
    decide alone. Version 0 is the shipped one.
    """

    respond_base: float
    respond_warmth: float
    respond_facts: float
    respond_gists: float
    respond_warm_question: float
    respond_warm_question_above: float
    respond_statement: float
    respond_cold: float
    respond_greeting: float
    respond_praise: float
    respond_after_clarify: float
    clarify_base: float
    clarify_cold: float
    clarify_no_facts: float
    clarify_new_topic: float
    clarify_warm: float
    clarify_statement: float
    act_base: float
    act_intent: float
    act_question: float
    act_question_from: float
    act_question_to: float
    act_few_facts: float
    act_few_facts_below: float
    act_reference: float
    act_unsure: float
    act_unsure_below: float
    act_hardly_sure: float
    act_hardly_sure_below: float
    act_cold: float
    act_cold_below: float
    act_known: float
    act_known_above: float
    act_unproductive: float
    acknowledge_base: float
    acknowledge_greeting: float
    acknowledge_praise: float
    acknowledge_question: float
    ignore_base: float
    ignore_empty: float
    cold_below: float
    warm_above: float
    facts_full: float
    gists_full: float
    margin_base: float
    margin_warmth: float
    margin_reference: float
    margin_sparse: float
    margin_sparse_below: float
    margin_no_mark: float
    margin_unsure: float
    margin_unsure_below: float
    tie_confident: float
    version: int = 0

    def value(self, name: str) -> float:
        """The number of that name, one of NAMES."""
        return float(getattr(self, name))


NAMES: tuple[str, ...] = tuple(one.name for one in fields(Weights) if one.name != "version")

Bounds = Mapping[str, tuple[float, float]]


@dataclass(frozen=True)
class RouterLaws:
    """The shipped numbers, and between which bounds each may ever be moved."""

    weights: Weights
    bounds: Bounds


def shipped(parsed: Mapping[str, Any]) -> RouterLaws:
    """The parsed `config/mode_router.json`: `{name: [value, low, high]}`. ValueError names what is wrong in it."""
    table = ConfigTable(parsed)
    table.only(NAMES)
    values: dict[str, float] = {}
    bounds: dict[str, tuple[float, float]] = {}
    for name in NAMES:
        entry = parsed.get(name)
        if not (isinstance(entry, list) and len(entry) == 3 and all(isinstance(one, int | float) for one in entry)):
            raise ValueError(f"{name} must be [value, lowest, highest], not {entry!r}")
        value, low, high = map(float, entry)
        if not low <= value <= high:
            raise ValueError(f"{name}: {value:g} does not lie between {low:g} and {high:g}")
        values[name], bounds[name] = value, (low, high)
    given: dict[str, Any] = dict(values)
    return RouterLaws(Weights(**given), bounds)


def overlaid(laws: RouterLaws, parsed: Any) -> Weights:
    """The numbers of a generated file, `{"version": n, "weights": {name: value}}`, over the shipped ones.

    A name that is not there keeps its shipped value; one of another release is passed over. ValueError names what is no
    number or outside its bounds.
    """
    if not isinstance(parsed, Mapping):
        raise ValueError(f"it must be an object with version and weights, not {type(parsed).__name__}")
    file = ConfigTable(parsed, strange=[])
    version = file.number("version", 1, HIGHEST_VERSION)
    table = file.table("weights")
    table.only(NAMES)
    moved: dict[str, Any] = {name: table.number(name, *laws.bounds[name]) for name in table}
    return replace(laws.weights, **moved, version=int(version))
