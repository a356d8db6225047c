"""A companion that looks at its week: journal entries that rest on words, and a mind that says what a test wrote."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from furoshiki.memory.store import memories
from furoshiki.memory.values import NewMemory
from furoshiki.messages.store import turns
from furoshiki.mind.inner_life.rules import self_description as description_rules
from furoshiki.mind.inner_life.self_model import description as self_description
from furoshiki.mind.inner_life.store import drift, monologue
from furoshiki.mind.inner_life.store.drift import Drift
from furoshiki.mind.inner_life.store.monologue import Passage
from furoshiki.models.llm.structured import ask_typed
from furoshiki.models.llm.values import Answer, Question
from furoshiki.world import World
from tests.support.rows import user_said
from tests.support.world import FrozenClock, Script

ROOM = "They went quiet after I asked three times. I want to leave more room, and to ask one thing less."
SHIPS = "They work at the harbour. The late ships stay with me."
NEW = "I leave more room than I did, and ask one thing less."
SHIFT = "I ask less and leave more room."

Line = tuple[str, Sequence[str]]


def asking(world: World, model: Script) -> World:
    """A world in which what the model says is text, as a model gives it."""

    async def ask(question: Question, on_text: Any = None) -> Answer:
        return await ask_typed(question, model)

    return replace(world, ask=ask)


@dataclass
class Week:
    """What a test does with a week. A reader finds everything carried but what a test has it say otherwise of."""

    world: World
    model: Script
    clock: FrozenClock

    def __post_init__(self) -> None:
        self.model.reads_all = "supported"

    def writes(self, *texts: str) -> list[int]:
        """Journal entries, an hour apart, each resting on something the user said; returns their ids."""
        found = []
        for text in texts:
            with self.world.database.write() as db:
                turn = turns.add(db, user_said(text))
                day = f"{self.clock.at:%Y-%m-%d}"
                item = f"hour:{self.clock.at:%H%M}"
                entry = monologue.add(
                    db, "journal", day, [Passage(text, (turn,))], "scripted", turn, self.clock.at, item=item
                )
            assert entry is not None
            found.append(entry)
            self.clock.pass_(hours=1)
        return found

    def learns(self, text: str, **more: Any) -> int:
        """A fact of the user."""
        with self.world.database.write() as db:
            turn = turns.add(db, user_said(text))
            return memories.add(db, NewMemory("semantic", text, (turn,), **more), self.clock.at)

    def notices(self, text: str) -> int:
        """Something it has seen of itself."""
        with self.world.database.write() as db:
            turn = turns.add(db, user_said(text))
            new = NewMemory("reflection", text, (turn,), source_tag="internal_consolidation", category="self")
            return memories.add(db, new, self.clock.at)

    def says(
        self,
        *new: Line,
        shifts: Sequence[Line] = ((SHIFT, ["entry:1"]),),
        themes: Sequence[Line] = (),
        without: str = "",
    ) -> None:
        """What the mind answers: the description without a sentence, and with new ones in a last paragraph."""
        kept = [
            [_line(one, ()) for one in description_rules.sentences(part) if one != without]
            for part in description_rules.paragraphs(self.text)
        ]
        self.answers([*kept, [_line(text, names) for text, names in new]], shifts, themes)

    def answers(
        self, description: Sequence[Sequence[dict[str, Any]]], shifts: Sequence[Line] = (), themes: Sequence[Line] = ()
    ) -> None:
        """What the mind answers, in full."""
        told = {
            "themes": [_line(text, names) for text, names in themes],
            "shifts": [_line(text, names) for text, names in shifts],
            "description": [{"sentences": list(part)} for part in description],
        }
        self.model.lines.append(json.dumps(told))

    @property
    def text(self) -> str:
        return self_description.text(self.world)

    @property
    def file(self) -> str | None:
        path = self_description.path(self.world.settings.data)
        return path.read_text(encoding="utf-8") if path.exists() else None

    @property
    def looks(self) -> list[Drift]:
        """Every look there was, oldest first."""
        with self.world.database.read() as db:
            return drift.newest(db, 100)[::-1]

    def rows(self, question: str) -> list[dict[str, Any]]:
        with self.world.database.read() as db:
            return [dict(row) for row in db.execute(question)]

    @property
    def refused(self) -> list[tuple[str, str, str]]:
        rows = self.rows("SELECT kind, content, reason FROM rejected_extractions ORDER BY id")
        return [(row["kind"], row["content"], row["reason"]) for row in rows]


def _line(text: str, names: Sequence[str]) -> dict[str, Any]:
    return {"text": text, "rests_on": list(names)}
