"""Somebody to talk to the built-in mind in tests: the turn around it, with memory, reminders and lists kept in hand.

It does what the turn and its skills do, on plain values: facts that were memorized are known in the next message, what
was said can be recalled by its words.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from furoshiki.conversation.rules.reciting import is_mood_question, strip_recitals
from furoshiki.language import nlp, signals
from furoshiki.language.facts import conflicts, names
from furoshiki.language.grounding.words import collect_words, mostly_said
from furoshiki.language.reflex.hearing import content
from furoshiki.language.reflex.respond import respond
from furoshiki.language.reflex.situation import Situation
from furoshiki.language.reflex.values import KnownFact, OpenItem, Reflex, SkillCall, ToolResult, Why
from furoshiki.language.testimony import Utterance
from furoshiki.mind.inner_life.rules import documents
from tests.support.laws import BERLIN, care_words, english, help_in, languages

ITS_PAGE = """
### What am I, and am I a person?

I am Furoshiki, a program, and no person.

### What can I do?

I remember what you tell me. I set reminders (“remind me tomorrow at 9 to call Anika”) and keep lists. Try me.
"""
"""Of the page that is written from the settings, as much as is asked for here."""

MORNING = datetime(2026, 3, 3, 9, 30, tzinfo=BERLIN)
ROUNDS = 5


@dataclass
class Talk:
    """A conversation, and everything the companion keeps of it."""

    now: datetime = MORNING
    seed: int = 7
    why: Why = "no-model"
    name: str | None = None
    mood: str = "curious"
    facts: list[KnownFact] = field(default_factory=list)
    over: tuple[KnownFact, ...] = ()
    said: list[Utterance] = field(default_factory=list)
    lists: dict[str, list[str]] = field(default_factory=dict)
    reminders: list[dict[str, Any]] = field(default_factory=list)
    calls: list[SkillCall] = field(default_factory=list)
    last_seen: datetime | None = None
    country: str | None = "DE"

    def __post_init__(self) -> None:
        self.rng = random.Random(self.seed)

    def say(self, text: str, *attachments: str, **meant: float) -> str:
        """The companion's reply, which reads no dial out unless it is asked to; a minute passes.

        `meant` are the probabilities of what the message means, as the encoder would tell them.
        """
        self._take_name(text)
        situation = replace(self._situation(text, attachments), meant=meant)
        for _ in range(ROUNDS):
            reflex = respond(situation, self.rng)
            if not reflex.calls:
                break
            results = tuple(self._run(call, text) for call in reflex.calls)
            situation = replace(situation, tool_results=(*situation.tool_results, *results))
        assert reflex.text, f"nothing was said to {text!r}"
        assert is_mood_question(text) or strip_recitals(reflex.text) == reflex.text
        self.said += [
            Utterance("user", text, self.now, len(self.said) + 1),
            _reply(reflex, self.now, len(self.said) + 2),
        ]
        self.last_seen = self.now
        self.now += timedelta(minutes=1)
        return reflex.text

    def later(self, **span: float) -> None:
        """Time passes."""
        self.now = (self.now.astimezone(UTC) + timedelta(**span)).astimezone(self.now.tzinfo)

    def knows(self, subject: str, predicate: str) -> list[str]:
        return [fact.object for fact in self.facts if (fact.subject, fact.predicate) == (subject, predicate)]

    def _take_name(self, text: str) -> None:
        before = self.said[-1].text if self.said else ""
        given = names.find_name(text, names.asks_name(before))
        if given is not None:
            self.name = given.name
            self.facts = [fact for fact in self.facts if fact.predicate != "name"]
            self._know("user", "name", given.name, f"The user's name is {given.name}", text)

    def _situation(self, text: str, attachments: tuple[str, ...]) -> Situation:
        recent = self.said[-12:]
        wanted = content(text)
        recalled = [said for said in self.said if wanted & content(said.text)]
        return Situation(
            text=text,
            now=self.now,
            user_name=self.name,
            mood=self.mood,
            felt=signals.read(text, english()).strengths,
            nlp=nlp.read(text, english()),
            facts=tuple(self.facts),
            over=self.over,
            recalled=tuple(recalled[-6:]),
            recent=tuple(said for said in recent),
            last_seen=self.last_seen,
            why=self.why,
            attachments=attachments,
            language=languages().of(text),
            reminders=tuple(self._waiting()),
            listed=tuple(OpenItem(0, name, item) for name, rows in self.lists.items() for item in rows),
            care=care_words(),
            help=help_in(self.country),
        )

    def _waiting(self) -> list[OpenItem]:
        rows = sorted(self.reminders, key=lambda row: datetime.fromisoformat(row["at"]))
        due = [datetime.fromisoformat(row["at"]) for row in rows]
        return [
            OpenItem(row["id"], "user_reminders", row["title"], at, row["recurrence"], self.now)
            for row, at in zip(rows, due, strict=True)
        ]

    def _run(self, call: SkillCall, text: str) -> ToolResult:
        self.calls.append(call)
        return {
            "memorize": self._memorize,
            "schedule": self._schedule,
            "list": self._list,
            "recall": self._recall,
            "introspect": self._introspect,
        }[call.name](call, text)

    def _introspect(self, call: SkillCall, _text: str) -> ToolResult:
        told = [one.text for one in documents.chunks(ITS_PAGE) if one.heading == call.args.get("question")]
        return ToolResult(call.name, call.args, True, {"plain": "\n".join(told)}, "Mood: curious.")

    def _memorize(self, call: SkillCall, text: str) -> ToolResult:
        args = call.args
        said = args["object"] in conflicts.DEATH or mostly_said(args["object"], collect_words([text]))
        if said:
            self._know(args["subject"], args["predicate"], args["object"], args["text"], text)
        return ToolResult("memorize", args, said, {}, "" if said else "that was never said")

    def _know(self, subject: str, predicate: str, object_: str, text: str, said: str) -> None:
        self.facts = [
            fact
            for fact in self.facts
            if (fact.subject, fact.predicate) != (subject, predicate)
            or not conflicts.ends(predicate, fact.object, object_)
        ]
        self.facts.append(KnownFact(len(self.facts) + 1, subject, predicate, object_, text, self.now, said))

    def _schedule(self, call: SkillCall, _text: str) -> ToolResult:
        args = call.args
        if args["action"] == "list":
            return ToolResult("schedule", args, True, {"reminders": list(self.reminders)})
        if args["action"] == "cancel":
            gone = [row for row in self.reminders if row["id"] in args["ids"]]
            self.reminders = [row for row in self.reminders if row not in gone]
            return ToolResult("schedule", args, True, {"cancelled": gone})
        made = {
            "id": len(self.reminders) + 1,
            "title": args["what"],
            "at": args["when"],
            "recurrence": args.get("recurrence"),
        }
        self.reminders.append(made)
        return ToolResult("schedule", args, True, {"reminder": made})

    def _list(self, call: SkillCall, _text: str) -> ToolResult:
        args = call.args
        if args["action"] == "lists":
            return ToolResult("list", args, True, {"lists": {name: len(rows) for name, rows in self.lists.items()}})
        rows = self.lists.setdefault(args["list"], [])
        wanted = list(args.get("items", ()))
        if args["action"] == "add":
            rows += [item for item in wanted if item not in rows]
            done = wanted
        else:
            done = [item for item in wanted if item in rows]
            for item in done:
                rows.remove(item)
        data = {
            "list": args["list"],
            "done": done,
            "missing": [item for item in wanted if item not in done],
            "items": [{"title": item, "state": "open"} for item in rows],
        }
        return ToolResult("list", args, args["action"] == "view" or bool(done), data)

    def _recall(self, call: SkillCall, _text: str) -> ToolResult:
        wanted = content(call.args["query"])
        rows = [
            {"id": f"turn:{said.id}", "speaker": said.speaker, "text": said.text, "at": said.at.isoformat()}
            for said in self.said
            if wanted & content(said.text)
        ]
        return ToolResult("recall", call.args, True, {"results": rows})


def _reply(reflex: Reflex, at: datetime, id_: int) -> Utterance:
    return Utterance("companion", reflex.text, at, id_)
