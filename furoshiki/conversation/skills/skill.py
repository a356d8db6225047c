"""What a skill is: a name, a typed argument, a time limit, and a function that answers with data and words."""

from __future__ import annotations

import contextlib
import sqlite3
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from pydantic import BaseModel

from furoshiki.language.testimony import Own, as_told
from furoshiki.memory.perception.values import Percept
from furoshiki.memory.values import Note
from furoshiki.messages.roles import Who
from furoshiki.messages.values import Turn
from furoshiki.world import World


class Arguments(BaseModel):
    """The base of every skill's arguments: unknown names are refused, so that a model learns of a slip at once."""

    model_config = {"extra": "forbid", "str_strip_whitespace": True, "defer_build": True}


class GivenUp(Exception):
    """Nobody waits for this call any more: it took too long, or its turn was begun again. Nothing may be written."""


class Hold:
    """Shared by a call in its thread and the turn that waits for it: either the call writes or the
    turn gives up, whichever comes first."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._over = False
        self._wrote = False

    @contextlib.contextmanager
    def writing(self, world: World) -> Iterator[sqlite3.Connection]:
        """A transaction, unless the call was given up. Raises GivenUp before anything is written."""
        with self._lock:
            if self._over:
                raise GivenUp
            with world.database.write() as db:
                if self._over:
                    raise GivenUp
                yield db
            self._wrote = True

    def cancel(self) -> None:
        """Nothing more is to be written; a transaction under way may end."""
        self._over = True

    def give_up(self) -> bool:
        """The same; False when something has been written, and the call is to be waited for. May wait for a write."""
        with self._lock:
            self._over = not self._wrote
            return self._over


@dataclass(frozen=True)
class Place:
    """Where a call was asked for: the turn's key, the channel and the chat, and who may say yes to it."""

    key: str
    channel: str
    chat_id: str
    sender: str


@dataclass(frozen=True)
class SkillContext:
    """What a skill may use: the world, what arrived (None after a yes), where it was asked for, what was said before.

    `foreign_in_view` says that words which are not the owner's stand before the model, besides this message.
    `uses` counts equal uses of what finds something out, so that each has an answer of its own; a turn that is begun
    again counts from the beginning, and finds them in their order. `source_tag` says what moved the companion to it:
    "user", or what came up by itself ("drift", "consolidation", "schedule", "plugin"), and `source_confidence`
    in [0, 1] how sure that is; what acts on them is in `conversation/skills/rules.py`.
    `said` are the owner's own words that asked for it, where nothing arrived.
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
        """What the owner says themselves in this turn."""
        return as_told(self.said) if self.percept is None else self.percept.own_text

    @property
    def foreign_now(self) -> bool:
        """Whether others' words came with what arrived."""
        return self.percept is not None and self.percept.led_by_others

    @property
    def foreign(self) -> bool:
        """Whether others' words stand before the model at all."""
        return self.foreign_in_view or self.foreign_now

    def write(self) -> contextlib.AbstractContextManager[sqlite3.Connection]:
        """A transaction to change something in. Raises GivenUp when nobody waits for the call any more."""
        return self.hold.writing(self.world)


@dataclass(frozen=True)
class Result:
    """What came of a skill. `text` is for the mind, `data` for machines; `notes` are remembered with the turn. `rows`
    are its lines where each stands for itself and may begin with a name in brackets.

    `asked` is the token of what waits for a yes instead of having been done. `foreign` says that words of others are
    among these, a plugin's, a tool server's, or such as memory held; `raw` are those of a plugin or a tool server as
    they came, which are never said as they are.
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
    """What a call would change: `args` with nothing left to be read differently later, in words, and what it names."""

    args: Arguments
    words: str
    named: Sequence[str]


@dataclass(frozen=True)
class Skill:
    """One entry of the registry. `limit_s` is its time limit in seconds.

    `change` says what a call would change: None when it changes nothing, a Result when it cannot be done. A skill
    without it changes nothing. `asks_first` says whether such a call waits for their yes though all
    words before the mind are theirs. `declined` is called when the owner says no to what it asked for, and says
    what became of it.
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
        """Whether it may change something."""
        return self.change is not None
