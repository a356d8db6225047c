"""The Containerfile, read."""

from __future__ import annotations

import re

from furoshiki.core.paths import ROOT

TEXT = (ROOT / "Containerfile").read_text(encoding="utf-8")


def instructions() -> list[tuple[str, str]]:
    """Every instruction with its words; continued lines are one."""
    whole = re.sub(r"\\\n\s*", "", "\n".join(line for line in TEXT.splitlines() if not line.startswith("#")))
    return [(line.split(None, 1)[0], line.split(None, 1)[1]) for line in whole.splitlines() if line.strip()]


def last_stage() -> dict[str, list[str]]:
    """The instructions of what is shipped, by name."""
    found: dict[str, list[str]] = {}
    for name, words in instructions():
        if name == "FROM":
            found = {}
        found.setdefault(name, []).append(words)
    return found
