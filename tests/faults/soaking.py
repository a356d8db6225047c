"""Weeks of a program's life, in real processes whose clock is put forward, with whatever may go wrong going wrong.

Somebody writes and asks for reminders, every job runs at its time, and now and then something is broken: a process is
killed, the model or Telegram fails, a file is spoiled, the disk is full, the clock jumps. The listener and memoryd are
the program's own; jobs run as processes of their own when they have something to do, at the times of the brain's own
timetable; a brain is started and killed now and then. All along it is checked that nothing is lost or doubled.
"""

from __future__ import annotations

import contextlib
import heapq
import json
import os
import random
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

from furoshiki.app import run_job
from furoshiki.app.scheduler import schedule_file
from furoshiki.app.scheduler.loop import Alarm, Timetable
from furoshiki.core.paths import ROOT, living_in
from tests.e2e import processes
from tests.e2e.program import Running, numbers
from tests.emulators.llm import LLMEmulator, answers
from tests.emulators.llm.request import Request
from tests.emulators.telegram import TelegramEmulator
from tests.faults.explanations import explanation
from tests.support.deaths import Forked
from tests.support.files import contents
from tests.support.forked_program import ForkedProgram, warm
from tests.support.virtual_time import VirtualTime

BEGINS = datetime(2027, 3, 1, 0, 0, tzinfo=UTC)
"""The clocks of the owner's zone change in the fourth week."""

PATIENCE_SECONDS = 90.0
MESSAGES_A_DAY = (6, 12)
REMINDERS_A_DAY = 2
DOCTOR_EVERY = timedelta(hours=6)
IDLE_RUNS = 0.02
"""The share of jobs with nothing to do that are started all the same."""

JOB_KILLED = "soul_engine"
UNFINISHED = f"SELECT count(*) FROM run_log WHERE script='{JOB_KILLED}' AND finished_at IS NULL"
MOST_TRIES = 20
"""So often a job is started until it dies before its end."""

DISK_LEFT = 200_000
"""Bytes that a full disk has left."""

ENDING = ("listener killed", "memoryd killed", "index spoiled")
"""Faults after which another listener or memoryd runs."""

WARMING = 4
"""Days on which a process still grows to its size: threads and their connections, caches."""

REMINDED = re.compile(r"\bplant (\d+)\b")
GROWING = ("turns", "memories", "sessions", "consolidation_log")
"""Tables of which nothing is ever taken away within a month."""

MODEL_FAULTS: dict[str, Callable[[], Any]] = {
    "429": answers.too_many,
    "500": answers.server_error,
    "529": answers.overloaded,
    "502": answers.bad_gateway,
    "reset": answers.reset,
    "garbage": answers.garbage,
    "empty": answers.empty,
}
TELEGRAM_FAULTS: dict[str, Callable[[TelegramEmulator], object]] = {
    "409": lambda telegram: telegram.faults.conflict(),
    "429": lambda telegram: telegram.faults.too_many("sendMessage"),
    "502": lambda telegram: telegram.faults.bad_gateway("sendMessage"),
    "500": lambda telegram: telegram.faults.server_error("sendMessage"),
    "answer cut": lambda telegram: telegram.faults.cut_after("sendMessage"),
    "refused": lambda telegram: telegram.faults.refuse("sendMessage"),
    "twice": lambda telegram: telegram.faults.duplicate_updates(),
    "any order": lambda telegram: telegram.faults.reorder_updates(),
}


@dataclass
class Sample:
    """A process at a moment: the day, megabytes resident, open files, how many of each (numbers in names masked)."""

    day: float
    megabytes: float
    opened: Counter[str]

    @property
    def files(self) -> int:
        """All of them."""
        return self.opened.total()


@dataclass
class Lived:
    """What was lived and found. `broken` says in words what must not be; the counters are by name of a fault,
    and so are `explanations`: the line of the doctor's log that said what had happened."""

    days: int = 0
    messages: int = 0
    reminders: int = 0
    jobs: Counter[str] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)
    explained: Counter[str] = field(default_factory=Counter)
    explanations: dict[str, str] = field(default_factory=dict)
    broken: list[str] = field(default_factory=list)
    samples: dict[tuple[str, int], list[Sample]] = field(default_factory=dict)
    doctor: Counter[str] = field(default_factory=Counter)
    healthy: bool = False
    seconds: float = 0.0


def job(name: str) -> None:
    """Run a job to its end, as its script does."""
    outcome = run_job.run(name)
    print(outcome.as_json())
    raise SystemExit(outcome.exit_code)


