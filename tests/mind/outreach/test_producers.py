"""What the owner should know or decide reaches them once, by the real pulse, with the buttons that answer it."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest

from furoshiki.core import failure_words
from furoshiki.core.database import events, kv
from furoshiki.core.paths import ROOT
from furoshiki.extensions.plugins.store import jobs
from furoshiki.memory import weighing
from furoshiki.memory.store import memories
from furoshiki.memory.values import NewMemory
from furoshiki.messages.store import outbox, turns
from furoshiki.messages.values import NewOutgoing
from furoshiki.mind.consolidation import promotion
from furoshiki.mind.inner_life.self_model import description
from furoshiki.mind.inner_life.store import commitments, drift
from furoshiki.mind.inner_life.store.drift import Ground, NewDrift
from furoshiki.mind.outreach import due, pulse
from furoshiki.owner.agenda.store import mind_queue, operations, proposals, tasks
from furoshiki.world import World
from tests.support.reaching_out import CHAT, hears, pass_, rows, told
from tests.support.rows import user_said, was_of_use
from tests.support.world import FrozenClock, Human

NOT_USABLE = "the answer was no JSON"


def fails(world: World, event: str = "reflection_failed", **payload: object) -> None:
    with world.database.write() as db:
        events.announce(db, event, {"reason": NOT_USABLE, **payload}, world.now)


def firm(world: World, text: str = "They row.") -> int:
    """A memory that is ripe to be held nearly for certain, and the question about it."""
    with world.database.write() as db:
        turn = turns.add(db, user_said(text, world.now - timedelta(days=2)))
        held = memories.add(db, NewMemory("semantic", text, (turn,)), world.now)
        db.execute("UPDATE memories SET alpha=7.5, beta=1.4, access_count=6 WHERE id=?", (held,))
        was_of_use(db, held, world.now)
    assert promotion.step(world, weighing.cycle(world, "night"))["asked"] >= 1
    return held


def centre(world: World, memory_id: int) -> float:
    with world.database.read() as db:
        held = memories.get(db, memory_id)
    assert held is not None
    return held.alpha / (held.alpha + held.beta)


def proposes(world: World, share: float = 0.4) -> int:
    """A description of itself that is too different to be taken unasked."""
    shift = Ground("I have grown calmer", kind="shift")
    now = description.text(world)
    new = NewDrift(now, "I am Furo, and calm.", "", 0.6, share, (), (shift,), "local", 0, "proposed")
    with world.database.write() as db:
        return drift.add(db, new, world.now)


def promises(world: World, broken: int = 3) -> int:
    """A promise to itself that was broken in so many talks."""
    with world.database.write() as db:
        db.execute("INSERT INTO behavioral_patterns (gist, created_at) VALUES ('g', ?)", (world.now.isoformat(),))
        made = commitments.add(db, 1, "ask before giving advice", "a question comes first", world.now)
        assert made is not None
        for number in range(broken):
            commitments.record(db, made, f"s{number}", "broken", (), world.now)
    return made


def asks_leave(world: World, shown: str = "add “salt” to the shopping list", chat: str = CHAT) -> str:
    """A skill asked under an answer whether it may do something."""
    args = {"action": "add", "list": "shopping", "items": ["salt"]}
    where = ("telegram", chat, chat)
    with world.database.write() as db:
        asked = proposals.make_proposal("list", args, shown, where, "inbox:9", world.now)
        proposals.propose(db, asked, world.now)
    return asked.token


def waits(world: World, kind: str) -> list[tuple[Any, ...]]:
    return rows(world, f"SELECT summary, detail, source FROM mind_queue WHERE kind='{kind}' AND state='pending'")


def buttons(world: World) -> list[list[str]]:
    """What the buttons under the last message send, but for the last row, which is everybody's."""
    return [[one["data"] for one in row] for row in told(world)[-1].extra["buttons"][:-1]]


def reason(world: World) -> str | None:
    with world.database.read() as db:
        return due.producers(db, world.now)


# -- what failed --


EVERY_FAULT = (*failure_words.WORDS, failure_words.ALERT)


async def test_what_fails_behind_the_scenes_is_never_a_message(owned: Human, clock: FrozenClock) -> None:
    world = owned.world
    for kind in EVERY_FAULT:
        fails(world, kind, words="another process takes this bot's messages")
    await pass_(world, clock, days=3)
    assert told(world) == [] and rows(world, "SELECT kind FROM mind_queue") == []
    [status] = await owned.says("/status")
    assert f"rereading a conversation did not work: {NOT_USABLE}" in status
    assert "another process takes this bot's messages" in status


