"""`python -m furoshiki.embed.prepare minilm-int8 FOLDER [WEIGHTS]`: build an encoder's files ahead of its first use."""

from __future__ import annotations

import sys
from pathlib import Path

from furoshiki.embed.models import prepare
from furoshiki.errors import FuroshikiError

if __name__ == "__main__":
    try:
        prepare(sys.argv[1], Path(sys.argv[2]), *map(Path, sys.argv[3:4]))
    except FuroshikiError as error:
        sys.exit(str(error))
