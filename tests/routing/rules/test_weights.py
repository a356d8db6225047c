"""The numbers of the mode router: as the chapter has them, within bounds, and laid over by what was learned."""

from __future__ import annotations

import json
from typing import Any

import pytest

from furoshiki.core.paths import ROOT
from furoshiki.routing.rules import weights

SHIPPED = weights.shipped(json.loads((ROOT / "config" / "mode_router.json").read_text(encoding="utf-8")))


def test_what_was_learned_lies_over_the_shipped_numbers() -> None:
    learned = weights.overlaid(SHIPPED, {"version": 3, "weights": {"act_base": 0.22, "act_of_another": 9}, "x": 1})
    assert (learned.act_base, learned.respond_base, learned.version) == (0.22, 0.5, 3)


@pytest.mark.parametrize(
    ("parsed", "says"),
    [
        ([], "it must be an object"),
        ({"weights": {}}, "version"),
        ({"version": 1, "weights": {"act_base": 0.9}}, "between 0.1 and 0.3"),
        ({"version": 1, "weights": {"act_base": "much"}}, "must be a number"),
    ],
)
def test_a_generated_file_that_is_wrong_says_where(parsed: Any, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        weights.overlaid(SHIPPED, parsed)


@pytest.mark.parametrize(
    ("entry", "says"), [(None, "must be .value, lowest, highest."), ([0.7, 0.4, 0.6], "does not lie between")]
)
def test_a_shipped_number_needs_its_bounds(entry: Any, says: str) -> None:
    parsed = json.loads((ROOT / "config" / "mode_router.json").read_text(encoding="utf-8"))
    with pytest.raises(ValueError, match=says):
        weights.shipped({**parsed, "respond_base": entry})
