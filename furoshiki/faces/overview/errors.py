"""Errors of the pages' requests, each with its cause and what to do."""

from collections.abc import Mapping

from furoshiki.core.catalogue import later
from furoshiki.core.errors import FuroshikiError


class Refused(FuroshikiError):
    """A request that is not done: `status` for machines, `code` as the API names it, `fix` as the next step."""

    status = 400
    code = "refused"
    words = later("This cannot be done.")
    fix = ""
    headers: Mapping[str, str] = {}

    def __init__(self, words: str = "", fix: str = "", status: int = 0, code: str = "") -> None:
        super().__init__(words or self.words)
        self.fix = fix or self.fix
        self.status = status or self.status
        self.code = code or self.code


class NotSignedIn(Refused):
    """Nobody is signed in here."""

    status, code = 401, "not_signed_in"
    words = later("You are not signed in here.")
    fix = later("Run `furoshiki dashboard --open` on the machine, or send /dashboard in Telegram.")


class NotThere(Refused):
    """What was asked for does not exist."""

    status, code = 404, "not_there"
    words = later("There is nothing here.")
    fix = later("It may have been forgotten or finished; you can get anywhere from the menu.")


class Conflict(Refused):
    """Something else stands against it."""

    status, code = 409, "conflict"
    words = later("Something else changed this in the meantime.")
    fix = later("Reload the page and look.")
