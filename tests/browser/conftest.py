"""A browser for a worker, and a page of it for a test."""

from tests.support.browser import driver, opened, pytest_pyfunc_call
from tests.support.dashboard import house, signed

__all__ = ["driver", "house", "opened", "pytest_pyfunc_call", "signed"]
