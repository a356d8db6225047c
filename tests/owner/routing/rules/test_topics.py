"""What a subject is called, and which words two of them may share."""

from __future__ import annotations

import pytest

from furoshiki.owner.routing.rules.topics import extract_stems, make_name
from furoshiki.recall.retrieval.other_languages import load_languages

TOLD = (
    ("giornata strana, sono qui seduta in cucina", "da nove anni guido alle sei", "giornata strana seduta cucina"),
    ("depuis onze ans elle habite là", "camille est infirmière depuis toujours", "camille infirmière"),
    ("übrigens wohnt deniz seit gestern hier", "deniz hat noch keinen herd", "deniz herd"),
    ("ainda estou aqui com a perna engessada", "a máquina aqui parou", "perna engessada máquina"),
)


@pytest.mark.parametrize(("first", "second", "name"), TOLD)
def test_a_subject_is_called_by_words_that_tell_it(first: str, second: str, name: str) -> None:
    found = make_name(load_languages().without_small_words([first, second])).split()
    assert {*name.split()} & {*found}
    assert not {*found} & {"anni", "alle", "depuis", "onze", "elle", "seit", "noch", "übrigens", "ainda", "aqui"}


def test_small_words_in_common_make_no_subject_the_same() -> None:
    texts = load_languages().without_small_words(["da nove anni guido l'autobus", "mia zia aveva tanti anni, da sola"])
    assert not extract_stems(texts[0]) & extract_stems(texts[1])
