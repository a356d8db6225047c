"""Servers that paint and hear, each in the manner of a family, as their documentation and reports have it."""

from __future__ import annotations

import asyncio
import base64
import json
import random
from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from furoshiki.conversation.skills.drawing import delivering
from furoshiki.core.database.connection import Database
from furoshiki.models.llm.factory import open_minds
from furoshiki.models.llm.gateway import Around
from furoshiki.models.llm.rules.budget import BudgetLimits
from furoshiki.models.llm.values import Answer, CallRecord, Question
from furoshiki.models.media.service import Media
from tests.models.llm.server import Reply

PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
JPEG = b"\xff\xd8\xff\xe0\x00\x10JFIF\x00\x01" + b"\x00" * 40
KEY = "sk-canary-1234567890abcdef"


async def drain(database: Database) -> None:
    """Until nothing is being painted for a database."""
    while (task := delivering._painting.get(database.path)) is not None and not task.done():
        await asyncio.wait({task})


def told(body: Any, status: int = 200, **headers: str) -> Reply:
    return Reply([json.dumps(body).encode()], status, {"content-type": "application/json", **headers})


def picture(data: bytes = PNG) -> Reply:
    return told({"created": 1, "data": [{"b64_json": base64.b64encode(data).decode()}]})


def refused(message: str, status: int = 400, **more: str) -> Reply:
    return told({"error": {"message": message, "type": "invalid_request_error", **more}}, status)


def gpt_image(_path: str, body: Mapping[str, Any]) -> Reply:
    """OpenAI's: no `response_format`, always base64."""
    if "response_format" in body:
        return refused("Unknown parameter: 'response_format'.", param="response_format")
    return picture(JPEG)


def grok(_path: str, body: Mapping[str, Any]) -> Reply:
    """xAI's: neither size nor quality."""
    for name in ("size", "quality", "output_format"):
        if name in body:
            return refused(f"Argument not supported: {name}")
    return picture(JPEG)


def silent_refuser(_path: str, body: Mapping[str, Any]) -> Reply:
    """One that refuses what it does not know and does not say what."""
    return refused("Bad Request", 422) if len(body) > 2 else picture()


def local(path: str, _body: Mapping[str, Any]) -> Reply:
    """LocalAI's: an address on itself in place of the picture."""
    if path.endswith(".png"):
        return Reply([PNG], 200, {"content-type": "image/png"})
    return told({"created": 1, "data": [{"url": "/generated-images/b64.png"}]})


def in_chat(_path: str, body: Mapping[str, Any]) -> Reply:
    """OpenRouter's: a picture beside the words of an answer, and what it cost."""
    assert body["modalities"] == ["image", "text"]
    url = f"data:image/png;base64,{base64.b64encode(PNG).decode()}"
    message = {"role": "assistant", "content": "Here.", "images": [{"type": "image_url", "image_url": {"url": url}}]}
    return told({"choices": [{"message": message, "finish_reason": "stop"}], "usage": {"cost": 0.031}})


def whisper(_path: str, body: Mapping[str, Any]) -> Reply:
    """Anybody's transcription."""
    assert b'name="file"' in body["sent"] and b'name="model"' in body["sent"]
    return told({"text": " the fern on my sill has a new leaf "})


def media(
    values: Mapping[str, str | None],
    ledger: Callable[[CallRecord], None],
    data: Path,
    clock: Callable[[], datetime],
    *,
    spent_today: Callable[[], float] = lambda: 0.0,
    limits: BudgetLimits | None = None,
) -> Media:
    """Return the services that paint and hear with these settings, with the gateway that belongs to
    them."""

    def nobody(_question: Question, *, why: str) -> Answer | None:
        return None

    gateway = open_minds(
        values,
        Around(nobody, ledger, spent_today, clock, random.Random(7)),
        data=data,
        limits=limits or BudgetLimits(),
    )
    return Media(lambda: gateway, clock)
