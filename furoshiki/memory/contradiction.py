"""Whether two statements contradict each other, the cheapest answer first.

Rules need no time, the direction in which two vectors differ a few milliseconds, and only what neither can tell is put
to the smallest model, alone: without history and without a self that might have an opinion.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pydantic import BaseModel, Field

from furoshiki.core.database import kv
from furoshiki.core.errors import AnswerUnusable, NoMindAnswered
from furoshiki.core.similarity import Vector
from furoshiki.language.facts.opposition import (
    ALIKE_PAIRS,
    OPPOSED_ABOVE,
    OPPOSED_PAIRS,
    UNOPPOSED_BELOW,
    Directions,
    first_person,
    measure_by_rule,
    measure_leaning,
)
from furoshiki.memory.values import Memory
from furoshiki.models.llm.background import patiently
from furoshiki.models.llm.values import Block, Message, Question
from furoshiki.recall.embeddings import shipped_vectors
from furoshiki.recall.retrieval.client import VectorsAway
from furoshiki.recall.retrieval.other_languages import load_languages
from furoshiki.recall.retrieval.store import vectors
from furoshiki.world import World

SURE = 0.5
"""From here on the rules are believed."""

DIRECTIONS = 5
"""Directions taken on each side; with 3 or 8 it separates a little worse."""

AT_ONCE = 8
"""Texts of the table that are embedded in one go, once for each encoder: others want memoryd, too."""

_KEY = "opposition.directions"

PAIRS_DIGEST = shipped_vectors.digest(text for pair in (*OPPOSED_PAIRS, *ALIKE_PAIRS) for text in pair)
"""What stands for the table of pairs, whose directions are shipped for the built-in encoders."""


class Contradicting(BaseModel):
    """The answer to one yes/no question."""

    contradict: bool = Field(description="Whether both cannot be true of the same person at the same time")


@dataclass(frozen=True)
class Judged:
    """Whether two statements contradict each other. `open` when a model could tell better and was not asked."""

    contradict: bool
    open: bool = False

    @property
    def owed(self) -> bool:
        """Whether a model is to be asked later: it could find a contradiction that is not seen yet."""
        return self.open and not self.contradict


async def contradicts(
    world: World,
    first: str,
    second: str,
    *,
    embedded: tuple[Vector, Vector] | None = None,
    turn_key: str | None = None,
) -> Judged:
    """Whether two statements (about the user) contradict each other.

    `embedded` are their unit vectors where the caller has them. Never raises for a layer that is away: the others
    decide, and with none left the answer is no.
    """
    found = by_rule_and_direction(world, first, second, embedded)
    if not found.open:
        return found
    try:
        return Judged(await ask_model(world, first, second, turn_key))
    except NoMindAnswered as error:
        return replace(found, open=error.away)
    except AnswerUnusable:
        return replace(found, open=False)


def by_rule_and_direction(
    world: World, first: str, second: str, embedded: tuple[Vector, Vector] | None = None
) -> Judged:
    """The same without a model, for callers that cannot wait."""
    sure = measure_by_rule(first, second)
    if sure is not None:
        return Judged(sure >= SURE)
    lean = _measure_leaning(world, first, second, embedded)
    if lean is None:
        return Judged(False, open=True)
    return Judged(lean > OPPOSED_ABOVE, open=lean >= UNOPPOSED_BELOW)


def statement(memory: Memory) -> str:
    """What a memory says, as the user would say it."""
    words = memory.metadata.get("words")
    return str(words) if words else first_person(memory.content)


def _measure_leaning(world: World, first: str, second: str, embedded: tuple[Vector, Vector] | None) -> float | None:
    if any(map(load_languages(world.config).of, (first, second))):
        return None  # the directions were learned of English pairs
    try:
        one, other = embedded or world.vectors.embed([first, second])
        found = _directions(world, len(one))
    except VectorsAway:
        return None
    return None if found is None else measure_leaning(one, other, found)


async def ask_model(world: World, first: str, second: str, turn_key: str | None = None) -> bool:
    """What the smallest model says. Raises NoMindAnswered and AnswerUnusable."""
    question = Question(
        tier="micro",
        purpose="contradiction",
        system=(Block(world.prompts.render("contradiction/instructions"), True),),
        messages=(Message("user", world.prompts.render("contradiction/pair", first=first, second=second)),),
        answer=Contradicting,
        max_tokens=200,
        timeout_s=20.0,
        turn_key=turn_key,
    )
    answer = await patiently(world, question, world.now)
    if answer.parsed is None:
        raise AnswerUnusable("the answer says neither yes nor no")
    return bool(answer.parsed.contradict)


def _directions(world: World, dimensions: int) -> Directions | None:
    """The directions for the encoder in use: shipped, or learned once from a table of pairs and kept. Raises
    VectorsAway."""
    with world.database.read() as db:
        model = vectors.model(db)
        if model is not None and (model, dimensions) in _IN_USE:
            return _IN_USE[model, dimensions]
        kept = kv.get(db, _KEY)
    shipped = None if model is None else shipped_vectors.directions(world.config, model, PAIRS_DIGEST)
    if shipped is not None and len(shipped.alike[0]) == dimensions:
        return _keep_directions(model, dimensions, shipped)
    if kept is not None and kept["model"] == model and kept["dimensions"] == dimensions:
        found = Directions(tuple(map(tuple, kept["against"])), tuple(map(tuple, kept["alike"])))
        return _keep_directions(model, dimensions, found)
    found = learn_directions(_embed_pairs(world, OPPOSED_PAIRS), _embed_pairs(world, ALIKE_PAIRS))
    against, alike = ([[round(x, 5) for x in one] for one in side] for side in (found.against, found.alike))
    values = {"model": model, "dimensions": dimensions, "against": against, "alike": alike}
    with world.database.write() as db:
        kv.put(db, _KEY, values, world.now)
    return _keep_directions(model, dimensions, found)


_IN_USE: dict[tuple[str, int], Directions] = {}
"""The directions in use, by encoder and the length of its vectors, of which they are a function."""


def _keep_directions(model: str | None, dimensions: int, found: Directions) -> Directions:
    if model is not None:
        _IN_USE.clear()
        _IN_USE[model, dimensions] = found
    return found


def _embed_pairs(world: World, pairs: Sequence[tuple[str, str]]) -> list[list[float]]:
    texts = [text for pair in pairs for text in pair]
    return [one for i in range(0, len(texts), AT_ONCE) for one in world.vectors.embed(texts[i : i + AT_ONCE])]


def learn_directions(opposed_vectors: list[list[float]], alike_vectors: list[list[float]]) -> Directions:
    """The directions from the vectors of opposed and of alike pairs, each pair's two vectors one after the other.

    They are the eigenvectors of the difference of the two scatter matrices with the largest and smallest eigenvalues.
    """
    import numpy as np

    scatter = []
    for found in (opposed_vectors, alike_vectors):
        rows = np.asarray(found)
        apart = rows[1::2] - rows[0::2]
        scatter.append(apart.T @ apart)
    _values, columns = np.linalg.eigh(scatter[0] - scatter[1])
    most, least = columns[:, -DIRECTIONS:].T, columns[:, :DIRECTIONS].T
    return Directions(tuple(map(tuple, most.tolist())), tuple(map(tuple, least.tolist())))
