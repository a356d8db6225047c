"""Small turns of phrase."""

from __future__ import annotations

import pytest

from furoshiki.language.humanize import join_items


@pytest.mark.parametrize(
    ("items", "said"), [([], ""), (["a"], "a"), (["a", "b"], "a and b"), (["a", "b", "c"], "a, b and c")]
)
def test_things_are_listed_as_one_says_them(items: list[str], said: str) -> None:
    assert join_items(items) == said
