"""A running program takes up what is written into its settings, and goes on as before when that is nonsense."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from furoshiki.app import wiring
from furoshiki.app.wiring import SystemClock, build_world
from furoshiki.core import logs, paths, settings
from furoshiki.core.network.providers import over_the_net
from furoshiki.core.settings import Settings, needs_restart
from furoshiki.models.llm.values import Block, Message, Question
from furoshiki.world import World
from tests.emulators.llm import LLMEmulator, answers

RECIPIENT = "age12w9s5up3n793a3kd6f09cctpxgw7ga3y2c9ut5x0clzeqwk0sd3q595ahe"

CHANGED: dict[str, tuple[str, Any]] = {
    **{spec.key_setting.lower(): ("sk-another", None) for spec in over_the_net()},
    **{spec.address_setting.lower(): ("http://127.0.0.1:9/v1", "http://127.0.0.1:9/v1") for spec in over_the_net()},
    "furoshiki_model_chat": ("local:reflex", "local:reflex"),
    "furoshiki_model_deep": ("local:reflex", "local:reflex"),
    "furoshiki_model_reflect": ("local:reflex", "local:reflex"),
    "furoshiki_model_fast": ("local:reflex", "local:reflex"),
    "furoshiki_model_micro": ("local:reflex", "local:reflex"),
    "furoshiki_model_pictures": ("none", "none"),
    "furoshiki_model_hearing": ("none", "none"),
    "furoshiki_pictures_a_day": ("3", 3),
    "furoshiki_pictures_budget_usd": ("1.5", 1.5),
    "furoshiki_log_level": ("debug", "debug"),
    "furoshiki_companion_name": ("Nemo", "Nemo"),
    "furoshiki_timezone": ("Asia/Tokyo", "Asia/Tokyo"),
    "furoshiki_dnd_start": ("22:30", "22:30"),
    "furoshiki_dnd_end": ("07:15", "07:15"),
    "furoshiki_outreach_per_day": ("2", 2),
    "furoshiki_continuity": ("true", True),
    "furoshiki_needs_amber": ("0.9", 0.9),
    "furoshiki_needs_rose": ("0.7", 0.7),
    "furoshiki_soft_budget_usd": ("2.5", 2.5),
    "furoshiki_hard_budget_usd": ("3.5", 3.5),
    "furoshiki_host_daily_budget_usd": ("5", 5.0),
    "furoshiki_host_calls_at_once": ("4", 4),
    "furoshiki_host_operator": ("99", 99),
    "furoshiki_host_free_gb": ("2", 2.0),
    "furoshiki_bubbles": ("true", True),
    "furoshiki_reactions": ("false", False),
    "furoshiki_wandering": ("false", False),
    "furoshiki_boundaries": ("false", False),
    "furoshiki_voice_model": ("/nowhere/whisper", Path("/nowhere/whisper")),
    "furoshiki_speech_voice": ("/nowhere/voices", Path("/nowhere/voices")),
    "furoshiki_context_tokens": ("4000", 4000),
    "furoshiki_memory_tokens": ("500", 500),
    "furoshiki_gate_maturity": ("0.7", 0.7),
    "furoshiki_safety_stages": ("ABC", "ABC"),
    "furoshiki_attention": ("false", False),
    "furoshiki_second_thoughts": ("false", False),
    "furoshiki_soul_engine": ("rules", "rules"),
    "furoshiki_curiosity_triage": ("rules", "rules"),
    "furoshiki_contemplation": ("false", False),
    "furoshiki_trust_level": ("3", 3),
    "furoshiki_router_hints": ("false", False),
    "furoshiki_user_path": ("router", "router"),
    "furoshiki_backup_recipients": (RECIPIENT, RECIPIENT),
    "furoshiki_repair_apply": ("false", False),
    "furoshiki_repair_command": ("/usr/bin/mender", "/usr/bin/mender"),
    "furoshiki_repair_job_usd": ("0.1", 0.1),
    "furoshiki_repair_day_usd": ("0.2", 0.2),
    "furoshiki_plugin_wishes": ("off", "off"),
    "furoshiki_plugin_create_usd": ("0.5", 0.5),
    "furoshiki_plugin_review_usd": ("0.25", 0.25),
    "furoshiki_plugin_sandbox": ("landlock", "landlock"),
    "furoshiki_plugin_memory_mb": ("512", 512),
    "furoshiki_plugin_data_mb": ("10", 10),
    "furoshiki_plugin_day_usd": ("0.2", 0.2),
    "furoshiki_plugin_local_hosts": ("nas.local:80", "nas.local:80"),
}


@pytest.fixture
def house(tmp_path: Path, migrated: Callable[[Path], Path], monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data directory with an empty database, and no checkout or environment that says anything."""
    monkeypatch.setattr(settings, "ROOT", tmp_path / "checkout")
    monkeypatch.setattr(paths, "ROOT", tmp_path / "checkout")
    for name in Settings.model_fields:
        monkeypatch.delenv(name.upper(), raising=False)
    migrated(tmp_path / "data" / "memory" / "longmemory.sqlite")
    return tmp_path / "data"


def living(data: Path) -> World:
    return build_world(settings.load({"FUROSHIKI_DATA": str(data)}), SystemClock(), spawn_memoryd=False)


def write(data: Path, **values: str) -> None:
    (data / ".env").write_text("".join(f"{name.upper()}={value}\n" for name, value in values.items()))


