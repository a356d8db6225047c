"""What a subject is called, and which words two of them may share."""

from __future__ import annotations

import pytest

from furoshiki.owner.routing.rules.topics import extract_stems, find_better_name, has_shared_words, make_name

TOLD = (
    ("giornata strana, sono qui seduta in cucina", "da nove anni guido alle sei", "giornata strana seduta cucina"),
    ("depuis onze ans elle habite là", "camille est infirmière depuis toujours", "camille infirmière"),
    ("übrigens wohnt deniz seit gestern hier", "deniz hat noch keinen herd", "deniz herd"),
    ("ainda estou aqui com a perna engessada", "a máquina aqui parou", "perna engessada máquina"),
)


@pytest.mark.parametrize(("first", "second", "name"), TOLD)
def test_a_subject_is_called_by_words_that_tell_it(first: str, second: str, name: str) -> None:
    found = make_name([first, second]).split()
    assert {*name.split()} & {*found}
    assert not {*found} & {"anni", "alle", "depuis", "onze", "elle", "seit", "noch", "übrigens", "ainda", "aqui"}


@pytest.mark.parametrize("laugh", ["jajaj", "hahaha", "ahahah", "kkkk", "sjsjsj", "rsrsrs", "хахаха", "hehe"])
def test_laughter_names_nothing(laugh: str) -> None:
    assert make_name([f"{laugh} hospital kasa mama"]) == "hospital kasa mama"


def test_small_words_in_common_make_no_subject_the_same() -> None:
    assert not extract_stems("da nove anni guido l'autobus") & extract_stems("mia zia aveva tanti anni, da sola")


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
    assert make_name([first]) == called
    assert has_shared_words(extract_stems(later), extract_stems(first))


@pytest.mark.parametrize(
    ("first", "other"),
    [
        ("mein vater ist im bad gestürzt", "ich habe mir heute ein fahrrad gekauft und bin glücklich"),
        ("babam merdivenden düştü", "bugün yeni bir bisiklet aldım çok mutluyum"),
        ("我爸今天在浴室摔了", "我今天买了一辆自行车"),
    ],
)
def test_small_words_are_nothing_in_common(first: str, other: str) -> None:
    assert not has_shared_words(extract_stems(other), extract_stems(first))


def test_a_summary_names_it_better_in_its_own_language() -> None:
    said = ["mein vater ist im bad gestürzt", "die hüfte ist gebrochen"]
    assert find_better_name(said, "Die gebrochene Hüfte des Vaters") == "vater hüfte gebrochen"
