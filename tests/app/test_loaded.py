"""What a process loads before its first message is counted: what a start takes is what it imports."""

from __future__ import annotations

import subprocess
import sys

import pytest

from furoshiki.core.paths import ROOT

MOST_MODULES = {
    "furoshiki.app.supervisor": 130,
    "furoshiki.app.run_job": 155,
    "furoshiki.app.brain": 290,
    "furoshiki.faces.cli.services.up": 250,
    "furoshiki.app.memoryd": 370,
    "furoshiki.app.listener": 1090,
}
"""Modules, others' and ours, by what is imported; `python -m bench.start` tells what each of them takes."""

COUNT = "import importlib, sys; importlib.import_module(sys.argv[1]); print(*sys.modules)"


def _loaded(module: str) -> set[str]:
    command = [sys.executable, "-P", "-c", COUNT, module]
    return set(subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=True).stdout.split())


@pytest.mark.parametrize(("module", "most"), MOST_MODULES.items())
def test_a_process_loads_no_more_than_it_did(module: str, most: int) -> None:
    assert len(_loaded(module)) <= most


def test_up_does_not_load_the_mind_it_starts() -> None:
    house = ("furoshiki.conversation", "furoshiki.mind", "furoshiki.memory", "furoshiki.language", "furoshiki.models")
    assert not [name for name in _loaded("furoshiki.faces.cli.services.up") if name.startswith(house)]


@pytest.mark.parametrize("module", [name for name in MOST_MODULES if name != "furoshiki.app.listener"])
def test_settings_are_read_without_the_libraries_of_models(module: str) -> None:
    assert not {"pydantic", "pydantic_core"} & _loaded(module)