def question() -> Question:
    return Question(
        tier="chat", purpose="turn", system=(Block("You are Furo."),), messages=(Message("user", "hello"),), timeout_s=5
    )


def test_every_setting_that_needs_no_restart_is_tried_here() -> None:
    assert set(CHANGED) == {name for name in Settings.model_fields if not needs_restart(name)}


@pytest.mark.slow
@pytest.mark.parametrize("name", CHANGED)
def test_a_setting_that_needs_no_restart_holds_once_it_is_written(house: Path, name: str) -> None:
    world = living(house)
    text, value = CHANGED[name]
    write(house, **{name: text})
    after = world.follow(world)
    found = getattr(after.settings, name)
    assert (found.get_secret_value() if value is None else found) == (value or text if value is None else value)
    assert after.zone == after.settings.zone
    assert after.follow(after) is after
    (house / ".env").unlink()
    assert getattr(after.follow(after).settings, name) == Settings.model_fields[name].default


def test_where_needs_of_its_own_press_follows_and_goes_back(house: Path) -> None:
    world = living(house)
    before = world.laws.needs
    write(house, furoshiki_needs_amber="0.9")
    after = world.follow(world)
    assert {(law.amber, law.rose) for law in after.laws.needs.each.values()} == {(0.9, 0.9)}
    (house / ".env").unlink()
    assert after.follow(after).laws.needs == before


def test_what_needs_a_restart_stays_as_it_was(house: Path) -> None:
    world = living(house)
    write(house, telegram_owner_id="99", furoshiki_groups="true", furoshiki_bubbles="true")
    after = world.follow(world)
    assert (after.settings.telegram_owner_id, after.settings.furoshiki_groups) == (None, False)
    assert after.settings.furoshiki_bubbles


@pytest.mark.slow
def test_nonsense_is_told_once_and_changes_nothing(house: Path, caplog: pytest.LogCaptureFixture) -> None:
    write(house, furoshiki_companion_name="Nemo")
    world = living(house)
    write(house, furoshiki_companion_name="Moby", furoshiki_model_chat="opnai:x")
    with caplog.at_level(logging.WARNING):
        assert world.follow(world) is world
        assert world.follow(world) is world
    warned = [record for record in caplog.records if record.levelno >= logging.WARNING]
    assert [record.getMessage().count("did you mean openai") for record in warned] == [1]
    write(house, furoshiki_companion_name="Moby")
    assert world.follow(world).settings.furoshiki_companion_name == "Moby"


def test_looking_costs_a_few_stats_and_no_reading(house: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    world = living(house)
    read: list[Settings] = []

    def reload(held: Settings) -> Settings:
        read.append(held)
        return held

    monkeypatch.setattr(wiring, "reload", reload)
    for _ in range(100):
        assert world.follow(world) is world
    assert read == []


def test_what_a_use_case_was_given_besides_is_kept(house: Path) -> None:
    world = replace(living(house), config=house)
    write(house, furoshiki_companion_name="Nemo")
    assert world.follow(world).config == house


@pytest.mark.slow
async def test_another_key_is_used_for_the_next_question(house: Path) -> None:
    with LLMEmulator() as llm:
        llm.break_with(answers.unauthorized(), n=None, when=lambda asked: asked.key == "wrong-key")
        base = {"openai_base_url": llm.openai_url, "furoshiki_model_chat": "openai:test-model"}
        write(house, openai_api_key="wrong-key", **base)
        world = living(house)
        with pytest.raises(Exception, match="OPENAI_API_KEY wasn't accepted"):
            await world.ask(question())
        write(house, openai_api_key="right-key", **base)
        world = world.follow(world)
        assert (await world.ask(question())).provider == "openai"
        assert [asked.key for asked in llm.requests] == ["wrong-key", "right-key"]


@pytest.mark.slow
async def test_the_days_limits_hold_at_once(house: Path) -> None:
    with LLMEmulator() as llm:
        base = {"openai_base_url": llm.openai_url, "furoshiki_model_chat": "openai:test-model"}
        write(house, openai_api_key="a-key", furoshiki_hard_budget_usd="0", furoshiki_soft_budget_usd="0", **base)
        (house / "config").mkdir()
        (house / "config" / "models.toml").write_text('[prices."openai:test-model"]\ninput = 1.0\noutput = 1.0\n')
        world = living(house)
        asked = replace(question(), purpose="journal")
        assert (await world.ask(asked)).provider == "openai"
        with world.database.write() as db:
            db.execute("UPDATE llm_calls SET cost_usd=5")
        write(house, openai_api_key="a-key", furoshiki_hard_budget_usd="1", furoshiki_soft_budget_usd="0", **base)
        world = world.follow(world)
        with pytest.raises(Exception, match=r"budget of \$1.00 is used up"):
            await world.ask(asked)


def test_a_key_that_came_later_is_hidden_in_the_log_too(house: Path) -> None:
    world = living(house)
    logs.keep(house / "logs" / "listener.log", "info", ("the-first-key",), loud=False)
    write(house, openai_api_key="the-second-key", furoshiki_log_level="debug")
    world.follow(world)
    logging.getLogger("furoshiki.test").debug("the-first-key and the-second-key")
    text = (house / "logs" / "listener.log").read_text()
    assert '"logger": "furoshiki.test", "message": "[hidden] and [hidden]"' in text
    logs.tune("warning", ())
