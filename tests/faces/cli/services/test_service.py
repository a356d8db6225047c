"""`furoshiki service` with a systemd that only writes down what it is told."""

from __future__ import annotations

import os
import shlex
from dataclasses import dataclass
from pathlib import Path

import pytest

from furoshiki.core import atomic_files
from furoshiki.core.process import machine
from furoshiki.maintenance.unit_files import (
    BRAIN,
    DASHBOARD,
    DOCTOR,
    HOST_BRAIN,
    HOST_LISTENER,
    HOST_SLICE,
    LISTENER,
    SINGLE,
    TIMER,
    UNITS,
    UNITS_OF_HOST,
    UNITS_OF_SINGLE,
)
from tests.support.shell import Command

ANSWERS = {
    "systemctl --user show --property=Version --value": "252 (252.38-1~deb12u1)",
    "loginctl show-user": "Linger=no",
}


@dataclass
class Systemd:
    """The stand-in: what was called, in order, and what it answers (or, for "", refuses) to a call that begins so."""

    folder: Path
    units: Path

    @property
    def calls(self) -> list[str]:
        path = self.folder / "calls"
        return path.read_text().splitlines() if path.exists() else []

    @property
    def changes(self) -> list[str]:
        """The calls that change something."""
        asking = ("show", "systemd-run")
        return [call for call in self.calls if not any(word in call for word in asking)]

    def forget(self) -> None:
        (self.folder / "calls").unlink(missing_ok=True)

    def answers(self, begin: str = "", words: str = "") -> None:
        """To a call that begins so; a longer beginning counts before a shorter one."""
        told = {**ANSWERS, **({begin: words} if begin else {})}
        cases = "\n".join(
            f"  {shlex.quote(begin)}*) printf '%s\\n' {shlex.quote(text)}; exit {0 if text else 1};;"
            for begin, text in sorted(told.items(), key=lambda one: -len(one[0]))
        )
        log = shlex.quote(str(self.folder / "calls"))
        for tool in ("systemctl", "loginctl", "systemd-run", "journalctl"):
            path = self.folder / "bin" / tool
            path.write_text(f'#!/bin/sh\ncall="{tool} $*"\necho "$call" >> {log}\ncase "$call" in\n{cases}\nesac\n')
            path.chmod(0o755)


@pytest.fixture
def systemd(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Systemd:
    folder = tmp_path_factory.mktemp("systemd")
    (folder / "bin").mkdir()
    monkeypatch.setenv("PATH", f"{folder / 'bin'}:{os.environ['PATH']}")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(folder / "config"))
    monkeypatch.setattr("furoshiki.faces.cli.services.service._compile", lambda: None)
    made = Systemd(folder, folder / "config" / "systemd" / "user")
    made.answers()
    return made


@pytest.fixture
def connected(data: Path) -> Path:
    (data / ".env").write_text("TELEGRAM_BOT_TOKEN=123456789:AAcanaryCANARYcanaryCANARYcanaryCANA\n")
    return data


def test_installing_writes_starts_and_keeps_them_after_logging_out(
    command: Command, systemd: Systemd, connected: Path
) -> None:
    done = command("service", "install", "--json")
    assert done.status == 0, done.err
    assert done.json["units"] == dict.fromkeys(UNITS, "written")
    assert sorted(path.name for path in systemd.units.iterdir()) == sorted(UNITS)
    assert systemd.changes == [
        "systemctl --user daemon-reload",
        f"systemctl --user enable {LISTENER} {BRAIN} {TIMER}",
        f"systemctl --user restart {LISTENER} {BRAIN} {TIMER}",
        f"loginctl enable-linger {_me()}",
    ]
    assert "canary" not in "".join(path.read_text() for path in systemd.units.iterdir())


def test_installing_again_changes_nothing(command: Command, systemd: Systemd, connected: Path) -> None:
    command("service", "install")
    before = {path: path.stat().st_mtime_ns for path in systemd.units.iterdir()}
    systemd.forget()
    done = command("service", "install")
    assert done.status == 0 and done.out.count("as it was") == len(UNITS)
    assert {path: path.stat().st_mtime_ns for path in systemd.units.iterdir()} == before
    assert not [call for call in systemd.changes if "restart" in call]


