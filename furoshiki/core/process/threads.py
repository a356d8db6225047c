"""One thread for linear algebra: matrices are small, and OpenBLAS keeps every core spinning.

The package's `__init__` calls this before numpy is imported. A variable that is set already stays.
"""

import os


def one_for_algebra() -> None:
    """Restrict OpenBLAS to the calling thread, in this process and its children."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
