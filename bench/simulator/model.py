"""The scripted model: prepared lines, the built-in mind's rules for structured purposes, and some
deliberately bad drafts.

It is a provider behind the real gateway, with tokens, costs, budget, retries and typed answers. Its
lines are in model.toml.
"""

from __future__ import annotations

import itertools
import json
import random
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from furoshiki.app.reflex_provider import ReflexMind
from furoshiki.core.config_table import ConfigTable
from furoshiki.core.errors import BadSetting
from furoshiki.core.paths import read_toml_file
from furoshiki.language.grounding.words import content_of
from furoshiki.language.lexicon import Lexicon
from furoshiki.mind.inner_life.rules.journal import journal
from furoshiki.mind.outreach.voice import DRAFT, POLISH
from furoshiki.models.llm.catalogue import Price
from furoshiki.models.llm.failures import Failure
from furoshiki.models.llm.partial_answer import Hearing
from furoshiki.models.llm.provider import Form, ModelOptions
from furoshiki.models.llm.values import Answer, Question, Usage

PROVIDER = "scripted"
MODEL = "lines"

LINES = Path(__file__).parent / "model.toml"

CHARACTERS_A_TOKEN = 4

SAID = re.compile(r"^\[(?P<id>\d+) · [^\]\n]{0,80}\] [^:\n]{1,60}: (?P<words>[^\n]{12,})$", re.M)
"""A line of a turn in prompts of the companion's own thinking."""

MEMORY = re.compile(r"^\[(?P<id>\d+)(?: · [^\]\n]{0,80})?\] (?P<words>[^\n]{3,})$", re.M)
"""A line of a memory, or of a question it asked itself."""

NEW = re.compile(r"^\[(?P<id>\d+) · [^\]\n]{0,80}\] NEW [^:\n]{1,60}: (?P<words>[^\n]{3,})$", re.M)
BEFORE = re.compile(r"^\d{1,2} [A-Z][a-z]+ \d{4}, (?P<who>[^:\n]{1,60}): (?P<words>[^\n]{12,})$", re.M)
"""A new line to be read for facts, and a line of the conversation around a memory."""

GOAL = re.compile(r"\bmy goal this year is to ([^.!?\n]{3,60})", re.IGNORECASE)
REACHED = re.compile(r"\bi did it: i ([^.!?\n]{3,60})", re.IGNORECASE)
"""Phrases for a goal, and for reaching it."""

CLAUSE_WORDS = 10


@dataclass(frozen=True)
class Bad:
    """The shares of deliberately bad drafts."""

    repeats: float
    json: float
    empty: float
    fails: float


@dataclass(frozen=True)
class Lines:
    """The model's lines, prices, and error rates."""

    price: Price
    bad: Bad
    turn: tuple[str, ...]
    begins: tuple[str, ...]
    goes_on: tuple[str, ...]
    wonders: tuple[str, ...]


def read(path: Path = LINES) -> Lines:
    """Read the lines of a file. Raises BadSetting with file and key."""
    try:
        table = ConfigTable(read_toml_file(path))
        table.only(("costs", "bad", "turn", "outreach", "musing"))
        costs, bad, outreach = table.table("costs"), table.table("bad"), table.table("outreach")
        bad.only(("repeats", "json", "empty", "fails"))
        fresh, cached, output = (costs.number(name, 0, 1000) for name in ("input", "cached", "output"))
        shares = {name: bad.number(name, 0, 1) for name in ("repeats", "json", "empty", "fails")}
        turn, begins, goes_on = table.table("turn").texts("says"), outreach.texts("begins"), outreach.texts("goes_on")
        wonders = table.table("musing").texts("wonders")
        for name, said in (
            ("turn.says", turn),
            ("outreach.begins", begins),
            ("outreach.goes_on", goes_on),
            ("musing.wonders", wonders),
        ):
            if not said:
                raise ValueError(f'{name} is missing: what is said, as ["…"]')
        return Lines(Price(fresh, output, cached, fresh), Bad(**shares), turn, begins, goes_on, wonders)
    except ValueError as error:
        raise BadSetting(f"{path}: {error}") from error