def test_what_somebody_edited_stays_unless_they_say_yes(command: Command, systemd: Systemd, connected: Path) -> None:
    command("service", "install")
    edited = systemd.units / BRAIN
    edited.write_text(edited.read_text() + "Nice=3\n")
    systemd.forget()
    refused = command("service", "install")
    assert refused.status == 1 and BRAIN in refused.err and "--yes" in refused.err
    assert edited.read_text().endswith("Nice=3\n") and systemd.changes == []
    assert command("service", "uninstall").status == 1 and edited.exists()
    assert command("service", "install", "--yes").status == 0
    assert "Nice=3" not in edited.read_text()
    assert f"systemctl --user restart {BRAIN}" in systemd.changes, "only what changed is started again"


def test_a_dry_run_shows_everything_and_does_nothing(command: Command, systemd: Systemd, connected: Path) -> None:
    done = command("service", "install", "--dry-run")
    assert done.status == 0 and "+ExecStart=" in done.out
    assert not systemd.units.exists() and systemd.changes == []
    found = command("service", "install", "--dry-run", "--json").json
    assert [unit["change"] for unit in found["units"]] == ["write"] * len(UNITS)


def test_without_a_token_the_listener_waits(command: Command, systemd: Systemd, data: Path) -> None:
    done = command("service", "install")
    assert done.status == 0 and "TELEGRAM_BOT_TOKEN" in done.err
    assert f"systemctl --user enable {BRAIN} {TIMER}" in systemd.changes


@pytest.mark.parametrize("verb", ["install", "uninstall", "status", "restart", "logs"])
def test_without_systemd_it_says_what_to_do_instead(command: Command, systemd: Systemd, data: Path, verb: str) -> None:
    systemd.answers("systemctl --user show --property=Version --value")
    done = command("service", verb)
    assert done.status == 1 and "`furoshiki up`" in done.err and not systemd.units.exists()


def test_lingering_that_needs_an_administrator_is_told_with_its_command(
    command: Command, systemd: Systemd, connected: Path
) -> None:
    systemd.answers("loginctl enable-linger")
    done = command("service", "install")
    assert done.status == 0 and f"sudo loginctl enable-linger {_me()}" in done.err


def test_beside_up_it_refuses(command: Command, systemd: Systemd, connected: Path) -> None:
    with atomic_files.locked(connected / "run" / "up.lock"):
        done = command("service", "install")
    assert done.status == 1 and "stop that one first" in done.err and systemd.changes == []


def test_where_a_file_system_of_its_own_is_denied_it_does_without(
    command: Command, systemd: Systemd, connected: Path
) -> None:
    systemd.answers("systemd-run")
    done = command("service", "install")
    assert done.status == 0 and "confined less" in done.err
    assert "PrivateUsers" not in (systemd.units / LISTENER).read_text()


def test_credentials_are_handed_over_and_a_wrong_name_is_refused(
    command: Command, systemd: Systemd, connected: Path
) -> None:
    (connected / "credentials").mkdir()
    (connected / "credentials" / "openai_api_key").write_text("sk-canary")
    command("service", "install")
    assert (
        f"LoadCredential=openai_api_key:{connected}/credentials/openai_api_key" in (systemd.units / BRAIN).read_text()
    )
    (connected / "credentials" / "openai_key").write_text("x")
    wrong = command("service", "install")
    assert wrong.status == 3 and "did you mean OPENAI_API_KEY?" in wrong.err


@pytest.mark.parametrize("where", ["credentials", "drop-in"])
def test_a_token_that_systemd_alone_hands_over_starts_the_listener(
    command: Command, systemd: Systemd, data: Path, where: str
) -> None:
    path = data / "credentials" / "TELEGRAM_BOT_TOKEN"
    if where == "drop-in":
        path = systemd.units / f"{LISTENER}.d" / "override.conf"
    path.parent.mkdir(parents=True)
    path.write_text("[Service]\nLoadCredentialEncrypted=telegram_bot_token:/etc/credstore.encrypted/furo\n")
    assert "is not started" not in command("service", "install").err
    assert f"systemctl --user enable {LISTENER} {BRAIN} {TIMER}" in systemd.changes
    systemd.forget()
    assert command("service", "restart").status == 0
    assert systemd.changes == [f"systemctl --user restart {LISTENER} {BRAIN}"]


def test_what_runs_is_restarted_wherever_its_token_is_from(command: Command, systemd: Systemd, data: Path) -> None:
    command("service", "install")
    systemd.answers("systemctl --user show --property=Id", states())
    systemd.forget()
    command("service", "restart")
    assert systemd.changes == [f"systemctl --user restart {LISTENER} {BRAIN}"]


