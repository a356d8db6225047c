"""Kills the listener many times while somebody talks to it, and prints what the chat shows afterwards.

    python bench/kill.py --kills 500

Two seconds a kill: nearly all of it is the start of the next listener.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tests.e2e.program import Program
from tests.emulators.llm import LLMEmulator
from tests.emulators.telegram import TelegramEmulator
from tests.faults.killing import Killing


def main() -> int:
    """Return 0 when nothing was lost, duplicated, torn, reordered or given up."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    with (
        tempfile.TemporaryDirectory() as folder,
        TelegramEmulator() as telegram,
        LLMEmulator() as llm,
        Program(Path(folder) / "data", telegram, llm) as program,
    ):
        found = Killing(program, telegram, llm, args.seed).run(args.kills)
        if not found.clean:
            print(program.picture(), *found.evidence, sep="\n", file=sys.stderr)
    rows = [
        ("messages sent", found.sent, ""),
        ("without a reply", len(found.lost), "0"),
        ("replied to twice", len(found.doubled), "0"),
        ("long replies torn", len(found.torn), "0"),
        ("out of order", len(found.disordered), "0"),
        ("given up", found.given_up, "0"),
        ("calls of the model", found.calls, ""),
        ("seconds", round(found.seconds), ""),
    ]
    print(f"{'kills':24}{sum(found.kills.values()):>8}")
    for kind, times in sorted(found.kills.items()):
        print(f"  {kind:22}{times:>8}")
    print(f"\n{'':24}{'found':>8}{'wanted':>8}")
    for name, value, wanted in rows:
        print(f"{name:24}{value:>8}{wanted:>8}")
    return 0 if found.clean else 1


if __name__ == "__main__":
    sys.exit(main())
