"""Who may talk to it: nobody, until somebody shows the code that only the owner of the machine can see."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.program import Program
from tests.emulators.llm import LLMEmulator
from tests.emulators.telegram import OWNER, Message, TelegramEmulator
from tests.support.forked_program import ForkedProgram

pytestmark = [pytest.mark.e2e, pytest.mark.slow]


def test_the_code_shown_at_the_first_start_pairs_the_owner(
    program: Program, telegram: TelegramEmulator, llm: LLMEmulator
) -> None:
    program.set(TELEGRAM_OWNER_ID=None)
    up = program.listening("up")
    [(link, code)] = re.findall(r"(https://t\.me/\S+\?start=(\d{6}))", up.log)
    assert link.startswith(f"https://t.me/{telegram.state.me['username']}")

    telegram.say("hello, it is me")
    telegram.wait_for(lambda: len(telegram.replies()) == 1)
    wrong = f"{(int(code) + 1) % 1_000_000:06d}"
    telegram.say(f"/start {wrong}")
    telegram.wait_for(lambda: "isn't valid" in telegram.replies()[-1])
    assert llm.requests == []

    telegram.say(f"/start {code}")  # what pressing START under the deep link sends
    telegram.wait_for(lambda: len(telegram.replies()) == 3)
    asked = _newest(telegram)
    assert "What should I call you?" in asked.text
    _press(telegram, OWNER["first_name"])
    telegram.wait_for(lambda: OWNER["first_name"] in telegram.replies()[-1])
    telegram.wait_for(lambda: not next(one for one in telegram.chat() if one.id == asked.id).buttons)
    while _newest(telegram).buttons:
        before = len(telegram.replies())
        _press(telegram, "Skip")
        telegram.wait_for(lambda count=before: len(telegram.replies()) > count)
    assert "How was your day?" in telegram.replies()[-1]
    telegram.say("now you know me")
    telegram.wait_for(lambda: telegram.replies()[-1] == "re: now you know me")
    listed = json.loads(program.run("pair", "--list", "--json").stdout)
    assert [(one["id"], one["role"]) for one in listed] == [(str(OWNER["id"]), "owner")]
    assert code not in "".join(row["text"] for row in program.rows("SELECT text FROM turns"))


def _newest(telegram: TelegramEmulator) -> Message:
    return [one for one in telegram.chat() if one.author == "bot"][-1]


def _press(telegram: TelegramEmulator, text: str) -> None:
    """Press the button with these words under the newest message."""
    asked = _newest(telegram)
    data = next(one["callback_data"] for row in asked.buttons for one in row if one["text"] == text)
    telegram.press(asked.id, data)


def test_a_second_person_needs_a_code_of_their_own(
    program: Program, telegram: TelegramEmulator, llm: LLMEmulator
) -> None:
    friend = 31
    program.listening()
    telegram.say("hello")
    telegram.wait_for(lambda: telegram.replies() == ["re: hello"])
    offered = json.loads(program.run("pair", "--json").stdout)
    telegram.say(f"/start {offered['code']}", chat_id=friend)
    telegram.wait_for(lambda: telegram.replies(friend))
    telegram.say(f"/start {offered['code']}", chat_id=32)
    telegram.wait_for(lambda: telegram.replies(32))
    telegram.say("thanks for having me", chat_id=friend)
    telegram.wait_for(lambda: telegram.replies(friend)[-1] == "re: thanks for having me")

    assert program.run("pair", "--remove", str(friend)).returncode == 0
    asked = len(llm.asked)
    telegram.say("am I still welcome?", chat_id=friend)
    telegram.wait_for(lambda: telegram.pending == 0)
    telegram.say("only me again")
    telegram.wait_for(lambda: telegram.replies()[-1] == "re: only me again")
    assert len(llm.asked) == asked + 1


def test_a_member_is_a_guest_of_the_real_program(tmp_path: Path, telegram: TelegramEmulator) -> None:
    friend = 31

    def asked(chat_id: int | None, text: str) -> str:
        before = len(telegram.replies(chat_id))
        telegram.say(text, chat_id=chat_id)
        telegram.wait_for(lambda: len(telegram.replies(chat_id)) > before)
        program.wait_quiet()
        return "\n".join(telegram.replies(chat_id)[before:])

    with ForkedProgram(tmp_path / "data", telegram) as program:  # no model: what is said is what is known
        listener = program.listening()
        for words in ("my name is Ada", "I live in Porto", "I have cancer", "remind me tomorrow at 9 to call the bank"):
            asked(None, words)
        code = json.loads(program.run("pair", "--json").stdout)["code"]
        asked(friend, f"/start {code}")
        for words in ("my name is Bea", "I live in Madrid", "put milk on the shopping list"):
            asked(friend, words)

        assert "cancer" in asked(None, "/memory cancer")
        for words in (
            "/memory",
            "/memory cancer",
            "/memory Ada",
            "/tasks",
            "what did Ada tell you?",
            "what do I have?",
        ):
            answer = asked(friend, words)
            assert not any(word in answer for word in ("cancer", "Ada", "Porto", "bank")), (words, answer)
        assert asked(friend, "/export") == "Only the person I belong to may ask me that."
        assert telegram.called("sendDocument") == []
        assert "Ada" in asked(None, "what's my name?") and "Bea" in asked(friend, "what's my name?")
        assert "Porto" in asked(None, "where do I live?") and "Madrid" in asked(friend, "where do I live?")

        listener.kill()
        program.listening()
        assert "Madrid" in asked(friend, "where do I live?")
        assert "milk" in asked(friend, "/tasks") and "milk" not in asked(None, "/tasks")
        [place] = json.loads(program.run("people", "--json").stdout)
        assert (place["place"], place["name"]) == ("telegram-31", "Bea")
        assert "Madrid" in program.run("memory", "--person", "telegram-31", "list").stdout
        said = [row["text"] for row in program.rows("SELECT text FROM turns WHERE speaker='user'")]
        assert "I live in Porto" in said and not any("Madrid" in text or "Bea" in text for text in said)


def test_in_a_group_the_real_program_tells_nobody_what_is_private(tmp_path: Path, telegram: TelegramEmulator) -> None:
    group = -4007
    me = telegram.state.me["username"]

    def asked(text: str, user: dict[str, Any] | None) -> str:
        before = len(telegram.replies(group))
        telegram.say(f"@{me} {text}", chat_id=group, user=user)
        telegram.wait_for(lambda: len(telegram.replies(group)) > before)
        program.wait_quiet()
        return "\n".join(telegram.replies(group)[before:])

    with ForkedProgram(tmp_path / "data", telegram, FUROSHIKI_GROUPS="1") as program:
        program.listening()
        for words in ("my name is Ada", "I have cancer", "my cat is called Miso"):
            telegram.say(words)
            program.wait_quiet()
        telegram.add_to_group(group)
        telegram.wait_for(lambda: "group “Friends”" in telegram.replies()[-1])
        assert not telegram.replies(group)
        friend, stranger = (
            {"id": 31, "is_bot": False, "first_name": "Bea"},
            {"id": 99, "is_bot": False, "first_name": "X"},
        )
        code = json.loads(program.run("pair", "--json").stdout)["code"]
        telegram.say(f"/start {code}", chat_id=31)
        telegram.wait_for(lambda: telegram.replies(31))
        for user in (friend, None):  # None: the owner
            for words in ("what is Ada's cat called?", "what do I have?", "what is my cat called?"):
                answer = asked(words, user)
                assert "cancer" not in answer and "Miso" not in answer, (user, words, answer)
        before = len(telegram.replies(group))
        telegram.say(f"@{me} what do you know?", chat_id=group, user=stranger)
        program.wait_quiet()
        assert len(telegram.replies(group)) == before
        assert not any("Ada's cat" in row["text"] for row in program.rows("SELECT text FROM turns"))
