"""Whose requests a broker serves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from furoshiki.plugins.values import Permissions


@dataclass(frozen=True)
class Caller:
    """A plugin in one of its runs: `granted` is what its owner agreed to, whatever its manifest says by now; `settings`
    are its own."""

    name: str
    granted: Permissions
    settings: Mapping[str, str] = field(default_factory=dict)
