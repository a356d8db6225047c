"""What recall finds with the real encoders in a small corpus of our own: ten conversations, thirty questions."""

from __future__ import annotations

import json
import random
import shutil
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from statistics import fmean

import pytest

from furoshiki.archive.import_export.importing import import_file
from furoshiki.core.database.connection import Database
from furoshiki.core.errors import NotConfigured
from furoshiki.core.timestamps import parse
from furoshiki.recall.embeddings import models
from furoshiki.recall.embeddings.encoder import Encoder
from furoshiki.recall.retrieval.memoryd.service import Service
from furoshiki.recall.retrieval.recall import Wanted, recall_exactly
from furoshiki.recall.retrieval.values import Recalled

pytestmark = pytest.mark.slow

CORPUS = Path(__file__).parent / "corpus"
NOW = datetime(2026, 1, 1, tzinfo=UTC)
DEEP = 20


@dataclass
class Library:
    """The corpus in a database, and memoryd's own code over it."""

    data: Path
    database: Database
    encoder: Encoder
    service: Service

    def keep(self) -> None:
        """What memoryd does by itself: vectors for every row, and the index."""
        self.service.keeper.wake(index=True)
        self.service.keeper.keep()

    def exactly(self, k: int = DEEP) -> list[tuple[Recalled, ...]]:
        """Every question answered without memoryd."""
        wanted = [Wanted(str(one["query"]), k, parse(str(one["now"]))) for one in questions()]
        return recall_exactly(self.database, self.encoder, wanted)

    def by_index(self, k: int = DEEP) -> list[list[tuple[str, float]]]:
        """Every question answered as memoryd answers a turn."""
        asked = [{"text": one["query"], "now": f"{one['now']}+00:00"} for one in questions()]
        answers = [self.service.answer({"op": "recall", "k": k, **one}) for one in asked]
        assert all(answer["ok"] for answer in answers), answers
        return [answer["found"] for answer in answers]

    def dump(self) -> list[str]:
        """Everything the database says."""
        db = sqlite3.connect(self.database.path)
        try:
            return list(db.iterdump())
        finally:
            db.close()


def library(data: Path, empty_database: Path, embedder: str) -> Library:
    """The corpus, imported and embedded. Skips where the encoder is not installed."""
    try:
        encoder = models.load(embedder, data / "models")
    except NotConfigured as error:
        pytest.skip(str(error))
    for folder in ("memory", "run"):
        (data / folder).mkdir(parents=True, exist_ok=True)
    path = data / "memory" / "longmemory.sqlite"
    shutil.copyfile(empty_database, path)
    database = Database(path)
    done = import_file(database, CORPUS / "life.turns.jsonl")
    assert (done.added, done.bad_count) == (79, 0)
    made = Library(data, database, encoder, Service(data, database, lambda: encoder, lambda: NOW, random.Random(4)))
    made.keep()
    return made


@pytest.fixture(scope="module")
def life(tmp_path_factory: pytest.TempPathFactory, empty_database: Path) -> Iterator[Library]:
    """With the encoder that is used when nobody chose one."""
    made = library(tmp_path_factory.mktemp("life"), empty_database, models.BEST)
    yield made
    made.service.close()


def questions() -> list[dict[str, object]]:
    return [json.loads(line) for line in (CORPUS / "life.questions.jsonl").read_text("utf-8").splitlines()]


def found_at(k: int, answers: Sequence[Sequence[Recalled]]) -> float:
    """Turn level: the mean share of a question's gold turns among the first k."""
    shares = []
    for one, found in zip(questions(), answers, strict=True):
        first = {name for each in found[:k] for name in each.import_ids}
        gold = one["gold"]
        assert isinstance(gold, list)
        shares.append(len(first.intersection(gold)) / len(gold))
    return fmean(shares)


def missed(k: int, answers: Sequence[Sequence[Recalled]]) -> list[str]:
    """The questions of which no gold turn is among the first k."""
    return [
        str(one["query"])
        for one, found in zip(questions(), answers, strict=True)
        if not {name for each in found[:k] for name in each.import_ids}.intersection(one["gold"])  # type: ignore[call-overload]
    ]


def test_the_built_in_encoder_finds_nearly_everything_among_the_first_five(life: Library) -> None:
    answers = life.exactly()
    at_1, at_5 = found_at(1, answers), found_at(5, answers)
    print(f"R@1 {at_1:.3f}, R@5 {at_5:.3f}, R@10 {found_at(10, answers):.3f}")
    assert at_5 >= 0.9, missed(5, answers)
    assert at_1 >= 0.6, missed(1, answers)


def test_memoryd_finds_the_same_as_looking_at_everything(life: Library) -> None:
    exact = [[one.id for one in found[:5]] for found in life.exactly()]
    assert [[name for name, _ in found[:5]] for found in life.by_index()] == exact


def test_the_same_question_has_the_same_answer_and_asking_changes_nothing(life: Library) -> None:
    before = life.dump()
    exact, by_index = life.exactly(), life.by_index()
    assert life.exactly() == exact
    assert life.by_index() == by_index
    assert life.dump() == before


def test_a_rebuilt_index_gives_the_same_answers(life: Library) -> None:
    exact, by_index = life.exactly(), life.by_index()
    witness = life.data / "memory" / "chroma" / "witness"
    witness.touch()
    assert life.service.answer({"op": "rebuild"})["ok"]
    life.keep()
    assert not witness.exists()
    assert not life.service.index.needs_care
    assert life.by_index() == by_index
    assert life.exactly() == exact


def test_minilm_alone_finds_most(tmp_path: Path, empty_database: Path) -> None:
    small = library(tmp_path, empty_database, "minilm-int8")
    answers = small.exactly()
    at_1, at_5 = found_at(1, answers), found_at(5, answers)
    print(f"R@1 {at_1:.3f}, R@5 {at_5:.3f}, R@10 {found_at(10, answers):.3f}")
    assert at_5 >= 0.85, missed(5, answers)
    assert at_1 >= 0.55, missed(1, answers)
    assert [found[0][0] for found in small.by_index()] == [found[0].id for found in answers]
    small.service.close()
