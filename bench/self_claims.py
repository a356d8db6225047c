"""Are natural sentences that a mind writes about itself kept when its record carries them, and else not?

    python -m bench.self_claims [--set FILE] [--answers FILE] [--json] [--wrong]

`--set` holds JSON lines like those of bench/self_lines/sentences.jsonl (its default): the record of a week, what is
known of the person, a sentence, what it rests on, and whether it is true. `--answers` is a JSON object, id ->
supported | not supported | contradicted, that stands for a reader; without it nothing is kept. `--reader SHARE`
makes up answers that are right but for this share of them. Printed are shares in per cent of what is kept.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Any, cast

from furoshiki.memory.grounding.rules.conversation import Conversation, make_record
from furoshiki.memory.grounding.rules.judging import judge
from furoshiki.memory.grounding.rules.statement import READINGS, Reading
from furoshiki.mind.inner_life.rules import self_claims
from furoshiki.mind.inner_life.rules.self_claims import Read, Shown

OWN_SET = Path(__file__).parent / "self_lines" / "sentences.jsonl"
NOON = datetime(2026, 3, 24, 12, tzinfo=UTC)


@dataclass(frozen=True)
class Case:
    """A sentence, its evidence, and whether it is true."""

    id: str
    language: str
    read: Read
    shown: Shown
    true: bool


def main() -> None:
    """Print the shares that are kept."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--set", type=Path, default=OWN_SET)
    parser.add_argument("--answers", type=Path, help="a JSON object: id -> what a reader said")
    parser.add_argument("--reader", type=float, help="answers that are right but for this share, in [0, 1]")
    parser.add_argument("--json", action="store_true", help="print a JSON object")
    parser.add_argument("--wrong", action="store_true", help="list what was judged wrongly")
    asked = parser.parse_args()
    cases = read(asked.set)
    answers: dict[str, Reading] = {}
    if asked.answers:
        answers = json.loads(asked.answers.read_text(encoding="utf-8"))
    elif asked.reader is not None:
        answers = made_up(cases, asked.reader)
    found = {one.id: objection(one, answers.get(one.id)) for one in cases}
    told = report(cases, found)
    print(json.dumps(told, indent=1) if asked.json else "\n".join(f"{name:10} {one}" for name, one in told.items()))
    for one in cases:
        if asked.wrong and one.true == bool(found[one.id]):
            print(f"{one.id} {one.true!s:5} {one.read.text} | {found[one.id]}")


def read(path: Path) -> list[Case]:
    """Read the cases of a file."""
    rows = (json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip())
    return [_case(row) for row in rows]


def _case(row: Mapping[str, Any]) -> Case:
    shown = Shown(row["record"], dict(enumerate(row["facts"], start=1)), tuple(row["names"]))
    return Case(row["id"], row["lang"], Read(row["sentence"], tuple(row["rests_on"])), shown, row["label"] == "true")


def objection(one: Case, reading: Reading | None) -> str | None:
    """Return why a sentence would be rejected; None if it is kept."""
    readings = {}
    if reading is not None:
        number = {name: place for place, name in enumerate(one.shown.sources, start=1)}
        record = [make_record(number[name], text, NOON) for name, text in one.shown.sources.items()]
        talk = Conversation(record, UTC, "Furo", "", [*one.shown.facts.values(), *one.shown.names])
        cited = [number[name] for name in one.read.cites if name in number]
        verdict = judge(talk.statement(one.read.text, "self", cited), None, reading)
        readings = {one.read.text: "" if verdict.outcome == "known" else verdict.reason}
    return self_claims.objection(one.read, one.shown, readings)


def made_up(cases: Sequence[Case], wrong: float) -> dict[str, Reading]:
    """Return simulated answers of a reader with this error rate."""
    rng = Random(5)
    answers: dict[str, Reading] = {}
    for one in cases:
        right: Reading = "supported" if one.true else "not supported"
        others = [other for other in READINGS if other != right]
        answers[one.id] = cast(Reading, rng.choice(others)) if rng.random() < wrong else right
    return answers


def report(cases: Sequence[Case], found: Mapping[str, str | None]) -> dict[str, Any]:
    """Return shares in percent, total and by language."""
    groups = {"all": list(cases)}
    groups |= {code: [one for one in cases if one.language == code] for code in sorted({c.language for c in cases})}
    return {
        name: {
            f"{label} kept": _share([found[one.id] is None for one in some if one.true is wanted])
            for label, wanted in (("true", True), ("false", False))
        }
        | {"sentences": len(some)}
        for name, some in groups.items()
    }


def _share(kept: Sequence[bool]) -> float:
    return round(100 * sum(kept) / len(kept), 1) if kept else 0.0


if __name__ == "__main__":
    main()
