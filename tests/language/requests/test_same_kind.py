"""What of the last message a few words put right, in nine languages, by what is of the same kind in both."""

from __future__ import annotations

from datetime import UTC, datetime
from operator import attrgetter
from pathlib import Path

import pytest

from furoshiki.language.facts import abroad
from furoshiki.language.facts.extraction import facts_in
from furoshiki.language.reflex.corrections.reading import find_correction
from furoshiki.language.reflex.values import KnownFact
from furoshiki.language.testimony import Utterance, as_told
from furoshiki.recall.retrieval.other_languages import load_languages

NOW = datetime(2026, 3, 4, 12, tzinfo=UTC)
TABLE = (Path(__file__).parent / "same_kind.tsv").read_text(encoding="utf-8").splitlines()
ROWS = [line.split("\t") for line in TABLE if not line.startswith("#")]
LANGUAGES = dict(zip(map(attrgetter("code"), load_languages().each), load_languages().each, strict=True))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row[0]}: {row[1]} / {row[2]}")
def test_the_last_thing_of_the_kind_is_put_right_and_news_puts_nothing_right(row: list[str]) -> None:
    code, said, again, *ends = row
    language = LANGUAGES.get(code)
    told = facts_in(as_told(said)) if language is None else abroad.facts_in(as_told(said), language)
    facts = [
        KnownFact(number, one.subject, one.predicate, one.object, "", NOW, said) for number, one in enumerate(told)
    ]
    found = find_correction(as_told(again), facts, [Utterance("user", said, NOW, 1)], None, language)
    assert (["-", "-"] if found is None else [found.wrong, found.right]) == ends
