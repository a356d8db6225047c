"""numpy calculates in the thread that asks."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

pytestmark = pytest.mark.slow

LOOKS = """
import os, furoshiki, numpy
numpy.ones((900, 900), numpy.float32) @ numpy.ones((900, 900), numpy.float32)
print(len(os.listdir("/proc/self/task")))
"""


def test_no_thread_is_begun_for_algebra_unless_somebody_says_so() -> None:
    plain = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
    assert _threads(plain) == 1
    if (os.cpu_count() or 1) > 1:
        assert _threads({**plain, "OPENBLAS_NUM_THREADS": "2"}) == 2


def _threads(environment: dict[str, str]) -> int:
    return int(subprocess.run([sys.executable, "-c", LOOKS], env=environment, capture_output=True, check=True).stdout)
