"""One day of the long run: `bench/soak.py` lives through as many as one likes."""

from __future__ import annotations

import subprocess
import sys

import pytest

from furoshiki.core.paths import ROOT
from tests.support.virtual_time import library

pytestmark = [pytest.mark.faults, pytest.mark.slow]


@pytest.mark.skipif(library() is None, reason="takes libfaketime (the package faketime)")
def test_a_day_with_faults_breaks_nothing() -> None:
    command = [sys.executable, "-m", "bench.soak", "--days", "1", "--faults", "4", "--seed", "2"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=500)
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr[-3000:]}"
