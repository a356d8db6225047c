"""The files of a plugin, read once, so that the checked and shown bytes are those installed."""

import os
import stat
from collections.abc import Iterator, Mapping
from pathlib import Path

from furoshiki.core import no_symlinks
from furoshiki.core.errors import FuroshikiError, in_words
from furoshiki.core.paths import version
from furoshiki.extensions.plugins import manifest as manifests
from furoshiki.extensions.plugins.rules import names
from furoshiki.extensions.plugins.rules.manifest import judge
from furoshiki.extensions.plugins.values import Manifest

MOST_FILES = 200
LARGEST_BYTES, MOST_BYTES = 512 * 1024, 4 * 1024 * 1024  # maximum bytes of one file, and of all


class NotInstalled(FuroshikiError):
    """A plugin was not installed, and what was there stays as it was: the message says what is wrong, and the fix."""


def gather_files(folder: Path) -> dict[str, bytes]:
    """Return a plugin folder's files by relative path, following no links. Raises NotInstalled."""
    try:
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError as error:
        raise NotInstalled(in_words(error)) from error
    found: dict[str, bytes] = {}
    try:
        for name, content in _files(handle):
            found[name] = content
            if len(found) > MOST_FILES or sum(map(len, found.values())) > MOST_BYTES:
                most = f"{MOST_FILES} files and {MOST_BYTES >> 20} MB"
                raise NotInstalled(
                    f"{folder} has more than {most}: a plugin fits into that; leave out what it can do without"
                )
    except OSError as error:
        raise NotInstalled(f"{folder}: {in_words(error)}") from error
    finally:
        os.close(handle)
    return found


def judge_files(files: Mapping[str, bytes]) -> Manifest:
    """Return the manifest among a plugin's files, after checking their names.
    Raises NotInstalled with one problem on each line."""
    wrong = [_describe_refusal(name) for name in files if names.FILE.fullmatch(name) is None]
    if manifests.FILE not in files:
        raise NotInstalled(f"there is no {manifests.FILE}: `furoshiki plugins new NAME` makes one to begin with")
    manifest, problems = judge(files[manifests.FILE], version())
    wrong += [f"{manifests.FILE} line {line}: {words}" for line, words in problems]
    if manifest is not None:
        wrong += manifests.list_missing_scripts(manifest, lambda script: script in files)
    if wrong or manifest is None:
        raise NotInstalled("\n".join(wrong))
    return manifest


def _files(folder: int) -> Iterator[tuple[str, bytes]]:
    def refused(error: OSError) -> None:
        raise error

    for where, folders, files, here in os.fwalk(".", dir_fd=folder, onerror=refused):
        prefix = where.removeprefix(".").removeprefix("/")
        prefix = f"{prefix}/" if prefix else ""
        folders[:] = sorted(name for name in folders if names.LEFT_OUT.fullmatch(name) is None)
        for name in folders:
            if stat.S_ISLNK(os.stat(name, dir_fd=here, follow_symlinks=False).st_mode):
                raise NotInstalled(f"{prefix}{name} is a link: put the folder itself there")
        for name in sorted(files):
            if names.LEFT_OUT.fullmatch(name) is None:
                yield prefix + name, _content(prefix + name, name, here)


def _content(path: str, name: str, folder: int) -> bytes:
    if names.FILE.fullmatch(path) is None:
        raise NotInstalled(_describe_refusal(path))
    if not stat.S_ISREG(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode):
        raise NotInstalled(f"{path} is no file of its own (a link?): put the file itself there")
    with no_symlinks.open_file(name, folder) as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise NotInstalled(f"{path} is no file of its own: put the file itself there")
        content = file.read(LARGEST_BYTES + 1)
    if len(content) > LARGEST_BYTES:
        raise NotInstalled(f"{path} is larger than {LARGEST_BYTES >> 10} KB: leave it out, or make it smaller")
    return content


def _describe_refusal(name: str) -> str:
    may = "PLUGIN.md, and text or Python below scripts/, tests/ and docs/"
    return f"{name!r} is no file a plugin brings ({may}): leave it out, or call it otherwise"
