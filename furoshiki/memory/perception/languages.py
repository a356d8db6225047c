"""The languages that are told apart, read once: the file that ships does not change."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from furoshiki.core.paths import read_toml_file
from furoshiki.language.detection import Languages


@lru_cache(maxsize=1)
def known(config: Path) -> Languages:
    """The shipped languages."""
    return Languages.from_mapping(read_toml_file(config / "languages.toml"))
