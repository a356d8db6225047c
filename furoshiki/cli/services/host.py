"""`furoshiki host`: the homes of this machine."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from furoshiki.cli import context
from furoshiki.core import settings
from furoshiki.core.errors import FuroshikiError
from furoshiki.core.paths import HOST, environ, homes_dir
from furoshiki.core.timestamps import stamp
from furoshiki.host import homes, looking
from furoshiki.terminal.printing import as_json, note, table

NONE_YET = "There is no home yet in {root}. `furoshiki host add anna` makes one; FUROSHIKI_HOMES says where they lie."


def run(args: argparse.Namespace) -> int:
    """Whatever of it was asked for."""
    root, now = homes_dir(), context.clock().now()
    held = settings.load({**environ(), "FUROSHIKI_DATA": str(root / HOST)})
    if args.verb == "list":
        return _list(args, root)
    if args.verb == "status":
        return _status(args, root)
    if args.verb == "add":
        token = _token(args.token_file)
        home = homes.add(root, args.name, now, f"TELEGRAM_BOT_TOKEN={token}\n" if token else "")
        return _said(
            args,
            {"name": home.name, "data": str(home.data)},
            f"{home.name} lives in {home.data}. Next: `furoshiki setup --home {home.name}`, "
            f"then `furoshiki up --home {home.name}`.",
        )
    if args.verb == "adopt":
        home = homes.adopt(root, Path(args.folder).expanduser().absolute(), args.name)
        return _said(args, {"name": home.name, "data": str(home.data)}, f"{home.name} lives in {home.data} now.")
    if args.verb == "pause":
        done = homes.pause(root, args.name, now)
        return _said(args, {"changed": done}, f"{args.name} rests. What runs of it now ends when you stop it.")
    if args.verb == "resume":
        done = homes.resume(root, args.name)
        return _said(args, {"changed": done}, f"{args.name} goes on." if done else f"{args.name} did not rest.")
    keys = held.backup_recipients
    if args.verb == "export":
        made = homes.export(homes.named(root, args.name), Path(args.folder).absolute(), now, keys)
        return _said(args, {"file": str(made.path)}, f"{made.path}\n`furoshiki restore FILE` brings it up anywhere.")
    return _remove(args, root, keys)


def _remove(args: argparse.Namespace, root: Path, keys: tuple[str, ...]) -> int:
    home = homes.named(root, args.name)
    if not args.yes:
        if not sys.stdin.isatty():
            raise context.Misused(f"removing {home.name} cannot be taken back: say --yes")
        if input(f"Remove {home.name} with all it remembers? A verified backup stays. Type its name: ") != home.name:
            print("Nothing was removed.")
            return 1
    kept = homes.remove(root, home.name, context.clock().now(), keys)
    return _said(args, {"backup": str(kept.path)}, f"{home.name} is gone. Its last backup, read back: {kept.path}")


def _list(args: argparse.Namespace, root: Path) -> int:
    found = homes.every(root)
    if args.json:
        as_json(
            [
                {
                    "name": home.name,
                    "data": str(home.data),
                    "paused_at": None if home.paused_at is None else stamp(home.paused_at),
                    "runs": homes.runs(home),
                }
                for home in found
            ]
        )
    elif found:
        table(["home", "", "lies in"], [[home.name, _how(home), str(home.data)] for home in found])
    else:
        print(NONE_YET.format(root=root))
    return 0


def _status(args: argparse.Namespace, root: Path) -> int:
    asked = [homes.named(root, args.name)] if args.name else homes.every(root)
    now = context.clock().now()
    found = [looking.at(home, now) for home in asked]
    if args.json:
        as_json([one.as_json() for one in found])
    elif found:
        rows = [
            [one.name, _how(home), f"{one.megabytes:,.1f} MB", f"${one.cost_30_days:.2f}", one.trouble or "well"]
            for home, one in zip(asked, found, strict=True)
        ]
        table(["home", "", "on disk", "30 days", "how it is"], rows, right=[2, 3])
    else:
        print(NONE_YET.format(root=root))
    return 0 if not any(one.trouble for one in found) else 4


def _how(home: homes.Home) -> str:
    if home.paused_at is not None:
        return f"rests since {home.paused_at:%Y-%m-%d}"
    return "runs" if homes.runs(home) else "stands still"


def _token(file: str | None) -> str | None:
    if file is None:
        return None
    text = sys.stdin.read() if file == "-" else Path(file).expanduser().read_text(encoding="utf-8")
    if not text.strip():
        raise FuroshikiError(f"{file} holds no token")
    return text.strip()


def _said(args: argparse.Namespace, data: dict[str, object], words: str) -> int:
    as_json(data) if args.json else note(words)
    return 0
