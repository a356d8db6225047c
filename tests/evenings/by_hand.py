"""The mind of an evening: what was answered by hand to every prompt of the program, as a provider behind the gateway.

An answer is found by what is asked and by the message it is asked about, never by the words of the prompt: prompts
change, and the evenings outlive them. Five kinds are put together from smaller things that were written by hand:

* what was told (after a message) and the facts of a whole conversation, from the evening's `facts`: each with the
  messages it rests on, left out where it is already known. `later` is how the reading of the whole puts it;
* what is compacted, from the `gist` of each message that falls out, beside its answer;
* how it describes itself, from what stands there and what it has `learned`;
* what a reader says of statements: supported, unless the evening says of one that it is not;
* anything about which nothing comes to mind, from quiet.toml.

In an answer "@3" stands for the turn of the person's third message, "@3>" for the answer to it, and "?words" for the id
in brackets at the beginning of the line of the prompt that holds these words: ids may change with the program.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from bench.simulator.clock import VirtualClock
from bench.simulator.story import Story
from furoshiki.models.llm.failures import Failure
from furoshiki.models.llm.partial_answer import Hearing
from furoshiki.models.llm.plans import ModelRef
from furoshiki.models.llm.provider import Form, ModelOptions
from furoshiki.models.llm.values import Question, Usage
from furoshiki.world import World
from tests.evenings.evening import QUIET, Evening

MIND = ModelRef("by-hand", "capable")

ABOUT_A_MESSAGE = frozenset({"signals", "danger"})
"""Small questions about one message: whether and how often they are asked is for the program to say."""

CONVERSATION = "post_conversation"

_LINE = re.compile(r"^\[(?P<id>\d+)\b[^\]\n]*\](?P<new> NEW)?", re.M)
_STATEMENT = re.compile(r"^\((?P<id>\d+)\) (?P<text>.+)$", re.M)
_FALLING = re.compile(r"^\[[^\]\n]+\] [^:\n]+: (?P<text>.+)$", re.M)
_NAME = re.compile(r"\[(?P<name>(?:[a-z_]+:)?(?P<id>\d+))")


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
        """All that was shown, whatever was said before the last message left out."""
        return "\n\n".join([*(block.text for block in self.question.system), self.question.messages[-1].text])


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
        self._latest: dict[tuple[str, int], Mapping[str, Any]] = {}
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
        shown = sum(len(block.text) for block in question.system) + len(_shown(question))
        hearing.usage = Usage(input=shown // 4, output=len(text) // 4 + 1)
        hearing.finish = "tools" if "calls" in found else "stop"

    def unsaid(self) -> Sequence[int]:
        """The messages whose answer was written by hand and never asked for."""
        return [line["to"] for line in self._left["turn"]]

    def _answer(self, question: Question, after: int) -> Mapping[str, Any] | None:
        match question.purpose:
            case "told":
                return {"json": {"facts": self._told(question), "answered": self._answered(question)}}
            case "grounding":
                return {"json": {"answers": list(self._judged(question))}}
            case "compaction":
                return self._compacted(question)
            case "deep_reflection":
                return self._reflected(question)
        found = self._found(question, after)
        if question.purpose == CONVERSATION and found is not None:
            ids = {int(line["id"]) for line in _LINE.finditer(_shown(question))}
            return {"json": {"facts": self._facts(question, ids), **found["json"]}}
        if question.purpose == "profile" and found is not None:
            return {"json": {"reference": list(self._listed()), **found["json"]}}
        return found

    def _found(self, question: Question, after: int) -> Mapping[str, Any] | None:
        """The first that is left for this purpose and fits: said `to` this very message, asked `after` this one or a
        later one, `from` a moment on, `about` words that stand in what was asked. What is said `again` stays."""
        shown = _shown(question)
        for line in self._left.get(question.purpose, []):
            begun = "from" not in line or self.clock.now() >= line["from"].replace(tzinfo=self.evening.zone)
            at_its_place = begun and line.get("to", after) == after and line.get("after", 0) <= after
            if at_its_place and line.get("about", "") in shown:
                kept = question.purpose in ABOUT_A_MESSAGE or question.purpose == CONVERSATION
                if not kept and not line.get("again"):
                    self._left[question.purpose].remove(line)
                self._latest[question.purpose, after] = line
                return line
        if question.purpose == "turn" and ("turn", after) in self._latest:
            return self._latest["turn", after]  # asked once more about the same message: it stays with what it said
        quiet: Mapping[str, Any] | None = self._quiet.get(question.purpose)
        return quiet

    def _told(self, question: Question) -> list[Mapping[str, Any]]:
        """What the new lines say: each fact with the last of the messages it rests on."""
        new = {int(line["id"]) for line in _LINE.finditer(_shown(question)) if line["new"]}
        known = _known(question)
        told = [one for one in self.evening.facts if self._turns(one)[-1] in new and one["text"] not in known]
        return [{key: value for key, value in one.items() if key != "later"} for one in told]

    def _answered(self, question: Question) -> list[str]:
        """The waiting questions that need not be asked any more."""
        lines = [line["about"] for line in self.evening.answers.get("answered", ()) if self._turn_is_over(line["to"])]
        return [f"?{words}" for words in lines if words in _shown(question)]

    def _facts(self, question: Question, ids: Collection[int]) -> list[Mapping[str, Any]]:
        """What a whole conversation tells that is not yet known."""
        known = _known(question)
        found = [one for one in self.evening.facts if ids & set(self._turns(one)) and one["text"] not in known]
        return [{**one, "text": one.get("later", one["text"])} for one in found]

    def _listed(self) -> Iterator[Mapping[str, Any]]:
        """The facts one by one as lines of a profile; those that are not shown fall away."""
        for one in self.evening.facts:
            for text in dict.fromkeys((one["text"], one.get("later", one["text"]))):
                yield {"section": one["category"], "text": text, "facts": [f"?{text}"]}

    def _judged(self, question: Question) -> Iterator[Mapping[str, Any]]:
        """Whether each statement follows from its lines: what this mind wrote is so, but for what is said otherwise."""
        otherwise = self.evening.answers.get("grounding", ())
        for one in _STATEMENT.finditer(question.messages[-1].text):
            found = [line["answer"] for line in otherwise if line["about"] in one["text"]]
            yield {"id": int(one["id"]), "answer": found[0] if found else "supported"}

    def _compacted(self, question: Question) -> Mapping[str, Any]:
        """What was written before, and the gist of every message that falls out now."""
        before, _, leaving = _shown(question).rpartition("The messages that leave now:")
        before = before.partition("What was written before:")[2].strip()
        said = {" ".join(text.split()): number for number, (_, text) in enumerate(self.evening.says, 1)}
        leaves = [" ".join(one["text"].rstrip("…").split()) for one in _FALLING.finditer(leaving)]
        numbers = {number for text, number in said.items() if any(text.startswith(one) for one in leaves)}
        gists = [line["gist"] for line in self.evening.answers["turn"] if line["to"] in numbers and "gist" in line]
        return {"text": " ".join([*([before] if before else []), *gists]) or "A greeting."}

    def _reflected(self, question: Question) -> Mapping[str, Any]:
        """The description as it stands, without what is `forgets`, and what is `learned` where its ground is shown."""
        line = self.evening.answers["deep_reflection"][0]
        stands = _shown(question).partition("<description>")[2].partition("</description>")[0].split()
        kept = [one for one in re.split(r"(?<=[.!?])\s", " ".join(stands)) if one not in line["forgets"]]
        learned = [one for one in line["learned"] if one["text"] not in kept and not self._unseen(one, question)]
        sentences = [*({"text": one, "rests_on": []} for one in kept), *learned]
        return {"json": {**line["json"], "description": [{"sentences": sentences}]}}

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

    def _turns(self, fact: Mapping[str, Any]) -> list[int]:
        """The turns a fact rests on, as far as they have been said; the last is -1 where it has not."""
        turns = [self._turn(int(one[1:])) for one in fact["messages"] if self._turn_is_over(int(one[1:]))]
        whole = len(turns) == len(fact["messages"])
        return [one for one in turns if one is not None] if whole else [-1]

    def _turn_is_over(self, number: int) -> bool:
        assert self.heard is not None
        return number <= len(self.heard.heard)

    def _turn(self, number: int, speaker: str = "user") -> int | None:
        assert self.world is not None and self.heard is not None
        key = f"inbox:{self.heard.heard[number - 1].row}"
        with self.world.database.read() as db:
            row = db.execute(
                "SELECT id FROM turns WHERE turn_key=? AND (speaker='companion')=? ORDER BY id LIMIT 1",
                (key, speaker == "companion"),
            ).fetchone()
        return None if row is None else int(row[0])


def _shown(question: Question) -> str:
    """All messages of a question."""
    return "\n".join(one.text for one in question.messages)


def _known(question: Question) -> set[str]:
    """The lines under "Already known", if there are any."""
    block = _shown(question).partition("Already known:\n")[2].partition("\n\n")[0]
    return {re.sub(r"^- (?:\[memory:\d+\] )?", "", line) for line in block.splitlines()}
