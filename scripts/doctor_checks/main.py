"""One run of the doctor: every check in turn; then findings are recorded, told and printed."""

import argparse
import contextlib
import fcntl
import json
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import FrameType
from typing import Any

from doctor_checks import (
    backups,
    chroma,
    clock,
    configuration,
    dashboard,
    database,
    disk,
    files,
    index,
    logs,
    machine,
    notebook,
    place,
    rows,
    services,
    soul,
    state_files,
    usage,
)
from doctor_checks.errors import since, troubles
from doctor_checks.findings import Finding, as_data, back_again, exit_code, note, wrong
from doctor_checks.keys import certificates, secrets
from doctor_checks.look import FOR_CHECKS, SECONDS, Look
from doctor_checks.telling import alerts, quiet, report, telegram

Check = Callable[[Look], Iterable[Finding]]

# in this order: disk space before checks that write, the database before those that query it
CHECKS: dict[str, Check] = {
    "clock": clock.check,
    "disk": disk.check,
    "database": database.check,
    "services": services.check,
    "dashboard": dashboard.check,
    "soul": soul.check,
    "settings": configuration.check,
    "state": state_files.check,
    "secrets": secrets.check,
    "certificates": certificates.check,
    "logs": logs.check,
    "rows": rows.check,
    "troubles": troubles.check,
    "index": index.check,
    "chroma": chroma.check,
    "backups": backups.check,
    "usage": usage.check,
    "machine": machine.check,
    "since": since.check,
}

OF_ROWS = ("rows", "troubles", "index")  # checks that are skipped when the database is unreadable

A_DAY = timedelta(days=1)
LOG_BYTES = 1_000_000
MOST_MESSAGES = 50  # the doctor's own messages whose ids it remembers
LEFT_FOR_OTHERS = 0.5  # seconds that must be left to begin another check


class OutOfTime(BaseException):
    """The checks have used up their time."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Check, repair, alert, report. 0 healthy, 1 repaired, 2 a person is needed."""
    args = _arguments(arguments)
    begun = time.monotonic()
    _ends_in_time(begun)
    here = place.found(os.environ, args.data)
    with only_one(here.data) as alone:
        if not alone:
            return busy(here, args.json)
        look = begun_look(here, args.dry_run, args.offline)
        look.begun = begun
        found = looked(look)
        if not look.dry:
            told = tell(look, found)
            look.notebook.page["report"] = {
                "at": files.stamp(look.now),
                "found": as_data(found),
                "exit": exit_code(found),
            }
            write_log(look, found, told)
            if here.lived_in:
                look.notebook.save(look.now)
        else:
            told = None
    show(found, args.json, told, look.dry)
    return exit_code(found)


def looked(look: Look, checks: dict[str, Check] | None = None) -> list[Finding]:
    """Return all findings. A failing check becomes a finding, and the others go on."""
    found: list[Finding] = []
    for name, check in (checks or CHECKS).items():
        if name in OF_ROWS and any(one.key == database.KEY and one.state == "wrong" for one in found):
            continue
        if look.left() < LEFT_FOR_OTHERS:
            found.append(note(f"doctor.{name}", f"{name}: not looked at, there was no time left"))
            continue
        try:
            with _within(look.left()):
                found += check(look)
        except OutOfTime:
            found.append(note(f"doctor.{name}", f"{name}: it took too long and was broken off"))
        except database.Unreadable as error:
            found.append(note(f"doctor.{name}", f"{name}: not looked at, the database does not answer ({error})"))
        except database.Damaged as error:
            if all(one.key != database.KEY or one.state != "wrong" for one in found):
                found.append(database.damaged(look, look.place.database, str(error)))
        except Exception as error:  # the edge of a check: its fault must not hide the others' findings
            words = f"the check of {name} broke ({type(error).__name__}: {error})"
            found.append(wrong(f"doctor.{name}", words, "this is a fault of the doctor: please report it"))
    return [_counted(look, one) for one in found]


def _counted(look: Look, one: Finding) -> Finding:
    """Mark a repair that recurs within a day."""
    if one.state != "mended" or not one.comes_back or look.dry:
        return one
    often = look.notebook.note_time("mends", one.key, look.now, A_DAY)
    return back_again(one) if often > 1 else one


def tell(look: Look, found: Sequence[Finding]) -> str | None:
    """Tell the owner what is new; return why that failed, or None.

    Messages are recorded before they are sent, so that a doctor that dies while sending does not
    repeat them forever. During quiet hours nothing is told; lasting conditions follow at their end.
    """
    if (until := quiet.until(look)) is not None:
        return f"not told to anybody: the owner asked for quiet until {files.stamp(until)}"
    kept, message = alerts.judged(found, look.notebook.part("alerts"), look.now)
    if message is None:
        look.notebook.page["alerts"] = kept
        return None
    if look.offline:
        return "not told to anybody: --offline"
    way = telegram.way(look)
    if isinstance(way, str):
        return f"not told to anybody: {way}"
    look.notebook.page["alerts"] = kept
    if not look.notebook.save(look.now) and not alerts.in_slot(look.now):
        return "not told to anybody: nothing can be written here, so it is told once a day only, at nine (UTC)"
    result, why, number = telegram.send(way, f"Furoshiki's doctor ({_host()}):\n{message.text}")
    if result == "sent":
        alerts.sent(kept, message, look.now)
        messages = look.notebook.part("messages")  # the program must know that they are not its own
        messages[way.chat] = [*messages.get(way.chat, []), number][-MOST_MESSAGES:]
    elif result == "not sent":
        alerts.not_sent(kept, message)
    return None if result == "sent" else f"could not be told: {why}"


