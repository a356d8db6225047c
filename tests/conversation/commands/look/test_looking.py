"""Mood, memory, why, cost and settings: the companion shows itself."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from furoshiki.conversation.commands.look import why
from furoshiki.core.settings import Settings
from furoshiki.memory.store import memories
from furoshiki.memory.values import NewMemory
from furoshiki.messages.store import sessions, turn_journal
from furoshiki.messages.store.sessions import SessionDocument
from furoshiki.messages.values import COMPANION
from furoshiki.models.llm.store import costs
from furoshiki.models.llm.values import CallRecord, Usage
from tests.support.commands import Commander, learned, said
from tests.support.reasons import reasons


async def test_a_mood_is_told_in_words_not_numbers(command: Commander) -> None:
    command.world.state.change(lambda beat: replace(beat, emotions=beat.emotions.moved({"worry": 0.6})))
    text = (await command("/mood")).text
    assert "Something worries me." in text
    assert not any(char.isdigit() for char in text)


async def test_numbers_are_there_for_who_asks(command: Commander) -> None:
    text = (await command("/mood numbers")).text
    assert "curiosity 0." in text and "Needs:" in text


async def test_memory_shows_the_newest_facts_with_their_date(command: Commander) -> None:
    turn = said(command.world, "my sister Anika lives in Lisbon")
    learned(command.world, "Their sister Anika lives in Lisbon.", turn)
    text = (await command("/memory")).text
    assert "1 thing said and 1 fact" in text
    assert "Your sister Anika lives in Lisbon. (24 March 2026)" in text


async def test_memory_speaks_to_the_user_and_lists_no_moment_beside_its_fact(command: Commander) -> None:
    world = command.world
    moved, lost = said(world, "I moved to Lyon"), said(world, "my father died")
    with world.database.write() as db:
        for new in (
            NewMemory("semantic", "The user lives in Lyon.", (moved,), "external_user", "user", "lives_in", "Lyon"),
            NewMemory("episodic", "They said: “I moved to Lyon”", (moved,), category="moment"),
            NewMemory("episodic", "They said: “my father died and they wept”", (lost,), category="moment"),
        ):
            memories.add(db, new, world.now)
    text = (await command("/memory")).text
    assert "What I last learned about you:\n- You said: “my father died and they wept” (24 March 2026)" in text
    assert "- You live in Lyon. (24 March 2026)" in text
    assert "moved to Lyon" not in text and "memory:" not in text and "The user" not in text and "They" not in text
    found = (await command("/memory Lyon")).text
    assert "You live in Lyon.\n" in found and found.count("I moved to Lyon") == 1
    assert "turn:" not in found and "memory:" not in found and "The user" not in found
    with world.database.write() as db:
        db.execute("UPDATE memories SET status='superseded' WHERE id=1")
    assert "You used to live in Lyon." in (await command("/memory Lyon")).text


async def test_memory_with_words_searches(command: Commander) -> None:
    said(command.world, "my sister Anika lives in Lisbon")
    said(command.world, "the weather is dull")
    text = (await command("/memory where does Anika live")).text
    assert "24 March 2026, you: my sister Anika lives in Lisbon" in text
    assert "I found nothing" in (await command("/memory xylophone")).text


async def test_why_quotes_what_the_answer_rested_on(command: Commander) -> None:
    world = command.world
    old = said(world, "my sister Anika lives in Lisbon")
    fact = learned(world, "Their sister Anika lives in Lisbon.", old)
    said(world, "where does my sister live?", key="inbox:9")
    said(world, "In Lisbon.", COMPANION, key="inbox:9")
    answer = {"provider": "local", "model": "reflex", "text": "In Lisbon.", "shortened": [f"memory:{fact}"]}
    with world.database.write() as db:
        turn_journal.write(db, "inbox:9", [9], answer, [f"memory:{fact}", f"turn:{old}", "turn:999"], world.now)
        turn_journal.mark_committed(db, "inbox:9", world.now)
    found = why.last_answer(world)
    assert found is not None
    assert found["question"] == "where does my sister live?" and found["answer"] == "In Lisbon."
    shown = [(one["id"], one["shown"]) for one in found["evidence"]]
    assert shown == [(f"memory:{fact}", "in one line"), (f"turn:{old}", "in full")]
    text = (await command("/why all")).text
    assert "> In Lisbon." in text and "built-in mind" in text
    assert text.count(f"“my sister Anika lives in Lisbon” (turn:{old}, in one line)") == 1


async def test_why_before_the_first_answer(command: Commander) -> None:
    assert "not answered anything yet" in (await command("/why all")).text


def test_a_memory_is_explained_by_the_words_it_rests_on(command: Commander) -> None:
    turn = said(command.world, "call me Noor")
    fact = learned(command.world, "They want to be called Noor.", turn)
    found = reasons(command.world, f"memory:{fact}")
    assert found is not None and found["text"] == "They want to be called Noor."
    assert [(one["id"], one["text"]) for one in found["turns"]] == [(f"turn:{turn}", "call me Noor")]
    assert reasons(command.world, f"turn:{turn}") == found["turns"][0]
    assert reasons(command.world, "memory:999") is None
    assert reasons(command.world, "nonsense") is None


async def test_cost_names_models_and_limits(command: Commander) -> None:
    call = CallRecord("chat", "anthropic", "claude", "turn", Usage(1000, 700, 0, 50), 0.25, 1.0)
    with command.world.database.write() as db:
        costs.add(db, call, command.world.now)
    text = (await command("/cost")).text
    assert "Today **$0.25** of $0.50 (then cheaper), $1.00 (then only replies)" in text
    assert "anthropic:claude: $0.25, 1 call, 70% of the prompts cached" in text


async def test_cost_is_grouped_as_asked(command: Commander) -> None:
    now = command.world.now
    said(command.world, "hello", key="inbox:1")
    with command.world.database.write() as db:
        for days, purpose, key, usd in (
            (0, "turn", "inbox:1", 0.2),
            (0, "profile", None, 0.1),
            (5, "turn", "inbox:0", 0.4),
        ):
            call = CallRecord("chat", "anthropic", "claude", purpose, Usage(1000), usd, 1.0, key)
            costs.add(db, call, now - timedelta(days=days))
    week = (await command("/cost week purpose")).text
    assert (
        "- Answering you: $0.60, 2 calls" in week
        and "- Its picture of you: $0.10, 1 call" in week
        and "7 days $0.70." in week
    )
    assert "this conversation $0.20" in week
    assert "- Its picture of you: $0.10, 1 call" in (await command("/cost today PURPOSE")).text
    days = (await command("/cost day")).text
    assert days.index("- 2026-03-19: $0.40") < days.index("- 2026-03-24: $0.30")
    assert (
        "This month so far $0.70; at the recent pace, it will come to about $1.26." in days
    )  # 0.08 a day, 7 days left
    assert (await command("/cost yesterday")).text.startswith("Try it like this: /cost")


async def test_a_price_that_is_a_guess_is_called_one(command: Commander) -> None:
    call = CallRecord("chat", "anthropic", "claude-99", "turn", Usage(1000), 0.25, 1.0, price_guessed=True)
    with command.world.database.write() as db:
        costs.add(db, call, command.world.now)
    text = (await command("/cost")).text
    assert "anthropic:claude-99 is on no price list: counted at a cautious guess" in text
    assert '[prices."anthropic:claude-99"]' in text
    assert "today about $0.25" in (await command("/status")).text


async def test_settings_show_no_secret(command: Commander) -> None:
    settings = Settings(**{**command.world.settings.model_dump(), "anthropic_api_key": "sk-canary-1234"})
    text = (await Commander(replace(command.world, settings=settings))("/settings")).text
    assert "anthropic:" in text and "canary" not in text
    assert "Europe/Lisbon" in text and "telegram live" in text


async def test_memory_shows_in_short_what_stands_out(command: Commander) -> None:
    world = command.world
    turn = said(world, "early again")
    for text, type_, columns in (
        ("They are an early riser.", "semantic", "alpha=8, beta=7, hit_count=2"),
        ("They run when they feel low.", "reflection", "beta=4"),
        ("They value running and do not run.", "tension", "beta=4"),
    ):
        held = learned(world, text, turn)
        with world.database.write() as db:
            db.execute(f"UPDATE memories SET type=?, {columns} WHERE id=?", (type_, held))
    text = (await command("/memory")).text
    assert "Needed most:\n- You are an early riser." in text
    assert "Strong points for and against:\n- You are an early riser." in text
    assert "What I make of it:\n- They run when they feel low." in text
    assert "What doesn't add up:\n- You value running" in text
    assert "Slipping away" not in text
    assert text.count("They run when they feel low.") == 1


def test_a_session_is_found_by_the_row_that_recall_names_and_by_its_own_id(command: Commander) -> None:
    world = command.world
    turn = said(world, "my sister Anika lives in Lisbon")
    document = SessionDocument("s1", world.now, world.now, ("Anika", "Lisbon"), "the whole of it", None, None)
    with world.database.write() as db:
        row = sessions.add(db, document)
    found = reasons(world, f"session:{row}")
    assert found is not None and found["text"] == "Anika, Lisbon"
    assert [one["id"] for one in found["turns"]] == [f"turn:{turn}"]
    by_id = reasons(world, "session:s1")
    assert by_id is not None and by_id["turns"] == found["turns"]
    assert reasons(world, "session:99") is None
