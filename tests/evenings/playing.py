"""An evening that was answered by hand, lived again: what a person writes and when, and what a capable mind answered to
every prompt of the program, kept in a file each. The clock, the jobs, the database and the gateway are the program's.

In an answer "@3" stands for the turn of the person's third message, "@3>" for the answer to it, and "?words" for the id
in brackets at the beginning of the line of the prompt that holds these words: ids may change with the program.
"""

from __future__ import annotations

import json
import random
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from furoshiki.core.paths import living_in
from furoshiki.inner_life.self_model import description
from furoshiki.llm.catalogue import Price
from furoshiki.llm.failures import Failure
from furoshiki.llm.partial_answer import Hearing
from furoshiki.llm.plans import ModelRef
from furoshiki.llm.provider import Form, ModelOptions
from furoshiki.llm.values import Question, Usage
from furoshiki.messages.values import Outgoing
from furoshiki.simulator import home, personas
from furoshiki.simulator.checks.watch import Watch
from furoshiki.simulator.clock import VirtualClock
from furoshiki.simulator.life import Life
from furoshiki.simulator.person import Act, Person, Promise
from furoshiki.simulator.personas import Request
from furoshiki.simulator.story import Story
from furoshiki.user_model.store import profiles
from furoshiki.world import World

FOLDER = Path(__file__).parent
QUIET = FOLDER / "quiet.toml"
"""What this mind says everywhere where nothing comes to it."""

SELDOM = {"wander": 30, "flush_scratch": 30, "outreach_pulse": 20, "soul_engine": 30, "run_post_conversation": 30}
"""Minutes between two looks of the jobs that look most often: nobody here waits for any of them."""

MIND = ModelRef("by-hand", "capable")
DAY = timedelta(days=1)
_NAME = re.compile(r"\[(?P<name>(?:[a-z_]+:)?(?P<id>\d+))")
_MOOD = re.compile(r"(?:You feel|you feel yourself \()(?: ?quietly)? ?(?P<word>[a-z]+)")


@dataclass(frozen=True)
class Evening:
    """An evening and the days after it. `says` are the person's messages with their moments; `answers` by purpose, in
    the order in which they are asked; `shows` is what must come of it."""

    name: str
    owner: str
    zone: ZoneInfo
    says: tuple[tuple[datetime, str], ...]
    answers: Mapping[str, Sequence[Mapping[str, Any]]]
    shows: Mapping[str, Any]

    @property
    def begins(self) -> datetime:
        """An hour before the first message."""
        return self.says[0][0] - timedelta(hours=1)

    @property
    def days(self) -> int:
        """Days from the beginning to after the last message."""
        return (self.says[-1][0] - self.begins) // DAY + 1


def read(name: str) -> Evening:
    """The evening of a file."""
    found = tomllib.loads((FOLDER / f"{name}.toml").read_text(encoding="utf-8"))
    zone = ZoneInfo(found["zone"])
    says: list[tuple[datetime, str]] = []
    for day in found["days"]:
        for line in day["says"]:
            clock, _, text = line.partition(" ")
            at = datetime.fromisoformat(f"{day['on']}T{clock}").replace(tzinfo=zone).astimezone(UTC)
            says.append((at, text))
    return Evening(name, found["owner"], zone, tuple(says), found["answers"], found["shows"])


@dataclass(frozen=True)
class Asked:
    """A question that was put: how many messages had been said by then, and what was answered, None for nothing."""

    at: datetime
    purpose: str
    after: int
    question: Question
    said: str | None

    @property
    def words(self) -> str:
        """All that was shown."""
        blocks = [block.text for block in self.question.system]
        return "\n\n".join([*blocks, *(f"<{one.role}> {one.text}" for one in self.question.messages)])


