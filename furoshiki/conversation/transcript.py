"""The state of a turn's skill rounds, and the draft built from it."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace

from furoshiki.conversation.rules import speech
from furoshiki.conversation.skills import registry
from furoshiki.conversation.skills.skill import Result
from furoshiki.conversation.values import NOBODY, REFLEX, Context, Draft
from furoshiki.core.framing import frame
from furoshiki.language.reflex.values import ToolResult
from furoshiki.memory.store.retrievals import Retrieval
from furoshiki.models.llm.values import Answer, Message, ToolCall

NOTE = "note"
"""The key of what the program tells the model beside a result."""


@dataclass(frozen=True)
class Transcript:
    """A turn's context, its messages to and from the model, and all skill runs in order.

    `given_up` names the models that failed before the built-in mind took over; `said` is what a
    model said beside calls that only act. Words beside a look-up announce it.
    """

    context: Context
    messages: tuple[Message, ...]
    runs: tuple[tuple[ToolCall, Result], ...] = ()
    given_up: tuple[str, ...] = ()
    said: str = ""

    def after(self, answer: Answer, results: Sequence[Result], note: str = "") -> "Transcript":
        """Add a round: an answer with calls and results; a `note` follows the last one."""
        runs = tuple(zip(answer.calls, results, strict=True))
        asked = Message("assistant", answer.text, calls=answer.calls, native=answer.native)
        last = len(runs) - 1
        told = (
            Message("tool", _render_result(result, note if place == last else ""), call_id=call.id)
            for place, (call, result) in enumerate(runs)
        )
        acted = bool(runs) and all(_only_acts(call, result) for call, result in runs)
        return replace(
            self,
            messages=(*self.messages, asked, *told),
            runs=(*self.runs, *runs),
            given_up=answer.fallbacks if answer.model == REFLEX else self.given_up,
            said=speech.join_said(self.said, answer.text) if acted else self.said,
        )

    @property
    def may_ask_again(self) -> bool:
        """Return whether a model that said nothing after its calls has not been asked again yet."""
        last = self.messages[-1]
        return last.role == "tool" and NOTE not in json.loads(last.text)

    def asked_again(self, note: str) -> "Transcript":
        """Add a note to the last result."""
        last = self.messages[-1]
        told = json.dumps({**json.loads(last.text), NOTE: note}, ensure_ascii=False)
        return replace(self, messages=(*self.messages[:-1], replace(last, text=told)))

    def reminded(self, answer: Answer, note: str) -> "Transcript":
        """Add an answer that is not sent, and a note about it; another whole answer follows."""
        told = (Message("assistant", answer.text), Message("user", note))
        return replace(self, messages=(*self.messages, *told), said="")

    def done(self, calls: Sequence[ToolCall], results: Sequence[Result]) -> "Transcript":
        """Add the program's own actions."""
        return replace(self, runs=(*self.runs, *zip(calls, results, strict=False)))

    @property
    def raw(self) -> bool:
        """Return whether a tool's raw output, not for display, is included."""
        return any(result.raw for _, result in self.runs)

    @property
    def tool_results(self) -> tuple[ToolResult, ...]:
        """Return the skill results for the built-in mind."""
        return tuple(registry.as_result(call, result) for call, result in self.runs)

    def answered(self, answer: Answer, text: str, rests_on: Sequence[str]) -> Draft:
        """Return the draft of a finished answer, which also rests on `rests_on`."""
        draft = self._draft(
            Draft(text, answer.provider, answer.model, answer.tier, answer.fallbacks, standing=answer.standing)
        )
        pages = (str(part["name"]) for _, result in self.runs for part in result.data.get("parts", ()))
        return replace(draft, evidence=_once([*draft.evidence, *pages, *rests_on]))

    def unanswered(self, text: str) -> Draft:
        """Return the draft when no model finished."""
        return self._draft(Draft(text, NOBODY, NOBODY, NOBODY))

    def _draft(self, draft: Draft) -> Draft:
        woken, results = self.context.woken, [result for _, result in self.runs]
        rows = [row for result in results for row in result.data.get("results", ())]
        found = [str(row["id"]) for row in rows if "id" in row]
        in_view = [one.item for one in woken.retrieved if one.injected]
        return replace(
            draft,
            notes=tuple(note for result in results for note in result.notes),
            skills=tuple(call.name for call, _ in self.runs),
            evidence=_once([*in_view, *(one.id for one in woken.shown), *found]),
            # unless a skill showed them in full
            shortened=tuple(one.id for one in woken.shown if one.line is not None and one.id not in found),
            woken=_woken(self.context, found),
            asks=_once([result.asked for result in results if result.asked]),
        )


def _woken(context: Context, found: Sequence[str]) -> tuple[Retrieval, ...]:
    """Return all retrieved items; those found by skills count as shown."""
    shown = {*(one.id for one in context.woken.shown), *found}
    woken = {one.item: replace(one, injected=one.injected or one.item in shown) for one in context.woken.retrieved}
    for place, name in enumerate(found, 1):
        woken.setdefault(name, Retrieval(name, place, True))
    return tuple(woken.values())


def _only_acts(call: ToolCall, result: Result) -> bool:
    """Return whether a call succeeded and told the model nothing it might still speak of."""
    acts = registry.ALIASES.get(call.name, call.name) in ACTING and call.args.get("action") not in LOOKING
    return acts and result.ok and result.asked is None


ACTING = frozenset({"memorize", "list", "schedule", "quiet"})
LOOKING = frozenset({"list", "lists", "view", "history"})
"""Skills that act, and those of their actions that only look."""


def _once(names: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))


def _render_result(result: Result, note: str) -> str:
    told = {"ok": result.ok, "result": "\n".join(map(frame, result.rows or (result.text,)))}
    return json.dumps({**told, NOTE: note} if note else told, ensure_ascii=False)
