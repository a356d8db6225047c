"""`furoshiki host`: the homes of this machine."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import resource
import signal
import subprocess
import sys
from datetime import datetime
from pathlib import Path
from typing import NoReturn

from furoshiki.app import memoryd_shutdown, run_job, supervisor
from furoshiki.app.wiring import SystemClock
from furoshiki.core import numbers, settings
from furoshiki.core.database.connection import Database
from furoshiki.core.errors import FuroshikiError, NotConfigured
from furoshiki.core.paths import HOST, environ, homes_dir, read_env_file
from furoshiki.core.process.interrupts import make_stop_event
from furoshiki.core.settings import Settings
from furoshiki.core.timestamps import stamp
from furoshiki.faces.cli import bot_api, context
from furoshiki.faces.cli.services import dashboard, host_limits
from furoshiki.faces.terminal.printing import as_json, note, show_list, table
from furoshiki.host import home_logs, home_status, homes, operator_access
from furoshiki.host.members import GOOD_FOR, MemberFile
from furoshiki.maintenance import doctor
from furoshiki.messages.store import accounts
from furoshiki.models.limits import limit_file
from furoshiki.recall.retrieval.memoryd import tenants

NONE_YET = "There is no home yet in {root}. `furoshiki host add anna` makes one; FUROSHIKI_HOMES says where they lie."

# open files of a host's listener, where the machine allows it; an open home uses up to eighty
MOST_FILES = 65_536


def run(args: argparse.Namespace) -> int:
    """Run the requested verb; without one, supervise the host."""
    root, now = homes_dir(), context.clock().now()
    held = settings.load({**environ(), "FUROSHIKI_DATA": str(root / HOST)})
    if args.verb is None:
        return _supervise(root, held)
    if args.verb == "dashboard":
        return dashboard.of_a_host(args, root, held)
    if args.verb in ("listen", "brain"):
        return _service(args.verb, root, held)
    if args.verb == "doctor":
        flags = [f"--{name.replace('_', '-')}" for name in ("json", "dry_run", "offline") if getattr(args, name)]
        return subprocess.run(doctor.command_of_host(root, *flags), check=False).returncode
    if args.verb == "invite":
        return _invite(args, root, held, now)
    if args.verb == "list":
        return _list(args, root)
    if args.verb == "status":
        return _status(args, root, held)
    if args.verb == "limit":
        return host_limits.run(args, root, held, now)
    if args.verb == "add":
        token = _token(args.token_file)
        if token is not None and (other := _has(root, held, token)) is not None:
            raise FuroshikiError(f"{other} has that bot already, and two would answer for each other: make another bot")
        home = homes.add(root, args.name, now, f"TELEGRAM_BOT_TOKEN={token}\n" if token else "")
        return _report(
            args,
            {"name": home.name, "data": str(home.data)},
            f"{home.name} lives in {home.data}. Next: {_next(home.name, token, held)}",
        )
    if args.verb == "adopt":
        home = homes.adopt(root, Path(args.folder).expanduser().absolute(), args.name)
        _settle(root, home)
        words = f"{home.name} lives in {home.data} now."
        if left := _describe_left_behind(home, held):
            words += f"\n{left}"
        return _report(args, {"name": home.name, "data": str(home.data)}, words)
    if args.verb == "pause":
        done = homes.pause(root, args.name, now)
        words = f"{args.name} rests: `furoshiki host` closes it within seconds and keeps what its person writes."
        return _report(args, {"changed": done}, f"{words} What else runs of it ends when you stop it.")
    if args.verb == "resume":
        done = homes.resume(root, args.name)
        return _report(args, {"changed": done}, f"{args.name} goes on." if done else f"{args.name} did not rest.")
    keys = held.backup_recipients
    if args.verb == "export":
        home = homes.get_home(root, args.name)
        operator_access.note(home.data, "host export", now)
        backup = homes.export(home, Path(args.folder).absolute(), now, keys)
        return _report(
            args, {"file": str(backup.path)}, f"{backup.path}\n`furoshiki restore FILE` brings it up anywhere."
        )
    return _remove(args, root, held)


def _supervise(root: Path, held: Settings) -> NoReturn:
    """Replace this process by a small one that only supervises listener and brain."""
    if not homes.every(root):
        note(NONE_YET.format(root=root))
    (root / HOST).mkdir(parents=True, exist_ok=True, mode=0o700)
    note(f"Looking after the homes in {root}. Logs: {root / HOST / 'logs'}. Ctrl-C stops.")
    sys.stdout.flush()
    names = (*supervisor.OF_A_HOST, supervisor.HOST_DASHBOARD) if held.furoshiki_dashboard else supervisor.OF_A_HOST
    where = {**environ(), "FUROSHIKI_DATA": str(root / HOST), "FUROSHIKI_HOMES": str(root)}
    os.execve(sys.executable, [sys.executable, "-P", "-m", supervisor.__name__, *names], where)


def _service(which: str, root: Path, held: Settings) -> int:
    """Run one of the two processes until it is stopped."""
    (root / HOST / "run").mkdir(parents=True, exist_ok=True, mode=0o700)
    home_logs.keep(root / HOST, "listener" if which == "listen" else "brain", held.furoshiki_log_level, held.secrets())
    with memoryd_shutdown.main_process_of_unit(root / HOST):
        if which == "listen":
            _open_many_files()
            asyncio.run(_listen(root, held))
        else:
            _schedule(root, held)
    return 0


def _schedule(root: Path, held: Settings) -> None:
    from furoshiki.host.brain import HostBrain

    brain = HostBrain(root, run_job.clock, run_job.notifier())
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda _number, _frame: brain.stop())
    brain.run()


def _open_many_files() -> None:
    """Raise the limit of open files: the usual 1,024 suffice for a dozen open homes."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, MOST_FILES)
    if soft != resource.RLIM_INFINITY and soft < most:
        with contextlib.suppress(ValueError, OSError):  # some systems allow less than they say
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


