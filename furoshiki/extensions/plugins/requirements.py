"""A plugin's packages, installed in its own folder as pinned by its author.

pip runs in a process, with a list generated from the plugin's lock file. Only wheels with a locked
SHA-256 are unpacked, and no code is run: no setup.py, compiler or script. Call it after the owner's
approval; `packages/` is then pinned like the other files and verified before every run.
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

FOLDER = "packages"  # the folder of the packages in a plugin's folder
MOST_MB = 100  # maximum size of a plugin's packages, unpacked, in MB

MOST_FILES = 10_000

_PATIENCE_S = 900  # timeout of pip in seconds; it retries downloads itself
_LOOKS_EVERY_S = 1.0  # seconds between checks of the disk usage

_STAGED = ".packages-"
# environment variables passed to pip: its settings and network access, but no keys or tokens
_PASSED_ON = re.compile(r"PIP_\w+|PATH|HOME|LANG|LC_\w+|TMPDIR|XDG_\w+|SSL_CERT_\w+|\w*_proxy|\w*_PROXY")


class PackagesMissing(FuroshikiError):
    """The packages of a plugin could not be installed: the message names the cause and the fix."""


def install(folder: Path, plugin: str, wanted: Sequence[str]) -> None:
    """Install a plugin's requirements (`wanted`, from its manifest) into `packages/` in its folder.

    Earlier packages are replaced only when all are installed. Without requirements `packages/` is
    deleted. Blocks during the download. Raises PackagesMissing.
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
    """Install packages into `packages/` of a folder, replacing earlier ones when all are installed.

    `most_mb` limits their unpacked size. `arrived` is called each second with the bytes written;
    its exceptions abort. `cache` replaces pip's own cache. Raises PackagesMissing, OSError.
    """
    _clear(folder)
    with tempfile.TemporaryDirectory(prefix=_STAGED, dir=folder) as scratch:
        staged = Path(scratch, FOLDER)
        _run_pip(Path(scratch), packages, most_mb, arrived, cache)
        trees.remove(staged / "bin", ignore_errors=True)  # command line programs, which are not used
        _measure(staged, most_mb)
        os.sync()  # faster than a thousand single fsyncs: a minute on a memory card
        target = folder / FOLDER
        if target.exists():
            target.rename(Path(scratch, "before"))
        staged.rename(target)


def _clear(folder: Path) -> None:
    """Delete leftovers of an interrupted installation."""
    for left in folder.glob(f"{_STAGED}*"):
        trees.remove(left, ignore_errors=True)


def _read_lock(folder: Path, plugin: str, wanted: Sequence[str]) -> tuple[locks.Package, ...]:
    """Return the packages of the plugin's lock, which must cover the manifest's requirements."""
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
    listed.write_text("".join(f"{package.line}\n" for package in packages), encoding="utf-8")
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
    """Wait for pip and return its output.
    Raises PackagesMissing on a timeout or when it uses too much disk space: a small wheel can
    unpack to any size."""
    for _ in range(round(_PATIENCE_S / _LOOKS_EVERY_S)):
        with contextlib.suppress(subprocess.TimeoutExpired):
            return pip.communicate(timeout=_LOOKS_EVERY_S)[0]
        size = _size(scratch)
        if size > 2 * most_mb * 1_000_000:  # unpacked files and the wheels themselves
            raise PackagesMissing(f"the packages take more than the {most_mb} MB that a plugin may bring")
        arrived(size)
    raise PackagesMissing(f"pip did not come to an end within {_PATIENCE_S} s; try again later")


def _size(folder: Path) -> int:
    """Return the bytes of all files below a folder; files may vanish meanwhile."""
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
    """Raise PackagesMissing if the packages are too large or are not only regular files."""
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
        "the package index cannot be reached; check the network and try again, or name a folder "
        "with the wheels in pip's own configuration: pip config set global.find-links FOLDER"
    ),
    r"is not a supported wheel|Could not find a version that satisfies|No matching distribution": (
        "there is no ready-made wheel of {package} for this machine and Python {version}, and nothing is compiled here"
    ),
}


def cause(printed: str) -> str:
    """Return the cause of pip's failure and the fix, from its output."""
    package = re.search(r"distribution found for (\S+)|requirement (\S+)|(?<!\S)(\S+\.whl) is not", printed)
    named = next((group for group in package.groups() if group), "a package") if package else "a package"
    for pattern, words in _CAUSES.items():
        if re.search(pattern, printed):
            version = f"{sys.version_info.major}.{sys.version_info.minor}"
            return words.format(python=sys.executable, lock=locks.LOCK, package=named, version=version)
    said = next((line for line in reversed(printed.splitlines()) if line.startswith("ERROR")), printed.strip()[-300:])
    return f"pip could not install the packages: {said.removeprefix('ERROR: ')[:300]}"
