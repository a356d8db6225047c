"""A real Debian 12 with a systemd of its own, on which the companion is installed, and then treated badly.

    sudo python -m bench.debian_machine --tree /var/tmp/debian             every row; makes the tree when there is none
    sudo python -m bench.debian_machine --tree … --rows restarts,reboot    some of them (it is installed anyway)
    sudo python -m bench.debian_machine --tree … --rows suite              scripts/test.sh, beside a real companion
    sudo python -m bench.debian_machine --tree … --from COMMIT             what is there before the row `upgrade`

Needs root, `debootstrap` and `systemd-container`, a network once (the tree, and what the lock names), 4 GB of disk. The
account's data directory is an ext4 of its own in a file of 600 MB, so that a disk can be full. Telegram and the model
are the tests' emulators in this process: the container shares the machine's loopback. `--venv FOLDER` lends the
environment of another installation, made by Debian 12's Python for /home/anna/furoshiki; the row `install` says so.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import re
import shlex
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tests.emulators.llm import LLMEmulator  # isort: skip
from tests.emulators.telegram import TelegramEmulator

ROOT = Path(__file__).resolve().parent.parent
MIRROR = "http://deb.debian.org/debian"
PACKAGES = (
    "systemd,systemd-sysv,dbus,dbus-user-session,libpam-systemd,python3,python3-venv,ca-certificates,procps,bubblewrap"
)
USER, OTHER, UID = "anna", "ben", 1500
DISK_MB = 600
WATCHDOG_S = 90
BOOT_S, ANSWER_S, INSTALL_S, SUITE_S = 120.0, 60.0, 3_600.0, 14_400.0
RESTARTS = 8


class Failed(Exception):
    """What a row wanted to see was not there."""


class Machine:
    """The Debian tree, booted by systemd-nspawn in its own mount namespace."""

    def __init__(self, tree: Path, venv: Path | None) -> None:
        self.tree, self.venv = tree, venv
        self._nspawn: subprocess.Popen[bytes] | None = None

    def prepare(self) -> None:
        """Create what is missing: the tree, two accounts with lingering services, the disk."""
        if not (self.tree / "usr").is_dir():
            options = ["--variant=minbase", f"--include={PACKAGES}"]
            subprocess.run(["debootstrap", *options, "bookworm", str(self.tree), MIRROR], check=True)
        for number, name in enumerate((USER, OTHER)):
            if not (self.tree / "home" / name).is_dir():
                add = ["useradd", "--create-home", "--uid", str(UID + number), "--shell", "/bin/bash", name]
                subprocess.run(["chroot", str(self.tree), *add], check=True)
            lingers = self.tree / "var/lib/systemd/linger" / name
            lingers.parent.mkdir(parents=True, exist_ok=True)
            lingers.touch()
        self._disk().unlink(missing_ok=True)
        with self._disk().open("wb") as image:
            image.truncate(DISK_MB << 20)
        subprocess.run(["mkfs.ext4", "-q", "-E", f"root_owner={UID}:{UID}", str(self._disk())], check=True)
        for name in (".config", ".furoshiki-homes"):
            self.type(
                f"rm -rf /home/{USER}/{name} /home/{OTHER}/{name} /home/{OTHER}/.furoshiki", root=True, chroot=True
            )

    def checkout(self, commit: str = "HEAD") -> None:
        """Check out a commit for the account, keeping its environment."""
        home = self.tree / "home" / USER / "furoshiki"
        home.mkdir(exist_ok=True)
        for path in home.iterdir():
            if path.name != ".venv":
                subprocess.run(["rm", "-rf", str(path)], check=True)
        made = subprocess.run(["git", "-C", str(ROOT), "archive", commit], check=True, capture_output=True)
        subprocess.run(["tar", "-x", "-C", str(home)], input=made.stdout, check=True)
        subprocess.run(["chown", "-R", f"{UID}:{UID}", str(home)], check=True)

    def boot(self) -> None:
        """Boot systemd, and wait for the account's instance."""
        home = f"{self.tree}/home/{USER}"
        lent = "" if self.venv is None else f"--bind={shlex.quote(str(self.venv))}:/home/{USER}/furoshiki/.venv"
        lines = (
            "mount -t tmpfs tmpfs /run",
            f"mkdir -p {home}/.furoshiki",
            f"mount -o loop {shlex.quote(str(self._disk()))} {home}/.furoshiki",
            f"exec systemd-nspawn --quiet --register=no --keep-unit --boot -D {shlex.quote(str(self.tree))} {lent}",
        )
        log = open(f"{self.tree}.log", "ab")  # noqa: SIM115 - nspawn's own for as long as it lives
        shell = ["unshare", "--mount", "sh", "-ec", "\n".join(lines)]
        self._nspawn = subprocess.Popen(shell, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        self.until(lambda: self.type("systemctl --user is-system-running").strip() in ("running", "degraded"), BOOT_S)

    def shut_down(self) -> None:
        """Power off: every service is stopped in order."""
        if self._nspawn is not None:
            with contextlib.suppress(OSError, Failed):
                os.kill(self._leader(), 38)  # SIGRTMIN+4: power off
            try:
                self._nspawn.wait(BOOT_S)
            except subprocess.TimeoutExpired:
                self._nspawn.kill()
                self._nspawn.wait()
            self._nspawn = None

    def type(
        self, line: str, *, user: str = USER, root: bool = False, chroot: bool = False, seconds: float = 300.0
    ) -> str:
        """Return what a shell line prints, with standard error; "" if it cannot start."""
        uid = UID + (user == OTHER)
        if chroot:
            command = ["chroot", str(self.tree), "sh", "-c", line]
        else:
            enter = ["nsenter", "-t", str(self._leader()), "-m", "-u", "-i", "-n", "-p"]
            around = f"export XDG_RUNTIME_DIR=/run/user/{uid} LANG=C.UTF-8; cd ~/furoshiki 2>/dev/null; {line}"
            command = [*enter, *(["sh", "-c", line] if root else ["runuser", "-l", user, "-c", around])]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=seconds)
        return done.stdout

    def until(self, seen: Callable[[], object], seconds: float) -> float:
        """Wait for a condition; return the seconds. Raises Failed."""
        began = time.monotonic()
        while True:
            with contextlib.suppress(Failed):
                if seen():
                    return time.monotonic() - began
            if time.monotonic() - began > seconds:
                raise Failed(f"not within {seconds:g} s")
            time.sleep(0.3)

    def _leader(self) -> int:
        """Return the outer process id of the inner systemd. Raises Failed."""
        for path in Path("/proc").glob("[0-9]*/stat"):
            with contextlib.suppress(OSError, IndexError):
                name, parent = re.findall(r"\((.*)\) \S (\d+)", path.read_text())[0]
                if self._nspawn is not None and name == "systemd" and int(parent) == self._nspawn.pid:
                    return int(path.parent.name)
        raise Failed("systemd does not run in there")

    def _disk(self) -> Path:
        return Path(f"{self.tree}.disk")


