"""Telegram in trouble: everything said is answered once, in order, however the calls in between went."""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from furoshiki.channels.telegram import listener as telegram_listener
from furoshiki.channels.telegram.timings import Pace
from tests.e2e.program import PATIENCE_SECONDS, Program, Running, numbers
from tests.emulators.llm import LLMEmulator, Say
from tests.emulators.telegram import TelegramEmulator
from tests.support.forked_program import ForkedProgram, command

pytestmark = [pytest.mark.faults, pytest.mark.slow, pytest.mark.together]

AWAY_SECONDS = 3.0
"""A short outage, in which a hasty listener tries several times."""


def hasty(*args: str) -> None:
    """`furoshiki …` that waits for seconds where it would wait for half a minute."""
    pace = Pace(retry_first=0.3, retry_most=1.0, refused_most=1.0, conflict=3.0, settle=1.0)
    setattr(telegram_listener, "Pace", lambda: pace)  # noqa: B010 - in this process alone
    command(*args)


class Hasty(ForkedProgram):
    """One installation of that kind."""

    work = staticmethod(hasty)


class House:
    """One listener that lives through all the tests of this file."""

    def __init__(self, program: Program, telegram: TelegramEmulator, llm: LLMEmulator, listener: Running) -> None:
        self.program = program
        self.telegram = telegram
        self.llm = llm
        self.listener = listener
        self.said = 0

    def say(self, times: int = 1, pause: float = 0.0) -> None:
        """Say "message N" so many times."""
        for _ in range(times):
            self.said += 1
            self.telegram.say(f"message {self.said}")
            time.sleep(pause)

    def answered_once(self, timeout: float = PATIENCE_SECONDS) -> None:
        """Wait until all is quiet: every message was answered once and in order."""
        self.program.wait_quiet(timeout)
        assert numbers(self.telegram.replies()) == list(range(1, self.said + 1))
        assert self.listener.alive()


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    data: Path = tmp_path_factory.mktemp("telegram") / "data"
    with TelegramEmulator() as telegram, LLMEmulator() as llm, Hasty(data, telegram, llm) as program:
        found = House(program, telegram, llm, program.listening())
        found.say()
        found.answered_once()
        yield found
        print(program.picture())


@pytest.fixture(autouse=True)
def mended(house: House) -> Iterator[None]:
    """Nothing of one test is left for the next; what went on is shown when a test fails."""
    yield
    house.telegram.faults.clear()
    house.telegram.online()
    print(house.program.picture())


EACH_TIME = {(fault, "sendMessage") for fault in ("refuse", "cut_after", "too_many", "server_error")}
EACH_TIME |= {("cut_after", "getUpdates"), ("refuse", "sendChatAction")}
"""The others are tried at night."""


@pytest.mark.parametrize(
    ("fault", "method"),
    [
        pytest.param(*one, marks=[] if one in EACH_TIME else [pytest.mark.nightly])
        for one in itertools.product(
            ("refuse", "cut_after", "too_many", "bad_gateway", "server_error"),
            ("sendMessage", "getUpdates", "sendChatAction"),
        )
    ],
)
def test_a_failed_call_neither_loses_nor_doubles(house: House, fault: str, method: str) -> None:
    getattr(house.telegram.faults, fault)(method, n=2)
    house.say(2, pause=0.3)
    house.answered_once()


def test_too_many_calls_are_waited_out_as_long_as_asked(house: House) -> None:
    house.telegram.faults.too_many("sendMessage", retry_after=3)
    began, before = time.monotonic(), len(house.telegram.called("sendMessage"))
    house.say()
    house.answered_once()
    assert time.monotonic() - began >= 3.0
    assert len(house.telegram.called("sendMessage")) == before + 2


def test_an_answer_that_comes_too_late_is_not_sent_twice(house: House) -> None:
    house.telegram.faults.slow_after("sendMessage", seconds=2.5)
    house.say()
    house.answered_once()


def test_updates_that_come_twice_or_in_any_order_are_answered_once(house: House) -> None:
    house.telegram.faults.duplicate_updates(n=20)
    house.say(3, pause=0.3)
    house.answered_once()
    house.telegram.faults.clear()
    house.telegram.faults.reorder_updates(n=5)
    house.telegram.faults.slow("getUpdates", 0.5, n=2)
    house.say(4)
    house.program.wait_quiet()
    assert sorted(numbers(house.telegram.replies())) == list(range(1, house.said + 1))


