"""Metrics in the text format of Prometheus (0.0.4)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"


@dataclass(frozen=True)
class Sample:
    """One value of a family with its labels; `suffix` is for summaries."""

    value: float
    labels: Mapping[str, str]
    suffix: Literal["", "_sum", "_count"] = ""


@dataclass(frozen=True)
class Family:
    """Values of one metric. A counter only grows during the process, its name ends in "_total"."""

    name: str
    kind: Literal["counter", "gauge", "summary"]
    about: str
    samples: Sequence[Sample]


def one(value: float, **labels: str) -> Sample:
    """Return a value with these labels."""
    return Sample(value, labels)


def render(families: Iterable[Family]) -> str:
    """Return the text of all families; those without values are left out."""
    return "".join(line for family in families if family.samples for line in _lines(family))


def _lines(family: Family) -> Iterable[str]:
    about = family.about.replace("\\", "\\\\").replace("\n", "\\n")
    yield f"# HELP {family.name} {about}\n# TYPE {family.name} {family.kind}\n"
    for sample in family.samples:
        labels = ",".join(f'{name}="{_escape(value)}"' for name, value in sample.labels.items())
        yield f"{family.name}{sample.suffix}{f'{{{labels}}}' if labels else ''} {sample.value!r}\n"


def _escape(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
