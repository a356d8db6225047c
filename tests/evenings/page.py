"""docs/evening.md: an answered evening as it was lived, and what it knew the week after.

`python -m tests.evenings.page` rewrites the parts of the page that stand below a mark `<!-- lived: … -->`.
"""

from __future__ import annotations

import re
import tempfile
import textwrap
from collections.abc import Mapping, Sequence
from pathlib import Path

from furoshiki.core.paths import ROOT
from furoshiki.mind.inner_life.self_model import description
from tests.evenings.evening import DAY, read
from tests.evenings.playing import Lived, live

PAGE = ROOT / "docs" / "evening.md"
NAME = "trouble"
WIDTH = 104
COMPANION = "Furo"

_PART = re.compile(r"(?P<mark><!-- lived: (?P<name>[a-z]+) -->\n)(?P<lines>.*?)(?=\n\n|\Z)", re.S)


def parts(page: str) -> Mapping[str, Sequence[str]]:
    """What stands below each mark: its lines, without dashes and fences; what was said with its turns rejoined."""
    found = {one["name"]: one["lines"].strip("`\n").splitlines() for one in _PART.finditer(page)}
    said: list[str] = []
    for line in found.pop("said"):
        if line.startswith(" "):
            said[-1] += f" {line.strip()}"
        else:
            said.append(" ".join(line.split()))
    return {"said": said, **{name: [line.removeprefix("- ") for line in lines] for name, lines in found.items()}}


def lived_parts(lived: Lived) -> Mapping[str, Sequence[str]]:
    """What should stand there: the evening itself, what is known, what came unasked, and what it learned of itself."""
    evening = lived.evening
    written = {line["to"]: line["text"] for line in evening.answers["turn"] if line.get("text")}
    said = []
    for number, (at, text) in enumerate(evening.says, 1):
        if at < evening.begins + DAY:
            clock = f"{at.astimezone(evening.zone):%H:%M}"
            said += [f"{clock} {evening.owner} {text}", f"{clock} {COMPANION} {written[number]}"]
    began = (ROOT / "config" / "identity" / description.NAME).read_text(encoding="utf-8")
    sentences = re.split(r"(?<=[.!?])\s", " ".join(lived.self_description.split()))
    return {
        "said": said,
        "known": [one for one in lived.facts if not one.startswith("I ")],
        "first": [f"{at:%A, %-d %B}: {text}" for at, text in lived.written_first()],
        "learned": [one for one in sentences if one not in " ".join(began.split())],
    }


def shown(page: str, lived: Lived) -> str:
    """The page as it should be."""
    new = lived_parts(lived)

    def filled(found: re.Match[str]) -> str:
        lines = new[found["name"]]
        if found["name"] != "said":
            return found["mark"] + "\n".join(f"- {line}" for line in lines)
        wide = max(len(lived.evening.owner), len(COMPANION))
        turns = [line.split(" ", 2) for line in lines]
        rows = [f"{clock}  {who:{wide}}  {text}" for clock, who, text in turns]
        wrapped = (textwrap.fill(row, WIDTH, subsequent_indent=" " * (wide + 9)) for row in rows)
        return found["mark"] + "```\n" + "\n".join(wrapped) + "\n```"

    return _PART.sub(filled, page)


def main() -> None:
    """Live the evening and write the page."""
    with tempfile.TemporaryDirectory(prefix="furoshiki-evening-") as folder:
        lived = live(read(NAME), Path(folder))
    PAGE.write_text(shown(PAGE.read_text(encoding="utf-8"), lived), encoding="utf-8")


if __name__ == "__main__":
    main()
