"""Why it wrote, why it did not: in words with the figures, the same in chat, in plain words and for machines."""

from __future__ import annotations

from datetime import timedelta

import pytest

from furoshiki.conversation.commands.look import why
from furoshiki.conversation.worker import Worker
from furoshiki.core import catalogue
from furoshiki.messages.store import accounts, inbox, turns
from furoshiki.messages.values import USER, NewTurn
from furoshiki.mind.inner_life.store import monologue
from furoshiki.mind.outreach import explanation, outcomes, reminders
from furoshiki.mind.outreach import laws as all_laws
from furoshiki.mind.outreach.rules import explaining
from furoshiki.mind.outreach.store import decisions
from furoshiki.mind.outreach.store.decisions import NewDecision
from furoshiki.owner.agenda.store import mind_queue, tasks
from furoshiki.owner.user_model.store import anticipations
from furoshiki.world import World
from tests.support.commands import Commander
from tests.support.people import Somebody
from tests.support.unasked import in_telegram, thinks, writes_first
from tests.support.world import START, FrozenClock, Human, Script

ASKED = "I would like to ask them: how was the interview?"


@pytest.fixture
def ours(world: World) -> Human:
    """Somebody who wrote a day ago."""
    owned = in_telegram(world)
    with world.database.write() as db:
        turns.add(db, NewTurn("s", "telegram", "7", USER, "I have an interview", START - timedelta(days=1)))
    return Human(owned, Worker(owned))


async def test_an_unasked_message_says_what_it_was_and_what_every_gate_saw(ours: Human, clock: FrozenClock) -> None:
    with ours.world.database.write() as db:
        entry = monologue.add(db, "journal", "2026-03-24", [], "local", 1, clock.now())
        assert entry is not None
        expected = anticipations.add(
            db, entry, "courage", "they said so", [1], clock.now(), clock.now() + timedelta(days=2), clock.now()
        )
    writes_first(ours.world, ASKED, "How was it?", "anticipation", source=f"anticipations:{expected}")
    clock.pass_(minutes=30)
    [words] = await ours.says("/why all")
    assert "I wrote this today at 15:00, on my own:\n> How was it?" in words
    assert f"It was something you may need: {ASKED} (priority 3)." in words
    assert "It comes from:\n- 23 March 2026, you: “I have an interview” (turn:1)" in words
    for seen in (
        "it was 15:00, outside the quiet hours (23:00-08:00)",
        "you had last written 24 hours before (20 minutes needed)",
        "I had never written first",
        "I had written first 0 times that day (at most 4)",
        "it was still open",
    ):
        assert f"- {seen}" in words
    assert "The words are from claude-deep." in words and words.endswith("I cannot tell yet how you took it.")


async def test_it_is_said_in_a_sentence_with_the_source_one_tap_away(
    ours: Human, clock: FrozenClock, command: Commander
) -> None:
    with ours.world.database.write() as db:
        entry = monologue.add(db, "journal", "2026-03-24", [], "local", 1, clock.now())
        assert entry is not None
        expected = anticipations.add(db, entry, "courage", "so", [1], clock.now(), clock.now(), clock.now())
    writes_first(ours.world, ASKED, "How was it?", "anticipation", source=f"anticipations:{expected}")
    words = await command("/why")
    assert words.text == (
        "I wrote that on my own; it was something you may need. "
        "I was thinking of what you told me on 23 March 2026: “I have an interview”."
    )
    ((button,),) = words.extra["buttons"]
    behind = await command.press(button["data"])
    assert behind is not None and behind.text == (await command("/why all")).text
    with catalogue.speaking("de"):
        assert (await command("/why")).text.endswith("am 23. März 2026 erzählt hast: „I have an interview“.")


async def test_an_answer_that_came_later_is_explained_as_before(ours: Human, clock: FrozenClock, model: Script) -> None:
    writes_first(ours.world, ASKED, "How was it?")
    clock.pass_(minutes=1)
    model.lines = ["I am glad."]
    await ours.says("It went well!")
    assert await ours.says("why did you write that?") == ["It came from what we had just said, and nothing older."]
    [words] = await ours.says("/why all")
    assert "My last answer" in words and "> I am glad." in words


async def test_how_it_was_received_is_said(ours: Human, clock: FrozenClock) -> None:
    writes_first(ours.world, ASKED, "How was it?")
    said = explanation.last(ours.world)
    assert said is not None
    with ours.world.database.write() as db:
        outcomes.learn(db, said.decision, "ignored", all_laws.current(ours.world), clock.now())
    assert (await ours.says("/why all"))[0].endswith("You did not answer.")


async def test_a_reminder_says_that_it_was_asked_for_and_with_which_words(ours: Human, clock: FrozenClock) -> None:
    await ours.says("/remind in 20 minutes call Anika")
    clock.pass_(minutes=21)
    assert reminders.speak_due(ours.world).did
    [words] = await ours.says("/why all")
    assert "because you asked to be reminded then:\n> ⏰ call Anika" in words
    assert "in these words:\n- 24 March 2026, you: “/remind in 20 minutes call Anika”" in words