async def test_repairs_of_its_own_are_found_where_one_looks(owned: Human, clock: FrozenClock) -> None:
    with owned.world.database.write() as db:
        for number, state in enumerate(("proposed", "applied", "rolled_back")):
            db.execute(
                "INSERT INTO repair_jobs (signature, source, kind, message, evidence, times, first_at, last_at, state, "
                "created_at, changed_at) VALUES (?, 'soul_engine', 'crash', 'KeyError', '', 3, ?, ?, ?, ?, ?)",
                (f"s{number}", *[clock.at.isoformat()] * 2, state, *[clock.at.isoformat()] * 2),
            )
    await pass_(owned.world, clock, days=2)
    assert told(owned.world) == []
    assert "soul_engine" in (await owned.says("/repairs"))[0]


def test_every_event_of_a_failure_has_its_words() -> None:
    written = "\n".join(path.read_text() for path in (ROOT / "furoshiki").rglob("*.py"))
    assert set(re.findall(r'"([a-z]+_failed)"', written)) == set(failure_words.WORDS)


# -- what only the owner can decide --


async def test_a_plugin_it_wrote_is_told_with_what_it_may_do(owned: Human, clock: FrozenClock) -> None:
    world = owned.world
    with world.database.write() as db:
        for number, state in ((1, "proposed"), (2, "rejected")):
            wish = jobs.get(db, jobs.add(db, "tell me the tram times", "chat", world.now))
            assert wish is not None and wish.id == number
            jobs.record_name(db, wish, f"trams-{number}")
            jobs.decide(db, wish, state, world.now, reason="It may: nothing.", proposal="proposals/plugin-trams.md")  # type: ignore[arg-type]
    await pass_(world, clock, hours=1)
    [one] = told(world)
    assert "I wrote the plugin trams-1" in one.text
    assert one.text.endswith("\n\nIt may: nothing.\n\nfuroshiki plugins apply proposals/plugin-trams.md")
    assert buttons(world) == [["plugin.show:1", "plugin.decline:1"]]
    assert "It may: nothing." in (await owned.says("", kind="callback", data="plugin.show:1"))[0]
    await owned.says("", kind="callback", data="plugin.decline:1")
    await pass_(world, clock, days=2)
    assert [("turned it down" in one.text) for one in told(world)] == [False, True]


async def test_may_i_count_on_this_is_asked_with_buttons_and_heard(owned: Human, clock: FrozenClock) -> None:
    world, held = owned.world, firm(owned.world)
    await pass_(world, clock, hours=1)
    [one] = told(world)
    assert "May I count on this for good: \u201cThey row.\u201d?" in one.text
    assert buttons(world) == [[f"count.yes:{held}", f"count.no:{held}"]]
    assert await owned.says("", kind="callback", data=f"count.yes:{held}") == ["Good, I count on it."]
    promotion.step(world, weighing.cycle(world, "night"))
    assert centre(world, held) > promotion.ASK_ABOVE
    await pass_(world, clock, days=3)
    assert len(told(world)) == 1, "asked once"


@pytest.mark.parametrize(("word", "firmer"), [("yes", True), ("No.", False)])
async def test_a_plain_word_answers_it(owned: Human, clock: FrozenClock, word: str, firmer: bool) -> None:
    world, held = owned.world, firm(owned.world)
    await pass_(world, clock, minutes=5)
    [answer] = await owned.says(word)
    assert answer in ("Good, I count on it.", "Then I'll keep it as it was, and won't ask again.")
    promotion.step(world, weighing.cycle(world, "night"))
    assert (centre(world, held) > promotion.ASK_ABOVE) is firmer
    with world.database.read() as db:
        assert mind_queue.of_memories(db) == []


@pytest.mark.parametrize("between", ["shall we go rowing?", None])
async def test_a_yes_to_something_else_is_no_yes_to_it(owned: Human, clock: FrozenClock, between: str | None) -> None:
    world, held = owned.world, firm(owned.world)
    await pass_(world, clock, minutes=5)
    if between is not None:
        await owned.says(between)
    else:  # the companion itself asks something else
        with world.database.write() as db:
            mind_queue.add(db, "follow_up", "Did the tomatoes survive the frost?", "f1", world.now)
        await pass_(world, clock, hours=9)
        assert told(world)[-1].text == "Did the tomatoes survive the frost?"
    await owned.says("yes")
    with world.database.read() as db:
        assert [one for one, _ in mind_queue.of_memories(db)] == [held]
        assert kv.get(db, f"{promotion.APPROVED}{held}") is None