class Companion:
    """The running companion, and the person who writes to it."""

    def __init__(self, machine: Machine, telegram: TelegramEmulator, llm: LLMEmulator) -> None:
        self.machine, self.telegram, self.llm = machine, telegram, llm
        self._said = 0

    def run(self, words: str, *, user: str = USER, seconds: float = INSTALL_S) -> str:
        """Run `scripts/run.sh WORDS`."""
        return self.machine.type(f"/home/{USER}/furoshiki/scripts/run.sh {words}", user=user, seconds=seconds)

    def settings(self, home: str = ".furoshiki") -> None:
        text = (
            f"TELEGRAM_BOT_TOKEN={self.telegram.token}\nTELEGRAM_API_URL={self.telegram.url}\n"
            f"OPENAI_API_KEY=sk-emulated\nOPENAI_BASE_URL={self.llm.openai_url}\nFUROSHIKI_MODEL_CHAT=openai:test-model\n"
        )
        self.machine.type(f"mkdir -p ~/{home} && umask 077 && printf %s {shlex.quote(text)} > ~/{home}/.env")

    def say(self) -> int:
        """Write the next line; return its number."""
        self._said += 1
        self.telegram.say(f"line {self._said}")
        return self._said

    def answered(self, number: int) -> bool:
        return f"re: line {number}" in self.telegram.replies()

    def talks(self) -> float:
        """Return the seconds until a line is answered. Raises Failed, also for a double answer."""
        number = self.say()
        took = self.machine.until(lambda: self.answered(number), ANSWER_S)
        replies = [text for text in self.telegram.replies() if text.startswith("re: line ")]
        if len(replies) != len(set(replies)):
            raise Failed("answered twice")
        return took

    def pid(self, unit: str) -> str:
        return self.machine.type(f"systemctl --user show --property=MainPID --value furoshiki-{unit}").strip()

    def well(self) -> None:
        """Raise Failed if an index was set aside, or a unit has failed."""
        aside = self.machine.type(
            "ls ~/.furoshiki/memory | grep corrupt-; systemctl --user --failed --no-legend --plain"
        )
        if aside.strip():
            raise Failed(aside.strip())


