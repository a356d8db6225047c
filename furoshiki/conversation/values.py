"""The typed values one turn passes from step to step."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from furoshiki.acting.attention import NOT_PAID, Attended
from furoshiki.acting.second_thoughts import Correction
from furoshiki.agenda.store.operations import Operation
from furoshiki.conversation.rules.speech import Speech
from furoshiki.llm.values import Standing
from furoshiki.memory.store.retrievals import Retrieval
from furoshiki.memory.values import Memory, Note, Shown
from furoshiki.messages.values import Turn
from furoshiki.perception.values import Percept
from furoshiki.reflex.care.helplines import Help
from furoshiki.reflex.care.weighing import Weight
from furoshiki.reflex.care.words import Kind
from furoshiki.routing.values import Route, TopicSeen
from furoshiki.skills.outside import Outside
from furoshiki.user_model.rules.style_choosing import NOTHING, Block

REFLEX = "reflex"
"""The model name of the built-in mind."""

NOBODY = "none"
"""The model name when no mind came to an end with its answer."""


@dataclass(frozen=True)
class Cared:
    """What holds for a turn in which somebody is or may be in danger of this `kind`.

    `weight` is what weighs, None while it is in doubt; `now` says that this message brought it, `lightly` that the
    message itself is good news. `help` has the numbers of where they are, `lines` the same for a mind to read, `added`
    is what stands under an answer without any ("" where none is due), `question` what they are asked in doubt.
    """

    help: Help
    lines: tuple[str, ...]
    kind: Kind
    weight: Weight | None = None
    now: bool = False
    lightly: bool = False
    added: str = ""
    question: str = ""


@dataclass(frozen=True)
class Context:
    """Everything the mind is shown for this turn, from what never changes to what always does.

    `median_gap` is the usual number of seconds between the user's messages, 0 when there are too few to tell.
    `woken` is everything that came to mind, shown or not; `focus` is what this turn is about, to be kept after it.
    `intensity` in [0, 1] is how much is going on, `history_budget` the tokens the conversation may therefore take.
    `style` is what is told about how this person likes to be spoken to; `outside` are the tools of plugins and servers,
    `plugins` those plugins whose words are shown, `gists` what is on its mind for half an hour,
    `route` which way the message is best answered, `attended` what asked for its attention beside the message, `topic`
    the subject it belongs to;
    `corrections` are those of its own that it is shown, `said_vector` that of the words just said (empty when nobody
    could make one), `cared` is what holds where somebody is or may be in danger,
    `quiet` what holds since they asked for quiet in this message, in words.
    """

    percept: Percept
    stable: tuple[str, ...]
    history: tuple[Turn, ...]
    window_start: int
    now_text: str
    memories: tuple[Shown, ...]
    facts: tuple[Memory, ...]
    operations: tuple[Operation, ...]
    user_name: str | None
    last_seen: datetime | None
    first_meeting: bool
    median_gap: float
    session_block: Mapping[str, Any]
    woken: tuple[Retrieval, ...] = ()
    focus: Mapping[str, Any] | None = None
    intensity: float = 0.5
    history_budget: int = 0
    style: Block = NOTHING
    outside: tuple[Outside, ...] = ()
    plugins: tuple[str, ...] = ()
    gists: tuple[int, ...] = ()
    strayed: bool = False
    route: Route | None = None
    attended: Attended = NOT_PAID
    topic: TopicSeen | None = None
    corrections: tuple[Correction, ...] = ()
    said_vector: tuple[float, ...] = ()
    quiet: str = ""
    cared: Cared | None = None

    @property
    def danger(self) -> bool:
        """Whether somebody is in danger, by this message or by what was said hours ago."""
        return self.cared is not None and self.cared.weight is not None and not self.cared.lightly


@dataclass(frozen=True)
class Draft:
    """The mind's finished answer, before it is read for directions.

    `evidence` are the ids it was shown, `shortened` those of them it saw one line of, and `woken` is everything that
    came to mind; `standing` says how the day's budget stood; `asks` are the
    tokens of what the user has to say yes to before it is done; `second` is what thinking it over came to, as it goes
    on record, None where there was no reason to.
    """

    text: str
    provider: str
    model: str
    tier: str
    fallbacks: tuple[str, ...] = ()
    standing: Standing = "free"
    notes: tuple[Note, ...] = ()
    skills: tuple[str, ...] = ()
    evidence: tuple[str, ...] = ()
    shortened: tuple[str, ...] = ()
    woken: tuple[Retrieval, ...] = ()
    asks: tuple[str, ...] = ()
    second: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class Reply:
    """What the turn comes to: words, a reaction, or silence with its reason; with all that led to it."""

    context: Context
    draft: Draft
    speech: Speech

    @property
    def percept(self) -> Percept:
        """What is answered."""
        return self.context.percept

    @property
    def operations(self) -> tuple[int, ...]:
        """The work that has ended and that the mind was told of."""
        return tuple(one.id for one in self.context.operations if one.state != "pending")

    @property
    def action(self) -> str:
        """What was done: the skills used, or that words, a reaction or nothing came of it."""
        if self.draft.skills:
            return "skill:" + ",".join(dict.fromkeys(self.draft.skills))
        if self.speech.parts:
            return "reply"
        return "reaction" if self.speech.reaction else "silence"


@dataclass(frozen=True)
class Committed:
    """A reply on record: the ids of the user's turns, and how many curiosities of the companion came up in it."""

    reply: Reply
    user_turns: tuple[int, ...]
    curiosities: int = 0