async def test_memory_asks_too_and_what_was_seen_there_is_not_asked_again(owned: Human, clock: FrozenClock) -> None:
    world, held = owned.world, firm(owned.world)
    row = owned.writes("/memory")
    await owned.waits()
    [words] = owned.answers(row)
    assert "1. May I count on this for good" in words.text
    assert words.extra["buttons"][0][0] == {"text": "1. Yes", "data": f"count.yes:{held}"}
    await pass_(world, clock, hours=3)
    assert told(world) == []
    await owned.says("", kind="callback", data=f"count.no:{held}")
    assert "May I count" not in (await owned.says("/memory"))[0]


async def test_one_memory_a_day_is_asked_about(owned: Human, clock: FrozenClock) -> None:
    world = owned.world
    firm(world, "They row.")
    firm(world, "They bake bread on Sundays.")
    firm(world, "They are afraid of heights.")

    def asked() -> int:
        return sum(one.text.startswith("May I count") for one in told(world))

    await pass_(world, clock, hours=20)
    assert asked() == 1
    await pass_(world, clock, days=1)
    assert asked() == 2


def test_no_more_is_asked_than_there_is_room_for(owned: Human) -> None:
    names = ("river", "mountain", "violin", "garden", "bicycle", "library", "kitchen")
    for name in names:
        firm(owned.world, f"They love the {name}.")
    assert len(waits(owned.world, "delegation")) == owned.world.laws.queue.most["delegation"]


async def test_a_new_description_of_itself_is_accepted_by_its_button(owned: Human, clock: FrozenClock) -> None:
    world, proposed = owned.world, proposes(owned.world)
    await pass_(world, clock, hours=1)
    [one] = told(world)
    assert "40% of the text would be new, because I have grown calmer" in one.text
    assert one.text.startswith("May I change how I describe myself?")
    assert buttons(world) == [[f"self.accept:{proposed}", f"self.decline:{proposed}"]]
    [answer] = await owned.says("", kind="callback", data=f"self.accept:{proposed}")
    assert "that is who I am" in answer
    assert "and calm" in (world.settings.data / "config" / "SELF.md").read_text()


async def test_what_was_looked_at_in_self_is_not_told(owned: Human, clock: FrozenClock) -> None:
    proposes(owned.world)
    assert pulse.gather(owned.world) == 1
    await owned.says("/self")
    await pass_(owned.world, clock, hours=2)
    assert told(owned.world) == []


@pytest.mark.parametrize(
    ("verb", "answer", "state"),
    [("drop", "Then I'll let it go", "dropped"), ("keep", "Then I'll keep trying", "active")],
)
async def test_a_promise_that_keeps_failing_is_asked_about_once(
    owned: Human, clock: FrozenClock, verb: str, answer: str, state: str
) -> None:
    world, made = owned.world, promises(owned.world, broken=2)
    assert pulse.gather(world) == 0
    with world.database.write() as db:
        commitments.record(db, made, "s9", "broken", (), world.now)
    await pass_(world, clock, hours=1)
    [one] = told(world)
    assert one.text.endswith("ask before giving advice")
    assert buttons(world) == [[f"promise.drop:{made}", f"promise.keep:{made}"]]
    assert await owned.says("yes") == ["Mhm."], "it says neither"
    [words] = await owned.says("", kind="callback", data=f"promise.{verb}:{made}")
    assert words.startswith(answer)
    assert rows(world, "SELECT state FROM commitments") == [(state,)]
    await pass_(world, clock, days=3)
    assert len(told(world)) == 1


async def test_a_button_of_a_promise_that_is_over_says_so(owned: Human) -> None:
    assert await owned.says("", kind="callback", data="promise.drop:7") == ["That is no longer one of my promises."]


async def test_what_a_skill_may_not_do_is_asked_again_when_the_chat_has_gone_quiet(
    owned: Human, clock: FrozenClock
) -> None:
    world = owned.world
    hears(world, "what stands in this mail?")
    token = asks_leave(world)
    await pass_(world, clock, minutes=55)
    assert told(world) == []
    await pass_(world, clock, hours=1)
    [one] = told(world)
    assert one.text.endswith("add “salt” to the shopping list"), "word for word what the button does"
    assert buttons(world) == [[f"do.yes:{token}", f"do.no:{token}"]]
    [answer] = await owned.says("yes")
    assert answer == "Added: salt. shopping: salt"
    with world.database.read() as db:
        assert [task.title for task in tasks.in_list(db, "shopping")] == ["salt"]