def begun_look(here: place.Place, dry: bool, offline: bool) -> Look:
    now = datetime.now(UTC)  # the only reading of the clock
    awake, running = (time.clock_gettime(one) for one in (time.CLOCK_BOOTTIME, time.CLOCK_MONOTONIC))
    with contextlib.suppress(OSError):
        if not dry and here.lived_in:
            here.run.mkdir(exist_ok=True, mode=0o700)
    boot = files.text_of(Path("/proc/sys/kernel/random/boot_id")) or ""
    return Look(here, notebook.Notebook(here.data), now, awake, running, boot.strip(), dry, offline)


@contextlib.contextmanager
def only_one(data: Path) -> Iterator[bool]:
    """Yield whether no other doctor checks this data directory now."""
    handle = -1
    for folder in (data / "run", Path(f"/run/user/{os.geteuid()}"), Path(notebook.TEMPORARY)):
        name = "doctor.lock" if folder == data / "run" else f"{notebook.fallbacks(data)[0].stem}.lock"
        with contextlib.suppress(OSError):
            handle = os.open(folder / name, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
            break
    if handle < 0:  # no place for a lock: two runs at once are better than none
        yield True
        return
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield True
    except BlockingIOError:
        yield False
    finally:
        os.close(handle)


def busy(here: place.Place, as_json: bool) -> int:
    """Print the last report while another doctor is running."""
    last = notebook.Notebook(here.data).part("report")
    code = last.get("exit")
    if as_json:
        print(json.dumps({"busy": True, **last}, ensure_ascii=False))
    else:
        print(_as_typed("Another doctor is looking at this moment; `furoshiki doctor` again in ten seconds."))
    return code if code in (0, 1, 2) else 0


def _ends_in_time(begun: float) -> None:
    """End this process in time even if a check hangs."""

    def end() -> None:
        os.write(2, b"doctor: something hangs so that not even the doctor gets past it (a disk?)\n")
        os._exit(2)

    timer = threading.Timer(begun + SECONDS - 0.3 - time.monotonic(), end)
    timer.daemon = True
    timer.start()


@contextlib.contextmanager
def _within(seconds: float) -> Iterator[None]:
    """Interrupt the context with OutOfTime after these seconds."""

    def ring(_number: int, _frame: FrameType | None) -> None:
        raise OutOfTime

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, min(seconds, FOR_CHECKS))
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def write_log(look: Look, found: Sequence[Finding], told: str | None) -> None:
    """Write troubles, also past ones, to logs/doctor.log; notes on the machine only once."""
    said = look.notebook.part("said")
    new = [one for one in found if one.state == "note" and one.key.startswith("machine.") and one.key not in said]
    said.update({one.key: one.words for one in new})
    events = [one for one in found if one.state == "note" and (one.alert == "event" or one.key.startswith("since."))]
    notable = [*(one for one in found if one.state in ("mended", "wrong")), *events, *new]
    path = look.place.logs / "doctor.log"
    rows = [
        _record(look, "warning" if one.state == "wrong" else "info", f"{one.state}: {one.words}") for one in notable
    ]
    rows += [_record(look, "warning", told)] if told is not None else []
    with contextlib.suppress(OSError):
        if rows and path.parent.is_dir():
            if path.exists() and path.stat().st_size > LOG_BYTES:
                path.write_bytes(path.read_bytes()[-LOG_BYTES // 2 :].partition(b"\n")[2])
            handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)
            with os.fdopen(handle, "w", encoding="utf-8", errors="replace") as file:
                file.write("".join(f"{row}\n" for row in rows))


def _record(look: Look, level: str, message: str) -> str:
    found = {"at": files.stamp(look.now), "level": level, "logger": "furoshiki.doctor", "message": message}
    return json.dumps(found, ensure_ascii=False)


def show(found: Sequence[Finding], as_json: bool, told: str | None, dry: bool) -> None:
    data: dict[str, Any] = {"exit": exit_code(found), "found": as_data(found), "told": told, "dry_run": dry}
    if as_json:
        text = json.dumps(data, ensure_ascii=False)
    else:
        text = _as_typed("\n".join([*report.lines(found, dry), *_notice(told)]))
    with contextlib.suppress(BrokenPipeError):
        print(text.encode(sys.stdout.encoding or "utf-8", "replace").decode(sys.stdout.encoding or "utf-8"), flush=True)


def _as_typed(text: str) -> str:
    """Name the command as it was typed, in a terminal."""
    if "FUROSHIKI_COMMAND" not in os.environ or not sys.stdout.isatty():
        return text
    return text.replace("`furoshiki ", f"`{os.environ['FUROSHIKI_COMMAND']} ")


def _notice(told: str | None) -> list[str]:
    return [] if told is None else [f"({told})"]


def _host() -> str:
    return os.uname().nodename[:60]


def _arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="doctor", description="Look after a companion: mend what can be mended, say what needs you."
    )
    parser.add_argument("--data", type=Path, metavar="DIR", help="the data directory (FUROSHIKI_DATA, ~/.furoshiki)")
    parser.add_argument("--json", action="store_true", help="print one line of JSON")
    parser.add_argument("--dry-run", action="store_true", help="change nothing and tell nobody")
    parser.add_argument("--offline", action="store_true", help="mend, but tell nobody")
    return parser.parse_args(arguments)
