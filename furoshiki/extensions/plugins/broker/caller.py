"""The plugin whose requests a broker serves."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from furoshiki.core.logs import HIDDEN
from furoshiki.extensions.plugins.values import Permissions


@dataclass(frozen=True)
class Caller:
    """A plugin during a run. `granted`: the permissions its owner approved; `secrets`: the values
    of secret `settings`. `password` opens the mailbox and is never shown to the plugin; `tapped`:
    the arguments shown to and confirmed by its owner, else None."""

    name: str
    granted: Permissions
    settings: Mapping[str, str] = field(default_factory=dict)
    secrets: tuple[str, ...] = ()
    password: str = field(default="", repr=False)
    tapped: Mapping[str, Any] | None = None

    def struck(self, value: Any) -> Any:
        """Return a JSON value of the plugin's output with its secrets removed.

        Secrets of fewer than 6 characters stay, as in logs, because they occur in other words.
        """
        if isinstance(value, str):
            for secret in sorted(self.secrets, key=len, reverse=True):
                value = value.replace(secret, HIDDEN) if len(secret) >= 6 else value
            return value
        if isinstance(value, Mapping):
            return {self.struck(name): self.struck(one) for name, one in value.items()}
        return [self.struck(one) for one in value] if isinstance(value, list | tuple) else value
