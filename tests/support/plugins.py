"""Plugins for tests: a folder with a manifest and one script."""

from __future__ import annotations

from pathlib import Path

MANIFEST = """---
name: {name}
version: {version}
description: {description}
author: Ann
licence: MIT
min_furoshiki: 0.1.0
entry_points:
{entries}
{more}---
# For people
"""

CALLABLE = """  - hook: callable
    script: scripts/main.py
    tool: roll
    description: Rolls
    when_to_use: When asked to roll
"""
SCRIPT = 'print("{}")\n'


def write(
    folder: Path,
    *,
    name: str = "dice",
    version: str = "1.0",
    entries: str = CALLABLE,
    more: str = "",
    script: str = SCRIPT,
    description: str = "Rolls dice",
) -> Path:
    """A plugin in `folder`, called `name`; the folder."""
    (folder / "scripts").mkdir(parents=True, exist_ok=True)
    (folder / "PLUGIN.md").write_text(
        MANIFEST.format(name=name, version=version, description=description, entries=entries.rstrip("\n"), more=more)
    )
    (folder / "scripts" / "main.py").write_text(script)
    return folder
