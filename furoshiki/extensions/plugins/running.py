"""One run of a plugin's entry point: verified, sandboxed, supervised and recorded.

Blocking parts run in a thread, so that the event loop is free. Nothing a plugin does raises here. A
cancelled run (a closed chat, a stopped service) is ended and not recorded.
"""

import asyncio
import functools
import json
import logging
import math
import os
import signal
import sqlite3
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

from furoshiki.core import failure_words
from furoshiki.core.database import events
from furoshiki.core.errors import in_words
from furoshiki.core.logs import Redacting
from furoshiki.core.paths import ROOT
from furoshiki.core.settings import Settings
from furoshiki.extensions.plugins import own_settings, pins
from furoshiki.extensions.plugins.broker import thoughts
from furoshiki.extensions.plugins.broker.caller import Caller
from furoshiki.extensions.plugins.broker.serving import Serving
from furoshiki.extensions.plugins.rules import output
from furoshiki.extensions.plugins.sandbox import boot, disk, probing
from furoshiki.extensions.plugins.sandbox.boot import EXIT, NOT_STARTED
from furoshiki.extensions.plugins.sandbox.command import CannotHold, command
from furoshiki.extensions.plugins.sandbox.supervising import supervise
from furoshiki.extensions.plugins.sandbox.values import Ended, Layout, Limits
from furoshiki.extensions.plugins.store import plugins, runs
from furoshiki.extensions.plugins.values import EntryPoint, Installed, Output, Permissions, Run, State, Status
from furoshiki.world import World

log = logging.getLogger(__name__)

FAILURES = 3  # failures in a row at one hook that disable a plugin

MOST_CPU_SECONDS = 20
LONGEST_ERROR = 500  # maximum characters of an error

# messages when a plugin is disabled; without the plugin's words, as a model may read them
_TOLD: Mapping[State, str] = {
    "failing": "the plugin {0} failed three times in a row and is off: `furoshiki plugins logs {0}`",
    "changed": "the files of the plugin {0} are not those you allowed, so it is off: `furoshiki plugins info {0}`",
}

# a separate pool for plugins, so that hanging ones do not block a turn
_THREADS = ThreadPoolExecutor(8, thread_name_prefix="plugin")

SDK = Path(__file__).parent / "sdk"  # the folder of the SDK for plugin authors

# statuses that count as the plugin's own failure
_ITS_OWN: frozenset[Status] = frozenset({"failed", "timeout", "too_much", "bad_output"})


async def run(
    world: World,
    installed: Installed,
    entry: EntryPoint,
    given: Mapping[str, Any],
    tapped: Mapping[str, Any] | None = None,
) -> Run:
    """Run an entry point and record the result. Never raises for anything a plugin does.

    `given` is the script's input, `tapped` what its owner confirmed; its requests are checked
    against the approved permissions. FAILURES in a row disable a plugin; changed files disable it
    without a run. A plugin without a row (a draft) has no permissions and is not recorded.
    """
    with world.database.read() as db:
        row = plugins.read_all(db).get(installed.name)
    made = functools.partial(Run, installed.name, entry.hook)
    if row is not None and (changed := await asyncio.to_thread(pins.differ, installed.folder, row.pins)):
        found = made("changed", error=_short(", ".join(changed)))
    else:
        granted = Permissions() if row is None else row.permissions
        password = _password(world, installed, granted)
        secrets = (*_secrets(installed, given), *([password] if password else []))
        caller = Caller(installed.name, granted, given.get("settings") or {}, secrets, password, tapped)
        async with Serving(world, caller, asyncio.get_running_loop()) as broker:
            held = functools.partial(_execute, world.settings, installed, entry, given, made)
            found = await _in_thread(held, broker.fd)
        output = replace(
            found.output,
            context=caller.struck(found.output.context),
            data=caller.struck(found.output.data),
            thoughts=caller.struck(found.output.thoughts),
        )
        found = replace(found, output=output, cost_usd=broker.done.cost_usd)
        thoughts.queue(world, caller, found.output.thoughts)
    if row is not None:
        _record(world, found, given.get("target"))
    return found


