"""What a sentence puts in place of the end of one that was said before."""

from __future__ import annotations

from pathlib import Path

import pytest

from furoshiki.language.requests.restatements import find_other_end

TABLE = (Path(__file__).parent / "retold.tsv").read_text(encoding="utf-8").splitlines()
ROWS = [line.split("\t") for line in TABLE if not line.startswith("#")]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row[0]} / {row[1]}")
def test_the_other_end_is_what_is_right(row: list[str]) -> None:
    said, again, *ends = row
    assert find_other_end(again, said) == (None if ends == ["-", "-"] else tuple(ends))
