"""Types shared by the parts of the dashboard."""

from dataclasses import dataclass
from typing import Literal

Role = Literal["admin", "viewer"]  # a viewer sees everything and changes nothing


@dataclass(frozen=True)
class Visitor:
    """A visitor with access: role, session, and the token that its forms must return."""

    role: Role
    session: str
    csrf: str
    # whether it is a program with an API token, which needs no CSRF token: no browser sends it
    by_token: bool = False

    @property
    def is_admin(self) -> bool:
        """Whether they may change anything."""
        return self.role == "admin"
