"""The owner's time zone."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from furoshiki_plugin import given


def zone() -> tzinfo:
    """By its name where there is one; else as the owner's clock is set now."""
    locale = given().state.get("locale")
    named = locale.get("timezone") if isinstance(locale, Mapping) else None
    try:
        return ZoneInfo(str(named))
    except (ZoneInfoNotFoundError, ValueError):
        return datetime.fromisoformat(given().state["now"]).tzinfo or UTC
