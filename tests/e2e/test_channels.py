"""Where it may speak: channels that are off or only think, groups, reminders that come by themselves."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.e2e.days import Later
from tests.e2e.program import Program
from tests.emulators.llm import Call, LLMEmulator
from tests.emulators.telegram import TelegramEmulator

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

GROUP = -1001234567890


def test_a_channel_is_silenced_and_let_speak_again_while_it_runs(
    program: Program, telegram: TelegramEmulator, llm: LLMEmulator
) -> None:
    def mode(name: str) -> None:
        (program.data / "config" / "furoshiki.toml").write_text(f'[channels]\ntelegram = "{name}"\n')

    program.listening()
    mode("shadow")
    telegram.say("think of it and say nothing")
    program.wait_for(lambda: llm.requests, what="a thought")
    program.wait_quiet()
    assert telegram.replies() == []
    assert telegram.actions == []
    assert program.value("SELECT count(*) FROM turns WHERE speaker='companion'") == 1

    mode("off")
    telegram.say("do not even listen")
    program.wait_quiet()
    assert len(llm.asked) == 1
    assert program.value("SELECT count(*) FROM turns WHERE text LIKE 'do not even%'") == 0

    mode("live")
    telegram.say("speak again")
    telegram.wait_for(lambda: telegram.replies() == ["re: speak again"])


def test_in_a_group_it_answers_when_it_is_addressed_by_its_owner(
    program: Program, telegram: TelegramEmulator, llm: LLMEmulator
) -> None:
    program.listening(FUROSHIKI_GROUPS="true")
    telegram.say("hi, it is me")
    telegram.wait_for(lambda: telegram.replies() == ["re: hi, it is me"])
    name = telegram.state.me["username"]
    telegram.add_to_group(GROUP)
    telegram.say("just talking among ourselves", chat_id=GROUP, user=telegram.owner)
    telegram.say(f"what do you think, @{name}?", chat_id=GROUP, user=4242)
    telegram.say(f"@{name} and what do you say?", chat_id=GROUP, user=telegram.owner)
    telegram.wait_for(lambda: telegram.replies(GROUP))
    program.wait_quiet()
    assert len(telegram.replies(GROUP)) == 1
    assert len(llm.asked) == 2
    assert [draft for draft in telegram.drafts if draft.chat_id == GROUP] == []
    hello, told = telegram.replies()
    assert hello == "re: hi, it is me" and told.startswith("I'm now in the group")


def test_a_reminder_comes_by_itself_once(tmp_path: Path, telegram: TelegramEmulator, llm: LLMEmulator) -> None:
    at = (datetime.now(UTC) + timedelta(hours=12)).isoformat()
    llm.script = [Call("schedule", {"action": "create", "what": "turn the oven off", "when": at}), "I will, then."]
    with Later(tmp_path / "data", telegram, llm) as program:
        listener = program.listening()
        telegram.say("remind me in a moment to turn the oven off")
        telegram.wait_for(lambda: telegram.replies() == ["I will, then."])
        program.wait_quiet()
        listener.kill()  # a reminder is not lost with the process that promised it
        listener = program.listening(DAYS_LATER="0.6")
        telegram.wait_for(lambda: len(telegram.replies()) == 2)
        assert "turn the oven off" in telegram.replies()[-1]
        program.wait_quiet()
        listener.stop()
        program.listening(DAYS_LATER="0.7")
        llm.script = ["All is well."]
        telegram.say("and now?")
        telegram.wait_for(lambda: telegram.replies()[-1] == "All is well.")
        program.wait_quiet()
        assert len(telegram.replies()) == 3
