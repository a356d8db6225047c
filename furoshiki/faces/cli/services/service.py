"""`furoshiki service`: listener, brain, doctor and dashboard as systemd services."""

import argparse
import difflib
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from furoshiki.core import catalogue, numbers, paths, settings
from furoshiki.core.atomic_files import write_text
from furoshiki.core.errors import FuroshikiError, NotConfigured
from furoshiki.core.process import machine
from furoshiki.core.settings import Settings
from furoshiki.faces.cli.context import Misused
from furoshiki.faces.cli.services import service_kinds
from furoshiki.faces.terminal.printing import answer, as_json, note, table
from furoshiki.maintenance import unit_files
from furoshiki.maintenance.service_manager import ServiceManager, linger_command
from furoshiki.maintenance.unit_files import (
    DASHBOARD,
    EVERY,
    HOST_SLICE,
    SINGLE,
    UNITS,
    UNITS_OF_SINGLE,
    Installation,
)

NO_SYSTEMD = (
    "systemd does not answer for this user (as in a container, or after `su`): run `furoshiki "
    "up` instead, which restarts what crashes"
)
NOT_INSTALLED = "the services are not installed: `furoshiki service install`"
NO_TOKEN = "the listener is not started, because TELEGRAM_BOT_TOKEN is not set: put it into {path} and install again"
NO_LINGER = "the services end when you log out, because that needs an administrator; once: {command}"
LINGERS = (
    "services of this user go on when nobody is logged in (loginctl enable-linger), and still do after an uninstall"
)
NO_FILESYSTEM = "this system lets no user's service have a file system of its own, so the services are confined less"

OLDEST_PYTHON = (3, 11)


class Kept(FuroshikiError):
    """A unit file was edited by hand: `--yes` writes over it."""


@dataclass(frozen=True)
class Change:
    """The planned change of a unit file: "write", "same", "remove", or "edited" (ask first)."""

    unit: str
    path: Path
    text: str
    what: str


def run(args: argparse.Namespace) -> int:
    """Run the verb. Raises FuroshikiError without systemd."""
    manager = ServiceManager(paths.environ())
    version = manager.version()
    if version is None and not (args.verb == "install" and args.dry_run):
        raise FuroshikiError(NO_SYSTEMD)
    kind = service_kinds.choose_kind(args)
    match args.verb:
        case "install":
            return _install(args, kind, manager, version)
        case "uninstall":
            return _uninstall(args, kind, manager)
        case "restart":
            return _restart(args, kind, manager)
        case "logs":
            doctors = [unit for unit in kind.every if unit == unit_files.DOCTOR]
            units = manager.journal([*kind.running, *doctors], args.lines, args.follow, args.json)
            return subprocess.run(units, env={**paths.environ()}).returncode
        case _:
            return _status(args, kind, manager)


def _install(args: argparse.Namespace, kind: service_kinds.Kind, manager: ServiceManager, version: int | None) -> int:
    held = kind.held
    service_kinds.refuse_while_up(kind)
    notes: list[str] = []
    confined = version is None or manager.can_confine()
    if not confined:
        notes.append(NO_FILESYSTEM)
    units = _choose_units(args, kind)
    changes = plan_changes(kind, version, confined, units)
    leaving = _others(kind, units)
    if args.dry_run:
        return _show_plan(args, [*changes, *leaving], kind)
    _agree([change for change in (*changes, *leaving) if change.what == "edited"], args)
    for folder in (held.data, held.data / "run", held.data / "logs"):
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    _compile()
    for change in changes:
        if change.what != "same":
            write_text(change.path, change.text, mode=0o644)
    _take_away([change.path for change in leaving], [change.unit for change in leaving], manager)
    manager.tell("daemon-reload")
    wanted = [unit for unit in units if unit not in (unit_files.DOCTOR, HOST_SLICE) and kind.can_run(unit)]
    if not all(map(kind.can_run, units)):
        notes.append(NO_TOKEN.format(path=held.data / ".env"))
    manager.tell("enable", *wanted)
    changed = {change.unit for change in changes if change.what != "same"}
    if HOST_SLICE in changed:
        manager.tell("restart", HOST_SLICE)
    if fresh := [unit for unit in wanted if unit in changed]:
        manager.tell("restart", *fresh)
    if others := [unit for unit in wanted if unit not in changed]:
        manager.tell("start", *others)
    if not manager.lingers() and not manager.linger():
        notes.append(NO_LINGER.format(command=linger_command()))
    if args.json:
        became = {change.unit: "same" if change.what == "same" else "written" for change in changes}
        became |= {change.unit: "removed" for change in leaving}
        as_json({"units": became, "started": wanted, "lingers": manager.lingers(), "notes": notes})
        return 0
    for change in changes:
        print(f"{change.path}: {'as it was' if change.what == 'same' else 'written'}")
    for change in leaving:
        print(f"{change.path}: removed")
    print(f"Running: {', '.join(wanted)}. How they are: `furoshiki service status`.")
    for one in notes:
        note(one)
    return 0


