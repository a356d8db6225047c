"""What the rounds of skills in one turn have come to so far, and the draft that follows from it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from furoshiki.conversation.skills import registry
from furoshiki.conversation.skills.skill import Result
from furoshiki.conversation.values import NOBODY, REFLEX, Context, Draft
from furoshiki.core.framing import frame
from furoshiki.language.reflex.values import ToolResult
from furoshiki.memory.store.retrievals import Retrieval
from furoshiki.models.llm.values import Answer, Message, ToolCall


@dataclass(frozen=True)
class Transcript:
    """A turn's context, what has been said in it to the mind and by it, and every skill that was run, in order.

    `given_up` names the models that failed before the built-in mind took over: it goes on.
    """

    context: Context
    messages: tuple[Message, ...]
    runs: tuple[tuple[ToolCall, Result], ...] = ()
    given_up: tuple[str, ...] = ()

    def after(self, answer: Answer, results: Sequence[Result], note: str = "") -> Transcript:
        """The transcript with one more round: an answer that asked for skills, and what came of each; behind the last
        stands a `note` of the companion's own, if there is one."""
        runs = tuple(zip(answer.calls, results, strict=True))
        asked = Message("assistant", answer.text, calls=answer.calls, native=answer.native)
        last = len(runs) - 1
        told = (
            Message("tool", _render_result(result, note if place == last else ""), call_id=call.id)
            for place, (call, result) in enumerate(runs)
        )
        return replace(
            self,
            messages=(*self.messages, asked, *told),
            runs=(*self.runs, *runs),
            given_up=answer.fallbacks if answer.model == REFLEX else self.given_up,
        )

    def reminded(self, answer: Answer, note: str) -> Transcript:
        """The transcript with an answer that is not given, and a note about it."""
        return replace(self, messages=(*self.messages, Message("assistant", answer.text), Message("user", note)))

    def done(self, calls: Sequence[ToolCall], results: Sequence[Result]) -> Transcript:
        """The transcript with what the program did itself."""
        return replace(self, runs=(*self.runs, *zip(calls, results, strict=False)))

    @property
    def raw(self) -> bool:
        """Whether a tool of somebody else's has answered, in a form that nobody is to see."""
        return any(result.raw for _, result in self.runs)

    @property
    def tool_results(self) -> tuple[ToolResult, ...]:
        """What came of the skills, as the built-in mind reads it."""
        return tuple(registry.as_result(call, result) for call, result in self.runs)

    def answered(self, answer: Answer, text: str, rests_on: Sequence[str]) -> Draft:
        """The draft of a mind that came to an end with its answer, whose words rest on `rests_on` besides."""
        draft = self._draft(
            Draft(text, answer.provider, answer.model, answer.tier, answer.fallbacks, standing=answer.standing)
        )
        pages = (str(part["name"]) for _, result in self.runs for part in result.data.get("parts", ()))
        return replace(draft, evidence=_once([*draft.evidence, *pages, *rests_on]))

    def unanswered(self, text: str) -> Draft:
        """What is said when no mind came to an end with its answer."""
        return self._draft(Draft(text, NOBODY, NOBODY, NOBODY))

    def _draft(self, draft: Draft) -> Draft:
        found = list(self._list_found())
        return replace(
            draft,
            notes=tuple(note for _, result in self.runs for note in result.notes),
            skills=tuple(call.name for call, _ in self.runs),
            evidence=_evidence(self.context, found),
            shortened=_list_shortened(self.context, found),
            woken=_woken(self.context, found),
            asks=_once([result.asked for _, result in self.runs if result.asked]),
        )

    def _list_found(self) -> Iterator[str]:
        """What skills brought up, by the names under which an answer says what it rests on."""
        for _, result in self.runs:
            yield from (str(row["id"]) for row in result.data.get("results", ()) if "id" in row)


def _evidence(context: Context, found: Sequence[str]) -> tuple[str, ...]:
    """What the answer may rest on, as it came to mind: in view already, shown for this message, or found."""
    in_view = (one.item for one in context.woken.retrieved if one.injected)
    return _once([*in_view, *(one.id for one in context.woken.shown), *found])


def _list_shortened(context: Context, found: Sequence[str]) -> tuple[str, ...]:
    """What was seen in one line only: a skill that finds it later shows the whole."""
    return tuple(one.id for one in context.woken.shown if one.line is not None and one.id not in found)


def _woken(context: Context, found: Sequence[str]) -> tuple[Retrieval, ...]:
    """Everything that came to mind: what a skill brought up was put before the mind as well."""
    shown = {*(one.id for one in context.woken.shown), *found}
    woken = {one.item: replace(one, injected=one.injected or one.item in shown) for one in context.woken.retrieved}
    for place, name in enumerate(found, 1):
        woken.setdefault(name, Retrieval(name, place, True))
    return tuple(woken.values())


def _once(names: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))


def _render_result(result: Result, note: str) -> str:
    told = {"ok": result.ok, "result": "\n".join(map(frame, result.rows or (result.text,)))}
    return json.dumps({**told, "note": note} if note else told, ensure_ascii=False)
