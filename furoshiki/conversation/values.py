"""The typed values passed between the steps of a turn."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo
from typing import Any

from furoshiki.conversation.acting.attention import NOT_PAID, Asking, Attended
from furoshiki.conversation.acting.store.second_thoughts import Kept
from furoshiki.conversation.rules.speech import Speech
from furoshiki.conversation.skills.outside import Outside
from furoshiki.feelings.rules.user_needs import UserNeed
from furoshiki.language.reflex.care.weighing import Weight
from furoshiki.language.requests.helplines import Help
from furoshiki.language.tables.care_words import Kind
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
from furoshiki.owner.routing.store.decisions import Decision
from furoshiki.owner.routing.values import Route, TopicSeen
from furoshiki.owner.user_model.rules.style_choosing import Block
from furoshiki.recall.retrieval.values import Recalled, Scope

REFLEX = "reflex"  # the model name of the built-in mind
NOBODY = "none"  # the model name when no model finished an answer


@dataclass(frozen=True)
class Cared:
    """The danger that applies to a turn, of this `kind`.

    `weight`: the grave message, None in doubt; `now`: in this message; `lightly`: this message is
    good news. `help`: local numbers, `lines`: the same for the model, `added`: text for an answer
    without a number ("" if none is due), `question`: asked in doubt.
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
class Known:
    """The user and the facts about them. `median_gap`: typical seconds between messages (0:
    unknown); `block`: the session's stable block; `fresh`: newer facts; `held_back`: names of
    hidden items."""

    zone: tzinfo
    name: str | None
    facts: tuple[Memory, ...]
    fresh: tuple[Memory, ...]
    held_back: frozenset[str]
    block: Mapping[str, Any]
    topic: TopicSeen | None
    last_seen: datetime | None
    median_gap: float


@dataclass(frozen=True)
class Talk:
    """The visible conversation and its budget. `stable`: start of the prompt; `intensity` in [0,
    1]; `history_budget`: tokens for the conversation; `left`: tokens for the rest; `outside`: tools
    of plugins and servers; `plugins`: texts of plugins."""

    stable: tuple[str, ...]
    history: tuple[Turn, ...]
    window_start: int
    intensity: float
    history_budget: int
    left: int
    outside: tuple[Outside, ...]
    plugins: tuple[tuple[str, str], ...]
    decided: tuple[Decision, ...]
    elsewhere: Sequence[Turn]


@dataclass(frozen=True)
class Concerns:
    """Other matters: work, reminders, waiting thoughts, promises, corrections."""

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
    """The user's state and style. `needs` include this message's effect; `weighs`: something is
    heavy for them, or a danger is possible; `cause` is the message at which the companion's mood began."""

    cared: Cared | None
    style: Block
    needs: Mapping[str, UserNeed]
    weighs: bool = False
    cause: Turn | None = None

    @property
    def danger(self) -> bool:
        """Return whether a person is in danger, which suppresses the companion's own matters."""
        return self.cared is not None and self.cared.weight is not None and not self.cared.lightly


@dataclass(frozen=True)
class Cue:
    """The memory query; `now` is the user's local time."""

    query: str
    now: datetime
    scope: Scope


@dataclass(frozen=True)
class Woken:
    """The retrieved memories: shown ones (best first), all retrieved, the focus, and all
    results."""

    shown: tuple[Shown, ...] = ()
    retrieved: tuple[Retrieval, ...] = ()
    inertia: Inertia = NONE
    found: Sequence[Recalled] = ()


@dataclass(frozen=True)
class Context:
    """All data shown to the model in this turn, and the changing `now_text`.

    `route`: how to answer; `attended`: rivals for attention; `strayed`: off the focus topic;
    `corrections`: own corrections shown; `plugins`: plugin texts shown; `gists`: current thoughts;
    `quiet`: the quiet requested in this message, in words; `sources`: the messages behind the
    companion's last message, surest first (None: not requested).
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
    corrections: tuple[Kept, ...] = ()
    plugins: tuple[tuple[str, str], ...] = ()
    gists: tuple[Gist, ...] = ()
    quiet: str = ""
    sources: tuple[Turn, ...] | None = None


@dataclass(frozen=True)
class Draft:
    """The finished answer, before its directives are read.

    `evidence`: ids shown, `shortened`: those shown in one line, `woken`: all retrieved; `standing`:
    state of the daily budget; `asks`: tokens of proposals; `second`: the stored second thought,
    None without a trigger.
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
    """The result of a turn: text, reaction or silence with a reason, and its origin."""

    context: Context
    draft: Draft
    speech: Speech

    @property
    def percept(self) -> Percept:
        return self.context.percept

    @property
    def operations(self) -> tuple[int, ...]:
        """Return the finished operations that the model was told of."""
        return tuple(one.id for one in self.context.concerns.operations if one.state != "pending")


@dataclass(frozen=True)
class Committed:
    """A stored reply: the ids of the user's turns, and the number of curiosities raised."""

    reply: Reply
    user_turns: tuple[int, ...]
    curiosities: int = 0