def _is_single() -> bool:
    """Return whether listener and brain are installed as one service."""
    return (paths.user_units() / SINGLE).is_file()


def _choose_units(args: argparse.Namespace, kind: service_kinds.Kind) -> tuple[str, ...]:
    if kind.every != EVERY:
        if args.single is not None:
            raise Misused("--single and --no-single are for a companion that stands by itself")
        return kind.every
    pages = (DASHBOARD,) if kind.held.furoshiki_dashboard else ()
    single = args.single
    if single is None:
        installed = any((paths.user_units() / unit).is_file() for unit in kind.every)
        single = _is_single() if installed else machine.is_small()
    return UNITS_OF_SINGLE if single else (*UNITS, *pages)


def _others(kind: service_kinds.Kind, units: Sequence[str]) -> list[Change]:
    """Return the changes that remove installed units which are not among `units`."""
    there = [(unit, path) for unit in kind.every if unit not in units and (path := paths.user_units() / unit).is_file()]
    return [Change(unit, path, "", "remove" if _mine(path) else "edited") for unit, path in there]


def _mine(path: Path) -> bool:
    return unit_files.is_ours(path.read_text(encoding="utf-8", errors="replace"))


def _take_away(files: Sequence[Path], units: Sequence[str], manager: ServiceManager) -> None:
    """Stop and disable units, and delete these files."""
    if units:
        manager.tell("disable", "--now", *units)
    for path in files:
        path.unlink()


def plan_changes(kind: service_kinds.Kind, version: int | None, confined: bool, units: Sequence[str]) -> list[Change]:
    """Return what installing would do to each unit file."""
    held = kind.held
    here = Installation(
        python=Path(sys.executable),
        system_python=system_python(),
        data=held.data,
        systemd=version,
        confined=confined,
        writable=writable(held) if kind.homes is None else (kind.homes,),
        credentials=credentials(held.data),
        homes=kind.homes,
        limits=service_kinds.limits(held),
    )
    changes = []
    for name, text in unit_files.render_units(here, units).items():
        path = paths.user_units() / name
        before = path.read_text(encoding="utf-8", errors="replace") if path.is_file() else None
        what = "edited" if before and not unit_files.is_ours(before) else "write"
        if before == text:
            what = "same"
        changes.append(Change(name, path, text, what))
    return changes


def writable(held: Settings) -> tuple[Path, ...]:
    """Return writable places outside the data directory: a database elsewhere, linked folders."""
    linked = [path.resolve() for path in held.data.iterdir() if path.is_symlink()] if held.data.is_dir() else []
    database = held.database.resolve().parent
    found = {path for path in (database, *linked) if path.is_dir() and not path.is_relative_to(held.data.resolve())}
    return tuple(sorted(found))


def credentials(data: Path) -> dict[str, Path]:
    """Return the credential files by setting. Raises BadSetting for unknown settings."""
    found = service_kinds.credential_files(data)
    for name in found:
        settings.check_known(name, str(data / service_kinds.CREDENTIALS))
    return found


def system_python() -> Path:
    """Return a Python outside the virtual environment: the system's, else the one behind ours."""
    for name in ("python3", "python3.13", "python3.12", "python3.11"):
        found = shutil.which(name, path="/usr/local/bin:/usr/bin:/bin")
        if found is None:
            continue
        code = f"import sys; sys.exit(sys.version_info < {OLDEST_PYTHON})"
        if subprocess.run([found, "-I", "-S", "-c", code], timeout=60).returncode == 0:
            return Path(found)
    return Path(os.path.realpath(sys.executable))


def _compile() -> None:
    """Compile the package and the catalogues now: the services cannot write there, and would
    compile at each start."""
    import compileall

    compileall.compile_dir(paths.ROOT / "furoshiki", quiet=2, workers=1)
    catalogue.compile_all()


def _show_plan(args: argparse.Namespace, changes: list[Change], kind: service_kinds.Kind) -> int:
    if args.json:
        as_json(
            {"units": [{"name": one.unit, "path": one.path, "change": one.what, "text": one.text} for one in changes]}
        )
        return 0
    for change in changes:
        before = change.path.read_text("utf-8", "replace") if change.path.is_file() else ""
        becomes = f"would be written ({change.what})" if change.text else "would be stopped and removed"
        print(f"{change.path}: {'as it is' if change.what == 'same' else becomes}")
        lines = difflib.unified_diff(before.splitlines(), change.text.splitlines(), "now", "then", lineterm="", n=1)
        for line in lines:
            print(f"  {line}")
    if not all(map(kind.can_run, (change.unit for change in changes))):
        note(NO_TOKEN.format(path=kind.held.data / ".env"))
    return 0


