"""Settings: one model behind the page, the template and the docs, and nobody overwrites anybody."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from furoshiki.app.wiring import SystemClock, build_world
from furoshiki.core import settings
from furoshiki.core.settings import Settings
from furoshiki.maintenance import operator_settings
from tests.docs.generate import pages
from tests.support.dashboard import House, Signed, save, seen

NAME, FIELD = "FUROSHIKI_COMPANION_NAME", "furoshiki_companion_name"
KEY = "sk-ant-canary"
COMPANION = "/settings/companion"


@pytest.fixture(autouse=True)
def nothing_from_outside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "ROOT", tmp_path / "checkout")
    for name in Settings.model_fields:
        monkeypatch.delenv(name.upper(), raising=False)


def written(house: House) -> dict[str, object]:
    path = house.world.home / "memory" / "operator_settings.json"
    return json.loads(path.read_text()) if path.is_file() else {}


def mark(html: str, name: str = NAME) -> str:
    """What the form of a setting says its owner looked at."""
    assert (found := seen(html, name))
    return found


def put(house: House, name: str, value: object) -> tuple[int, str]:
    return save(house.client, house.csrf, name, value)


def test_page_template_and_docs_come_of_one_model(house: House) -> None:
    html = "".join(house.page(f"/settings/{subject}") for subject in settings.load_subjects())
    names = [name.upper() for name in Settings.model_fields]
    assert sorted(re.findall(r"<h3><code>(\w+)</code></h3>", html)) == sorted(names)
    by_file = {path.name: text for path, text in pages().items()}
    for name in names:
        assert f"`{name}`" in by_file["settings.md"]
        assert name == "FUROSHIKI_DATA" or f"#{name}=" in by_file[".env.template"]
        assert settings.describe(name.lower())["subject"] in settings.load_subjects()


def test_sources_locks_and_secrets(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    credentials = house.world.home / "credentials"
    credentials.mkdir()
    (credentials / "furoshiki_timezone").write_text("Asia/Tokyo")
    monkeypatch.setenv("CREDENTIALS_DIRECTORY", str(credentials))
    monkeypatch.setenv("FUROSHIKI_BUBBLES", "true")
    (house.world.home / ".env").write_text(f"ANTHROPIC_API_KEY={KEY}\nFUROSHIKI_LANGUAGE=de\n")
    put(house, NAME, "Mika")
    sources = {
        "FUROSHIKI_BUBBLES": ("environment", True),
        "FUROSHIKI_TIMEZONE": ("systemd credential", True),
        "FUROSHIKI_LANGUAGE": (".env of the data directory", True),
        NAME: ("memory/operator_settings.json", False),
        "FUROSHIKI_REACTIONS": ("default", False),
        "FUROSHIKI_SEED": ("default", True),
    }
    given = settings.effective(data=house.world.home)
    told = {name: operator_settings.describe(name.lower(), settings.build_settings(given), given) for name in sources}
    assert {name: (row["source"], row["locked"] is not None) for name, row in told.items()} == sources
    html = "".join(house.page(f"/settings/{subject}") for subject in settings.load_subjects())
    assert KEY not in html
    assert "is set by systemd credential" in html and "is tier 2" in html


def test_a_change_holds_in_a_running_companion(house: House, migrated: Callable[[Path], Path]) -> None:
    """What is saved here is what another process has at its next look, without a restart."""
    data = house.world.home
    migrated(data / "memory" / "longmemory.sqlite")
    listener = build_world(settings.load({"FUROSHIKI_DATA": str(data)}), SystemClock(), spawn_memoryd=False)
    for name, value in ((NAME, "Mika"), ("FUROSHIKI_GROUPS", True)):
        assert put(house, name, value)[0] == 200
    listener = listener.follow(listener)
    assert listener.settings.furoshiki_companion_name == "Mika"
    assert not listener.settings.furoshiki_groups, "this one needs a restart, and says so"
    house.post(f"/settings/{NAME}", do="default", seen=mark(house.page(COMPANION)))
    assert listener.follow(listener).settings.furoshiki_companion_name == "Furo"


def test_a_viewer_changes_nothing(signed: Signed) -> None:
    viewer = signed("viewer")
    html = viewer.page(COMPANION)
    assert "Save" not in html
    sent = {"csrf": viewer.csrf, "seen": "x", "value": "Mika"}
    assert viewer.client.post(f"/settings/{NAME}", data=sent).status_code == 403


def test_a_form_saves_and_goes_back_to_the_default(house: House) -> None:
    html = house.post(f"/settings/{NAME}", value="Mika", do="save", seen=mark(house.page(COMPANION)), q="called")
    assert f"{NAME} is now Mika. It holds now." in html and written(house) == {NAME: "Mika"}
    assert "Back to default" in html
    groups = mark(house.page("/settings/telegram"), "FUROSHIKI_GROUPS")
    groups = house.post("/settings/FUROSHIKI_GROUPS", value="True", seen=groups)
    assert "FUROSHIKI_GROUPS is now on. It takes effect once the listener is restarted." in groups
    house.post("/settings/FUROSHIKI_GROUPS", do="default", seen=mark(groups, "FUROSHIKI_GROUPS"))
    html = house.post(f"/settings/{NAME}", do="default", seen=mark(html))
    assert f"{NAME} is now Furo (its default)." in html and not written(house)


def test_what_does_not_fit_stands_at_its_field_with_what_was_typed(house: House) -> None:
    html = house.page(COMPANION)
    looked_at, name = mark(html, "FUROSHIKI_TIMEZONE"), "furoshiki_timezone"
    answer = house.client.post(
        f"/settings/{name}", data={"csrf": house.csrf, "seen": looked_at, "value": "Europe/Lisbn", "q": "zone"}
    )
    assert answer.status_code == 422
    field = answer.text.split(f'id="{name}-value"')[1].split("</form>")[0]
    assert 'value="Europe/Lisbn"' in field and 'aria-invalid="true"' in field
    assert f'id="{name}-fault" role="alert"' in field and "did you mean Europe/Lisbon?" in field


def test_the_second_of_two_editors_is_told_and_loses_nothing(house: House) -> None:
    looked_at = mark(house.page(COMPANION))
    house.post(f"/settings/{NAME}", value="Mika", seen=looked_at)
    sent = {"csrf": house.csrf, "value": "Nemo", "seen": looked_at}
    answer = house.client.post(f"/settings/{NAME}", data=sent)
    assert answer.status_code == 409 and "it&#39;s now Mika" in answer.text and 'value="Nemo"' in answer.text
    assert written(house) == {NAME: "Mika"}
    house.post(f"/settings/{NAME}", value="Nemo", seen=mark(answer.text))
    assert written(house) == {NAME: "Nemo"}


@pytest.mark.parametrize(
    ("q", "names"),
    [
        ("timezone", {"FUROSHIKI_TIMEZONE"}),
        ("dollars plugin review", {"FUROSHIKI_PLUGIN_REVIEW_USD"}),
        ("<script>alert(1)</script>", set()),
    ],
)
def test_a_search_finds_words_of_what_is_shown(house: House, q: str, names: set[str]) -> None:
    html = house.client.get("/settings", params={"q": q}).text
    assert set(re.findall(r"<h3><code>(\w+)</code></h3>", html)) == names
    assert "<script>alert" not in html


def test_a_value_is_shown_as_words(house: House) -> None:
    html = house.post(f"/settings/{NAME}", value='"><img src=x onerror=a()>', seen=mark(house.page(COMPANION)))
    assert "<img" not in html and "&lt;img src=x" in html


@pytest.mark.parametrize(
    ("name", "value", "status", "words"),
    [
        ("FUROSHIKI_SEED", 7, 409, "is tier 2"),
        ("FUROSHIKI_CHROMA_TOKEN", "x", 409, "is a secret"),
        ("FUROSHIKI_BUBLES", True, 404, "There is no setting"),
        ("FUROSHIKI_SOFT_BUDGET_USD", 5000, 422, "must be at most 1000"),
    ],
)
def test_it_is_refused_with_the_reason(house: House, name: str, value: object, status: int, words: str) -> None:
    told = put(house, name, value)
    assert told[0] == status and words in told[1]
    assert not written(house)


def test_a_subject_has_a_short_page_and_the_rest_folded_away(house: House) -> None:
    first = house.page("/settings")
    assert all(f'href="/settings/{subject}"' in first for subject in settings.load_subjects()) and "<h3>" not in first
    html = house.page("/settings/thinking")
    seen_at_once, _, folded = html.partition('<details id="rest-thinking">')
    assert "FUROSHIKI_WANDERING" in seen_at_once + folded and "FUROSHIKI_SOUL_ENGINE" in folded
    assert house.client.get("/settings/made-up").status_code == 404


def test_a_fault_in_what_is_folded_away_is_seen_at_once(house: House) -> None:
    sent = {"csrf": house.csrf, "seen": "x", "value": "7"}
    answer = house.client.post("/settings/FUROSHIKI_SEED", data=sent)
    seen_at_once = answer.text.partition('<details id="rest-')[0]
    assert answer.status_code == 409 and "FUROSHIKI_SEED" in seen_at_once and 'class="fault"' in seen_at_once
