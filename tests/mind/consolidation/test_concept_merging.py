"""Two names for one thing become one concept, with everything either was of; numbers and what is only alike do not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from furoshiki.memory import weighing
from furoshiki.memory.concepts import find_associated
from furoshiki.memory.store import concepts
from furoshiki.mind.consolidation import concept_merging
from furoshiki.recall.retrieval.store import multilingual, vectors
from furoshiki.world import World
from tests.support.exit_gate import know

MEANING = {
    "sea": (1.0, 0.0),
    "ocean": (0.9, 0.436),
    "lake": (0.7, 0.714),
    "2024": (0.0, 1.0),
    "2025": (0.0, 1.0),
    "chess": (0.0, -1.0),
    **dict.fromkeys(("film", "movie", "johann", "johannes", "anna", "annas"), (-0.6, -0.8)),
    **dict.fromkeys(("sister-in-law", "ex-husband", "brother-in-law", "ex-wife"), (-0.6, 0.8)),
}
PEOPLE = {
    "johann": "My brother Johann plays the cello.",
    "johannes": "Johannes sings in the choir.",
    "anna": "I met Anna.",
    "annas": "my sister annas lives by the sea",
    "film": "Film night. We saw a film.",
    "movie": "The movie was long.",
    "sister-in-law": "my sister-in-law cooks",
    "brother-in-law": "my brother-in-law cooks",
    "ex-husband": "her ex-husband called",
    "ex-wife": "his ex-wife called",
}


class Meaning:
    """memoryd as far as it embeds: a plane in which sea and ocean are 0.9 apart, and the lake is neither."""

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        return [list(MEANING.get(text, (-1.0, 0.0))) for text in texts]


def names(world: World) -> list[str]:
    with world.database.read() as db:
        return [row["name"] for row in db.execute("SELECT name FROM concepts ORDER BY name")]


def night(world: World) -> Any:
    return concept_merging.step(world, weighing.cycle(world, "deep"))


def fill(world: World) -> list[int]:
    held = [know(world, f"something about it, {number}") for number in range(4)]
    about = (["sea", "boat"], ["ocean", "chess"], ["lake", "2024"], ["boats", "2025", "sea"])
    with world.database.write() as db:
        vectors.model_is(db, "a plane", world.now)
        for memory_id, found in zip(held, about, strict=True):
            concepts.see(db, memory_id, found, world.now)
        concepts.tell_link(db, _id(db, "chess"), _id(db, "ocean"), "part_of")
    return held


def test_by_meaning_and_by_stem(world: World) -> None:
    sea, ocean, *_ = fill(world)
    with world.database.read() as db:
        assert ocean not in dict(find_associated(db, [sea], now=world.now))
    assert night(replace(world, vectors=Meaning()))["joined"] == 2  # type: ignore[arg-type]
    assert names(world) == ["2024", "2025", "boat", "chess", "lake", "sea"]
    with world.database.read() as db:
        assert ocean in dict(find_associated(db, [sea], now=world.now))  # what nobody would have put together
        company = {one.name: weight for one, weight in concepts.neighbours(db, _id(db, "sea"), world.now, 10)}
        assert company == {"boat": 2.0, "chess": 1.0, "2025": 1.0}
        assert concepts.link_type(db, _id(db, "sea"), _id(db, "chess")) == "has_part"
        assert db.execute("SELECT seen FROM concepts WHERE name='sea'").fetchone()[0] == 3
    assert night(replace(world, vectors=Meaning()))["joined"] == 0  # type: ignore[arg-type]


def test_while_memoryd_is_away_stems_alone_tell(world: World) -> None:
    fill(world)
    assert night(world)["joined"] == 1
    assert "ocean" in names(world) and "boats" not in names(world)
    assert np.isclose(np.dot(MEANING["sea"], MEANING["ocean"]), 0.9)


class InChinese:
    """memoryd as it is: to the encoder for English two words in Chinese are the same, to that for all languages not."""

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        return [[1.0, 0.0] for _ in texts]

    def compare(self, texts: Sequence[str]) -> list[list[float]]:
        return [{"汽车": [1.0, 0.0], "轿车": [0.9, 0.436]}.get(text, [0.0, 1.0]) for text in texts]


def test_what_is_one_in_another_language_the_encoder_for_it_tells(world: World) -> None:
    held = know(world, "the car and work")
    with world.database.write() as db:
        vectors.model_is(db, "a plane", world.now)
        multilingual.was_met(db, multilingual.SPOKEN, world.now)
        concepts.see(db, held, ["汽车", "轿车", "工作"], world.now)
    assert night(replace(world, vectors=InChinese()))["joined"] == 1  # type: ignore[arg-type]
    assert "工作" in names(world) and len(names(world)) == 2


def told(world: World, said: Mapping[str, str]) -> World:
    with world.database.write() as db:
        vectors.model_is(db, "a plane", world.now)
    for name, text in said.items():
        held = know(world, text)
        with world.database.write() as db:
            concepts.see(db, held, [name], world.now)
    return replace(world, vectors=Meaning())  # type: ignore[arg-type]


def test_people_and_relatives_stay_apart(world: World) -> None:
    assert night(told(world, PEOPLE))["joined"] == 1
    assert names(world) == sorted(PEOPLE.keys() - {"movie"})


def test_a_death_between_two_joins_loses_none(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    world = told(world, {"sea": "the sea", "ocean": "the ocean", "film": "a film", "movie": "a movie"})

    def dies(_: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(concept_merging, "point", dies)
    with pytest.raises(KeyboardInterrupt):
        night(world)
    assert len(names(world)) == 3
    monkeypatch.undo()
    assert night(world)["joined"] == 1
    assert names(world) == ["film", "sea"]


def _id(db: Any, name: str) -> int:
    return int(db.execute("SELECT id FROM concepts WHERE name=?", (name,)).fetchone()[0])
