"""A model is tried with one real call before it is kept: the call goes the project's own way, to a real server."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.program import KEY
from tests.emulators.llm import LLMEmulator
from tests.emulators.llm.answers import unauthorized
from tests.faces.setup.conftest import env
from tests.support.shell import Command

pytestmark = pytest.mark.slow


@pytest.fixture
def llm() -> Iterator[LLMEmulator]:
    with LLMEmulator() as emulator:
        yield emulator


@pytest.fixture
def key_file(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("secrets") / "key"
    path.write_text(KEY, encoding="utf-8")
    return str(path)


def test_a_model_is_kept_when_it_answers_or_cannot_be_reached(
    home: Path, command: Command, llm: LLMEmulator, key_file: str
) -> None:
    flags = ("setup", "--json", "--base-url", llm.openai_url, "--model", "test-model")
    llm.break_with(unauthorized(), n=None)
    refused = command(*flags, "--key-file", key_file)
    llm.clear()
    assert refused.status == 1 and refused.json["steps"]["model"]["state"] == "failed" and env(home) == {}
    assert "COMPATIBLE_API_KEY" in refused.json["steps"]["model"]["words"]

    found = command(*flags, "--key-file", key_file)
    model = found.json["steps"]["model"]
    assert found.status == 0 and model["answer"] == "re: Hello!" and model["latency_s"] >= 0
    assert [one["usd"] for one in model["monthly"]] == [0, 0], "a server of the house costs nothing"
    assert env(home)["FUROSHIKI_MODEL_CHAT"] == "compatible:test-model" and env(home)["COMPATIBLE_API_KEY"] == KEY
    assert '"setup"' in command("cost", "--by", "purpose", "--json").out, "what it cost is in the ledger"
    assert KEY not in found.out + found.err

    llm.offline()
    away = command(*flags, "--key-file", key_file)
    assert away.status == 0 and "aved without checking" in away.json["steps"]["model"]["words"]
