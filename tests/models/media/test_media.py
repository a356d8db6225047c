"""A provider that paints or hears is asked once, in the form each server takes; what it costs is in the ledger."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from furoshiki.core.errors import BadSetting
from furoshiki.models.llm.rules.budget import BudgetLimits
from furoshiki.models.llm.values import CallRecord
from furoshiki.models.media import asking, choosing, service
from furoshiki.models.media.service import Media
from furoshiki.models.media.values import Made, Maker, NotMade
from tests.models.llm.server import Reply, Server
from tests.support import painters
from tests.support.painters import JPEG, KEY, PNG, refused, told

NOW = datetime(2026, 11, 28, 12, tzinfo=UTC)
PROMPT = "a fox asleep on a roof"


@dataclass
class Studio:
    """One server, set as a provider's address."""

    data: Path
    server: Server
    provider: str = "openai"
    model: str = "gpt-image-2"
    booked: list[CallRecord] = field(default_factory=list)
    more: dict[str, Any] = field(default_factory=dict)

    @property
    def values(self) -> dict[str, str | None]:
        named = f"{self.provider}:{self.model}"
        of_provider = self.provider.upper()
        return {
            f"{of_provider}_API_KEY": KEY,
            f"{of_provider}_BASE_URL": f"{self.server.url}/v1",
            "FUROSHIKI_MODEL_PICTURES": named,
            "FUROSHIKI_MODEL_HEARING": named,
        }

    def media(self) -> Media:
        if not hasattr(self, "_media"):
            self._media = painters.media(self.values, self.booked.append, self.data, lambda: NOW, **self.more)
        return self._media

    def maker(self, use: Any = "pictures") -> Maker:
        found = self.media().maker(use, self.values)
        assert found is not None
        return found

    async def paint(self) -> Made:
        return await self.media().paint(self.maker(), PROMPT, "inbox:1")

    async def fails(self) -> NotMade:
        with pytest.raises(NotMade) as failed:
            await self.paint()
        assert KEY not in str(failed.value)
        return failed.value


@pytest.fixture
async def server() -> AsyncIterator[Server]:
    async with Server(painters.picture()) as opened:
        yield opened


FAMILIES = {
    "gpt-image": ("openai", "gpt-image-2", painters.gpt_image, JPEG, 1, 0.07),
    "a row's fields refused": ("openai", "grok", painters.grok, JPEG, 4, 0.0),
    "grok": ("xai", "grok-imagine-image", painters.grok, JPEG, 1, 0.02),
    "without a reason": ("compatible", "sd", painters.silent_refuser, PNG, 3, 0.0),
    "an address of its own": ("compatible", "sd", painters.local, PNG, 2, 0.0),
    "in a chat": ("openrouter", "google/gemini-3.1-flash-image-preview", painters.in_chat, PNG, 1, 0.067),
}


@pytest.mark.parametrize("family", FAMILIES)
async def test_each_family_paints_and_is_then_asked_without_what_it_refused(
    family: str, server: Server, tmp_path: Path
) -> None:
    provider, model, answering, data, requests, usd = FAMILIES[family]
    server.replies[:] = [answering]
    studio = Studio(tmp_path, server, provider, model)
    made = await studio.paint()
    assert made.data == data and made.record.cost_usd == pytest.approx(usd)
    assert made.record.purpose == "pictures" and made.record.turn_key == "inbox:1" and not studio.booked
    assert len(server.bodies) == requests
    assert PROMPT in str(server.bodies[0]) and server.headers[0]["authorization"] == f"Bearer {KEY}"
    await studio.paint()
    again = 2 if answering is painters.local else 1
    assert len(server.bodies) == requests + again, "what it refused is remembered"


FAILURES: dict[str, tuple[Reply, str, float]] = {
    "moderation": (
        refused("Your request was rejected by the safety system.", code="moderation_blocked"),
        "declined",
        0,
    ),
    "no picture": (told({"data": []}), "declined", 0),
    "an empty one": (told({"data": [{"b64_json": "", "revised_prompt": "x"}]}), "declined", 0),
    "a wrong key": (refused(f"Incorrect API key provided: {KEY}", 401), "key", 0),
    "no credit": (refused("insufficient_quota", 402), "credit", 0),
    "no such model": (refused("The model does not exist", 404), "model", 0),
    "too many": (refused("slow down", 429), "busy", 0),
    "broken": (refused("oops", 500), "busy", 0),
    "a hotel": (Reply([b"<html>Welcome!</html>"], 200, {"content-type": "text/html"}), "odd", 0.07),
    "no picture at all": (told({"data": [{"b64_json": "bm8gcGljdHVyZQ=="}]}), "odd", 0.07),
    "somewhere else": (told({"data": [{"url": "http://169.254.169.254/latest/meta-data"}]}), "odd", 0.07),
    "cut": (Reply([b'{"data": [', None], 200, {"content-type": "application/json"}), "away", 0.07),
}


@pytest.mark.parametrize("name", FAILURES)
async def test_what_goes_wrong_is_said_and_what_may_have_cost_is_counted(
    name: str, server: Server, tmp_path: Path
) -> None:
    reply, why, usd = FAILURES[name]
    server.replies[:] = [reply]
    studio = Studio(tmp_path, server)
    assert (await studio.fails()).why == why
    [booked] = studio.booked
    assert booked.error and KEY not in booked.error and booked.cost_usd == pytest.approx(usd)
    assert len(server.bodies) == 1, "a picture that was begun is not begun again"


