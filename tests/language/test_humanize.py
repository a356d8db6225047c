"""Small turns of phrase."""

from __future__ import annotations

import pytest

from furoshiki.core.catalogue import say_number, speaking
from furoshiki.language.humanize import dollars, figure, join_items


@pytest.mark.parametrize(
    ("items", "said"), [([], ""), (["a"], "a"), (["a", "b"], "a and b"), (["a", "b", "c"], "a, b and c")]
)
def test_things_are_listed_as_one_says_them(items: list[str], said: str) -> None:
    assert join_items(items) == said


@pytest.mark.parametrize(
    ("language", "each"),
    [
        ("en", ("$1,234.50", "$0.0042", "$0.05", "3.3", "4", "12,345 facts")),
        ("de", ("1.234,50\u00a0$", "0,0042\u00a0$", "0,05\u00a0$", "3,3", "4", "12.345 Tatsachen")),
        ("fr", ("1\u202f234,50\u00a0$", "0,0042\u00a0$", "0,05\u00a0$", "3,3", "4", "12\u202f345 faits")),
        ("pt", ("US$\u00a01.234,50", "US$\u00a00,0042", "US$\u00a00,05", "3,3", "4", "12.345 fatos")),
        ("zh", ("$1,234.50", "$0.0042", "$0.05", "3.3", "4", "12,345条事实")),
    ],
)
def test_numbers_and_sums_are_written_as_in_the_language(language: str, each: tuple[str, ...]) -> None:
    with speaking(language):
        facts = say_number("{number:,} fact", "{number:,} facts", 12_345)
        assert (dollars(1234.5), dollars(0.0042), dollars(0.05), figure(3.26), figure(4), facts) == each
