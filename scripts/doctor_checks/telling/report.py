"""The report for people."""

import re
from collections.abc import Iterable, Sequence

from doctor_checks.findings import Finding

_MARKS = {"well": "✓", "note": "·", "mended": "mended", "wrong": "✗"}
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")


def lines(found: Sequence[Finding], dry: bool = False) -> Iterable[str]:
    """Yield a line for each finding, with fixes where a person is needed, then the summary."""
    for one in found:
        mark = "would mend" if dry and one.state == "mended" else _MARKS[one.state]
        yield f"{mark} {_plain(one.words)}"
        if one.fix and one.state != "well":
            yield f"    → {_plain(one.fix)}"
    yield summary(found)


def summary(found: Sequence[Finding]) -> str:
    """Summarize the findings in one line."""
    wrong = sum(one.state == "wrong" for one in found)
    mended = sum(one.state == "mended" for one in found)
    parts = [f"{wrong} {'needs' if wrong == 1 else 'need'} you"] if wrong else []
    parts += [f"{mended} mended"] if mended else []
    return "All is well." if not parts else f"{', '.join(parts)}."


def _plain(text: str) -> str:
    """Replace control characters: file names and error texts can contain anything."""
    return _CONTROL.sub("?", text.encode("utf-8", "replace").decode())
