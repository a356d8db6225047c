"""The lock files: complete, hashed, without addresses, and agreeing with each other and with pyproject.toml."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from tests.packaging.loading import script

ROOT = Path(__file__).resolve().parents[2]
lock = script("lock")
MODELS = "requirements/models.txt"
MULTILINGUAL = "requirements/multilingual.txt"
PLUGINS = {path.parent.name: path for path in sorted((ROOT / "plugins").glob("*/PLUGIN.md"))}
OF_PLUGINS = [f"plugins/{name}/requirements.txt" for name, path in PLUGINS.items() if lock.required(path.read_text())]
LOCKS = ["requirements.txt", *sorted(f"requirements/{path.name}" for path in (ROOT / "requirements").iterdir())]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


ASKED_FOR = (
    "aiogram",
    "chromadb",
    "sqlalchemy",
    "alembic",
    "anthropic",
    "openai",
    "onnxruntime",
    "schedule",
    "jinja2",
    "rich",
) + ("sentence-transformers", "pytest")
"""What the owner of the project asked to build upon: nobody replaces one of them for speed or size alone."""


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


@pytest.mark.parametrize("name", [*LOCKS, *OF_PLUGINS])
def test_every_package_is_pinned_with_a_hash_and_no_address_is_named(name: str) -> None:
    text = (ROOT / name).read_text()
    entries = re.split(r"\n(?=[a-z0-9])", "\n" + text)[1:]
    assert entries
    assert all("--hash=sha256:" in entry and "==" in entry for entry in entries)
    assert "://" not in text
    assert "--index" not in text
    assert "--find-links" not in text


@pytest.mark.parametrize("name", [one for one in LOCKS if one not in ("requirements.txt", MODELS, MULTILINGUAL)])
def test_every_larger_lock_holds_the_small_one_unchanged(name: str) -> None:
    small, large = pins("requirements.txt"), pins(name)
    assert {name: large.get(name) for name in small} == small


def test_it_builds_upon_the_packages_that_its_owner_asked_for() -> None:
    extras = PROJECT["optional-dependencies"]
    declared = {normal(name) for name in [*PROJECT["dependencies"], *extras["torch"], *extras["test"]]}
    assert declared.issuperset(ASKED_FOR)


def test_what_the_project_asks_for_is_locked() -> None:
    assert {normal(name) for name in PROJECT["dependencies"]} <= pins("requirements.txt").keys()


@pytest.mark.parametrize("extra", sorted(PROJECT["optional-dependencies"]))
def test_every_extra_is_locked(extra: str) -> None:
    wanted = {normal(name) for name in PROJECT["optional-dependencies"][extra]}
    assert wanted <= pins(f"requirements/{extra}.txt").keys()


def test_there_is_a_lock_for_each_extra_and_for_the_models_and_no_other() -> None:
    assert set(LOCKS) == {
        "requirements.txt",
        MODELS,
        MULTILINGUAL,
        *(f"requirements/{name}.txt" for name in lock.EXTRAS),
    }


def test_the_lock_of_a_plugin_holds_what_its_manifest_requires() -> None:
    assert OF_PLUGINS == ["plugins/calendar/requirements.txt", "plugins/feeds/requirements.txt"]
    for name in OF_PLUGINS:
        held = pins(name)
        wanted = lock.required((ROOT / name).with_name("PLUGIN.md").read_text())
        assert [one for one in wanted if one.partition("==")[2] not in held[normal(one)]] == []


PLATFORMS = (
    "((platform_machine == 'aarch64' and sys_platform == 'linux') or "
    "(platform_machine == 'x86_64' and sys_platform == 'linux'))"
)
CPYTHON = "platform_python_implementation == 'CPython'"


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        (f"a==1 ; python_full_version < '3.14' and {CPYTHON} and {PLATFORMS} \\\n", "a==1 \\\n"),
        (
            f"b==1 ; python_full_version < '3.12' and python_full_version < '3.14' and {CPYTHON} and {PLATFORMS} \\\n",
            "b==1 ; python_full_version < '3.12' \\\n",
        ),
        (
            f"c==1 ; python_full_version < '3.14' and platform_machine == 'x86_64' and {CPYTHON} \\\n",
            "c==1 ; platform_machine == 'x86_64' \\\n",
        ),
        ("d==1 \\\n    --hash=sha256:00\n    # via\n    #   -c requirements.txt\n",) * 2,
    ],
)
def test_of_the_platforms_of_a_line_those_stay_that_tell_packages_apart(written: str, kept: str) -> None:
    assert lock.without_bounds(written) == kept


@pytest.mark.parametrize("name", [*LOCKS, *OF_PLUGINS])
def test_no_line_of_a_lock_repeats_the_platforms_of_the_project(name: str) -> None:
    text = (ROOT / name).read_text()
    assert lock.without_bounds(text) == text


def test_a_lock_is_asked_for_each_extra_beside_the_small_one(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    asked: list[str] = []

    def uv(command: list[str], cwd: Path, input: str | None, text: bool, check: bool) -> None:  # noqa: A002
        assert check and text
        output = command[command.index("-o") + 1]
        (cwd / output).write_text(f"a==1 ; python_full_version < '3.14' and {CPYTHON} and {PLATFORMS} \\\n")
        asked.append(" ".join([*command[command.index("make lock") + 1 :], input or ""]).strip())

    (tmp_path / "requirements").mkdir()
    (tmp_path / "plugins/a").mkdir(parents=True)
    (tmp_path / "plugins/a/PLUGIN.md").write_text("---\nname: a\nrequirements:\n  - b==1\n  - c==2\n---\n")
    monkeypatch.setattr(lock.subprocess, "run", uv)
    monkeypatch.setattr(lock, "CHECKOUT", tmp_path)
    lock.main(["-U"])
    extras = [f"pyproject.toml --extra {x} -c requirements.txt -U -o requirements/{x}.txt" for x in lock.EXTRAS]
    models = f"- --no-deps -U -o {MODELS} {lock.MODELS}".strip()
    multilingual = f"- --no-deps -U -o {MULTILINGUAL} {lock.MULTILINGUAL}".strip()
    plugin = "- -U -o plugins/a/requirements.txt b==1\nc==2"
    assert asked == ["pyproject.toml -U -o requirements.txt", *extras, models, multilingual, plugin]
    assert {path.read_text() for path in tmp_path.rglob("*.txt")} == {"a==1 \\\n"}


def test_torch_is_no_part_of_a_plain_installation() -> None:
    assert not {"torch", "sentence-transformers"} & (
        pins("requirements.txt").keys() | pins("requirements/test.txt").keys()
    )