async def _in_thread(held: Callable[[int, threading.Event], Run], broker: int) -> Run:
    """Run in a thread with its own duplicate of the broker's descriptor, as ours may be closed and
    reused earlier. On cancellation the run is stopped."""
    line, stop = os.dup(broker), threading.Event()
    try:
        doing = _THREADS.submit(held, line, stop)
    except BaseException:
        os.close(line)
        raise
    doing.add_done_callback(lambda _: os.close(line))
    try:
        return await asyncio.wrap_future(doing)
    except asyncio.CancelledError:
        stop.set()
        raise


def _execute(
    settings: Settings,
    installed: Installed,
    entry: EntryPoint,
    given: Mapping[str, Any],
    made: functools.partial[Run],
    broker: int | None = None,
    stop: threading.Event | None = None,
) -> Run:
    limits = _limits(settings, entry)
    here = probing.choose_backend(settings.furoshiki_plugin_sandbox)
    if here.backend is None:
        return made("no_sandbox", error=_short(here.words))
    layout = _layout(installed, entry)
    if not layout.script.is_file():
        return made("failed", error=f"{entry.script} is not there: write it, or take its entry point out of PLUGIN.md")
    try:
        _own_folder(layout.data)
    except OSError as error:
        return made("failed", error=in_words(error))
    if (full := disk.over(layout.data, limits)) is not None:
        return made("too_much", error=f"{full}: delete some of it, or allow more with FUROSHIKI_PLUGIN_DATA_MB")
    if stop is not None and stop.is_set():
        return made("timeout", error=STOPPED)
    try:
        kept = () if broker is None else (broker,)
        line = command(here.backend, layout, limits, kept, hidden=(settings.data, ROOT))
        told = json.dumps({**given, "broker": broker}).encode()
        ended = supervise(here.backend, line, told, limits, layout.data, kept, stop)
    except (CannotHold, OSError) as error:
        return made("no_sandbox", error=_short(f"{here.backend}: {error}"))
    status, why, output = judge(ended, limits, disk.over(layout.data, limits))
    if status == "no_sandbox":  # the script may print it too, to escape the failure count
        fault = probing.fault_now(settings.furoshiki_plugin_sandbox, here.backend)
        status, why = ("failed", f"it ended with {ended.code}: {why}") if fault is None else ("no_sandbox", fault)
    hide = Redacting((*settings.secrets(), *_secrets(installed, given)))
    output = replace(output, log=hide.clean(output.log))
    return made(status, output, _short(hide.clean(why)), ms=ended.ms, cpu_ms=ended.cpu_ms)


def _own_folder(data: Path) -> None:
    """Ensure that the data folder exists. Raises OSError."""
    data.mkdir(mode=0o700, exist_ok=True)
    os.close(os.open(data, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC))


def _limits(settings: Settings, entry: EntryPoint) -> Limits:
    return Limits(
        timeout_s=entry.timeout_s,
        cpu_s=max(1, min(MOST_CPU_SECONDS, math.ceil(entry.timeout_s))),
        memory_mb=settings.furoshiki_plugin_memory_mb,
        data_mb=settings.furoshiki_plugin_data_mb,
    )


def _layout(installed: Installed, entry: EntryPoint) -> Layout:
    folder = installed.folder
    code = (folder / "PLUGIN.md", folder / "scripts", folder / "packages", SDK)
    return Layout(folder / entry.script, folder / pins.OWN, code, imports=(code[2], code[1], SDK))


