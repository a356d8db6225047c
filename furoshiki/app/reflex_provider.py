"""The built-in mind as the last provider of every tier: free, and without prompts."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

from furoshiki.models.llm.values import Answer, Question, ToolCall

if TYPE_CHECKING:
    from furoshiki.language.lexicon import Lexicon
    from furoshiki.language.reflex.values import Why
    from furoshiki.language.tables.care_words import CareWords
    from furoshiki.language.testimony import Utterance

PROVIDER, MODEL = "local", "reflex"


class ReflexMind:
    """Answers turns, unprompted messages, and the structured purposes that have a rule; None for
    others, which need a model.

    `lexicon` returns the words for detecting feelings; without it sessions are read for facts only.
    `care` returns the words for distress.
    """

    def __init__(
        self,
        rng: random.Random,
        lexicon: Callable[[], Lexicon] | None = None,
        care: Callable[[], tuple[CareWords, ...]] = tuple,
    ) -> None:
        self._rng = rng
        self._lexicon = lexicon
        self._care = care

    def __call__(self, question: Question, *, why: Why) -> Answer | None:
        """Return an answer, or None if the question needs a model."""
        if question.answer is not None:
            read = self._read(question, why)
            return None if read is None else self._answer(question, "", parsed=question.answer.model_validate(read))
        if question.purpose == "outreach.draft" and why == "no-model":
            from furoshiki.mind.outreach.rules import prepared_words

            words = prepared_words.find(cast(prepared_words.Matter, question.material), self._rng)
            return None if words is None else self._answer(question, words)
        if question.situation is None:
            return None
        from furoshiki.language.reflex.respond import respond
        from furoshiki.language.reflex.situation import Situation

        reflex = respond(replace(cast(Situation, question.situation()), why=why), self._rng)
        rounds = sum(1 for message in question.messages if message.role == "tool")
        calls = tuple(
            ToolCall(f"reflex-{rounds}-{number}", call.name, dict(call.args))
            for number, call in enumerate(reflex.calls)
        )
        return self._answer(question, reflex.text, calls)

    def _answer(self, question: Question, text: str, calls: tuple[ToolCall, ...] = (), parsed: Any = None) -> Answer:
        return Answer(
            text=text,
            finish="tools" if calls else "stop",
            provider=PROVIDER,
            model=MODEL,
            tier=question.tier,
            calls=calls,
            parsed=parsed,
        )

    def _read(self, question: Question, why: Why) -> Mapping[str, Any] | None:
        """Return what a rule reads in the material of a structured purpose; None without such a
        rule.

        All of them can wait for a model, so rules are used only if there is none at all.
        """
        if why != "no-model":
            return None
        if question.purpose == "post_conversation":
            from furoshiki.language.reflex.reading import read_session

            words = self._lexicon() if self._lexicon else None
            return read_session(cast("Sequence[Utterance]", question.material), words, self._care())
        if question.purpose == "profile":
            from furoshiki.owner.user_model.rules import profile, profiling

            return profiling.by_rule(cast(Sequence[profile.Fact], question.material))
        if question.purpose == "inner_monologue.journal":
            from furoshiki.mind.inner_life.rules.journal import Stretch, journal

            return journal(cast(Stretch, question.material), self._lexicon() if self._lexicon else None)
        return None
