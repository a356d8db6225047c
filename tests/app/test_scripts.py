"""The scripts themselves: doors onto jobs, all scheduled, and cheap when there is nothing to do."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from furoshiki.app import run_job
from furoshiki.app.jobs import JOBS
from furoshiki.app.scheduler import schedule_file
from furoshiki.core.database.connection import Database
from furoshiki.core.paths import ROOT
from furoshiki.recall.retrieval.client import Vectors
from tests.support.script_costs import HEAVY, PEAK_MB

OFTEN = ("outreach_pulse", "run_post_conversation", "flush_scratch", "consolidate_light", "refine_user_profile")
"""Those that find nothing to do most often; the others are looked at where there is more time."""

TOOLS = {"install.py", "lock.py", "doctor.py", "host_doctor.py"}
"""Scripts that are no jobs: what run.sh and test.sh need before anything is installed, what pins the packages, and the
doctors of a companion and of a host, who are called by others and need nothing of the program."""

DOORS = sorted(path.stem for path in (ROOT / "scripts").glob("*.py") if path.name not in TOOLS)


def test_every_script_is_a_job_and_is_scheduled() -> None:
    scheduled = {entry.script.stem for entry in schedule_file.read(Path("/nowhere")).values()}
    assert set(DOORS) == JOBS.keys() == scheduled | {"run_plugin"}  # that one by the plugins that are enabled


@pytest.mark.parametrize("name", DOORS)
def test_a_script_is_a_door(name: str) -> None:
    tree = ast.parse((ROOT / "scripts" / f"{name}.py").read_text())
    assert ast.get_docstring(tree)
    assert len(tree.body) == 3
    assert ast.unparse(tree.body[2]) == f"script({name!r})"


@pytest.mark.parametrize("name", DOORS)
def test_its_use_case_exists(name: str) -> None:
    for step in (*JOBS[name].steps, *JOBS[name].for_others):
        for path in (step.due, step.use_case):
            module, _, function = path.partition(":")
            tree = ast.parse((ROOT / f"{module.replace('.', '/')}.py").read_text())
            assert function in {
                one.name for one in tree.body if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef)
            }


ALWAYS = {"soul_engine", "backup"}
"""Time always passes, and who asks for a backup gets one: for these two there is nothing to do only before the first
start."""

ONCE = {"embed_design_docs"}
"""What it knows of itself is written before anything was said; after that there is nothing to do."""

SELDOM = sorted(JOBS.keys() - set(OFTEN))

PROBE = """
import atexit, json, resource, runpy, sys
def tell():
    used = resource.getrusage(resource.RUSAGE_SELF)
    peak = int(open('/proc/self/status').read().partition('VmHWM:')[2].split()[0]) / 1024
    print(json.dumps({'modules': list(sys.modules), 'cpu': used.ru_utime + used.ru_stime, 'peak': peak}))
atexit.register(tell)
path, sys.argv = sys.argv[1], sys.argv[1:]
runpy.run_path(path, run_name='__main__')
"""


@pytest.mark.parametrize("name", [*OFTEN, *(pytest.param(name, marks=pytest.mark.slow) for name in SELDOM)])
def test_with_nothing_to_do_a_script_costs_next_to_nothing(
    name: str, database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    database.close()
    data = tmp_path / "nobody-yet" if name in ALWAYS else tmp_path
    if name in ONCE:
        with monkeypatch.context() as alone:  # memoryd would begin to embed all of it
            alone.setenv("FUROSHIKI_DATA", str(data))
            alone.setattr(Vectors, "_start", lambda _self: None)
            assert run_job.run(name).did
    script = [str(ROOT / "scripts" / f"{name}.py"), *("1" for _ in JOBS[name].takes)]
    done = subprocess.run(
        [sys.executable, "-P", "-c", PROBE, *script], env=_environ(data), stdout=subprocess.PIPE, text=True, check=True
    )
    said, told = done.stdout.splitlines()
    assert said == f"{name}: {JOBS[name].idle}"
    found = json.loads(told)
    print(f"{name}: {found['cpu']:.3f} s of CPU, {found['peak']:.0f} MB, {len(found['modules'])} modules")
    loaded = {module.partition(".")[0] for module in found["modules"]}
    assert not loaded & set(HEAVY), loaded & set(HEAVY)
    assert found["peak"] < PEAK_MB


def _environ(data: Path) -> dict[str, str]:
    return {**os.environ, "FUROSHIKI_DATA": str(data), "PYTHONPATH": str(ROOT)}


def test_help_needs_no_data(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-P", str(ROOT / "scripts" / "backup.py"), "--help"],
        env={**os.environ, "FUROSHIKI_DATA": str(tmp_path / "none")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0
    assert "verified backup" in done.stdout


def test_a_time_that_is_none_is_refused(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-P", str(ROOT / "scripts" / "soul_engine.py"), "--now", "yesterday"],
        env={**os.environ, "FUROSHIKI_DATA": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert "yesterday" in done.stderr
