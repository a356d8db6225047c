"""Commands that a page tells somebody to type are commands that there are, with flags that there are."""

from __future__ import annotations

import argparse
import re
import shlex
from pathlib import Path

import pytest

from furoshiki.core.paths import ROOT
from furoshiki.faces.cli.main import split_home
from furoshiki.faces.cli.parser import build

PAGES = [str(page.relative_to(ROOT)) for page in (*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md")))]
PRESENT = [page for page in PAGES if "/adr/" not in page and page != "CHANGELOG.md"]
"""Pages about the program as it is: a decision on record may name a command of its day."""

_TYPED = re.compile(r"(?:(?<=`)|^\s*)(?:scripts/run\.sh|furoshiki) +([a-z][^`\n]*)", re.MULTILINE)
_LINK = re.compile(r"\]\(([\w./-]+\.(?:md|toml|py))(?:#[\w-]+)?\)")


def typed(page: str) -> list[str]:
    """What is typed behind `scripts/run.sh` or `furoshiki` on a page, each once."""
    text = (ROOT / page).read_text(encoding="utf-8").replace("\\\n", " ")
    found = [command.partition(" #")[0].strip() for command in _TYPED.findall(text)]
    return sorted({command for command in found if "…" not in command and "|" not in command})


def understood(command: str) -> bool:
    """Whether the grammar takes it; what stands in brackets may be typed or not."""
    words = split_home(shlex.split(re.sub(r"[\[\]]", "", command)))[0]
    try:
        build().parse_args(words)
    except SystemExit as left:
        return left.code == 0
    except argparse.ArgumentError:
        return False
    return True


@pytest.mark.parametrize(("page", "command"), [(page, command) for page in PRESENT for command in typed(page)])
def test_a_command_that_is_named_is_there(page: str, command: str, capsys: pytest.CaptureFixture[str]) -> None:
    taken, message = understood(command), capsys.readouterr().err
    assert taken or "arguments are required" in message, f"{page}: {command}: {message}"


def test_what_is_looked_for_is_found() -> None:
    assert "service restart" in typed("docs/operations.md") and not understood("service rest")
    assert not understood("setup --tokenfile x") and not understood("nothing")


@pytest.mark.parametrize("page", PAGES)
def test_a_page_that_is_linked_is_there(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    gone = [link for link in _LINK.findall(text) if not (Path(ROOT / page).parent / link).exists()]
    assert not gone, f"{page} links to {gone}"