class ScriptedModel:
    """A provider (see `furoshiki.models.llm.provider.Provider`) without cost and delay."""

    def __init__(self, lines: Lines, rng: random.Random, lexicon: Callable[[], Lexicon]) -> None:
        self._lines = lines
        self._rng = rng
        self._lexicon = lexicon
        self._rules = ReflexMind(rng, lexicon)
        self._drafted: list[str] = []
        self._latest: dict[str | None, str] = {}
        """The last draft of each turn, by turn key, for polishing."""

    def load(self) -> None:
        """Do nothing: there is nothing to load."""

    async def say(
        self, model: str, question: Question, form: Form | None, manner: ModelOptions, hearing: Hearing
    ) -> None:
        """Answer at once. Raises Failure on purpose, or for a typed question without an answer."""
        if question.purpose == "turn":
            text = await self._turn(question, hearing)
        elif question.purpose == "act":
            text = _acting(question, hearing)
        elif form is not None:
            text = self._typed(question)
        elif question.purpose in _PROSE:
            text = _PROSE[question.purpose](self, question)
        else:
            text = self._rng.choice(self._lines.turn)
        await hearing.add_text(text)
        hearing.usage = _usage(question, text)
        hearing.finish = hearing.finish or "stop"

    async def aclose(self) -> None:
        """Do nothing: there is nothing to close."""

    async def _turn(self, question: Question, hearing: Hearing) -> str:
        """Call the skill for a request that a rule detects; else answer a prepared line."""
        said = question.messages[-1].text.rpartition("<message>")[2] if question.messages[-1].role == "user" else ""
        if wanted := _LONG_WORK.search(said):
            goal = f"What there is to know about {wanted[1]}, in a few plain lines."
            args = {"action": "propose", "title": wanted[1][:1].upper() + wanted[1][1:], "goal": goal}
            hearing.add_call(0, call_id="long", name="persistent_task", args=json.dumps(args))
            hearing.finish = "tools"
            return ""
        answer = self._rules(question, why="no-model")
        if answer is None:
            return self._rng.choice(self._lines.turn)
        if answer.calls:
            for number, call in enumerate(answer.calls):
                hearing.add_call(number, call_id=call.id, name=call.name, args=json.dumps(dict(call.args), default=str))
            hearing.finish = "tools"
            return answer.text
        told = any(message.role == "tool" for message in question.messages)
        return answer.text if told or self._rng.random() < FRANK else self._rng.choice(self._lines.turn)

    def _typed(self, question: Question) -> str:
        assert question.answer is not None
        known = _TYPED.get(question.purpose)
        if known is not None:
            return json.dumps(known(self, question))
        ruled: Answer | None = self._rules(question, why="no-model")
        if ruled is not None and ruled.parsed is not None:
            return str(ruled.parsed.model_dump_json())
        raise Failure("request", f"the scripted model has no answer for {question.purpose}")

    def _musing(self, question: Question) -> Mapping[str, Any]:
        stretch: Any = question.material
        entry = journal(stretch, self._lexicon())
        if self._rng.random() > WONDERS:
            return entry
        return {**entry, "self_questions": [{"text": self._rng.choice(self._lines.wonders), "messages": []}]}

    def _wandering(self, question: Question) -> Mapping[str, Any]:
        """Return no thought a third of the time, else one about an earlier message."""
        lines = list(SAID.finditer(question.messages[-1].text))
        if not lines or self._rng.random() < 1 / 3:
            return {"thought": None}
        line = self._rng.choice(lines)
        kind = self._rng.choice(("reflection", "question", "hypothesis"))
        text = f"I come back to this: {line['words'][:300]}"
        return {"thought": {"kind": kind, "text": text, "messages": [int(line["id"])], "for_them": kind == "question"}}

    def _second_thought(self, question: Question) -> Mapping[str, Any]:
        """Reject a third of the drafts; the replacement is about the question."""
        if self._rng.random() > 1 / 3:
            return {"holds": True, "answer": "", "explanation": "", "correction": ""}
        said = question.messages[-1].text.partition("<message>")[2].partition("</message>")[0].strip()
        better = f"{_clause(said)}? Ask somebody who knows it well before you decide, and sleep on it for a night."
        learned = "What much hangs on is not answered with a guess."
        return {"holds": False, "answer": better, "explanation": better, "correction": learned}

    def _draft(self, question: Question) -> str:
        text = self._drafted_text()
        self._latest[question.turn_key] = text
        return text

    def _drafted_text(self) -> str:
        bad, luck = self._lines.bad, self._rng.random()
        if luck < bad.fails:
            raise Failure("overloaded", "529: overloaded, on purpose")
        if luck < bad.fails + bad.empty:
            return ""
        if luck < bad.fails + bad.empty + bad.json:
            return json.dumps({"message": self._rng.choice(self._lines.goes_on), "kind": "follow_up"})
        if luck < bad.fails + bad.empty + bad.json + bad.repeats and self._drafted:
            return self._rng.choice(self._drafted[-20:])
        begins, goes_on = self._rng.choice(self._lines.begins), self._rng.choice(self._lines.goes_on)
        self._drafted.append(f"{begins}: {goes_on}")
        return self._drafted[-1]

    def _polish(self, question: Question) -> Mapping[str, Any]:
        """Return the draft unchanged: rules decide whether it may be sent."""
        return {"send": True, "text": self._latest.get(question.turn_key, ""), "search": None, "why": "it is fine"}

    def _as_drafted(self, question: Question) -> str:
        """Return the draft of an answer unchanged, in one line."""
        said = question.messages[-1].text.partition("<draft>")[2].partition("</draft>")[0]
        return " ".join(said.split()) or self._rng.choice(self._lines.turn)

    def _summary(self, question: Question) -> str:
        """Return the last words of the compacted part."""
        return " ".join(question.messages[-1].text.split()[-60:])


