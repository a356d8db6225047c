"""The packages of a plugin: installed as its author pinned them into its own folder, never in our environment.

pip does it in a process of its own, from a list of our own of what the plugin's lock names. Only wheels whose
SHA-256 the lock holds are unpacked, and nothing of them is run: no setup.py, no compiling, no script. Call it after the
owner agreed; what lies in `packages/` is pinned with the plugin's other files then, and looked at before every run.
"""

import contextlib
import os
import re
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from furoshiki.core import paths
from furoshiki.core.errors import FuroshikiError, in_words
from furoshiki.core.network import outbound
from furoshiki.core.process import trees
from furoshiki.extensions.plugins.rules import locks

FOLDER = "packages"
"""Where they lie in a plugin's folder."""

MOST_MB = 100
"""What the packages of one plugin may take, unpacked."""

MOST_FILES = 10_000

_PATIENCE_S = 900
"""How long pip may take; it tries each download a few times by itself."""

_LOOKS_EVERY_S = 1.0
"""So often it is looked at what it takes of the disk."""

_STAGED = ".packages-"
_PASSED_ON = re.compile(r"PIP_\w+|PATH|HOME|LANG|LC_\w+|TMPDIR|XDG_\w+|SSL_CERT_\w+|\w*_proxy|\w*_PROXY")
"""What of our environment pip is told: its own settings and how to reach the network. Keys and tokens are not."""


class PackagesMissing(FuroshikiError):
    """The packages of a plugin could not be installed: the message names the cause and the fix."""


def install(folder: Path, plugin: str, wanted: Sequence[str]) -> None:
    """Install what a plugin requires (`wanted`, as its manifest says) into the `packages/` of the folder where its
    files lie.

    What lay there before is replaced when all of it is here, and stays as it was when not. Without requirements there
    is no `packages/` afterwards. Blocks for as long as the network takes. Raises PackagesMissing.
    """
    target = folder / FOLDER
    try:
        _clear(folder)
        if not wanted:
            trees.remove(target, ignore_errors=True)
            return
        put(folder, _read_lock(folder, plugin, wanted), MOST_MB)
    except OSError as error:
        raise PackagesMissing(f"the packages of {plugin} could not be installed: {in_words(error)}") from error


def put(
    folder: Path,
    packages: Sequence[locks.Package],
    most_mb: int,
    arrived: Callable[[int], None] = lambda _bytes: None,
    cache: Path | None = None,
) -> None:
    """Have these packages in the `packages/` of a folder, in place of what lay there, when all of them are here.

    Unpacked they may take `most_mb`. `arrived` is told every second how many bytes have been written; what it raises
    ends the work. `cache` is where pip keeps what it has downloaded, in place of its own. Raises PackagesMissing,
    OSError.
    """
    _clear(folder)
    with tempfile.TemporaryDirectory(prefix=_STAGED, dir=folder) as scratch:
        staged = Path(scratch, FOLDER)
        _run_pip(Path(scratch), packages, most_mb, arrived, cache)
        trees.remove(staged / "bin", ignore_errors=True)  # programs for a shell; nobody starts one
        _measure(staged, most_mb)
        os.sync()  # one by one, a thousand files take a minute on a memory card
        target = folder / FOLDER
        if target.exists():
            target.rename(Path(scratch, "before"))
        staged.rename(target)


def _clear(folder: Path) -> None:
    """Remove what an installation that was broken off left."""
    for left in folder.glob(f"{_STAGED}*"):
        trees.remove(left, ignore_errors=True)


