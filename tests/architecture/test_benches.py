"""What measures the program can be started: a bench is run seldom, and breaks unseen when what it uses is renamed."""

from __future__ import annotations

import subprocess
import sys

import pytest

from furoshiki.core.paths import ROOT

IMPORTED = """
import importlib, sys
for name in sys.argv[1:]:
    importlib.import_module(name)
"""


@pytest.mark.slow
def test_every_bench_can_be_imported() -> None:
    places = sorted(path.relative_to(ROOT) for path in (ROOT / "bench").rglob("*.py"))
    names = [".".join(place.with_suffix("").parts) for place in places if not place.stem.startswith("__")]
    run = subprocess.run([sys.executable, "-c", IMPORTED, *names], cwd=ROOT, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr[-2_000:]
