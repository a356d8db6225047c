"""The pages there are, in the order one finds them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Page:
    """A page: where it is, what it is called, what one finds there, and under which heading it stands."""

    path: str
    label: str
    about: str
    group: str


PAGES = (
    Page("/", "Now", "How it is at this moment, and what it is attending to", "Companion"),
    Page("/chat", "Chat", "The same conversation as everywhere else", "Companion"),
    Page("/mind", "Mind", "What waits to be said, questions, promises, journal, who it is becoming", "Companion"),
    Page("/memory", "Memory", "What it knows, and where it knows it from", "Companion"),
    Page("/time", "Time", "Feelings, needs, messages, cost and speed over hours to months", "Over time"),
    Page("/outreach", "Writing first", "Why it wrote, and why it did not", "Over time"),
    Page("/routing", "Routing", "Which way messages were answered, one by one", "Over time"),
    Page("/costs", "Costs", "What models cost, by day, purpose and model", "Over time"),
    Page("/tasks", "Tasks", "Lists, reminders, longer work", "Work"),
    Page("/schedules", "Schedules", "What runs when, and how it went", "Work"),
    Page("/extensions", "Extensions", "Plugins, what they may do, proposals, repairs", "Work"),
    Page("/architecture", "Architecture", "How it works: the loops, and a simulator of feelings", "System"),
    Page("/settings", "Settings", "What can be turned, and where each value comes from", "System"),
    Page("/logs", "Logs", "What the processes wrote", "System"),
    Page("/access", "Access", "Who is signed in, and tokens for programs", "System"),
)


def groups(pages: Sequence[Page] = PAGES) -> list[tuple[str, list[Page]]]:
    """The headings in order, each with its pages."""
    found: dict[str, list[Page]] = {}
    for page in pages:
        found.setdefault(page.group, []).append(page)
    return list(found.items())


def of(path: str, pages: Sequence[Page] = PAGES) -> Page | None:
    """The page that a path belongs to: "/memory/12" belongs to Memory."""
    first = "/" + path.strip("/").partition("/")[0]
    return next((page for page in pages if page.path == first), None)