def _read_lock(folder: Path, plugin: str, wanted: Sequence[str]) -> tuple[locks.Package, ...]:
    """What the plugin's lock holds, which must be at least what its manifest requires."""
    try:
        packages = locks.read((folder / locks.LOCK).read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise PackagesMissing(
            f"{plugin} requires {', '.join(wanted)} and has no {locks.LOCK} that says which files these are; "
            "its author writes one with uv pip compile --generate-hashes"
        ) from None
    except ValueError as error:
        raise PackagesMissing(f"{plugin}: {error}") from None
    if absent := locks.list_missing(wanted, packages):
        raise PackagesMissing(f"{plugin}: {locks.LOCK} does not hold {', '.join(absent)}; it has to be made again")
    return packages


def _run_pip(
    scratch: Path,
    packages: Sequence[locks.Package],
    most_mb: int,
    arrived: Callable[[int], None],
    cache: Path | None,
) -> None:
    listed = scratch / locks.LOCK
    listed.write_text("".join(f"{one.line}\n" for one in packages), encoding="utf-8")
    command = [
        *(sys.executable, "-I", "-m", "pip", "install", "--target", str(scratch / FOLDER), "-r", str(listed)),
        *("--require-hashes", "--no-deps", "--only-binary", ":all:", "--no-compile"),
        *("--no-input", "--disable-pip-version-check", "--quiet", "--retries", "2"),
    ]
    unpacking = scratch / "tmp"
    unpacking.mkdir()
    kept = {} if cache is None else {"PIP_CACHE_DIR": str(cache)}
    pip = subprocess.Popen(
        command,
        cwd=scratch,
        env=_environment(paths.environ()) | {"TMPDIR": str(unpacking)} | kept,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    )
    try:
        with contextlib.suppress(ProcessLookupError):
            resource.prlimit(pip.pid, resource.RLIMIT_FSIZE, (most_mb * 1_000_000, most_mb * 1_000_000))
        printed = _watch_pip(pip, scratch, most_mb, arrived)
    finally:
        pip.kill()
        pip.wait()
    if pip.returncode:
        raise PackagesMissing(cause(printed))


def _watch_pip(pip: subprocess.Popen[str], scratch: Path, most_mb: int, arrived: Callable[[int], None]) -> str:
    """What pip printed, once it has ended. Raises PackagesMissing when it takes too long, or too much of the disk: a
    small wheel can unpack to any size."""
    for _ in range(round(_PATIENCE_S / _LOOKS_EVERY_S)):
        with contextlib.suppress(subprocess.TimeoutExpired):
            return pip.communicate(timeout=_LOOKS_EVERY_S)[0]
        size = _size(scratch)
        if size > 2 * most_mb * 1_000_000:  # what is unpacked, and the wheels themselves
            raise PackagesMissing(f"the packages take more than the {most_mb} MB that a plugin may bring")
        arrived(size)
    raise PackagesMissing(f"pip did not come to an end within {_PATIENCE_S} s; try again later")


def _size(folder: Path) -> int:
    """Bytes of the files below a folder, of which some may just be going."""
    found = 0
    for where, _folders, files in trees.walk(folder):
        for name in files:
            with contextlib.suppress(OSError):
                found += Path(where, name).lstat().st_size
    return found


def _environment(environ: Mapping[str, str]) -> dict[str, str]:
    passed = {name: value for name, value in environ.items() if _PASSED_ON.fullmatch(name)}
    return {**passed, **outbound.road().environment()}


def _measure(staged: Path, most_mb: int) -> None:
    """Raises PackagesMissing when more was unpacked than a plugin may bring, or something else than files."""
    found = trees.files(staged)
    if any(path.is_symlink() or not path.is_file() for path in found):
        raise PackagesMissing("the packages hold links or special files; they are not installed")
    size = sum(path.stat().st_size for path in found)
    if size > most_mb * 1_000_000 or len(found) > MOST_FILES:
        raise PackagesMissing(
            f"the packages take {size / 1_000_000:.0f} MB in {len(found)} files; "
            f"a plugin may bring {most_mb} MB in {MOST_FILES}"
        )


_CAUSES: Mapping[str, str] = {
    r"No module named pip": "this Python has no pip; install it with: {python} -m ensurepip",
    r"DO NOT MATCH THE HASHES": (
        "a package is not the file that was pinned, so nothing was installed; "
        "if the wrong one was pinned, {lock} has to be made again"
    ),
    r"File too large": f"a file of the packages is larger than {MOST_MB} MB, which is all that a plugin may bring",
    r"No space left": "the disk is full; free some space and try again",
    r"NewConnectionError|ConnectTimeout|ReadTimeout|NameResolution|name resolution|ProxyError|Network is unreachable|"
    r"SSLError|Max retries exceeded": (
        "the package index cannot be reached; check the network and try again, or name a folder with the wheels in "
        "pip's own configuration: pip config set global.find-links FOLDER"
    ),
    r"is not a supported wheel|Could not find a version that satisfies|No matching distribution": (
        "there is no ready-made wheel of {package} for this machine and Python {version}, and nothing is compiled here"
    ),
}


def cause(printed: str) -> str:
    """What kept pip from installing, in a sentence with the fix, out of what it printed."""
    package = re.search(r"distribution found for (\S+)|requirement (\S+)|(?<!\S)(\S+\.whl) is not", printed)
    named = next((one for one in package.groups() if one), "a package") if package else "a package"
    for pattern, words in _CAUSES.items():
        if re.search(pattern, printed):
            version = f"{sys.version_info.major}.{sys.version_info.minor}"
            return words.format(python=sys.executable, lock=locks.LOCK, package=named, version=version)
    said = next((line for line in reversed(printed.splitlines()) if line.startswith("ERROR")), printed.strip()[-300:])
    return f"pip could not install the packages: {said.removeprefix('ERROR: ')[:300]}"
