"""What the companion is asked most about itself, and under which heading of its page the answer stands.

The headings are those of prompts/self_knowledge/plain.md.j2, where the answers are written from the settings; the
patterns are in `config/small_talk.toml`.
"""

from __future__ import annotations

import re

from furoshiki.language.reflex.lines import TABLES, read_lines
from furoshiki.language.word_tables import pattern

_PATTERNS = {
    heading: re.compile(pattern("\n".join(patterns), TABLES["asked_most_parts"]))
    for heading, patterns in read_lines("asked_most").items()
}


def find_heading(plain: str) -> str | None:
    """The heading that answers a question (in small letters, without marks at its end); None for any other."""
    return next((one for one, pattern in _PATTERNS.items() if pattern.search(plain)), None)