async def _listen(root: Path, held: Settings) -> None:
    from furoshiki.host.listener import Host

    host = Host(root, held, SystemClock(), notifier=run_job.notifier())
    await host.run(make_stop_event())


def _invite(args: argparse.Namespace, root: Path, held: Settings, now: datetime) -> int:
    """Print an invitation link to a home on the shared bot. Raises Misused, NotConfigured."""
    home = homes.get_home(root, args.name)
    own = settings.load({**environ(), "FUROSHIKI_DATA": str(home.data)})
    if own.telegram_bot_token is not None:
        raise context.Misused(f"{home.name} has a bot of its own: `furoshiki pair --home {home.name}` lets somebody in")
    if held.telegram_bot_token is None:
        raise NotConfigured(f"there is no bot: put TELEGRAM_BOT_TOKEN=… into {root / HOST / '.env'}, for all homes")
    code = MemberFile(root).invite(home.name, now)
    bot = bot_api.user_name(held)
    link = None if bot is None else f"https://t.me/{bot}?start={code}"
    return _report(
        args,
        {"code": code, "link": link, "days": GOOD_FOR.days},
        f"The first person who opens this is at home in {home.name}; it is good for {GOOD_FOR.days} days:\n"
        f"{link or f'/start {code}'}",
    )


def _remove(args: argparse.Namespace, root: Path, held: Settings) -> int:
    home = homes.get_home(root, args.name)
    if not args.yes:
        if not sys.stdin.isatty():
            raise context.Misused(f"removing {home.name} cannot be taken back: say --yes")
        if input(f"Remove {home.name} with all it remembers? A verified backup stays. Type its name: ") != home.name:
            print("Nothing was removed.")
            return 1
    backup = homes.remove(root, home.name, context.clock().now(), held.backup_recipients)
    MemberFile(root).forget(home.name)
    limit_file.forget(root / HOST, home.name)
    vectors = _vectors_gone(root, held)
    words = f"{home.name} is gone. Its last backup, read back: {backup.path}"
    return _report(args, {"backup": str(backup.path), "vectors": vectors}, f"{words}\n{vectors}" if vectors else words)


def _describe_left_behind(home: homes.Home, held: Settings) -> str | None:
    """Say what an adopted home has left on a Chroma server other than the host's; None: nothing."""
    place = tenants.find_place(home.data)
    if place is None or read_env_file(home.data / ".env").get("FUROSHIKI_CHROMA_URL") == held.furoshiki_chroma_url:
        return None
    return (
        f"Its vectors lie on the Chroma server that it had (tenant {place.tenant}), which is not the host's: delete "
        "them there."
    )


