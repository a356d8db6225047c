"""Whose a setting is, and what travels to where it says: every setting is walked through, so that a new one decides."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from furoshiki.core import paths, settings
from furoshiki.core.errors import BadSetting
from furoshiki.core.network.providers import over_the_net
from furoshiki.core.settings import PAGES, WHERE, Settings
from furoshiki.maintenance import operator_settings
from furoshiki.maintenance.operator_settings import Locked, OwnersWord

ROWS = {name: settings.describe(name) for name in Settings.model_fields}
SECRETS = [name for name, row in ROWS.items() if row["secret"]]
CARRYING = [(name, str(row["carries"])) for name, row in ROWS.items() if row["carries"] in Settings.model_fields]
LINKS = "links that sign in"

ITS_OWN_ADDRESS = {"furoshiki_proxy"}
"""A secret that is an address, with what lets in inside it."""

TEXT = {
    "furoshiki_companion_name": "what it is called",
    **dict.fromkeys(
        (f"furoshiki_model_{tier}" for tier in ("chat", "deep", "reflect", "fast", "micro", "pictures", "hearing")),
        "a model",
    ),
    "furoshiki_embedder": "a folder, or a name that Hugging Face knows",
    "furoshiki_repair_command": "a command of this machine",
    "furoshiki_plugin_local_hosts": "hosts that may be spoken to; each plugin's settings say what travels",
    "furoshiki_no_proxy": "hosts that are gone to directly",
    "furoshiki_data": "a folder",
    "furoshiki_homes": "a folder",
    "furoshiki_voice_model": "a folder",
    "furoshiki_speech_voice": "a folder",
}
"""Settings that take the text of an address, and ask nobody there: what they hold instead."""

HOSTS_KEY, OWN_KEY, EVIL = "1234567:hosts-key", "7654321:own-key", "https://evil.example:8443"


@pytest.fixture(autouse=True)
def nothing_from_outside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for where in (settings, paths):
        monkeypatch.setattr(where, "ROOT", tmp_path / "checkout")
    for name in Settings.model_fields:
        monkeypatch.delenv(name.upper(), raising=False)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home of a host."""
    (tmp_path / "homes" / paths.HOST).mkdir(parents=True)
    made = tmp_path / "homes" / "anna"
    (made / "memory").mkdir(parents=True)
    return made


@pytest.fixture
def alone(tmp_path: Path) -> Path:
    """A data directory by itself."""
    (tmp_path / "data" / "memory").mkdir(parents=True)
    return tmp_path / "data"


def write(folder: Path, **values: str) -> None:
    (folder / ".env").write_text("".join(f"{name.upper()}={value}\n" for name, value in values.items()))


def host_writes(home: Path, **values: str) -> None:
    write(home.parent / paths.HOST, **values)


def page_wrote(data: Path, **values: object) -> None:
    (data / PAGES).write_text(json.dumps({name.upper(): value for name, value in values.items()}))


def holds(data: Path, name: str) -> str | None:
    """The secret that a home would use."""
    found = getattr(settings.load({"FUROSHIKI_DATA": str(data)}), name)
    return None if found is None else str(found.get_secret_value())


@pytest.mark.parametrize("name", ROWS)
def test_a_setting_says_whose_it_is_and_what_travels_to_it(name: str) -> None:
    row = ROWS[name]
    assert row["whose"] in ("operator", "owner", "page")
    assert row["carries"] in ("", LINKS, *SECRETS)
    if row["whose"] == "page":
        assert row["tier"] == 1 and not row["secret"] and not row["carries"], "nothing of a page's lets anybody in"
    if row["secret"] and name not in ITS_OWN_ADDRESS:
        assert [address for address, secret in CARRYING if secret == name], "say where it travels to"


@pytest.mark.parametrize("name", [name for name in ROWS if name not in SECRETS])
def test_a_setting_that_takes_an_address_says_what_travels_there(name: str) -> None:
    try:
        settings.validate(name, EVIL, "test", {})
    except BadSetting:
        return
    assert ROWS[name]["carries"] or name in TEXT


@pytest.mark.parametrize(("address", "secret"), CARRYING)
def test_address_and_secret_change_together(address: str, secret: str) -> None:
    assert bool(ROWS[address]["restart"]) == bool(ROWS[secret]["restart"])


@pytest.mark.parametrize(("address", "secret"), CARRYING)
def test_a_hosts_secret_does_not_travel_to_an_address_of_a_home(home: Path, address: str, secret: str) -> None:
    host_writes(home, **{secret: HOSTS_KEY})
    write(home, **{address: EVIL})
    used = holds(home, secret)
    set_to = str(getattr(settings.load({"FUROSHIKI_DATA": str(home)}), address))
    assert used is None or not set_to.startswith(EVIL)
    page_wrote(home, **({address: EVIL} if ROWS[address]["tier"] == 1 else {}))
    (home / ".env").unlink()
    assert holds(home, secret) is None or str(getattr(settings.load({"FUROSHIKI_DATA": str(home)}), address)) != EVIL


