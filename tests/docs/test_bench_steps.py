"""What `python -m bench.turn --profile` watches is there: a step that was renamed would end the listener it runs."""

from __future__ import annotations

import importlib

import pytest

from bench.steps import STEPS


@pytest.mark.parametrize("step", STEPS)
def test_every_step_is_a_name_of_the_program(step: str) -> None:
    module, _, path = step.partition(":")
    found = importlib.import_module(module)
    for name in path.split("."):
        found = getattr(found, name)
    assert callable(found)
