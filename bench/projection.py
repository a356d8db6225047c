"""Computes the matrices that reduce vectors: `python -m bench.projection NAME FOLDER`.

The token vectors of some thousand generated everyday sentences (everyday.txt, gaps filled from the
encoder's vocabulary) span the space; the 96 principal directions are kept, which loses the least of
their dot products. A fixed rotation follows: it changes no dot product and gives every number the
same spread, as four bits a number need (`furoshiki.recall.retrieval.store.token_vectors`). The same
files give the same matrix, up to the last bits of the linear algebra; the result is in
`furoshiki/recall/embeddings/` as float16.

The vectors of the sentences give the 64 directions for the index's candidates (`reduction.py`) in
the same way.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
from tokenizers import Tokenizer

from furoshiki.core.similarity import unit_rows
from furoshiki.recall.embeddings.encoder import Files, Floats, OnnxEncoder
from furoshiki.recall.embeddings.models import MULTILINGUAL, files

DIMENSIONS = 96
"""At four bits a number this is 48 bytes a token; a turn may take 6 KB of disk in all.

R@5 of late interaction with neighbours over four conversations (580 questions): 73.5 %; with 128
dimensions 73.5 %, with 192 74.9 %, not projected 74.7 %. Eight bits a number gain nothing over
four.
"""

INDEX_DIMENSIONS = 64
"""A hundred thousand vectors of the index then take 26 MB, instead of 154 MB.

Of the 80 vectors nearest to a question (5,831 turns of the development conversations in one
database) 95.7 % are among the first 200, and of the nearest ten 99.7 %; with 48 dimensions 91.3 %,
with 96 99.1 %. Random directions: 75.6 %.
"""

SENTENCES = 2500
SEED = 3
TEMPLATES = Path(__file__).parent / "everyday.txt"


def sentences(vocabulary: Sequence[str], count: int, seed: int) -> Iterator[str]:
    """Yield everyday sentences with varying words in the gaps."""
    rng = random.Random(seed)
    templates = TEMPLATES.read_text(encoding="utf-8").splitlines()
    words = sorted(word for word in vocabulary if word.isascii() and word.isalpha() and len(word) > 2)
    for number in range(count):
        template = templates[number % len(templates)]
        yield template.format(*rng.choices(words, k=template.count("{}")))


def principal(rows: Floats, dimensions: int) -> npt.NDArray[np.float64]:
    """Return the principal directions (width x dimensions) of these rows, the greatest first."""
    wide = rows.astype(np.float64)
    _, directions = np.linalg.eigh(wide.T @ wide)
    kept = directions[:, ::-1][:, :dimensions]
    # Fix the sign of each eigenvector, which is arbitrary, so that two runs agree.
    signed: npt.NDArray[np.float64] = kept * np.sign(kept[np.abs(kept).argmax(axis=0), np.arange(dimensions)])
    return signed


def matrix(tokens: Floats, dimensions: int = DIMENSIONS, seed: int = SEED) -> Floats:
    """Return the projection (width x dimensions) onto the rotated principal directions."""
    rotation, upper = np.linalg.qr(np.random.default_rng(seed).standard_normal((dimensions, dimensions)))
    projection: Floats = (principal(tokens, dimensions) @ (rotation * np.sign(np.diag(upper)))).astype(np.float32)
    return projection


def multilingual(lines: Sequence[str], folder: Path) -> None:
    """Write the reductions of the multilingual encoder into `folder`: the principal directions of
    these lines and tokens, and the mean to subtract."""
    from furoshiki.recall.embeddings import models
    from furoshiki.recall.embeddings.multilingual import REDUCED, REDUCTIONS

    encoder = models.load_multilingual()
    found = [encoder.unreduced(line, "passage") for line in lines]
    each = np.concatenate([one.tokens for one in found]), np.stack([one.whole for one in found])
    for path, rows in zip(REDUCTIONS, each, strict=True):
        common = rows.mean(axis=0)
        directions = matrix(rows - common, REDUCED)
        np.save(folder / path.name, np.concatenate([directions, -(common @ directions)[None]]).astype(np.float16))


def unprojected(found: Files) -> Files:
    """Return the encoder without projection and centring."""
    return replace(found, projection=None, centre=None)


def main(name: str, folder: Path) -> None:
    """Write into `folder` NAME.npy (tokens), NAME-centre.npy (mean of the texts' vectors),
    NAME-index.npy."""
    found_files = files(name, folder)
    plain = OnnxEncoder(unprojected(found_files))
    vocabulary = list(Tokenizer.from_file(str(found_files.tokenizer)).get_vocab())
    pooled, found = [], []
    for text in sentences(vocabulary, SENTENCES, SEED):
        whole, tokens = plain.encode_tokens(text)
        pooled.append(whole)
        found.append(tokens)
    texts = np.array(pooled)
    centre = texts.mean(axis=0)
    if found_files.centre is not None:
        texts = unit_rows(texts - centre)
    np.save(folder / f"{name}.npy", matrix(np.concatenate(found)).astype(np.float16))
    np.save(folder / f"{name}-centre.npy", centre.astype(np.float32))
    np.save(folder / f"{name}-index.npy", principal(texts, INDEX_DIMENSIONS).astype(np.float16))


if __name__ == "__main__":
    if sys.argv[1] == MULTILINGUAL:
        multilingual([line.strip() for line in sys.stdin if line.strip()], Path(sys.argv[2]))
    else:
        main(sys.argv[1], Path(sys.argv[2]))
