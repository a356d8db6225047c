"""Both batch interfaces: requests that are handed in together, answered by the same script, and fetched later."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.message import Message
from email.parser import BytesParser
from typing import Any, Literal

from ..loopback import Reply
from ..loopback import Request as Http
from .rules import Refused, require

State = Literal["going", "over", "cancelled"]
_KEY = re.compile(r"[a-zA-Z0-9_-]{1,64}")

Answered = Callable[[Mapping[str, Any]], dict[str, Any]]
"""Answers the body of one request at once: the whole message. Raises Refused."""


@dataclass
class Batch:
    """What was handed in. It is over once it was looked at `looks` times; results are made then."""

    id: str
    api: Literal["anthropic", "chat"]
    requests: dict[str, dict[str, Any]]
    created_at: float
    looks: int
    mark: str = ""
    state: State = "going"
    results: dict[str, dict[str, Any]] = field(default_factory=dict)


class Batches:
    """All batches and files. `looks` is how often a batch is looked at in vain before it is over."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self.all: dict[str, Batch] = {}
        self.looks = 0
        self.away = False
        """Whether this server has no such interface, like most that are compatible."""
        self._files: dict[str, bytes] = {}
        self._clock = clock

    def served(self, http: Http, answered: Mapping[str, Answered]) -> Reply | None:
        """The reply to a request about batches or files; None when it is about something else."""
        path = http.path.partition("?")[0]
        if not re.match(r"/v1/(messages/batches|batches|files)(/|$)", path):
            return None
        if self.away:
            raise Refused(f"Unknown path {path}", 404, "not_found_error")
        parts = path.split("/")[2:]
        if parts[0] == "messages":
            return self._anthropic(http, parts[2:], answered["anthropic"])
        return self._openai(http, parts[0], parts[1:], answered["chat"])

    def _anthropic(self, http: Http, rest: list[str], answered: Answered) -> Reply:
        if not rest:
            if http.method == "GET":
                listed = [_message_batch(one) for one in self._newest("anthropic")]
                return _json({"data": listed, "has_more": False})
            body = json.loads(http.body)
            require(bool(body.get("requests")), "requests: at least one is required")
            asked = {one["custom_id"]: one["params"] for one in body["requests"]}
            require(len(asked) == len(body["requests"]), "custom_id: must be unique")
            require(all(_KEY.fullmatch(key) for key in asked), "custom_id: does not match the pattern")
            require(not any(one.get("stream") for one in asked.values()), "stream: not supported in batches")
            made = self._made("msgbatch", "anthropic", asked)
            return _json(_message_batch(made))
        batch = self._found(rest[0], "anthropic")
        if rest[1:] == ["cancel"]:
            self._cancel(batch)
        elif rest[1:] == ["results"]:
            require(batch.state != "going", "results are not available yet")
            lines = [{"custom_id": key, "result": one} for key, one in reversed(batch.results.items())]
            return Reply(body=_lines(lines), content_type="application/x-jsonl")
        else:
            self._look(batch, answered)
        return _json(_message_batch(batch))

    def _openai(self, http: Http, what: str, rest: list[str], answered: Answered) -> Reply:
        if what == "files":
            if rest:
                return Reply(body=self._files[rest[0]], content_type="application/jsonl")
            form = _form(http)
            require(form.get("purpose") == b"batch", "purpose: must be batch", param="purpose")
            require(b"created_at" in form.get("expires_after[anchor]", b""), "expires_after", param="expires_after")
            name = f"file-{len(self._files) + 1:06d}"
            self._files[name] = form["file"]
            return _json({"id": name, "object": "file", "purpose": "batch"})
        if not rest:
            if http.method == "GET":
                listed = [self._batch(one) for one in self._newest("chat")]
                return _json({"object": "list", "data": listed, "has_more": False})
            body = json.loads(http.body)
            require(body.get("completion_window") == "24h", "completion_window must be 24h")
            lines = [json.loads(line) for line in self._files[body["input_file_id"]].decode().splitlines()]
            require(all(line["url"] == body["endpoint"] for line in lines), "url: does not match the endpoint")
            asked = {line["custom_id"]: line["body"] for line in lines}
            require(len(asked) == len(lines), "custom_id: must be unique")
            made = self._made("batch", "chat", asked, str((body.get("metadata") or {}).get("mark", "")))
            return _json(self._batch(made))
        batch = self._found(rest[0], "chat")
        if rest[1:] == ["cancel"]:
            self._cancel(batch)
        else:
            self._look(batch, answered)
        return _json(self._batch(batch))

    def _made(self, kind: str, api: Literal["anthropic", "chat"], asked: dict[str, Any], mark: str = "") -> Batch:
        made = Batch(f"{kind}_{len(self.all) + 1:06d}", api, asked, self._clock(), self.looks, mark)
        self.all[made.id] = made
        return made

    def _look(self, batch: Batch, answered: Answered) -> None:
        if batch.state != "going":
            return
        if batch.looks > 0:
            batch.looks -= 1
            return
        batch.state = "over"
        for key, body in batch.requests.items():
            batch.results[key] = _answered(batch, body, answered)

    def _cancel(self, batch: Batch) -> None:
        if batch.state == "going":
            batch.state = "cancelled"
            cancelled = {"type": "canceled"} if batch.api == "anthropic" else _failed("batch_cancelled")
            batch.results = dict.fromkeys(batch.requests, cancelled)

    def _newest(self, api: str) -> list[Batch]:
        return [one for one in reversed(self.all.values()) if one.api == api]

    def _found(self, name: str, api: str) -> Batch:
        found = self.all.get(name)
        if found is None or found.api != api:
            raise Refused(f"No batch {name}", 404, "not_found_error")
        return found

    def _batch(self, one: Batch) -> dict[str, Any]:
        over = one.state != "going"
        name = f"{one.id}-results"
        if over:
            self._files[name] = _lines(
                [{"id": f"r-{key}", "custom_id": key, **line} for key, line in one.results.items()]
            )
        return {
            "id": one.id,
            "object": "batch",
            "status": {"going": "in_progress", "over": "completed", "cancelled": "cancelled"}[one.state],
            "created_at": int(one.created_at),
            "output_file_id": name if over else None,
            "error_file_id": None,
            "metadata": {"mark": one.mark},
        }


