"""The proposal of a plugin for its owner, written by rules and parsed strictly, file by file.

Foreign text is in quotations or in fences that it cannot end, so that none of its lines can pass
for a part of the proposal.
"""

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from furoshiki.core.framing import quote_lines
from furoshiki.extensions.plugins.authoring.rules.static_review import Finding
from furoshiki.extensions.plugins.rules import names, permissions
from furoshiki.extensions.plugins.values import Manifest
from furoshiki.owner.agenda.proposal_files import fence_code

FILES = "## Every file in full"
APPLYING = "## How to apply it"

LONGEST = 400_000  # maximum characters of a proposal

_TITLE = re.compile(r"# A plugin: ([a-z][a-z0-9-]{1,30})")
_FILE = re.compile(r"### ([A-Za-z0-9_./-]{1,200})")
_HASH = re.compile(r"SHA-256 `([0-9a-f]{64})`")
_FENCE = re.compile(r"(`{3,200})([a-z]{0,8})")

_KINDS = {"py": "python", "md": "markdown", "json": "json", "toml": "toml"}
_SOURCES = {
    "chat": "You asked for it in a conversation on {day}:",
    "command": "You asked for it on {day}:",
    "reflection": "It came to my own mind on {day}:",
}


@dataclass(frozen=True)
class Proposed:
    """The content of a proposal: the plugin's name, and its files by path."""

    name: str
    files: Mapping[str, str]


class NoProposal(ValueError):
    """A text is no proposal, or not as it was written; the message says where."""


def render(
    name: str,
    wish: str,
    source: str,
    at: datetime,
    manifest: Manifest,
    files: Mapping[str, str],
    findings: Sequence[Finding],
    can_do: str,
    confidence: float,
    file: str,
) -> str:
    """Write the proposal. The text of each file ends in one line feed, as in a draft."""
    may = permissions.in_words(manifest.permissions)
    asks = [f"- {one}" for one in may] or [f"- {permissions.NOTHING}"]
    settings = [f"- `{setting.name}`: {' '.join(setting.about.split())}" for setting in manifest.settings]
    seen = [f"- {finding}" for finding in findings] or ["- nothing"]
    parts = [
        f"# A plugin: {name}",
        "I wrote this plugin. Nothing of it runs, and nothing will, unless you apply it.",
        "## The wish",
        _SOURCES[source].format(day=f"{at:%Y-%m-%d}"),
        quote_lines(wish),
        "## What it does",
        "In the words of the one who reviewed it:",
        quote_lines(can_do),
        "By its manifest, it runs " + ", ".join(permissions.hooks(manifest)) + ".",
        "## What it may do",
        "Held to this by its sandbox, whatever its code says:",
        "\n".join(asks),
        *(["Settings you would give it:", "\n".join(settings)] if settings else []),
        "## What is to be seen in its code",
        "Found by rule. It is a summary: what holds the plugin is the sandbox.",
        fence_code("\n".join(seen)),
        "## The review",
        f"It was read twice by a model that knew nothing of its making, and approved both times, with a confidence of "
        f"{confidence:.2f} at least.",
        FILES,
        *(_file(path, text) for path, text in files.items()),
        APPLYING,
        f"`furoshiki plugins apply {file}` shows once more what it may do, asks you, and installs exactly the files "
        "above: when a single letter differs it stops. `furoshiki plugins rollback "
        f"{name}` or `furoshiki plugins remove {name}` undoes it.",
        f"`furoshiki plugins decline {file}` lets it be; I do not come with this wish again.",
    ]
    return "\n\n".join(parts) + "\n"


def read(text: str) -> Proposed:
    """Parse a proposal. Raises NoProposal for anything that `render` does not write."""
    if len(text) > LONGEST:
        raise NoProposal("it is too long")
    title = _TITLE.fullmatch(text.partition("\n")[0])
    if title is None:
        raise NoProposal("its first line does not say which plugin it is about")
    lines = text.split("\n")
    if FILES not in lines:
        raise NoProposal(f"it has no line {FILES!r}")
    return Proposed(title[1], dict(_files(lines, lines.index(FILES) + 1)))


def _files(lines: Sequence[str], at: int) -> list[tuple[str, str]]:
    found: dict[str, str] = {}
    while True:
        at = _blank(lines, at)
        if _line(lines, at) == APPLYING:
            break
        path, mark = _FILE.fullmatch(_line(lines, at)), _HASH.fullmatch(_line(lines, _blank(lines, at + 1)))
        if path is None or mark is None:
            raise NoProposal(f"line {at + 1} should name a file, and the next its SHA-256")
        if names.FILE.fullmatch(path[1]) is None or path[1] in found:
            raise NoProposal(f"line {at + 1}: {path[1]} is no file a plugin may bring, or is there twice")
        begin = _blank(lines, at + 3)
        fence = _FENCE.fullmatch(_line(lines, begin))
        end = next((n for n in range(begin + 1, len(lines)) if fence is not None and lines[n] == fence[1]), None)
        if end is None:
            raise NoProposal(f"line {begin + 1}: the text of {path[1]} does not begin or does not end")
        held = "\n".join(lines[begin + 1 : end]) + "\n"
        if digest(held) != mark[1]:
            raise NoProposal(f"the text of {path[1]} is not the one its SHA-256 was taken of")
        found[path[1]], at = held, end + 1
    if "PLUGIN.md" not in found:
        raise NoProposal("there is no PLUGIN.md in it")
    return list(found.items())


def digest(text: str) -> str:
    """Return the SHA-256 of a file's text in hexadecimal."""
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def _blank(lines: Sequence[str], at: int) -> int:
    """Check that a line is empty and return the next line's index. Raises NoProposal."""
    if _line(lines, at):
        raise NoProposal(f"line {at + 1} should be empty")
    return at + 1


def _line(lines: Sequence[str], at: int) -> str:
    if at >= len(lines):
        raise NoProposal("it ends before it should")
    return lines[at]


def _file(path: str, text: str) -> str:
    kind = _KINDS.get(path.rpartition(".")[2], "text")
    return f"### {path}\n\nSHA-256 `{digest(text)}`\n\n{fence_code(text, kind)}"