def _agree(edited: list[Change], args: argparse.Namespace) -> None:
    """Ask about edited files. Raises Kept unless a person agrees."""
    if not edited or args.yes:
        return
    files = ", ".join(str(change.path) for change in edited)
    if not args.json and sys.stdin.isatty():
        if input(f"Somebody edited {files}. Write over it? [y/N] ").strip().lower() in ("y", "yes"):
            return
        raise Kept("nothing was changed; what you want otherwise can stand in a drop-in (`systemctl --user edit`)")
    raise Kept(f"somebody edited {files}: --yes writes over it, and a drop-in (`systemctl --user edit`) stays")


def _uninstall(args: argparse.Namespace, kind: service_kinds.Kind, manager: ServiceManager) -> int:
    there = _others(kind, ())
    if args.dry_run:
        if args.json:
            as_json({"units": [change.unit for change in there]})
        for one in () if args.json else there:
            print(f"{one.path}: would be stopped and removed")
        return 0
    _agree([change for change in there if change.what == "edited"], args)
    if there:
        names = [change.unit for change in there]
        _take_away([change.path for change in there], names, manager)
        manager.forget_failures(names)
        manager.tell("daemon-reload")
    if args.json:
        as_json({"removed": [change.unit for change in there], "lingers": manager.lingers()})
        return 0
    print("\n".join(f"{one.path}: removed" for one in there) or "Nothing was installed.")
    print(f"What the companion knows stays where it is: {kind.homes or kind.held.data}")
    if manager.lingers():
        note(LINGERS)
    return 0


def _restart(args: argparse.Namespace, kind: service_kinds.Kind, manager: ServiceManager) -> int:
    there = [unit for unit in kind.running if (paths.user_units() / unit).is_file()]
    if not there:
        raise NotConfigured(NOT_INSTALLED)
    states = manager.states(there)
    running = {name for name, state in states.items() if state.get("ActiveState") in ("active", "activating")}
    units = [unit for unit in there if unit in running or kind.can_run(unit)]
    if not units:
        raise NotConfigured(NO_TOKEN.format(path=kind.held.data / ".env"))
    if not args.dry_run:
        _compile()
        manager.tell("restart", *units)
    return answer(
        args.json,
        {"units": units, "restarted": not args.dry_run},
        f"{'Would restart' if args.dry_run else 'Restarted'}: {', '.join(units)}.",
    )


def _status(args: argparse.Namespace, kind: service_kinds.Kind, manager: ServiceManager) -> int:
    if not any((paths.user_units() / unit).is_file() for unit in kind.every):
        raise NotConfigured(NOT_INSTALLED)
    pages = (DASHBOARD,) if (paths.user_units() / DASHBOARD).is_file() else ()
    of_one = UNITS_OF_SINGLE if _is_single() else (*UNITS, *pages)
    units = of_one if kind.every == EVERY else tuple(unit for unit in kind.every if unit != HOST_SLICE)
    states = manager.states(units)
    rows = [_row(unit, states.get(unit, {})) for unit in units]
    healthy = all(row["well"] for row in rows)
    if args.json:
        as_json({"ok": healthy, "lingers": manager.lingers(), "units": rows})
        return 0 if healthy else 4
    table(
        ["unit", "state", "since", "restarts", "memory"],
        [[row["unit"], row["state"], row["since"], row["restarts"], _mb(row["memory_bytes"])] for row in rows],
        right=(3, 4),
    )
    if not manager.lingers():
        note(NO_LINGER.format(command=linger_command()))
    return 0 if healthy else 4


def _row(unit: str, found: dict[str, str]) -> dict[str, Any]:
    """Return a unit's state. A doctor between visits and a disabled unit count as well."""
    active, result = found.get("ActiveState", "unknown"), found.get("Result", "")
    if unit == unit_files.DOCTOR:
        well = active in ("active", "activating", "inactive") and result in ("", "success")
    else:
        well = active == "active" or (found.get("UnitFileState") == "disabled" and active == "inactive")
    sub = found.get("SubState", "")
    return {
        "unit": unit,
        "well": well and found.get("LoadState", "loaded") == "loaded",
        "state": f"{active} ({sub})" if sub and sub != active else active,
        "result": result,
        "since": found.get("ActiveEnterTimestamp", ""),
        "restarts": numbers.row(found.get("NRestarts")) or 0,
        "pid": numbers.row(found.get("MainPID")) or None,
        "memory_bytes": numbers.row(found.get("MemoryCurrent")),
    }


def _mb(size: int | None) -> str:
    return "" if size is None or size >= 1 << 60 else f"{size / 1e6:.0f} MB"