def _answered(batch: Batch, body: dict[str, Any], answered: Answered) -> dict[str, Any]:
    try:
        whole = answered(body)
    except Refused as refused:
        error = {"type": refused.kind, "message": refused.message}
        if batch.api == "anthropic":
            return {"type": "errored", "error": {"type": "error", "error": error}}
        return {"response": {"status_code": refused.status, "body": {"error": error}}, "error": None}
    if batch.api == "anthropic":
        return {"type": "succeeded", "message": whole}
    return {"response": {"status_code": 200, "body": whole}, "error": None}


def _failed(code: str) -> dict[str, Any]:
    return {"response": None, "error": {"code": code, "message": code}}


def _message_batch(one: Batch) -> dict[str, Any]:
    return {
        "id": one.id,
        "type": "message_batch",
        "processing_status": "in_progress" if one.state == "going" else "ended",
        "created_at": datetime.fromtimestamp(one.created_at, UTC).isoformat().replace("+00:00", "Z"),
        "results_url": f"/v1/messages/batches/{one.id}/results" if one.state != "going" else None,
    }


def _form(http: Http) -> dict[str, bytes]:
    """The fields of a multipart form."""
    head = f"content-type: {http.headers['content-type']}\r\n\r\n".encode()
    parsed: Message = BytesParser().parsebytes(head + http.body)
    require(parsed.is_multipart(), "a file is sent as multipart/form-data")
    found = {}
    for part in parsed.get_payload():
        assert isinstance(part, Message)
        name = part.get_param("name", header="content-disposition")
        found[str(name)] = bytes(part.get_payload(decode=True))  # type: ignore[arg-type]
    return found


def _lines(values: list[dict[str, Any]]) -> bytes:
    return "\n".join(json.dumps(one, ensure_ascii=False) for one in values).encode("utf-8", "replace")


def _json(value: dict[str, Any]) -> Reply:
    return Reply(body=json.dumps(value, ensure_ascii=False).encode("utf-8", "replace"))
