"""Make the vectors that are shipped: what the built-in encoders make of the texts that never change.

    python -m bench.shipped_vectors [--write]

The examples of what matters and of chatter (config/matters.toml) and the directions in which the pairs of statements
differ (furoshiki/language/facts/opposition.py). Says how far what is shipped lies from what is made now; `--write` puts
what is made now into config/shipped_vectors.json. Encoders that are not installed keep what they have.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np

from furoshiki.core.errors import FuroshikiError
from furoshiki.core.paths import ROOT
from furoshiki.core.similarity import pack
from furoshiki.language.facts.opposition import ALIKE_PAIRS, OPPOSED_PAIRS
from furoshiki.memory import examples
from furoshiki.memory.contradiction import PAIRS_DIGEST, learn_directions
from furoshiki.recall.embeddings import models, shipped_vectors
from furoshiki.recall.embeddings.encoder import Encoder

FILE = ROOT / "config" / shipped_vectors.FILE
MATTERS = ROOT / "config" / "matters.toml"
ENCODERS = (models.COLBERT, "minilm-int8")


def main() -> None:
    """Compute, compare, and write if requested."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--write", action="store_true", help=f"put what is made into {FILE.relative_to(ROOT)}")
    write = asked.parse_args().write
    found: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))["encoders"] if FILE.is_file() else {}
    for name in ENCODERS:
        try:
            encoder = models.load(name, Path(tempfile.gettempdir()) / "furoshiki-bench-models")
        except FuroshikiError as error:
            print(f"{name}: {error}")
            continue
        made = of_encoder(encoder)
        print(f"{encoder.id:20} nearest cosine to what is shipped: {agreement(found.get(encoder.id), made):.4f}")
        found[encoder.id] = made
    if write:
        about = f"by python -m bench.shipped_vectors --write on {date.today().isoformat()}"
        FILE.write_text(json.dumps({"made": about, "encoders": found}, indent=1) + "\n", encoding="utf-8")


def of_encoder(encoder: Encoder) -> dict[str, Any]:
    """Return all shipped vectors of one encoder."""
    _matters, _everyday, texts, digest = examples.load(MATTERS)
    sides = [encoder.encode([text for pair in pairs for text in pair]) for pairs in (OPPOSED_PAIRS, ALIKE_PAIRS)]
    axes = learn_directions(*(side.tolist() for side in sides))
    return {
        "dimensions": encoder.dimensions,
        "examples": {"of": digest, "vectors": pack(encoder.encode(texts).tolist())},
        "directions": {
            "of": PAIRS_DIGEST,
            "against": pack(axes.against),
            "alike": pack(axes.alike),
        },
    }


def agreement(before: dict[str, Any] | None, made: dict[str, Any]) -> float:
    """Return the least cosine of old and new example vectors; 0 without old ones of these texts."""
    if before is None or before["examples"]["of"] != made["examples"]["of"]:
        return 0.0
    old, new = (
        np.array(shipped_vectors.unpack(one["examples"]["vectors"], one["dimensions"])) for one in (before, made)
    )
    return float((old * new).sum(axis=1).min())


if __name__ == "__main__":
    main()
