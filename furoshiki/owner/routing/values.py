"""The values of routing: a message's topic and the way to answer it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from furoshiki.messages.values import Turn

# ways to answer: in words, by asking back, acting first, acknowledging, not at all
Mode = Literal["RESPOND", "CLARIFY", "ACT", "ACKNOWLEDGE", "IGNORE"]

MODES: tuple[Mode, ...] = get_args(Mode)

# who chooses between answering and acting: the answering model, or the router before it
UserPath = Literal["unified", "router"]

# what decided between two close modes; "none" if they were not close
TieBreak = Literal["none", "classifier", "model", "score"]


@dataclass(frozen=True)
class Knowing:
    """The available knowledge about a message, all in [0, 1].

    `warmth` is the amount of conversation and surroundings, `knowing` the feeling of knowing (the
    share of recalled texts that are relevant), `density` the number of facts, `confidence` the
    combination.
    """

    warmth: float = 0.0
    knowing: float = 0.0
    density: float = 0.0
    confidence: float = 0.0


@dataclass(frozen=True)
class Route:
    """The route of one message, with all its inputs.

    `scores` are by mode, `signals` those of words and context, as JSON values. `confidence` is the
    lead of the best score over the second, relative to it. If they are less than `margin` apart a
    `tie_break` decided. `ms` is the time it took.
    """

    mode: Mode
    scores: Mapping[Mode, float]
    signals: Mapping[str, Any] = field(default_factory=dict)
    knowing: Knowing = Knowing()
    confidence: float = 0.0
    margin: float = 0.0
    tie_break: TieBreak = "none"
    topic_id: int | None = None
    path: UserPath = "unified"
    ms: float = 0.0


# the boundary before a message: the first one, a silence, words ("by the way"); or none
Kind = Literal["first", "silence", "marker", "none"]


@dataclass(frozen=True)
class TopicSeen:
    """The topic of a message, and whether it begins there.

    `topic_id` is None for a `new` topic; `back` is the turn of a returning one that shares most words.
    `kind` is the kind of boundary. `renews`: it is the first message after a boundary's, when
    earlier turns are summarised and the session's context is sent again. `next` is stored after the
    turn, `joined` is a young topic that was merged into this one.
    """

    topic_id: int | None
    name: str
    new: bool
    boundary: bool
    kind: Kind
    back: Turn | None = None
    renews: bool = False
    next: Mapping[str, Any] | None = None
    joined: int | None = None
