"""The doctor: looks after a companion every ten minutes, mends what can be mended, and calls its owner for the rest.

Needs Python 3.11 and nothing else: it works when the virtual environment, the database, the disk or the settings do
not. Exit status: 0 healthy, 1 repaired, 2 a person is needed.
"""

import os
import sys

sys.path.append(os.path.dirname(os.path.realpath(__file__)))  # noqa: PTH120 - before anything is imported

from doctor_checks.main import main

if __name__ == "__main__":
    raise SystemExit(main())