WONDERS = 0.2
"""How often a review of the day asks a question about its own conduct."""

FRANK = 0.3
"""The share of turns answered by the built-in mind, which quotes what it knows."""

_LONG_WORK = re.compile(r"(?:look into|collect) (.{3,60}?) over the next days", re.IGNORECASE)
"""Phrases that request long work."""

_STEPS = (
    {"text": "Search memory for everything that was said about it", "after": []},
    {"text": "Look through the open lists for what belongs to it", "after": []},
    {"text": "Put together what was found in a few plain lines", "after": [1, 2]},
)


def _memories(question: Question) -> list[tuple[int, str]]:
    """Return the memories in the material, by id."""
    return [(int(one["id"]), one["words"]) for one in MEMORY.finditer(question.messages[-1].text)]


def _clause(words: str) -> str:
    """Return the first few words of a sentence as a clause."""
    return " ".join(words.rstrip(".!?").split()[:CLAUSE_WORDS])


def _merged(question: Question) -> Mapping[str, Any]:
    """Merge into the longest memory."""
    held = _memories(question)
    return {"text": max((words for _, words in held), key=len, default=None), "memories": [one for one, _ in held]}


def _lines(question: Question) -> Mapping[str, Any]:
    """Return each memory's first words."""
    return {"lines": [{"memory": one, "line": _clause(words)} for one, words in _memories(question)]}


def _occasions(question: Question) -> Mapping[str, Any]:
    """Return the person's neighbouring words for each memory, if any."""
    found = []
    text = question.messages[-1].text
    starts = list(MEMORY.finditer(text))
    for one, after in zip(starts, [*(each.start() for each in starts[1:]), len(text)], strict=True):
        beside = [line["words"] for line in BEFORE.finditer(text, one.end(), after) if line["who"] != "Furo"]
        found.append({"memory": int(one["id"]), "occasion": f"after {_clause(beside[0])}" if beside else None})
    return {"occasions": found}


def _narrative(question: Question) -> Mapping[str, Any]:
    """Return a value from a word that two memories share."""
    held = [(one, words, content_of(words)) for one, words in _memories(question)]
    for (first, told, its), (second, also, theirs) in itertools.combinations(held, 2):
        if both := its & theirs - {"they"}:
            value = next(word for word in told.rstrip(".").split() if content_of(word) & both)
            because = [{"memory": one, "what": _clause(words)} for one, words in ((first, told), (second, also))]
            return {"value": value, "because": because}
    return {"value": None, "because": []}


def _told(question: Question) -> Mapping[str, Any]:
    """Return goals and reached goals; the rules read the rest after the conversation."""
    facts = []
    for one in NEW.finditer(question.messages[-1].text):
        for pattern, text, predicate, category in (
            (GOAL, "They want to {}.", "goal", "goal"),
            (REACHED, "They {}.", "reached", "other"),
        ):
            if found := pattern.search(one["words"]):
                about = {"subject": "user", "predicate": predicate, "object": found[1], "category": category}
                facts.append({"text": text.format(found[1]), **about, "messages": [int(one["id"])]})
    return {"facts": facts}


