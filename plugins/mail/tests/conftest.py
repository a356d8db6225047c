"""The plugin's scripts import each other by their names, as they do where they run."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "scripts"))
