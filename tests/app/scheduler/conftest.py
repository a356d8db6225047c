"""A brain with scripts of its own, a clock that tests turn, and no jobs but those a test writes down."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from furoshiki.app.scheduler.loop import Brain, SchedulerSetup
from furoshiki.app.scheduler.store import runs
from furoshiki.core.database.connection import Database

NOON = datetime(2026, 3, 24, 12, 0, tzinfo=UTC)

SCRIPTS = {
    "work.py": "import json, os; open('ran', 'a').write('x'); print(json.dumps({'did': True, 'summary': 'worked'}))",
    "idle.py": "import json, os; open('ran', 'a').write('x'); "
    "print(json.dumps({'did': False, 'summary': 'nothing to do'}))",
    "tells.py": "import json, os; open('ran', 'a').write('x'); "
    "print(json.dumps({'did': True, 'summary': 'worked', 'run_id': 7}))",
    "fail.py": "import sys; print('went wrong'); sys.exit(3)",
    "hang.py": "import time; print('begun', flush=True); time.sleep(60)",
    "deaf.py": "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('deaf', flush=True); "
    "time.sleep(60)",
    "flood.py": "import json\nfor n in range(40000): print('flood', n)\n"
    "print(json.dumps({'did': True, 'summary': 'flooded'}))",
    "fork.py": "import subprocess, sys; "
    "p = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)']); open('left', 'w').write(str(p.pid))",
}


@dataclass
class House:
    """A data directory with a brain in it."""

    data: Path
    scripts: Path
    database: Database
    now: datetime = NOON
    zone: str = "UTC"
    brains: list[Brain] = field(default_factory=list)

    def schedule(self, *jobs: dict[str, object]) -> None:
        path = self.data / "memory" / "schedules.json"
        path.write_text(json.dumps({"jobs": [{"timeout": 30, **job} for job in jobs]}))

    def brain(self) -> Brain:
        shipped = self.scripts / "shipped.json"
        shipped.write_text('{"jobs": []}')
        around = SchedulerSetup(
            data=self.data,
            database=self.database.path,
            clock=lambda: self.now,
            zone=lambda: ZoneInfo(self.zone),
            python=sys.executable,
            environ=os.environ,
            shipped=shipped,
            scripts=self.scripts,
        )
        self.brains.append(Brain(around))
        return self.brains[-1]

    def pass_(self, **gone: float) -> None:
        self.now += timedelta(**gone)

    def settle(self, brain: Brain, seconds: float = 10.0) -> None:
        """Let what was started end."""
        until = time.monotonic() + seconds
        while brain._running and time.monotonic() < until:
            brain._sleep(0.05)
            brain._note_ended()
        assert not brain._running

    def ran(self) -> int:
        path = self.data / "ran"
        return len(path.read_text()) if path.exists() else 0

    def log(self, script: str | None = None) -> list[runs.Run]:
        with self.database.read() as db:
            return runs.latest(db, script)

    def job(self, name: str) -> runs.JobState | None:
        with self.database.read() as db:
            return runs.jobs(db).get(name)


@pytest.fixture
def house(tmp_path: Path, database: Database) -> Iterator[House]:
    scripts = tmp_path / "scripts"
    scripts.mkdir()
    for name, text in SCRIPTS.items():
        (scripts / name).write_text(text)
    found = House(tmp_path, scripts, database)
    yield found
    for brain in found.brains:
        for running in brain._running.values():
            running.child.end_now()
        found.settle(brain)


def wait_for(what: Callable[[], bool], seconds: float = 10.0) -> None:
    """Until something is so; fails after a while."""
    until = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < until, "it did not happen"
        time.sleep(0.02)
