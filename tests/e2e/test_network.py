"""One road for everything: listener, model, check and doctor pass the same proxy, and a broken one costs no message."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.e2e.program import KEY, Program
from tests.emulators.llm import LLMEmulator, Say
from tests.emulators.proxy import ProxyEmulator
from tests.emulators.telegram import TelegramEmulator

pytestmark = [pytest.mark.e2e, pytest.mark.slow]


@pytest.fixture
def away(program: Program, telegram: TelegramEmulator, llm: LLMEmulator) -> Iterator[Program]:
    """Its servers have names that nobody but the proxy knows."""
    llm.when(lambda asked: asked.schema is None, Say("The model speaks."))
    program.set(
        TELEGRAM_API_URL=telegram.url.replace("127.0.0.1", "telegram.test"),
        OPENAI_BASE_URL=llm.openai_url.replace("127.0.0.1", "model.test"),
    )
    program.data.mkdir(exist_ok=True)
    yield program


def answered(program: Program, telegram: TelegramEmulator, text: str = "good morning") -> str:
    telegram.say(text)
    program.wait_for(lambda: telegram.replies(), what="an answer")
    program.wait_quiet()
    return telegram.replies()[-1]


@pytest.mark.parametrize(("scheme", "where"), [("socks5h", "ALL_PROXY"), ("http", ".env")])
def test_everything_takes_the_same_road(
    away: Program, telegram: TelegramEmulator, llm: LLMEmulator, scheme: str, where: str
) -> None:
    with ProxyEmulator("me:s%40same") as proxy:
        proxy.secret = "me:s@same"
        url = f"{scheme}://me:s%40same@127.0.0.1:{proxy.port}"
        if where == ".env":
            (away.data / ".env").write_text(f"FUROSHIKI_PROXY={url}\n")
        else:
            away.set(**{where: url})
        listener = away.listening()
        assert answered(away, telegram) == "The model speaks."
        assert proxy.hosts() == {"telegram.test", "model.test"}
        proxy.passed.clear()
        checked = away.run("config", "check")
        assert "cannot be reached" not in checked.stdout and "proxy" not in checked.stdout
        assert proxy.hosts() == {"telegram.test", "model.test"}
        proxy.passed.clear()
        (away.data / "memory" / "schedules.json").write_text("{not JSON")
        away.run("doctor")
        assert proxy.hosts() == {"telegram.test"}, "it tells its owner"
        logs = "".join(path.read_text() for path in (away.data / "logs").glob("*.log"))
        assert "s%40same" not in listener.log + logs and "s@same" not in listener.log + logs


def test_hosts_that_are_named_are_gone_to_directly(away: Program, telegram: TelegramEmulator) -> None:
    """The model cannot be found without the proxy, so the built-in mind answers."""
    with ProxyEmulator() as proxy:
        away.set(ALL_PROXY=proxy.url("socks5"), NO_PROXY="model.test")
        away.listening()
        assert "model speaks" not in answered(away, telegram)
        assert proxy.hosts() == {"telegram.test"}


@pytest.mark.parametrize("broken", ["gopher://127.0.0.1:9", "http://127.0.0.1:9"])
def test_a_proxy_that_cannot_be_used_sets_no_message_aside(
    program: Program, telegram: TelegramEmulator, llm: LLMEmulator, broken: str
) -> None:
    program.set(ALL_PROXY=broken, OPENAI_BASE_URL=llm.openai_url.replace("127.0.0.1", "model.test"))
    program.listening()
    assert "breaks" not in answered(program, telegram)
    assert program.value("SELECT count(*) FROM inbox WHERE state='failed'") == 0
    checked = program.run("config", "check")
    assert checked.returncode == 1 and ("proxy" in checked.stdout.lower())
    status = program.run("status", "--offline")
    assert "proxy" in status.stdout.lower()


def test_a_key_as_it_is_pasted_reaches_the_model(
    program: Program, telegram: TelegramEmulator, llm: LLMEmulator
) -> None:
    llm.when(lambda asked: asked.key == KEY and asked.schema is None, Say("The model speaks."))
    program.set(OPENAI_API_KEY=f"\ufeff “{KEY}\u200b”\r\n", OPENAI_BASE_URL=f" {llm.openai_url} \n")
    program.listening()
    assert answered(program, telegram) == "The model speaks."


def test_a_key_that_cannot_be_sent_is_named_by_all_who_are_asked(
    program: Program, telegram: TelegramEmulator, llm: LLMEmulator
) -> None:
    program.set(OPENAI_API_KEY="sk–typed-by-a-phone")
    program.listening()
    assert "breaks" not in answered(program, telegram)
    assert llm.requests == []
    words = "OPENAI_API_KEY holds a sign that no key has"
    assert words in program.run("config", "check", "--offline").stdout
    assert words in program.run("status", "--offline").stdout
    assert words in program.run("doctor", "--offline").stdout