def _vectors_gone(root: Path, held: Settings) -> str | None:
    """Delete removed homes' vectors on the Chroma server, and report it; None: there are none."""
    if not (left := tenants.list_leftovers(root / HOST)):
        return None
    from furoshiki.recall.retrieval.memoryd.chroma_server import ChromaServer, ServerAway, sweep

    names = ", ".join(left)
    if (server := ChromaServer.of(held)) is None:
        return f"Its vectors lie on a Chroma server that is not named any more; they go when it is again ({names})."
    try:
        sweep(server, root / HOST)
    except ServerAway as error:
        return f"Its vectors are still on the Chroma server and go when it answers ({names}): {error}"
    return f"Its vectors were deleted from the Chroma server at {server.address}."


def _settle(root: Path, home: homes.Home) -> None:
    """Register the owner of a home without its own bot as its member on the shared bot."""
    if settings.load({**environ(), "FUROSHIKI_DATA": str(home.data)}).telegram_bot_token is None:
        with contextlib.closing(Database(home.database)) as database, database.read() as db:
            owner = accounts.owner(db, "telegram")
        if owner is not None:
            MemberFile(root).settle(numbers.require_int(owner.external_id), home.name)


def _list(args: argparse.Namespace, root: Path) -> int:
    found = homes.every(root)
    data = []
    for home in found:
        paused_at, runs = stamp(home.paused_at), homes.runs(home)
        data.append({"name": home.name, "data": str(home.data), "paused_at": paused_at, "runs": runs})
    rows = [(home.name, _how(home), home.data) for home in found]
    return show_list(args.json, data, ("home", "", "lies in"), rows, NONE_YET.format(root=root))


def _status(args: argparse.Namespace, root: Path, held: Settings) -> int:
    asked = [homes.get_home(root, args.name)] if args.name else homes.every(root)
    now = context.clock().now()
    found = [home_status.at(home, now) for home in asked]
    limits = [host_limits.measure_limits(root, home, now) for home in asked]
    if args.json:
        as_json([{**one.as_json(), "limits": known} for one, known in zip(found, limits, strict=True)])
    elif found:
        rows = [
            [
                one.name,
                _how(home),
                f"{one.megabytes:,.1f} MB",
                f"${one.cost_30_days:.2f}",
                one.trouble or host_limits.describe_reached(known) or "well",
            ]
            for home, one, known in zip(asked, found, limits, strict=True)
        ]
        table(["home", "", "on disk", "30 days", "how it is"], rows, right=[2, 3])
        host_limits.show_of_host(root, held, now)
        if args.name:
            host_limits.show(limits[0])
    else:
        print(NONE_YET.format(root=root))
    return 4 if any(one.trouble for one in found) else 0


def _how(home: homes.Home) -> str:
    if home.paused_at is not None:
        return "is coming to rest" if homes.runs(home) else f"rests since {home.paused_at:%Y-%m-%d}"
    return "runs" if homes.runs(home) else "stands still"


def _next(name: str, token: str | None, host: Settings) -> str:
    """Say how to let a person in and then run the home."""
    if token is not None:
        return f"`furoshiki pair --home {name}` shows how its person comes in, `furoshiki host` runs all homes."
    if host.telegram_bot_token is not None:
        return f"`furoshiki host invite {name}` makes a link for its person, `furoshiki host` runs all homes."
    return f"`furoshiki setup --home {name}` gives it a bot of its own, or docs/hosting.md says how all share one."


def _token(file: str | None) -> str | None:
    if file is None:
        return None
    text = sys.stdin.read() if file == "-" else Path(file).expanduser().read_text(encoding="utf-8")
    if not text.strip():
        raise FuroshikiError(f"{file} holds no token")
    return text.strip()


def _has(root: Path, held: Settings, token: str) -> str | None:
    """Return who uses this bot token: the name of a home, or "the host"."""
    number = token.partition(":")[0]
    if held.telegram_bot_token is not None and held.telegram_bot_token.get_secret_value().startswith(f"{number}:"):
        return "the host"
    found = ((home.name, read_env_file(home.data / ".env").get("TELEGRAM_BOT_TOKEN", "")) for home in homes.every(root))
    return next((name for name, given in found if given.partition(":")[0] == number), None)


def _report(args: argparse.Namespace, data: dict[str, object], words: str) -> int:
    as_json(data) if args.json else note(words)
    return 0