Row = Callable[[Companion], str]


def install(it: Companion) -> str:
    began = time.monotonic()
    said = it.run("service install")
    if "Running:" not in said:
        raise Failed(said[-300:])
    lent = ", its environment lent" if it.machine.venv is not None else ""
    return f"{time.monotonic() - began:.0f} s{lent}"


def pair(it: Companion) -> str:
    [code] = re.findall(r'"code": "(\d{6})"', it.run("pair --json"))
    it.telegram.say(f"/start {code}")
    it.machine.until(lambda: it.telegram.replies(), ANSWER_S)
    return f"the first line is answered in {it.talks():.1f} s"


def kill(it: Companion) -> str:
    for what in ("listener", "brain", "memoryd"):
        pid = it.machine.type("cat ~/.furoshiki/run/memoryd.alive").strip() if what == "memoryd" else it.pid(what)
        it.machine.type(f"kill -9 {int(pid)}")
        it.talks()
    it.machine.until(lambda: it.pid("brain") not in ("", "0"), ANSWER_S)
    it.well()
    return "listener, brain, memoryd: each back, nothing answered twice"


def freeze(it: Companion) -> str:
    before = it.pid("listener")
    it.machine.type(f"kill -STOP {int(before)}")
    number = it.say()
    took = it.machine.until(lambda: it.answered(number), WATCHDOG_S + ANSWER_S)
    it.talks()
    it.well()
    return f"answered after {took:.0f} s"


def restarts(it: Companion) -> str:
    for _ in range(RESTARTS):
        it.run("service restart")
        it.talks()
    it.well()
    words = it.machine.type("tail -n 400 ~/.furoshiki/logs/memoryd.log")
    return (
        f"{RESTARTS} times, {words.count('ended without being stopped')} of them memoryd was killed, no index set aside"
    )


def reboot(it: Companion) -> str:
    it.machine.shut_down()
    number = it.say()
    it.machine.boot()
    took = it.machine.until(lambda: it.answered(number), ANSWER_S)
    it.well()
    return f"answered {took:.0f} s after the account was there"


def full_disk(it: Companion) -> str:
    it.machine.type("cat /dev/zero > ~/.furoshiki/fill 2>/dev/null")
    number = it.say()
    time.sleep(5.0)
    it.machine.type("rm ~/.furoshiki/fill")
    it.machine.until(lambda: it.answered(number), 3 * ANSWER_S)
    it.talks()
    it.well()
    return "what was written meanwhile is answered once there is room"


def upgrade(it: Companion) -> str:
    it.machine.checkout()
    said = it.run("service restart")
    if "Restarted:" not in said:
        raise Failed(said[-300:])
    return f"answered in {it.talks():.1f} s"


def journal(it: Companion) -> str:
    names = set(re.findall(r"\S+ \S+ (\S+?)\[\d+\]:", it.run("service logs -n 200")))
    if any(name == "env" for name in names) or not any(name.startswith("furoshiki-") for name in names):
        raise Failed(f"lines are labelled {sorted(names)}")
    return ", ".join(sorted(name for name in names if name.startswith("furoshiki-")))


def sandbox(it: Companion) -> str:
    """Test the sandbox inside a unit's restrictions, and in the plain account."""
    home = f"/home/{USER}/furoshiki"
    run = f"env -C {home} .venv/bin/python -m bench.hostile_plugins"
    confined = "-p NoNewPrivileges=yes -p SystemCallArchitectures=native -p SystemCallErrorNumber=EPERM"
    found = [it.machine.type(run), it.machine.type(f"systemd-run --user --wait --pipe -q {confined} {run}")]
    return " | ".join(said.strip().splitlines()[-1][:60] for said in found)


