"""Requests to models that paint or transcribe; repeated only without a refused field.

A picture may be charged as soon as it is begun, so later failures are never retried here.
"""

import asyncio
import base64
import binascii
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urljoin, urlsplit

from furoshiki.core.json_values import dict_of
from furoshiki.core.network.proxies import NoRoad
from furoshiki.models.llm.failures import Failure, of_status
from furoshiki.models.llm.prices import COST_HEADER, parse_cost
from furoshiki.models.llm.quirks import Quirks
from furoshiki.models.llm.rules import refusals
from furoshiki.models.media.values import Maker

LARGEST = 32 * 1024 * 1024  # maximum bytes of a response: a picture of 2,048 by 2,048 in base64
LARGEST_PICTURE = 10_000_000  # bytes; Telegram accepts no larger photo

# repetitions of a request without the refused fields; refusals are immediate and free
MOST_REFUSALS = 6

# first bytes of the picture formats that Telegram accepts
_KINDS = ((b"\xff\xd8\xff", "image/jpeg"), (b"\x89PNG\r\n\x1a\n", "image/png"), (b"RIFF", "image/webp"))

_DECLINED_ENDS = ("content_filter", "safety", "refusal", "prohibited_content", "blocklist", "image_safety")


@dataclass(frozen=True)
class Answered:
    """The body of a response, and the cost in US dollars that the server reports."""

    body: Mapping[str, Any]
    named_usd: float | None


@dataclass(frozen=True)
class _Request:
    """A request: the path, required fields, and a file (name, bytes)."""

    path: str
    fields: Mapping[str, Any]
    file: tuple[str, bytes] | None = None


class Declined(Exception):
    """The server refused the content; the message is a line of its own."""


async def paint(maker: Maker, prompt: str, quirks: Quirks, seconds: float) -> tuple[bytes, str, float | None]:
    """Return a picture, its media type ("image/jpeg"), and the cost that the server reports.

    Raises Declined, Failure.
    """
    if maker.piece.in_chat:
        said = [{"role": "user", "content": prompt}]
        fixed = {"model": maker.ref.model, "messages": said, "modalities": ["image", "text"]}
        found = await _post(maker, _Request("/chat/completions", fixed), quirks, seconds)
        source = _of_chat(found.body)
    else:
        fixed = {"model": maker.ref.model, "prompt": prompt}
        found = await _post(maker, _Request("/images/generations", fixed), quirks, seconds)
        source = _of_images(found.body)
    data = await _load(maker, source, seconds)
    kind = next((name for start, name in _KINDS if data.startswith(start)), None)
    if kind is None or len(data) > LARGEST_PICTURE:
        raise Failure("garbage", f"what came is no picture that can be shown ({len(data)} bytes)")
    return data, kind, found.named_usd


async def hear(maker: Maker, sound: bytes, filename: str, quirks: Quirks, seconds: float) -> tuple[str, float | None]:
    """Return a transcript, and the cost that the server reports. Raises Declined, Failure."""
    request = _Request("/audio/transcriptions", {"model": maker.ref.model}, (filename, sound))
    found = await _post(maker, request, quirks, seconds)
    text = found.body.get("text")
    if not isinstance(text, str):
        raise Failure("garbage", "the answer holds no text")
    return text.strip(), found.named_usd


async def _post(maker: Maker, request: _Request, quirks: Quirks, seconds: float) -> Answered:
    fixed, file = request.fields, request.file
    optional = dict(maker.piece.send) if file is None else {"response_format": "json"}
    try:
        async with asyncio.timeout(seconds):
            for left in reversed(range(MOST_REFUSALS)):
                known = quirks.of(maker.ref)
                fields = {**fixed, **{name: value for name, value in optional.items() if name not in known}}
                try:
                    return await _once(maker, replace(request, fields=fields))
                except Failure as failure:
                    if refusals.is_content_refusal(failure.status, failure.said):
                        raise Declined(str(failure)) from None
                    sent = fields.keys() - fixed.keys()
                    quirk = refusals.read(failure.status, failure.said, sent, known, tokens=0, limit=0)
                    if quirk is None or quirk.name not in sent:
                        quirk = _guess(failure, sent)
                    if quirk is None or not left:
                        raise
                    quirks.learn(maker.ref, quirk)
    except TimeoutError:
        raise Failure("timeout", f"nothing came within {seconds:.0f} s") from None
    raise AssertionError("a request is made at least once")


