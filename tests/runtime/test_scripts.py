"""The scripts themselves: doors onto jobs, all scheduled, and cheap when there is nothing to do."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from furoshiki.brain import book
from furoshiki.jobs import JOBS
from furoshiki.places import ROOT
from furoshiki.storage.store import Store

TOOLS = {"install.py"}
"""Scripts that are no jobs: what run.sh and test.sh need before anything is installed."""

DOORS = sorted(path.stem for path in (ROOT / "scripts").glob("*.py") if path.name not in TOOLS)

HEAVY = (
    "aiogram",
    "alembic",
    "anthropic",
    "asyncio",
    "chromadb",
    "httpx",
    "jinja2",
    "logging",
    "numpy",
    "onnxruntime",
    "openai",
    "pydantic",
    "rich",
    "sqlalchemy",
    "tokenizers",
    "torch",
)

CPU_SECONDS = 0.15
PEAK_MB = 30


def test_every_script_is_a_job_and_is_scheduled() -> None:
    scheduled = {entry.script.stem for entry in book.read(Path("/nowhere")).values()}
    assert set(DOORS) == JOBS.keys() == scheduled


@pytest.mark.parametrize("name", DOORS)
def test_a_script_is_a_door(name: str) -> None:
    tree = ast.parse((ROOT / "scripts" / f"{name}.py").read_text())
    assert ast.get_docstring(tree)
    assert len(tree.body) == 3
    assert ast.unparse(tree.body[2]) == f"script({name!r})"


@pytest.mark.parametrize("name", DOORS)
def test_its_use_case_exists(name: str) -> None:
    module, _, function = JOBS[name].use_case.partition(":")
    tree = ast.parse((ROOT / f"{module.replace('.', '/')}.py").read_text())
    assert function in {node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}


@pytest.mark.parametrize(
    "name",
    ["outreach_pulse", "run_post_conversation", "consolidate_light", "consolidate_memory", "refine_user_profile"],
)
def test_with_nothing_to_do_a_script_costs_next_to_nothing(name: str, store: Store, tmp_path: Path) -> None:
    store.close()
    probe = (
        "import atexit, json, resource, runpy, sys\n"
        "def tell():\n"
        "    used = resource.getrusage(resource.RUSAGE_SELF)\n"
        "    peak = int(open('/proc/self/status').read().partition('VmHWM:')[2].split()[0]) / 1024\n"
        "    cpu = used.ru_utime + used.ru_stime\n"
        "    print(json.dumps({'modules': list(sys.modules), 'cpu': cpu, 'peak': peak}))\n"
        "atexit.register(tell)\n"
        f"sys.argv = ['{name}.py']\n"
        f"runpy.run_path({str(ROOT / 'scripts' / f'{name}.py')!r}, run_name='__main__')\n"
    )
    assert any(_run(probe, tmp_path) < CPU_SECONDS for _ in range(8)), "busy neighbours cost time too, but not always"


def _run(probe: str, data: Path) -> float:
    """CPU seconds of one run; checks what it imported and how much memory it took."""
    environ = {**os.environ, "FUROSHIKI_DATA": str(data), "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-P", "-c", probe], env=environ, stdout=subprocess.PIPE, text=True, check=True
    )
    found = json.loads(done.stdout.splitlines()[-1])
    loaded = {module.partition(".")[0] for module in found["modules"]}
    assert not loaded & set(HEAVY), loaded & set(HEAVY)
    assert found["peak"] < PEAK_MB
    return float(found["cpu"])


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
