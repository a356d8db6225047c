"""Who said it, when, and why: put together by rule, with an occasion only where the user's own words hold it."""

from __future__ import annotations

from typing import Any

import pytest

from furoshiki.core.errors import NoMindAnswered
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


def occasions(*pairs: tuple[int, str | None]) -> dict[str, Any]:
    return {"occasions": [{"memory": memory, "occasion": occasion} for memory, occasion in pairs]}


async def test_a_memory_says_who_when_and_why_and_is_embedded_again(talk: Night) -> None:
    talk.says(occasions((1, "after the ship came at three in the morning")))
    counts = await contextualising.step(talk.world, talk.cycle)
    assert counts == {"with_occasion": 1, "without": 0, "refused": 0}
    assert talk.get(1).contextualized == (
        f"On 24 March 2026 the user said, after the ship came at three in the morning: {SEA}"
    )
    assert talk.rows("SELECT index_state FROM memories") == [{"index_state": "pending"}]
    assert "Furo: You must be devastated." in talk.model.last_words
    before = talk.everything
    assert sum((await contextualising.step(talk.world, talk.cycle)).values()) == 0
    assert talk.everything == before


@pytest.mark.parametrize(
    ("occasion", "reason"),
    [
        ("after being devastated", "a reader"),
        ("on the way to Porto", "'Porto'"),
        ("after 5 ships", "5 was never said"),
        ("after the ship came " * 12, "characters"),
    ],
)
async def test_an_occasion_nobody_told_is_left_out(talk: Night, occasion: str, reason: str) -> None:
    talk.model.readings = {"They spoke after being devastated.": "not supported"}
    talk.says(occasions((1, occasion), (99, "after the ship")))
    counts = await contextualising.step(talk.world, talk.cycle)
    assert (counts["without"], counts["refused"]) == (1, 2)
    assert talk.get(1).contextualized == f"On 24 March 2026 the user said: {SEA}"
    assert {True} == {any(word in why for _, why in talk.refused) for word in (reason, "no memory 99")}


async def test_without_a_model_the_topics_of_the_talk_are_the_occasion(talk: Night) -> None:
    with talk.world.database.write() as db:
        now = talk.clock.at
        sessions.add(db, SessionDocument("s1", now, now, ("the ship", "swimming"), "…", None, None))
        memories.add(
            db, NewMemory("semantic", "Noor", (1,), subject="user", predicate="name", object="Noor"), talk.clock.at
        )
    talk.says(NoMindAnswered("no key"))
    counts = await contextualising.step(talk.world, talk.cycle)
    assert counts["without"] == 2 and "no model that can do this" in counts["by_rule"]
    assert talk.get(1).contextualized == f"On 24 March 2026 Noor said in a talk about the ship: {SEA}"


async def test_a_broken_answer_leaves_them_for_the_next_run(talk: Night) -> None:
    talk.says("{", "{")
    assert sum((await contextualising.step(talk.world, talk.cycle)).values()) == 0
    assert talk.get(1).contextualized is None and talk.events == ["consolidation_failed"]
