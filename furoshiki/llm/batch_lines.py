"""What the batch interfaces of providers have in common: results as lines of JSON, and when a batch was made."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from furoshiki.llm.failures import Failure


def json_lines(text: object) -> Iterator[dict[str, Any]]:
    """The objects of a text that holds one on each line. Raises Failure for anything else."""
    if not isinstance(text, str):
        raise Failure("garbage", "the results of a batch are no text")
    for line in text.splitlines():
        if not line.strip():
            continue
        try:
            found = json.loads(line)
        except (ValueError, RecursionError):
            raise Failure("garbage", "a line of a batch's results cannot be read") from None
        if isinstance(found, dict):
            yield found


def made_since(made_at: object, at: datetime) -> bool:
    """Whether a batch was made since a moment, as its provider says: ISO text, or seconds since 1970."""
    with contextlib.suppress(ValueError, OverflowError, OSError):
        if isinstance(made_at, str):
            made = datetime.fromisoformat(made_at)
            return (made if made.tzinfo else made.replace(tzinfo=UTC)) >= at
        if isinstance(made_at, int | float):
            return datetime.fromtimestamp(made_at, UTC) >= at
    return False
