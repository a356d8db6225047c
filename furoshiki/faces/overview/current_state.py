"""The present state for the page and the API, from the sources of `/mood`, `/status` and `/why`."""

from dataclasses import dataclass
from datetime import datetime

from furoshiki.conversation.acting.store import attention
from furoshiki.conversation.acting.store.attention import Cycle
from furoshiki.conversation.commands.memory import speaker_name
from furoshiki.faces.overview.rules import feeling_words
from furoshiki.feelings.rules import user_needs
from furoshiki.messages.channels import WEB
from furoshiki.messages.store import turns
from furoshiki.mind.inner_life import inner_state
from furoshiki.mind.inner_life.rules import feelings_drawn
from furoshiki.mind.inner_life.store import wandered
from furoshiki.mind.inner_life.store.wandered import Wandered
from furoshiki.mind.outreach import explanation
from furoshiki.mind.outreach.explanation import Held, Said
from furoshiki.owner.routing.rules.topics import Topic
from furoshiki.owner.routing.store import topics
from furoshiki.world import World

LAST_MESSAGES = 6
LAST_TOPICS = 4
MOST_WAITING = 4


@dataclass(frozen=True)
class Feeling:
    """An emotion in [0, 1], and its resting value."""

    name: str
    value: float
    rests_at: float


@dataclass(frozen=True)
class Need:
    """A need of the companion in [0, 1]: `mark` is calm, amber or rose, from the levels `amber` and
    `rose` on; its meaning, and its effect at that mark."""

    name: str
    label: str
    value: float
    mark: str
    amber: float
    rose: float
    meaning: str
    does: str


@dataclass(frozen=True)
class UserNeed:
    """An apparent need of the user in [0, 1], its confidence, and how many messages show it."""

    name: str
    meaning: str
    level: float
    confidence: float
    sureness: str
    messages: int


@dataclass(frozen=True)
class Heart:
    """Feelings with reasons, needs, and the user's needs it senses. Sentences may be empty."""

    mood: str
    since: datetime
    felt_at: datetime
    told: str
    moved_by: str
    wants: str
    senses: str
    conflicts: tuple[str, ...]
    emotions: tuple[Feeling, ...]
    needs: tuple[Need, ...]
    user_needs: tuple[UserNeed, ...]


@dataclass(frozen=True)
class Message:
    """A message with its speaker's name and channel."""

    id: int
    at: datetime
    who: str
    channel: str
    text: str


@dataclass(frozen=True)
class Attending:
    """The companion's attention, topics, and last idle wandering."""

    cycle: Cycle | None
    topics: tuple[Topic, ...]
    wandered: Wandered | None


@dataclass(frozen=True)
class Outreach:
    """The last unprompted message with reasons, and waiting ones; `more` are not shown."""

    last: Said | None
    waiting: tuple[Held, ...]
    more: int


def heart(world: World) -> Heart:
    """Gather feelings and needs."""
    now, laws = world.now, world.laws
    inside = inner_state.look(world)
    beat = inside.beat
    return Heart(
        mood=beat.mood.word,
        since=beat.mood.since,
        felt_at=beat.felt_at,
        told=inner_state.describe_feeling(inside, world),
        moved_by=inside.why,
        wants=inner_state.wants(inside),
        senses=inner_state.describe_sensed(inside.sensed),
        conflicts=inside.conflicts,
        emotions=tuple(
            Feeling(name, value, laws.emotions.natural[name]) for name, value in beat.emotions.as_mapping().items()
        ),
        needs=tuple(
            Need(
                name,
                feelings_drawn.name_need(name),
                value,
                mark := beat.need_marks.get(name, "calm"),
                laws.needs.each[name].amber,
                laws.needs.each[name].rose,
                feeling_words.NEEDS[name],
                feeling_words.does(name, mark),
            )
            for name, value in beat.needs.items()
        ),
        user_needs=tuple(
            UserNeed(
                name,
                feeling_words.USER_NEEDS[name],
                need.level,
                sure := user_needs.confidence_at(need, now, laws.user_needs),
                feeling_words.sureness(sure),
                len(need.evidence),
            )
            for name, need in beat.user_needs.items()
        ),
    )


def messages(world: World) -> list[Message]:
    """Return the last messages of all channels, oldest first."""
    with world.database.read() as db:
        said = turns.recent(db, WEB, WEB, LAST_MESSAGES)
    return [
        Message(turn.id, turn.at, _capital(speaker_name(world, turn.speaker)), turn.channel, turn.text) for turn in said
    ]


def gather_attention(world: World) -> Attending:
    with world.database.read() as db:
        found = topics.everywhere(db, LAST_TOPICS)
        went = wandered.newest(db, 1)
        return Attending(attention.last_cycle(db), tuple(one for _, one in found), went[0] if went else None)


def outreach(world: World) -> Outreach:
    """Gather why it last wrote first, or does not."""
    waits = explanation.list_held(world)
    return Outreach(explanation.last(world), tuple(waits[:MOST_WAITING]), max(0, len(waits) - MOST_WAITING))


def _capital(name: str) -> str:
    return f"{name[:1].upper()}{name[1:]}"
