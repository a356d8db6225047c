"""An evening that was answered by hand, lived again: what a person writes and when, and what a capable mind answered to
every prompt of the program. The clock, the jobs, the database and the gateway are the program's.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from bench.simulator import home, personas
from bench.simulator.checks.watch import Watch
from bench.simulator.clock import VirtualClock
from bench.simulator.life import Life
from bench.simulator.person import Act, Person, Promise
from bench.simulator.personas import Request
from bench.simulator.story import Story
from furoshiki.core.paths import ROOT, living_in
from furoshiki.messages.values import Outgoing
from furoshiki.mind.inner_life.self_model import description
from furoshiki.models.llm.catalogue import Price
from furoshiki.owner.user_model.store import profiles
from furoshiki.world import World
from tests.evenings.by_hand import MIND, Asked, ByHand
from tests.evenings.evening import DAY, Evening

SELDOM = {"wander": 60, "flush_scratch": 60, "outreach_pulse": 30, "soul_engine": 60, "run_post_conversation": 30}
"""Minutes between two looks of the jobs that look most often: nobody here waits for any of them."""

_MOODS = {
    path.name.partition(".")[0]: re.split(r"[.:,]", path.read_text(encoding="utf-8"))[0]
    for path in (ROOT / "prompts" / "_parts" / "mood").glob("*.md.j2")
}
"""How the words for each mood begin."""

_WAITS = re.compile(r"you feel yourself \((?P<word>[a-z]+)\)")
"""Where the mood is only named, since something else comes first."""


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
    tasks: Sequence[str]
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
        return self._asked(message).words

    def mood(self, message: int) -> str:
        """The word for how it feels in the prompt of a message, "" where none stands there."""
        shown = self._asked(message).question.messages[-1].text
        named = _WAITS.search(shown)
        felt = [word for word, begins in _MOODS.items() if begins in shown]
        return named["word"] if named is not None else felt[0] if felt else ""

    def written_first(self) -> Sequence[tuple[datetime, str]]:
        """What came unasked after the first evening, with its moment there."""
        zone, evening = self.evening.zone, self.evening.says[0][0].astimezone(self.evening.zone).date()
        came = [(one.at.astimezone(zone), one.text) for one in self.story.said if one.policy != "reply"]
        return [(at, text) for at, text in came if at.date() > evening]

    def _asked(self, message: int) -> Asked:
        return next(one for one in self.mind.asked if one.purpose == "turn" and one.after == message)


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
        held = profiles.find_profile(db)
        documents = [row[0] for row in db.execute("SELECT document FROM sessions ORDER BY id")]
        waits = [f"{row[0]}: {row[1]} ({row[2]})" for row in db.execute("SELECT kind, summary, state FROM mind_queue")]
        open_tasks = "SELECT title, due_at FROM tasks WHERE state='open' ORDER BY id"
        tasks = [f"{row[0]} ({row[1]})" for row in db.execute(open_tasks)]
        refusals = "SELECT kind, content, reason FROM rejected_extractions ORDER BY id"
        refused = [f"{row[0]}: {row[1]} ({row[2]})" for row in db.execute(refusals)]
    profile = [] if held is None else [one.text for one in (*held.profile.mini, *held.profile.reference)]
    made = [line for text in documents for line in text.split("\n\n")[0].splitlines()]
    path = world.settings.data / "config" / description.NAME
    itself = path.read_text(encoding="utf-8") if path.exists() else ""
    return Lived(evening, story, mind, facts, profile, made, waits, tasks, refused, itself)
