"""What is done about an error: mended by itself, or laid before the owner, and why.

A unified diff for one file, read strictly: which file, how much of it, and the file afterwards.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

MOST_LINES = 20
"""Lines taken out and put in that a change may have to be made by itself."""

Defects = Literal["one", "several", "unclear"]

Before = Literal["applied", "rolled_back", "accepted", "closed", "declined"]
"""How an earlier job about the same error ended."""

_REACHES_OUT = frozenset(
    {
        *("eval", "exec", "compile", "__import__", "open", "input", "breakpoint", "globals", "locals", "vars"),
        *("getattr", "setattr", "delattr", "system", "popen", "remove", "unlink", "rmtree", "environ"),
        *("write_text", "write_bytes", "chmod", "rename", "symlink_to", "hardlink_to", "connect", "urlopen", "kill"),
    }
)
"""Names that a change made by itself may not bring in: what they do is more than to correct a defect."""


@dataclass(frozen=True)
class Step:
    """A file on the way to an error: whether it is protected, and its name below the data directory where it may be
    written by automation."""

    file: str
    protected: bool
    writable: str | None


@dataclass(frozen=True)
class Apply:
    """Change this file (below the data directory) to this text."""

    file: str
    text: str


@dataclass(frozen=True)
class Propose:
    """Lay it before the owner: why it is theirs to decide."""

    reason: str


def suspect(steps: Sequence[Step]) -> str | None:
    """The one script that may be mended: the innermost of ours on the way to the error; None when there is none."""
    found = [one.writable for one in steps if one.writable is not None and one.writable.endswith(".py")]
    return found[-1] if found else None


def judge(
    steps: Sequence[Step],
    before: Sequence[Before],
    defects: Defects | None,
    diff: str | None,
    target: Step | None,
    text: str,
    allowed: bool,
) -> Apply | Propose:
    """What is done. `target` is the file the diff would really write, `text` what stands in the suspect now; `allowed`
    whether the owner lets anything be changed by itself."""
    if any(one.protected for one in steps):
        return Propose("a protected file is on the way to the error")
    if target is not None and target.protected:
        return Propose("the suggested change is of a protected file")
    if "applied" in before or "rolled_back" in before:
        return Propose("it came back after it was changed once")
    if suspect(steps) is None:
        return Propose("it happened in no script that may be changed by itself")
    if defects is None:
        return Propose("nobody has found out why it happens")
    if diff is None or defects != "one":
        return Propose("there is no one clear defect")
    patch = read(diff)
    if isinstance(patch, NoPatch):
        return Propose(f"the suggested change cannot be used: {patch.reason}")
    if target is None or target.writable is None or target.writable != suspect(steps):
        return Propose("the suggested change is of another file than the one that broke")
    return _judge_change(patch, target.writable, text, allowed)


def _judge_change(patch: Patch, file: str, text: str, allowed: bool) -> Apply | Propose:
    after = apply_patch(patch, text)
    if after is None:
        return Propose("the suggested change does not fit the file")
    if patch.changed > MOST_LINES:
        return Propose(f"the suggested change is longer than {MOST_LINES} lines")
    new = _collect_imports(after) - _collect_imports(text)
    if new:
        return Propose(f"the suggested change brings in {', '.join(sorted(new))}")
    return Apply(file, after) if allowed else Propose("nothing is to be changed by itself (FUROSHIKI_REPAIR_APPLY)")


def _collect_imports(code: str) -> set[str]:
    """What a script imports, and the names in it that reach out; a word for it where it is no Python."""
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return {"what is no Python"}
    found: set[str] = set()
    for node in ast.walk(tree):
        match node:
            case ast.Import():
                found |= {alias.name for alias in node.names}
            case ast.ImportFrom():
                found |= {f"{'.' * node.level}{node.module or ''}.{alias.name}" for alias in node.names}
            case ast.Name(id=name) | ast.Attribute(attr=name) if _outward(name):
                found.add(name)
    return found


def _outward(name: str) -> bool:
    return name in _REACHES_OUT or (name.startswith("__") and name.endswith("__") and name != "__name__")


def slug(script: str, kind: str) -> str:
    """A short name for a file about an error."""
    words = re.findall(r"[a-z0-9]+", f"{script} {kind}".lower())
    return "-".join(words)[:40].strip("-") or "error"


LONGEST_DIFF = 20_000
"""Characters of a diff that is read."""

_HUNK = re.compile(r"^@@ -(\d{1,7})(?:,\d{1,7})? \+\d{1,7}(?:,\d{1,7})? @@")
_FENCE = re.compile(r"^```")
_NO_NEWLINE = "\\ No newline at end of file"


@dataclass(frozen=True)
class Hunk:
    """Lines in place of others. `at` is where the diff says that the old ones stand, from 0."""

    at: int
    old: tuple[str, ...]
    new: tuple[str, ...]
    changed: int


@dataclass(frozen=True)
class Patch:
    """A change of one file, as the diff names it."""

    target: str
    hunks: tuple[Hunk, ...]

    @property
    def changed(self) -> int:
        """Lines taken out and lines put in, together."""
        return sum(hunk.changed for hunk in self.hunks)


@dataclass(frozen=True)
class NoPatch:
    """Why a text is no change of one file."""

    reason: str


def read(diff: str) -> Patch | NoPatch:
    """The change a diff makes, words and a fence around it aside."""
    if len(diff) > LONGEST_DIFF:
        return NoPatch("it is too long")
    lines = [line for line in diff.splitlines() if not _FENCE.match(line)]
    first = next((at for at, line in enumerate(lines[:-1]) if _begins_file(lines, at)), None)
    if first is None:
        return NoPatch("it names no file")
    old, new = _parse_name(lines[first]), _parse_name(lines[first + 1])
    if old != new:
        return NoPatch("it makes, removes or renames a file")
    hunks, at = [], first + 2
    while at < len(lines) and (head := _HUNK.match(lines[at])) is not None:
        end = at + 1
        while end < len(lines) and _belongs(lines, end):
            end += 1
        hunks.append(_hunk(max(0, int(head[1]) - 1), lines[at + 1 : end]))
        at = end
    if any(_begins_file(lines, later) for later in range(at, len(lines) - 1)):
        return NoPatch("it changes more than one file")
    if not hunks or not any(hunk.changed for hunk in hunks):
        return NoPatch("it changes nothing")
    if any(line.startswith("@@") for line in lines[at:]):
        return NoPatch("a part of it cannot be read")
    return Patch(new, tuple(hunks))


def apply_patch(patch: Patch, text: str) -> str | None:
    """The file afterwards; None unless every part fits in one place, letter for letter and in order."""
    lines, done, read_to = text.split("\n"), [], 0
    for hunk in patch.hunks:
        at = _place(hunk, lines, read_to)
        if at is None:
            return None
        done += [*lines[read_to:at], *hunk.new]
        read_to = at + len(hunk.old)
    return "\n".join([*done, *lines[read_to:]])


def _place(hunk: Hunk, lines: list[str], after: int) -> int | None:
    """Where the old lines stand: where the diff says, or in the only other place; models miscount."""
    if not hunk.old:
        return None
    many = len(hunk.old)
    if hunk.at >= after and tuple(lines[hunk.at : hunk.at + many]) == hunk.old:
        return hunk.at
    places = [at for at in range(after, len(lines) - many + 1) if tuple(lines[at : at + many]) == hunk.old]
    return places[0] if len(places) == 1 else None


def _begins_file(lines: list[str], at: int) -> bool:
    return lines[at].startswith("--- ") and lines[at + 1].startswith("+++ ")


def _belongs(lines: list[str], at: int) -> bool:
    """Whether a line is one of a part's: context, taken out, put in. An empty one is context whose blank was lost."""
    line = lines[at]
    if at + 1 < len(lines) and _begins_file(lines, at):
        return False
    return line == "" or line[0] in " +-" or line == _NO_NEWLINE


def _parse_name(line: str) -> str:
    name = line[4:].split("\t")[0].strip()
    return name[2:] if name.startswith(("a/", "b/")) else name


def _hunk(at: int, lines: list[str]) -> Hunk:
    while lines and lines[-1] == "":  # blank lines after the last part are no part of it
        lines = lines[:-1]
    body = [line or " " for line in lines if line != _NO_NEWLINE]
    old = tuple(line[1:] for line in body if line[0] in " -")
    new = tuple(line[1:] for line in body if line[0] in " +")
    return Hunk(at, old, new, sum(line[0] in "+-" for line in body))
