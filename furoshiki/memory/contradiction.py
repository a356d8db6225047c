"""Decide whether two statements contradict each other, by the cheapest method that can tell.

Rules take no time and the direction of the difference of two vectors a few milliseconds. The
smallest model is asked only when neither decides, without history or the companion's identity.
"""

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
from furoshiki.models.llm.values import Question
from furoshiki.recall.embeddings import shipped_vectors
from furoshiki.recall.retrieval.client import VectorsAway
from furoshiki.recall.retrieval.other_languages import load_languages
from furoshiki.recall.retrieval.store import vectors
from furoshiki.world import World

SURE = 0.5  # the least score, in [0, 1], at which the rules decide that statements contradict
DIRECTIONS = 5  # directions used on each side; 3 or 8 separate slightly worse

# texts of the table embedded per request (once for each encoder), as memoryd has other callers
AT_ONCE = 8

_KEY = "opposition.directions"

# the digest of the table of pairs; directions for it are shipped for the built-in encoders
PAIRS_DIGEST = shipped_vectors.digest(text for pair in (*OPPOSED_PAIRS, *ALIKE_PAIRS) for text in pair)


class Contradicting(BaseModel):
    """The answer to one yes/no question."""

    contradict: bool = Field(description="Whether both cannot be true of the same person at the same time")


@dataclass(frozen=True)
class Judged:
    """Whether two statements contradict each other. `open`: a model could still tell."""

    contradict: bool
    open: bool = False

    @property
    def owed(self) -> bool:
        """Whether to ask a model later: it could find a contradiction not detected so far."""
        return self.open and not self.contradict


async def contradicts(
    world: World,
    first: str,
    second: str,
    *,
    embedded: tuple[Vector, Vector] | None = None,
    turn_key: str | None = None,
) -> Judged:
    """Decide whether two statements (about the user) contradict each other.

    `embedded` are their unit vectors if the caller has them. Never raises when memoryd or the model
    is unavailable: the other methods decide, and without any the answer is no.
    """
    judgement = by_rule_and_direction(world, first, second, embedded)
    if not judgement.open:
        return judgement
    try:
        return Judged(await ask_model(world, first, second, turn_key))
    except NoMindAnswered as error:
        return replace(judgement, open=error.away)
    except AnswerUnusable:
        return replace(judgement, open=False)


def by_rule_and_direction(
    world: World, first: str, second: str, embedded: tuple[Vector, Vector] | None = None
) -> Judged:
    """Decide the same without a model, for callers that cannot wait."""
    sure = measure_by_rule(first, second)
    if sure is not None:
        return Judged(sure >= SURE)
    lean = _measure_leaning(world, first, second, embedded)
    if lean is None:
        return Judged(False, open=True)
    return Judged(lean > OPPOSED_ABOVE, open=lean >= UNOPPOSED_BELOW)


def statement(memory: Memory) -> str:
    """Return the statement of a memory in the user's words (first person)."""
    words = memory.metadata.get("words")
    return str(words) if words else first_person(memory.content)


def _measure_leaning(world: World, first: str, second: str, embedded: tuple[Vector, Vector] | None) -> float | None:
    if any(map(load_languages(world.config).of, (first, second))):
        return None  # the directions were learned from English pairs
    try:
        first_vector, second_vector = embedded or world.vectors.embed([first, second])
        directions = _directions(world, len(first_vector))
    except VectorsAway:
        return None
    return None if directions is None else measure_leaning(first_vector, second_vector, directions)


async def ask_model(world: World, first: str, second: str, turn_key: str | None = None) -> bool:
    """Ask the smallest model. Raises NoMindAnswered and AnswerUnusable."""
    system = world.prompts.render("contradiction/instructions")
    matter = world.prompts.render("contradiction/pair", first=first, second=second)
    question = Question.of(
        "micro", "contradiction", system, matter, Contradicting, max_tokens=200, timeout_s=20.0, turn_key=turn_key
    )
    answer = await patiently(world, question, world.now)
    if answer.parsed is None:
        raise AnswerUnusable("the answer says neither yes nor no")
    return bool(answer.parsed.contradict)


def _directions(world: World, dimensions: int) -> Directions | None:
    """Return the encoder's directions: shipped, or learned once. Raises VectorsAway."""
    with world.database.read() as db:
        model = vectors.model(db)
        if model is not None and (model, dimensions) in _IN_USE:
            return _IN_USE[model, dimensions]
        stored = kv.get(db, _KEY)
    shipped = None if model is None else shipped_vectors.directions(world.config, model, PAIRS_DIGEST)
    if shipped is not None and len(shipped.alike[0]) == dimensions:
        return _keep_directions(model, dimensions, shipped)
    if stored is not None and stored["model"] == model and stored["dimensions"] == dimensions:
        directions = Directions(tuple(map(tuple, stored["against"])), tuple(map(tuple, stored["alike"])))
        return _keep_directions(model, dimensions, directions)
    directions = learn_directions(_embed_pairs(world, OPPOSED_PAIRS), _embed_pairs(world, ALIKE_PAIRS))
    against, alike = ([[round(x, 5) for x in one] for one in side] for side in (directions.against, directions.alike))
    values = {"model": model, "dimensions": dimensions, "against": against, "alike": alike}
    with world.database.write() as db:
        kv.put(db, _KEY, values, world.now)
    return _keep_directions(model, dimensions, directions)


# a cache of one set of directions, by encoder and vector length
_IN_USE: dict[tuple[str, int], Directions] = {}


def _keep_directions(model: str | None, dimensions: int, directions: Directions) -> Directions:
    if model is not None:
        _IN_USE.clear()
        _IN_USE[model, dimensions] = directions
    return directions


def _embed_pairs(world: World, pairs: Sequence[tuple[str, str]]) -> list[list[float]]:
    texts = [text for pair in pairs for text in pair]
    return [one for i in range(0, len(texts), AT_ONCE) for one in world.vectors.embed(texts[i : i + AT_ONCE])]


def learn_directions(opposed_vectors: list[list[float]], alike_vectors: list[list[float]]) -> Directions:
    """Compute the directions from vectors of opposed and of similar pairs (two rows for each pair).

    They are the eigenvectors of the difference of the two scatter matrices with the largest and
    smallest eigenvalues.
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
