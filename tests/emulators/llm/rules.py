"""How a request is refused before any model sees it."""

from __future__ import annotations


class Refused(Exception):
    """A refusal in the words of the API; `param` and `code` are OpenAI's."""

    def __init__(
        self, message: str, status: int = 400, kind: str = "invalid_request_error", *, param: str = "", code: str = ""
    ) -> None:
        super().__init__(message)
        self.message, self.status, self.kind, self.param, self.code = message, status, kind, param, code


def require(right: bool, message: str, *, param: str = "", code: str = "") -> None:
    """Raises Refused with status 400 unless it is right."""
    if not right:
        raise Refused(message, param=param, code=code)
