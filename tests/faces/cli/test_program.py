"""The real program: pipes that close, interrupts, memory from a file to an answer."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from furoshiki.core.paths import ROOT
from tests.support.shell import Command

pytestmark = pytest.mark.e2e

TALK = [
    ("s1", "2026-03-01T10:00:00Z", "user", "my sister Anika lives in Lisbon", "a1"),
    ("s1", "2026-03-01T10:01:00Z", "companion", "Lisbon is lovely.", "a2"),
    ("s2", "2026-03-02T10:00:00Z", "user", "I burnt the soup again", "a3"),
]


def test_a_reader_that_has_seen_enough_is_no_error(data: Path) -> None:
    line = f"set -o pipefail; {sys.executable} -m furoshiki config docs | head -1"
    done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, cwd=ROOT)
    assert (done.returncode, done.stdout, done.stderr) == (0, "# Settings\n", "")


@pytest.mark.parametrize("inherited", [signal.SIG_DFL, signal.SIG_IGN], ids=["at a terminal", "in the background"])
def test_ctrl_c_ends_quietly(data: Path, inherited: signal.Handlers) -> None:
    (data / "logs").mkdir()
    (data / "logs" / "brain.log").write_text("a line\n")
    following = subprocess.Popen(
        [sys.executable, "-m", "furoshiki", "logs", "brain", "-f"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        preexec_fn=lambda: signal.signal(signal.SIGINT, inherited),
    )
    assert following.stdout is not None
    assert following.stdout.readline() == "a line\n"
    with (data / "logs" / "brain.log").open("a") as log:
        log.write("another\n")
    assert following.stdout.readline() == "another\n"
    following.send_signal(signal.SIGINT)
    _out, err = following.communicate(timeout=20)
    assert following.returncode == 130 and "Traceback" not in err


def test_help_is_cheap(data: Path) -> None:
    """It loads the grammar and what that needs, and of the standard library nothing that costs tens of milliseconds."""
    probe = (
        "import sys; before = {*sys.modules}; import atexit, runpy; sys.argv = ['furoshiki', '--help']; "
        "atexit.register(lambda: print(*sys.modules.keys() - before, '|', *before, file=sys.stderr)); "
        "runpy.run_module('furoshiki', run_name='__main__')"
    )
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True, cwd=ROOT)
    ours, _, of_python = done.stderr.partition("|")
    loaded = {*ours.split(), *of_python.split()}
    tops = {name.partition(".")[0] for name in ours.split() if not name.startswith("_")}
    assert tops <= sys.stdlib_module_names | {"furoshiki"}
    rooms = {".".join(name.split(".")[1:2]) for name in loaded if name.startswith("furoshiki.")}
    assert rooms == {"faces", "core"}
    assert not loaded & {"asyncio", "sqlite3", "ssl", "email", "http", "logging", "json", "inspect", "dataclasses"}
    assert len(loaded) < 160


def test_what_was_imported_is_found_explained_and_indexed_again(program: Command, data: Path) -> None:
    talk = data / "talk.jsonl"
    lines = [dict(zip(("session", "at", "speaker", "text", "id"), line, strict=True)) for line in TALK]
    talk.write_text("".join(json.dumps(line) + "\n" for line in lines) + "not json\n")
    taken = program("memory", "import", str(talk), "--json")
    assert taken.status == 0 and taken.json["added"] == 3 and taken.json["bad"][0]["line"] == 4
    assert program("memory", "import", str(talk), "--json", "--no-wait").json["known"] == 3
    when = ("--now", "2026-03-05T00:00:00+00:00")
    found = program("memory", "search", "where does my sister live", "-k", "2", "--json", *when).json
    assert found[0]["turn_ids"] == ["a1"] and found[0]["text"] == "my sister Anika lives in Lisbon"
    assert set(found[0]) == {"id", "kind", "turn_ids", "session", "at", "text", "score"}
    asked = '{"query": "soup", "k": 1, "now": "2026-03-05T00:00:00Z"}\n{"query": "sister", "k": 1}\n'
    batch = program("memory", "search", "--batch", "-", typed=asked).out.splitlines()
    assert [json.loads(line)[0]["turn_ids"] for line in batch] == [["a3"], ["a1"]]
    assert program("memory", "why", found[0]["id"], "--json").json["speaker"] == "user"
    assert program("memory", "reindex", "--wait", "--json").json == {"rebuilding": False, "pending": 0}
    assert program("memory", "import", str(data / "missing.jsonl")).status == 1
    bad = program("memory", "search", "--batch", "-", typed='{"q": 1}\n')
    assert bad.status == 2 and "line 1" in bad.err
