"""Who may talk to it: nobody, until somebody shows the code that only the owner of the machine can see."""

from __future__ import annotations

import json
import re

import pytest

from tests.e2e.program import Program
from tests.emulators.llm import LLMEmulator
from tests.emulators.telegram import OWNER, TelegramEmulator

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

SECONDS = 20.0


def test_the_code_shown_at_the_first_start_pairs_the_owner(
    program: Program, telegram: TelegramEmulator, llm: LLMEmulator
) -> None:
    program.set(TELEGRAM_OWNER_ID=None)
    up = program.listening("up")
    [(link, code)] = re.findall(r"(https://t\.me/\S+\?start=(\d{6}))", up.log)
    assert link.startswith(f"https://t.me/{telegram.state.me['username']}")

    telegram.say("hello, it is me")
    telegram.wait_for(lambda: len(telegram.replies()) == 1, SECONDS)
    wrong = f"{(int(code) + 1) % 1_000_000:06d}"
    telegram.say(f"/start {wrong}")
    telegram.wait_for(lambda: "not valid" in telegram.replies()[-1], SECONDS)
    assert llm.requests == []

    telegram.say(f"/start {code}")  # what pressing START under the deep link sends
    telegram.wait_for(lambda: len(telegram.replies()) == 3, SECONDS)
    telegram.say("now you know me")
    telegram.wait_for(lambda: telegram.replies()[-1] == "re: now you know me", SECONDS)
    listed = json.loads(program.run("pair", "--list", "--json").stdout)
    assert [(one["id"], one["role"]) for one in listed] == [(str(OWNER["id"]), "owner")]
    assert code not in "".join(row["text"] for row in program.rows("SELECT text FROM turns"))


def test_a_second_person_needs_a_code_of_their_own(
    program: Program, telegram: TelegramEmulator, llm: LLMEmulator
) -> None:
    friend = 31
    program.listening()
    telegram.say("hello")
    telegram.wait_for(lambda: telegram.replies() == ["re: hello"], SECONDS)
    offered = json.loads(program.run("pair", "--json").stdout)
    telegram.say(f"/start {offered['code']}", chat_id=friend)
    telegram.wait_for(lambda: telegram.replies(friend), SECONDS)
    telegram.say(f"/start {offered['code']}", chat_id=32)
    telegram.wait_for(lambda: telegram.replies(32), SECONDS)
    telegram.say("thanks for having me", chat_id=friend)
    telegram.wait_for(lambda: telegram.replies(friend)[-1] == "re: thanks for having me", SECONDS)

    assert program.run("pair", "--remove", str(friend)).returncode == 0
    asked = len(llm.requests)
    telegram.say("am I still welcome?", chat_id=friend)
    telegram.wait_for(lambda: telegram.pending == 0, SECONDS)
    telegram.say("only me again")
    telegram.wait_for(lambda: telegram.replies()[-1] == "re: only me again", SECONDS)
    assert len(llm.requests) == asked + 1
