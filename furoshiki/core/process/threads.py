"""One thread for linear algebra: ours is small, and OpenBLAS keeps every core spinning between two products.

The package's `__init__` calls this before numpy can be imported. What the environment says already stays as it is.
"""

import os


def one_for_algebra() -> None:
    """Have numpy calculate in the thread that asked; processes that are started from here inherit it."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
