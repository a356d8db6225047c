"""Two nodes want the same homes, over one PostgreSQL: each has a folder of its own whose kernel locks say nothing to
the other, and below it the same data, as two machines have that mount one volume. Somebody kills, freezes and drains
them in turn, and takes PostgreSQL away for longer than a lease runs.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

from tests.e2e.program import Program, Running
from tests.emulators.llm import LLMEmulator
from tests.emulators.telegram import TelegramEmulator
from tests.faults.host_killing import HostKilling, Outcome
from tests.support.postgres import Postgres

LEASE_SECONDS = 2.5
SHARED = ("members.json", "set_aside")
OWN = "run"
"""The folder of a home where its locks are."""


def mounted(root: Path, other: Path) -> None:
    """Make `other` a second machine's view of the homes in `root`: the same data, and locks of its own."""
    for name in SHARED:
        path = other / ".host" / name
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        if name == "set_aside":
            (root / ".host" / name).mkdir(exist_ok=True)
        path.symlink_to(root / ".host" / name)
    for home in (path for path in root.iterdir() if not path.name.startswith(".")):
        (other / home.name / OWN).mkdir(parents=True)
        for path in home.iterdir():
            if path.name != OWN:
                (other / home.name / path.name).symlink_to(path)


class HostRacing(HostKilling):
    """Two hosts, and somebody with a grudge. `race` once."""

    def __init__(
        self,
        program: Program,
        roots: tuple[Path, Path],
        names: list[str],
        telegram: TelegramEmulator,
        llm: LLMEmulator,
        postgres: Postgres,
        seed: int,
    ) -> None:
        super().__init__(program, roots[0], names, telegram, llm, seed)
        mounted(*roots)
        self._roots = roots
        self._postgres = postgres
        self._nodes: list[Running] = []
        (roots[1] / ".host" / "run").mkdir(exist_ok=True)
        (roots[0] / ".host" / "run").mkdir(exist_ok=True)
        newest = f"newest-{telegram.token.partition(':')[0]}"
        (roots[0] / ".host" / "run" / newest).touch()
        (roots[1] / ".host" / "run" / newest).symlink_to(roots[0] / ".host" / "run" / newest)

    def race(self, rounds: int) -> Outcome:
        """Do harm so often, then let them finish in peace and read the chats."""
        began = time.monotonic()
        self._nodes = [self._begun(0), self._begun(1)]
        harms: tuple[Callable[[int], str], ...] = (self._kill, self._freeze, self._drain, self._darken, self._mutiny)
        for number in range(rounds):
            if self._tired():
                self._quiet(90.0)
            self._talk(self._rng.uniform(0.3, 1.5))
            self._outcome.kills[harms[number % len(harms)](number // len(harms) % 2)] += 1
        self._telegram.faults.clear()
        self._quiet(90.0)
        for node in self._nodes:
            node.stop()
        self._judge()
        self._outcome.seconds = time.monotonic() - began
        return self._outcome

    def _begun(self, which: int) -> Running:
        return self._program.start("host", "listen", FUROSHIKI_HOMES=str(self._roots[which]))

    def _kill(self, which: int) -> str:
        """kill -9 of one; the other has to wait for the end of its lease."""
        self._nodes[which].kill()
        self._talk(LEASE_SECONDS * self._rng.uniform(0.2, 1.6))
        self._nodes[which] = self._begun(which)
        return "killed"

    def _freeze(self, which: int) -> str:
        """One stands still in the middle for longer than its lease, and then goes on as if nothing had been."""
        os.kill(self._nodes[which].pid, signal.SIGSTOP)
        self._talk(LEASE_SECONDS * self._rng.uniform(1.0, 2.0))
        os.kill(self._nodes[which].pid, signal.SIGCONT)
        return "frozen"

    def _drain(self, which: int) -> str:
        """One is told to end; the other takes over at once."""
        self._nodes[which].process.terminate()
        self._talk(0.5)
        self._nodes[which].process.wait(15.0)
        self._nodes[which] = self._begun(which)
        return "drained"

    def _darken(self, _which: int) -> str:
        """PostgreSQL is away until every lease has ended."""
        self._postgres.stop()
        self._talk(LEASE_SECONDS * self._rng.uniform(0.3, 1.5))
        self._postgres.start()
        return "without PostgreSQL"

    def _mutiny(self, _which: int) -> str:
        """Every lease is declared to have ended, as by a clock that jumped; who has a home does not know yet."""
        self._postgres.execute("UPDATE furoshiki_leases SET until = clock_timestamp() - interval '1 second'")
        self._talk(0.5)
        return "leases ended early"
