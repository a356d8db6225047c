"""The unit files: what they say, whatever the paths are called, and that systemd takes them."""

from __future__ import annotations

import configparser
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from furoshiki.faces.cli.parser import build
from furoshiki.host import listener
from furoshiki.maintenance import unit_files
from furoshiki.maintenance.unit_files import (
    BRAIN,
    DASHBOARD,
    DOCTOR,
    EVERY,
    HOST_BRAIN,
    HOST_LISTENER,
    HOST_SLICE,
    LISTENER,
    SINGLE,
    TIMER,
    UNITS_OF_HOST,
    FuroshikiError,
    Installation,
    render_units,
)

HERE = Installation(
    python=Path("/opt/furoshiki/.venv/bin/python"),
    system_python=Path("/usr/bin/python3"),
    data=Path("/home/noor/.furoshiki"),
    systemd=252,
    checkout=Path("/opt/furoshiki"),
)


class Unit(configparser.RawConfigParser):
    """A unit file of which every key stands once."""

    def __init__(self, text: str) -> None:
        super().__init__(strict=True, interpolation=None, delimiters=("=",), comment_prefixes=("#",))
        self.read_string(text)

    def optionxform(self, optionstr: str) -> str:
        return optionstr


def service(name: str, here: Installation = HERE) -> configparser.SectionProxy:
    return Unit(render_units(here, EVERY)[name])["Service"]


@pytest.mark.parametrize(
    ("name", "command"),
    [(LISTENER, "listen"), (BRAIN, "brain"), (SINGLE, "listen --with-brain"), (DASHBOARD, "dashboard")],
)
def test_the_long_running_ones_are_restarted_for_ever_and_watched(name: str, command: str) -> None:
    unit, found = Unit(render_units(HERE, EVERY)[name]), service(name)
    assert found["ExecStart"] == f'/usr/bin/env "/opt/furoshiki/.venv/bin/python" -P -m furoshiki {command}'
    assert (found["Type"], found["WatchdogSec"], found["Restart"], found["RestartSec"]) == (
        "notify",
        "90",
        "always",
        "5",
    )
    assert unit["Unit"]["StartLimitIntervalSec"] == "0"
    assert unit["Install"]["WantedBy"] == "default.target"
    assert found["RestartPreventExitStatus"] == "2 3", "used wrongly and not configured: it would end the same way"
    assert found["Environment"].startswith('"FUROSHIKI_DATA=/home/noor/.furoshiki"')


def test_restarts_become_rarer_where_systemd_knows_how() -> None:
    assert "RestartSteps" not in service(LISTENER)
    newer = Installation(**{**vars(HERE), "systemd": 257})
    assert service(LISTENER, newer)["RestartMaxDelaySec"] == "120"


@pytest.mark.parametrize("name", [LISTENER, BRAIN, SINGLE, DASHBOARD])
def test_they_are_confined_as_far_as_user_units_are_and_bubblewrap_still_works(name: str) -> None:
    found = service(name)
    assert found["PrivateUsers"] == "yes", "without it 252 ignores what follows"
    assert (found["ProtectSystem"], found["ProtectHome"]) == ("strict", "read-only")
    assert found["ReadWritePaths"] == '"/home/noor/.furoshiki"'
    assert found["RestrictNamespaces"] == "user mnt pid net ipc uts cgroup"
    assert "AF_NETLINK" in found["RestrictAddressFamilies"]
    assert found["SystemCallFilter"].startswith("~") and "@mount" not in found["SystemCallFilter"]
    fails_or_forbids_bubblewrap = {
        *(
            "CapabilityBoundingSet",
            "PrivateDevices",
            "DynamicUser",
            "User",
            "RestrictSUIDSGID",
            "ProtectKernelTunables",
        ),
        *(
            "ProtectKernelLogs",
            "ProtectProc",
            "ProcSubset",
            "MemoryDenyWriteExecute",
            "PrivateNetwork",
            "IPAddressDeny",
        ),
    }
    assert not fails_or_forbids_bubblewrap & set(found)


def test_lines_of_the_journal_say_whose_they_are() -> None:
    assert service(LISTENER)["SyslogIdentifier"] == "furoshiki-listener"
    assert service(DOCTOR)["SyslogIdentifier"] == "furoshiki-doctor"


def test_where_no_file_system_of_its_own_is_allowed_it_asks_for_none() -> None:
    found = service(LISTENER, Installation(**{**vars(HERE), "confined": False}))
    assert not {"PrivateUsers", "ProtectSystem", "ReadWritePaths"} & set(found)
    assert found["NoNewPrivileges"] == "yes"


