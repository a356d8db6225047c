"""Whose requests a broker serves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from furoshiki.core.logs import HIDDEN
from furoshiki.extensions.plugins.values import Permissions


@dataclass(frozen=True)
class Caller:
    """A plugin in one of its runs: `granted` is what its owner agreed to, whatever its manifest says by now; `settings`
    are its own, `secrets` the values of those that are marked as secret. `password` opens the mailbox and is never told
    to the plugin; `tapped` are the arguments that its owner was shown and tapped on, None in any other run."""

    name: str
    granted: Permissions
    settings: Mapping[str, str] = field(default_factory=dict)
    secrets: tuple[str, ...] = ()
    password: str = field(default="", repr=False)
    tapped: Mapping[str, Any] | None = None

    def struck(self, value: Any) -> Any:
        """What it says, JSON of any depth, without its secrets: they are for the servers it asks, and nobody else.

        One of fewer than 6 characters stays, as in logs: it would be struck out of other words.
        """
        if isinstance(value, str):
            for secret in sorted(self.secrets, key=len, reverse=True):
                value = value.replace(secret, HIDDEN) if len(secret) >= 6 else value
            return value
        if isinstance(value, Mapping):
            return {self.struck(name): self.struck(one) for name, one in value.items()}
        return [self.struck(one) for one in value] if isinstance(value, list | tuple) else value
