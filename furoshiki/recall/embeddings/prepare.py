"""Build an encoder before its first use: `python -m furoshiki.recall.embeddings.prepare minilm-int8
FOLDER [WEIGHTS]`, `… multilingual FOLDER WEIGHTS`, or `… mapped FOLDER` to memory-map an installed
one. A separate process, as building needs much memory for a moment."""

import sys
from pathlib import Path

from furoshiki.core.errors import FuroshikiError
from furoshiki.recall.embeddings import encoder, models, multilingual

if __name__ == "__main__":
    try:
        name, folder = sys.argv[1], Path(sys.argv[2])
        weights = Path(sys.argv[3]) if sys.argv[3:] else None
        if name == models.MULTILINGUAL and weights is not None:
            multilingual.prepare(weights, folder)
        elif name == "mapped":
            encoder.map_weights(folder / "model.onnx")
        else:
            models.prepare(name, folder, weights)
    except FuroshikiError as error:
        sys.exit(str(error))
