"""Encoders are built once for the whole run, into a folder that survives between runs of one checkout's cache."""

from __future__ import annotations

from pathlib import Path

import pytest

from furoshiki.recall.embeddings.encoder import OnnxEncoder
from furoshiki.recall.embeddings.models import files


@pytest.fixture(scope="session")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("models")


@pytest.fixture(scope="session")
def int8(models: Path) -> OnnxEncoder:
    return OnnxEncoder(files("minilm-int8", models))


@pytest.fixture(scope="session")
def fp32(models: Path) -> OnnxEncoder:
    return OnnxEncoder(files("minilm-fp32", models))


@pytest.fixture(scope="session")
def colbert(models: Path) -> OnnxEncoder:
    return OnnxEncoder(files("colbert-small", models))


@pytest.fixture(params=["colbert-small", "minilm-int8"])
def either(request: pytest.FixtureRequest, colbert: OnnxEncoder, int8: OnnxEncoder) -> OnnxEncoder:
    """Each of the encoders a user may have."""
    return colbert if request.param == "colbert-small" else int8
