"""Installing the packages of a plugin: from its lock alone, wheels alone, whole or not at all."""

from __future__ import annotations

import hashlib
import re
import resource
import zipfile
from pathlib import Path

import pytest

from furoshiki.extensions.plugins import requirements
from furoshiki.extensions.plugins.requirements import PackagesMissing, install


def wheel(shelf: Path, name: str, *, tag: str = "py3-none-any", size: int = 0) -> str:
    """A wheel on the shelf, and the line of a lock that pins it."""
    shelf.mkdir(exist_ok=True)
    path = shelf / f"{name}-1.0-{tag}.whl"
    info = f"{name}-1.0.dist-info"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr(f"{name}/__init__.py", "HERE = True\n")
        file.writestr(f"{name}/more.txt", "x" * size)
        file.writestr(f"{name}-1.0.data/scripts/{name}-run", "#!python\n")
        file.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\nRequires-Dist: other\n")
        file.writestr(f"{info}/WHEEL", f"Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: {tag}\n")
        file.writestr(f"{info}/RECORD", "")
    return f"{name}==1.0 --hash=sha256:{hashlib.sha256(path.read_bytes()).hexdigest()}\n"


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of wheels that pip's own configuration names; the network is left alone."""
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path / "shelf"))
    return tmp_path / "shelf"


@pytest.fixture
def plugin(tmp_path: Path) -> Path:
    folder = tmp_path / "sample"
    folder.mkdir()
    return folder


@pytest.mark.slow
def test_what_is_locked_lies_in_the_plugins_folder_and_is_let_go_with_the_last_requirement(
    shelf: Path, plugin: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FUROSHIKI_TELEGRAM_TOKEN", "a secret")
    (plugin / "requirements.txt").write_text(wheel(shelf, "first") + wheel(shelf, "second"))
    (plugin / ".packages-broken-off").mkdir()
    install(plugin, "sample", ["first==1.0"])
    assert (plugin / "packages/first/__init__.py").read_text() == "HERE = True\n"
    assert {path.name for path in plugin.iterdir()} == {"packages", "requirements.txt"}
    assert not list(plugin.rglob("*.pyc")) and not (plugin / "packages/bin").exists()

    (plugin / "requirements.txt").write_text(wheel(shelf, "first").replace("sha256:", "sha256:" + "0" * 8)[:-9] + "\n")
    with pytest.raises(PackagesMissing, match="not the file that was pinned"):
        install(plugin, "sample", ["first==1.0"])
    assert (plugin / "packages/second").exists(), "what was there stays until all of the new is here"
    assert {path.name for path in plugin.iterdir()} == {"packages", "requirements.txt"}

    install(plugin, "sample", [])
    assert not (plugin / "packages").exists()


@pytest.mark.slow
def test_without_a_wheel_for_this_machine_nothing_is_compiled(shelf: Path, plugin: Path) -> None:
    (plugin / "requirements.txt").write_text(wheel(shelf, "native", tag="cp311-cp311-win_amd64"))
    with pytest.raises(PackagesMissing, match=r"no ready-made wheel of native==1.0 for this machine"):
        install(plugin, "sample", ["native==1.0"])


@pytest.mark.slow
def test_more_than_a_plugin_may_bring_is_not_kept(shelf: Path, plugin: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(requirements, "MOST_MB", 1)
    (plugin / "requirements.txt").write_text(wheel(shelf, "large", size=1_000_000))
    with pytest.raises(PackagesMissing, match="take 1 MB in .* files; a plugin may bring 1 MB"):
        install(plugin, "sample", ["large==1.0"])
    assert not (plugin / "packages").exists()


@pytest.mark.slow
def test_a_wheel_that_would_unpack_without_end_is_stopped_on_its_way(
    shelf: Path, plugin: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(requirements, "MOST_MB", 2)
    (plugin / "requirements.txt").write_text(wheel(shelf, "bomb", size=60_000_000))
    with pytest.raises(PackagesMissing, match="a file of the packages is larger than"):
        install(plugin, "sample", ["bomb==1.0"])
    monkeypatch.setattr(resource, "prlimit", lambda *_: None)
    monkeypatch.setattr(requirements, "_LOOKS_EVERY_S", 0.05)
    with pytest.raises(PackagesMissing, match="take more than the 2 MB"):
        install(plugin, "sample", ["bomb==1.0"])
    assert {path.name for path in plugin.iterdir()} == {"requirements.txt"}


def test_a_lock_that_does_not_hold_what_is_required_never_gets_to_pip(plugin: Path) -> None:
    with pytest.raises(PackagesMissing, match=r"has no requirements.txt"):
        install(plugin, "sample", ["first==1.0"])
    (plugin / "requirements.txt").write_text("--index-url https://evil.example\n")
    with pytest.raises(PackagesMissing, match="line 1: .* is no pinned package"):
        install(plugin, "sample", ["first==1.0"])
    (plugin / "requirements.txt").write_text(f"first==2.0 --hash=sha256:{'0' * 64}\n")
    with pytest.raises(PackagesMissing, match=r"does not hold first==1\.0"):
        install(plugin, "sample", ["first==1.0"])


@pytest.mark.parametrize(
    ("printed", "words"),
    [
        ("/usr/bin/python3: No module named pip", "-m ensurepip"),
        (
            "WARNING: Retrying (Retry(total=1)) after connection broken by 'NewConnectionError(...)'\n"
            "ERROR: No matching distribution found for six==1.17.0",
            "package index cannot be reached; .* pip config set global.find-links",
        ),
        ("OSError: [Errno 28] No space left on device", "the disk is full"),
        ("ERROR: something nobody has seen\n", "could not install the packages: something nobody has seen"),
    ],
)
def test_what_kept_pip_is_said_with_the_fix(printed: str, words: str) -> None:
    assert re.search(words, requirements.cause(printed))
