"""The whole way with real processes: a draft breaks three times, a model is asked over HTTP, tests say yes or no."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from furoshiki.app.scheduler.store import runs
from furoshiki.core.database.connection import Database
from furoshiki.core.paths import ROOT
from tests.emulators.llm import LLMEmulator, Structured
from tests.extensions.repair.conftest import BROKEN, CAUSE, DIFF, FILE, MENDED, TEST, WORSE

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

DRAFT = FILE.replace("plugins/", "drafts/")


def breaks(data: Path, script: Path) -> None:
    """Run the script as it is, and note how it ended, as the brain does."""
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    now = datetime.now(UTC)
    database = Database(data / "memory" / "longmemory.sqlite")
    with database.write() as db:
        run = runs.begin(db, "forecast", now - timedelta(seconds=1))
        last = done.stderr.rstrip().rpartition("\n")[2]
        runs.finish(db, run, now, done.returncode, summary=last, output=done.stderr)
    database.close()


def furoshiki(data: Path, llm: LLMEmulator, *command: str) -> Any:
    environ = {name: value for name, value in os.environ.items() if not name.startswith(("FUROSHIKI_", "ANTHROPIC_"))}
    environ |= {"FUROSHIKI_DATA": str(data), "ANTHROPIC_API_KEY": "sk-ant-test-0123456789", "PYTHONPATH": str(ROOT)}
    environ |= {"ANTHROPIC_BASE_URL": llm.anthropic_url}
    done = subprocess.run(
        [sys.executable, *command, "--json"], env=environ, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize(
    ("diff", "state", "left"),
    [
        pytest.param(DIFF, "applied", MENDED, id="good"),
        pytest.param(WORSE, "rolled_back", BROKEN, id="bad", marks=pytest.mark.nightly),
    ],
)
def test_a_draft_that_breaks_is_mended_or_left_as_it_was(
    diff: str, state: str, left: str, tmp_path: Path, migrated: Callable[[Path], Path]
) -> None:
    migrated(tmp_path / "memory" / "longmemory.sqlite")
    script = tmp_path / DRAFT
    script.parent.mkdir(parents=True)
    script.write_text(BROKEN)
    (script.parents[1] / "tests").mkdir()
    (script.parents[1] / "tests" / "test_forecast.py").write_text(TEST)
    for _ in range(3):
        breaks(tmp_path, script)
    answer = Structured({"cause": CAUSE, "defects": "one", "diff": diff.replace(FILE, DRAFT)})
    with LLMEmulator([answer]) as llm:
        ran = furoshiki(tmp_path, llm, str(ROOT / "scripts" / "repair_dispatcher.py"))
        (job,) = furoshiki(tmp_path, llm, "-m", "furoshiki", "repairs")
        assert len(llm.requests) == 1
    assert ran["did"] and ran["data"][state] == 1
    assert (job["state"], job["kind"], script.read_text()) == (state, "KeyError", left)
    assert job["cost_usd"] > 0
    assert len(list((tmp_path / "proposals").glob("*.md"))) == (state == "rolled_back")
