"""The command line's fixtures."""

from tests.support.shell import command, data, program

__all__ = ["command", "data", "program"]
