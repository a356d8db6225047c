"""A model of one's own machine in one step: found, fetched, tried, and what was found is kept."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from furoshiki.core.database.connection import Database
from furoshiki.core.network import providers
from furoshiki.core.network.addresses import LOOPBACK
from furoshiki.faces.setup import models
from furoshiki.models.choosing import model_servers
from furoshiki.models.choosing.model_servers import Model, NotPulled
from furoshiki.models.llm.store import quirks
from tests.emulators.loopback import Loopback, Reply, Request
from tests.faces.setup import local_servers
from tests.faces.setup.conftest import Typing, env
from tests.faces.setup.local_servers import PULLED, Ollama, Talker
from tests.support.shell import Command
from tests.support.world import START


@contextmanager
def serving(answer: Callable[[Request], Reply]) -> Iterator[str]:
    server = Loopback(answer)
    try:
        yield server.url
    finally:
        server.stop()


def known(home: Path, model: str) -> dict[str, int]:
    """What is on record of a model."""
    with Database(home / "memory" / "longmemory.sqlite").read() as db:
        return {name: value for name, (value, _) in quirks.read_quirks(db, START).get(model, {}).items()}


LISTED: list[tuple[Callable[[Request], Reply], str, list[Model]]] = [
    (
        Ollama({"qwen3:8b": 5_200_000_000, "nomic-embed-text": 9_000_000_000, "phi4-mini": 2_500_000_000}),
        "ollama",
        [Model("qwen3:8b", 5_200_000_000, 0, 262144), Model("phi4-mini", 2_500_000_000, 0, 262144)],
    ),
    (local_servers.llamacpp, "llamacpp", [Model("Qwen3-8B-Q4_K_M.gguf", 5_020_000_000, 2048, 40960)]),
    (
        local_servers.lmstudio,
        "lmstudio",
        [Model("google/gemma-4-12b-qat", 0, 40960, 262144), Model("openai/gpt-oss-20b", 0, 0, 131072)],
    ),
    (local_servers.vllm, "vllm", [Model("Qwen/Qwen3-8B", 0, 32768)]),
    (local_servers.plain, "compatible", [Model("another"), Model("some-model")]),
    (lambda _request: Reply(status=500), "compatible", []),
    (lambda _request: Reply(body=b"<html>hello</html>", content_type="text/html"), "compatible", []),
    (lambda _request: Reply(body=b'{"models": 7, "data": {"id": 1}}'), "compatible", []),
]


@pytest.mark.parametrize(("answer", "kind", "listed"), LISTED, ids=[one[1] for one in LISTED])
@pytest.mark.parametrize("end", ["", "/", "/v1"])
def test_a_server_is_known_by_how_it_answers(
    answer: Callable[[Request], Reply], kind: str, listed: list[Model], end: str
) -> None:
    with serving(answer) as url:
        found = model_servers.at(url + end)
    assert (found.spec.name, list(found.models)) == (kind, listed)
    assert found.address == (f"{url}/v1" if listed else url + end)


def test_a_model_that_only_seems_to_run_here_is_told() -> None:
    row = {"name": "gpt-oss:120b-cloud", "size": 384, "remote_host": "https://ollama.com:443"}

    def answer(request: Request) -> Reply:
        return local_servers.as_json({"models": [row] if request.path == "/api/tags" else []})

    with serving(answer) as url:
        [found] = model_servers.at(url).models
    assert found.about == "runs at ollama.com: what you say leaves this machine"


def test_each_row_of_a_server_of_this_machine_answers_there() -> None:
    for spec in providers.PROVIDERS:
        if spec.by_net and spec.here:
            assert spec.address.startswith(f"http://{LOOPBACK}:") and not spec.keys_at
    sizes = [one.memory_gb for one in providers.find("ollama").suggested]
    assert sizes == [8, 16, 32]


def test_how_far_a_fetch_is() -> None:
    with serving(Ollama(pulled=PULLED)) as url:
        steps = list(model_servers.pull(url, "qwen3.5:4b"))
    assert steps[0] == ("pulling manifest", 0, 0)
    assert steps[2] == ("pulling 9c1b3d", 1_500_000_000, 3_000_000_000)
    assert steps[-1] == ("success", 3_000_001_000, 3_000_001_000)


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (Ollama(pulled=[{"error": "pull model manifest: file does not exist"}]), "file does not exist"),
        (Ollama(pulled=PULLED[:4]), "ended before everything was there"),
        (Ollama(pulled=[]), "ended before everything was there"),
        (lambda _request: Reply(status=507, body=b'{"error":"no space left on device"}'), "no space left"),
        (lambda _request: Reply(body=b"<html>"), "broke off"),
        (lambda _request: Reply(body=b"[1]\n"), "broke off"),
    ],
)
def test_a_fetch_that_fails_says_why(answer: Callable[[Request], Reply], why: str) -> None:
    with serving(answer) as url, pytest.raises(NotPulled, match=why):
        list(model_servers.pull(url, "x"))


def test_an_ollama_without_models_is_offered_with_three_and_fetches_one(
    home: Path, typing: Typing, paired: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    ollama = Ollama(pulled=PULLED)
    with serving(ollama) as url:
        monkeypatch.setenv("OLLAMA_BASE_URL", f"{url}/v1")
        shown = typing("", "ollama", "qwen3.5:4b", "y", "", "en", "", "", "").out
    assert "Ollama at http://127.0.0.1" in shown and "no model yet" in shown
    for size in ("8 GB of memory", "16 GB of memory", "32 GB of memory"):
        assert size in shown
    assert "figures others published; nothing was measured here" in shown and "March 2026" in shown
    assert "qwen3.5:4b is ready." in shown and "It only costs electricity." in shown
    assert "What it can do: calls skills, fills forms, sees pictures, answers without thinking first." in shown
    assert "it reads 4096 tokens at once" in shown and "OLLAMA_CONTEXT_LENGTH=16384" in shown
    assert env(home)["FUROSHIKI_MODEL_CHAT"] == "ollama:qwen3.5:4b"
    assert known(home, "ollama:qwen3.5:4b") == {"window": 4096}


@pytest.mark.parametrize(
    ("talker", "abilities", "kept"),
    [
        (Talker(), {"skills": True, "forms": True, "pictures": True, "thinks": False}, set()),
        (Talker(tools="in words"), {"skills": True, "forms": True, "pictures": True, "thinks": False}, {"tools"}),
        (Talker(tools="none"), {"skills": False, "forms": True, "pictures": True, "thinks": False}, set()),
        (Talker(eyes=False), {"skills": True, "forms": True, "pictures": False, "thinks": False}, {"images"}),
        (Talker(thinks=True), {"skills": True, "forms": True, "pictures": True, "thinks": True}, set()),
    ],
)
def test_what_a_model_can_is_tried_and_what_it_lacks_is_kept(
    home: Path, command: Command, talker: Talker, abilities: dict[str, bool], kept: set[str]
) -> None:
    ollama = Ollama({"qwen3:8b": 5_200_000_000}, talker, context=40960)
    with serving(ollama) as url:
        ended = command("setup", "--json", "--provider", "ollama", "--base-url", url)
    assert ended.status == 0, ended.err
    step: dict[str, Any] = ended.json["steps"]["model"]
    assert step["abilities"] == abilities and step["window"] == 40960 and step["fix"] is None
    assert env(home) == {"OLLAMA_BASE_URL": f"{url}/v1", "FUROSHIKI_MODEL_CHAT": "ollama:qwen3:8b"}
    assert set(known(home, "ollama:qwen3:8b")) == kept | {"window"}


def test_a_model_that_was_mended_is_tried_again(home: Path, command: Command) -> None:
    ollama = Ollama({"qwen3:8b": 1}, Talker(eyes=False), context=2048)
    with serving(ollama) as url:
        flags = ("setup", "--json", "--provider", "ollama", "--base-url", url)
        assert "OLLAMA_CONTEXT_LENGTH" in command(*flags).json["steps"]["model"]["fix"]
        assert known(home, "ollama:qwen3:8b") == {"images": 1, "window": 2048}
        ollama.talker, ollama.context = Talker(), 16384
        assert command(*flags).json["steps"]["model"]["fix"] is None
    assert known(home, "ollama:qwen3:8b") == {"window": 16384}


def test_a_model_is_fetched_by_flag(home: Path, command: Command) -> None:
    ollama = Ollama(pulled=PULLED)
    with serving(ollama) as url:
        flags = ("setup", "--json", "--provider", "ollama", "--base-url", url, "--model", "qwen3.5:4b", "--pull")
        assert command(*flags).status == 0
        assert ollama.models == {"qwen3.5:4b": 3_400_000_000}
        ollama.models, ollama.pulled = {}, [{"error": "no space left on device"}]
        failed = command(*flags)
    assert failed.status == 2 and "couldn't be downloaded" in failed.err


def test_the_address_alone_tells_whose_it_is(home: Path, command: Command) -> None:
    with serving(Ollama({"qwen3:8b": 1})) as url:
        assert command("setup", "--json", "--base-url", url).status == 0
    assert env(home)["FUROSHIKI_MODEL_CHAT"] == "ollama:qwen3:8b"


@pytest.mark.parametrize(
    ("memory_gb", "model"), [(4, "small"), (9, "small"), (16, "middle"), (15.6, "middle"), (64, "large")]
)
def test_what_fits_this_machine(memory_gb: float, model: str, monkeypatch: pytest.MonkeyPatch) -> None:
    some = tuple(providers.Suggested(name, gb, 1, "") for name, gb in (("small", 8), ("middle", 16), ("large", 32)))
    pages = {"SC_PAGE_SIZE": 1, "SC_PHYS_PAGES": int(memory_gb * 1e9)}
    monkeypatch.setattr(models.os, "sysconf", pages.__getitem__)
    assert models.suggest_model(some) == model
