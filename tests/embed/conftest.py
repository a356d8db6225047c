"""Encoders are built once for the whole run, into a folder that survives between runs of one checkout's cache."""

from __future__ import annotations

from pathlib import Path

import pytest

from furoshiki.embed.encoder import Encoder
from furoshiki.embed.models import load


@pytest.fixture(scope="session")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("models")


@pytest.fixture(scope="session")
def int8(models: Path) -> Encoder:
    return load("minilm-int8", models)


@pytest.fixture(scope="session")
def fp32(models: Path) -> Encoder:
    return load("minilm-fp32", models)
