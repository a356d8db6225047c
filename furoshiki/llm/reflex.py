"""The built-in mind as the last provider of every tier: it answers from values, not from prompts, and costs nothing."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

from furoshiki.domain.asking import Answer, Question, ToolCall
from furoshiki.domain.lexicon import Lexicon
from furoshiki.domain.reflex.situation import Said, Situation, Why

PROVIDER, MODEL = "local", "reflex"


class ReflexMind:
    """Answers turns, and the structured purposes that have a rule. Anything else is None: that needs a model.

    `lexicon` gives the words by which feelings are read; without it a session is read for facts alone.
    """

    def __init__(self, rng: random.Random, lexicon: Callable[[], Lexicon] | None = None) -> None:
        self._rng = rng
        self._lexicon = lexicon

    def __call__(self, question: Question, *, why: Why) -> Answer | None:
        """One answer; None when the question cannot be answered without a model."""
        if question.answer is not None:
            if question.purpose != "post_conversation":
                return None
            parsed = question.answer.model_validate(self._read_session(cast(Sequence[Said], question.material)))
            return self._said(question, "", parsed=parsed)
        if not isinstance(question.situation, Situation):
            return None
        from furoshiki.domain.reflex.respond import respond

        reflex = respond(replace(question.situation, why=why), self._rng)
        rounds = sum(1 for message in question.messages if message.role == "tool")
        calls = tuple(
            ToolCall(f"reflex-{rounds}-{number}", call.name, dict(call.args))
            for number, call in enumerate(reflex.calls)
        )
        return self._said(question, reflex.text, calls)

    def _said(self, question: Question, text: str, calls: tuple[ToolCall, ...] = (), parsed: Any = None) -> Answer:
        return Answer(
            text=text,
            finish="tools" if calls else "stop",
            provider=PROVIDER,
            model=MODEL,
            tier=question.tier,
            calls=calls,
            parsed=parsed,
        )

    def _read_session(self, material: Sequence[Said]) -> Mapping[str, Any]:
        from furoshiki.domain.reflex.reading import read_session

        return read_session(material, self._lexicon() if self._lexicon else None)
