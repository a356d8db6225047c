"""Carry out explicit orders and verify an answer's claims of actions, with any model.

The message is searched for orders (`furoshiki.conversation.promises.rules.orders`), the answer for
claims (`furoshiki.conversation.promises.rules.claims`). If no skill did the work, the model is
asked once more with the facts; then the program carries out the order, says so, and removes false
claims. A model that asks back or declines is left alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from furoshiki.conversation.promises import own_promises
from furoshiki.conversation.promises.rules import claims, fulfilled
from furoshiki.conversation.promises.rules.claims import Claim, render_correction
from furoshiki.conversation.promises.rules.fulfilled import Done
from furoshiki.conversation.skills import registry
from furoshiki.conversation.skills.registry import as_result
from furoshiki.conversation.skills.skill import Result
from furoshiki.language.grounding.words import content_of, stems_of
from furoshiki.language.reflex.hearing import Heard
from furoshiki.language.reflex.situation import Situation
from furoshiki.language.reflex.values import SkillCall
from furoshiki.language.reflex.wording import Wording
from furoshiki.language.requests.forget_asked import request_in
from furoshiki.memory.perception.values import Percept
from furoshiki.messages.store import skill_runs
from furoshiki.messages.values import COMPANION
from furoshiki.messages.values import Turn as Said
from furoshiki.models.llm.values import Answer, ToolCall
from furoshiki.owner.agenda.store import quiet, tasks
from furoshiki.owner.user_model import user
from furoshiki.world import World

if TYPE_CHECKING:
    from furoshiki.conversation.promises.rules.orders import Order, Ordered

ASKED_AGAIN = "acting/not_done"
OWN = "own-"  # the id prefix of the program's own calls


Runs = Sequence[tuple[ToolCall, Result]]  # the calls of this turn with their results


@dataclass(frozen=True)
class Turn:
    """A message being answered: the percept, the history, and the built-in mind's reading. `voice`:
    the answer may be fiction or a letter, which claims nothing."""

    percept: Percept
    history: Sequence[Said]
    gathered: Callable[[], Situation]
    voice: bool


class Promised:
    """The orders of a message, and their progress."""

    def __init__(self, world: World, turn: Turn) -> None:
        self._world, self._turn = world, turn
        self._asked_again = False

    def waits(self, runs: Runs) -> bool:
        """Return whether an order is open; until then the answer is not shown."""
        return bool(self._open(runs))

    def note(self, runs: Runs, answer: Answer, tools: Sequence[str]) -> str | None:
        """Return what to tell the model before asking it once more: which claims or orders are not
        done; None when it is not asked. At most once in a turn."""
        orders, text = self._open(runs), answer.text
        untrue = [claim for claim in self._find_claims(text) if not self._stands(claim, runs, text)]
        worth = bool(untrue) or any(one.again for one in orders)
        able = "schedule" in tools or "list" in tools
        if self._asked_again or not worth or not able or not text.strip() or answer.standing != "free":
            return None
        if not untrue and claims.asks_back(text):
            return None
        from furoshiki.conversation.promises.rules.orders import in_words

        self._asked_again = True
        claimed = " ".join(text[claim.start : claim.end].strip() for claim in untrue)
        return self._world.prompts.render(ASKED_AGAIN, orders="; ".join(map(in_words, orders)), claimed=claimed)

    def own_calls(self, runs: Runs, answer: Answer) -> tuple[ToolCall, ...]:
        """Return the calls that the program makes for orders no model has carried out."""
        if self._declines(answer.text):
            return ()
        calls = [call for one in self._open(runs) for call in one.calls]
        return tuple(ToolCall(f"{OWN}{number}", call.name, dict(call.args)) for number, call in enumerate(calls))

    def _declines(self, text: str) -> bool:
        """Return whether a model asked back or declined; a claim of inability does not count."""
        return not self._find_claims(text) and (claims.asks_back(text) or claims.is_unwilling(text))

    def settled(self, runs: Runs, own: Runs, text: str) -> str:
        """Return a corrected answer: own actions or questions added, false claims removed."""
        untrue = [one for one in self._find_claims(text) if own or not self._stands(one, runs, text)]
        asked = [] if self._declines(text) else [one.question for one in self._open(runs) if one.question]
        said = [*self._describe_runs(own), *asked]
        if not said and not untrue:
            return text
        wrong = [(one.start, one.end) for one in untrue]
        if said:
            wrong += claims.unable(text)
        kinds = {one.kind: one.tongue for one in untrue}
        if said:
            kinds.pop("reminder", None)
            kinds.pop("list", None)
        kept = "" if text.lstrip().startswith(SILENCE) else claims.without(text, wrong)
        if not kept and not own:  # the sentence that was not so may have told of what was done, too
            said += self._describe_runs(runs)
        if kept and request_in(self._turn.percept.own_text) is not None:
            kinds.pop("forget", None)  # below it they are asked whether to see what would go
        said += [render_correction(kind, tongue) for kind, tongue in kinds.items()]
        return "\n\n".join(part for part in (kept, *said) if part)

    def _describe_runs(self, own: Runs) -> list[str]:
        """Describe the results of the program's own calls; notes are not mentioned."""
        if not own:
            return []
        from furoshiki.language.reflex.reminders import answers

        situation = self._turn.gathered()
        heard, wording = Heard(situation), Wording(situation, self._world.rng)
        told = ("schedule", "list")
        results = (as_result(call, one) for call, one in own if call.name in told and one.ok)
        return [answers.describe_result(one, heard, wording) for one in results]

    @cached_property
    def _orders(self) -> tuple[tuple[Order, Ordered], ...]:
        from furoshiki.conversation.promises.rules import (
            orders,  # loading takes 0.1 s and most messages do not need it
        )

        own = self._turn.percept.own_text
        last = next((one.text for one in reversed(self._turn.history) if one.speaker == COMPANION), "")
        if not own or not orders.likely(own, last):
            return ()
        situation = self._turn.gathered()
        found = orders.orders(Heard(situation), Wording(situation, self._world.rng))
        return tuple((kind, one) for kind, one in found if self._may(one.calls))

    def _may(self, calls: Sequence[SkillCall]) -> bool:
        return all(registry.may_call(self._world, call.name) for call in calls)

    def _open(self, runs: Runs) -> tuple[Ordered, ...]:
        """Return the orders that no action of this turn fulfils."""
        if not self._orders:
            return ()
        from furoshiki.conversation.promises.rules.orders import Ordered

        done = self._list_done(runs)
        found = []
        for kind, one in self._orders:
            if one.question and not any(made.outside or made.name in ("schedule", "list") for made in done):
                found.append(one)
            elif one.calls and (calls := fulfilled.find_missing(one.calls, kind.also, done)):
                found.append(Ordered(calls, again=one.again))
        return tuple(found)

    def _list_done(self, runs: Runs) -> list[Done]:
        """Return the actions of this turn, including those before a crash."""
        with self._world.database.read() as db:
            before = skill_runs.read_done(db, self._turn.percept.key)
        waiting = [(registry.ALIASES.get(call.name, call.name), call.args) for call, result in runs if result.asked]
        return [Done(name, args, name not in registry.SKILLS) for name, args in (*before, *waiting)]

    def _keeps(self, sentence: str) -> bool:
        """Return whether a sentence is a promise that will be stored."""
        with self._world.database.read() as db:
            return bool(own_promises.read(self._world, db, sentence))

    def _find_claims(self, text: str) -> tuple[Claim, ...]:
        return () if self._turn.voice else claims.claims(text, self._turn.percept.own_text)

    def _stands(self, claim: Claim, runs: Runs, text: str) -> bool:
        """Return whether a claim is true: by a call of this turn or an existing item."""
        done, tidied = set[str](), False
        for one in self._list_done(runs):
            if (action := one.args.get("action")) not in fulfilled.LOOKS:
                done.add(one.name)
                tidied |= one.name in _TIDIED and action not in _MADE
        if claim.kind == "forget":
            return tidied  # no words are erased here, but reminders and items on lists are
        if claim.kind == "quiet" and self._keeps(text[claim.start : claim.end]):
            return True
        if done & _SKILLS[claim.kind] or any(name not in registry.SKILLS for name in done):
            return True
        with self._world.database.read() as db:
            if claim.kind == "quiet":
                return quiet.until(db, self._world.now) is not None or quiet.is_daily(db)
            zone = user.zone(self._world, db)
            held = tasks.list_every_open(db, MOST_HELD)
        said = stems_of(f"{text}\n{self._turn.percept.own_text}")
        reminders = [one for one in held if (one.list_id == tasks.REMINDERS) == (claim.kind == "reminder")]
        return any(
            content_of(one.title) & said or (one.due_at is not None and f"{one.due_at.astimezone(zone):%H:%M}" in text)
            for one in reminders
        )


SILENCE = "NO_REPLY"
MOST_HELD = 200

_TIDIED = frozenset({"schedule", "list"})
_MADE = frozenset({"create", "add"})

_SKILLS = {
    "reminder": frozenset({"schedule", "persistent_task"}),
    "list": frozenset({"list"}),
    "quiet": frozenset({"quiet"}),
}
