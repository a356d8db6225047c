"""What a message was about and which way it is best answered: the values other rooms read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, get_args

Mode = Literal["RESPOND", "CLARIFY", "ACT", "ACKNOWLEDGE", "IGNORE"]
"""The ways a message can be answered: in words, by asking back, by doing something first, by a sign, not at all."""

MODES: tuple[Mode, ...] = get_args(Mode)

UserPath = Literal["unified", "router"]
"""Who decides between answering and acting on the owner's messages: the model that answers, or the router before it."""

TieBreak = Literal["none", "classifier", "model", "score"]
"""What decided between two modes that were close; "none" where they were not."""


@dataclass(frozen=True)
class Knowing:
    """How much of what a message touches is at hand, all in [0, 1].

    `warmth` is how much conversation and surroundings there are, `knowing` the feeling of knowing (the share of what
    recall found that bears on the words), `density` how many facts there are, `confidence` all three together.
    """

    warmth: float = 0.0
    knowing: float = 0.0
    density: float = 0.0
    confidence: float = 0.0


@dataclass(frozen=True)
class Route:
    """Which way one message is answered, and everything that led to it.

    `scores` are by mode, `signals` what was read from words and context, as plain JSON values. `confidence` is how far
    the best score stands above the second, in units of it. Where they are less than `margin` apart a `tie_break`
    decided, and `tie_confidence` is how sure that was, in [0, 1]. `ms` is the time it took.
    """

    mode: Mode
    scores: Mapping[Mode, float]
    signals: Mapping[str, Any] = field(default_factory=dict)
    knowing: Knowing = Knowing()
    confidence: float = 0.0
    margin: float = 0.0
    tie_break: TieBreak = "none"
    tie_confidence: float | None = None
    previous_mode: Mode | None = None
    topic_id: int | None = None
    path: UserPath = "unified"
    ms: float = 0.0


Kind = Literal["first", "silence", "marker", "none"]
"""What makes a message the beginning of a subject: nothing before it, a silence, the words "by the way"; or that it is
none."""


@dataclass(frozen=True)
class TopicSeen:
    """The subject of a message, and whether it begins there.

    `topic_id` is None for a subject that is `new`; `back_since` is when one that comes back was last spoken of. `kind`
    says what decided. `renews` is the
    first message after a boundary's: what was said before it is being folded away, and what holds for a session is told
    again. `next` is what will be kept after the turn, `joined` a young subject that turned out to be this one.
    """

    topic_id: int | None
    name: str
    new: bool
    boundary: bool
    kind: Kind
    back_since: datetime | None = None
    renews: bool = False
    next: Mapping[str, Any] | None = None
    joined: int | None = None
