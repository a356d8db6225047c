"""`furoshiki up`, as its owner meets it in Telegram. One installation lives through all tests here, in order."""

from __future__ import annotations

import itertools
import json
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from furoshiki.conversation.hearing.offering import OFFERED
from furoshiki.core.database import kv
from furoshiki.core.database.connection import Database
from tests.e2e.kinds import everything
from tests.e2e.program import KEY, Program, Running
from tests.emulators.llm import LLMEmulator, Request, Say, answers
from tests.emulators.telegram import Call, Message, TelegramEmulator
from tests.support import extent
from tests.support.files import contents

pytestmark = [pytest.mark.e2e, pytest.mark.slow, pytest.mark.together]

MESSAGES = extent.times(200, 30)
"""Each kind twice; at night until what was said first has left the window."""
STRANGER = 4242
GROUP = -1001234567890


class House:
    """The running program and the two worlds it stands between."""

    def __init__(self, program: Program, telegram: TelegramEmulator, llm: LLMEmulator, up: Running) -> None:
        self.program = program
        self.telegram = telegram
        self.llm = llm
        self.up = up

    def asked(self) -> list[Request]:
        """What the model was asked to answer; the brain's scripts ask it for other things meanwhile."""
        return [request for request in self.llm.requests if _is_talk(request)]

    def script(self, *words: Any) -> None:
        """What the model answers next in the conversation, in order."""
        left = list(words)

        def answer(request: Request) -> Any:
            if not left or not _is_talk(request):
                return None
            following = left.pop(0)
            return following(request) if callable(following) else following

        self.llm.script = answer

    def ask(self, text: str) -> Message:
        """Say something and wait for the one reply."""
        before = len(self.bot())
        self.telegram.say(text)
        self.telegram.wait_for(lambda: len(self.bot()) > before)
        self.program.wait_quiet()
        [reply] = self.bot()[before:]
        return reply

    def bot(self) -> list[Message]:
        """Everything the companion has said to its owner."""
        return [message for message in self.telegram.chat() if message.author == "bot"]


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    data = tmp_path_factory.mktemp("house") / "data"
    with (
        TelegramEmulator() as telegram,
        LLMEmulator() as llm,
        Program(data, telegram, llm, provider="anthropic", FUROSHIKI_LOG_LEVEL="debug") as program,
    ):
        # Room, and money, for nearly all of it: folding older talk into a summary asks the model too.
        room = {"CONTEXT_TOKENS": "100000", "SOFT_BUDGET_USD": "90", "HARD_BUDGET_USD": "99"}
        up = program.listening("up", **{f"FUROSHIKI_{n}": v for n, v in room.items()})
        house = House(program, telegram, llm, up)
        house.script("Nice to meet you, Noor!", "A heron, how grand.")
        house.ask("Hi! My name is Noor.")
        house.ask("My sister Anika keeps a grey heron called Bartholomew on her houseboat.")
        house.llm.clear()
        yield house
        print(program.picture())


def _is_talk(request: Request) -> bool:
    return request.system.startswith("You are Furo")


@pytest.fixture(autouse=True)
def seen(house: House) -> Iterator[None]:
    """What has been going on is shown when a test fails."""
    yield
    house.program.wait_quiet()
    house.llm.clear()
    print(house.program.picture())


def test_what_is_told_first_is_kept(house: House) -> None:
    """By the fixture, so that every worker that lives a part of this has been told."""
    assert [one.text for one in house.bot()[:2]] == ["Nice to meet you, Noor!", "A heron, how grand."]


