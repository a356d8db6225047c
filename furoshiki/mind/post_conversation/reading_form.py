"""The typed answer of post-conversation: a reading. Class docstrings go into the prompt."""

from typing import Annotated, Any, Literal, Self, get_args

from pydantic import BaseModel, BeforeValidator, Field, model_validator

from furoshiki.language.lexicon import Feeling
from furoshiki.mind.inner_life.self_model.commitment_form import ReadVerdict
from furoshiki.models.llm.fields import Id, Lenient, Score, Share
from furoshiki.owner.user_model.forms import ReadStyle

Topic = Annotated[str, Field(max_length=100)]
Concept = Annotated[str, Field(max_length=60)]

Category = Literal[
    "employment",
    "family",
    "location",
    "addressing",
    "health",
    "preference",
    "plan",
    "goal",
    "relationship",
    "possession",
    "skill",
    "belief",
    "manner",
    "other",
]


def _known_category(given: Any) -> Any:
    """Take a category of a model's own as `other`: the fact is worth more than its drawer."""
    return given if given in get_args(Category) else "other"


Need = Literal["companionship", "emotional_support", "playfulness", "focus", "challenge", "grounding", "space"]


class ReadFact(BaseModel):
    """Something the user said about themselves, with the ids of the messages it rests on."""

    text: Annotated[str, Field(min_length=3, max_length=300)]
    subject: Annotated[str, Field(min_length=1, max_length=80)]
    predicate: Annotated[str, Field(min_length=1, max_length=60)]
    object: Annotated[str, Field(min_length=1, max_length=200)]
    category: Annotated[Category, BeforeValidator(_known_category)] = "other"
    event_time: Annotated[
        str | None, Field(description="ISO date of what it tells about, when it is named; the last of several")
    ] = None
    messages: Annotated[list[Id], Field(min_length=1, description="Ids of the user's messages that say so")]
    instead_of: Annotated[list[Id], Field(max_length=5, description="Known facts that it ends or puts right")] = []
    was_wrong: Annotated[bool, Field(description="Whether those were never so")] = False


class FollowUp(BaseModel):
    """Something worth asking about later."""

    text: Annotated[str, Field(min_length=3, max_length=300)]
    after: Annotated[str | None, Field(description="ISO date before which it makes no sense to ask")] = None
    messages: list[Id] = []


class ReadOutcome(BaseModel):
    """What became of something expected: it was so, it was not so, or nobody can tell yet."""

    id: Id
    outcome: Literal["hit", "miss", "open"]
    messages: Annotated[list[Id], Field(description="Ids of the user's messages that say so")] = []


class ReadSettled(BaseModel):
    """Something noted to come back to that was told by now, or cannot come about any more."""

    id: Id
    messages: Annotated[list[Id], Field(description="Ids of the user's messages that say so", min_length=1)]


class ReadFeeling(BaseModel):
    """Something the user felt in the session, and how strongly."""

    feeling: Feeling
    strength: Share


def _listify(value: Any) -> Any:
    """Accept feelings as an object of numbers, as models often write them: {"worry": 0.4}."""
    if isinstance(value, dict):
        return [{"feeling": name, "strength": strength} for name, strength in value.items()]
    return value


class Moved(BaseModel):
    """One sentence on what moved the user most, with their messages it rests on."""

    text: Annotated[str, Field(min_length=3, max_length=300)]
    messages: Annotated[list[Id], Field(description="Ids of the user's messages that show it")] = []


class ReadNeed(BaseModel):
    """What the user needed in the session, how much and how surely, with their own messages that show it."""

    need: Need
    level: Share
    confidence: Share
    messages: Annotated[list[Id], Field(description="Ids of the user's messages that show it")] = []


class ReadContradiction(BaseModel):
    """A reply of the companion that goes against one of its own values, as a question to itself."""

    value: Annotated[str, Field(min_length=3, max_length=200, description="The value, in the words it is shown in")]
    message: Annotated[Id, Field(description="Id of the companion's message")]
    question: Annotated[str, Field(min_length=3, max_length=300, description="Why did I … although …?")]


class ReadLink(BaseModel):
    """How two of the concepts belong to each other."""

    one: Concept
    how: Literal["part_of", "kind_of", "leads_to", "against"]
    other: Concept


class SessionReading(Lenient):
    """What a session was like. Shares lie in [0, 1]; `authentic` and `grounded` judge the companion, 1 to 5."""

    connection_quality: Share = 0.5
    warmth: Share = 0.5
    feelings: Annotated[
        list[ReadFeeling],
        Field(max_length=10, description="What the user felt, each named once, the strongest first"),
        BeforeValidator(_listify),
    ] = []
    valence: Annotated[float | None, Field(ge=-1, le=1, description="How it felt to them: -1 bad … 1 good")] = None
    intensity: Annotated[Share | None, Field(description="How strongly they felt: 0 not at all … 1 overwhelmed")] = None
    moved_by: Annotated[Moved | None, Field(description="What moved them most")] = None
    topics: Annotated[list[Topic], Field(max_length=8)] = []
    concepts: Annotated[list[Concept], Field(max_length=8, description="What it was about, a noun or two each")] = []
    links: Annotated[list[ReadLink], Field(max_length=8)] = []
    user_state: Annotated[str, Field(max_length=300)] = ""
    summary: Annotated[str, Field(max_length=600)] = ""
    facts: Annotated[list[ReadFact], Field(max_length=30)] = []
    follow_ups: Annotated[list[FollowUp], Field(max_length=5)] = []
    anticipations: Annotated[list[ReadOutcome], Field(max_length=10)] = []
    settled: Annotated[list[ReadSettled], Field(max_length=10)] = []
    user_needs: Annotated[list[ReadNeed], Field(max_length=7)] = []
    style: ReadStyle | None = None
    commitments: Annotated[list[ReadVerdict], Field(max_length=10)] = []
    contradictions: Annotated[list[ReadContradiction], Field(max_length=3)] = []
    authentic: Score | None = None
    grounded: Score | None = None
    events: Annotated[
        list[Literal["excitement_triggered", "worry_triggered", "anger_triggered", "pride_triggered"]],
        Field(max_length=4, description="What the session did to the companion, rarely more than one"),
    ] = []

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        if not self.model_fields_set & {"summary", "facts"}:
            raise ValueError("it says nothing of what was talked about")
        return self


class Corrected(Lenient):
    """What a mind makes of those of its statements that were refused; what it takes back is left out."""

    facts: Annotated[list[ReadFact], Field(max_length=30)] = []
    follow_ups: Annotated[list[FollowUp], Field(max_length=5)] = []
    moved_by: Moved | None = None
    user_state: Annotated[str, Field(max_length=300)] = ""
    summary: Annotated[str, Field(max_length=600)] = ""