def _secrets(installed: Installed, given: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the values of the plugin's secret settings."""
    theirs = given.get("settings") or {}
    settings = installed.manifest.settings if installed.manifest else ()
    return tuple(str(theirs[setting.name]) for setting in settings if setting.secret and theirs.get(setting.name))


def _password(world: World, installed: Installed, granted: Permissions) -> str:
    """Return the mailbox password, for the broker only."""
    if installed.manifest is None or not (granted.read_mail or granted.send_mail):
        return ""
    return own_settings.values(world.home, installed.manifest).get(own_settings.PASSWORD, "")


def _record(world: World, found: Run, target: str | None) -> None:
    """Record a run; three failures in a row, or changed files, disable the plugin."""
    with world.database.write() as db:
        runs.record(db, found, target, world.now)
        if found.status == "changed":
            _switch_off(world, db, found.plugin, "changed", found.error)
        elif found.ok:
            runs.forget_failures(db, found.plugin)
        elif found.status in _ITS_OWN and runs.count_failures(db, found.plugin, found.hook) >= FAILURES:
            reason = f"{FAILURES} failures in a row: {found.error}"
            _switch_off(world, db, found.plugin, "failing", reason)
            log.warning("plugin %s failed %d times in a row and is off: %s", found.plugin, FAILURES, found.error)
    if found.ok:
        log.info("plugin %s, %s: %.0f ms, %.0f ms of processor", found.plugin, found.hook, found.ms, found.cpu_ms)
    else:
        log.warning("plugin %s, %s: %s: %s", found.plugin, found.hook, found.status, found.error)


def _switch_off(world: World, db: sqlite3.Connection, plugin: str, state: State, reason: str) -> None:
    """Disable a plugin and alert its owner."""
    if runs.switch_off(db, plugin, state, reason, world.now):
        told = {"kind": f"plugin.{state}", "words": _TOLD[state].format(plugin)}
        events.announce(db, failure_words.ALERT, told, world.now)


def _short(words: str) -> str:
    return words if len(words) <= LONGEST_ERROR else words[: LONGEST_ERROR - 1] + "…"


# maximum characters of a failed script's last error output, kept for repairs
LONGEST_TRACEBACK = 4_000

STOPPED = "nobody waited for it any more"

_BUBBLEWRAP = "bwrap: "  # prefix of bubblewrap's own errors; its exit code is then 1


def judge(ended: Ended, limits: Limits, full: str | None) -> tuple[Status, str, Output]:
    """Return status, reason and output. `no_sandbox` is a guess: a plugin can print the same."""
    nothing = Output()
    errors = ended.stderr.decode("utf-8", "replace").strip().splitlines()
    last = errors[-1] if errors else ""
    match ended.excess:
        case "time":
            return "timeout", f"it took longer than {limits.timeout_s:g} s", nothing
        case "stopped":
            return "timeout", STOPPED, nothing
        case "output":
            return "too_much", f"it printed more than {limits.output_kb} KB", nothing
        case "threads":
            return "too_much", f"it had more than {limits.threads} threads", nothing
    if ended.excess == "disk" or full is not None:
        return "too_much", f"{full or 'its data/ took too much'}: delete some of it in the script", nothing
    if (ended.code == EXIT and last.startswith(NOT_STARTED)) or (ended.code == 1 and last.startswith(_BUBBLEWRAP)):
        return "no_sandbox", last, nothing
    if ended.code == -signal.SIGKILL:
        return "too_much", f"the system ended it: {limits.cpu_s} s of processor were used, or memory ran short", nothing
    if ended.code and last.startswith("MemoryError"):
        return "too_much", f"it wanted more than {limits.memory_mb} MB of memory", nothing
    if ended.code and "[Errno 27]" in last:
        return "too_much", f"it wrote a file larger than {limits.data_mb} MB", nothing
    if ended.code:
        how = f"with signal {-ended.code}" if ended.code < 0 else f"with {ended.code}"
        trace = "\n".join(_of_its_own(errors))[-LONGEST_TRACEBACK:]
        return "failed", f"it ended {how}{f': {last}' if last else ''}", Output(log=trace)
    said = output.read(ended.stdout)
    return ("bad_output", said, nothing) if isinstance(said, str) else ("ok", "", said)


def _of_its_own(errors: Sequence[str]) -> Iterator[str]:
    """Yield a traceback without the frames of the boot script, which are in every traceback."""
    ours = False
    for line in errors:
        if line.startswith("  File ") or not line.startswith("    "):
            ours = line.startswith(f'  File "{boot.__file__}"')
        if not ours:
            yield line
