"""What changes a life was said, in whatever words, or it was not."""

from __future__ import annotations

import pytest

from furoshiki.language.grounding.words import collect_words, unsaid_grave


@pytest.mark.parametrize(
    ("claim", "said", "ok"),
    [
        ("They start at the harbour on Monday after their divorce.", "I start at the harbour on Monday", False),
        ("They are pregnant and work at the harbour.", "I work at the harbour, the baby is due in May", True),
        ("Their cat Momo died in May.", "Momo, my cat, passed away in May", True),
        ("Their cat Momo died in May.", "Momo, my cat, slept all of May", False),
        ("They lost their job at the harbour.", "I was fired at the harbour, I lost the job", True),
    ],
)
def test_other_words_may_not_add_what_changes_a_life(claim: str, said: str, ok: bool) -> None:
    assert (unsaid_grave(claim, collect_words([said], claim)) == "") is ok
