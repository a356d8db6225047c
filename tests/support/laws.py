"""What the tests of the domain share: the shipped numbers and words, parsed once, and a few moments."""

from __future__ import annotations

import tomllib
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from furoshiki.feelings.rules.laws import InnerLife
from furoshiki.language.detection import Languages
from furoshiki.language.lexicon import Lexicon
from furoshiki.language.requests.helplines import Help, Helplines, rows
from furoshiki.language.tables.care_words import CareWords

CONFIG = Path(__file__).resolve().parents[2] / "config"
TABLES = ("help.tsv", "countries.tsv")
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
def care_words() -> tuple[CareWords, ...]:
    """The words for what is heavy, in every language that is shipped; English first."""
    others = sorted({path.stem for path in (CONFIG / "care").glob("*.toml")} - {"en"})
    return tuple(CareWords.from_mapping(parsed(f"care/{name}.toml")) for name in ("en", *others))


@cache
def helplines() -> Helplines:
    return Helplines.from_rows(*(rows((CONFIG / "care" / name).read_text(encoding="utf-8")) for name in TABLES))


@cache
def help_in(country: str | None, zone: str = "") -> Help:
    return helplines().help_in(country, zone)


@cache
def english() -> Lexicon:
    return Lexicon.from_mapping(parsed("lexicon/en.toml"))


@cache
def languages() -> Languages:
    """Return the shipped languages and how they are recognised."""
    return Languages.from_mapping(parsed("languages.toml"))
