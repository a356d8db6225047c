"""The slim way of importing a kit: it is small, it leaves the kit alone, and it can be done without."""

from __future__ import annotations

import subprocess
import sys

import pytest

from furoshiki.llm import slim
from furoshiki.llm.failures import Failure

COUNT = """
import sys
from furoshiki.llm.slim import kit
for name in ("anthropic", "openai"):
    found = kit(name)
    print(found.slim, name in sys.modules, sum(name in module for module in sys.modules) < 250)
"""


def test_both_kits_are_loaded_slimly_and_under_another_name() -> None:
    done = subprocess.run([sys.executable, "-c", COUNT], capture_output=True, text=True, check=True)
    assert done.stdout.split("\n")[:2] == ["True False True"] * 2


def test_a_kit_that_resists_is_imported_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    slimly = slim._core

    def resists(package: str, name: str, *, slim: bool) -> object:
        if slim:
            slimly(package, name, slim=True)
            raise AttributeError("a new version keeps things elsewhere")
        return slimly(package, name, slim=False)

    monkeypatch.setattr(slim, "_core", resists)
    monkeypatch.setattr(slim, "_kits", {})
    before = len(sys.meta_path)
    found = slim.kit("openai")
    assert not found.slim
    assert found.client is sys.modules["openai"].AsyncOpenAI
    assert len(sys.meta_path) == before
    assert not [name for name in sys.modules if name.startswith("_furoshiki_openai")]


def test_a_kit_that_is_not_there_is_named() -> None:
    with pytest.raises(Failure, match="anthropomorphic is not installed"):
        slim._loaded("anthropomorphic")