def _conduct(question: Question) -> Mapping[str, Any]:
    """Group questions about itself that share words."""
    before, _, fresh = question.messages[-1].text.rpartition("New questions:")
    earlier = [(int(one["id"]), content_of(one["words"])) for one in MEMORY.finditer(before)]
    placed = []
    for one in MEMORY.finditer(fresh):
        stems = content_of(one["words"])
        like = next((id_ for id_, other in earlier if stems & other), None)
        placed.append({"id": int(one["id"]), "conduct": " I " in f" {one['words']} ", "like": like})
        earlier.append((int(one["id"]), stems))
    return {"questions": placed}


def _all_supported(question: Question) -> list[Mapping[str, Any]]:
    """Return "supported" for every statement that the rules left open."""
    ids = re.findall(r"^\((\d+)\) ", question.messages[-1].text, re.MULTILINE)
    return [{"id": int(one), "answer": "supported"} for one in ids]


_TYPED: Mapping[str, Callable[[ScriptedModel, Question], Mapping[str, Any]]] = {
    "grounding": lambda _model, question: {"answers": _all_supported(question)},
    "danger": lambda _model, _question: {"danger": "none"},
    "told": lambda _model, question: _told(question),
    "post_conversation.refused": lambda _model, _question: {},
    "signals": lambda _model, _question: {"signals": []},
    "conduct": lambda _model, question: _conduct(question),
    "contradiction": lambda _model, _question: {"contradict": False},
    "commitment": lambda _model, _question: {
        "verdict": "commitment",
        "text": "Let an answer stand without a question",
        "sign": "Honoured when a message of mine ends without a question, broken when every one ends with one.",
    },
    "curiosity_triage": lambda model, _question: {"who": model._rng.choice(("self", "user", "user"))},
    "question_processing": lambda model, _question: {"verdict": model._rng.choice(("open", "user"))},
    "self_exploration": lambda model, _question: {"verdict": model._rng.choice(("open", "user"))},
    "inner_monologue.morning": ScriptedModel._musing,
    "inner_monologue.afternoon": ScriptedModel._musing,
    "inner_monologue.contemplation": ScriptedModel._wandering,
    "inner_monologue.wandering": ScriptedModel._wandering,
    POLISH: ScriptedModel._polish,
    "routing": lambda _model, _question: {"mode": "RESPOND"},
    "routing_reflection": lambda _model, _question: {"answers": []},
    "second_thoughts": ScriptedModel._second_thought,
    "persistent_task.plan": lambda model, _question: {
        "steps": _STEPS,
        "confidence": model._rng.choice((0.4, 0.7, 0.95)),
    },
    "continuity": lambda model, _question: {"line": model._rng.choice((None, None, *model._lines.goes_on))},
    "consolidation.occasions": lambda _model, question: _occasions(question),
    "consolidation.lines": lambda _model, question: _lines(question),
    "consolidation.merged": lambda _model, question: _merged(question),
    "consolidation.narrative": lambda _model, question: _narrative(question),
}
"""Answers of typed purposes; others are answered by the built-in mind's rules."""

_PROSE: Mapping[str, Callable[[ScriptedModel, Question], str]] = {
    "compaction": ScriptedModel._summary,
    "act_answer": lambda _model, _question: "I did not come to an end of it; what was found is put down.",
    "second_thoughts.again": ScriptedModel._as_drafted,
    DRAFT: ScriptedModel._draft,
}
"""Answers of purposes that need prose."""


def _acting(question: Question, hearing: Hearing) -> str:
    """Recall once for long work, and report it."""
    goal, _, done = question.messages[-1].text.removeprefix("The goal: ").partition("\n")
    if "Nothing has been done yet" in done:
        hearing.add_call(0, call_id="1", name="recall", args=json.dumps({"query": goal[:200]}))
        hearing.finish = "tools"
        return ""
    return "I looked up what is remembered of it, and put it down."


def _usage(question: Question, said: str) -> Usage:
    stable = sum(len(block.text) for block in question.system) // CHARACTERS_A_TOKEN
    fresh = sum(len(one.text) for one in question.messages) // CHARACTERS_A_TOKEN
    return Usage(input=stable + fresh, cached=stable, output=max(1, len(said) // CHARACTERS_A_TOKEN))
