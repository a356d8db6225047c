"""Is a wish for a picture heard as one, and a password that was asked for told from talk? Of lines in nine languages.

    python -m bench.asked [--wrong]

The lines are in bench/asked_lines. For each language: the share of wishes heard, and of other lines taken for one, in
per cent; "last" are the lines that nobody looked at while the rules were changed.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from furoshiki.core.network import keys
from furoshiki.language.requests.picture_words import is_picture_request

LINES = Path(__file__).parent / "asked_lines"


@dataclass(frozen=True)
class Line:
    """A message, whether it is a positive example, and whether it is held out (`last`)."""

    wanted: bool
    language: str
    text: str
    last: bool


def is_password(text: str) -> bool:
    """Return whether a message is taken for a requested password."""
    return keys.find_key(text, keys.PASSWORD) is not None


TABLES: tuple[tuple[str, Callable[[str], bool]], ...] = (("draw", is_picture_request), ("passwords", is_password))


def read(name: str) -> list[Line]:
    """Read the lines of a table."""
    found = []
    for line in (LINES / f"{name}.tsv").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            wanted, language, text = line.split("\t")
            found.append(Line(wanted == "yes", language.lstrip("-"), text, language.startswith("-")))
    return found


def shares(lines: Sequence[Line], judge: Callable[[str], bool]) -> tuple[float, float]:
    """Return the true and the false positive rate, in [0, 1]."""
    heard, taken = ([judge(line.text) for line in lines if line.wanted is wanted] for wanted in (True, False))
    return sum(heard) / max(len(heard), 1), sum(taken) / max(len(taken), 1)


def main() -> None:
    """Print the rates of each table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--wrong", action="store_true", help="list what is judged wrongly")
    asked = parser.parse_args()
    for name, judge in TABLES:
        lines = read(name)
        codes = dict.fromkeys(one.language for one in lines)
        groups = {code: [one for one in lines if one.language == code] for code in codes}
        groups |= {"last": [one for one in lines if one.last], "all": lines}
        print(name)
        for code, group in groups.items():
            heard, taken = shares(group, judge)
            print(f"  {code:5} {len(group):4} lines   heard {heard:4.0%}   taken for one {taken:4.0%}")
        for one in lines:
            if asked.wrong and judge(one.text) is not one.wanted:
                how = "not heard" if one.wanted else "taken"
                print(f"  {how:9} {'last' if one.last else '':4} {one.language} {one.text}")


if __name__ == "__main__":
    main()
