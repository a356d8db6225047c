"""A picture asked for in Telegram is painted by a provider's server, and arrives once, with what it cost."""

from __future__ import annotations

import base64
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from tests.e2e.program import Program
from tests.emulators.llm import Answer, Call, LLMEmulator, Request
from tests.emulators.telegram import TelegramEmulator
from tests.support.painters import PNG

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

SUBJECT = "a lighthouse in fog, ink on paper"


class Painter(BaseHTTPRequestHandler):
    """Paints the same whatever is asked, and keeps what was asked."""

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.server.asked.append((self.path, asked))  # type: ignore[attr-defined]
        body = json.dumps({"data": [{"b64_json": base64.b64encode(PNG).decode()}]}).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None: ...


@pytest.fixture
def painter() -> Iterator[ThreadingHTTPServer]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Painter)
    server.asked = []  # type: ignore[attr-defined]
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


def mind(request: Request) -> Answer:
    """A model that has it drawn, and says a short line."""
    if any(turn.role == "tool" for turn in request.turns):
        return "I am at it."
    return Call("draw_picture", {"subject": SUBJECT, "caption": "Here it stands."})


def test_what_is_asked_for_arrives_once_with_its_cost(
    program: Program, telegram: TelegramEmulator, llm: LLMEmulator, painter: ThreadingHTTPServer
) -> None:
    program.set(
        XAI_API_KEY="xai-canary",
        XAI_BASE_URL=f"http://127.0.0.1:{painter.server_port}/v1",
        FUROSHIKI_MODEL_PICTURES="xai:grok-imagine-image",
    )
    llm.when(lambda asked: asked.schema is None and "draw_picture" in asked.tools, mind)
    listener = program.listening()
    telegram.say("draw me a lighthouse in fog")
    program.wait_for(lambda: any(one.kind == "photo" for one in telegram.chat()), what="the picture")
    listener.kill()
    program.listening()
    program.wait_quiet()
    [photo] = [one for one in telegram.chat() if one.kind == "photo"]
    assert "I am at it." in [one.text for one in telegram.chat()]
    assert photo.data == PNG and photo.text == "Here it stands.\n(That was about 2 cents.)"
    [(path, asked)] = painter.asked  # type: ignore[attr-defined]
    assert path == "/v1/images/generations" and asked["prompt"] == SUBJECT
    [paid] = program.rows("SELECT cost_usd FROM llm_calls WHERE purpose='pictures'")
    assert paid["cost_usd"] > 0
    assert program.value("SELECT text FROM turns WHERE turn_key LIKE 'picture:%'").startswith(
        f"[picture it drew: {SUBJECT}]"
    )