class Soak:
    """One program, one person, and somebody with a grudge. `disk` is a folder that may be filled to its last byte, the
    data directory within it; None where no disk may be made."""

    def __init__(
        self,
        program: ForkedProgram,
        telegram: TelegramEmulator,
        llm: LLMEmulator,
        clock: VirtualTime,
        seed: int,
        disk: Path | None = None,
    ) -> None:
        self._program, self._telegram, self._llm, self._clock = program, telegram, llm, clock
        self._dice = random.Random(seed)
        self._disk = disk
        self._listener: Running | None = None
        self._acts: list[tuple[datetime, int, Callable[[], None]]] = []
        self._acted = 0
        self._kills_next = False
        self._deck: list[str] = []
        self._lasting = False
        self._counts: dict[str, int] = {}
        self.lived = Lived()
        llm.script = self._says
        program.set(FUROSHIKI_MEMORYD_IDLE_MINUTES="600", FUROSHIKI_CHROMA_FROM="0", TZ="UTC", **clock.environ)
        self._table = Timetable(clock.now, UTC, self._ring)

    def live(
        self,
        days: int,
        faults_a_day: float,
        told: Callable[[int, Lived], None] = lambda *_: None,
        most_minutes: float = float("inf"),
    ) -> Lived:
        """Live so many days, or as many as begin within so many minutes; then put all in order and look once more."""
        began = time.monotonic()
        with living_in(self._program.data):
            self._program.run("migrate")
            self._listener = self._program.listening()
            self._set_alarms()
            for day in range(days):
                if time.monotonic() - began > most_minutes * 60:
                    break
                if not self._lasting and 0 < days <= day * 3:
                    self._lasting, self._deck = True, [name for name in self._deck if name not in ENDING]
                self._plan_day(day, faults_a_day)
                self._until(BEGINS + timedelta(days=day + 1))
                self._look(day + 1)
                self.lived.days = day + 1
                told(day + 1, self.lived)
            self._recover()
        self.lived.seconds = time.monotonic() - began
        return self.lived

    # -- what happens when --

    def _set_alarms(self) -> None:
        for entry in schedule_file.read(self._program.data / "memory" / "schedules.json").values():
            if entry.enabled:
                self._table.set(entry, self._clock.now(), [])

    def _plan_day(self, day: int, faults_a_day: float) -> None:
        begins, dice = BEGINS + timedelta(days=day), self._dice
        for _ in range(dice.randint(*MESSAGES_A_DAY)):
            self._at(begins + timedelta(hours=dice.uniform(7, 22.5)), self._talk)
        for _ in range(REMINDERS_A_DAY):
            self._at(begins + timedelta(hours=dice.uniform(8, 19)), self._ask_for_reminder)
        for number in range(int(timedelta(days=1) / DOCTOR_EVERY)):
            self._at(begins + number * DOCTOR_EVERY + timedelta(minutes=7), self._doctor)
        chosen = int(faults_a_day) + (dice.random() < faults_a_day % 1)
        for name in self._dealt(chosen):
            self._at(begins + timedelta(hours=dice.uniform(6, 23)), partial(self._strike, name))

    def _dealt(self, count: int) -> list[str]:
        """The next faults: each kind strikes once before one does again, in an order of the dice. After a third of the
        days nothing ends the processes whose growth is looked at."""
        while len(self._deck) < count:
            kinds = [name for name in self._faults() if not self._lasting or name not in ENDING]
            self._dice.shuffle(kinds)
            self._deck += kinds
        dealt, self._deck = self._deck[:count], self._deck[count:]
        return dealt

    def _at(self, moment: datetime, act: Callable[[], None]) -> None:
        self._acted += 1
        heapq.heappush(self._acts, (moment, self._acted, act))

    def _until(self, moment: datetime) -> None:
        while True:
            job, act = self._table.next_due(), self._acts[0][0] if self._acts else None
            comes = min(at for at in (job, act, moment) if at is not None)
            if comes >= moment:
                break
            if comes > self._clock.now():
                self._clock.to(comes + timedelta(seconds=1))
            if act is not None and act <= comes:
                heapq.heappop(self._acts)[2]()
            else:
                self._table.run_pending()
        self._clock.to(moment)

    # -- the person --

    def _talk(self) -> None:
        self._say()
        self._quiet("a message")

    def _say(self) -> None:
        self.lived.messages += 1
        self._telegram.say(f"message {self.lived.messages}")

    def _ask_for_reminder(self) -> None:
        self.lived.reminders += 1
        self._telegram.say(f"/remind in {self._dice.randint(5, 120)} minutes water plant {self.lived.reminders}")
        self._quiet("a reminder")

    def _says(self, request: Request) -> Any:
        """The model: messages that have no answer yet are answered with their numbers, all else with the least."""
        heard = set(numbers([request.words]))
        if not request.system.startswith("You are Furo") or request.schema is not None:
            return None
        if heard and not heard & set(numbers(self._telegram.replies())):
            return "re: " + ", ".join(f"message {number}" for number in sorted(heard))
        return "Mhm."

    # -- the jobs --

    def _ring(self, alarm: Alarm) -> None:
        name = alarm.entry.script.stem
        alarm.runs.append(self._clock.now())
        wanted = run_job.run(name, now=self._clock.now(), dry_run=True)
        if wanted.summary.startswith("would run") or self._dice.random() < IDLE_RUNS:
            self._run(name)

    def _run(self, name: str) -> None:
        log = self._program.data.parent / "jobs.log"
        process = Forked(job, (name,), dict(self._program.environment), log, ready=warm)
        self.lived.jobs[name] += 1
        if self._kills_next:
            self._kills_next = False
            self._program.wait_for(
                lambda: self._program.value(UNFINISHED) or process.poll() is not None,
                PATIENCE_SECONDS,
                "a job to begin",
            )
            time.sleep(self._dice.uniform(0.0, 0.05))
            process.kill()
            process.wait()
            return
        status = process.wait(PATIENCE_SECONDS * 2)
        if status not in (0, 4):
            self._broke(f"{name} ended with {status}: {log.read_text('utf-8', 'replace')[-400:]}")

    # -- what is broken on purpose --

    def _faults(self) -> dict[str, Callable[[], object]]:
        """Each fault by its name. It answers whether it struck."""
        found: dict[str, Callable[[], object]] = {
            "listener killed": self._kill_listener,
            "job killed": self._kill_job,
            "memoryd killed": self._kill_memoryd,
            "brain killed": self._kill_brain,
            "state spoiled": self._spoil_state,
            "index spoiled": self._spoil_index,
            "clock ahead and back": self._jump,
            **{f"model: {name}": self._model_fault(make) for name, make in MODEL_FAULTS.items()},
            **{f"Telegram: {name}": self._telegram_fault(make) for name, make in TELEGRAM_FAULTS.items()},
            "Telegram away": self._telegram_away,
        }
        if self._disk is not None:
            found["disk full"] = self._fill_disk
        return found

    def _strike(self, name: str) -> None:
        log = self._program.data / "logs" / "doctor.log"
        before = log.read_text("utf-8").count("\n") if log.exists() else 0
        self.lived.faults[name] += 1
        struck = self._faults()[name]()
        self._telegram.faults.clear()
        self._llm.clear()
        self._llm.script = self._says
        if self._listener is None or not self._listener.alive():
            self._broke(f"{name}: the listener is gone")
            self._listener = self._program.listening()
        self._quiet(name)
        self._doctor()
        lines = log.read_text("utf-8").splitlines() if log.exists() else []
        said = explanation(name, lines[before:])
        if not struck:
            self._broke(f"{name}: it did not strike")
        elif said is None:
            last = [str(json.loads(line)["message"]) for line in lines[before:]]
            self._broke(f"{name} on {self._clock.now():%d %B %H:%M}: not explained by {last}")
        else:
            self.lived.explained[name] += 1
            self.lived.explanations.setdefault(name, said)

    def _kill_listener(self) -> bool:
        assert self._listener is not None
        self._say()
        time.sleep(self._dice.uniform(0.0, 0.6))
        self._listener.kill()
        self._say()
        self._listener = self._program.listening()
        return True

    def _kill_job(self) -> bool:
        """A job dies soon after it has begun, and is run again afterwards."""
        for _ in range(MOST_TRIES):
            self._clock.to(self._clock.now() + timedelta(minutes=16))  # so that it has something to do
            self._say()
            self._quiet("a message for a job")
            self._kills_next = True
            self._run(JOB_KILLED)
            if self._program.value(UNFINISHED):
                self._brain().stop()
                self._run(JOB_KILLED)
                return True
        return False

    def _kill_memoryd(self) -> bool:
        found = self._program.memoryd()
        if found is not None:
            os.kill(found, signal.SIGKILL)
        self._say()
        self._quiet("a message without memoryd")
        sign = self._program.data / "run" / "memoryd.alive"

        def shown() -> bool:
            return sign.exists() and sign.read_text("ascii").strip() not in ("", str(found))

        self._program.wait_for(shown, PATIENCE_SECONDS, "a new memoryd")
        return found is not None

    def _kill_brain(self) -> bool:
        brain = self._brain()
        time.sleep(self._dice.uniform(0.0, 1.5))
        brain.kill()
        self._doctor()
        self._brain().stop()  # as the doctor advises
        return True

    def _brain(self) -> Running:
        """A brain that has begun its work; what was killed while it ran a job is then known as ended."""
        log = self._program.data / "logs" / "brain.log"
        before = log.stat().st_size if log.exists() else 0

        def begun() -> bool:
            return log.exists() and b"jobs are scheduled" in log.read_bytes()[before:]

        brain = self._program.start("brain")
        self._program.wait_for(begun, PATIENCE_SECONDS, "the brain")
        return brain

    def _spoil_state(self) -> bool:
        memory, spoiled = self._program.data / "memory", 0
        for name in ("heartbeat-state.json", "session-context.json"):
            path = memory / name
            if path.exists():
                content = path.read_bytes()
                path.write_bytes(self._dice.choice((content[: len(content) // 2], b"", self._dice.randbytes(300))))
                spoiled += 1
        self._say()
        self._quiet("a message over spoiled state")
        return spoiled > 0

    def _spoil_index(self) -> bool:
        before = len(list((self._program.data / "memory").glob("chroma.corrupt-*")))
        for path, content in contents(self._program.data / "memory" / "chroma"):
            with contextlib.suppress(FileNotFoundError):
                path.write_bytes(self._dice.randbytes(len(content)))
        self._say()
        struck = self._kill_memoryd()
        memory = self._program.data / "memory"
        with contextlib.suppress(AssertionError):  # it is looked at when it is needed, and then explained
            self._program.wait_for(lambda: len(list(memory.glob("chroma.corrupt-*"))) > before, PATIENCE_SECONDS)
        return struck

    def _jump(self) -> bool:
        """Somebody sets the clock a day ahead, and sees it after a message."""
        self._clock.to(self._clock.now() + timedelta(days=1))
        self._say()
        self._quiet("a message of tomorrow")
        self._doctor()
        self._clock.to(self._clock.now() - timedelta(days=1))
        self._say()
        self._quiet("a message of today")
        return True

    def _model_fault(self, make: Callable[[], Any]) -> Callable[[], bool]:
        def strike() -> bool:
            broken = "SELECT count(*) FROM llm_calls WHERE error IS NOT NULL"
            before = self._program.value(broken)
            self._llm.break_with(make(), n=1, when=lambda request: request.system.startswith("You are Furo"))
            self._say()
            self._quiet("an answer of a failing model")
            return bool(self._program.value(broken) > before)

        return strike

    def _telegram_fault(self, make: Callable[[TelegramEmulator], object]) -> Callable[[], bool]:
        def strike() -> bool:
            fault = make(self._telegram)
            self._say()
            self._say()
            self._quiet("an answer over a failing Telegram")
            return bool(getattr(fault, "hits", 0))

        return strike

    def _telegram_away(self) -> bool:
        log = self._program.data / "logs" / "listener.log"
        before = log.stat().st_size if log.exists() else 0
        self._telegram.offline()
        self._say()
        self._program.wait_for(lambda: log.exists() and log.stat().st_size > before, PATIENCE_SECONDS, "it to be seen")
        self._telegram.online()
        self._quiet("a message from before")
        return True

    def _fill_disk(self) -> bool:
        assert self._disk is not None
        free = os.statvfs(self._disk)
        filler = self._disk / "filler"
        with filler.open("wb") as file, contextlib.suppress(OSError):
            os.posix_fallocate(file.fileno(), 0, free.f_bavail * free.f_frsize - DISK_LEFT)
        self._say()
        time.sleep(2.0)
        found = self._doctor()
        filler.unlink()
        self._quiet("a message when there is room again")
        return any(key.startswith("disk") for key in found)

    # -- what must hold --

    def _quiet(self, what: str) -> None:
        try:
            self._program.wait_quiet(PATIENCE_SECONDS)
        except AssertionError as error:
            self._broke(f"{what} on {self._clock.now():%d %B %H:%M}: {str(error)[:3000]}")

    def _broke(self, words: str) -> None:
        self.lived.broken.append(words)

    def _look(self, day: int) -> None:
        """Every answer and reminder once, no row gone, the database whole; and how large everybody is."""
        replies = self._telegram.replies()
        answered = Counter(numbers([one for one in replies if one.startswith("re: ")]))
        told = set(range(1, self.lived.messages + 1))
        self._wrong("not answered", [number for number in told if not answered[number]])
        self._wrong("answered twice", [number for number, times in answered.items() if times > 1])
        rung = Counter(int(found[1]) for one in replies if one.startswith("⏰") and (found := REMINDED.search(one)))
        due = {
            int(found[1])
            for row in self._program.rows("SELECT title FROM tasks WHERE due_at < ?", _hour_ago(self._clock.now()))
            if (found := REMINDED.search(row[0]))
        }
        self._wrong("reminders that did not come", sorted(due - set(rung)))
        self._wrong("reminders that came twice", [number for number, times in rung.items() if times > 1])
        counts = {table: int(self._program.value(f"SELECT count(*) FROM {table}")) for table in GROWING}
        for table, count in counts.items():
            if count < self._counts.get(table, 0):
                self._broke(f"day {day}: {table} had {self._counts[table]} rows and has {count}")
        self._counts = counts
        if (found := self._program.value("PRAGMA integrity_check")) != "ok":
            self._broke(f"day {day}: the database is damaged: {found}")
        assert self._listener is not None
        for name, pid in (("listener", self._listener.pid), ("memoryd", self._program.memoryd())):
            if pid is not None:
                sample = Sample(day, processes.megabytes(pid), _opened(pid))
                self.lived.samples.setdefault((name, pid), []).append(sample)

    def _wrong(self, what: str, these: list[int]) -> None:
        words = f"{what}: {these}"
        if these and words not in self.lived.broken:
            self._broke(words)

    def _doctor(self) -> list[str]:
        """Have the doctor look; the keys of what it found that is not well."""
        environ = {**self._program.environment, "FUROSHIKI_VENV": sys.prefix}
        command = [sys.executable, "-I", "-S", str(ROOT / "scripts" / "doctor.py"), "--json"]
        done = subprocess.run(command, env=environ, capture_output=True, text=True, timeout=PATIENCE_SECONDS)
        if done.returncode not in (0, 1, 2) or not done.stdout.strip():
            self._broke(f"the doctor ended with {done.returncode}: {done.stderr[-500:]}")
            return []
        self._said = json.loads(done.stdout)
        keys = [one["check"] for one in self._said.get("found", ()) if one["state"] in ("wrong", "mended")]
        self.lived.doctor.update(keys)
        return keys

    def _recover(self) -> None:
        """What the doctor says of a companion that is left in peace."""
        for name in ("backup", "soul_engine", "run_post_conversation", "flush_scratch", "embed_design_docs"):
            self._run(name)
        for _ in range(4):
            self._doctor()
            if self._said["exit"] == 0:
                break
        self.lived.healthy = self._said["exit"] == 0
        if not self.lived.healthy:
            left = [f"{one['check']}: {one['words']}" for one in self._said["found"] if one["state"] == "wrong"]
            self._broke(f"the doctor is not content in the end: {left}")


def _hour_ago(now: datetime) -> str:
    return (now - timedelta(hours=1)).isoformat()


def _opened(pid: int) -> Counter[str]:
    """What a process has open, by the last part of its name."""
    found: Counter[str] = Counter()
    for handle in Path(f"/proc/{pid}/fd").iterdir():
        with contextlib.suppress(FileNotFoundError):  # closed meanwhile
            found[re.sub(r"[0-9a-f-]{8,}|\d+", "<n>", handle.readlink().name)] += 1
    return found


def opened_since(lived: Lived) -> Iterator[tuple[str, Counter[str]]]:
    """What each long-running program has open on its last day that it had not when it was warm."""
    for name in ("listener", "memoryd"):
        for (who, _), found in lived.samples.items():
            if who == name and len(found) > WARMING + 1:
                yield name, found[-1].opened - found[WARMING].opened


def slopes(lived: Lived) -> Iterator[tuple[str, float, float, int]]:
    """How fast each long-running program grew: megabytes and open files a day, over all its processes that were seen on
    more days than it takes to warm up (those left out), and how many days that were."""
    for name in ("listener", "memoryd"):
        runs = [
            found[WARMING:] for (who, _), found in lived.samples.items() if who == name and len(found) > WARMING + 1
        ]
        days = sum(run[-1].day - run[0].day for run in runs)
        if days:
            megabytes = sum(run[-1].megabytes - run[0].megabytes for run in runs)
            files = sum(run[-1].files - run[0].files for run in runs)
            yield name, megabytes / days, files / days, round(days)
