"""A template for a new plugin: it passes `furoshiki plugins check`, answers, and has a test."""

from pathlib import Path

from furoshiki.core.paths import version
from furoshiki.extensions.plugins import manifest

_MANIFEST = """---
name: {name}
version: 0.1.0
description: Says what time of day it is
author: You
licence: MIT
min_furoshiki: {version}
entry_points:
  # When it runs (docs/plugins.md lists the hooks): this one tells the companion something before a conversation.
  - hook: pre_conversation
    script: scripts/main.py
    timeout: 10
# What it may do beyond its own folder: nothing, until you write it here and your owner agrees.
permissions:
  read_db: false
  write_mind_queue: false
  write_db: false
  llm: false
  network: []
---

# {name}

What it is for, how to set it up, and what leaves the machine (nothing).

Try it: `furoshiki plugins check {folder}`. Put it in place: `furoshiki plugins apply {folder}`.
"""

_SCRIPT = '''"""Tells the companion what time of day it is."""

from datetime import datetime

from furoshiki_plugin import answer, given


def time_of_day(hour: int) -> str:
    """What an hour of the day (0 to 23) is called."""
    return ("night", "morning", "afternoon", "evening")[hour // 6]


if __name__ == "__main__":
    now = datetime.fromisoformat(given().state["now"])
    answer(context=f"It is {time_of_day(now.hour)} where the clocks show UTC.", log="said the time of day")
'''

_TEST = '''"""Run it with `pytest` in this folder; what the companion provides is not needed for it."""

import sys
import types
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "scripts"))
sys.modules.setdefault("furoshiki_plugin", types.SimpleNamespace(answer=None, given=None))

from main import time_of_day


def test_every_hour_has_a_name():
    assert [time_of_day(hour) for hour in (0, 6, 12, 23)] == ["night", "morning", "afternoon", "evening"]
'''


def write(folder: Path) -> list[str]:
    """Create a plugin in a new folder, named like it; returns the files. Raises OSError."""
    files = {
        manifest.FILE: _MANIFEST.format(name=folder.name, version=version(), folder=folder),
        "scripts/main.py": _SCRIPT,
        "tests/test_main.py": _TEST,
    }
    folder.mkdir(parents=True)
    for name, text in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return list(files)
