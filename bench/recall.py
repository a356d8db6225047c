"""How well and how fast recall finds what was said, over corpora in the import format with gold labels.

    python bench/recall.py FOLDER [--embedder NAME] [--rerank] [--ablate] [--mixed] [--merge] [--unasked] [--json]

FOLDER holds pairs NAME.turns.jsonl (lines of {"session", "at", "speaker", "text", "id"}) and NAME.questions.jsonl
(lines of {"query", "gold": [ids], "now", "category"?}). Every corpus gets a database, a real index and memoryd's own
code in this process. Turn level: the share of gold turns among the first k results (a result stands for the turns it
rests on), MRR of the first gold one. Session level: whether a gold session is among the first k sessions.

--ablate switches each term of the ranking off, one at a time. --mixed stores a fact for every third turn and a
document for every session beside the turns, and asks among all of them. --merge puts all corpora into one database.
--unasked leaves out what is too far to be put before a mind, as a turn does, and counts what is left of it for the
questions and for messages that have nothing to do with anything there (unrelated.txt).
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import random
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path

from furoshiki.archive.import_export.importing import import_file
from furoshiki.core.database import migrate
from furoshiki.core.database.connection import Database
from furoshiki.core.timestamps import parse
from furoshiki.memory.rules.injection import SLOTS
from furoshiki.memory.store import memories
from furoshiki.memory.values import NewMemory
from furoshiki.messages.store import sessions
from furoshiki.messages.store.sessions import SessionDocument
from furoshiki.recall.embeddings import models, reranker
from furoshiki.recall.embeddings.encoder import Encoder
from furoshiki.recall.retrieval.memoryd.service import Service
from furoshiki.recall.retrieval.recall import Wanted, floor_for, recall_exactly
from furoshiki.recall.retrieval.rules.likely_answers import TERMS, Terms
from furoshiki.recall.retrieval.values import EVERYWHERE, Recalled, Scope

DEPTHS = (1, 5, 10, 20)
SESSION_DEPTHS = (1, 5)
DEEPEST = 50
AT_ONCE = 64

OFF: dict[str, dict[str, object]] = {
    "all terms": {},
    "without the turns around": {"before": (), "after": ()},
    "without the turn after": {"after": ()},
    "without the question before counting more": {"answers": 0.9},
    "without the session's best turn": {"session": 0.0},
    "without the speaker named": {"named": 0.0},
    "without 'I' meaning the one who asks": {"oneself": 0.0},
    "without those named speaking of themselves": {"first_person": 0.0},
    "without dates": {"dated": 0.0},
    "without 'when' wanting a time": {"tells_when": 0.0},
    "without answers to a question like it": {"after_question": 0.0},
    "without the companion standing back": {"companion": 0.0},
    "without long turns paying": {"long_per_log": 0.0},
    "without full text as a term": {"full_text": 0.0},
}


@dataclasses.dataclass(frozen=True)
class Question:
    """One question with its gold labels."""

    wanted: Wanted
    gold: frozenset[str]
    sessions: frozenset[str]
    category: str


@dataclasses.dataclass
class Scores:
    """Sums of the results over questions."""

    recall: dict[int, list[float]] = dataclasses.field(default_factory=lambda: {k: [] for k in DEPTHS})
    hits: dict[int, list[float]] = dataclasses.field(default_factory=lambda: {k: [] for k in SESSION_DEPTHS})
    reciprocal: list[float] = dataclasses.field(default_factory=list)

    def add(self, question: Question, found: Sequence[Recalled]) -> None:
        """Add one result."""
        places: dict[str, int] = {}
        seen_sessions: list[str] = []
        for place, one in enumerate(found, 1):
            if one.kind != "session":
                for name in one.import_ids:
                    places.setdefault(str(name), place)
            if one.session is not None and one.session not in seen_sessions:
                seen_sessions.append(one.session)
        ranks = [places[name] for name in question.gold if name in places]
        for k, values in self.recall.items():
            values.append(sum(rank <= k for rank in ranks) / len(question.gold))
        for k, values in self.hits.items():
            values.append(float(any(name in question.sessions for name in seen_sessions[:k])))
        self.reciprocal.append(1 / min(ranks) if ranks else 0.0)

    def row(self) -> dict[str, float]:
        """Return the figures in percent."""
        row = {f"R@{k}": 100 * statistics.fmean(values) for k, values in self.recall.items()}
        row["MRR"] = 100 * statistics.fmean(self.reciprocal)
        return row | {f"session@{k}": 100 * statistics.fmean(values) for k, values in self.hits.items()}


@dataclasses.dataclass
class Corpus:
    """A filled database, and the questions on it."""

    name: str
    database: Database
    service: Service
    questions: list[Question]
    turns: int
    ingest_cpu_s: float
    ingest_s: float
    bytes: int


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--embedder", default=models.BEST)
    parser.add_argument("--rerank", action="store_true", help="let the cross-encoder read the first five")
    parser.add_argument("--ablate", action="store_true", help="each term off, one at a time")
    parser.add_argument("--mixed", action="store_true", help="facts and session documents beside the turns")
    parser.add_argument("--merge", action="store_true", help="all corpora in one database")
    parser.add_argument(
        "--unasked", action="store_true", help="with the floor of a turn, and what unrelated words show"
    )
    parser.add_argument("--json", action="store_true", help="figures for machines")
    asked = parser.parse_args()
    judge = reranker.load() if asked.rerank else None
    with tempfile.TemporaryDirectory() as folder:
        corpora = list(load(asked.folder, Path(folder), asked.embedder, asked.mixed, asked.merge))
        encoder = corpora[0].service.encoder()
        report: dict[str, object] = {"embedder": encoder.id}
        scores, by_category, latencies = measure(corpora, encoder, EVERYWHERE, judge, unasked=asked.unasked)
        report["quality"] = scores.row()
        report["by category"] = {name: found.row() for name, found in sorted(by_category.items())}
        report["cost"] = costs(corpora, latencies)
        if asked.unasked:
            report["shown"] = unrelated(corpora, encoder)
        if asked.ablate:
            report["ablation"] = {
                name: measure(corpora, encoder, EVERYWHERE, judge, dataclasses.replace(TERMS, **off))[0].row()  # type: ignore[arg-type]
                for name, off in OFF.items()
            }
        for corpus in corpora:
            corpus.service.close()
    if asked.json:
        print(json.dumps(report, indent=1))
    else:
        show(report)


def load(folder: Path, work: Path, embedder: str, mixed: bool, merge: bool) -> Iterable[Corpus]:
    """Yield each pair of files as a corpus, or all in one."""
    pairs = [
        (path, path.with_name(path.name.replace(".turns.", ".questions."))) for path in folder.glob("*.turns.jsonl")
    ]
    if not pairs:
        sys.exit(f"{folder} has no files NAME.turns.jsonl with NAME.questions.jsonl beside them")
    pairs.sort()
    for group in [pairs] if merge else [[pair] for pair in pairs]:
        yield build(group, work / group[0][0].stem, embedder, mixed)


def build(pairs: Sequence[tuple[Path, Path]], data: Path, embedder: str, mixed: bool) -> Corpus:
    """Import, embed and index."""
    (data / "memory").mkdir(parents=True)
    (data / "run").mkdir()
    path = data / "memory" / "longmemory.sqlite"
    migrate.ensure(path)
    database = Database(path)
    cache = Path(tempfile.gettempdir()) / "furoshiki-bench-models"
    now = datetime.now(UTC)
    service = Service(data, database, lambda: models.load(embedder, cache), lambda: now, random.Random(0))
    service.encoder()
    began, cpu = time.perf_counter(), time.process_time()
    questions: list[Question] = []
    for turns, labels in pairs:
        import_file(database, turns)
        session_of = {one["id"]: one["session"] for one in map(json.loads, turns.read_text().splitlines())}
        source = turns.name.partition(".jsonl")[0]
        questions += [
            question(line, session_of, source if len(pairs) > 1 else "") for line in labels.read_text().splitlines()
        ]
    if mixed:
        with_other_kinds(database)
    service.keeper.wake(index=True)
    service.keeper.keep()
    database.checkpoint()
    count = store_count(database)
    return Corpus(
        name=", ".join(turns.name for turns, _ in pairs),
        database=database,
        service=service,
        questions=[one for one in questions if one.gold],
        turns=count,
        ingest_cpu_s=time.process_time() - cpu,
        ingest_s=time.perf_counter() - began,
        bytes=sum(path.stat().st_size for path in (data / "memory").rglob("*") if path.is_file()),
    )


def question(line: str, session_of: dict[str, str], source: str) -> Question:
    """Parse a labelled question; unknown ids are removed from its gold."""
    said = json.loads(line)
    gold = frozenset(name for name in said["gold"] if name in session_of)
    wanted = Wanted(said["query"], DEEPEST, parse(said["now"]) if said.get("now") else datetime.now(UTC))
    return Question(wanted, gold, frozenset(session_of[name] for name in gold), said.get("category", "all"))


def with_other_kinds(database: Database) -> None:
    """Add a fact for every third turn and a document for every session."""
    with database.read() as db:
        rows = db.execute("SELECT id, session_id, speaker, text, at FROM turns ORDER BY id").fetchall()
    by_session: dict[str, list[object]] = {}
    with database.write() as db:
        for number, row in enumerate(rows):
            by_session.setdefault(row["session_id"], []).append(row)
            if number % 3 == 0 and len(row["text"]) > 30:
                words = f"{row['speaker']} said on {row['at'][:10]}: {row['text'][:160]}"
                memories.add(db, NewMemory("semantic", words, (row["id"],), subject=row["speaker"]), parse(row["at"]))
        for name, said in by_session.items():
            words = "\n".join(f"{row['speaker']}: {row['text']}" for row in said)  # type: ignore[index]
            first, last = parse(said[0]["at"]), parse(said[-1]["at"])  # type: ignore[index]
            sessions.add(db, SessionDocument(name, first, last, (), words, None, None))


def store_count(database: Database) -> int:
    """Return the number of turns."""
    with database.read() as db:
        return int(db.execute("SELECT count(*) FROM turns").fetchone()[0])


def measure(
    corpora: Sequence[Corpus],
    encoder: Encoder,
    scope: Scope,
    judge: reranker.Reranker | None = None,
    terms: Terms = TERMS,
    *,
    unasked: bool = False,
) -> tuple[Scores, dict[str, Scores], list[float]]:
    """Ask all questions; return the scores, those by category, and CPU milliseconds of each."""
    scores, by_category, latencies = Scores(), {}, []
    for corpus in corpora:
        for question_ in corpus.questions:
            cpu = time.process_time()
            near = as_in_a_turn(corpus, question_.wanted.query) if unasked else scope
            found = recall_exactly(corpus.database, encoder, [question_.wanted], near, terms, judge)[0]
            latencies.append(1000 * (time.process_time() - cpu))
            scores.add(question_, found)
            by_category.setdefault(question_.category, Scores()).add(question_, found)
    return scores, by_category, latencies


def as_in_a_turn(corpus: Corpus, text: str) -> Scope:
    """Return the scope of a turn's recall for these words, with its similarity floor."""
    with corpus.database.read() as db:
        return Scope(floor=floor_for(db, text))