async def test_one_that_never_answers_is_given_up_and_counted(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.replies[:] = [Reply([30.0])]
    studio = Studio(tmp_path, server)
    monkeypatch.setattr(service, "PAINTING_S", 0.2)
    monkeypatch.setattr(service, "AT_HOME", 1.0)
    assert (await studio.fails()).why == "slow"
    assert [one.cost_usd for one in studio.booked] == [0.07]


async def test_where_nobody_is_nothing_is_counted(tmp_path: Path, server: Server) -> None:
    studio = Studio(tmp_path, server)
    values = {**studio.values, "OPENAI_BASE_URL": "http://127.0.0.1:9/v1"}
    media = painters.media(values, studio.booked.append, tmp_path, lambda: NOW)
    maker = media.maker("pictures", values)
    assert maker is not None
    with pytest.raises(NotMade) as failed:
        await media.paint(maker, PROMPT, "inbox:1")
    assert failed.value.why == "away" and not studio.booked


async def test_an_endless_answer_is_not_read_to_its_end(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asking, "LARGEST", 100_000)
    server.replies[:] = [Reply([b"x" * 90_000, b"x" * 90_000])]
    assert (await Studio(tmp_path, server).fails()).why == "odd"


async def test_nothing_is_painted_once_the_money_of_the_day_is_spent(server: Server, tmp_path: Path) -> None:
    limits = BudgetLimits(soft_usd=0.5, hard_usd=1.0)
    studio = Studio(tmp_path, server, more={"spent_today": lambda: 1.0, "limits": limits})
    assert (await studio.fails()).why == "budget" and not server.bodies
    heard = await _hears(server, studio)
    assert heard == "the fern on my sill has a new leaf", "a voice note is heard like a message is answered"


async def test_what_the_owner_says_it_costs_holds_and_of_what_nobody_knows_a_guess(
    server: Server, tmp_path: Path
) -> None:
    studio = Studio(tmp_path, server, model="another-one")
    far = Maker("pictures", studio.maker().ref, studio.maker().piece, "https://api.example/v1", KEY)
    assert not studio.media().price(far).usd, "a server at home costs nothing"
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "models.toml").write_text('[by_piece]\n"openai:another-one" = 0.4\n')
    own = Studio(tmp_path, server, model="another-one")
    assert own.media().price(own.maker()).usd == 0.4
    away = painters.media({"XAI_API_KEY": KEY}, studio.booked.append, tmp_path, lambda: NOW)
    named = away.maker("pictures", {"XAI_API_KEY": KEY, "FUROSHIKI_MODEL_PICTURES": "xai:newest"})
    assert named is not None and away.price(named).guessed and away.price(named).usd == 0.1


async def _hears(server: Server, studio: Studio) -> str:
    server.replies[:] = [painters.whisper]
    return await studio.media().hear(studio.maker("hearing"), b"OggS", "audio/ogg", 0.5)


async def test_a_recording_is_heard_and_its_minutes_are_counted(server: Server, tmp_path: Path) -> None:
    studio = Studio(tmp_path, server, model="gpt-transcribe")
    assert await _hears(server, studio) == "the fern on my sill has a new leaf"
    [booked] = studio.booked
    assert booked.purpose == "turn.hearing" and booked.cost_usd == pytest.approx(0.00225)
    assert server.paths == ["/v1/audio/transcriptions"] and b"voice.ogg" in server.bodies[0]["sent"]


def test_who_paints_follows_from_what_was_set(tmp_path: Path) -> None:
    def painter(**values: str) -> str | None:
        media = painters.media(values, lambda _record: None, tmp_path, lambda: NOW)
        found = media.maker("pictures", values)
        return None if found is None else str(found.ref)

    assert painter(OPENAI_API_KEY=KEY) == "openai:gpt-image-2"
    assert painter(ANTHROPIC_API_KEY=KEY) is None
    assert painter(OPENAI_API_KEY=KEY, FUROSHIKI_MODEL_PICTURES="none") is None
    assert painter(OPENAI_API_KEY=KEY, OPENAI_BASE_URL="http://10.0.0.9/v1") is None, (
        "whose server that is nobody knows"
    )
    assert painter(ANTHROPIC_API_KEY=KEY, XAI_API_KEY=KEY) is None, "a key that lies there is no wish"
    assert painter(FUROSHIKI_MODEL_PICTURES="compatible:sd", COMPATIBLE_BASE_URL="http://nas.lan/v1") == "compatible:sd"
    wrong = {"OPENAI_API_KEY": KEY, "FUROSHIKI_MODEL_PICTURES": "gpt-image-2"}
    with pytest.raises(BadSetting, match="FUROSHIKI_MODEL_PICTURES"):
        choosing.choose_maker("pictures", wrong)
    assert painter(**wrong) is None, "a wrong name is told where the settings are loaded"


def test_nobody_hears_unless_named(tmp_path: Path) -> None:
    values: dict[str, str | None] = {"OPENAI_API_KEY": KEY}
    media = painters.media(values, lambda _record: None, tmp_path, lambda: NOW)
    assert media.maker("hearing", values) is None
    found = media.maker("hearing", {**values, "FUROSHIKI_MODEL_HEARING": "openai:gpt-transcribe"})
    assert found is not None and found.address == "https://api.openai.com/v1"


def test_who_paints_is_known_before_any_model_is_set_up() -> None:
    def never() -> Any:
        raise AssertionError("it may stand within a transaction, in which no gateway can be made")

    values = {"OPENAI_API_KEY": KEY, "FUROSHIKI_MODEL_HEARING": "openai:gpt-transcribe"}
    unmade = Media(never, lambda: NOW)
    assert unmade.maker("pictures", values) is not None and unmade.maker("hearing", values) is not None
