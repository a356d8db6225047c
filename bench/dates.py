"""Measures the cost of parsing a time, and how many phrases of the table are parsed correctly.

    python bench/dates.py

CPU time. "the libraries" is the cost, once per process, of the first calendar day in a message;
other messages never pay it. The adversarial text has 100,000 characters; only the first few hundred
are parsed.
"""

from __future__ import annotations

import csv
import resource
import subprocess
import sys
import time
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from furoshiki.language.dates import habits, parsing  # isort: skip

ROOT = Path(__file__).resolve().parent.parent
TABLE = ROOT / "tests" / "language" / "dates" / "said_times.tsv"
NOW = datetime(2026, 3, 3, 14, 5, tzinfo=ZoneInfo("Europe/Berlin"))
SAID = {
    "names no time": "I had soup for lunch with Anika",
    "no day of the calendar": "tomorrow at 9 to call Anika",
    "a day of the calendar": "on 24 December at 6pm",
    "a repetition": "every second Tuesday at 10",
    "made to be slow": "9 " * 50_000,
}
IMPORTED = "import time; began = time.process_time(); import {name}; print((time.process_time() - began) * 1000)"
TRIES = 200


def main() -> int:
    """Print the figures. Return 1 when a phrase of the table is parsed wrongly."""
    for name in ("furoshiki.language.dates.parsing", "dateparser", "dateutil.rrule"):
        ran = [
            subprocess.run([sys.executable, "-c", IMPORTED.format(name=name)], cwd=ROOT, capture_output=True, text=True)
            for _ in range(5)
        ]
        print(f"import {name:32} {min(float(one.stdout) for one in ran):8.1f} ms")
    before, began = _memory(), time.process_time()
    parsing.parse_when("24 December", NOW)
    print(f"{'the libraries, once':39} {(time.process_time() - began) * 1000:8.1f} ms, {_memory() - before:.1f} MB")
    for what, text in SAID.items():
        parsing.parse_when(text, NOW)
        tries = TRIES if len(text) < 100 else 10
        began = time.process_time()
        for _ in range(tries):
            parsing.parse_when(text, NOW)
        print(f"{what:39} {(time.process_time() - began) / tries * 1000:8.2f} ms")
    return _table()


def _table() -> int:
    rows = list(csv.DictReader(TABLE.read_text("utf-8").splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE))
    right = {"booked": 0, "asked": 0, "wrong": 0}
    for row in rows:
        now = datetime.fromisoformat(row["now"]).replace(tzinfo=ZoneInfo(row["zone"]))
        found = parsing.parse_when(row["phrase"], now, habits.habits(row["language"], row["zone"]))
        booked = isinstance(found, parsing.When) and not found.past
        wanted = row["expected"].partition(" ")[0]
        said = found.at.strftime("%Y-%m-%dT%H:%M") if isinstance(found, parsing.When) else ""
        if not booked:
            right["asked"] += 1
        else:
            right["booked" if said == wanted[:16] else "wrong"] += 1
    print(f"{len(rows)} phrases: " + ", ".join(f"{count} {what}" for what, count in right.items()))
    return int(right["wrong"] > 0)


def _memory() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    sys.exit(main())
