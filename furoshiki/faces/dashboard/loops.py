"""The feedback loops described in loops.toml, and the state of each."""

import sqlite3
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

from furoshiki.conversation import window
from furoshiki.conversation.acting.rules import confidence
from furoshiki.conversation.acting.store import second_thoughts
from furoshiki.conversation.wandering import associations
from furoshiki.conversation.wandering.store import seeds
from furoshiki.core.database import kv
from furoshiki.faces.overview.store import loops as store
from furoshiki.faces.overview.store.loops import Asked, Value
from furoshiki.feelings import heartbeat
from furoshiki.feelings.rules import user_needs
from furoshiki.feelings.state_files import Heartbeat
from furoshiki.memory import exit_gate, relevance_learning
from furoshiki.memory.store import memories
from furoshiki.owner.agenda.store import focus_sessions
from furoshiki.world import World

SOURCE = Path(__file__).with_name("loops.toml")

# loops computed again each time: they have no moment of a last effect
FLEETING = frozenset({"load", "what-keeps-coming-back"})

_VOICES = {
    "semantic": "meaning",
    "co_access": "used together before",
    "noise": "a little chance",
    "emotion": "how it felt",
    "recency": "how lately",
}


@dataclass(frozen=True)
class Loop:
    """A feedback loop. `source` and `target` name its ends, `into` and `out` label its arrows;
    `files` implement it, `tests` show it closing, `topic` announces its changes, `asked` are its
    queries; the page begins with the `first` ones."""

    name: str
    label: str
    group: str
    measured: str
    changes: str
    source: str
    target: str
    into: str
    out: str
    about: str
    files: tuple[str, ...]
    tests: tuple[str, ...]
    topic: str
    asked: Asked
    first: bool = False


@dataclass(frozen=True)
class Loops:
    """All loops in reading order, with the titles of their groups and ends."""

    groups: Mapping[str, str]
    sources: Mapping[str, str]
    targets: Mapping[str, str]
    all: tuple[Loop, ...]

    def of(self, group: str) -> list[Loop]:
        """Return the loops of a group; for "", those at the top of the page."""
        return [loop for loop in self.all if loop.group == group or (not group and loop.first)]

    def get(self, name: str) -> Loop | None:
        """Return the loop of this name, or None."""
        return next((loop for loop in self.all if loop.name == name), None)


@dataclass(frozen=True)
class State:
    """The state of a loop: its last effect, its figures by label (None: nothing yet), its present
    values, and a sentence about them."""

    last: datetime | None
    figures: Mapping[str, float | None]
    values: tuple[Value, ...]
    note: str = ""


@cache
def load_loops() -> Loops:
    found = tomllib.loads(SOURCE.read_text(encoding="utf-8"))
    loops = tuple(_loop(one, found["parts"]) for one in found["loop"])
    return Loops(found["groups"], found["ends"]["from"], found["ends"]["to"], loops)


def _loop(found: Mapping[str, Any], parts: Mapping[str, str]) -> Loop:
    def sql(text: str) -> str:
        whole = text.format_map(parts).format(action=found.get("action", ""))
        return " ".join(whole.split())

    figures = {label: sql(text) for label, text in found.get("figures", {}).items()}
    return Loop(
        source=found["from"],
        target=found["to"],
        into=found["in"],
        about=" ".join(found["about"].split()),
        files=tuple(found["files"]),
        tests=tuple(found["tests"]),
        first=found.get("first", False),
        asked=Asked(sql(found.get("last", "")), figures, sql(found.get("holds", ""))),
        **{name: found[name] for name in ("name", "label", "group", "measured", "changes", "out", "topic")},
    )


def last_effects(world: World) -> dict[str, datetime | None]:
    """Return when each loop last had an effect; None: never, or not recorded."""
    with world.database.read() as db:
        return {loop.name: store.last_effect(db, loop.asked, world.now) for loop in load_loops().all}


def state(world: World, loop: Loop) -> State:
    """Return the present state of a loop."""
    beat = heartbeat.drift(world.laws, world.now)(world.state.heartbeat())
    with world.database.read() as db:
        last = store.last_effect(db, loop.asked, world.now)
        found = State(last, store.figures(db, loop.asked, world.now), tuple(store.values(db, loop.asked, world.now)))
        more = _COMPUTED.get(loop.name)
        return found if more is None else more(world, db, beat, found)


