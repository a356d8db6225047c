"""Limits of a home, and its usage."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """Limits of one home; None: no limit. A day is a UTC day."""

    money: float | None = None  # US dollars a day for models
    calls: int | None = None  # model calls a day
    at_once: int | None = None  # simultaneous model calls
    disk: int | None = None  # bytes on the disk
    cpu: int | None = None  # CPU seconds an hour for jobs


@dataclass(frozen=True)
class Spent:
    """Usage of a day: US dollars and calls of a home, and US dollars of all homes of its host."""

    money: float
    calls: int
    money_of_all: float
