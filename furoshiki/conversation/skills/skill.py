"""The parts of a skill: name, typed arguments, time limit, function."""

import contextlib
import sqlite3
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, get_origin

from pydantic import BaseModel, model_validator

from furoshiki.language.testimony import Own, as_told, together_own
from furoshiki.memory.perception.values import Percept
from furoshiki.memory.values import Note
from furoshiki.messages.roles import Who
from furoshiki.messages.values import USER, Turn
from furoshiki.world import World

# how long before a request the owner's own words may name what it is about
JUST_BEFORE = timedelta(minutes=15)


class Arguments(BaseModel):
    """The base of skill arguments; unknown names are refused, so that a model notices mistakes. A
    null is an argument that was not given, one text a list of one."""

    model_config = {"extra": "forbid", "str_strip_whitespace": True, "defer_build": True}

    @model_validator(mode="before")
    @classmethod
    def _settle(cls, given: Any) -> Any:
        if not isinstance(given, dict):
            return given
        found = {}
        for name, value in given.items():
            wanted = cls.model_fields.get(name)
            if value is None:
                continue
            several = wanted is not None and get_origin(wanted.annotation) is tuple
            if several and isinstance(value, str):
                value = (value,)
            found[name] = value
        return found


class GivenUp(Exception):
    """Nobody waits for this call any more: it took too long, or its turn was begun again. Nothing may be written."""


class Hold:
    """Shared by a call's thread and the turn: either the call writes or the turn gives up."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._over = False
        self._wrote = False

    @contextlib.contextmanager
    def writing(self, world: World) -> Iterator[sqlite3.Connection]:
        """Open a transaction unless the call was given up. Raises GivenUp before any write."""
        with self._lock:
            if self._over:
                raise GivenUp
            with world.database.write() as db:
                if self._over:
                    raise GivenUp
                yield db
            self._wrote = True

    def cancel(self) -> None:
        """Forbid further writes; a running transaction may finish."""
        self._over = True

    def give_up(self) -> bool:
        """Cancel the call; return False if it has written and must be awaited. May block."""
        with self._lock:
            self._over = not self._wrote
            return self._over


@dataclass(frozen=True)
class Place:
    """The origin of a call: turn key, channel, chat, and who may confirm it."""

    key: str
    channel: str
    chat_id: str
    sender: str

    @property
    def where(self) -> tuple[str, str, str]:
        """Return channel, chat and sender."""
        return self.channel, self.chat_id, self.sender


@dataclass(frozen=True)
class SkillContext:
    """The context of a skill: the world, the percept (None after consent), the place, the history.

    `foreign_in_view`: text of others is visible besides this message. `uses` counts equal read-only
    calls, so that each gets its own result; a restarted turn counts from the start and finds them
    in order. `source_tag`: "user", or the companion's own ("drift", "consolidation", "schedule",
    "plugin"); `source_confidence` is in [0, 1]; `conversation/skills/rules.py` uses both. `said`:
    the owner's own words, without a percept.
    """

    world: World
    percept: Percept | None
    place: Place
    history: tuple[Turn, ...] = ()
    foreign_in_view: bool = False
    said: str = ""
    hold: Hold = field(default_factory=Hold)
    uses: Counter[str] = field(default_factory=Counter, compare=False)
    source_tag: str = "user"
    source_confidence: float = 1.0

    @property
    def own(self) -> Own:
        """Return the owner's own words in this turn."""
        return as_told(self.said) if self.percept is None else self.percept.own_text

    @property
    def own_lately(self) -> Own:
        """Return the owner's own words in this turn and just before: what it asks for may be named there."""
        since = self.world.now - JUST_BEFORE
        lately = [turn.own for turn in self.history if turn.speaker == USER and turn.at >= since]
        return together_own([*lately, self.own])

    @property
    def foreign_now(self) -> bool:
        """Return whether the message came with text of others."""
        return self.percept is not None and self.percept.led_by_others

    @property
    def foreign(self) -> bool:
        """Return whether any text of others is visible to the model."""
        return self.foreign_in_view or self.foreign_now

    def write(self) -> contextlib.AbstractContextManager[sqlite3.Connection]:
        """Open a transaction for changes. Raises GivenUp when the call was given up."""
        return self.hold.writing(self.world)


@dataclass(frozen=True)
class Result:
    """The result of a skill: `text` for the model, `data` for programs, `notes` to be stored,
    `rows` the independent lines of the text, which may start with a name in brackets.

    `asked` is the token of a proposal made instead. `foreign`: it contains text of others (plugin,
    server, memory); `raw` is the unedited output of a plugin or server, never shown as is.
    """

    ok: bool
    text: str
    data: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[Note, ...] = ()
    asked: str | None = None
    foreign: bool = False
    raw: str = ""
    rows: tuple[str, ...] = ()


@dataclass(frozen=True)
class Change:
    """What a call would change: unambiguous `args`, a description, and what it names."""

    args: Arguments
    words: str
    named: Sequence[str]


@dataclass(frozen=True)
class Skill:
    """An entry of the registry. `limit_s` is its time limit in seconds.

    `change` describes a call's change: None for none, a Result when impossible; a skill without it
    is read-only. `asks_first`: consent is needed even without text of others. `declined` handles a
    refusal and returns a text.
    """

    name: str
    description: str
    arguments: type[Arguments]
    limit_s: float
    run: Callable[[SkillContext, Any], Result]
    change: Callable[[SkillContext, Any], Change | Result | None] | None = None
    asks_first: Callable[[SkillContext, Any], bool] | None = None
    declined: Callable[[sqlite3.Connection, Any, datetime], str | None] | None = None
    who: Who = "owner"

    @property
    def changes(self) -> bool:
        """Return whether it may change something."""
        return self.change is not None
