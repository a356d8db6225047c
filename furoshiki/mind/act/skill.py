"""What a skill is: a name, a typed argument, a time limit, and a function that answers with data and words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from pydantic import BaseModel

from furoshiki.mind.turn.values import Context, Note
from furoshiki.world import World


class Arguments(BaseModel):
    """The base of every skill's arguments: unknown names are refused, so that a model learns of a slip at once."""

    model_config = {"extra": "forbid", "str_strip_whitespace": True}


@dataclass(frozen=True)
class Doing:
    """What a skill may use: the world, and the turn it is run for."""

    world: World
    context: Context


@dataclass(frozen=True)
class Result:
    """What came of a skill. `text` is for the mind, `data` for machines; `notes` are remembered with the turn."""

    ok: bool
    text: str
    data: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True)
class Skill:
    """One entry of the registry. `limit_s` is its time limit in seconds; `changes` says that it writes."""

    name: str
    description: str
    arguments: type[Arguments]
    limit_s: float
    run: Callable[[Doing, Any], Result]
    changes: bool = False