@dataclass
class ByHand:
    """The mind of an evening, as a provider behind the real gateway."""

    evening: Evening
    clock: VirtualClock
    world: World | None = None
    heard: Story | None = None
    asked: list[Asked] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._quiet = tomllib.loads(QUIET.read_text(encoding="utf-8"))
        self._left = {purpose: list(lines) for purpose, lines in self.evening.answers.items()}

    def load(self) -> None:
        """There is nothing to load."""

    async def aclose(self) -> None:
        """There is nothing to close."""

    async def say(
        self, model: str, question: Question, form: Form | None, manner: ModelOptions, hearing: Hearing
    ) -> None:
        """What was answered by hand. Raises Failure where nothing was: the built-in mind answers then."""
        assert self.heard is not None
        after = len(self.heard.heard)
        found = self._answer(question, after)
        text = None if found is None else self._written(found, question)
        self.asked.append(Asked(self.clock.now(), question.purpose, after, question, text))
        if found is None or text is None:
            raise Failure("request", f"nobody has answered this by hand: {question.purpose} after message {after}")
        for number, call in enumerate(found.get("calls", ())):
            args = json.dumps(self._resolved(call["args"], question), default=str)
            hearing.add_call(number, call_id=f"{after}-{number}", name=call["name"], args=args)
        await hearing.add_text(text)
        shown = sum(len(block.text) for block in question.system) + sum(len(one.text) for one in question.messages)
        hearing.usage = Usage(input=shown // 4, output=len(text) // 4 + 1)
        hearing.finish = "tools" if "calls" in found else "stop"

    def left(self) -> list[str]:
        """What was answered by hand and not asked for again."""
        return [f"{purpose} {line}" for purpose, lines in self._left.items() for line in lines]

    def _answer(self, question: Question, after: int) -> Mapping[str, Any] | None:
        """The first that is left for this purpose and fits: said `to` this very message, asked `after` this one or a
        later one, `about` words that stand in what was asked; what is said `again` and again is never used up."""
        shown = question.messages[-1].text
        for line in self._left.get(question.purpose, []):
            at_its_place = line.get("to", after) == after and line.get("after", 0) <= after
            if at_its_place and line.get("about", "") in shown:
                if not line.get("again"):
                    self._left[question.purpose].remove(line)
                return line
        quiet: Mapping[str, Any] | None = self._quiet.get(question.purpose)
        return quiet

    def _written(self, found: Mapping[str, Any], question: Question) -> str:
        if "json" in found:
            return json.dumps(self._resolved(found["json"], question), ensure_ascii=False, default=str)
        return str(found.get("text", ""))

    def _resolved(self, value: Any, question: Question) -> Any:
        if isinstance(value, Mapping):
            return {key: self._resolved(one, question) for key, one in value.items()}
        if isinstance(value, list):
            found = [self._resolved(one, question) for one in value if not self._unseen(one, question)]
            return [one for one in found if one is not None]
        if value == "null":  # TOML has no word for it
            return None
        if isinstance(value, str) and (turn := re.fullmatch(r"@(\d+)(>?)", value)):
            return self._turn(int(turn[1]), "companion" if turn[2] else "user")
        if isinstance(value, str) and value.startswith("?"):
            lines = "\n".join(one.text for one in question.messages).splitlines()
            named = [_NAME.search(line) for line in lines if value[1:] in line]
            found = next((one for one in named if one is not None), None)
            return None if found is None else found["name"] if ":" in found["name"] else int(found["id"])
        return value

    def _unseen(self, value: Any, question: Question) -> bool:
        """Whether it rests on something that was not shown this time: nobody would have written it then."""
        if not isinstance(value, Mapping):
            return False
        ids = [one for found in value.values() if isinstance(found, list) for one in found]
        named = [one for one in ids if isinstance(one, str) and one.startswith("?")]
        return any(self._resolved(one, question) is None for one in named)

    def _turn(self, number: int, speaker: str) -> int | None:
        assert self.world is not None and self.heard is not None
        key = f"inbox:{self.heard.heard[number - 1].row}"
        with self.world.database.read() as db:
            row = db.execute(
                "SELECT id FROM turns WHERE turn_key=? AND (speaker='companion')=? ORDER BY id LIMIT 1",
                (key, speaker == "companion"),
            ).fetchone()
        return None if row is None else int(row[0])


class Telling(Person):
    """The person of an evening: says what is written down, and answers nothing else."""

    def __init__(self, evening: Evening, persona: personas.Persona) -> None:
        super().__init__(persona, evening.begins, random.Random(1))
        self._evening = evening

    def day(self, number: int) -> list[Act]:
        """What is said on a day."""
        begins = self.begins + number * DAY
        return [Act(at, self._message(text)) for at, text in self._evening.says if begins <= at < begins + DAY]

    def hears(self, row: Outgoing, message_id: str, now: datetime) -> list[Act]:
        """Whatever comes, it is not answered with a button."""
        return []

    def promised(self, request: Request, now: datetime, zone: ZoneInfo) -> Promise:
        """Nothing is asked for but in words."""
        raise AssertionError(request)


@dataclass(frozen=True)
class Lived:
    """An evening that was lived, and what was left of it at the end of the last day: a line for each thing kept."""

    evening: Evening
    story: Story
    mind: ByHand
    facts: Sequence[str]
    profile: Sequence[str]
    conversations: Sequence[str]
    waits: Sequence[str]
    refused: Sequence[str]
    self_description: str

    @property
    def known(self) -> Sequence[str]:
        """What is held for true: facts, the profile, what was made of the conversations."""
        return [*self.facts, *self.profile, *self.conversations]

    @property
    def unanswered(self) -> Sequence[str]:
        """The purposes for which nothing was answered by hand."""
        return sorted({f"{one.purpose} after message {one.after}" for one in self.mind.asked if one.said is None})

    def turn(self, message: int) -> str:
        """What was shown for the answer to a message, whatever was said before it left out."""
        asked = [one for one in self.mind.asked if one.purpose == "turn" and one.after == message]
        return asked[0].question.messages[-1].text

    def mood(self, message: int) -> str:
        """The word for how it feels in the prompt of a message, "" where none stands there."""
        found = _MOOD.search(self.turn(message))
        return found["word"] if found is not None else ""

    def written_first(self) -> Sequence[tuple[date, str]]:
        """What came unasked after the first evening, with its day there."""
        zone, evening = self.evening.zone, self.evening.says[0][0].astimezone(self.evening.zone).date()
        came = [(one.at.astimezone(zone).date(), one.text) for one in self.story.said if one.policy != "reply"]
        return [(day, text) for day, text in came if day > evening]


def live(evening: Evening, data: Path) -> Lived:
    """Live an evening and the days after it in a data directory of its own."""
    clock = VirtualClock(evening.begins)
    persona = replace(personas.read("sociable"), name=evening.owner, zone=str(evening.zone))
    story = Story(evening.owner, persona.zone, evening.begins, 1)
    mind = ByHand(evening, clock, heard=story)
    with living_in(data):
        own = data / "memory" / "schedules.json"
        own.parent.mkdir(parents=True)
        seldom = [{"name": name, "when": f"every {minutes} minutes"} for name, minutes in SELDOM.items()]
        own.write_text(json.dumps({"jobs": seldom}), encoding="utf-8")
        world = home.built(data, persona, clock, 1, "none", {})
        world = home.answered_by(mind, MIND, Price(1.0, 4.0, 0.1, 1.0), world, clock)
        mind.world = world
        watch = Watch(world.database, story, clock.now, world.vectors.embed)
        Life(world, clock, Telling(evening, persona), story, watch).live(evening.days, keep_going=True)
        lived = _what_is_left(world, evening, story, mind)
        world.database.close()
    return lived


def _what_is_left(world: World, evening: Evening, story: Story, mind: ByHand) -> Lived:
    with world.database.read() as db:
        told = "SELECT content FROM memories WHERE status='active' AND type NOT IN ('episodic') ORDER BY id"
        facts = [row[0] for row in db.execute(told)]
        held = profiles.held(db)
        documents = [row[0] for row in db.execute("SELECT document FROM sessions ORDER BY id")]
        waits = [f"{row[0]}: {row[1]} ({row[2]})" for row in db.execute("SELECT kind, summary, state FROM mind_queue")]
        refusals = "SELECT kind, content, reason FROM rejected_extractions ORDER BY id"
        refused = [f"{row[0]}: {row[1]} ({row[2]})" for row in db.execute(refusals)]
    profile = [] if held is None else [one.text for one in (*held.profile.mini, *held.profile.reference)]
    made = [line for text in documents for line in text.split("\n\n")[0].splitlines()]
    path = world.settings.data / "config" / description.NAME
    itself = path.read_text(encoding="utf-8") if path.exists() else ""
    return Lived(evening, story, mind, facts, profile, made, waits, refused, itself)
