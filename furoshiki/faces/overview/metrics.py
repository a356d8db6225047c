"""Figures for Prometheus, without words of anybody.

Counters begin at the first request; each later one reads only newer rows.
"""

import resource
import shutil
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

from furoshiki.app.scheduler.store.runs import Run
from furoshiki.core.paths import version
from furoshiki.core.process.prometheus import Family, Sample, one
from furoshiki.core.timestamps import day_start
from furoshiki.faces.overview import health, jobs
from furoshiki.faces.overview.store import counting
from furoshiki.faces.overview.store.counting import Calls
from furoshiki.maintenance import doctor
from furoshiki.memory.store import memories
from furoshiki.models.llm.store import costs
from furoshiki.owner.agenda.store import backlog, tasks
from furoshiki.world import World

A_DAY = timedelta(days=1)

_PAGE_BYTES = resource.getpagesize()


@dataclass
class Meter:
    """The counts since the first request, and the last counted rows."""

    _since: datetime | None = None
    _rows: dict[str, int] = field(default_factory=dict)
    _turns: Counter[str] = field(default_factory=Counter)
    _answers: Counter[str] = field(default_factory=Counter)
    _seconds: float = 0.0
    _calls: dict[tuple[str, str, bool], Calls] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def families(self, world: World) -> list[Family]:
        """Return all present figures. Raises StorageUnavailable."""
        with self._lock:
            self._count(world)
            counted = list(self._collect_counters())
        return [*counted, *_now(world), *_jobs(world), *_machine(world)]

    def _count(self, world: World) -> None:
        with world.database.read() as db:
            newest = counting.newest(db)
            if self._since is None:
                self._since, self._rows = world.now, newest
                return
            self._turns.update(counting.turns_after(db, self._rows["turns"]))
            answers = counting.count_answers(db, self._rows["inbox"])
            fresh = counting.calls_after(db, self._rows["llm_calls"], self._since - A_DAY)
        self._answers.update(answers.by_state)
        self._seconds += answers.seconds
        for calls in fresh:
            key = (calls.tier, calls.model, calls.failed)
            self._calls[key] = self._calls[key] + calls if key in self._calls else calls
        self._rows = {**newest, "inbox": answers.upto}

    def _collect_counters(self) -> Iterator[Family]:
        yield Family(
            "furoshiki_turns_total",
            "counter",
            "Turns of live conversations, by who spoke.",
            [one(self._turns[who], speaker=who) for who in ("user", "companion")],
        )
        yield Family(
            "furoshiki_messages_total",
            "counter",
            "Messages that were dealt with: done, failed, or given up as dead.",
            [one(self._answers[state], outcome=state) for state in ("done", "failed", "dead")],
        )
        yield Family(
            "furoshiki_message_seconds",
            "summary",
            "Seconds from a message's arrival to its answer.",
            [Sample(self._seconds, {}, "_sum"), Sample(self._answers["done"], {}, "_count")],
        )
        for name, about, value in _OF_CALLS:
            samples = [
                one(float(getattr(calls, value)), tier=tier, model=model, outcome="failed" if failed else "ok")
                for (tier, model, failed), calls in sorted(self._calls.items())
            ]
            yield Family(f"furoshiki_model_{name}_total", "counter", about, samples)


_OF_CALLS = (
    ("calls", "Calls of models.", "calls"),
    ("cost_usd", "US dollars for calls of models.", "usd"),
    ("seconds", "Seconds that models took.", "seconds"),
    ("input_tokens", "Tokens that models read.", "tokens_in"),
    ("cached_tokens", "Of them those that came from a cache.", "tokens_cached"),
    ("output_tokens", "Tokens that models wrote.", "tokens_out"),
)


def _gauge(name: str, about: str, *samples: Sample) -> Family:
    return Family(f"furoshiki_{name}", "gauge", about, samples)