def move(it: Companion) -> str:
    place = "/var/tmp/furoshiki-move"
    it.machine.type(f"rm -rf {place}; install -d -m 777 {place}", root=True)
    it.run(f"backup key --yes --json > {place}/key.json")
    it.machine.type(f"grep -o 'AGE-SECRET-KEY-[0-9A-Z]*' {place}/key.json > {place}/key; chmod 644 {place}/key")
    it.run("service uninstall")
    it.well()
    made = it.run(f"backup --encrypt --with-secrets --to {place} --json")
    it.machine.type(f"chmod 755 /home/{USER}; chmod -R a+rX /home/{USER}/furoshiki {place}", root=True)
    [name] = re.findall(r'"copy": "([^"]+)"', made) or [""]
    said = it.run(f"restore {name} --identity {place}/key --with-secrets --yes", user=OTHER)
    said += it.run("service install", user=OTHER)
    if "Running:" not in said:
        raise Failed(f"{made[-200:]} {said[-300:]}")
    took = it.talks()
    it.run("service uninstall", user=OTHER)
    return f"{OTHER} has it; answered in {took:.1f} s"


def host(it: Companion) -> str:
    it.run("service uninstall")
    for name in ("ada", "bea", "cleo"):
        it.run(f"host add {name}")
    it.settings(".furoshiki-homes/.host")
    said = it.run("service install --host")
    if "Running:" not in said:
        raise Failed(said[-300:])
    people = dict(zip((201, 202, 203), ("ada", "bea", "cleo"), strict=True))
    for person, name in people.items():
        [code] = re.findall(r"start=([\w-]+)", it.run(f"host invite {name}"))[:1] or [""]
        it.telegram.say(f"/start {code}", user={"id": person, "is_bot": False, "first_name": name}, chat_id=person)
    for round_ in range(8):
        wanted = f"re: round {round_}"
        for person, name in people.items():
            user = {"id": person, "is_bot": False, "first_name": name}
            it.telegram.say(f"round {round_}", user=user, chat_id=person)
        if round_ % 2:
            it.machine.type(f"kill -9 {int(it.pid('host-listener') or 0)}")
        it.machine.until(lambda: all(wanted in it.telegram.replies(person) for person in people), ANSWER_S)  # noqa: B023
    heard = [text for person in people for text in it.telegram.replies(person) if text.startswith("re: round")]
    if len(heard) != 24:
        raise Failed(f"{len(heard)} answers to 24 lines")
    return "24 of 24 answered, each once, over four kills"


def suite(it: Companion) -> str:
    said = it.machine.type("scripts/test.sh 2>&1 | tail -n 60", seconds=SUITE_S)
    ends = re.findall(r"\d+ (?:passed|failed)[^\n]*", said)
    if "failed" in said:
        raise Failed("; ".join(ends) or said[-300:])
    return "; ".join(ends)


ROWS: dict[str, Row] = {
    "install": install,
    "pair": pair,
    "upgrade": upgrade,
    "kill": kill,
    "freeze": freeze,
    "restarts": restarts,
    "reboot": reboot,
    "full disk": full_disk,
    "journal": journal,
    "sandbox": sandbox,
    "move": move,
    "host": host,
    "suite": suite,
}
FIRST = ("install", "pair")


def main() -> int:
    """Return 1 when a row failed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tree", type=Path, required=True, help="where the Debian lies, or shall lie")
    parser.add_argument("--rows", default=",".join(ROWS), help="which, by their names, between commas")
    parser.add_argument("--from", dest="commit", default="HEAD", help="the commit that is there before the upgrade")
    parser.add_argument("--venv", type=Path, help="an environment to lend it")
    args = parser.parse_args()
    chosen = [name for name in ROWS if name in args.rows.split(",") or name in FIRST]
    failed = 0
    with TelegramEmulator() as telegram, LLMEmulator() as llm, booted(args) as machine:
        it = Companion(machine, telegram, llm)
        it.settings()
        for name in chosen:
            try:
                found = ROWS[name](it)
            except (Failed, ValueError, subprocess.TimeoutExpired) as error:
                failed += 1
                found = f"FAILED: {error}"
            print(f"{name:12}{found}", flush=True)
    return int(failed > 0)


@contextlib.contextmanager
def booted(args: argparse.Namespace) -> Iterator[Machine]:
    machine = Machine(args.tree.absolute(), None if args.venv is None else args.venv.absolute())
    machine.prepare()
    machine.checkout(args.commit)
    machine.boot()
    try:
        yield machine
    finally:
        machine.shut_down()


if __name__ == "__main__":
    sys.exit(main())
