"""Who said it, and when: put together by rule."""

from __future__ import annotations

import pytest

from furoshiki.memory.store import memories
from furoshiki.memory.values import NewMemory
from furoshiki.messages.store import sessions, turns
from furoshiki.messages.store.sessions import SessionDocument
from furoshiki.messages.values import COMPANION, USER, NewTurn
from furoshiki.mind.consolidation.synthesis import contextualising
from tests.support.thinking import Night

SEA = "They swim in the sea after hard days."


@pytest.fixture
def talk(night: Night) -> Night:
    """A talk in which memory 1 was said."""
    said = (
        (USER, "the ship came at three in the morning, again"),
        (COMPANION, "You must be devastated. And now?"),
        (USER, "now i swim in the sea. i always do after hard days"),
    )
    with night.world.database.write() as db:
        for speaker, text in said:
            last = turns.add(
                db,
                NewTurn(
                    session_id="s1",
                    channel="telegram",
                    chat_id="7",
                    speaker=speaker,
                    kind="text",
                    text=text,
                    at=night.clock.at,
                ),
            )
        memories.add(db, NewMemory("semantic", SEA, (last,)), night.clock.at)
        db.execute("UPDATE memories SET index_state='indexed'")
    return night


async def test_a_memory_says_who_and_when_and_is_embedded_again(talk: Night) -> None:
    with talk.world.database.write() as db:
        now = talk.clock.at
        sessions.add(db, SessionDocument("s1", now, now, ("the ship", "swimming"), "…", None, None))
        memories.add(db, NewMemory("semantic", "Noor", (1,), subject="user", predicate="name", object="Noor"), now)
    assert await contextualising.step(talk.world, talk.cycle) == {"with_context": 2}
    assert talk.get(1).contextualized == f"On 24 March 2026 Noor said: {SEA}"
    assert talk.rows("SELECT index_state FROM memories WHERE id=1") == [{"index_state": "pending"}]
    assert talk.model.questions == []
    before = talk.everything
    assert await contextualising.step(talk.world, talk.cycle) == {"with_context": 0}
    assert talk.everything == before
