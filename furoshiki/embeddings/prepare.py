"""Build an encoder before its first use: `python -m furoshiki.embeddings.prepare minilm-int8 FOLDER [WEIGHTS]`."""

from __future__ import annotations

import sys
from pathlib import Path

from furoshiki.core.errors import FuroshikiError
from furoshiki.embeddings.models import prepare

if __name__ == "__main__":
    try:
        prepare(sys.argv[1], Path(sys.argv[2]), *map(Path, sys.argv[3:4]))
    except FuroshikiError as error:
        sys.exit(str(error))