@pytest.mark.parametrize(("chat", "hours"), [("99", 2), (CHAT, 25)])
def test_nothing_is_asked_again_that_no_button_could_answer(
    owned: Human, clock: FrozenClock, chat: str, hours: float
) -> None:
    asks_leave(owned.world, chat=chat)
    clock.pass_(hours=hours)
    assert pulse.gather(owned.world) == 0


# -- what is finished --


def test_what_came_of_longer_work_waits_as_a_neutral_line(owned: Human, clock: FrozenClock) -> None:
    world = owned.world
    with world.database.write() as db:
        work = operations.begin(db, "search", "the ferries to Hydra", "telegram", CHAT, world.now)
        operations.end(db, work, True, '{"found": [17, 42]}', world.now)
    clock.pass_(minutes=59)
    assert pulse.gather(world) == 0
    clock.pass_(minutes=2)
    assert pulse.gather(world) == 1
    [(summary, detail, source)] = waits(world, "skill_result")
    assert "the ferries to Hydra" in summary and "17" not in summary
    assert (detail, source) == ('{"found": [17, 42]}', f"operations:{work}")
    with world.database.write() as db:
        operations.mark_read(db, (work,), world.now)
        assert mind_queue.expire_closed(db) == 1


def test_work_that_failed_while_nobody_was_there_is_told(owned: Human, clock: FrozenClock) -> None:
    world = owned.world
    with world.database.write() as db:
        work = operations.begin(db, "search", "the ferries to Hydra", "telegram", CHAT, world.now)
        operations.end(db, work, False, "no answer", world.now)
        lost = operations.begin(db, "search", "the trains to Porto", "telegram", CHAT, world.now)
        operations.fail_orphans(db, world.now)
    clock.pass_(hours=2)
    assert pulse.gather(world) == 1, "what a restart broke off was said then"
    assert waits(world, "task_update") == [("the ferries to Hydra: failed", None, f"operations:{work}")]
    assert lost != work


def test_what_arrived_as_a_message_of_its_own_is_no_news(owned: Human, clock: FrozenClock) -> None:
    world = owned.world
    with world.database.write() as db:
        work = operations.begin(db, "export", "your export", "telegram", CHAT, world.now)
        operations.end(db, work, True, "12 records", world.now)
        outbox.put(db, [NewOutgoing("telegram", CHAT, "12 records")], world.now, None, f"operation:{work}")
    clock.pass_(hours=2)
    assert pulse.gather(world) == 0


async def test_nor_what_was_said_at_once_in_the_terminal(owned: Human, clock: FrozenClock) -> None:
    owned.channel = owned.chat_id = "console"
    await owned.says("/export")
    clock.pass_(hours=2)
    assert pulse.gather(owned.world) == 0


async def test_a_list_that_was_finished_elsewhere_is_worth_a_word(owned: Human, clock: FrozenClock) -> None:
    world = owned.world
    with world.database.write() as db:
        held = [tasks.add(db, "user_home", name, world.now) for name in ("sweep", "mop", "dust")]
        clock.pass_(hours=3)
        for one in held:
            tasks.set_state(db, one, "done", world.now)
    assert pulse.gather(world) == 0, "more may come"
    clock.pass_(minutes=30)
    assert pulse.gather(world) == 1
    assert [one[0] for one in waits(world, "task_update")] == ["the home list: done"]
    with world.database.write() as db:
        tasks.add(db, "user_home", "windows", world.now)
    await pass_(world, clock, minutes=1)
    assert told(world) == []


@pytest.mark.parametrize(("done", "spoken", "name"), [(2, False, "home"), (3, True, "home"), (3, False, "reply_queue")])
async def test_other_lists_are_not(owned: Human, clock: FrozenClock, done: int, spoken: bool, name: str) -> None:
    world = owned.world
    with world.database.write() as db:
        held = [tasks.add(db, name, f"thing {number}", world.now, due_at=None) for number in range(done)]
        clock.pass_(hours=3)
        for one in held:
            tasks.set_state(db, one, "done", world.now)
    if spoken:
        await owned.says("that is all done")
    clock.pass_(minutes=30)
    assert pulse.gather(world) == 0


def test_nothing_new_costs_no_transaction(owned: Human) -> None:
    assert reason(owned.world) is None
    before = rows(owned.world, "PRAGMA data_version")
    assert pulse.gather(owned.world) == 0
    assert rows(owned.world, "PRAGMA data_version") == before
