"""The diagram of loops: each stands once between its two ends, in the order of what is measured."""

from __future__ import annotations

import re
from html import unescape

import pytest

from furoshiki.faces.dashboard import loops
from furoshiki.faces.dashboard.pages import architecture
from tests.support.dashboard import House

GROUPS = ("", *loops.load_loops().groups)


@pytest.mark.parametrize("group", GROUPS)
def test_every_loop_stands_between_its_ends(group: str) -> None:
    every = loops.load_loops()
    rows = architecture.list_rows(every, group)
    assert sorted(row.loop.name for row in rows) == sorted(one.name for one in every.of(group))
    sources = [list(every.sources).index(row.loop.source) for row in rows]
    assert sources == sorted(sources), "each end on the left is one cell"
    for end, spans in (("source", [row.source_rows for row in rows]), ("target", [row.target_rows for row in rows])):
        shown = [rows[at] for at, span in enumerate(spans) for _ in range(span)]
        assert len(shown) == len(rows), "the cells fill the column"
        assert [getattr(one.loop, end) for one in shown] == [getattr(one.loop, end) for one in rows]


def test_the_words_of_a_loop_stand_on_its_arrows(house: House) -> None:
    every = loops.load_loops()
    page = re.sub(r"\s+", " ", unescape(house.page("/architecture")))
    for one in every.all:
        name = re.escape(one.name)
        found = re.search(
            rf'<td class="by">([^<]*)</td> <td class="node[^"]*"><a href="[^"]*/{name}">.*?<td class="by">([^<]*)<',
            page,
        )
        assert found is not None and found.groups() == (one.into, one.out), one.name
