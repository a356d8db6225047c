"""A companion that asks itself questions, and a fast mind that proposes promises."""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from furoshiki.core.database.connection import Database
from furoshiki.core.errors import NoMindAnswered
from furoshiki.messages.store import turns
from furoshiki.messages.values import COMPANION, USER, NewTurn
from furoshiki.mind.inner_life.self_model import commitments as commitment_checks
from furoshiki.mind.inner_life.self_model.commitment_form import ReadVerdict
from furoshiki.mind.inner_life.store import commitments, patterns
from furoshiki.mind.inner_life.store.commitments import Commitment
from furoshiki.mind.inner_life.store.patterns import Pattern
from furoshiki.models.llm.structured import ask_typed
from furoshiki.models.llm.values import Answer, Question
from furoshiki.world import World
from tests.support.dying_night import world_in
from tests.support.wondering import wonder
from tests.support.world import FrozenClock

SHOULD, WHY = "Should I have asked before advising?", "Why did I give advice without asking?"
TEXT = "Ask before giving advice"
SIGN = "Honoured when a question of mine stands before my first advice, broken when I advise without one."
PROMISE = {"verdict": "commitment", "text": TEXT, "sign": SIGN}
READING: dict[str, Any] = {"connection_quality": 0.5, "warmth": 0.5, "topics": [], "user_state": "", "summary": ""}


_LINE = re.compile(r"^\[(\d+)\] (.+)$", re.MULTILINE)


def sort_questions(question: Question) -> dict[str, Any]:
    """To ask and to advise are one tendency, any other question about itself is one of its own."""
    before, _, fresh = question.messages[0].text.rpartition("New questions:")
    known = [(int(id_), _tendency(text)) for id_, text in _LINE.findall(before)]
    placed = []
    for id_, text in _LINE.findall(fresh):
        like = next((other for other, its in known if its == _tendency(text)), None)
        placed.append({"id": int(id_), "conduct": re.search(r"\bI\b", text) is not None, "like": like})
        known.append((int(id_), _tendency(text)))
    return {"questions": placed}


def _tendency(text: str) -> str:
    return "advice" if text in (SHOULD, WHY) else text


@dataclass
class Mind:
    """Answers by purpose: a value becomes JSON, a function of the question is asked, an exception is raised. It sorts
    new questions as `sort_questions` does unless told otherwise; about anything else there is nobody to ask."""

    says: dict[str, Any] = field(default_factory=dict)
    asked: list[Question] = field(default_factory=list)

    async def __call__(self, question: Question, on_text: Callable[[str], Awaitable[None]] | None = None) -> Answer:
        self.asked.append(question)
        return await ask_typed(question, self._say)

    async def _say(self, question: Question) -> Answer:
        found = ({"conduct": sort_questions} | self.says).get(question.purpose, NoMindAnswered("nobody"))
        found = found(question) if callable(found) else found
        if isinstance(found, BaseException):
            raise found
        text = found if isinstance(found, str) else json.dumps(found)
        return Answer(text, "stop", "scripted", "script", question.tier)

    def of(self, purpose: str) -> list[Question]:
        return [one for one in self.asked if one.purpose == purpose]


@dataclass
class Self:
    """A companion that wonders about itself, talks, and looks back."""

    world: World
    clock: FrozenClock
    mind: Mind

    def wonders(self, *questions: str, days: float = 1) -> None:
        """Each question comes to mind, so many days apart."""
        for text in questions:
            wonder(self.world, [text], "inner_monologue:2026-03-24")
            self.clock.pass_(days=days)

    def talks(self, *lines: str, session: str | None = None) -> list[int]:
        """A conversation, a minute a line; ">" begins the companion's. Answers the turns' ids; then an hour passes."""
        found = []
        name = session or self.clock.at.strftime("%Y%m%d-%H%M%S")
        for line in lines:
            speaker = COMPANION if line.startswith(">") else USER
            new = NewTurn(name, "console", "console", speaker, line.lstrip("> "), self.clock.at)
            with self.world.database.write() as db:
                found.append(turns.add(db, new))
            self.clock.pass_(minutes=1)
        self.clock.pass_(hours=1)
        return found

    def reads(self, **more: Any) -> None:
        """What a mind will say of the next sessions."""
        self.mind.says["post_conversation"] = READING | more

    async def learns(self) -> dict[str, int]:
        """What comes of a look at the patterns, without what did not happen."""
        return {name: count for name, count in (await commitment_checks.learn(self.world)).items() if count}

    def judges(self, verdict: str, session: str, *messages: int, of: int = 1) -> dict[str, int]:
        """A reading of a session that was had says so; returns what came of it."""
        read = [ReadVerdict.model_validate({"id": of, "verdict": verdict, "messages": messages})]
        with self.world.database.write() as db:
            said = turns.of_session(db, session)
            found = commitment_checks.judge(db, commitments.active(db), read, said, session, self.world.now)
        return {name: count for name, count in found.items() if count}

    @property
    def active(self) -> list[Commitment]:
        with self.world.database.read() as db:
            return commitments.active(db)

    @property
    def every(self) -> list[Commitment]:
        with self.world.database.read() as db:
            return commitments.every(db)[::-1]

    @property
    def patterns(self) -> list[Pattern]:
        with self.world.database.read() as db:
            ids = [row["id"] for row in db.execute("SELECT id FROM behavioral_patterns ORDER BY id")]
            return [one for id_ in ids if (one := patterns.get(db, id_)) is not None]

    def rows(self, question: str) -> list[tuple[Any, ...]]:
        with self.world.database.read() as db:
            return [tuple(row) for row in db.execute(question)]


def self_in(folder: Path, database: Database) -> Self:
    """A companion whose mind always answers the same: promises, and broken ones at that."""
    clock, mind = FrozenClock(), Mind({"commitment": PROMISE})
    mind.says["post_conversation"] = lambda question: READING | {"commitments": _judged(question)}
    return Self(replace(world_in(folder, database), ask=mind, clock=clock), clock, mind)


def _judged(question: Question) -> list[dict[str, Any]]:
    """Broken, wherever advice is given."""
    found = re.search(r"\[(\d+) ·[^\n]*You should", question.messages[0].text)
    return [{"id": 1, "verdict": "broken", "messages": [int(found[1])]}] if found else []