def test_messages_of_every_kind_are_each_answered_once(house: House) -> None:
    program, telegram = house.program, house.telegram
    with Database(program.data / "memory" / "longmemory.sqlite").write() as db:
        kv.put(db, OFFERED, True, datetime(2026, 3, 3, tzinfo=UTC))  # else the first voice note waits for an ear
    sent = 0
    for number in itertools.count():
        for thing in everything(number):
            before = len(house.bot())
            thing.send(telegram)
            telegram.wait_for(lambda: len(house.bot()) > before)  # noqa: B023 - called at once
            asked = house.asked()[-1]
            assert thing.understood in asked.words, f"{thing.name}: {asked.words!r}"
            assert len(house.bot()) == before + 1, thing.name
            sent += 1
        if sent >= MESSAGES:
            break
    program.wait_quiet()
    assert len(house.asked()) == sent
    assert program.value("SELECT count(*) FROM inbox WHERE state != 'done'") == 0
    assert program.value("SELECT count(*) FROM outbox WHERE state != 'sent'") == 0
    said = [message.author for message in telegram.chat()]
    assert said == ["user", "bot"] * (len(said) // 2)


def test_a_burst_gets_one_answer_that_knows_all_of_it(house: House) -> None:
    house.llm.script = lambda request: Say(f"re: {request.words}", delay=1.0) if _is_talk(request) else None
    before = len(house.bot())
    for line in ("wait", "I forgot", "to say", "that burst five"):
        house.telegram.say(line)
    house.telegram.wait_for(lambda: len(house.bot()) > before)
    house.program.wait_quiet()
    assert house.bot()[before:][-1].text.endswith("that burst five")
    said = " ".join(message.text for message in house.bot()[before:])
    assert all(said.count(line) == 1 for line in ("wait", "I forgot", "to say", "that burst five"))
    assert len(house.bot()) == before + 1


def test_markdown_arrives_as_entities(house: House) -> None:
    house.script(
        "**Bold**, _slanted_ and `code`:\n\n```python\nprint('hi')\n```\n"
        "- [a place](https://evil.example/x)\n- 2 * 3 * 4"
    )
    reply = house.ask("show me what you can do")
    kinds = {entity["type"] for entity in reply.entities}
    assert {"bold", "italic", "code", "pre"} <= kinds
    assert not any(mark in reply.text for mark in ("**", "```", "](", "\\"))
    bold = next(entity for entity in reply.entities if entity["type"] == "bold")
    assert reply.text[bold["offset"] : bold["offset"] + bold["length"]] == "Bold"
    assert not any(entity.get("url", "").startswith("https://evil") for entity in reply.entities)


def test_no_message_fetches_a_preview_or_shows_raw_markup(house: House) -> None:
    for message in house.bot():
        assert not message.previews, message.text
        assert "**" not in message.text.replace("**not**", "")


def test_a_slow_answer_is_seen_growing_and_typing_is_shown_at_once(house: House) -> None:
    story = " ".join(f"word{number}" for number in range(60))
    house.script(answers.drip(story, pace=0.15))
    actions, drafts = len(house.telegram.actions), len(house.telegram.drafts)
    house.telegram.say("tell me slowly")
    house.telegram.wait_for(lambda: len(house.telegram.actions) > actions)
    house.telegram.wait_for(lambda: len(house.telegram.drafts) > drafts + 1)
    first, second = house.telegram.drafts[drafts : drafts + 2]
    assert first.text
    assert second.text.startswith(first.text)
    house.program.wait_quiet()
    assert house.bot()[-1].text == story
    assert house.telegram.draft() is None


def test_nothing_of_the_models_inside_is_shown_or_kept(house: House) -> None:
    story = " ".join(f"word{number}" for number in range(60))
    house.script(answers.drip(f"<think>They bore me, truly.</think>{story}\n\nUser: thanks", pace=0.1))
    drafts = len(house.telegram.drafts)
    assert house.ask("tell me slowly once more").text == story
    assert len(house.telegram.drafts) > drafts + 1
    assert all(story.startswith(draft.text.strip()) for draft in house.telegram.drafts[drafts:])
    kept = "SELECT text FROM turns WHERE speaker='companion' ORDER BY id DESC LIMIT 1"
    assert house.program.value(kept) == story


def test_a_call_that_a_model_writes_as_text_is_run(house: House) -> None:
    call = {"name": "list", "arguments": {"action": "add", "list": "shopping", "items": ["oat milk"]}}
    house.script(f"<think>On it goes.\n<tool_call>\n{json.dumps(call)}\n</tool_call>", "Oat milk is on it.")
    assert house.ask("put oat milk on the shopping list").text == "Oat milk is on it."
    assert house.program.value("SELECT count(*) FROM tasks WHERE title='oat milk'") == 1
    assert house.program.value("SELECT count(*) FROM turns WHERE text LIKE '%tool_call%'") == 0


def test_only_thoughts_are_no_answer_and_asked_again(house: House) -> None:
    house.script("<think>They bore me.", "They bore me.</think>Good evening!")
    assert house.ask("good evening").text == "Good evening!"
    assert len(house.asked()) == 2
    house.ask("sleep well")  # without thoughts that nothing opened: the next answer is shown as it grows


def test_the_stop_button_keeps_what_was_said(house: House) -> None:
    house.script(answers.drip(" ".join(f"word{number}" for number in range(400)), pace=0.15))
    before = len(house.bot())
    house.telegram.say("tell me everything")
    house.telegram.wait_for(lambda: house.telegram.draft() is not None)
    house.telegram.stop_generation()
    house.telegram.wait_for(lambda: len(house.bot()) > before)
    said = house.bot()[-1].text
    assert said.startswith("word0 word1")
    assert "word399" not in said
    house.llm.wait_for(lambda: house.asked()[-1].outcome == "cancelled")


def test_commands_are_answered_without_a_model(house: House) -> None:
    for command in ("/help", "/status", "/mood", "/memory heron", "/tasks", "/cost", "/why", "/settings", "/quiet off"):
        assert house.ask(command).text, command
    assert house.asked() == []


def test_an_edit_after_the_reply_corrects_the_memory_and_is_not_answered_again(house: House) -> None:
    message = house.telegram.say("the train leaves at five")
    house.program.wait_quiet()
    before = len(house.bot())
    house.telegram.edit(message.id, "the train leaves at six")
    house.program.wait_for(
        lambda: house.program.value("SELECT count(*) FROM turns WHERE text='the train leaves at six'"), 10.0, "the edit"
    )
    house.program.wait_quiet()
    assert len(house.bot()) == before
    assert house.program.value("SELECT replaced_by FROM turns WHERE text='the train leaves at five'")


def test_a_reaction_is_felt_and_not_answered(house: House) -> None:
    before = house.bot()
    house.telegram.react(before[-1].id, "❤")
    house.program.wait_for(
        lambda: house.program.value("SELECT count(*) FROM turns WHERE kind='reaction' AND reply_to IS NOT NULL"),
        10.0,
        "the reaction",
    )
    house.program.wait_quiet()
    assert len(house.bot()) == len(before)
    assert house.asked() == []


def test_a_shared_location_sets_the_clock_after_asking(house: House) -> None:
    before = len(house.bot())
    house.telegram.location(35.68, 139.69)
    house.telegram.wait_for(lambda: len(house.bot()) >= before + 2)
    question = house.bot()[-1]
    [yes, _no] = question.buttons[0]
    house.telegram.press(question.id, yes["callback_data"])
    house.telegram.wait_for(lambda: "Asia/Tokyo" in house.bot()[-1].text and len(house.bot()) > before + 2)
    house.telegram.wait_for(lambda: all(answer is not None for answer in house.telegram.state.callbacks.values()))
    house.ask("what time is it?")
    assert "Asia/Tokyo" in house.asked()[-1].prompt


def test_an_answer_to_an_older_message_brings_it_into_view(house: House) -> None:
    old = next(message for message in house.telegram.chat() if "Bartholomew" in message.text)
    before = len(house.bot())
    house.telegram.say("she told me about this again", reply_to=old.id)
    house.telegram.wait_for(lambda: len(house.bot()) > before)
    assert "Bartholomew" in house.asked()[-1].turns[-1].text


def test_strangers_and_groups_reach_no_model(house: House) -> None:
    house.telegram.say("let me in, please", chat_id=STRANGER)
    house.telegram.wait_for(lambda: house.telegram.replies(STRANGER))
    house.telegram.say("hello?", chat_id=STRANGER)
    house.telegram.photo(chat_id=STRANGER)
    house.telegram.add_to_group(GROUP)
    house.telegram.say("is anybody there?", chat_id=GROUP, user=STRANGER)
    house.telegram.say("what do you think, @furoshiki_bot?", chat_id=GROUP)
    house.program.wait_quiet()
    house.ask("and still you talk to me")
    assert len(house.telegram.replies(STRANGER)) == 1
    assert house.telegram.replies(GROUP) == []
    assert len(house.asked()) == 1
    for table, column in (("inbox", "payload"), ("turns", "text")):
        found = house.program.value(f"SELECT count(*) FROM {table} WHERE {column} LIKE '%let me in%'")
        assert found == 0, table


def test_an_early_fact_is_found_and_comes_to_mind_again(house: House) -> None:
    house.program.wait_for(
        lambda: house.program.value("SELECT count(*) FROM turns WHERE index_state='pending'") == 0, 30.0, "the index"
    )
    found = house.program.run("memory", "search", "what animal lives with my sister", "-k", "3", "--json")
    assert "Bartholomew" in found.stdout, found
    house.ask("do you remember the bird on the houseboat?")
    # It comes to mind where much was said since; where this worker lived little of the evening it stands there still.
    assert "Bartholomew" in " ".join(turn.text for turn in house.asked()[-1].turns)
    assert "Noor" in house.asked()[-1].prompt


def test_the_terminal_talks_to_the_same_mind_while_it_runs(house: House) -> None:
    house.script("Hello in there.")
    said = house.program.run("chat", "--once", "hello from the terminal", "--json")
    assert said.returncode == 0, said
    assert json.loads(said.stdout)["reply"] == "Hello in there."
    assert house.program.value("SELECT count(*) FROM inbox WHERE channel='console'") == 1
    house.ask("who spoke to you just now?")
    assert "hello from the terminal" in house.asked()[-1].prompt


def test_an_album_is_one_message(house: House) -> None:
    before, asked = len(house.bot()), len(house.asked())
    for number in range(4):
        house.telegram.photo(caption="our flat" if number == 0 else "", media_group_id="a1")
        time.sleep(0.3)  # as far apart as Telegram delivers them
    house.telegram.wait_for(lambda: len(house.bot()) > before)
    house.program.wait_quiet()
    assert len(house.bot()) == before + 1
    [request] = house.asked()[asked:]
    assert json.dumps(request.body).count('"type": "image"') == 4


def test_a_text_that_telegram_cut_is_one_message(house: House) -> None:
    before, asked = len(house.bot()), len(house.asked())
    house.script("I have read it.")
    letter = " ".join(f"line{number:04d}" for number in range(1_300))
    for start in range(0, len(letter), 4096):
        house.telegram.say(letter[start : start + 4096])
        time.sleep(0.2)
    house.telegram.wait_for(lambda: len(house.bot()) > before)
    house.program.wait_quiet()
    assert len(house.bot()) == before + 1
    [request] = house.asked()[asked:]
    assert "line0000" in request.turns[-1].text and "line1299" in request.turns[-1].text


def test_a_photo_that_is_replied_to_is_seen_again(house: House) -> None:
    before = len(house.bot())
    photo = house.telegram.photo(caption="from the attic")
    house.telegram.wait_for(lambda: len(house.bot()) > before)
    house.ask("good to know")
    before = len(house.bot())
    house.telegram.say("which year is that?", reply_to=photo.id)
    house.telegram.wait_for(lambda: len(house.bot()) > before)
    request = house.asked()[-1]
    assert "from the attic" in request.turns[-1].text
    assert json.dumps(request.body).count('"type": "image"') == 1


def test_a_topic_is_answered_in_the_topic(house: House) -> None:
    def spoken() -> list[Call]:
        return [call for call in house.telegram.called("sendMessage") if call.outcome == "ok"]

    before = len(spoken())
    house.telegram.say("/remind in 2 seconds to breathe", message_thread_id=42, is_topic_message=True)
    house.telegram.wait_for(lambda: len(spoken()) >= before + 2)  # the answer, and the reminder
    house.program.wait_quiet()
    assert {str(call.args.get("message_thread_id")) for call in spoken()[before:]} == {"42"}
    house.telegram.faults.bad_request("Bad Request: message thread not found")
    before = len(spoken())
    house.telegram.say("still there?", message_thread_id=42, is_topic_message=True)
    house.telegram.wait_for(lambda: len(spoken()) > before)
    assert "message_thread_id" not in spoken()[-1].args


def test_every_call_is_in_the_books(house: House) -> None:
    house.ask("this costs something")
    [row] = house.program.rows("SELECT * FROM llm_calls WHERE purpose='turn' ORDER BY id DESC LIMIT 1")
    assert row["provider"] == "anthropic"
    assert row["cost_usd"] > 0
    assert row["tokens_in"] == house.asked()[-1].input_tokens
    assert house.program.run("cost", "--json").returncode == 0


def test_status_says_that_everything_works(house: House) -> None:
    status = house.program.run("status", "--json")
    assert status.returncode == 0, status
    assert json.loads(status.stdout)["health"]["ok"]


def test_it_ends_by_itself_and_leaves_no_secret_behind(house: House) -> None:
    """The last test of the house: it ends in the middle of a thought."""
    house.script(Say("I was still thinking", delay=30.0))
    house.telegram.say("one more thing")
    house.llm.wait_for(lambda: house.asked())
    assert house.up.stop() == 0
    assert house.program.value("SELECT state FROM inbox ORDER BY id DESC LIMIT 1") == "pending"
    house.script("There you are again.")
    house.up = house.program.listening("up")
    house.telegram.wait_for(lambda: house.telegram.replies()[-1] == "There you are again.")
    house.program.wait_quiet()
    house.up.stop()
    assert "You are Furo" not in (house.program.data / "logs" / "listener.log").read_text("utf-8")
    secrets = (KEY, house.telegram.token, house.telegram.token.partition(":")[2])
    for path in (house.program.data, house.program.data.parent):
        assert _traces(path, secrets) == []


def _traces(folder: Path, secrets: tuple[str, ...]) -> list[str]:
    """Files that hold a secret, as text or inside a database."""
    found = []
    for path, content in contents(folder):
        found += [f"{path.name}: {secret[:6]}…" for secret in secrets if secret.encode() in content]
    return found
