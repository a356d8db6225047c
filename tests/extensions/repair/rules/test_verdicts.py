"""Mended by itself is one script of a plugin: one clear defect, few lines, nothing new reached for. Else one asks."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest

from furoshiki.extensions.repair.rules import verdicts
from furoshiki.extensions.repair.rules.verdicts import Apply, Before, Defects, Propose, Step

FILE = "plugins/p/x.py"
TEXT = "import json\n\n\ndef f(rows):\n    return rows['a']\n"
HEAD = "--- a/plugins/p/x.py\n+++ b/plugins/p/x.py\n"
DIFF = f"{HEAD}@@ -4,2 +4,2 @@\n def f(rows):\n-    return rows['a']\n+    return {{}}\n"
OURS = Step("/d/plugins/p/x.py", False, FILE)
LIBRARY = Step("/usr/lib/json.py", False, None)
SHIPPED = Step("/f/furoshiki/x.py", True, None)


@dataclass(frozen=True)
class Case:
    """Everything that is judged; as it stands, it is changed."""

    steps: tuple[Step, ...] = (OURS,)
    before: tuple[Before, ...] = ()
    defects: Defects | None = "one"
    diff: str | None = DIFF.format("rows.get('a')")
    target: Step | None = OURS
    text: str = TEXT
    allowed: bool = True

    def judged(self) -> Apply | Propose:
        return verdicts.judge(self.steps, self.before, self.defects, self.diff, self.target, self.text, self.allowed)


NO_SCRIPT = "it happened in no script that may be changed by itself"
ANOTHER = "the suggested change is of another file than the one that broke"
AFTER = Apply(FILE, TEXT.replace("rows['a']", "rows.get('a')"))
LONG = DIFF.format("(\n+        " + ",\n+        ".join("1" * 19) + "\n+    )")


@pytest.mark.parametrize(
    "case",
    [
        Case(),
        Case(steps=(LIBRARY, OURS, LIBRARY)),
        Case(before=("closed", "accepted")),
        Case(diff=DIFF.format("rows['b']"), text=TEXT),
    ],
)
def test_one_clear_defect_is_mended(case: Case) -> None:
    assert isinstance(case.judged(), Apply)


def test_the_file_is_the_one_with_the_change() -> None:
    assert Case().judged() == AFTER


@pytest.mark.parametrize(
    ("case", "reason"),
    [
        (Case(steps=(OURS, SHIPPED)), "a protected file is on the way to the error"),
        (Case(steps=(SHIPPED, OURS)), "a protected file is on the way to the error"),
        (Case(target=SHIPPED), "the suggested change is of a protected file"),
        (Case(before=("applied",)), "it came back after it was changed once"),
        (Case(before=("rolled_back", "closed")), "it came back after it was changed once"),
        (Case(steps=()), NO_SCRIPT),
        (Case(steps=(LIBRARY,)), NO_SCRIPT),
        (Case(steps=(replace(OURS, writable="plugins/p/PLUGIN.md"),)), NO_SCRIPT),
        (Case(defects=None, diff=None), "nobody has found out why it happens"),
        (Case(defects="several"), "there is no one clear defect"),
        (Case(defects="unclear"), "there is no one clear defect"),
        (Case(diff=None), "there is no one clear defect"),
        (Case(diff="-x\n+y"), "the suggested change cannot be used: it names no file"),
        (Case(target=None), ANOTHER),
        (Case(target=LIBRARY), ANOTHER),
        (Case(target=replace(OURS, writable="plugins/q/x.py")), ANOTHER),
        (Case(text=TEXT.replace("'a'", "'b'")), "the suggested change does not fit the file"),
        (Case(diff=LONG), "the suggested change is longer than 20 lines"),
        (Case(diff=DIFF.format("__import__('os').getcwd()")), "the suggested change brings in __import__"),
        (Case(diff=DIFF.format("(eval)(rows)")), "the suggested change brings in eval"),
        (Case(diff=DIFF.format("f.__globals__")), "the suggested change brings in __globals__"),
        (Case(diff=DIFF.format("1\n+import os")), "the suggested change brings in os"),
        (Case(diff=DIFF.format("1\n+from os import path")), "the suggested change brings in os.path"),
        (Case(diff=DIFF.format("rows[")), "the suggested change brings in what is no Python"),
        (Case(allowed=False), "nothing is to be changed by itself (FUROSHIKI_REPAIR_APPLY)"),
    ],
)  # fmt: skip
def test_anything_else_is_asked(case: Case, reason: str) -> None:
    assert case.judged() == Propose(reason)


@pytest.mark.parametrize(
    ("script", "kind", "name"),
    [
        ("forecast", "ValueError", "forecast-valueerror"),
        ("../../etc", "a b/ü", "etc-a-b"),
        ("", "…", "error"),
        ("x" * 60, "E", "x" * 40),
    ],
)
def test_a_file_about_an_error_has_a_short_plain_name(script: str, kind: str, name: str) -> None:
    assert verdicts.slug(script, kind) == name