def test_ids_that_start_over_after_a_quiet_week_hide_nothing(house: House) -> None:
    before = house.telegram.replies()
    house.telegram.restart_update_ids(3)
    house.say(2, pause=1.0)
    house.program.wait_quiet()
    assert numbers(house.telegram.replies()[len(before) :]) == [house.said - 1, house.said]
    house.telegram.restart_update_ids(900_000_000)
    house.say(2, pause=1.0)
    house.program.wait_quiet()
    assert numbers(house.telegram.replies()[len(before) :])[2:] == [house.said - 1, house.said]


def test_everything_said_while_telegram_was_away_is_answered_when_it_is_back(house: House) -> None:
    """Both directions: messages that wait at Telegram, and an answer that was finished while nobody could take it."""
    house.llm.script = lambda request: Say(f"re: {request.words}", delay=1.5)
    house.say()
    house.llm.wait_for(lambda: house.llm.asked[-1].words == f"message {house.said}")
    house.telegram.offline()
    house.say(5)
    time.sleep(AWAY_SECONDS)
    house.telegram.online()
    house.llm.script = None
    house.program.wait_quiet()
    said = numbers(house.telegram.replies())
    assert said[-6:] == list(range(house.said - 5, house.said + 1))
    assert len(said) == len(set(said))


def test_a_blocked_chat_stops_nothing(house: House) -> None:
    house.telegram.block()
    assert house.program.wait_for(
        lambda: house.program.value("SELECT count(*) FROM accounts WHERE blocked_at IS NOT NULL"), 20.0, "the block"
    )
    house.telegram.unblock()
    house.say()
    house.program.wait_quiet()
    assert numbers(house.telegram.replies())[-1] == house.said
    assert house.program.value("SELECT count(*) FROM accounts WHERE blocked_at IS NOT NULL") == 0


def test_a_conflict_is_ridden_out_and_said_once(house: House) -> None:
    """The last test of the house: the poll rests after a 409."""
    house.telegram.faults.conflict(n=1)
    house.telegram.push({"message_reaction_count": {}})  # ends the poll that waits now
    house.say()
    house.answered_once(60.0)
    alerts = house.program.rows("SELECT payload FROM system_events WHERE kind='alert'")
    assert sum("conflict" in str(row["payload"]) for row in alerts) == 1
    said = house.program.run("status", "--offline")
    assert said.returncode == 4 and "⚠ another program is receiving this bot's messages" in said.stdout


def test_a_refusal_is_told_everywhere_and_ends_when_telegram_takes_the_token_again(house: House) -> None:
    """What public reports had: one 401, and no poll ever again, while the doctor prints that all is well."""
    words = "Telegram refused TELEGRAM_BOT_TOKEN (Unauthorized): copy the token again from @BotFather"
    house.telegram.faults.refused(401, n=1000)
    house.telegram.push({"message_reaction_count": {}})  # ends the poll that waits now
    house.program.wait_for(lambda: words in house.listener.log, what="the refusal in the log")
    # the log has it a moment before the record that status reads
    house.program.wait_for(lambda: house.program.run("status", "--offline").returncode == 4, what="it in the status")
    assert f"⚠ {words}" in house.program.run("status", "--offline").stdout
    looked = house.program.run("doctor", "--offline")
    assert words in looked.stdout and "All is well" not in looked.stdout
    house.telegram.faults.clear()
    house.say()
    house.answered_once(60.0)
    assert house.telegram.token not in house.listener.log
    assert f"⚠ {words}" not in house.program.run("status", "--offline").stdout


def test_a_token_that_is_set_again_is_taken_up(house: House, tmp_path: Path) -> None:
    wrong = "7000000002:AAnot-the-right-token-000000000000000"
    with Hasty(tmp_path / "data", house.telegram, house.llm, TELEGRAM_BOT_TOKEN=None) as program:
        program.data.mkdir()
        (program.data / ".env").write_text(f"TELEGRAM_BOT_TOKEN={wrong}\n")
        listener = program.start("listen")
        program.wait_for(lambda: "refused TELEGRAM_BOT_TOKEN" in listener.log, what="the refusal in the log")
        (program.data / ".env").write_text(f"TELEGRAM_BOT_TOKEN={house.telegram.token}\n")
        assert listener.wait(60.0) == 0, "its supervisor starts it with the new one"
        assert wrong not in listener.log
