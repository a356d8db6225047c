"""A diff is taken when it is of one file and fits it letter for letter; where models miscount, the place is found."""

from __future__ import annotations

import pytest

from furoshiki.extensions.repair.rules import patches
from furoshiki.extensions.repair.rules.patches import NoPatch, Patch

FILE = "def f(rows):\n    for row in rows:\n        yield row['a']\n\n\ndef g():\n    return 1\n"
HEAD = "--- a/plugins/p/x.py\n+++ b/plugins/p/x.py\n"
BODY = "@@ -2,2 +2,2 @@\n     for row in rows:\n-        yield row['a']\n+        yield row.get('a')\n"
AFTER = FILE.replace("row['a']", "row.get('a')")


def read(diff: str) -> Patch:
    found = patches.read(diff)
    assert isinstance(found, Patch), found
    return found


@pytest.mark.parametrize(
    "diff",
    [
        HEAD + BODY,
        f"Here it is:\n\n```diff\n{HEAD}{BODY}```\n\nThat is all.",
        f"diff --git a/x b/x\nindex 1..2 100644\n{HEAD}{BODY}\n\n",
        HEAD + BODY.replace("-2,2 +2,2", "-40,2 +41,2"),
        HEAD + BODY.replace("@@\n", "@@ def f(rows):\n", 1),
        HEAD.replace("x.py\n", "x.py\t2026-01-01\n") + BODY + "\\ No newline at end of file\n",
    ],
)
def test_one_change_of_one_file_is_read_and_fits(diff: str) -> None:
    found = read(diff)
    assert (found.target, found.changed) == ("plugins/p/x.py", 2)
    assert patches.apply_patch(found, FILE) == AFTER


def test_an_empty_line_of_context_may_have_lost_its_blank() -> None:
    body = "@@ -3,4 +3,4 @@\n         yield row['a']\n\n\n-def g():\n+def h():\n     return 1\n"
    assert patches.apply_patch(read(HEAD + body), FILE) == FILE.replace("def g", "def h")


def test_several_parts_are_put_in_one_after_the_other() -> None:
    more = "@@ -6,2 +6,3 @@\n def g():\n-    return 1\n+    one = 1\n+    return one\n"
    found = read(HEAD + BODY + more)
    assert found.changed == 5
    assert patches.apply_patch(found, FILE) == AFTER.replace("    return 1", "    one = 1\n    return one")
    assert patches.apply_patch(read(HEAD + more + BODY), FILE) is None, "out of order"


@pytest.mark.parametrize(
    ("diff", "reason"),
    [
        ("", "it names no file"),
        ("I would rather not.", "it names no file"),
        (HEAD, "it changes nothing"),
        (HEAD + "@@ -1,1 +1,1 @@\n def f(rows):\n", "it changes nothing"),
        (HEAD.replace("b/plugins/p/x.py", "b/plugins/p/y.py") + BODY, "it makes, removes or renames a file"),
        (HEAD.replace("a/plugins/p/x.py", "/dev/null") + BODY, "it makes, removes or renames a file"),
        (HEAD + BODY + HEAD.replace("x.py", "y.py") + BODY, "it changes more than one file"),
        (HEAD + BODY + "and so\n@@ here @@\n", "a part of it cannot be read"),
        (HEAD + BODY + "x" * 20_000, "it is too long"),
    ],
)
def test_anything_else_is_refused(diff: str, reason: str) -> None:
    assert patches.read(diff) == NoPatch(reason)


@pytest.mark.parametrize(
    "body",
    [
        BODY.replace("row['a']", "row['b']"),
        BODY.replace("    for row", "   for row"),
        "@@ -9,0 +9,1 @@\n+import os\n",
        "@@ -90,1 +90,1 @@\n-\n+x = 1\n",
    ],
)
def test_what_does_not_fit_in_one_place_is_refused(body: str) -> None:
    assert patches.apply_patch(read(HEAD + body), FILE) is None