def test_what_is_held_back_is_told_with_cause_and_fix(home: Path) -> None:
    host_writes(home, openai_api_key=HOSTS_KEY, anthropic_api_key=HOSTS_KEY)
    write(home, openai_base_url=EVIL, anthropic_base_url=EVIL)
    told = settings.list_held_back(home)
    assert len(told) == 2
    assert all("(.env of the host) is not sent to" in one and "Set" in one and "take" in one for one in told)
    write(home, openai_base_url=EVIL, openai_api_key=OWN_KEY)
    assert holds(home, "openai_api_key") == OWN_KEY and not settings.list_held_back(home)
    write(home, openai_api_key=OWN_KEY)
    host_writes(home, openai_base_url="https://operators.example/v1", openai_api_key=HOSTS_KEY)
    assert holds(home, "openai_api_key") == OWN_KEY, "a secret may travel to an address that is set above it"


@pytest.mark.parametrize(("address", "secret"), CARRYING)
def test_who_lives_alone_may_keep_the_two_in_different_places(
    alone: Path, monkeypatch: pytest.MonkeyPatch, address: str, secret: str
) -> None:
    write(alone, **{address: EVIL})
    monkeypatch.setenv(secret.upper(), OWN_KEY)
    environ = {"FUROSHIKI_DATA": str(alone), secret.upper(): OWN_KEY}
    held = settings.load(environ)
    assert getattr(held, secret).get_secret_value() == OWN_KEY and str(getattr(held, address)).startswith(EVIL)


def test_what_a_page_wrote_of_the_owners_does_not_hold(alone: Path) -> None:
    write(alone, openai_api_key=OWN_KEY)
    page_wrote(
        alone, openai_base_url=EVIL, telegram_owner_id=666, furoshiki_dashboard_host="0.0.0.0", furoshiki_groups=True
    )
    held = settings.load({"FUROSHIKI_DATA": str(alone)})
    assert (held.openai_base_url, held.telegram_owner_id, held.furoshiki_dashboard_host) == (None, None, "127.0.0.1")
    assert held.openai_api_key is None, "where it was meant to go is not known, so it goes nowhere"
    assert held.furoshiki_groups
    told = " ".join(settings.list_held_back(alone))
    assert "OPENAI_BASE_URL (in memory/operator_settings.json) does not hold there" in told
    assert "furoshiki config set TELEGRAM_OWNER_ID" in told


@pytest.mark.parametrize("name", [name for name, row in ROWS.items() if row["whose"] != "page"])
def test_a_page_changes_nothing_that_is_not_its_own(alone: Path, name: str) -> None:
    for text in (None, SAMPLES.get(name, "7")):
        with pytest.raises((Locked, OwnersWord)):
            operator_settings.change(alone, name, text)
    assert not (alone / PAGES).exists() and not (alone / ".env").exists()


SAMPLES = {
    **{spec.address_setting.lower(): EVIL for spec in over_the_net()},
    "furoshiki_dashboard_host": "0.0.0.0", "furoshiki_dashboard_port": "8331",
    "furoshiki_dashboard_url": EVIL, "furoshiki_dashboard": "true", "furoshiki_embedder": "colbert-small",
    "furoshiki_voice_model": "/v", "furoshiki_speech_voice": "/v", "furoshiki_homes": "/h",
    "furoshiki_chroma_url": EVIL,
    "furoshiki_repair_command": "/bin/sh", "furoshiki_plugin_sandbox": "landlock",
    "furoshiki_plugin_local_hosts": "nas.local:80", "furoshiki_host_health": "127.0.0.1:8790",
    "furoshiki_host_memory_mb": "512",
    "furoshiki_host_cpu_percent": "50", "furoshiki_host_tasks": "128",
}  # fmt: skip


OPERATORS = [name for name, row in ROWS.items() if row["whose"] == "operator" and name not in WHERE]


@pytest.mark.parametrize("name", OPERATORS)
def test_what_is_the_operators_holds_in_no_file_of_a_home(home: Path, name: str) -> None:
    def now() -> object:
        return getattr(settings.load({"FUROSHIKI_DATA": str(home)}), name)

    before, text = now(), SAMPLES.get(name, "7")
    write(home, **{name: text})
    assert now() == before
    host_writes(home, **{name: text})
    assert now() != before
    with pytest.raises(Locked):
        operator_settings.change(home, name, text, agreed=True)


def test_with_the_owners_word_it_stands_in_env_and_no_more_among_what_pages_wrote(
    alone: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FUROSHIKI_DATA", str(alone))
    page_wrote(alone, openai_base_url=EVIL, furoshiki_groups=True)
    (alone / ".env").write_text("# mine\nOPENAI_API_KEY=k\n")
    given: Callable[[], str | None] = lambda: settings.load().openai_base_url  # noqa: E731
    assert operator_settings.change(alone, "openai_base_url", "http://localhost:11434/v1", agreed=True)
    assert given() == "http://localhost:11434/v1" and holds(alone, "openai_api_key") == "k"
    assert json.loads((alone / PAGES).read_text()) == {"FUROSHIKI_GROUPS": True}
    assert (alone / ".env").read_text().startswith("# mine\nOPENAI_API_KEY=k\n")
    assert not operator_settings.change(alone, "openai_base_url", "http://localhost:11434/v1", agreed=True)
    assert operator_settings.change(alone, "openai_base_url", None, agreed=True) and given() is None
    monkeypatch.setenv("OPENAI_BASE_URL", EVIL)
    with pytest.raises(Locked, match="is set by environment"):
        operator_settings.change(alone, "openai_base_url", "http://localhost:1/v1", agreed=True)
