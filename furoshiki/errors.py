"""Few errors, each named for what its reader must do. The message names the cause and the fix."""

from __future__ import annotations


class FuroshikiError(Exception):
    """Something a person can mend; `str(error)` tells them how. `exit_code` is the command's exit status."""

    exit_code = 1


class NotConfigured(FuroshikiError):
    """A setting is missing: the message names it and where to put it."""

    exit_code = 3


class BadSetting(FuroshikiError):
    """A setting or a file of settings is wrong: the message names it, the reason, and the nearest valid thing."""

    exit_code = 3


class AlreadyRunning(FuroshikiError):
    """Another process holds the lock this one needs: stop that one, or let it do the work."""


class StorageUnavailable(FuroshikiError):
    """The database cannot be used now: locked for too long, disk full, read-only, missing or damaged."""

    exit_code = 4


class NoMindAnswered(FuroshikiError):
    """Every provider of a tier failed, the built-in mind included. `away` when there is a model that may answer later:
    what it was to do waits for it."""

    def __init__(self, message: str, *, away: bool = False) -> None:
        super().__init__(message)
        self.away = away


class AnswerUnusable(FuroshikiError):
    """A model answered twice in a form that does not fit what was asked for."""
