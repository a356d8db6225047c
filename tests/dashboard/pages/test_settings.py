"""Settings, as a page and as `/api/v1/operator-settings`: one model behind both, and nobody overwrites anybody."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import jsonschema
import pytest

from furoshiki.app.wiring import SystemClock, build_world
from furoshiki.core import settings
from furoshiki.core.settings import Settings
from tests.docs.generate import pages
from tests.support.dashboard import House, Signed

API = "/api/v1/operator-settings"
NAME, FIELD = "FUROSHIKI_COMPANION_NAME", "furoshiki_companion_name"
KEY = "sk-ant-canary"


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
    found = re.search(rf'action="/settings/{name}".*?name="seen" value="(\w+)"', html, re.S)
    assert found is not None
    return found[1]


def test_page_api_template_and_docs_come_of_one_model(house: House) -> None:
    html, rows = house.page("/settings"), house.client.get(API).json()["items"]
    names = [name.upper() for name in Settings.model_fields]
    assert [row["name"] for row in rows] == names
    assert sorted(re.findall(r"<h3><code>(\w+)</code></h3>", html)) == sorted(names)
    by_file = {path.name: text for path, text in pages().items()}
    for row in rows:
        help_ = Settings.model_fields[row["name"].lower()].description
        assert row["help"] == help_ and f"`{row['name']}`" in by_file["settings.md"]
        assert row["name"] == "FUROSHIKI_DATA" or f"#{row['name']}=" in by_file[".env.template"]
        extra = Settings.model_fields[row["name"].lower()].json_schema_extra
        assert isinstance(extra, dict) and extra["subject"] in settings.SUBJECTS


def test_sources_locks_and_secrets(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    credentials = house.world.home / "credentials"
    credentials.mkdir()
    (credentials / "furoshiki_timezone").write_text("Asia/Tokyo")
    monkeypatch.setenv("CREDENTIALS_DIRECTORY", str(credentials))
    monkeypatch.setenv("FUROSHIKI_BUBBLES", "true")
    (house.world.home / ".env").write_text(f"ANTHROPIC_API_KEY={KEY}\nFUROSHIKI_LANGUAGE=de\n")
    house.client.put(f"{API}/{NAME}", json={"value": "Mika"}, headers={"X-CSRF-Token": house.csrf})
    found = {row["name"]: row for row in house.client.get(API).json()["items"]}
    sources = {
        "FUROSHIKI_BUBBLES": ("environment", True),
        "FUROSHIKI_TIMEZONE": ("systemd credential", True),
        "FUROSHIKI_LANGUAGE": (".env of the data directory", True),
        NAME: ("memory/operator_settings.json", False),
        "FUROSHIKI_REACTIONS": ("default", False),
        "FUROSHIKI_SEED": ("default", True),
    }
    assert {name: (found[name]["source"], found[name]["locked"] is not None) for name in sources} == sources
    assert found["ANTHROPIC_API_KEY"]["set"] and found["ANTHROPIC_API_KEY"]["value"] is None
    html = house.page("/settings")
    assert KEY not in html and KEY not in house.client.get(API).text
    assert "is set by systemd credential" in html and "is of tier 2" in html


def test_a_change_holds_in_a_running_companion(house: House, migrated: Callable[[Path], Path]) -> None:
    """What is saved here is what another process has at its next look, without a restart."""
    data = house.world.home
    migrated(data / "memory" / "longmemory.sqlite")
    listener = build_world(settings.load({"FUROSHIKI_DATA": str(data)}), SystemClock(), spawn_memoryd=False)
    headers = {"X-CSRF-Token": house.csrf}
    for name, value in ((NAME, "Mika"), ("FUROSHIKI_GROUPS", True)):
        assert house.client.put(f"{API}/{name}", json={"value": value}, headers=headers).status_code == 200
    listener = listener.follow(listener)
    assert listener.settings.furoshiki_companion_name == "Mika"
    assert not listener.settings.furoshiki_groups, "this one needs a restart, and says so"
    assert house.client.get(f"{API}/FUROSHIKI_GROUPS").json()["restarts"] == "the listener"
    assert house.client.delete(f"{API}/{NAME}", headers=headers).status_code == 204
    assert listener.follow(listener).settings.furoshiki_companion_name == "Furo"


def test_the_api_refuses_with_the_reason(house: House) -> None:
    def put(name: str, value: object, **headers: str) -> tuple[int, str]:
        answer = house.client.put(
            f"{API}/{name}", json={"value": value}, headers={"X-CSRF-Token": house.csrf, **headers}
        )
        return answer.status_code, answer.text

    for name, value, status, words in [
        ("FUROSHIKI_SEED", 7, 409, "is of tier 2"),
        ("OPENAI_API_KEY", "x", 409, "is a secret"),
        ("FUROSHIKI_BUBLES", True, 422, "did you mean FUROSHIKI_BUBBLES?"),
        ("FUROSHIKI_TIMEZONE", "Europe/Lisbn", 422, "did you mean Europe/Lisbon?"),
        ("FUROSHIKI_SOFT_BUDGET_USD", 5000, 422, "must be at most 1000"),
        ("FUROSHIKI_SOFT_BUDGET_USD", None, 422, "DELETE"),
        ("FUROSHIKI_SOFT_BUDGET_USD", [1], 422, "value"),
    ]:
        told = put(name, value)
        assert told[0] == status and words in told[1], (name, told)
    assert house.client.get(f"{API}/FUROSHIKI_BUBLES").status_code == 404
    assert not written(house)
    seen = house.client.get(f"{API}/{NAME}").headers["etag"]
    assert put(NAME, "Mika", **{"If-Match": seen})[0] == 200
    status, words = put(NAME, "Nemo", **{"If-Match": seen})
    assert status == 412 and "it is now Mika" in words and written(house) == {NAME: "Mika"}
    listed = house.client.get(API)
    assert house.client.get(API, headers={"If-None-Match": listed.headers["etag"]}).status_code == 304


def test_a_viewer_changes_nothing(signed: Signed) -> None:
    viewer = signed("viewer")
    headers = {"X-CSRF-Token": viewer.csrf}
    assert viewer.client.put(f"{API}/{NAME}", json={"value": "Mika"}, headers=headers).status_code == 403
    assert viewer.client.delete(f"{API}/{NAME}", headers=headers).status_code == 403
    html = viewer.page("/settings")
    assert "Save" not in html
    sent = {"csrf": viewer.csrf, "seen": "x", "value": "Mika"}
    assert viewer.client.post(f"/settings/{NAME}", data=sent).status_code == 403


def test_a_form_saves_and_goes_back_to_the_default(house: House) -> None:
    html = house.post(f"/settings/{NAME}", value="Mika", do="save", seen=mark(house.page("/settings")), q="called")
    assert f"{NAME} is now Mika. It holds now." in html and written(house) == {NAME: "Mika"}
    assert "Back to default" in html
    seen = mark(house.page("/settings"), "FUROSHIKI_GROUPS")
    groups = house.post("/settings/FUROSHIKI_GROUPS", value="True", seen=seen)
    assert "FUROSHIKI_GROUPS is now on. It holds once the listener is started again." in groups
    house.post("/settings/FUROSHIKI_GROUPS", do="default", seen=mark(groups, "FUROSHIKI_GROUPS"))
    html = house.post(f"/settings/{NAME}", do="default", seen=mark(html))
    assert f"{NAME} is now Furo (its default)." in html and not written(house)


def test_what_does_not_fit_stands_at_its_field_with_what_was_typed(house: House) -> None:
    html = house.page("/settings")
    seen, name = mark(html, "FUROSHIKI_TIMEZONE"), "furoshiki_timezone"
    answer = house.client.post(
        f"/settings/{name}", data={"csrf": house.csrf, "seen": seen, "value": "Europe/Lisbn", "q": "zone"}
    )
    assert answer.status_code == 422
    field = answer.text.split(f'id="{name}-value"')[1].split("</form>")[0]
    assert 'value="Europe/Lisbn"' in field and 'aria-invalid="true"' in field
    assert f'id="{name}-fault" role="alert"' in field and "did you mean Europe/Lisbon?" in field


def test_the_second_of_two_editors_is_told_and_loses_nothing(house: House) -> None:
    seen = mark(house.page("/settings"))
    house.post(f"/settings/{NAME}", value="Mika", seen=seen)
    sent = {"csrf": house.csrf, "value": "Nemo", "seen": seen}
    answer = house.client.post(f"/settings/{NAME}", data=sent)
    assert answer.status_code == 409 and "it is now Mika" in answer.text and 'value="Nemo"' in answer.text
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
    html = house.post(f"/settings/{NAME}", value='"><img src=x onerror=a()>', seen=mark(house.page("/settings")))
    assert "<img" not in html and "&lt;img src=x" in html


def test_what_the_api_answers_is_what_its_description_says(house: House) -> None:
    described = house.client.get("/api/v1/openapi.json").json()
    schema = described["paths"][API]["get"]["responses"]["200"]["content"]["application/json"]["schema"]
    jsonschema.validate(house.client.get(API).json(), {**schema, "components": described["components"]})
