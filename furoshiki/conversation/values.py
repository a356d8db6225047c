"""The typed values one turn passes from step to step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo
from typing import Any

from furoshiki.conversation.acting.attention import NOT_PAID, Asking, Attended
from furoshiki.conversation.acting.second_thoughts import Correction
from furoshiki.conversation.acting.store.reflection_bank import Kept
from furoshiki.conversation.rules.speech import Speech
from furoshiki.conversation.skills.outside import Outside
from furoshiki.feelings.rules.user_needs import UserNeed
from furoshiki.language.detection import Language
from furoshiki.language.reflex.care.helplines import Help
from furoshiki.language.reflex.care.weighing import Weight
from furoshiki.language.reflex.care.words import Kind
from furoshiki.memory.focus import NONE, Inertia
from furoshiki.memory.perception.values import Percept
from furoshiki.memory.store.gists import Gist
from furoshiki.memory.store.retrievals import Retrieval
from furoshiki.memory.values import Memory, Note, Shown
from furoshiki.messages.values import Turn
from furoshiki.models.llm.values import Standing
from furoshiki.owner.agenda.rules.mind_queue import Waiting
from furoshiki.owner.agenda.store.focus_sessions import FocusSession
from furoshiki.owner.agenda.store.operations import Operation
from furoshiki.owner.agenda.store.tasks import Task
from furoshiki.owner.routing.store.decisions import Earlier
from furoshiki.owner.routing.values import Route, TopicSeen
from furoshiki.owner.user_model.rules.style_choosing import Block
from furoshiki.recall.retrieval.values import Recalled, Scope

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
class Sources:
    """The messages that the companion's last words rest on, the surest first; none where it spoke of nothing that it
    was told. `language` is what they ask in."""

    turns: tuple[Turn, ...]
    language: Language


@dataclass(frozen=True)
class Known:
    """Who is spoken with, and what is known of them. `median_gap` is the usual number of seconds between
    their messages, 0 when there are too few to tell; `block` is the session's stable block, `fresh` are the facts that
    were learned since it was written, `held_back` the names of what is not to be shown now."""

    zone: tzinfo
    name: str | None
    facts: tuple[Memory, ...]
    fresh: tuple[Memory, ...]
    held_back: frozenset[str]
    block: Mapping[str, Any]
    topic: TopicSeen | None
    last_seen: datetime | None
    first_meeting: bool
    median_gap: float


@dataclass(frozen=True)
class Talk:
    """The conversation in view, and what leaves it its room. `stable` is the beginning of the prompt, `intensity` in
    [0, 1] how much is going on, `history_budget` the tokens the conversation may therefore take, `left` those that are
    left for the memories and the moment; `outside` are the tools of plugins and servers, `plugins` what plugins say."""

    stable: tuple[str, ...]
    history: tuple[Turn, ...]
    window_start: int
    intensity: float
    history_budget: int
    left: int
    outside: tuple[Outside, ...]
    plugins: tuple[tuple[str, str], ...]
    decided: tuple[Earlier, ...]
    elsewhere: Sequence[Turn]


@dataclass(frozen=True)
class Concerns:
    """What else goes on: work, reminders, what waits to be said, what was promised and put right."""

    operations: tuple[Operation, ...]
    long_work: Sequence[str]
    reminders: Sequence[Task]
    waiting: Sequence[Waiting]
    gists: Sequence[Gist]
    session: FocusSession | None
    asks: Asking | None
    put_right: Sequence[Kept]
    encoder: str | None
    promised: Sequence[str] = ()


@dataclass(frozen=True)
class Bearing:
    """How they seem to be, and how they like to be spoken with. What these very words say of needs counts for their own
    answer already; `weighs` says that something is heavy for them, or that somebody may be in danger."""

    cared: Cared | None
    style: Block
    needs: Mapping[str, UserNeed]
    weighs: bool = False

    @property
    def danger(self) -> bool:
        """Whether somebody is in danger: then nothing of the companion's own has a place."""
        return self.cared is not None and self.cared.weight is not None and not self.cared.lightly


@dataclass(frozen=True)
class Cue:
    """What memory is asked at these words; `now` is theirs."""

    query: str
    now: datetime
    scope: Scope


@dataclass(frozen=True)
class Woken:
    """What the words call to mind: what is shown of it, best first, all that came to mind, the conversation's focus,
    and all that recall found."""

    shown: tuple[Shown, ...] = ()
    retrieved: tuple[Retrieval, ...] = ()
    inertia: Inertia = NONE
    found: Sequence[Recalled] = ()


@dataclass(frozen=True)
class Context:
    """Everything the mind is shown for this turn, as it was gathered, and `now_text`, which changes every time.

    `route` is which way the message is best answered, `attended` what asked for its attention beside the message,
    `strayed` whether the message leaves what they set out to focus on; `corrections` are those of the companion's own
    that it is shown, `plugins` the plugins whose words are shown, `gists` what is on its mind for half an hour; `quiet`
    is what holds since they asked for quiet in this message, in words; `sources` is what its last words rest on, where
    they ask for that.
    """

    percept: Percept
    known: Known
    talk: Talk
    concerns: Concerns
    bearing: Bearing
    woken: Woken
    now_text: str = ""
    route: Route | None = None
    attended: Attended = NOT_PAID
    strayed: bool = False
    corrections: tuple[Correction, ...] = ()
    plugins: tuple[tuple[str, str], ...] = ()
    gists: tuple[Gist, ...] = ()
    quiet: str = ""
    sources: Sources | None = None


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
        return tuple(one.id for one in self.context.concerns.operations if one.state != "pending")


@dataclass(frozen=True)
class Committed:
    """A reply on record: the ids of the user's turns, and how many curiosities of the companion came up in it."""

    reply: Reply
    user_turns: tuple[int, ...]
    curiosities: int = 0
