"""Finds the routers of a package's modules, so that a new page is just a new file."""

import importlib
import pkgutil
from collections.abc import Callable, Sequence

from fastapi import APIRouter
from starlette.routing import BaseRoute, Match
from starlette.types import Scope


def modules(package: str) -> list[str]:
    """Return the names of a package's modules, sorted."""
    return [f"{package}.{one.name}" for one in pkgutil.iter_modules(importlib.import_module(package).__path__)]


def router(module: str) -> APIRouter:
    found: APIRouter = importlib.import_module(module).router
    return found


class Late(BaseRoute):
    """A placeholder for modules that are imported on the first request below their paths."""

    def __init__(self, modules: Sequence[str], *below: str) -> None:
        self.modules, self.below = modules, below
        self._include: Callable[[APIRouter], None] | None = None

    def into(self, include: Callable[[APIRouter], None]) -> None:
        """Set the function to call with each router when it is loaded."""
        self._include = include

    def load(self) -> None:
        """Load the routers, once."""
        include, self._include = self._include, None
        if include is not None:
            for one in self.modules:
                include(router(one))

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Match nothing itself; loaded routers behind it match from then on."""
        if str(scope["path"]).startswith(self.below):
            self.load()
        return Match.NONE, {}
