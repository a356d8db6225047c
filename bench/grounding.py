"""Is a statement believed when it is true, and doubted or refused when it is not?

    python -m bench.grounding --set FILE [--answers FILE] [--encoder none|built-in|multilingual] [--json] [--wrong]

`FILE` holds one JSON object a line: a statement with its conversation, what it cites, and whether it is true (the form
is that of bench/grounding_lines/dev.jsonl). `--answers` is a JSON object, id -> supported | not supported |
contradicted, that stands for a reader. Printed are the shares in per cent of true and of false statements that come out
known, unconfirmed and refused; with `--json` per kind and language, too. `--fit` fits the bounds of an encoder's
cosines on the set and reports five folds by conversation; `--wrong` lists what was judged wrongly. `--erring` tells
what is to be expected of a reader who is right nine times in ten and else says either of the other two alike, or the
worst of them: supported of what is false, contradicted of what is true.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from furoshiki.core.similarity import dot
from furoshiki.language import testimony
from furoshiki.memory.grounding.rules.conversation import Conversation, make_record
from furoshiki.memory.grounding.rules.judging import judge, judge_signs, signs
from furoshiki.memory.grounding.rules.statement import (
    BUILT_IN,
    READINGS,
    Judged,
    Kind,
    Nearness,
    Reading,
    Scale,
    Statement,
)
from furoshiki.messages.values import COMPANION, USER, Turn
from furoshiki.recall.embeddings import models

FOLDS = 5

MULTILINGUAL = Scale(far=0.80, sure=0.855, sure_if_free=0.82, nearer=0.02)
"""The scale of multilingual-e5-small, whose cosines start near 0.7."""

NAME = "Furoshiki"

KINDS: Mapping[str, Kind] = {"mood_of_user": "mood"}
"""Kinds with another name in the set."""

ABOUT_OWNER = frozenset({"mood", "profile"})
FREE = frozenset({"follow_up", "curiosity", "anticipation", "journal"})

Shares = Mapping[Reading, float]
ERRING: Mapping[str, Mapping[bool, Shares]] = {
    "errs either way alike": {
        True: {"supported": 0.9, "not supported": 0.05, "contradicted": 0.05},
        False: {"supported": 0.05, "not supported": 0.475, "contradicted": 0.475},
    },
    "errs in the worst way": {
        True: {"supported": 0.9, "contradicted": 0.1},
        False: {"supported": 0.1, "not supported": 0.45, "contradicted": 0.45},
    },
}
"""Distributions of a reader's answers with one error in ten, for true and for false statements."""


@dataclass(frozen=True)
class Case:
    """A statement with its context."""

    id: str
    kind: str
    language: str
    conversation: str
    true: bool
    one: Statement


