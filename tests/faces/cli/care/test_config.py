"""`furoshiki config` shows where a setting stands and what it may be, and changes what nobody has locked."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from furoshiki.core.settings import Settings
from tests.support.shell import Command


def written(data: Path) -> dict[str, object]:
    return json.loads((data / "memory" / "operator_settings.json").read_text())


def test_one_setting_is_shown_with_all_there_is_to_know(command: Command) -> None:
    found = command("config", "show", "furoshiki_soft_budget_usd", "--json").json
    assert found == {
        "name": "FUROSHIKI_SOFT_BUDGET_USD",
        "value": "0.5",
        "source": "default",
        "locked": None,
        "default": "0.5",
        "subject": "models",
        "tier": 1,
        "restart": False,
        "enters": False,
        "restarts": "",
        "secret": False,
        "whose": "page",
        "carries": "",
        "asks": False,
        "type": "number",
        "range": {"from": 0, "to": 1000},
        "help": "Dollars a day after which background work moves to the cheapest model.",
    }
    shown = command("config", "show", "FUROSHIKI_LOG_LEVEL").out
    assert "debug" in shown and "config set FUROSHIKI_LOG_LEVEL VALUE" in shown


def test_all_settings_are_shown_with_tier_lock_and_range(command: Command) -> None:
    found = command("config", "show", "--json").json
    assert set(found) == {name.upper() for name in Settings.model_fields}
    assert all(row["help"] and row["tier"] in (1, 2, 3) and row["type"] for row in found.values())
    assert {row["name"] for row in found.values() if row["locked"] is None} == {
        name.upper() for name, field in Settings.model_fields.items() if field.tier == 1 and not field.secret
    }


@pytest.mark.parametrize(
    ("name", "typed", "kept"),
    [
        ("FUROSHIKI_BUBBLES", "yes", True),
        ("FUROSHIKI_SOFT_BUDGET_USD", "0.25", 0.25),
        ("furoshiki_companion_name", "Mika", "Mika"),
        ("FUROSHIKI_GROUPS", "on", True),
    ],
)
def test_a_setting_is_set_holds_and_goes_back_to_its_default(
    command: Command, data: Path, name: str, typed: str, kept: object
) -> None:
    before = command("config", "show", name, "--json").json["value"]
    done = command("config", "set", name, typed, "--json")
    assert done.status == 0 and done.json["changed"] and done.json["value"] == str(kept)
    assert written(data) == {name.upper(): kept}
    assert command("config", "show", name, "--json").json["source"] == "memory/operator_settings.json"
    assert not command("config", "set", name, typed, "--json").json["changed"]
    assert command("config", "unset", name).status == 0
    assert written(data) == {}
    assert command("config", "show", name, "--json").json["value"] == before


@pytest.mark.parametrize(
    ("name", "value", "why"),
    [
        ("FUROSHIKI_SEED", "7", "is tier 2"),
        ("OPENAI_API_KEY", "sk-canary", "is a secret"),
        ("FUROSHIKI_LANGUAGE", "de", "is set by environment"),
        ("FUROSHIKI_BUBBLES", "true", "is set by .env of the data directory"),
    ],
)
def test_what_is_locked_is_refused_with_the_reason(
    command: Command, data: Path, monkeypatch: pytest.MonkeyPatch, name: str, value: str, why: str
) -> None:
    monkeypatch.setenv("FUROSHIKI_LANGUAGE", "en")
    (data / ".env").write_text("FUROSHIKI_BUBBLES=false\n")
    for args in (("set", name, value), ("unset", name)):
        refused = command("config", *args)
        assert refused.status == 1 and why in refused.err and "canary" not in refused.err
    assert not (data / "memory" / "operator_settings.json").exists()
    assert why in command("config", "show", name, "--json").json["locked"]


@pytest.mark.parametrize(
    ("name", "value", "why"),
    [
        ("FUROSHIKI_SOFT_BUDGET_USD", "2000", "1000"),
        ("FUROSHIKI_TIMEZONE", "Europe/Lisbn", "did you mean Europe/Lisbon?"),
        ("FUROSHIKI_BUBBLES", "perhaps", "true or false"),
    ],
)
def test_a_wrong_value_is_refused_and_nothing_is_written(
    command: Command, data: Path, name: str, value: str, why: str
) -> None:
    refused = command("config", "set", name, value)
    assert refused.status == 3 and why in refused.err and refused.err.count("\n") == 1
    assert not (data / "memory" / "operator_settings.json").exists()


def test_what_is_the_owners_is_set_in_env(command: Command, data: Path) -> None:
    done = command("config", "set", "TELEGRAM_OWNER_ID", "42", "--json")
    assert done.json["changed"] and done.json["source"] == ".env of the data directory"
    assert "TELEGRAM_OWNER_ID=42\n" in (data / ".env").read_text()
    assert command("config", "unset", "TELEGRAM_OWNER_ID", "--json").json["value"] is None
