"""The Chroma server that a setting names: asked for a sign of life, and told apart from what is none."""

from __future__ import annotations

import http.server
import json
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from doctor_checks import chroma

from tests.doctor.conftest import MakeLook


class Answers(http.server.BaseHTTPRequestHandler):
    said: tuple[int, bytes] = (200, b'{"nanosecond heartbeat":1}')
    heard: dict[str, str] = {}

    def do_GET(self) -> None:
        type(self).heard = {"path": self.path, **{name.lower(): value for name, value in self.headers.items()}}
        self.send_response(self.said[0])
        self.end_headers()
        self.wfile.write(self.said[1])

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def url() -> Iterator[str]:
    with http.server.HTTPServer(("127.0.0.1", 0), Answers) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.mark.parametrize(
    "said, state, words",
    [
        ((200, b'{"nanosecond heartbeat":1}'), "well", "answers"),
        ((401, b""), "wrong", "lets nobody in"),
        ((404, b"{}"), "wrong", "none of version 1"),
        ((200, b"<html>"), "wrong", "none of version 1"),
    ],
)
def test_what_it_answers_is_judged(
    make_look: MakeLook, url: str, monkeypatch: pytest.MonkeyPatch, said: tuple[int, bytes], state: str, words: str
) -> None:
    monkeypatch.setattr(Answers, "said", said)
    address = url.replace("://", "://me:pa%40ss@") + "/under"
    [one] = chroma.check(make_look(settings={"FUROSHIKI_CHROMA_URL": address, "FUROSHIKI_CHROMA_TOKEN": "sesame"}))
    assert (one.state, words in one.words) == (state, True)
    assert "pa%40ss" not in one.words and "sesame" not in one.words + one.fix
    assert Answers.heard["path"] == "/under/api/v2/heartbeat"
    assert Answers.heard["x-chroma-token"] == "sesame" and Answers.heard["authorization"].startswith("Basic ")


def test_one_that_is_away_is_named_and_nobody_is_asked_offline(make_look: MakeLook) -> None:
    settings = {"FUROSHIKI_CHROMA_URL": "http://127.0.0.1:9"}
    [one] = chroma.check(make_look(settings=settings))
    assert one.state == "wrong" and "cannot be reached" in one.words and "start it" in one.fix
    assert list(chroma.check(make_look(settings=settings, offline=True))) == []


def test_what_is_left_on_a_server_that_is_not_named_any_more_is_told(make_look: MakeLook, data: Path) -> None:
    assert list(chroma.check(make_look())) == []
    (data / "run" / chroma.TENANT).write_text(json.dumps({"tenant": "furoshiki-1"}))
    (data / chroma.LEFT).write_text(json.dumps(["furoshiki-2"]))
    found = list(chroma.check(make_look()))
    assert [one.key for one in found] == ["chroma.furoshiki-1", "chroma.furoshiki-2"]
    assert {one.state for one in found} == {"note"}