def main() -> int:
    """Print the shares; return 2 for an invalid file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--set", type=Path, required=True, help="statements with their conversations, as JSON lines")
    parser.add_argument("--answers", type=Path, help="a JSON object: id -> what a reader said")
    parser.add_argument("--encoder", choices=["none", "built-in", "multilingual"], default="built-in")
    parser.add_argument("--json", action="store_true", help="print a JSON object")
    parser.add_argument("--fit", action="store_true", help="fit the encoder's bounds on the set, five folds")
    parser.add_argument("--erring", action="store_true", help="what is to be expected of readers who err")
    parser.add_argument("--wrong", action="store_true", help="list what was judged wrongly")
    asked = parser.parse_args()
    cases = read(asked.set)
    answers = _answers(asked.answers) if asked.answers else {}
    nearness = _nearness(asked.encoder)
    if asked.fit and nearness is not None:
        return _fit(cases, nearness)
    if asked.erring:
        for name, said in ERRING.items():
            print(f"{name:24}", {"true" if true else "false": expected(cases, nearness, said, true) for true in said})
        return 0
    judged = {case.id: judge(case.one, nearness, answers.get(case.id)) for case in cases}
    if asked.json:
        print(json.dumps(report(cases, judged, asked.encoder, len(answers)), indent=1, ensure_ascii=False))
    else:
        _table(cases, judged)
    if asked.wrong:
        for case in cases:
            found = judged[case.id]
            if found.outcome == ("refused" if case.true else "known") or (case.true and found.unconfirmed):
                print(f"{case.id} {case.true!s:5} {found.outcome:11} {case.one.text} | {found.reason}")
    return 0


def read(path: Path) -> list[Case]:
    """Read the cases of a file. Raises SystemExit for an invalid line."""
    found: list[Case] = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if not line.strip():
            continue
        try:
            found.append(_case(json.loads(line)))
        except (KeyError, TypeError, ValueError) as error:
            raise SystemExit(f"{path}:{number}: not a statement with its conversation ({error!r})") from None
    return found


def _case(row: Mapping[str, Any]) -> Case:
    kind = KINDS.get(row["kind"], row["kind"])
    said = _turns(row["messages"], datetime.fromisoformat(row["date"]).replace(hour=12, tzinfo=UTC))
    number = {message["id"]: turn.id for message, turn in zip(row["messages"], said, strict=True)}
    talk = Conversation(said, UTC, row["owner"], NAME, row.get("facts") or ())
    owner = row.get("subject") == "user" if row.get("subject") else kind in ABOUT_OWNER
    cited = [number[name] for name in row["cites"]]
    one = talk.statement(row["statement"], kind, cited, of_owner=owner, free=kind in FREE)
    return Case(row["id"], row["kind"], row["lang"], row["conversation"], row["label"] == "true", one)


def _turns(messages: Sequence[Mapping[str, str]], day: datetime) -> list[Turn]:
    found = []
    for number, message in enumerate(messages, start=1):
        who, text = message["who"], message["text"]
        told = testimony.Told(text) if who == "companion" else testimony.build_typed(text)
        foreign = testimony.whole(text, "forward", message.get("from")) if who == "other" else told.foreign
        speaker = COMPANION if who == "companion" else USER
        at = day + timedelta(minutes=number)
        text = text if who == "other" else told.text
        found.append(replace(make_record(number, text, at, "text"), speaker=speaker, foreign=foreign))
    return found


def _answers(path: Path) -> dict[str, Reading]:
    found = json.loads(path.read_text(encoding="utf-8"))
    wrong = [answer for answer in found.values() if answer not in READINGS]
    if wrong:
        raise SystemExit(f"{path}: {wrong[0]!r} is none of {', '.join(READINGS)}")
    return dict(found)


def _nearness(name: str) -> Nearness | None:
    if name == "none":
        return None
    made: dict[str, list[float]] = {}
    if name == "multilingual":
        many = models.load_multilingual()
        return Nearness(_cosine(made, lambda texts: many.encode(texts)), MULTILINGUAL)
    encoder = models.load(models.BEST, Path.home())
    return Nearness(_cosine(made, encoder.encode), BUILT_IN)


def _cosine(
    made: dict[str, list[float]], encode: Callable[[Sequence[str]], Any]
) -> Callable[[str, Sequence[str]], float]:
    def cosine(text: str, others: Sequence[str]) -> float:
        new = [one for one in dict.fromkeys((text, *others)) if one not in made]
        if new:
            made.update(zip(new, encode(new).tolist(), strict=True))
        return max((dot(made[text], made[one]) for one in others), default=-1.0)

    return cosine


def shares(cases: Iterable[Case], judged: Mapping[str, Judged]) -> dict[str, dict[str, float]]:
    """Return the outcomes of true and of false statements in percent, with their numbers."""
    found: dict[str, dict[str, float]] = {}
    cases = list(cases)
    for label, true in (("true", True), ("false", False)):
        counts = Counter(judged[case.id].outcome for case in cases if case.true is true)
        many = counts.total()
        found[label] = {"count": many}
        for outcome in ("known", "unconfirmed", "refused"):
            found[label][outcome] = round(100 * counts[outcome] / many, 1) if many else 0.0
    return found


def expected(
    cases: Iterable[Case], nearness: Nearness | None, said: Mapping[bool, Shares], true: bool
) -> dict[str, float]:
    """Return the expected outcomes of true or of false statements in percent."""
    some = [case for case in cases if case.true is true]
    found = dict.fromkeys(("known", "unconfirmed", "refused"), 0.0)
    for case in some:
        for reading, share in said[true].items():
            found[judge(case.one, nearness, reading).outcome] += share
    return {outcome: round(100 * count / len(some), 1) for outcome, count in found.items()}


def report(cases: Sequence[Case], judged: Mapping[str, Judged], encoder: str, answers: int) -> dict[str, Any]:
    """Return all shares: total, by kind and by language."""
    by_kind = {
        kind: shares([case for case in cases if case.kind == kind], judged) for kind in sorted({c.kind for c in cases})
    }
    by_language = {
        code: shares([case for case in cases if case.language == code], judged)
        for code in sorted({c.language for c in cases})
    }
    return {
        "statements": len(cases),
        "encoder": encoder,
        "answers": answers,
        "all": shares(cases, judged),
        "kinds": by_kind,
        "languages": by_language,
    }


def _table(cases: Sequence[Case], judged: Mapping[str, Judged]) -> None:
    print(f"{'':14} {'true':>5} known unconf lost {'false':>6} known unconf refused")
    rows = [("all", list(cases))]
    rows += [(kind, [c for c in cases if c.kind == kind]) for kind in sorted({c.kind for c in cases})]
    rows += [(code, [c for c in cases if c.language == code]) for code in sorted({c.language for c in cases})]
    for name, some in rows:
        t, f = (shares(some, judged)[label] for label in ("true", "false"))
        print(
            f"{name:14} {t['count']:5.0f} {t['known']:5.0f} {t['unconfirmed']:6.0f} {t['refused']:4.0f} "
            f"{f['count']:6.0f} {f['known']:5.0f} {f['unconfirmed']:6.0f} {f['refused']:7.0f}"
        )


def _fit(cases: Sequence[Case], nearness: Nearness) -> int:
    """Print the best scale for a set, and its results on unseen folds."""
    found = {case.id: signs(case.one, nearness) for case in cases}
    near = [one.near for one in found.values() if one.near is not None]
    steps = [round(float(one), 3) for one in np.quantile(near, [0.0, 0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4])]
    scales = [
        Scale(far, sure, free, nearer)
        for far, sure, free, nearer in product(steps[:3], steps, steps[:7], (0.0, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3))
        if far <= free <= sure
    ]
    judged = {scale: {case.id: judge_signs(found[case.id], scale) for case in cases} for scale in scales}
    conversations = sorted({case.conversation for case in cases})
    unseen: dict[str, Judged] = {}
    for fold in range(FOLDS):
        held = set(conversations[fold::FOLDS])
        best = max(scales, key=lambda one: _worth([c for c in cases if c.conversation not in held], judged[one]))
        unseen |= {case.id: judged[best][case.id] for case in cases if case.conversation in held}
        print(f"fold {fold + 1}: {best}", file=sys.stderr)
    best = max(scales, key=lambda one: _worth(cases, judged[one]))
    print(best)
    _table(cases, judged[best])
    print("unseen:")
    _table(cases, unseen)
    return 0


def _worth(cases: Sequence[Case], judged: Mapping[str, Judged]) -> float:
    """Return the score: true known, minus false known, minus thrice the true ones lost."""
    found = shares(cases, judged)
    return found["true"]["known"] - found["false"]["known"] - 3 * found["true"]["refused"]


if __name__ == "__main__":
    raise SystemExit(main())
