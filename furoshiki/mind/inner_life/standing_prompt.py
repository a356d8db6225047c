"""What a mind is told before anything else whenever the companion speaks: who it is, and what holds for a session.

Both stay the same from turn to turn, so that a provider can keep them. Reading never writes.
"""

import re
import sqlite3
from collections.abc import Mapping, Sequence
from datetime import datetime, tzinfo
from pathlib import Path
from typing import Any

from furoshiki.core import refs
from furoshiki.core.database import kv
from furoshiki.core.timestamps import stamp
from furoshiki.language.tokens import estimate
from furoshiki.memory.rules.weights import Weight
from furoshiki.memory.store import memories
from furoshiki.memory.values import Memory
from furoshiki.mind.inner_life.store import commitments
from furoshiki.owner.agenda.store import tasks
from furoshiki.owner.user_model.rules.profile import by_section, mini_text, within
from furoshiki.owner.user_model.store import profiles, ways
from furoshiki.recall.retrieval.rules.said_again import Statement, is_repeat
from furoshiki.world import World

KNOWN_FACTS = 50
FACTS_TOKENS = 500
REFERENCE_TOKENS = 500
"""What of the profile in full stands in a session's block, beside its short form."""

TASKS_SHOWN = 5

SESSION_BLOCK = "session.block"
"""Where the session's own stable block is kept, with the session it belongs to."""

IDENTITY_MEMORIES = 20
IDENTITY_ABOVE = 0.6
"""A memory of who the companion is comes into a session whole when its weight, observed once, exceeds this."""

IDENTITY_TOKENS = 600
"""What such memories may take, immutable ones aside: those always come in."""

_NAMED_FACT = re.compile(r"^- \[(memory:\d+) ·", re.MULTILINE)
_TOLD_FACT = re.compile(r"^- .* \[(memory:\d+)\]$", re.MULTILINE)
"""How a session's block shows a fact: with its day, or as a statement of the profile that rests on it alone."""


def identity(world: World, template: str = "turn/identity") -> str:
    """Who the companion is. `template` "turn/who" leaves out how a message reaches it and how its answer leaves."""
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
    """What the companion is and promised, and what is known about the user: `text`, written once a session, so that it
    stays the same from turn to turn, with the `session_id`, the `name` and when it was written (`at`). `renewed` writes
    it again within a session, and so does a name that has become known."""
    kept = kv.get(db, SESSION_BLOCK)
    if kept is not None and kept["session_id"] == session_id and not renewed and kept.get("name", name) == name:
        return dict(kept)
    identity = memories.of_identity(db, IDENTITY_MEMORIES)
    pinned = [one for one in identity if _about_user(one)]
    held = {one.id for one in pinned}
    profile = profiles.current(db, now)
    who, short = mini_text(profile.mini), {one.text for one in profile.mini}
    full = within([one for one in profile.reference if one.text not in short], REFERENCE_TOKENS)
    told = {fact for one in full for fact in one.facts}
    said = [Statement.of(one.text) for one in (*profile.mini, *full)]
    lines, left = [fact_line(fact, zone) for fact in pinned], FACTS_TOKENS - estimate(who)
    for fact in facts:
        if fact.id in held or fact.id in told or is_repeat(fact.content, said):
            continue
        line = fact_line(fact, zone)
        left -= estimate(line)
        if left < 0:
            break
        lines.append(line)
    own = _own(world, [one for one in identity if one.id not in held])
    prepared = world.state.context()
    sessions = [str(line) for line in prepared.get("sessions", ())][:4]
    near = [one for one in prepared.get("related", ()) if one["about"] and one["about"] not in sessions]
    touching = [f"{one['about']}: {one['text']}" for one in near]
    rising = [str(theme) for theme in prepared.get("rising", ())]
    text = world.prompts.render(
        "turn/session",
        own=own,
        promises=commitments.active(db),
        name=name,
        profile=who,
        reference=by_section(full),
        ways=[fact_line(one, zone) for one in ways.list_current(db)],
        facts=lines,
        sessions=sessions,
        related=touching,
        rising=rising,
        thought=str(prepared.get("thought", "")),
        tasks=_on_lists(prepared.get("tasks", {})),
    )
    if world.who.place is not None:
        text = f"{world.prompts.render('turn/guest', who=world.who)}\n{text}"
    return {"session_id": session_id, "text": text, "at": stamp(now), "name": name}


def facts_shown(block: str) -> list[str]:
    """The names of the facts that stand in the text of a session's block."""
    return [*_NAMED_FACT.findall(block), *_TOLD_FACT.findall(block)]


def fact_line(fact: Memory, zone: tzinfo) -> str:
    """A fact as a mind is shown it: its name, the day it was learned, its words."""
    return f"[{refs.name('memory', fact.id)} · {fact.created_at.astimezone(zone).strftime('%-d %B %Y')}] {fact.content}"


def _self(*folders: Path) -> str:
    """Who the companion says it has become. It came to that with the owner, so that others are told what is shipped."""
    return _read_first(*(folder / "SELF.md" for folder in folders))


def _read_first(*paths: Path) -> str:
    for path in paths:
        if path.is_file():
            return path.read_text(encoding="utf-8", errors="replace").strip()  # a slip of a hand must not cost a reply
    return ""


def _on_lists(prepared: Mapping[str, Sequence[str]]) -> list[str]:
    """What is open on the lists kept for them; reminders have their own place, beside the clock."""
    titles = [str(title) for name, held in prepared.items() if name != tasks.REMINDERS for title in held]
    return list(dict.fromkeys(titles))[:TASKS_SHOWN]


def _about_user(one: Memory) -> bool:
    """Whether an immutable memory is something the user told of themselves and had pinned."""
    return one.source_tag in {"external_user", "import"} and one.type in {"semantic", "preference"}


def _own(world: World, identity: Sequence[Memory]) -> list[str]:
    """What has become part of the companion and comes to mind in this session: each whole or not at all."""
    lines, left = [], IDENTITY_TOKENS
    for one in identity:
        line = " ".join(one.content.split())
        if not one.immutable:
            if Weight(one.alpha, one.beta).observe(world.rng) <= IDENTITY_ABOVE or estimate(line) > left:
                continue
            left -= estimate(line)
        lines.append(line)
    return lines
