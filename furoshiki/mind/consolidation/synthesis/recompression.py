"""Rewrite the one-line versions of similar memories, so that each starts with its difference.

A memory without a line gets one by rule. No model is asked about a cluster of brief memories.
"""

from collections.abc import Sequence
from typing import Any

from furoshiki.core.process.crash_points import point
from furoshiki.memory.rules.one_line import LONGEST, compress
from furoshiki.memory.values import Memory
from furoshiki.memory.weighing import Cycle
from furoshiki.mind.consolidation.store import synthesis
from furoshiki.mind.consolidation.synthesis.asking import Drawn, Part, ask, build_material, judge
from furoshiki.mind.consolidation.synthesis.clusters import Clusters, of_evidence
from furoshiki.mind.consolidation.synthesis.conclusions import refuse
from furoshiki.mind.consolidation.synthesis.forms import Line, Lines
from furoshiki.models.llm.background import Unanswered
from furoshiki.owner.user_model import user
from furoshiki.world import World

BATCH = 20  # memories per question, in whole clusters

BRIEF = LONGEST // 2  # characters of a memory that is its own line

MOST_BATCHES = 3
MOST_BY_RULE = 1000

OPERATION = "recompressed"


async def step(world: World, cycle: Cycle, clusters: Clusters | None = None) -> dict[str, Any]:
    """Rewrite the lines of changed clusters. Returns how many by model, by rule, and refused."""
    counts = {"written": 0, "by_rule": _by_rule(world), "refused": 0}
    waiting = []
    for cluster in of_evidence(world, clusters):
        if all(len(memory.content) <= BRIEF for memory in cluster):
            continue
        input_ = synthesis.digest(OPERATION, {memory.id for memory in cluster})
        with world.database.read() as db:
            if not synthesis.is_done(db, OPERATION, input_):
                waiting.append((cluster, input_))
    for batch in _batches(waiting)[:MOST_BATCHES]:
        outcome = await _write(world, cycle, batch, counts)
        if outcome is not None and outcome.nobody:
            return {**counts, "skipped": outcome.reason}
    return counts


async def _write(
    world: World, cycle: Cycle, batch: Sequence[tuple[Sequence[Memory], str]], counts: dict[str, int]
) -> Unanswered | None:
    zone = user.zone_of(world)
    sections = [(f"Cluster {number}", build_material(cluster, zone)[1]) for number, (cluster, _) in enumerate(batch, 1)]
    text_of = {memory.id: memory.content for cluster, _ in batch for memory in cluster}
    answer = await ask(world, cycle, Part("lines", Lines, "micro", 60 * len(text_of) + 100), sections)
    if isinstance(answer, Unanswered):
        return answer
    point("deepening.recompression.answered")
    parsed: Lines = answer.parsed
    lines = list({one.memory: one for one in parsed.lines}.values())
    drawn = [Drawn(" ".join(one.line.split()), [one.memory]) for one in lines]
    verdicts = await judge(world, text_of, drawn)
    with world.database.write() as db:
        for line, verdict in zip(lines, verdicts, strict=True):
            objection = verdict.reason or _too_long(line)
            if not objection:
                synthesis.compress(db, line.memory, " ".join(line.line.split()))
                counts["written"] += 1
            else:
                refuse(db, cycle, "line", line.line, [line.memory], objection)
                counts["refused"] += 1
        for cluster, input_ in batch:
            ids = [memory.id for memory in cluster]
            synthesis.note(db, cycle.id, OPERATION, None, input_, {"memories": ids}, cycle.now)
        point("deepening.recompression.before_commit")
    return None


def _too_long(line: Line) -> str:
    """Return why a line is too long; "" if it fits."""
    length = len(" ".join(line.line.split()))
    return f"it has {length} characters, not 1 to {LONGEST}" if length > LONGEST else ""


def _by_rule(world: World) -> int:
    with world.database.write() as db:
        memories = synthesis.without_line(db, MOST_BY_RULE)
        for memory in memories:
            synthesis.compress(db, memory.id, compress(memory.content))
    return len(memories)


def _batches(waiting: Sequence[tuple[Sequence[Memory], str]]) -> list[list[tuple[Sequence[Memory], str]]]:
    """Group clusters into batches of at most `BATCH` memories (or one cluster)."""
    batches: list[list[tuple[Sequence[Memory], str]]] = []
    room = 0
    for item in waiting:
        if not batches or len(item[0]) > room:
            batches.append([])
            room = BATCH
        batches[-1].append(item)
        room -= len(item[0])
    return batches
