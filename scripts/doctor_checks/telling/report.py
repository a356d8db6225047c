"""The report, for people."""

import re
from collections.abc import Iterable, Sequence

from doctor_checks.findings import Finding

_MARKS = {"well": "✓", "note": "·", "mended": "mended", "wrong": "✗"}
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")


def lines(found: Sequence[Finding], dry: bool = False) -> Iterable[str]:
    """One line a finding, what needs a person with its fix; what is at the end counts."""
    for one in found:
        mark = "would mend" if dry and one.state == "mended" else _MARKS[one.state]
        yield f"{mark} {_plain(one.words)}"
        if one.fix and one.state != "well":
            yield f"    → {_plain(one.fix)}"
    yield summary(found)


def summary(found: Sequence[Finding]) -> str:
    """All of it in a line."""
    wrong = sum(one.state == "wrong" for one in found)
    mended = sum(one.state == "mended" for one in found)
    parts = [f"{wrong} {'needs' if wrong == 1 else 'need'} you"] if wrong else []
    parts += [f"{mended} mended"] if mended else []
    return "All is well." if not parts else f"{', '.join(parts)}."


def _plain(text: str) -> str:
    """Without anything that steers a terminal: names of files and words of errors come from anywhere."""
    return _CONTROL.sub("?", text.encode("utf-8", "replace").decode())
