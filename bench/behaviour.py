"""Are two questions about the same behaviour known for one tendency, however a capable mind puts them?

    python -m bench.behaviour [--set FILE] [--answers FILE] [--encoder none|built-in|multilingual] [--json]

`--set` is a file of blocks like bench/behaviour_lines/tendencies.txt (its default), of which all pairs within a block
are the same, and all pairs with the blocks it calls near are different; or JSON lines {"id", "first", "second",
"same"}. `--answers` is a JSON object, id of a pair -> true | false, that stands for a reader who says whether the two
are one tendency; where it says nothing they are taken for two. `--encoder` tells how well cosines alone part the
two kinds.
"""

from __future__ import annotations

import argparse
import itertools
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from furoshiki.recall.embeddings import models

OWN_SET = Path(__file__).parent / "behaviour_lines" / "tendencies.txt"


@dataclass(frozen=True)
class Pair:
    """Two questions, and whether they are about one tendency."""

    id: str
    first: str
    second: str
    same: bool


def main() -> None:
    """Print the shares of pairs taken for one."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--set", type=Path, default=OWN_SET)
    parser.add_argument("--answers", type=Path, help="a JSON object: id -> whether a reader says they are one")
    parser.add_argument("--encoder", choices=["none", "built-in", "multilingual"], default="none")
    parser.add_argument("--json", action="store_true", help="print a JSON object")
    asked = parser.parse_args()
    pairs = read(asked.set)
    answers = json.loads(asked.answers.read_text(encoding="utf-8")) if asked.answers else {}
    found = report(pairs, answers)
    if asked.encoder != "none":
        found["encoder"] = parted(pairs, asked.encoder)
    print(json.dumps(found, indent=1) if asked.json else "\n".join(f"{name:24} {one}" for name, one in found.items()))


def tendencies(path: Path = OWN_SET) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """Return the questions of every tendency, and the tendencies near to each."""
    asked: dict[str, list[str]] = {}
    near: dict[str, list[str]] = {}
    for block in path.read_text(encoding="utf-8").split("\n\n"):
        lines = [line for line in block.splitlines() if line and not line.startswith("#")]
        if lines:
            name, _, others = lines[0].partition(":")
            asked[name], near[name] = lines[1:], [one.strip() for one in others.split(",")]
    return asked, near


def read(path: Path) -> list[Pair]:
    """Read the pairs of a file in either form."""
    if path.suffix in (".jsonl", ".json"):
        rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
        return [Pair(str(row["id"]), row["first"], row["second"], bool(row["same"])) for row in rows]
    asked, near = tendencies(path)
    same = [pair for name in asked for pair in itertools.combinations(asked[name], 2)]
    other = [(a, b) for name in asked for one in near[name] for a in asked[name] for b in asked[one]]
    return [
        *(Pair(f"same{number}", *pair, same=True) for number, pair in enumerate(same)),
        *(Pair(f"other{number}", *pair, same=False) for number, pair in enumerate(other)),
    ]


def report(pairs: Sequence[Pair], answers: Mapping[str, bool]) -> dict[str, Any]:
    """Return shares in percent."""
    same, other = ([one for one in pairs if one.same is wanted] for wanted in (True, False))
    return {
        "pairs": {"same": len(same), "different": len(other), "answered": len(answers)},
        "same taken for one": _share([answers.get(pair.id, False) for pair in same]),
        "different taken for one": _share([answers.get(pair.id, False) for pair in other]),
    }


def parted(pairs: Sequence[Pair], name: str) -> dict[str, float]:
    """Return an encoder's area under the curve, and the recall without a false positive."""
    texts = sorted({text for one in pairs for text in (one.first, one.second)})
    many = name == "multilingual"
    made = models.load_multilingual().encode(texts) if many else models.load(models.BEST, Path.home()).encode(texts)
    row = {text: np.asarray(vector) for text, vector in zip(texts, made, strict=True)}
    cosines = np.array([float(row[one.first] @ row[one.second]) for one in pairs])
    same = np.array([one.same for one in pairs])
    above = (cosines[same][:, None] > cosines[~same][None, :]).mean()
    return {"area": round(float(above), 3), "found": _share(list(cosines[same] > cosines[~same].max()))}


def _share(found: Sequence[bool]) -> float:
    return round(100 * sum(found) / len(found), 1) if found else 0.0


if __name__ == "__main__":
    main()
