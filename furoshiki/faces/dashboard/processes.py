"""The processes there are and which of them run, the way of a message with where messages are, and the last jobs."""

from __future__ import annotations

import fnmatch
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache

from furoshiki.app.scheduler.store.runs import Run
from furoshiki.core.process.locks import list_held_for
from furoshiki.faces.dashboard.rules.diagram import Edge, Layout, Node, lay_out
from furoshiki.faces.overview import jobs
from furoshiki.faces.overview.store import flow
from furoshiki.faces.overview.store.flow import Step
from furoshiki.world import World

MOST_JOBS = 6
ROW = 54.0
SCRIPTS = "scripts"
"""Whatever holds a lock that is nobody else's."""


@dataclass(frozen=True)
class Process:
    """One of them. `locks` is the pattern of the files in run/ that it holds while it lives; empty for what is none of
    ours. `layer` and `row` are its place in the diagram."""

    name: str
    label: str
    layer: int
    row: float
    locks: str
    command: str
    about: str


PROCESSES = (
    Process(
        "telegram", "Telegram", 0, 0, "", "", "Where you write. It keeps a message until the listener has stored it."
    ),
    Process("terminal", "Terminal", 0, 1, "", "", "Where you type."),
    Process("browser", "Browser", 0, 2, "", "", "Where these pages are shown."),
    Process(
        "listener", "listener", 1, 0, "telegram-*.lock", "`furoshiki listen`", "Fetches messages, answers them, sends."
    ),
    Process(
        "chat", "mind", 1, 1, "mind.lock", "`furoshiki chat`, or the listener", "Whoever answers holds this lock alone."
    ),
    Process(
        "dashboard", "dashboard", 1, 2, "dashboard.lock", "`furoshiki dashboard`", "Shows these pages and the API."
    ),
    Process(
        "brain", "brain", 1, 4, "brain.lock", "`furoshiki brain`", "Starts each script at its time, one of a kind."
    ),
    Process("scripts", "scripts", 2, 4, "*.lock", "`scripts/*.py`", "One job each: journal, memory, outreach, backup."),
    Process("memoryd", "memoryd", 2, 3, "chroma.lock", "whoever needs it first", "Finds what is alike in meaning."),
    Process("database", "database", 3, 1, "", "", "longmemory.sqlite: everything that was said, learned and done."),
    Process("state", "state files", 3, 4, "", "", "How it feels, and what is prepared for conversations."),
)
"""In the order of reading."""

FLOWS = (
    Edge("telegram", "listener", "messages"),
    Edge("terminal", "chat", "lines"),
    Edge("browser", "dashboard", "pages, chat"),
    Edge("listener", "database", "inbox, outbox"),
    Edge("chat", "database", "turns"),
    Edge("dashboard", "database", "reads, forms"),
    Edge("brain", "scripts", "starts them"),
    Edge("listener", "memoryd", "what is alike?"),
    Edge("scripts", "database", "what they found"),
    Edge("scripts", "state", "feelings"),
    Edge("memoryd", "database", "indexes rows"),
)

WAY = (
    ("inbox", "Inbox", "Stored before anybody is told that it arrived.", "furoshiki/messages/store/inbox.py"),
    (
        "turn",
        "Perceived",
        "Words, attachments, signals; the heart moves here.",
        "furoshiki/memory/perception/perceive.py",
    ),
    ("", "Context", "Who you are, what was said, what came to mind.", "furoshiki/conversation/context.py"),
    ("", "Deliberated", "A model answers, or asks for skills first.", "furoshiki/conversation/deliberate.py"),
    (
        "journal",
        "Journal",
        "The finished draft is on record: nothing is asked twice.",
        "furoshiki/conversation/turn.py",
    ),
    ("", "Spoken", "Silence, redirection, quoting, reactions, voice.", "furoshiki/conversation/speak.py"),
    ("commit", "Committed", "Both sides and what was learned, in one transaction.", "furoshiki/conversation/commit.py"),
    (
        "outbox",
        "Outbox",
        "Sent in order; an uncertain send is found out about.",
        "furoshiki/channels/telegram/sender.py",
    ),
)
"""The way of a message: the step that leaves rows (or none), its title, what happens, and where."""


@dataclass(frozen=True)
class Now:
    """How it stands: which processes run (None for what is none of ours), the steps of the way, the last jobs."""

    running: Mapping[str, bool | None]
    steps: Mapping[str, Step]
    jobs: tuple[Run, ...]


def now(world: World) -> Now:
    """Look at locks and rows; looking changes nothing."""
    held = list_held_for(world.settings.data / "run")
    running = {one.name: _any(held, one.locks) if one.locks else None for one in PROCESSES if one.name != SCRIPTS}
    long_lived = {name for one in PROCESSES if one.name != SCRIPTS for name in fnmatch.filter(held, one.locks)}
    running[SCRIPTS] = bool(held - long_lived)
    with world.database.read() as db:
        return Now(running, flow.steps(db), tuple(jobs.latest(world, db, None, MOST_JOBS)))


def _any(held: Collection[str], pattern: str) -> bool:
    return bool(fnmatch.filter(held, pattern))


@cache
def draw_diagram() -> Layout:
    """The diagram of the processes."""
    nodes = [Node(one.name, one.layer, one.row * ROW, 44.0) for one in PROCESSES]
    return lay_out(nodes, FLOWS, widths=(96.0, 124.0, 112.0, 112.0), labels=(90.0, 110.0, 112.0))
