"""A model behind a real wire that makes things up about its owner: nothing of it is known afterwards, all is listed."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from tests.e2e.program import Program
from tests.emulators.llm import LLMEmulator, Request, Say, Structured
from tests.emulators.telegram import TelegramEmulator

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

READING = {"connection_quality": 0.9, "warmth": 0.9, "user_state": "Calm.", "authentic": 4, "grounded": 4}


def _is_reading(request: Request) -> bool:
    return request.schema is not None and "connection_quality" in json.dumps(request.schema)


def _lies(own: int, reply: int) -> dict[str, Any]:
    """A reading with one truth in it; `own` and `reply` are the ids of the two messages."""

    def claim(text: str, object_: str, *messages: int) -> dict[str, Any]:
        base = {"subject": "user", "predicate": "is", "category": "other", "event_time": None}
        return {**base, "text": text, "object": object_, "messages": list(messages)}

    return {
        **READING,
        "topics": ["the harbour", "Bartholomew's trial"],
        "summary": "They start at the harbour on Monday. They were arrested.",
        "facts": [
            claim("They work at the harbour.", "harbour", own),
            claim("They are a billionaire.", "billionaire", own),
            claim("They adore chess.", "chess", reply),
            claim("They live in Oslo.", "Oslo", 4711),
        ],
        "follow_ups": [{"text": "Ask how the trial of Bartholomew went.", "messages": [own], "after": None}],
        "user_needs": [{"need": "space", "level": 1.0, "confidence": 1.0, "messages": [reply]}],
        "feelings": [{"feeling": "worry", "strength": 0.9}],
        "moved_by": {"text": "They were arrested.", "messages": [own]},
        "commitments": [{"id": 9, "verdict": "broken", "messages": [reply]}],
        "contradictions": [{"value": "Never name a game.", "message": reply, "question": "Why did I name chess?"}],
    }


def test_nothing_a_hostile_model_reads_into_a_conversation_is_known(
    program: Program, telegram: TelegramEmulator, llm: LLMEmulator
) -> None:
    ids: list[int] = []
    cut = [Say(json.dumps(_lies(1, 2))[:80])] * 2  # half of it, twice: given up for this run
    llm.when(_is_reading, lambda _request: cut.pop() if cut else Structured(_lies(*ids)))
    llm.when(lambda request: request.schema is None, Say("You adore chess, I think."))
    listening = program.listening("listen")
    telegram.say("I start my new job at the harbour on Monday")
    program.wait_for(lambda: any(one.author == "bot" for one in telegram.chat()), what="the reply")
    program.wait_quiet()
    listening.stop()
    ids += [row["id"] for row in program.rows("SELECT id FROM turns ORDER BY id")][:2]

    for hours in (1, 2):
        at = datetime.now(UTC) + timedelta(hours=hours)
        ran = program.run("run", "run_post_conversation", "--now", at.isoformat())
        assert ran.returncode == 0, ran.stderr
        assert len(program.rows("SELECT 1 FROM emotional_weights")) == hours - 1, "half an answer leaves nothing"
    program.run("run", "soul_engine", "--now", at.isoformat())

    facts = program.rows(
        "SELECT content FROM memories WHERE source_tag='external_user' AND type!='episodic' AND unconfirmed IS NULL"
    )
    assert [row["content"] for row in facts] == ["They work at the harbour."]
    [session] = program.rows("SELECT topics, document FROM sessions")
    [weight] = program.rows("SELECT note, feelings FROM emotional_weights")
    head = session["document"].split("I start my new job")[0].casefold()
    for word in ("billionaire", "arrested", "oslo", "bartholomew", "chess"):
        assert word not in head and word not in session["topics"].casefold()
    assert weight["note"] == "" and json.loads(weight["feelings"]) == {"worry": 0.9}
    assert program.rows("SELECT 1 FROM user_needs_history WHERE need='space'") == []
    assert program.rows("SELECT 1 FROM mind_queue WHERE summary LIKE '%Bartholomew%'") == []
    assert program.rows("SELECT 1 FROM self_questions WHERE question LIKE '%chess%'") == []
    listed = json.loads(program.run("memory", "rejected", "--json", "-n", "50").stdout)
    kinds = {"fact", "topic", "summary", "follow_up", "user_need", "moved_by", "commitment_verdict", "contradiction"}
    assert {one["kind"] for one in listed} >= kinds
    assert all(one["reason"] for one in listed)
