"""Arguments of a Bot API call, whatever body they came in: JSON, a form, or multipart with files."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl

from ..loopback import Request
from .rules import bad

_NAME = re.compile(r'[; ]name="([^"]*)"')
_FILE_NAME = re.compile(r'filename="([^"]*)"')
_JSON_START = ("{", "[")


@dataclass(frozen=True)
class Upload:
    """A file that came with the request."""

    name: str
    data: bytes


@dataclass
class Params:
    """Arguments by name, with readers that convert like Telegram does."""

    values: dict[str, Any] = field(default_factory=dict)
    uploads: dict[str, Upload] = field(default_factory=dict)

    def text(self, name: str, default: str = "") -> str:
        value = self.values.get(name, default)
        return value if isinstance(value, str) else str(value)

    def integer(self, name: str, default: int = 0) -> int:
        value = self.values.get(name)
        if value in (None, ""):
            return default
        try:
            return int(value)
        except (TypeError, ValueError):
            raise bad(f"{name} must be an integer") from None

    def flag(self, name: str) -> bool:
        return str(self.values.get(name, "")).lower() in ("true", "1", "yes")

    def nested(self, name: str, default: Any = None) -> Any:
        """A value that is JSON by nature, decoded if it came as text."""
        value = self.values.get(name)
        if value in (None, ""):
            return default
        if not isinstance(value, str):
            return value
        try:
            return json.loads(value)
        except ValueError:
            raise bad(f"can't parse {name} JSON object") from None

    def file(self, name: str) -> Upload | str | None:
        """An uploaded file (directly or as attach://…), or the file_id or address given instead."""
        if name in self.uploads:
            return self.uploads[name]
        value = self.values.get(name)
        if isinstance(value, str) and value.startswith("attach://"):
            return self.uploads.get(value.removeprefix("attach://"))
        return value or None

    def logged(self) -> dict[str, Any]:
        """The arguments for a log: nested JSON decoded, files by size."""
        out: dict[str, Any] = {}
        for name, value in self.values.items():
            out[name] = value
            if isinstance(value, str) and value.startswith(_JSON_START) and name not in ("text", "caption"):
                try:
                    out[name] = json.loads(value)
                except ValueError:
                    continue
        return out | {name: f"<{upload.name}: {len(upload.data)} bytes>" for name, upload in self.uploads.items()}


def read(request: Request) -> Params:
    """The arguments of a request; raises ApiError 400 for a body that cannot be read."""
    params = Params(dict(request.query))
    kind = request.headers.get("content-type", "").lower()
    if not request.body:
        return params
    if kind.startswith("application/json"):
        try:
            values = json.loads(request.body)
        except ValueError:
            raise bad("can't parse JSON object") from None
        if not isinstance(values, dict):
            raise bad("can't parse JSON object")
        params.values |= values
    elif kind.startswith("multipart/form-data"):
        _multipart(request, params)
    else:
        params.values |= dict(parse_qsl(request.body.decode(), keep_blank_values=True))
    return params


def _multipart(request: Request, params: Params) -> None:
    found = re.search(r'boundary="?([^";]+)', request.headers["content-type"])
    if found is None:
        raise bad("boundary is not specified")
    for part in (b"\r\n" + request.body).split(b"\r\n--" + found.group(1).encode())[1:-1]:
        head, _, data = part.removeprefix(b"\r\n").partition(b"\r\n\r\n")
        header = head.decode("utf-8", "replace")
        name, file_name = _NAME.search(header), _FILE_NAME.search(header)
        if name is None:
            continue
        if file_name is not None:
            params.uploads[name.group(1)] = Upload(file_name.group(1), data)
        else:
            params.values[name.group(1)] = data.decode("utf-8", "replace")
