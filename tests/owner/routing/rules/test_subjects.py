"""What a subject is called, and by which words it is known again, in the languages that people write."""

from __future__ import annotations

import pytest

from furoshiki.owner.routing.rules import topics


@pytest.mark.parametrize(
    ("first", "later", "called"),
    [
        (
            "mein vater ist im bad gestürzt und hat sich die hüfte gebrochen",
            "die hüfte von meinem vater heilt gut",
            "vater gestürzt hüfte gebrochen",
        ),
        ("babam merdivenden düştü, kalçası kırık", "babamın kalçası iyileşiyor", "babam merdivenden düştü kalçası"),
        ("папа упал и сломал бедро", "у папы бедро заживает", "папа упал сломал бедро"),
        ("我爸在浴室摔了，髋骨骨折", "他的髋骨骨折在医院恢复", "浴室摔 髋骨骨折"),
        ("my father fell and broke his hip", "father is home, he fell in the bath", "father fell broke"),
    ],
)
def test_a_subject_is_known_again_by_its_words(first: str, later: str, called: str) -> None:
    assert topics.make_name([first]) == called
    assert topics.has_shared_words(topics.extract_stems(later), topics.extract_stems(first))


@pytest.mark.parametrize(
    ("first", "other"),
    [
        ("mein vater ist im bad gestürzt", "ich habe mir heute ein fahrrad gekauft und bin glücklich"),
        ("babam merdivenden düştü", "bugün yeni bir bisiklet aldım çok mutluyum"),
        ("我爸今天在浴室摔了", "我今天买了一辆自行车"),
    ],
)
def test_small_words_are_nothing_in_common(first: str, other: str) -> None:
    assert not topics.has_shared_words(topics.extract_stems(other), topics.extract_stems(first))


def test_a_summary_names_it_better_in_its_own_language() -> None:
    said = ["mein vater ist im bad gestürzt", "die hüfte ist gebrochen"]
    assert topics.find_better_name(said, "Die gebrochene Hüfte des Vaters") == "vater hüfte gebrochen"
