"""The decision on an error: automatic repair or proposal to the owner, with the reason."""

import ast
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from furoshiki.extensions.repair.rules import patches
from furoshiki.extensions.repair.rules.patches import NoPatch, Patch

MOST_LINES = 20  # maximum changed lines of an automatic repair

Defects = Literal["one", "several", "unclear"]

# how an earlier job about the same error ended
Before = Literal["applied", "rolled_back", "accepted", "closed", "declined"]

# names that an automatic repair may not introduce: they do more than correct a defect
_REACHES_OUT = frozenset(
    {
        *("eval", "exec", "compile", "__import__", "open", "input", "breakpoint", "globals", "locals", "vars"),
        *("getattr", "setattr", "delattr", "system", "popen", "remove", "unlink", "rmtree", "environ"),
        *("write_text", "write_bytes", "chmod", "rename", "symlink_to", "hardlink_to", "connect", "urlopen", "kill"),
    }
)


@dataclass(frozen=True)
class Step:
    """A traceback's file: whether it is protected, its path if automation may write it."""

    file: str
    protected: bool
    writable: str | None


@dataclass(frozen=True)
class Apply:
    """Change this file (in the data directory) to this text."""

    file: str
    text: str


@dataclass(frozen=True)
class Propose:
    """Propose to the owner, for this reason."""

    reason: str


def suspect(steps: Sequence[Step]) -> str | None:
    """Return the innermost repairable script in the traceback, or None."""
    found = [step.writable for step in steps if step.writable is not None and step.writable.endswith(".py")]
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
    """Decide. `target` is the file that the diff changes, `text` the suspect's current text;
    `allowed`: the owner permits automatic repairs."""
    if any(step.protected for step in steps):
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
    patch = patches.read(diff)
    if isinstance(patch, NoPatch):
        return Propose(f"the suggested change cannot be used: {patch.reason}")
    if target is None or target.writable is None or target.writable != suspect(steps):
        return Propose("the suggested change is of another file than the one that broke")
    return _judge_change(patch, target.writable, text, allowed)


def _judge_change(patch: Patch, file: str, text: str, allowed: bool) -> Apply | Propose:
    after = patches.apply_patch(patch, text)
    if after is None:
        return Propose("the suggested change does not fit the file")
    if patch.changed > MOST_LINES:
        return Propose(f"the suggested change is longer than {MOST_LINES} lines")
    new = _collect_imports(after) - _collect_imports(text)
    if new:
        return Propose(f"the suggested change brings in {', '.join(sorted(new))}")
    return Apply(file, after) if allowed else Propose("nothing is to be changed by itself (FUROSHIKI_REPAIR_APPLY)")


def _collect_imports(code: str) -> set[str]:
    """Return a script's imports and risky names; a marker when it is no Python."""
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
    """Return a short file name for an error."""
    words = re.findall(r"[a-z0-9]+", f"{script} {kind}".lower())
    return "-".join(words)[:40].strip("-") or "error"
