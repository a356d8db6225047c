"""The doctor of a host: looks at each of its homes as the doctor does, then at what they share.

Needs Python 3.11 and nothing else, as the doctor. Exit status: 0 healthy, 1 repaired, 2 a person is needed.
"""

import os
import sys

sys.path.append(os.path.dirname(os.path.realpath(__file__)))  # noqa: PTH120 - before anything is imported

from doctor_checks.host.main import main

if __name__ == "__main__":
    raise SystemExit(main())
