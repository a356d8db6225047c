"""The slim way of importing a kit: it is small, it leaves the kit alone, and it can be done without."""

from __future__ import annotations

import subprocess
import sys

import pytest

from furoshiki.models.llm import sdk_client
from furoshiki.models.llm.failures import Failure

pytestmark = pytest.mark.slow

COUNT = """
import sys
from furoshiki.models.llm.sdk_client import kit
for name in ("anthropic", "openai"):
    found = kit(name)
    print(found.slim, name in sys.modules, sum(name in module for module in sys.modules) < 250)
"""

RESISTS = """
import sys
from furoshiki.models.llm import sdk_client as slim

core = slim._core

def resists(package, name, **how):
    found = core(package, name, **how)
    if how["slim"]:
        raise AttributeError("a new version keeps things elsewhere")
    return found

slim._core = resists
finders = len(sys.meta_path)
found = slim.kit("openai")
print(found.slim, found.client is sys.modules["openai"].AsyncOpenAI, len(sys.meta_path) == finders)
print([name for name in sys.modules if name.startswith("_furoshiki_")])
"""


def test_both_kits_are_loaded_slimly_and_under_another_name() -> None:
    done = subprocess.run([sys.executable, "-c", COUNT], capture_output=True, text=True, check=True)
    assert done.stdout.split("\n")[:2] == ["True False True"] * 2


def test_a_kit_that_resists_is_imported_as_it_is() -> None:
    done = subprocess.run([sys.executable, "-c", RESISTS], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "True", "True", "[]"]


def test_a_kit_that_is_not_there_is_named() -> None:
    with pytest.raises(Failure, match="anthropomorphic is not installed"):
        sdk_client._load("anthropomorphic")