def _feelings(world: World, _db: sqlite3.Connection, beat: Heartbeat, found: State) -> State:
    natural = world.laws.emotions.natural
    felt = beat.emotions.as_mapping().items()
    values = tuple(Value(name, value, f"rests at {natural[name]:.2f}") for name, value in felt)
    return replace(found, values=values, note=f"It feels {beat.mood.word}.")


def _read_user_needs(world: World, _db: sqlite3.Connection, beat: Heartbeat, found: State) -> State:
    laws, needs = world.laws.user_needs, beat.user_needs
    values = tuple(
        Value(name.replace("_", " "), one.level, f"{user_needs.confidence_at(one, world.now, laws):.0%} sure")
        for name, one in needs.items()
    )
    counting = [name.replace("_", " ") for name in user_needs.list_felt(needs, world.now, laws)]
    note = f"The mind is told: {', '.join(counting)}." if counting else "None is strong and sure enough to be told."
    return replace(found, values=values, note=note)


def _load(_world: World, _db: sqlite3.Connection, _beat: Heartbeat, _found: State) -> State:
    return State(None, {}, (), "It is judged from your last three messages each time; nothing of it is kept.")


def _focus(world: World, db: sqlite3.Connection, _beat: Heartbeat, found: State) -> State:
    going = focus_sessions.current(db, world.now)
    if going is None:
        return replace(found, values=(), note="No session is going on.")
    left = (going.until - world.now).total_seconds() / 60
    figures = {"minutes left": float(round(left)), "messages that strayed": float(going.strayed)}
    note = f"A session on {going.topic} is going on." if going.topic else ""
    return replace(found, figures=figures, values=(), note=note)


def _second_thoughts(world: World, db: sqlite3.Connection, _beat: Heartbeat, found: State) -> State:
    if not world.settings.furoshiki_second_thoughts:
        return replace(found, note="Switched off: FUROSHIKI_SECOND_THOUGHTS.")
    known, held = memories.count_to(db, confidence.GROWN_AT), second_thoughts.density(db)
    note = (
        f"An answer is unsure below a threshold between {confidence.LEAST_SURE:.2f}, where nobody is known, "
        f"and {confidence.threshold(1.0):.2f}, for a grown companion; it holds {known:,} of the "
        f"{confidence.GROWN_AT:,} memories that make one grown, and what is heavy among them is held at {held:.2f}."
    )
    return replace(found, note=note)


def _read_intensity(_world: World, db: sqlite3.Connection, _beat: Heartbeat, found: State) -> State:
    kept = {key: float(kv.get(db, key)) for key in kv.keys(db, "intensity.")[-4:]}
    values = tuple(
        Value(key.split(".")[1], one, f"the conversation may have {window.share(one):.0%} of the room")
        for key, one in kept.items()
    )
    return replace(found, values=values)


def _relevance(_world: World, db: sqlite3.Connection, _beat: Heartbeat, found: State) -> State:
    mean = relevance_learning.relevance_of(db).mean
    values = tuple(Value(_VOICES[name], share, f"{share:.0%} of the say") for name, share in mean.items())
    note = "" if found.last else "Nothing was learnt yet: these are the shares a companion of this age begins with."
    return replace(found, values=values, note=note)


def _gate(world: World, db: sqlite3.Connection, _beat: Heartbeat, found: State) -> State:
    tight = exit_gate.maturity(world, db)
    return replace(found, values=(Value("how tight the gate is", tight, f"{tight:.2f}"), *found.values))


def _read_left_alone(world: World, db: sqlite3.Connection, _beat: Heartbeat, found: State) -> State:
    names = seeds.names(db, associations.find_blocked(db, world.now))
    values = tuple(Value(name, None, "left alone for a day") for name in names.values())
    return State(None, found.figures, values, "" if values else "Nothing is left alone at the moment.")


# states that no single query can return; they use the rules of the loop itself
_COMPUTED: Mapping[str, Callable[[World, sqlite3.Connection, Heartbeat, State], State]] = {
    "feelings": _feelings,
    "what-you-need": _read_user_needs,
    "load": _load,
    "a-focus-session": _focus,
    "second-thoughts": _second_thoughts,
    "how-much-is-going-on": _read_intensity,
    "relevance": _relevance,
    "the-gate-of-memory": _gate,
    "what-keeps-coming-back": _read_left_alone,
}
