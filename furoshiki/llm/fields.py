"""The fields that typed answers share: shares, scores, and ids as models like to write them."""

from __future__ import annotations

import re
from typing import Annotated, Any

from pydantic import BeforeValidator, Field


def _number(value: Any) -> Any:
    """Models like to cite an id as it stands before a line: "[41]", "41 · 18:02", "turn:41"."""
    found = _CITED.match(value) if isinstance(value, str) else None
    return value if found is None else found.group(1)


_CITED = re.compile(r"\s*(?:\[\s*)?(?:(?:turn:|id\s)\s*)?(\d{1,18})\s*(?:\u00b7[^\]]*)?(?:\]\s*)?$")

Id = Annotated[int, BeforeValidator(_number)]
Share = Annotated[float, Field(ge=0, le=1)]
Score = Annotated[int, Field(ge=1, le=5)]
Ten = Annotated[float, Field(ge=1, le=10)]