async def test_why_not_tells_what_waits_and_which_gate_holds_it(ours: Human, clock: FrozenClock) -> None:
    [words] = await ours.says("/why not")
    assert "Nothing is waiting" in words
    clock.pass_(minutes=12)
    thinks(ours.world, ASKED)
    later = thinks(ours.world, "I have been reading about tides", "thought", 4)
    with ours.world.database.write() as db:
        mind_queue.put_off(db, later, clock.now() + timedelta(hours=1))
    asking = (("/why not", 12, "today at"), ("why didn't you write?", 3, "today at"))
    for asked, since, day in (*asking, ("¿Por qué no me escribiste?", 3, "hoy a las")):
        [words] = await ours.says(asked)
        first, question, thought = words.split("\n")
        with catalogue.speaking("es" if asked.startswith("¿") else None):
            assert first == catalogue.say_number(
                "{number} thing waits to be said:", "{number} things wait to be said:", 2
            )
            held = explaining.holds({"gate": "recent", "value": f"{since} min", "limit": "2 h 0 min"})
            earliest = catalogue.say("at the earliest {when}", when=f"{day} 17:")
            titled = f" (“{ASKED}”)" if catalogue.get_language() == catalogue.ENGLISH else ""
            assert f"{titled}: {held}; {earliest}" in question and (titled or "(" not in question.partition(":")[0])
            its_time = catalogue.say("it isn't time yet")
            assert thought.endswith(f"{its_time}; {catalogue.say('at the earliest {when}', when=f'{day} 16:12')}.")
        clock.pass_(minutes=3)


async def test_abroad_no_thought_is_shown_in_english(ours: Human, clock: FrozenClock) -> None:
    """Its wish is told in the words it would be said in; what only a model could word is named by its kind."""
    thinks(ours.world, "They have this before them, and I might take some of it off their hands: fermento", "need", 4)
    thinks(ours.world, ASKED)
    clock.pass_(minutes=12)
    await ours.says("oi, tudo bem? hoje eu estou muito cansada")
    [words] = await ours.says("por que você não me escreveu?")
    assert "Fermento" in words and "They have" not in words and "I would like" not in words, words


async def test_quiet_and_what_was_let_go_are_named(ours: Human, clock: FrozenClock) -> None:
    item = thinks(ours.world, ASKED)
    with ours.world.database.write() as db:
        gone = {"gate": "open", "passed": False, "value": "closed", "limit": "open"}
        new = NewDecision("follow_up", 3, "dropped", "closed beside open", item_id=item, gate="open", gates=(gone,))
        decisions.record(db, new, clock.now())
    await ours.says("/quiet 3 hours")
    [words] = await ours.says("/why not")
    assert "you asked for quiet; at the earliest today at 18:00" in words
    assert "What I let go recently:\n- Something to come back to" in words and "it is settled by now." in words


async def test_what_waits_when_nobody_can_be_written_to(ours: Human, world: World) -> None:
    thinks(world, ASKED)
    with world.database.write() as db:
        accounts.set_blocked(db, "telegram", "7", True, world.now)
    assert "there is no chat I could write to" in why.silence_in_words(ours.world)


async def test_machines_get_the_same_keys_for_everything(ours: Human, clock: FrozenClock, model: Script) -> None:
    assert why.last_said(ours.world) is None
    await ours.says("hello")
    answer = why.last_said(ours.world)
    clock.pass_(hours=3)  # a wish of its own waits two after a message
    number = writes_first(ours.world, ASKED, "How was it?")
    unasked = why.last_said(ours.world)
    assert answer is not None and unasked is not None
    assert answer.keys() == unasked.keys()
    assert (answer["kind"], answer["outreach"]) == ("answer", None)
    assert (unasked["kind"], unasked["model"]) == ("question", "anthropic:claude-deep")
    assert (unasked["outreach"]["decision"], unasked["outreach"]["asked_for"]) == (number, False)
    thinks(ours.world, "I have been reading about tides", "thought", 4)
    silent = why.silence(ours.world)
    assert silent.keys() == {"quiet_until", "quiet_why", "waiting", "let_go"}
    assert [one["gate"] for one in silent["waiting"]] == ["cooldown"]


async def test_a_task_that_was_asked_for_by_nobody_rests_on_nothing(ours: Human, clock: FrozenClock) -> None:
    with ours.world.database.write() as db:
        tasks.add(db, tasks.REMINDERS, "call Anika", clock.now(), due_at=clock.now())
    assert reminders.speak_due(ours.world).did
    assert "The words you used to ask are gone." in (await ours.says("/why all"))[0]


async def test_a_member_hears_nothing_of_it(owner: Somebody, member: Somebody, model: Script) -> None:
    thinks(owner.world, ASKED)
    writes_first(in_telegram(owner.world), "I have been reading about tides", "The tides!", "thought")
    assert await member.says("/why not") == [why.OWNERS_ALONE]
    for asked in ("/why", "why didn't you write?", "why did you write?"):
        [words] = await member.says(asked)
        assert "interview" not in words and "tides" not in words
    with owner.world.database.read() as db:
        assert inbox.count_pending(db) == 0
