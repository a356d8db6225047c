"""A model for lives on paper: it reads as the built-in rules do, and besides says what the script has written down.

What it is asked as typed questions it answers from the words it was shown, so that all it claims has grounds, except
where the script wants it to invent something.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from furoshiki.app.reflex_provider import ReflexMind
from furoshiki.app.wiring import lexicon
from furoshiki.core.errors import NoMindAnswered
from furoshiki.language.grounding.insights import FRAME
from furoshiki.language.grounding.words import content_of
from furoshiki.language.reflex.reading import read_session
from furoshiki.mind.inner_life.rules import self_description as description_rules
from furoshiki.mind.inner_life.rules.journal import journal
from furoshiki.models.llm.values import Answer, Question
from furoshiki.owner.user_model.rules.profiling import by_rule
from tests.support.promising import PROMISE
from tests.support.world import reader_says

COMPANION = "Furo"
LEARNS = "I am learning to keep my replies grounded in what I know."
_MEMORY = re.compile(r"^\[(\d+)[^\]]*\] (.+)$", re.MULTILINE)
_NAMED = re.compile(r"^\[(\w+:\d+)\] (.+)$", re.MULTILINE)
_DESCRIPTION = re.compile(r"<description>\n(.+?)\n</description>", re.DOTALL)
_QUESTION = re.compile(r"<question>\n(.+?)\n</question>", re.DOTALL)


@dataclass(frozen=True)
class Called:
    """One question that was put to it: when, for what, on which tier, and the characters it was shown."""

    at: datetime
    purpose: str
    tier: str
    characters: int


@dataclass
class Reader:
    """`remarks` are what it makes of conversations where the rules would make something else, by the words of a message
    in them; `thoughts` what it thinks at night, by the day. Both are parts of typed answers, with "said" for the words
    they rest on."""

    now: Callable[[], datetime]
    remarks: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    thoughts: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    invented: Sequence[str] = ()
    """What it says of the user in a profile although nobody ever told it."""

    rules_only: bool = False
    """Whether it is no model at all, but the built-in mind, which says nothing that the script says."""

    next_answer: str | None = None
    called: list[Called] = field(default_factory=list)
    turns: list[Question] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._rules = ReflexMind(random.Random(11), lexicon)

    async def __call__(self, question: Question, on_text: Callable[[str], Awaitable[None]] | None = None) -> Answer:
        shown = sum(len(block.text) for block in question.system) + sum(len(one.text) for one in question.messages)
        self.called.append(Called(self.now(), question.purpose, question.tier, shown))
        if question.purpose == "turn":
            return self._answered(question)
        part, _, kind = question.purpose.partition(".")
        answer = getattr(self, f"_{part}", None)
        found = answer(question, kind) if answer is not None and not self.rules_only else None
        if found is None:
            ruled = self._rules(question, why="no-model")
            if ruled is None:
                raise NoMindAnswered(question.purpose)
            return ruled
        assert question.answer is not None
        parsed = question.answer.model_validate(found)
        return Answer("", "stop", "scripted", "script", question.tier, parsed=parsed)

    def purposes(self) -> Counter[str]:
        """How often it was asked for what."""
        return Counter(one.purpose for one in self.called)

    def _answered(self, question: Question) -> Answer:
        self.turns.append(question)
        answer = self._rules(question, why="no-model")
        assert answer is not None
        if self.next_answer is None or self.rules_only:
            return answer
        said, self.next_answer = self.next_answer, None
        return replace(answer, text=said, calls=(), finish="stop", provider="scripted", model="script")

    def _post_conversation(self, question: Question, _kind: str) -> Mapping[str, Any]:
        said: Any = question.material
        said = getattr(said, "said", said)
        found = dict(read_session(said, lexicon()))
        by_words = {one.text: one.id for one in said}
        for words, remark in self.remarks.items():
            if words in by_words:
                found |= _resolved(remark, by_words)
        return found

    def _inner_monologue(self, question: Question, kind: str) -> Mapping[str, Any] | None:
        if kind == "contemplation":
            lines = [(number, line.partition(": ")) for number, line in _MEMORY.findall(question.messages[-1].text)]
            own = [(int(number), words) for number, (who, _, words) in lines if who != COMPANION]
            return {"thought": {"text": f"They said: {own[0][1]}", "messages": [own[0][0]]} if own else None}
        stretch: Any = question.material
        if stretch is None:  # a passing thought of a mind that wanders: nothing comes of it
            return {"thought": None}
        found = dict(journal(stretch, lexicon()))
        by_words = {one.text: one.id for one in stretch.said}
        if kind == "journal":
            found |= _resolved(self.thoughts.get(f"{self.now():%Y-%m-%d}", {}), by_words)
        return found

    def _profile(self, question: Question, _kind: str) -> Mapping[str, Any]:
        facts: Any = question.material
        found = dict(by_rule(facts))
        ids = [one.id for one in facts][:1]
        made_up = [{"text": text, "facts": ids, "section": "other"} for text in self.invented]
        return {**found, "mini": [*found["mini"], *made_up], "reference": [*found["reference"], *made_up]}

    def _grounding(self, question: Question, _kind: str) -> Mapping[str, Any]:
        said = dict.fromkeys(self.invented, "not supported")
        return reader_says(question, said, "supported").model_dump()

    def _routing_reflection(self, _question: Question, _kind: str) -> Mapping[str, Any]:
        missing = {"number": 1, "missing": ["context_sufficiency"], "confidence": 0.8, "why": "it leans on nothing"}
        return {"answers": [missing]}

    def _question_processing(self, question: Question, _kind: str) -> Mapping[str, Any]:
        text = question.messages[-1].text
        asked = _QUESTION.search(text)
        about = content_of(asked[1] if asked else "", FRAME)
        for number, words in _MEMORY.findall(text):
            if len(about & content_of(words, FRAME)) >= 2:
                return {"verdict": "answered", "answer": words, "memories": [int(number)]}
        return {"verdict": "open"}

    def _conduct(self, question: Question, _kind: str) -> Mapping[str, Any]:
        """Its questions about giving advice are about one tendency."""
        before, _, fresh = question.messages[0].text.rpartition("New questions:")
        like = next((int(number) for number, text in _MEMORY.findall(before) if "advice" in text), None)
        placed = []
        for number, text in _MEMORY.findall(fresh):
            advises = "advice" in text
            placed.append({"id": int(number), "conduct": advises, "like": like if advises else None})
            like = like or (int(number) if advises else None)
        return {"questions": placed}

    def _commitment(self, _question: Question, _kind: str) -> Mapping[str, Any]:
        return PROMISE

    def _deep_reflection(self, question: Question, _kind: str) -> Mapping[str, Any]:
        """It keeps its description, and adds what it learns where twice its answers leaned on nothing."""
        text = question.messages[-1].text
        held = _DESCRIPTION.search(text)
        assert held is not None
        seen = [name for name, words in _NAMED.findall(text) if "not grounded enough" in words]
        told = [_sentences(part) for part in description_rules.paragraphs(held[1])]
        if len(seen) >= 2 and LEARNS not in held[1]:
            told.append([{"text": LEARNS, "rests_on": seen}])
        return {"themes": [], "shifts": [], "description": [{"sentences": part} for part in told]}

    def _curiosity_triage(self, _question: Question, _kind: str) -> Mapping[str, Any]:
        return {"who": "self"}


def _sentences(paragraph: str) -> list[dict[str, Any]]:
    return [{"text": one, "rests_on": []} for one in description_rules.sentences(paragraph)]


def _resolved(remark: Mapping[str, Any], by_words: Mapping[str, int]) -> dict[str, Any]:
    """A remark with "said" (words) turned into `messages` (ids), wherever it stands."""

    def walk(value: Any) -> Any:
        if isinstance(value, Mapping):
            found = {key: walk(one) for key, one in value.items() if key != "said"}
            said = value.get("said")
            if said is not None:
                found["messages"] = [by_words[one] for one in ([said] if isinstance(said, str) else said)]
            return found
        return [walk(one) for one in value] if isinstance(value, list | tuple) else value

    resolved: dict[str, Any] = walk(remark)
    return resolved
