"""Finds the routers of a package's modules, so that a new page or resource is a new file and nothing else."""

import importlib
import pkgutil
from collections.abc import Callable, Sequence

from fastapi import APIRouter
from starlette.routing import BaseRoute, Match
from starlette.types import Scope


def modules(package: str) -> list[str]:
    """The names of a package's modules, in their order."""
    return [f"{package}.{one.name}" for one in pkgutil.iter_modules(importlib.import_module(package).__path__)]


def router(module: str) -> APIRouter:
    """What a module has to be asked for."""
    found: APIRouter = importlib.import_module(module).router
    return found


class Late(BaseRoute):
    """Stands for modules until somebody asks for a path that begins as theirs do: until then they take no memory."""

    def __init__(self, modules: Sequence[str], *below: str) -> None:
        self.modules, self.below = modules, below
        self._include: Callable[[APIRouter], None] | None = None

    def into(self, include: Callable[[APIRouter], None]) -> None:
        """What is to be called with each router, when it is time."""
        self._include = include

    def load(self) -> None:
        """Put the routers in place, if they are not."""
        include, self._include = self._include, None
        if include is not None:
            for one in self.modules:
                include(router(one))

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Nothing itself; what it stands for is behind it from then on."""
        if str(scope["path"]).startswith(self.below):
            self.load()
        return Match.NONE, {}
