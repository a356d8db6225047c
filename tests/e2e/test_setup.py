"""The whole wizard as somebody new meets it: at a terminal, with Telegram and a model that are there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from furoshiki.core.paths import ROOT, read_env_file
from tests.e2e.program import KEY, Program
from tests.emulators.llm import LLMEmulator
from tests.emulators.telegram import TOKEN, TelegramEmulator
from tests.support.files import contents
from tests.support.terminal import Terminal

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

SECRETS = (TOKEN.partition(":")[2], KEY)
GIVEN = ("TELEGRAM_BOT_TOKEN", "TELEGRAM_OWNER_ID", "OPENAI_API_KEY", "OPENAI_BASE_URL", "FUROSHIKI_MODEL_CHAT")


def test_from_nothing_to_hello(tmp_path: Path, telegram: TelegramEmulator, llm: LLMEmulator) -> None:
    nothing: dict[str, str | None] = dict.fromkeys((*GIVEN, "FUROSHIKI_TIMEZONE"))
    with Program(tmp_path / "data", telegram, llm, **nothing) as program:
        with Terminal(["setup"], program.environment, ROOT) as terminal:
            terminal.sees("https://t.me/BotFather")
            terminal.sees("Token (paste")
            terminal.types(f"{TOKEN}\r")
            terminal.sees("Connected to @furoshiki_test_bot.")
            terminal.sees("Waiting for you")
            [code] = re.findall(r"\?start=(\d{6})", terminal.text)
            assert "continues from there" in terminal.interrupts("Stopped.") and terminal.leaves() == 130
            assert program.processes() == [], "the listener it had started is gone"

        with Terminal(["setup"], program.environment, ROOT) as terminal:
            terminal.sees("Welcome back")
            terminal.sees("Waiting for you")
            fresh = re.findall(r"\?start=(\d{6})", terminal.text)[-1]
            telegram.say(f"/start {code}")
            telegram.wait_for(lambda: any("isn't valid" in said for said in telegram.replies()))
            telegram.say(f"/start {fresh}")
            terminal.sees("Paired with Robin.")
            terminal.sees("Which provider")
            terminal.types("compatible\r")
            terminal.sees("Its address")
            terminal.types(f"{llm.openai_url}\r")
            terminal.sees("Key (just Enter: none)")
            terminal.types(f"{KEY}\r")
            terminal.sees("Which model [")
            terminal.types("test-modl\r")
            terminal.sees("did you mean test-model?")
            for command in map(_command_line, program.processes()):
                assert not any(secret in command for secret in SECRETS)
            terminal.types("test-model\r")
            terminal.sees("“re: Hello!”")
            terminal.sees("It works.")
            for asked, typed in (("Its name", "Miso"), ("language you write in", "de"), ("Zeitzone", "lisbon")):
                terminal.sees(asked)
                terminal.types(f"{typed}\r")
            terminal.sees("Ruhezeit, in der")
            terminal.types("\r")
            terminal.sees("Dollar am Tag")
            terminal.types("0.5\r")
            terminal.sees("Du hast eine Nachricht.")
            shown = terminal.sees("Jetzt in diesem Terminal starten?")
            terminal.types("n\r")
            terminal.leaves()
            assert not any(secret in shown for secret in SECRETS) and "••••••" in terminal.raw
        [hello] = [said for said in telegram.replies() if said.startswith("Hallo, Robin!") and "Miso" in said]
        assert hello.count("•") == 3
        held = read_env_file(program.data / ".env")
        assert held["TELEGRAM_OWNER_ID"] == "7" and held["FUROSHIKI_TIMEZONE"] == "Europe/Lisbon"
        assert held["FUROSHIKI_MODEL_CHAT"] == "compatible:test-model" and held["COMPATIBLE_BASE_URL"] == llm.openai_url
        holding = {path.name for path, held in contents(program.data) for one in SECRETS if one.encode() in held}
        assert holding == {".env"}


def _command_line(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().decode("utf-8", "replace")
    except OSError:
        return ""