def test_nothing_that_was_uninstalled_is_listed_as_failed(command: Command, systemd: Systemd, connected: Path) -> None:
    command("service", "install")
    command("service", "uninstall")
    assert f"systemctl --user reset-failed {DOCTOR}" in systemd.changes


def test_a_refusal_is_told_in_its_own_words(command: Command, systemd: Systemd, connected: Path) -> None:
    systemd.answers("systemctl --user enable")
    done = command("service", "install")
    assert done.status == 1 and "`systemctl --user enable" in done.err


def test_uninstalling_stops_them_and_keeps_the_data(command: Command, systemd: Systemd, connected: Path) -> None:
    command("service", "install")
    systemd.forget()
    assert "would be stopped" in command("service", "uninstall", "--dry-run").out and systemd.changes == []
    assert command("service", "uninstall").status == 0
    assert list(systemd.units.iterdir()) == [] and (connected / "memory").is_dir()
    assert systemd.changes[0] == f"systemctl --user disable --now {' '.join(UNITS)}"
    assert command("service", "uninstall").out.startswith("Nothing was installed.")


def states(**changed: str) -> str:
    """What systemd says of the units; `changed` is the active state of one by its short name."""
    kinds = {LISTENER: "running", BRAIN: "running", DOCTOR: "dead", TIMER: "waiting"}
    blocks = []
    for unit, sub in kinds.items():
        active = changed.get(unit.split("-")[1].split(".")[0], "inactive" if sub == "dead" else "active")
        said = {"Id": unit, "LoadState": "loaded", "UnitFileState": "enabled", "ActiveState": active, "SubState": sub}
        said |= {"Result": "success", "NRestarts": "2", "MainPID": "7", "MemoryCurrent": "104857600"}
        blocks.append("\n".join(f"{name}={value}" for name, value in said.items()))
    return "\n\n".join(blocks)


def test_status_says_how_they_are_and_whether_that_is_well(command: Command, systemd: Systemd, connected: Path) -> None:
    assert command("service", "status").status == 3
    command("service", "install")
    systemd.answers("systemctl --user show --property=Id", states())
    well = command("service", "status", "--json")
    assert (well.status, well.json["ok"]) == (0, True)
    assert {unit["unit"]: unit["restarts"] for unit in well.json["units"]} == dict.fromkeys(UNITS, 2)
    assert well.json["units"][0]["memory_bytes"] == 104_857_600
    systemd.answers("systemctl --user show --property=Id", states(brain="failed"))
    ill = command("service", "status")
    assert ill.status == 4 and "failed" in ill.out


def test_restart_and_the_journal_are_passed_on(command: Command, systemd: Systemd, connected: Path) -> None:
    assert command("service", "restart").status == 3
    command("service", "install")
    systemd.forget()
    assert command("service", "restart", "--dry-run").out.startswith("Would restart")
    assert systemd.changes == []
    assert command("service", "restart").status == 0
    assert systemd.changes == [f"systemctl --user restart {LISTENER} {BRAIN}"]
    assert command("service", "logs", "-n", "7").status == 0
    assert systemd.calls[-1].startswith("journalctl --user --lines=7 --output=short-iso")


def test_one_service_in_place_of_two_and_back_leaves_none_of_the_others(
    command: Command, systemd: Systemd, connected: Path
) -> None:
    command("service", "install")
    systemd.forget()
    assert f"{BRAIN}: would be stopped" in command("service", "install", "--single", "--dry-run").out
    assert systemd.changes == []
    one = command("service", "install", "--single")
    assert one.status == 0 and f"{LISTENER}: removed" in one.out
    assert {path.name for path in systemd.units.iterdir()} == set(UNITS_OF_SINGLE)
    assert systemd.changes[:4] == [
        f"systemctl --user disable --now {LISTENER} {BRAIN}",
        "systemctl --user daemon-reload",
        f"systemctl --user enable {SINGLE} {TIMER}",
        f"systemctl --user restart {SINGLE}",
    ]
    assert command("service", "install").status == 0, "as it is"
    assert {path.name for path in systemd.units.iterdir()} == set(UNITS_OF_SINGLE)
    systemd.forget()
    assert command("service", "restart", "--json").json["units"] == [SINGLE]
    systemd.answers("systemctl --user show --property=Id", states().replace(LISTENER, SINGLE))
    rows = command("service", "status", "--json")
    assert (rows.status, [row["unit"] for row in rows.json["units"]]) == (0, list(UNITS_OF_SINGLE))
    two = command("service", "install", "--no-single", "--json").json["units"]
    assert two[SINGLE] == "removed" and {path.name for path in systemd.units.iterdir()} == set(UNITS)
    command("service", "install", "--single")
    command("service", "uninstall")
    assert list(systemd.units.iterdir()) == []