def unrelated(corpora: Sequence[Corpus], encoder: Encoder) -> dict[str, float]:
    """Count the lines shown for unrelated messages, and how often there are any."""
    lines = (Path(__file__).parent / "unrelated.txt").read_text(encoding="utf-8").splitlines()
    shown = []
    for corpus in corpora:
        now = corpus.questions[0].wanted.now
        for text in lines:
            found = recall_exactly(corpus.database, encoder, [Wanted(text, SLOTS, now)], as_in_a_turn(corpus, text))[0]
            shown.append(len(found))
    some = 100 * statistics.fmean(float(count > 0) for count in shown)
    return {"lines of an unrelated message": statistics.fmean(shown), "unrelated messages with any, %": some}


def costs(corpora: Sequence[Corpus], exact: Sequence[float]) -> dict[str, float]:
    """Measure CPU, disk and memory, and memoryd's own answers through its index."""
    daemon: list[float] = []
    for corpus in corpora:
        for one in corpus.questions:
            request = {"op": "recall", "text": one.wanted.query, "k": 20, "now": one.wanted.now.isoformat()}
            cpu = time.process_time()
            answer = corpus.service.answer(request)
            daemon.append(1000 * (time.process_time() - cpu))
            assert answer["ok"], answer
    turns = sum(corpus.turns for corpus in corpora)
    return {
        "turns": turns,
        "questions": len(daemon),
        "memoryd CPU ms p50": statistics.median(daemon),
        "memoryd CPU ms p95": statistics.quantiles(daemon, n=20)[-1],
        "exact CPU ms p50": statistics.median(exact),
        "exact CPU ms p95": statistics.quantiles(exact, n=20)[-1],
        "ingest CPU ms a turn": 1000 * sum(corpus.ingest_cpu_s for corpus in corpora) / turns,
        "ingest turns a second": turns / sum(corpus.ingest_s for corpus in corpora),
        "disk bytes a turn": sum(corpus.bytes for corpus in corpora) / turns,
        "peak resident MB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }


def show(report: dict[str, object]) -> None:
    """Print tables for people."""
    print(f"encoder {report['embedder']}\n")
    rows = {"all": report["quality"], **report["by category"], **report.get("ablation", {})}  # type: ignore[dict-item]
    names = list(report["quality"])  # type: ignore[call-overload]
    width = max(map(len, rows))
    print(f"{'':{width}}" + "".join(f"{name:>11}" for name in names))
    for name, row in rows.items():
        print(f"{name:{width}}" + "".join(f"{row[column]:11.1f}" for column in names))
    print()
    for name, value in (report["cost"] | report.get("shown", {})).items():  # type: ignore[attr-defined]
        print(f"{name:24}{value:12,.1f}")


if __name__ == "__main__":
    main()
