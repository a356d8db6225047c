"""What the tests of the domain share: the shipped numbers and words, parsed once, and a few moments."""

from __future__ import annotations

import tomllib
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from furoshiki.domain.inner_life import InnerLife
from furoshiki.domain.languages import Languages
from furoshiki.domain.lexicon import Lexicon

CONFIG = Path(__file__).resolve().parents[2] / "config"
NOON = datetime(2026, 3, 3, 12, 0, tzinfo=UTC)
LISBON = ZoneInfo("Europe/Lisbon")
BERLIN = ZoneInfo("Europe/Berlin")


@cache
def parsed(name: str) -> dict[str, Any]:
    return tomllib.loads((CONFIG / name).read_text(encoding="utf-8"))


@cache
def shipped() -> InnerLife:
    return InnerLife.from_mapping(parsed("inner_life.toml"))


@cache
def english() -> Lexicon:
    return Lexicon.from_mapping(parsed("lexicon/en.toml"))


@cache
def languages() -> Languages:
    """The shipped languages and how they are told apart."""
    return Languages.from_mapping(parsed("languages.toml"))
