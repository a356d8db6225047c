"""The fixed start of each prompt: the companion's identity, and the session's context.

Both stay the same from turn to turn, so that providers can cache them. Reading never writes.
"""

import re
import sqlite3
from collections.abc import Mapping, Sequence
from datetime import datetime, tzinfo
from operator import attrgetter
from pathlib import Path
from typing import Any

from furoshiki.core import refs
from furoshiki.core.database import kv
from furoshiki.core.timestamps import name_day, stamp
from furoshiki.language.testimony import name_of
from furoshiki.language.tokens import estimate, take_fitting
from furoshiki.memory.rules.weights import Weight
from furoshiki.memory.store import memories
from furoshiki.memory.values import Memory
from furoshiki.messages.store import accounts
from furoshiki.mind.inner_life.store import commitments
from furoshiki.owner.agenda.store import tasks
from furoshiki.owner.user_model.rules.profile import by_section, mini_text, within
from furoshiki.owner.user_model.store import profiles, ways
from furoshiki.recall.retrieval.rules.repeated_statements import Statement, is_repeat
from furoshiki.world import World

KNOWN_FACTS = 50
FACTS_TOKENS = 500
# maximum tokens of the full profile in a session's block, besides its short form
REFERENCE_TOKENS = 500

TASKS_SHOWN = 5

SESSION_BLOCK = "session.block"  # the `kv` key of the session's stable block and its session id

IDENTITY_MEMORIES = 20
# an identity memory enters a session as a whole when a sample of its weight exceeds this
IDENTITY_ABOVE = 0.6

# maximum tokens of these memories, without immutable ones, which always enter
IDENTITY_TOKENS = 600

_NAMED_FACT = re.compile(r"^- \[(memory:\d+) ·", re.MULTILINE)
# the forms of a fact in a session's block: with its date, or as a profile statement
_TOLD_FACT = re.compile(r"^- .* \[(memory:\d+)\]$", re.MULTILINE)


def identity(world: World, template: str = "turn/identity") -> str:
    """Render the companion's identity. The template "turn/who" omits the message transport."""
    own = world.home / "config"
    shipped = world.config / "identity"
    return world.prompts.render(
        template,
        name=world.settings.furoshiki_companion_name,
        soul=_read_first(own / "SOUL.md", shipped / "SOUL.md").replace(
            "{{ name }}", world.settings.furoshiki_companion_name
        ),
        boundaries=_read_first(own / "BOUNDARIES.md", shipped / "BOUNDARIES.md"),
        self_description=_self(own, shipped) if world.who.place is None else _self(shipped),
    )


def session_block(
    world: World,
    db: sqlite3.Connection,
    session_id: str,
    facts: Sequence[Memory],
    name: str | None,
    zone: tzinfo,
    now: datetime,
    *,
    renewed: bool = False,
) -> dict[str, Any]:
    """Return the session's context: the companion's identity and commitments, known facts about the
    user. `text` is written once a session, with `session_id`, `name` and time (`at`); it is written
    again if `renewed` or when a name becomes known."""
    kept = kv.get(db, SESSION_BLOCK)
    if kept is not None and kept["session_id"] == session_id and not renewed and kept.get("name", name) == name:
        return dict(kept)
    identity = memories.of_identity(db, IDENTITY_MEMORIES)
    pinned = [memory for memory in identity if _about_user(memory)]
    held = {memory.id for memory in pinned}
    profile = profiles.current(db, now)
    called = f"They want to be called {name}."  # which the prompt says first
    who, short = mini_text(profile.mini).removeprefix(called).strip(), {statement.text for statement in profile.mini}
    short |= {called}
    full = within([statement for statement in profile.reference if statement.text not in short], REFERENCE_TOKENS)
    told = {fact for statement in full for fact in statement.facts}
    said = (called, f"They are called {name}.", *map(attrgetter("text"), (*profile.mini, *full)))
    statements = list(map(Statement.of, said))
    known = held | told
    new = (fact for fact in facts if fact.id not in known and not is_repeat(fact.content, statements))
    lines = [fact_line(fact, zone) for fact in pinned]
    lines += take_fitting((fact_line(fact, zone) for fact in new), FACTS_TOKENS - estimate(who))
    own = _own(world, [memory for memory in identity if memory.id not in held])
    prepared = world.state.context()
    sessions = list(map(str, prepared.get("sessions", ())))[:4]
    near = [one for one in prepared.get("related", ()) if one["about"] and one["about"] not in sessions]
    touching = [f"{one['about']}: {one['text']}" for one in near]
    rising = list(map(str, prepared.get("rising", ())))
    thought = {"on": str(prepared.get("thought_on", "")), "text": str(prepared.get("thought", ""))}
    text = world.prompts.render(
        "turn/session",
        own=own,
        promises=commitments.active(db),
        name=name,
        profile=who,
        reference=by_section(full),
        ways=[fact_line(memory, zone) for memory in ways.list_current(db)],
        facts=lines,
        sessions=sessions,
        related=touching,
        rising=rising,
        thought=thought if thought["text"] else None,
        tasks=_on_lists(prepared.get("tasks", {})),
    )
    others = [name_of(one.name) or one.external_id for one in accounts.list_members(db)]
    if world.who.place is not None or others:
        text = f"{world.prompts.render('turn/guest', who=world.who, others=others)}\n{text}"
    return {"session_id": session_id, "text": text, "at": stamp(now), "name": name}


def facts_shown(block: str) -> list[str]:
    """Return the names of the facts in a session's block."""
    return [*_NAMED_FACT.findall(block), *_TOLD_FACT.findall(block)]


def fact_line(fact: Memory, zone: tzinfo) -> str:
    """Format a fact for a model: its name, the date it was learned, its text."""
    return f"[{refs.name('memory', fact.id)} · {name_day(fact.created_at, zone)}] {fact.content}"


def _self(*folders: Path) -> str:
    """Return the self-description. It was formed with the owner, so guests get the shipped one."""
    return _read_first(*(folder / "SELF.md" for folder in folders))


def _read_first(*paths: Path) -> str:
    for path in paths:
        if path.is_file():
            return path.read_text(encoding="utf-8", errors="replace").strip()  # an invalid byte must not cost a reply
    return ""


def _on_lists(prepared: Mapping[str, Sequence[str]]) -> list[str]:
    """Return the open tasks of the user's lists; reminders are shown next to the clock."""
    titles = [str(title) for name, held in prepared.items() if name != tasks.REMINDERS for title in held]
    return list(dict.fromkeys(titles))[:TASKS_SHOWN]


def _about_user(memory: Memory) -> bool:
    """Return whether an immutable memory is a fact the user told and pinned."""
    return memory.source_tag in {"external_user", "import"} and memory.type in {"semantic", "preference"}


def _own(world: World, identity: Sequence[Memory]) -> list[str]:
    """Return the identity memories sampled for this session, each as a whole."""
    lines, left = [], IDENTITY_TOKENS
    for memory in identity:
        line = " ".join(memory.content.split())
        if not memory.immutable:
            if Weight(memory.alpha, memory.beta).observe(world.rng) <= IDENTITY_ABOVE or estimate(line) > left:
                continue
            left -= estimate(line)
        lines.append(line)
    return lines
