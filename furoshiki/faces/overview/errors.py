"""Errors for pages and programs, with what to do."""

from furoshiki.core.catalogue import later
from furoshiki.core.errors import FuroshikiError


class NotFound(FuroshikiError):
    """There is nothing of that name; `fix` is the next step."""

    def __init__(self, words: str = later("There is nothing here."), fix: str = "") -> None:
        super().__init__(words)
        self.fix = fix


class Overtaken(FuroshikiError):
    """It is not what was looked at any more, or cannot be done as it stands, so nothing was. `fix` is the next step."""

    def __init__(self, words: str, fix: str = later("Check it again.")) -> None:
        super().__init__(words)
        self.fix = fix
