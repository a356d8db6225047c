"""Train the heads that tell a name in small letters ("ich bin lena") from what else begins so ("ich bin müde").

    python -m bench.names [--write]

A row of weights on the vectors of each encoder, fitted to bench/meant_lines/names.tsv: in nine languages names, and
trades, feelings, places and times, each behind two openings. Told are, by heads that had not seen the word (five
folds), by language the share of names that is heard and of other words that is taken for one. `--write` puts the
weights into config/name_head.json.
"""

from __future__ import annotations

import argparse
import json
import zlib
from collections.abc import Sequence

import numpy as np

from bench.meaning import ENCODERS, FOLDS, LINES, Line, Matrix, _encoder, _rows, train_rows
from furoshiki.core.paths import ROOT
from furoshiki.core.similarity import pack
from furoshiki.language.intents import LIKELY, NAME

HEAD = ROOT / "config" / "name_head.json"


def main() -> None:
    """Train, tell, and write when asked to."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--write", action="store_true", help="put the weights into config/name_head.json")
    options = asked.parse_args()
    made = {}
    for name, languages in ENCODERS.items():
        encoder = _encoder(name)
        if encoder is None:
            continue
        lines = [one for one in (Line(*row) for row in _rows(LINES / "names.tsv")) if one.language in languages]
        vectors = np.asarray(encoder.encode([one.text for one in lines]), np.float64)
        tell(encoder.id, lines, by_folds(lines, vectors))
        made[encoder.id] = pack(fitted(lines, vectors).tolist())
    if options.write:
        whole = {"made": "by python -m bench.names --write", "categories": (NAME,), "weights": made}
        HEAD.write_text(json.dumps(whole, indent=1) + "\n", encoding="utf-8")


def fitted(lines: Sequence[Line], vectors: Matrix) -> Matrix:
    """The weights, the constant last."""
    is_it = np.array([[one.kind == "name"] for one in lines], np.float64)
    rows, _, _ = train_rows(vectors, is_it, np.ones_like(is_it), lambda odds: odds / (1 + odds))
    return rows


def by_folds(lines: Sequence[Line], vectors: Matrix) -> Matrix:
    """How likely each line says a name, by a head that had not seen its word."""
    fold = np.array([zlib.crc32(one.concept.encode()) % FOLDS for one in lines])
    shares = np.zeros(len(lines))
    for part in range(FOLDS):
        others, left = np.flatnonzero(fold != part), np.flatnonzero(fold == part)
        row = fitted([lines[at] for at in others], vectors[others])[0]
        shares[left] = 1 / (1 + np.exp(-(vectors[left] @ row[:-1] + row[-1])))
    return shares


def tell(encoder: str, lines: Sequence[Line], shares: Matrix) -> None:
    """Names heard, and other words taken for one, by language."""
    print(f"\n{encoder}: names heard / other words taken for one")
    for language in dict.fromkeys(one.language for one in lines):
        rates = []
        for kind in ("name", "no_name"):
            at = [place for place, one in enumerate(lines) if (one.language, one.kind) == (language, kind)]
            rates.append(f"{float((shares[at] >= LIKELY).mean()):.2f} ({len(at)})")
        print(f"  {language}: {' / '.join(rates)}")


if __name__ == "__main__":
    main()
