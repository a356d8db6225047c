"""Nothing leaves by itself: no name is looked up, nobody is called, nothing is written but where the docs say.

The system calls of a whole life are traced, so what a library does in its own threads and its own language counts too.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from furoshiki.core.no_telemetry import SWITCHES
from furoshiki.core.paths import ROOT

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

CALLS = (
    "connect,sendto,sendmsg,sendmmsg,openat,mkdirat,renameat,renameat2,symlinkat,linkat"
    ",?open,?creat,?mkdir,?rename,?symlink,?link"  # ARM has only those above
)
"""The calls that reach another machine or make or change a file."""

_WRITES = re.compile(r"O_WRONLY|O_RDWR|O_CREAT|O_TRUNC")
_PATHS = re.compile(r"(?:(?:AT_FDCWD|\d+)<([^>]*)>, )?\"((?:[^\"\\]|\\.)*)\"")
_ADDRESS = re.compile(r"sin6?_port=htons\((\d+)\).*?(?:inet_addr\(\"([^\"]+)\"\)|inet_pton\(AF_INET6, \"([^\"]+)\")")
_LOOPBACK = ("127.0.0.1", "::1")
_DOMAIN_NAMES = "53"


def _in_a_namespace(command: list[str]) -> list[str]:
    """The command in a network with loopback alone. Nobody of this machine, and nobody beyond it, can be reached."""
    return ["unshare", "--map-root-user", "--net", "sh", "-c", 'ip link set lo up && exec "$@"', "sh", *command]


def _can_trace() -> bool:
    if not all(map(shutil.which, ("unshare", "ip", "strace"))):
        return False
    return subprocess.run(_in_a_namespace(["strace", "-qq", "true"]), capture_output=True, check=False).returncode == 0


@pytest.mark.timeout(900)
@pytest.mark.skipif(not _can_trace(), reason="needs strace, ip and network namespaces")
def test_a_whole_life_calls_nobody_and_writes_only_where_the_docs_say(tmp_path: Path) -> None:
    data, traces = tmp_path / "data", tmp_path / "traces"
    traces.mkdir()
    strace = ["strace", "-ff", "-y", "-qq", "--seccomp-bpf", "-s", "4096", "-e", f"trace={CALLS}", "-o", f"{traces}/t"]
    lived = subprocess.run(
        _in_a_namespace([*strace, sys.executable, "-m", "tests.e2e.private_life", str(data)]),
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert lived.returncode == 0, lived.stdout[-4000:] + lived.stderr[-4000:]
    did = json.loads(lived.stdout.splitlines()[-1])
    assert sum(did.values()) >= 5, did
    lines = [line for path in traces.iterdir() for line in path.read_text("utf-8", "replace").splitlines()]
    assert any("onnx" in line for line in lines), "the encoder was never opened: nothing was proved"
    assert sorted(set(_called(lines))) == []
    own_roots = (Path("/newroot"), Path("/oldroot"))  # bubblewrap's, in a file system of its own
    home, output = data.with_name("data-home"), data.with_name("data-output")
    allowed = (data, output, home, Path("/dev"), Path("/proc"), *own_roots)
    written = sorted({path for path in _written(lines) if not any(path.is_relative_to(one) for one in allowed)})
    assert [path for path in written if not _compiled(path)] == []
    assert list(data.with_name("data-home").rglob("*")) == []


def test_every_switch_is_set_before_anything_is_imported() -> None:
    """In a process of the program, its scripts, memoryd and the installer's helper alike: all import the package."""
    names = ",".join(repr(name) for name in SWITCHES)
    code = f"import furoshiki, os; print([os.environ[name] for name in ({names})])"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env={}, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == str(list(SWITCHES.values()))
    kept = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env={"DO_NOT_TRACK": "0"}, capture_output=True, text=True, check=True
    )
    assert kept.stdout.strip().endswith("'0']")  # what the operator says stays


def _called(lines: list[str]) -> Iterator[str]:
    """Calls to an address that is not loopback, and to any name server."""
    for line in lines:
        for port, four, six in _ADDRESS.findall(line):
            if (four or six) not in _LOOPBACK or port == _DOMAIN_NAMES:
                yield line


def _written(lines: list[str]) -> Iterator[Path]:
    """Every path that was opened for writing, made, or given a new name, whether that went well or not."""
    for line in lines:
        call = line.partition("(")[0]
        if call in ("connect", "sendto", "sendmsg", "sendmmsg") or " = -1 " in line:
            continue
        if call in ("open", "openat") and not _WRITES.search(line):
            continue
        for folder, name in _PATHS.findall(line.partition(" = ")[0]):
            yield Path(folder or "/") / name if not name.startswith("/") else Path(name)


def _compiled(path: Path) -> bool:
    """Python's own cache beside the sources, which the installer made and a newer checkout renews."""
    return path.is_relative_to(ROOT) and ("__pycache__" in path.parts)
