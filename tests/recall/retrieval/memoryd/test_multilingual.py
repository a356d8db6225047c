"""A message in another language gets its vector of another encoder, which is loaded then and not before."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from furoshiki.core.errors import NotConfigured
from furoshiki.core.settings import Settings
from furoshiki.messages.store import accounts
from furoshiki.recall.embeddings import models
from furoshiki.recall.retrieval import client, other_languages
from furoshiki.recall.retrieval.client import OTHER_LANGUAGES, Vectors, VectorsAway
from furoshiki.recall.retrieval.memoryd.service import Service
from tests.recall.retrieval.memoryd.conftest import Memoryd


class Other:
    """An encoder that has one vector for everything."""

    id = "e5-small.1"

    def encode(self, texts: list[str]) -> Any:
        return np.ones((len(texts), 3), np.float32)


def test_it_is_loaded_at_the_first_message_in_another_language(memoryd: Memoryd) -> None:
    loaded: list[Other] = []

    def load() -> Any:
        loaded.append(Other())
        return loaded[-1]

    memoryd.service = Service(
        memoryd.data, memoryd.database, lambda: memoryd.encoder, lambda: memoryd.now, random.Random(1), load_other=load
    )
    memoryd.ask("embed", texts=["tea"], said=True)
    assert not loaded
    for _ in range(2):
        found = memoryd.ask("embed", texts=["чай"], multilingual=True)
    assert found["model"] == "e5-small.1"
    assert client.decode(found["vectors"][0]) == [1.0, 1.0, 1.0]
    assert len(loaded) == 1


def test_where_it_is_not_installed_the_next_start_is_told(
    memoryd: Memoryd, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing() -> Any:
        raise NotConfigured("run scripts/install.py --multilingual")

    memoryd.service = Service(
        memoryd.data,
        memoryd.database,
        lambda: memoryd.encoder,
        lambda: memoryd.now,
        random.Random(1),
        load_other=missing,
    )
    (tmp_path / "run").mkdir(exist_ok=True)
    vectors = Vectors(tmp_path)
    monkeypatch.setattr(vectors, "_ask", lambda request, _seconds: memoryd.service.answer(request))
    with pytest.raises(VectorsAway, match="--multilingual"):
        vectors.said(["чай"], multilingual=True)
    assert (tmp_path / "run" / OTHER_LANGUAGES).exists()


@pytest.mark.parametrize(
    ("code", "installed", "asked"),
    [("de", False, True), ("pt-br", False, True), ("en-GB", False, False), (None, False, False), ("tr", True, False)],
)
def test_the_language_telegram_tells_asks_for_it(
    memoryd: Memoryd, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: str | None, installed: bool, asked: bool
) -> None:
    monkeypatch.setattr(models, "has_multilingual", lambda: installed)
    settings = Settings(furoshiki_data=tmp_path, furoshiki_language=None)
    (tmp_path / "run").mkdir(exist_ok=True)
    with memoryd.database.write() as db:
        accounts.pair(db, "telegram", "1", "1", "owner", memoryd.now, "Ayla", code)
        other_languages.ask_for(db, settings)
        assert other_languages.is_missing(db, settings) == asked
    assert (tmp_path / "run" / OTHER_LANGUAGES).exists() == asked