def _now(world: World) -> Iterator[Family]:
    now, settings = world.now, world.settings
    with world.database.read() as db:
        waiting = backlog.count_waiting(db)
        given_up = backlog.count_failures(db, now - A_DAY)
        held = memories.count(db)
        open_tasks = sum(tasks.lists(db).values())
        today = costs.spent_since(db, day_start(now))
    yield _gauge("info", "The version that runs; always 1.", one(1, version=version()))
    up = health.check_processes(world).items()
    yield _gauge("up", "Whether a process lives.", *(one(int(lives), process=name) for name, lives in up))
    queued = [one(many, queue=name) for name, many in waiting.items()]
    yield _gauge("queue_length", "Rows that wait; index: those that have no vector yet.", *queued)
    yield _gauge("undelivered", "Words that could not be delivered in the last day.", one(given_up["outbox"]))
    yield _gauge("unanswered", "Messages that were given up in the last day.", one(given_up["inbox"]))
    yield _gauge("memories", "Memories that are held, superseded ones included.", one(held))
    yield _gauge("tasks_open", "What is open on all lists.", one(open_tasks))
    yield _gauge("cost_today_usd", "US dollars since midnight UTC.", one(round(today, 6)))
    limits = {"soft": settings.furoshiki_soft_budget_usd, "hard": settings.furoshiki_hard_budget_usd}
    budget = [one(usd, limit=name) for name, usd in limits.items() if usd]
    yield _gauge("budget_usd", "What a day may cost.", *budget)


def _jobs(world: World) -> Iterator[Family]:
    found, wrong = jobs.jobs(world)
    yield _gauge("schedules_valid", "Whether schedules.json can be read as it stands.", one(int(wrong is None)))
    failing = [one(job.failures, job=job.entry.name) for job in found]
    yield _gauge("job_failures_in_a_row", "How often a job has failed since it went well.", *failing)
    ended = [(job.entry.name, job.last) for job in found if job.last is not None and job.last.finished_at is not None]
    for name, about, of in _OF_A_RUN:
        values = [(job, of(run)) for job, run in ended]
        yield _gauge(name, about, *(one(value, job=job) for job, value in values if value is not None))


def _took(run: Run) -> float | None:
    return None if run.finished_at is None else (run.finished_at - run.started_at).total_seconds()


_OF_A_RUN: tuple[tuple[str, str, Callable[[Run], float | None]], ...] = (
    (
        "job_last_run_timestamp_seconds",
        "When the last run with something to do began.",
        lambda run: run.started_at.timestamp(),
    ),
    ("job_last_seconds", "How long that run took.", _took),
    ("job_last_success", "Whether it went well.", lambda run: int(run.exit_code == 0)),
    ("job_last_cpu_seconds", "The CPU it used.", lambda run: run.cpu_s),
    ("job_last_peak_bytes", "The most memory it had.", lambda run: run.peak_mb and run.peak_mb * 2**20),
)


def _machine(world: World) -> Iterator[Family]:
    data = world.settings.data
    report = doctor.last_report(data)
    if report is not None:
        states = Counter(finding.state for finding in report.findings)
        samples = [one(states[state], state=state) for state in ("well", "note", "mended", "wrong")]
        yield _gauge("doctor_findings", "What the doctor found when it looked last.", *samples)
        yield _gauge("doctor_timestamp_seconds", "When the doctor looked last.", one(report.at.timestamp()))
    yield _gauge("disk_free_bytes", "Room on the disk of the data directory.", one(shutil.disk_usage(data).free))
    rows = world.database.path
    sizes = [
        one(size, file=name)
        for name, path in (("database", rows), ("wal", Path(f"{rows}-wal")))
        if (size := _size(path))
    ]
    yield _gauge("file_bytes", "How large the database is.", *sizes)
    used = resource.getrusage(resource.RUSAGE_SELF)
    cpu = round(used.ru_utime + used.ru_stime, 3)
    yield Family("process_cpu_seconds_total", "counter", "CPU of the process that answers this.", [one(cpu)])
    about = "Memory of the process that answers this."
    yield Family("process_resident_memory_bytes", "gauge", about, [one(_resident())])


def _size(path: Path) -> int:
    with suppress(OSError):
        return path.stat().st_size
    return 0


def _resident() -> int:
    with suppress(OSError, ValueError, IndexError):
        return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * _PAGE_BYTES
    return 0
