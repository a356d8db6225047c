"""What the program makes of each family of model servers, and of forty-eight odd and hostile ones.

    python -m bench.providers             the matrix (seconds)
    python -m bench.providers --write     the same into docs/models.md
    python -m bench.providers --hostile   forty-eight servers, each with all the time a turn gives (a minute)

The servers are written from the families' public documentation and from reports (tests/providers/families.py).
"""

from __future__ import annotations

import argparse
import asyncio
import re
from collections import Counter

from furoshiki.core.paths import ROOT
from tests.providers import hostile, matrix

PAGE = ROOT / "docs" / "models.md"
A_TURN_S = 60.0


def main() -> None:
    """Print or write the requested result."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", action="store_true", help="put the matrix into docs/models.md")
    parser.add_argument("--hostile", action="store_true", help="ask the odd and hostile servers")
    wanted = parser.parse_args()
    if wanted.hostile:
        _print_hostile()
        return
    table = matrix.table(asyncio.run(matrix.rows()))
    print(table)
    if wanted.write:
        page = PAGE.read_text(encoding="utf-8")
        PAGE.write_text(
            re.sub(r"^\| \| answer .*?(?=\n\n|\Z)", lambda _: table, page, flags=re.M | re.S), encoding="utf-8"
        )


def _print_hostile() -> None:
    found = asyncio.run(hostile.outcomes(A_TURN_S))
    for one in sorted(found, key=lambda one: -one.took_s):
        print(f"{one.took_s:6.1f} s  {one.word:18} {one.server}")
    print(dict(Counter(one.word for one in found)), f"slowest {max(one.took_s for one in found):.1f} s")


if __name__ == "__main__":
    main()