def test_the_doctor_depends_on_nothing_of_ours_and_comes_every_ten_minutes() -> None:
    found, timer = service(DOCTOR), Unit(render_units(HERE)[TIMER])
    assert found["ExecStart"] == '/usr/bin/env "/usr/bin/python3" -I -S "/opt/furoshiki/scripts/doctor.py"'
    assert (found["Type"], found["SuccessExitStatus"]) == ("oneshot", "1 2")
    assert ".venv" not in render_units(HERE)[DOCTOR]
    assert (timer["Timer"]["OnCalendar"], timer["Timer"]["Persistent"]) == ("*:0/10", "yes")
    assert timer["Install"]["WantedBy"] == "timers.target"


def test_credentials_and_folders_elsewhere_are_named() -> None:
    more = {"credentials": {"telegram_bot_token": Path("/home/noor/c/t")}, "writable": (Path("/mnt/a b"),)}
    found = service(LISTENER, Installation(**{**vars(HERE), **more}))
    assert found["LoadCredential"] == "telegram_bot_token:/home/noor/c/t"
    assert found["ReadWritePaths"].endswith(' "/mnt/a b"')


def test_an_edited_file_is_told_from_ours() -> None:
    for text in render_units(HERE).values():
        assert unit_files.is_ours(text)
        assert not unit_files.is_ours(text + "Nice=3\n")
        assert not unit_files.is_ours(text.partition("\n")[2])


def test_a_path_of_two_lines_cannot_add_settings() -> None:
    with pytest.raises(FuroshikiError, match="control characters"):
        render_units(Installation(**{**vars(HERE), "data": Path("/home/a\nExecStartPre=/bin/evil")}))


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed here")
@pytest.mark.parametrize("folder", ["plain", "a b %n \"q\" $HOME \\ 'x' ü"])
def test_systemd_takes_them_whatever_the_folders_are_called(tmp_path: Path, folder: str) -> None:
    odd = tmp_path / folder
    (odd / "units").mkdir(parents=True)
    (odd / "python").symlink_to("/bin/true")
    here = Installation(
        odd / "python",
        odd / "python",
        odd / "data",
        252,
        True,
        (odd / "more",),
        {"openai_api_key": odd / "key"},
        tmp_path,
        odd,
        ("MemoryMax=2000M", "TasksMax=64", "CPUQuota=150%"),
    )
    all_there_are = (*EVERY, *UNITS_OF_HOST)
    for name, text in render_units(here, all_there_are).items():
        (tmp_path / name).write_text(text)
    done = subprocess.run(
        [
            "systemd-analyze",
            "--user",
            "verify",
            *(str(tmp_path / one) for one in all_there_are),
        ],
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, "XDG_RUNTIME_DIR": str(tmp_path), "HOME": str(tmp_path)},
    )
    assert (done.returncode, done.stdout + done.stderr) == (0, "")


IN_HOMES = Installation(
    **{**vars(HERE), "data": Path("/srv/homes/.host"), "writable": (Path("/srv/homes"),), "homes": Path("/srv/homes")},
)


@pytest.mark.parametrize(
    ("name", "command"),
    [(HOST_LISTENER, "host listen"), (HOST_BRAIN, "host brain")],
)
def test_those_of_many_homes_are_kept_as_those_of_one(name: str, command: str) -> None:
    found = Unit(render_units(IN_HOMES, UNITS_OF_HOST)[name])["Service"]
    words = found["ExecStart"].partition(" -m furoshiki ")[2]
    assert words == command and build().parse_args(command.split())
    one = service(SINGLE)
    same = ("Type", "WatchdogSec", "Restart", "RestartPreventExitStatus", "PrivateUsers", "ProtectSystem", "KillMode")
    assert {key: found[key] for key in same} == {key: one[key] for key in same}
    assert found["ReadWritePaths"].endswith('"/srv/homes"') and '"FUROSHIKI_HOMES=/srv/homes"' in found["Environment"]
    assert float(found["TimeoutStopSec"]) > listener.FAREWELL_SECONDS
    assert found.get("Slice") == HOST_SLICE


def test_what_a_host_may_use_is_said_once_for_all_its_services() -> None:
    here = Installation(**{**vars(IN_HOMES), "limits": ("MemoryMax=2000M", "CPUQuota=150%")})
    found = Unit(render_units(here, [HOST_SLICE])[HOST_SLICE])["Slice"]
    assert dict(found) == {"MemoryMax": "2000M", "CPUQuota": "150%"}
