"""What runs a host in containers, held against the program: settings, commands, ports, paths; and replayed, as far as
that works without an engine: a host that may write nowhere but into its volume.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from http.client import HTTPException
from pathlib import Path
from typing import Any

import pytest

from furoshiki.core import settings
from furoshiki.core.network.addresses import place
from furoshiki.core.paths import ROOT
from furoshiki.core.settings import Settings
from furoshiki.faces.cli.parser import build
from furoshiki.host import homes, listener
from furoshiki.host.members import MemberFile
from tests.emulators.telegram import TelegramEmulator
from tests.packaging.image import last_stage
from tests.support.ports import free_port

yaml = pytest.importorskip("yaml", reason="PyYAML, which comes with chromadb, is not installed")

FOLDER = ROOT / "config" / "deploy"
COMPOSE = yaml.safe_load((FOLDER / "compose.yaml").read_text("utf-8"))["services"]["host"]
PARTS = {part["kind"]: part for part in yaml.safe_load_all((FOLDER / "statefulset.yaml").read_text("utf-8"))}
POD = PARTS["StatefulSet"]["spec"]["template"]["spec"]
[CONTAINER] = POD["containers"]
ENV = {one["name"]: one.get("value") for one in CONTAINER["env"]}
NOT_OURS = {"POD_NAME", "CREDENTIALS_DIRECTORY"}
LIVES, READY = "/healthz", "/readyz"


def until(met: Callable[[], Any], seconds: float) -> None:
    end = time.monotonic() + seconds
    while not met():
        assert time.monotonic() < end, "it did not come"
        time.sleep(0.05)


def test_each_variable_is_a_setting_and_takes_its_value(tmp_path: Path) -> None:
    for given in (ENV, COMPOSE["environment"]):
        assert {name.lower() for name in given.keys() - NOT_OURS} <= set(Settings.model_fields)
        held = {name: value for name, value in given.items() if value is not None}
        assert settings.load({**held, "FUROSHIKI_DATA": str(tmp_path)}).furoshiki_homes == Path("/data/homes")


def test_the_command_is_one_and_what_it_says_of_itself_is_asked_where_it_says_it() -> None:
    for words in (CONTAINER["args"], COMPOSE["command"]):
        assert build().parse_args(words).module == "services.host"
    [port] = CONTAINER["ports"]
    assert place(ENV["FUROSHIKI_HOST_HEALTH"]) == ("0.0.0.0", port["containerPort"])
    asked = {name: CONTAINER[name]["httpGet"] for name in ("startupProbe", "livenessProbe", "readinessProbe")}
    assert {name: get["path"] for name, get in asked.items()} == {
        "startupProbe": LIVES,
        "livenessProbe": LIVES,
        "readinessProbe": READY,
    }
    assert {get["port"] for get in asked.values()} == {port["name"]}
    open_to = PARTS["NetworkPolicy"]["spec"]["ingress"][0]["ports"]
    assert [one["port"] for one in open_to] == [port["containerPort"]] == [PARTS["Service"]["spec"]["ports"][0]["port"]]
    there = "http://{}:{}{}".format(*place(COMPOSE["environment"]["FUROSHIKI_HOST_HEALTH"]), READY)
    assert there in COMPOSE["healthcheck"]["test"]


def test_it_is_nobody_with_one_place_to_write_to() -> None:
    stage = last_stage()
    [user], [volume] = stage["USER"], json.loads(stage["VOLUME"][0])
    of_pod, of_container = POD["securityContext"], CONTAINER["securityContext"]
    assert f"{of_pod['runAsUser']}:{of_pod['runAsGroup']}" == user == COMPOSE["user"]
    assert of_pod["runAsNonRoot"] and of_pod["seccompProfile"] == {"type": "RuntimeDefault"}
    assert of_container["readOnlyRootFilesystem"] and COMPOSE["read_only"]
    assert not of_container["allowPrivilegeEscalation"]
    assert of_container["capabilities"] == {"drop": ["ALL"]} and COMPOSE["cap_drop"] == ["ALL"]
    mounts = {one["name"]: one["mountPath"] for one in CONTAINER["volumeMounts"] if not one.get("readOnly")}
    assert mounts == {"data": volume, "tmp": "/tmp"} and COMPOSE["volumes"] == [f"data:{volume}"]
    assert f"FUROSHIKI_HOMES={ENV['FUROSHIKI_HOMES']}" in stage["ENV"][0]
    assert POD["terminationGracePeriodSeconds"] > listener.FAREWELL_SECONDS
    assert int(COMPOSE["stop_grace_period"].removesuffix("s")) > listener.FAREWELL_SECONDS


def test_each_shard_has_a_volume_and_a_bot_of_its_own(tmp_path: Path) -> None:
    spec = PARTS["StatefulSet"]["spec"]
    [claim] = spec["volumeClaimTemplates"]
    assert claim["metadata"]["name"] == "data" and claim["spec"]["accessModes"] == ["ReadWriteOncePod"]
    labels = spec["template"]["metadata"]["labels"]
    assert spec["selector"]["matchLabels"] == labels == PARTS["Service"]["spec"]["selector"]
    assert PARTS["Service"]["metadata"]["name"] == spec["serviceName"]
    [bot] = [one for one in CONTAINER["volumeMounts"] if one["name"] == "bots"]
    assert bot["subPathExpr"] == "$(POD_NAME)" and Path(bot["mountPath"]).parent == Path(ENV["CREDENTIALS_DIRECTORY"])
    (tmp_path / "c").mkdir()
    (tmp_path / "c" / Path(bot["mountPath"]).name).write_text("123456789:AAcanary")
    root = tmp_path / "homes"
    homes.add(root, "anna", datetime.now(UTC))
    where = {"CREDENTIALS_DIRECTORY": str(tmp_path / "c")}
    held = settings.load({**where, "FUROSHIKI_DATA": str(root / ".host")})
    assert held.telegram_bot_token is not None, "the host's"
    assert settings.load({**where, "FUROSHIKI_DATA": str(root / "anna")}).telegram_bot_token is None, "and no home's"


def test_no_secret_is_written_down() -> None:
    secret = [name for name, field in Settings.model_fields.items() if field.secret]
    for one in CONTAINER["env"]:
        assert one["name"].lower() not in secret or "secretKeyRef" in one["valueFrom"]
    assert not {name.upper() for name in secret} & COMPOSE["environment"].keys()


@pytest.fixture
def telegram() -> Iterator[TelegramEmulator]:
    with TelegramEmulator() as emulator:
        yield emulator


@pytest.mark.e2e
@pytest.mark.slow
@pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed: apt install bubblewrap")
def test_it_takes_messages_where_it_may_write_to_its_volume_alone_and_leaves_in_time(
    tmp_path: Path, telegram: TelegramEmulator
) -> None:
    data, port = tmp_path / "data", free_port()
    data.mkdir()
    here = {name: value.replace("/data", str(data)) for name, value in COMPOSE["environment"].items()}
    here |= {"FUROSHIKI_HOST_HEALTH": str(port), "FUROSHIKI_DATA": str(data), "HOME": str(data), "PATH": os.defpath}
    box = ["bwrap", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp", "--die-with-parent"]
    box += ["--bind", str(data), str(data), "--unshare-user", "--uid", "10001", "--gid", "10001", "--cap-drop", "ALL"]
    furoshiki = [*box, sys.executable, "-P", "-m", "furoshiki"]

    def do(*words: str) -> None:
        done = subprocess.run([*furoshiki, *words], env=here, cwd=ROOT, capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, done.stderr

    do("host", "add", "anna")
    own = data / "homes" / ".host" / ".env"
    own.write_text(f"TELEGRAM_BOT_TOKEN={telegram.token}\nTELEGRAM_API_URL={telegram.url}\n")
    MemberFile(data / "homes").settle(101, "anna")
    with (tmp_path / "err").open("w") as err:
        host = subprocess.Popen([*furoshiki, *COMPOSE["command"]], env=here, cwd=ROOT, stderr=err)
    try:

        def ready() -> bool:
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{port}{READY}", timeout=5) as answer:
                    return bool(json.load(answer)["ready"])
            except (OSError, HTTPException):
                return False

        until(ready, 60)
        someone: dict[str, Any] = {"id": 101, "is_bot": False, "first_name": "Anna", "language_code": "en"}
        telegram.say("Hello", user=someone, chat_id=101)
        until(lambda: telegram.replies(101), 30)
    finally:
        # bwrap passes no signal on: the supervisor is its only child
        children = Path(f"/proc/{host.pid}/task/{host.pid}/children").read_text().split()
        for child in children:
            os.kill(int(child), signal.SIGTERM)
        assert host.wait(POD["terminationGracePeriodSeconds"]) == 0, (tmp_path / "err").read_text()
