"""The project's errors, named for the reader's action; messages name the cause and the fix."""

import errno
from collections.abc import Mapping

from furoshiki.core.catalogue import Sentence, later

_OF_THE_SYSTEM: Mapping[int, str] = later(
    {
        errno.ENOSPC: "{what}: the disk is full; free some space and try again",
        errno.EDQUOT: "{what}: your disk quota is used up; free some space and try again",
        errno.EFBIG: "{what}: the file cannot grow any further; free some space, or raise the file size limit",
        errno.EROFS: "{what}: the disk is read-only; mount it so that it can be written",
        errno.EACCES: "{what}: you have no access; check its owner and permissions",
        errno.EPERM: "{what}: you have no access; check its owner and permissions",
        errno.ENOENT: "{what} does not exist; check the spelling",
        errno.EEXIST: "{what} already exists, but is not what is needed",
        errno.EISDIR: "{what} is a folder, but a file is needed",
        errno.ENOTDIR: "{what}: part of its path is a file where a folder is needed",
        errno.EIO: "{what} could not be read or written; check the disk's health",
        errno.EMFILE: "{what}: too many files are open; close some programs and try again",
    }
)


def in_words(error: OSError) -> Sentence:
    """Describe an operating system error in a sentence with the fix."""
    what = str(error.filename) if error.filename else Sentence("a file")
    fitting = _OF_THE_SYSTEM.get(error.errno or 0)
    if fitting is None:
        return Sentence("{what} cannot be used ({why})", what=what, why=error.strerror or type(error).__name__)
    return Sentence(fitting, what=what)


class FuroshikiError(Exception):
    """Something a person can mend; `str(error)` tells them how, `say_sentence(error)` in their language where the
    message is a `Sentence`. `exit_code` is the command's exit status."""

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
