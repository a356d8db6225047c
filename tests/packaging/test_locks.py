"""The lock files: complete, hashed, without addresses, and agreeing with each other and with pyproject.toml."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LOCKS = sorted(path.name for path in ROOT.glob("requirements*.txt"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def pins(name: str) -> dict[str, list[str]]:
    """Each package of a lock with the versions and markers it is pinned to."""
    found: dict[str, list[str]] = {}
    for line in (ROOT / name).read_text().splitlines():
        if re.match(r"[a-z0-9]", line):
            package, _, rest = line.rstrip(" \\").partition("==")
            found.setdefault(package, []).append(rest)
    return found


def normal(requirement: str) -> str:
    return re.sub(r"[-_.]+", "-", re.split(r"[<>=;\[ ]", requirement)[0]).lower()


@pytest.mark.parametrize("lock", LOCKS)
def test_every_package_is_pinned_with_a_hash_and_no_address_is_named(lock: str) -> None:
    text = (ROOT / lock).read_text()
    entries = re.split(r"\n(?=[a-z0-9])", "\n" + text)[1:]
    assert entries
    assert all("--hash=sha256:" in entry and "==" in entry for entry in entries)
    assert "://" not in text
    assert "--index" not in text
    assert "--find-links" not in text


@pytest.mark.parametrize(
    "lock", [name for name in LOCKS if name not in ("requirements.txt", "requirements-models.txt")]
)
def test_every_larger_lock_holds_the_small_one_unchanged(lock: str) -> None:
    small, large = pins("requirements.txt"), pins(lock)
    assert {name: large.get(name) for name in small} == small


def test_what_the_project_asks_for_is_locked() -> None:
    assert {normal(name) for name in PROJECT["dependencies"]} <= pins("requirements.txt").keys()


@pytest.mark.parametrize("extra", sorted(PROJECT["optional-dependencies"]))
def test_every_extra_is_locked(extra: str) -> None:
    assert {normal(name) for name in PROJECT["optional-dependencies"][extra]} <= pins(
        f"requirements-{extra}.txt"
    ).keys()


def test_torch_is_no_part_of_a_plain_installation() -> None:
    assert not {"torch", "sentence-transformers"} & (
        pins("requirements.txt").keys() | pins("requirements-test.txt").keys()
    )
