"""Settings: where each comes from, what is refused, and that nothing secret is printed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from furoshiki.core import paths, settings
from furoshiki.core.errors import BadSetting
from furoshiki.core.settings import Settings, list_held_back

CREDENTIALS = "CREDENTIALS_DIRECTORY"


class Machine:
    """A data directory, a checkout and a service manager that may each say something about settings."""

    def __init__(self, folder: Path) -> None:
        self.data = folder / "data"
        self.checkout = folder / "checkout"
        self.credentials = folder / "credentials"
        for made in (self.data / "memory", self.checkout, self.credentials):
            made.mkdir(parents=True)
        self.environ = {"FUROSHIKI_DATA": str(self.data), CREDENTIALS: str(self.credentials)}

    def operator(self, text: str | dict[str, Any]) -> None:
        words = text if isinstance(text, str) else json.dumps(text)
        (self.data / "memory" / "operator_settings.json").write_text(words, encoding="utf-8")

    def env_file(self, text: str) -> None:
        (self.data / ".env").write_text(text, encoding="utf-8")

    def load(self) -> Settings:
        return settings.load(self.environ)

    def sources(self) -> dict[str, str]:
        return {name: source for name, (_, source) in settings.effective(self.environ).items()}


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    made = Machine(tmp_path)
    monkeypatch.setattr(settings, "ROOT", made.checkout)
    monkeypatch.setattr(paths, "ROOT", made.checkout)
    return made


def refusal(machine: Machine) -> str:
    with pytest.raises(BadSetting) as caught:
        machine.load()
    return str(caught.value)


def test_with_nothing_said_everything_has_a_value(machine: Machine) -> None:
    found = machine.load()
    assert found.data == machine.data
    assert found.database == machine.data / "memory" / "longmemory.sqlite"
    assert (found.furoshiki_companion_name, found.telegram_bot_token, found.secrets()) == ("Furo", None, ())
    assert machine.sources() == {"furoshiki_data": "environment"}
    assert settings.effective({})["furoshiki_data"] == (str(Path("~/.furoshiki").expanduser()), "default")


def test_who_is_nearer_to_the_process_is_believed(machine: Machine) -> None:
    name = "FUROSHIKI_COMPANION_NAME"
    seen = []

    def look() -> None:
        seen.append((machine.load().furoshiki_companion_name, machine.sources()[name.lower()]))

    machine.operator({name: "Operator"})
    look()
    (machine.checkout / ".env").write_text(f"{name}=Checkout\n")
    look()
    machine.env_file(f"export {name}='Data'")
    look()
    (machine.credentials / name.lower()).write_text("Credential\n")
    look()
    machine.environ[name] = "Environment"
    look()
    machine.environ[name] = ""
    look()
    assert seen == [
        ("Operator", "memory/operator_settings.json"),
        ("Checkout", ".env of the checkout"),
        ("Data", ".env of the data directory"),
        ("Credential", "systemd credential"),
        ("Environment", "environment"),
        ("Credential", "systemd credential"),
    ]


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("A=b", "b"),
        ("export A = b c ", "b c"),
        ('A="b # c" # d', "b # c"),
        ("A='b'", "b"),
        ("A=b#c # d", "b#c"),
        ('A="b', '"b'),
        ("A=", ""),
        ("\ufeffA=b=c", "b=c"),
    ],
)
def test_a_line_of_an_env_file(tmp_path: Path, line: str, value: str) -> None:
    (tmp_path / ".env").write_text(f"{line}\n\n# a comment\n")
    assert paths.read_env_file(tmp_path / ".env") == {"A": value}


def test_there_need_be_no_env_file(tmp_path: Path) -> None:
    assert paths.read_env_file(tmp_path / ".env") == {}


@pytest.mark.parametrize(
    ("environ", "words"),
    [
        ({"FUROSHIKI_TIMEZON": "UTC"}, "(in environment) is not a setting; did you mean FUROSHIKI_TIMEZONE? See"),
        ({"FUROSHIKI_XYZZY_QWERTZ_12345": "1"}, "is not a setting. See `furoshiki config docs`"),
        ({"FUROSHIKI_TIMEZONE": "Europe/Lisbonn"}, "no such time zone; did you mean Europe/Lisbon?"),
        ({"FUROSHIKI_TIMEZONE": "0"}, "FUROSHIKI_TIMEZONE: no such time zone"),
        ({"FUROSHIKI_DATABASE_URL": "postgres://x"}, "only sqlite:///path works"),
        ({"FUROSHIKI_BUBBLES": "perhaps"}, "FUROSHIKI_BUBBLES: must be true or false"),
        ({"FUROSHIKI_LOG_LEVEL": "loud"}, "LOG_LEVEL: must be one of debug, info, warning or error"),
        ({"FUROSHIKI_HARD_BUDGET_USD": "-1"}, "FUROSHIKI_HARD_BUDGET_USD: must be at least 0"),
        ({"FUROSHIKI_GATE_MATURITY": "much"}, "FUROSHIKI_GATE_MATURITY: must be a number"),
        ({"FUROSHIKI_COMPANION_NAME": "x" * 41}, "FUROSHIKI_COMPANION_NAME: must have at most 40 characters"),
        ({"FUROSHIKI_SAFETY_STAGES": "D"}, "FUROSHIKI_SAFETY_STAGES: is not valid. It is: Safety ceilings"),
        ({"TELEGRAM_BOT_TOKEN": "abc"}, "TELEGRAM_BOT_TOKEN: is not a bot token (123456:letters…): copy it again"),
        (
            {"TELEGRAM_API_URL": "api.telegram.org"},
            "TELEGRAM_API_URL: is not an address: write it like https://api.teleg",
        ),
        (
            {"OPENAI_BASE_URL": "http://box:99999/v1"},
            "OPENAI_BASE_URL: is not an address: write it like https://api.openai.com/v1",
        ),
        ({"FUROSHIKI_CHROMA_URL": "localhost:8000"}, "FUROSHIKI_CHROMA_URL: is not an address"),
        ({"TELEGRAM_OWNER_ID": "-5", "FUROSHIKI_SEED": "x"}, "TELEGRAM_OWNER_ID: must be more than 0; FURO"),
    ],
)
def test_a_wrong_setting_is_named_with_what_is_right(machine: Machine, environ: dict[str, str], words: str) -> None:
    machine.environ |= environ
    assert words in refusal(machine)


def test_names_of_others_are_none_of_our_business(machine: Machine) -> None:
    machine.environ |= {"PATH": "/bin", "FUROSHIKI_CRASH_AT": "x", "TELEGRAM_SOMETHING": "y"}
    (machine.credentials / "their_key").write_bytes(b"\xff\x00")
    assert machine.load().data == machine.data


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("OPENAI_API_KEI=x", "OPENAI_API_KEI (in .env of the data directory) is not a setting; did you mean OPENAI_"),
        ("FUROSHIKI_DATA=/elsewhere", "can be set by environment only"),
        ("OPENAI_API_KEY: x", ".env line 1: expected NAME=value"),
    ],
)
def test_a_wrong_line_of_an_env_file_is_named(machine: Machine, text: str, words: str) -> None:
    machine.env_file(text)
    assert words in refusal(machine)


def test_an_empty_line_of_an_env_file_says_nothing(machine: Machine) -> None:
    machine.env_file("FUROSHIKI_DATA=\nOPENAI_API_KEY=\n")
    assert machine.load().openai_api_key is None


def test_an_env_file_of_bytes_is_named(machine: Machine) -> None:
    (machine.data / ".env").write_bytes(b"A=\xff")
    assert ".env cannot be read" in refusal(machine)
    (machine.credentials / "openai_api_key").mkdir()
    machine.env_file("")
    assert "openai_api_key cannot be read" in refusal(machine)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "is not valid JSON"),
        ("[]", "must hold one JSON object"),
    ],
)
def test_a_wrong_operators_file_is_named(machine: Machine, text: str, words: str) -> None:
    machine.operator(text)
    assert words in refusal(machine)


def test_what_the_pages_of_another_release_set_stops_nothing_and_is_named(machine: Machine) -> None:
    machine.operator({"FUROSHIKI_BUBBLE": True, "FUROSHIKI_XYZZY_QWERTZ_12345": "vivid", "FUROSHIKI_BUBBLES": True})
    found = machine.load()
    assert found.furoshiki_bubbles
    assert list_held_back(found.data) == [
        "FUROSHIKI_BUBBLE (in memory/operator_settings.json) is not a setting here, and does nothing; did you mean "
        "FUROSHIKI_BUBBLES?",
        "FUROSHIKI_XYZZY_QWERTZ_12345 (in memory/operator_settings.json) is not a setting here, and does nothing.",
    ]


def test_what_the_pages_wrote_that_cannot_hold_is_named_and_the_default_holds(machine: Machine) -> None:
    machine.operator(
        {
            "FUROSHIKI_SEED": 1,
            "FUROSHIKI_BUBBLES": [1],
            "FUROSHIKI_HARD_BUDGET_USD": "much",
            "FUROSHIKI_WANDERING": "off",
        }
    )
    found, plain = machine.load(), Settings()
    assert found.furoshiki_bubbles == plain.furoshiki_bubbles
    assert found.furoshiki_hard_budget_usd == plain.furoshiki_hard_budget_usd
    assert found.furoshiki_wandering != plain.furoshiki_wandering
    seed, bubbles, budget = list_held_back(found.data)
    assert "FUROSHIKI_SEED (in memory/operator_settings.json) does nothing there" in seed
    assert bubbles.startswith("FUROSHIKI_BUBBLES: must be") and "`furoshiki config unset FUROSHIKI_BUBBLES`" in bubbles
    assert budget.startswith("FUROSHIKI_HARD_BUDGET_USD: must be a number")


def test_an_operators_file_holds_plain_values(machine: Machine) -> None:
    machine.operator({"FUROSHIKI_BUBBLES": True, "FUROSHIKI_HARD_BUDGET_USD": 2.5})
    found = machine.load()
    assert (found.furoshiki_bubbles, found.furoshiki_hard_budget_usd) == (True, 2.5)


def test_there_need_be_no_credentials(machine: Machine) -> None:
    machine.environ[CREDENTIALS] = str(machine.data / "nowhere")
    assert machine.load().data == machine.data


def test_secrets_are_known_and_never_printed(machine: Machine) -> None:
    machine.environ |= {"TELEGRAM_BOT_TOKEN": "123:canary", "OPENAI_API_KEY": "sk-canary", "FUROSHIKI_SEED": "canary"}
    assert "canary" not in refusal(machine)
    del machine.environ["FUROSHIKI_SEED"]
    found = machine.load()
    assert sorted(found.secrets()) == ["123:canary", "sk-canary"]
    assert "canary" not in repr(found) + str(found) + str(found.model_dump())


def test_the_database_may_lie_elsewhere(machine: Machine) -> None:
    machine.environ["FUROSHIKI_DATABASE_URL"] = "sqlite:////srv/furo.sqlite"
    assert machine.load().database == paths.database(machine.environ) == Path("/srv/furo.sqlite")


def test_the_database_is_found_without_the_settings_model(machine: Machine) -> None:
    assert paths.database(machine.environ) == machine.data / "memory" / "longmemory.sqlite"
    machine.env_file("FUROSHIKI_DATABASE_URL=sqlite:////srv/data.sqlite")
    assert paths.database(machine.environ) == machine.load().database == Path("/srv/data.sqlite")


def test_the_zone_is_the_one_that_was_set_or_the_machines(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "Asia/Kolkata")
    assert str(machine.load().zone) == "Asia/Kolkata"
    monkeypatch.setenv("TZ", "Nowhere/At_All")
    assert str(machine.load().zone) == "UTC"
    machine.environ["FUROSHIKI_TIMEZONE"] = "Europe/Lisbon"
    assert str(machine.load().zone) == "Europe/Lisbon"


def test_the_template_names_every_setting_a_file_may_hold_and_sets_none(tmp_path: Path) -> None:
    template = tmp_path / ".env"
    text = (paths.ROOT / ".env.template").read_text()
    template.write_text(text)
    assert paths.read_env_file(template) == {}
    template.write_text(text.replace("\n#", "\n").replace("\n ", "\n# "))
    named = {name.lower() for name in paths.read_env_file(template)}
    assert named == set(Settings.model_fields) - {"furoshiki_data"}


def test_the_page_has_a_row_for_every_setting() -> None:
    page = settings.docs()
    assert all(page.count(f"\n| `{name.upper()}` |") == 1 for name in Settings.model_fields)
