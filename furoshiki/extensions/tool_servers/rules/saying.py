"""Limits for descriptions and answers of tool servers, which are untrusted text.

A tool's claim that it is read-only is ignored, as nobody verifies it.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Any

from furoshiki.extensions.tool_servers.values import Tool

MOST_TOOLS = 128
LONGEST_NAME = 128
LONGEST_DESCRIPTION = 1000
LONGEST_SCHEMA = 8000
LONGEST_ANSWER = 16_000
"""Maximum characters."""

NOT_TEXT = "[{} that is not text]"


def tool(name: str, description: str, schema: Mapping[str, Any]) -> Tool | None:
    """Return a tool for display and use; None when its name or schema is too long."""
    written = json.dumps(schema, sort_keys=True)
    if not name or len(name) > LONGEST_NAME or not name.isprintable() or len(written) > LONGEST_SCHEMA:
        return None
    pin = hashlib.sha256(json.dumps([name, description, schema], sort_keys=True).encode()).hexdigest()
    return Tool(name, description[:LONGEST_DESCRIPTION], schema, pin)


def answer(parts: Iterable[Mapping[str, Any]], structured: object) -> str:
    """Return a call's result as text; structured values only if there is no text."""
    said = [
        str(part.get("text", "")) if part.get("type") == "text" else NOT_TEXT.format(part.get("type")) for part in parts
    ]
    text = "\n".join(part for part in said if part.strip())
    if not text and structured is not None:
        text = json.dumps(structured, ensure_ascii=False)
    return text if len(text) <= LONGEST_ANSWER else f"{text[:LONGEST_ANSWER]} …"
