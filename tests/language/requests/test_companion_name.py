"""Who gives the companion a name, and who rings somebody up, asks, or quarrels: nine languages."""

from pathlib import Path

import pytest

from furoshiki.language.facts import names
from furoshiki.language.requests.companion_name import find_name
from furoshiki.language.testimony import Own

TABLE = (Path(__file__).parent / "companion_names.tsv").read_text(encoding="utf-8").splitlines()
ROWS = [line.split("\t") for line in TABLE if not line.startswith("#")]


@pytest.mark.parametrize(("language", "given", "said"), ROWS)
def test_the_name_it_is_given(language: str, given: str, said: str) -> None:
    assert (find_name(Own(said), "Furo") or "-") == given


def test_every_language_has_both_kinds() -> None:
    for is_none in (True, False):
        of_kind = [language for language, given, _ in ROWS if (given == "-") == is_none]
        assert min(of_kind.count(language) for language in {row[0] for row in ROWS}) >= 8


@pytest.mark.parametrize(("language", "given", "said"), [row for row in ROWS if row[1] != "-"])
def test_it_is_no_name_of_the_user(language: str, given: str, said: str) -> None:
    assert names.find_name(Own(said)) is None
