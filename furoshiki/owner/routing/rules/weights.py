"""The weights of the mode router by name, from `config/mode_router.json`."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from furoshiki.core.config_table import ConfigTable

MOST = 100.0


@dataclass(frozen=True, slots=True)
class Weights:
    """The first word of a field is its mode; penalties are positive, too.

    `margin_*` determine how close two modes must be for a tie-break, `tie_confident` is the
    classifier's least confidence to decide.
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


NAMES: tuple[str, ...] = tuple(field.name for field in fields(Weights))


def parse_weights(parsed: Mapping[str, Any]) -> Weights:
    """Read the parsed `config/mode_router.json`: `{name: value}`. Raises ValueError."""
    table = ConfigTable(parsed)
    table.only(NAMES)
    return Weights(**{name: table.number(name, -MOST, MOST) for name in NAMES})
