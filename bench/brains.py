"""What the brain costs, and whether two of them ever run at once.

    python bench/brains.py [--races 100] [--idle 60]

Prints a table: memory and CPU of an idle brain, CPU and memory of a script with nothing to do, races of two brains.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from furoshiki.core.database import migrate
from furoshiki.core.paths import ROOT


def main() -> int:
    """Measure and print; return 1 when two brains ran at once."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--races", type=int, default=100)
    asked.add_argument("--idle", type=float, default=60.0, help="seconds to watch an idle brain")
    options = asked.parse_args()
    with tempfile.TemporaryDirectory() as name:
        data = Path(name)
        migrate.ensure(data / "memory" / "longmemory.sqlite")
        rows = [*idle(data, options.idle), *script(data, "outreach_pulse"), *script(data, "run_post_conversation")]
        won = [race(data) for _ in range(options.races)]
        rows.append(("races in which exactly one brain stayed", f"{won.count(1)} of {len(won)}"))
    for what, figure in rows:
        print(f"{what:<48} {figure}")
    return int(any(count != 1 for count in won))


def start(data: Path) -> subprocess.Popen[bytes]:
    environ = {**os.environ, "FUROSHIKI_DATA": str(data)}
    return subprocess.Popen([sys.executable, "-P", "-m", "furoshiki", "brain"], env=environ, stderr=subprocess.DEVNULL)


def idle(data: Path, seconds: float) -> list[tuple[str, str]]:
    """Return memory and CPU of a brain with nothing due."""
    brain = start(data)
    time.sleep(5)
    before = cpu(brain.pid)
    time.sleep(seconds)
    share = (cpu(brain.pid) - before) / seconds * 100
    status = Path(f"/proc/{brain.pid}/status").read_text()
    resident = int(status.partition("VmRSS:")[2].split()[0]) / 1024
    began = time.perf_counter()
    brain.terminate()
    brain.wait()
    return [
        ("brain, resident", f"{resident:.0f} MB"),
        ("brain, idle CPU (scripts aside)", f"{share:.2f} % of a core"),
        ("brain, from SIGTERM to gone", f"{time.perf_counter() - began:.2f} s"),
    ]


def script(data: Path, name: str) -> list[tuple[str, str]]:
    """Return the CPU of a script with nothing to do, the best of ten."""
    costs = []
    for _ in range(10):
        process = subprocess.Popen(
            [sys.executable, "-P", str(ROOT / "scripts" / f"{name}.py")],
            env={**os.environ, "FUROSHIKI_DATA": str(data)},
            stdout=subprocess.DEVNULL,
        )
        _pid, _status, used = os.wait4(process.pid, 0)
        process.returncode = 0
        costs.append(used.ru_utime + used.ru_stime)
    return [(f"{name} with nothing to do, CPU", f"{min(costs):.3f} s")]


def race(data: Path) -> int:
    """Start two brains at once; return how many are alive after one gave up."""
    brains = [start(data), start(data)]
    until = time.monotonic() + 20
    while time.monotonic() < until and all(brain.poll() is None for brain in brains):
        time.sleep(0.02)
    alive = sum(brain.poll() is None for brain in brains)
    for brain in brains:
        brain.terminate()
    for brain in brains:
        brain.wait()
    return alive


def cpu(pid: int) -> float:
    """Return the CPU seconds of the process itself."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    sys.exit(main())
