"""Finds the routers of a package's modules, so that a new page or resource is a new file and nothing else."""

from __future__ import annotations

import importlib
import pkgutil
from types import ModuleType

from fastapi import APIRouter


def routers(package: ModuleType, name: str) -> list[APIRouter]:
    """What each module of a package calls `name`, in the order of the modules' names."""
    modules = (
        importlib.import_module(f"{package.__name__}.{one.name}") for one in pkgutil.iter_modules(package.__path__)
    )
    return [getattr(module, name) for module in modules]