def _guess(failure: Failure, sent: Collection[str]) -> refusals.Quirk | None:
    """Return a field to leave out when the server names none: each in turn."""
    if failure.kind != "request" or failure.status not in (400, 422) or not sent:
        return None
    return refusals.Quirk(min(sent), sure=False)


async def _once(maker: Maker, request: _Request) -> Answered:
    from furoshiki.models.llm import http_client

    headers = maker.ref.spec.headers(maker.key)
    sent: dict[str, Any] = {"json": request.fields}
    if request.file is not None:
        sent = {"data": request.fields, "files": {"file": request.file}}
    with _connection():
        async with http_client.client(maker.address, LARGEST) as client:
            response = await client.post(f"{maker.address}{request.path}", headers=headers, **sent)
    try:
        body = response.json()
    except (ValueError, RecursionError):
        body = response.text[:2000]
    if response.status_code >= 300 or (isinstance(body, dict) and body.get("error")):
        raise of_status(
            response.status_code,
            key_variable=maker.ref.spec.key_setting,
            kind=_kind(body),
            body=body,
            headers=response.headers,
            secrets=(maker.key or "",),
        )
    if not isinstance(body, dict):
        raise Failure("garbage", "the answer is no JSON")
    named = dict_of(body.get("usage")).get("cost")
    return Answered(body, parse_cost(response.headers.get(COST_HEADER) if named is None else named))


@contextmanager
def _connection() -> Iterator[None]:
    """Turn connection errors in this block into Failure."""
    import httpx2

    from furoshiki.models.llm.http_client import of_connection

    try:
        yield
    except NoRoad as error:
        raise Failure("network", str(error), reached=False) from None
    except (httpx2.HTTPError, httpx2.InvalidURL) as error:
        raise of_connection(error) from None


def _kind(body: object) -> str:
    error = dict_of(dict_of(body).get("error"))
    found = error.get("type") or error.get("code")
    return found if isinstance(found, str) and found != "invalid_request_error" else ""


def _of_images(body: Mapping[str, Any]) -> str:
    """Return the URL of a picture, usually a data URL. Raises Declined, Failure."""
    rows = body.get("data")
    if rows == []:  # some servers block a request in this way
        raise Declined("it answered with no picture")
    first = rows[0] if isinstance(rows, list) and isinstance(rows[0], dict) else {}
    data, url = first.get("b64_json"), first.get("url")
    if isinstance(data, str) and data:
        return f"data:,{data}"
    if isinstance(url, str) and url:
        return url
    raise Declined("it answered with an empty picture") if first else Failure("garbage", "the answer holds no picture")


def _of_chat(body: Mapping[str, Any]) -> str:
    choices = body.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices and isinstance(choices[0], dict) else {}
    message = choice.get("message")
    images = message.get("images") if isinstance(message, dict) else None
    first = images[0] if isinstance(images, list) and images and isinstance(images[0], dict) else {}
    held = first.get("image_url")
    found = held.get("url") if isinstance(held, dict) else held
    if isinstance(found, str) and found:
        return found
    if str(choice.get("finish_reason")).lower() in _DECLINED_ENDS or isinstance(message, dict):
        raise Declined("it answered without a picture")
    raise Failure("garbage", "the answer holds no picture")


async def _load(maker: Maker, source: str, seconds: float) -> bytes:
    """Return a picture's bytes. A URL is only opened on the provider's own server."""
    if not source.startswith("data:"):
        return await _fetch(maker, urljoin(f"{maker.address}/", source), seconds)
    try:
        return base64.b64decode(source.partition(",")[2], validate=True)
    except (binascii.Error, ValueError):
        raise Failure("garbage", "the picture cannot be read") from None


async def _fetch(maker: Maker, url: str, seconds: float) -> bytes:
    from furoshiki.models.llm import http_client

    if urlsplit(url)[:2] != urlsplit(maker.address)[:2]:
        raise Failure("garbage", "it answered with an address elsewhere, which is not opened")
    with _connection():
        async with asyncio.timeout(seconds), http_client.client(maker.address, LARGEST) as client:
            response = await client.get(url, headers=maker.ref.spec.headers(maker.key))
    if response.status_code != 200:
        raise Failure("garbage", f"{response.status_code} instead of the picture")
    return response.content


def sound_name(media_type: str) -> str:
    """Return a file name that tells servers the format: Ogg for voice notes, MP4 for videos."""
    known = {"mp4": "mp4", "mpeg": "mp3", "mp3": "mp3", "wav": "wav", "flac": "flac", "webm": "webm"}
    return f"voice.{next((end for word, end in known.items() if word in media_type), 'ogg')}"