def test_a_small_machine_gets_one_service_and_what_is_installed_stays_as_it_is(
    command: Command, systemd: Systemd, connected: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command("service", "install")
    monkeypatch.setattr(machine, "is_small", lambda: True)
    command("service", "install")
    assert {path.name for path in systemd.units.iterdir()} == set(UNITS), "as it is"
    command("service", "uninstall")
    command("service", "install")
    assert {path.name for path in systemd.units.iterdir()} == set(UNITS_OF_SINGLE)
    command("service", "uninstall")
    command("service", "install", "--no-single")
    assert {path.name for path in systemd.units.iterdir()} == set(UNITS)


def test_the_dashboard_is_a_service_while_it_is_on(command: Command, systemd: Systemd, connected: Path) -> None:
    token = (connected / ".env").read_text()
    (connected / ".env").write_text(f"{token}FUROSHIKI_DASHBOARD=on\n")
    assert DASHBOARD in command("service", "install", "--json").json["started"]
    assert f"systemctl --user restart {LISTENER} {BRAIN} {TIMER} {DASHBOARD}" in systemd.changes
    assert command("service", "restart", "--json").json["units"] == [LISTENER, BRAIN, DASHBOARD]
    with_one = command("service", "install", "--single", "--json").json["units"]
    assert with_one[DASHBOARD] == "removed", "there it runs in the one process"
    command("service", "install", "--no-single")
    (connected / ".env").write_text(token)
    assert command("service", "install", "--json").json["units"][DASHBOARD] == "removed"


def test_one_service_waits_for_its_token(command: Command, systemd: Systemd, data: Path) -> None:
    done = command("service", "install", "--single")
    assert done.status == 0 and "TELEGRAM_BOT_TOKEN" in done.err
    assert f"systemctl --user enable {TIMER}" in systemd.changes
    assert command("service", "restart").status == 3


@pytest.fixture
def homes_here(command: Command, systemd: Systemd, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = tmp_path / "homes"
    monkeypatch.setenv("FUROSHIKI_HOMES", str(root))
    for name in ("anna", "ben"):
        assert command("host", "add", name).status == 0
        (root / name / ".env").write_text("TELEGRAM_BOT_TOKEN=123456789:AAcanaryCANARYcanaryCANARYcanaryCANA\n")
    return root


def test_a_host_is_installed_beside_a_companion_and_taken_away_again(
    command: Command, systemd: Systemd, homes_here: Path, connected: Path
) -> None:
    (homes_here / ".host" / ".env").write_text("FUROSHIKI_HOST_CPU_PERCENT=150\nFUROSHIKI_HOST_MEMORY_MB=1000\n")
    (homes_here / ".host" / "credentials").mkdir()
    (homes_here / ".host" / "credentials" / "openai_api_key").write_text("sk-canary")
    command("service", "install")
    assert command("service", "status", "--host").status == 3
    systemd.forget()
    done = command("service", "install", "--host", "--json")
    assert done.status == 0, done.err
    assert done.json["started"] == [HOST_LISTENER, HOST_BRAIN] and set(done.json["units"]) == set(UNITS_OF_HOST)
    assert systemd.changes[:4] == [
        "systemctl --user daemon-reload",
        f"systemctl --user enable {HOST_LISTENER} {HOST_BRAIN}",
        f"systemctl --user restart {HOST_SLICE}",
        f"systemctl --user restart {HOST_LISTENER} {HOST_BRAIN}",
    ]
    assert "MemoryMax=1000M\nTasksMax=1024\nCPUQuota=150%" in (systemd.units / HOST_SLICE).read_text()
    text = (systemd.units / HOST_LISTENER).read_text()
    assert f"LoadCredential=openai_api_key:{homes_here}/.host/credentials/openai_api_key" in text
    systemd.answers("systemctl --user show --property=Id", states().replace("furoshiki-", "furoshiki-host-"))
    rows = command("service", "status", "--host", "--json")
    assert (rows.status, [row["unit"] for row in rows.json["units"]]) == (0, [HOST_LISTENER, HOST_BRAIN])
    refused = command("service", "install", "--home", "anna")
    assert refused.status == 2 and "a home runs by the services of its host" in refused.err
    assert command("service", "uninstall", "--host").status == 0
    assert {path.name for path in systemd.units.iterdir()} == set(UNITS)


def _me() -> str:
    import getpass

    return getpass.getuser()
