"""Starting and ending: alone, and beside the listener, which it never takes along."""

from __future__ import annotations

import asyncio
import http.client
import json
import logging
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from furoshiki.core.errors import AlreadyRunning, BadSetting
from furoshiki.core.logins import passwords
from furoshiki.core.logins.ledger import Ledger
from furoshiki.core.paths import ROOT
from furoshiki.core.process.systemd import Notifier
from furoshiki.core.settings import Settings
from furoshiki.faces.dashboard import running, server
from furoshiki.world import World
from tests.support.ports import LOOPBACK, answers, free_port


def at(world: World, port: int, **more: object) -> Settings:
    return world.settings.model_copy(update={"furoshiki_dashboard_port": port, **more})


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.5"])
def test_beyond_this_machine_it_is_not_served_without_a_lock_on_the_door(world: World, host: str) -> None:
    settings = at(world, free_port(), furoshiki_dashboard_host=host)
    with pytest.raises(BadSetting, match="furoshiki dashboard password"):
        running.alone(settings, Notifier({}), lambda: None)
    ledger = Ledger(world.settings.data)
    https = settings.model_copy(update={"furoshiki_dashboard_url": "https://furo.example.net"})
    running.check_open_to_all(https, ledger)
    passwords.choose(ledger, "viewer", "four words of nobody", world.now)
    running.check_open_to_all(settings, ledger)


def test_a_port_that_is_taken_is_told_with_the_way_out(world: World) -> None:
    with server.bound(LOOPBACK, 0) as taken:
        taken.listen()
        with pytest.raises(server.CannotListen, match="FUROSHIKI_DASHBOARD_PORT"):
            running.alone(at(world, taken.getsockname()[1]), Notifier({}), lambda: None)


async def test_what_is_sent_is_sent_at_once() -> None:
    with server.bound(LOOPBACK, 0) as at:
        asked: asyncio.Future[int] = asyncio.get_running_loop().create_future()

        def connected(_reader: object, writer: asyncio.StreamWriter) -> None:
            line = writer.get_extra_info("socket")
            asked.set_result(line.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
            writer.close()

        listening = await asyncio.start_server(connected, sock=at)
        _reader, writer = await asyncio.open_connection(*at.getsockname())
        assert await asked, "else an answer of two packets waits 40 ms for an acknowledgement"
        writer.close()
        listening.close()


def test_an_address_that_is_not_this_machines_is_told_with_the_way_out() -> None:
    with pytest.raises(server.CannotListen, match="FUROSHIKI_DASHBOARD_HOST"):
        server.bound("192.0.2.1", 0)


async def test_beside_the_listener_it_answers_and_what_stands_against_it_ends_nothing(
    world: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(running, "AGAIN_S", 0.05)
    stop, taken = asyncio.Event(), server.bound(LOOPBACK, 0)
    taken.listen()
    port = taken.getsockname()[1]
    with caplog.at_level(logging.ERROR):
        along = asyncio.create_task(running.beside(at(world, port), stop))
        while "everything else does" not in caplog.text:
            await asyncio.sleep(0.02)
    taken.close()
    while not await asyncio.to_thread(answers, port):
        await asyncio.sleep(0.02)
    with pytest.raises(AlreadyRunning):
        await asyncio.to_thread(running.alone, at(world, free_port()), Notifier({}), lambda: None)
    stop.set()
    await asyncio.wait_for(along, 10)
    assert not answers(port)


@pytest.mark.slow
@pytest.mark.e2e
def test_it_tells_systemd_signs_in_and_goes_though_somebody_watches(tmp_path: Path) -> None:
    port, manager = free_port(), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    manager.bind(str(tmp_path / "notify"))
    manager.settimeout(30)
    environ = {
        **{name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")},
        "FUROSHIKI_DATA": str(tmp_path / "data"),
        "FUROSHIKI_DASHBOARD_PORT": str(port),
        "NOTIFY_SOCKET": str(tmp_path / "notify"),
    }
    command = [sys.executable, "-P", "-m", "furoshiki", "dashboard", "--open", "--json"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, env=environ, cwd=ROOT, text=True)
    try:
        assert manager.recv(200).startswith(b"READY=1")
        assert process.stdout is not None
        link = json.loads(process.stdout.readline())["link"]
        line = http.client.HTTPConnection(LOOPBACK, port, timeout=10)
        line.request("POST", link[link.index("/enter/") :])
        cookie = str(line.getresponse().getheader("set-cookie")).partition(";")[0]
        line.close()
        line.request("GET", "/events", headers={"Cookie": cookie})
        assert line.getresponse().status == 200
        again = subprocess.run(command[:-2], env=environ, cwd=ROOT, capture_output=True, text=True)
        assert again.returncode == 1 and "runs already" in again.stderr
        process.send_signal(signal.SIGTERM)
        assert process.wait(30) == 0
        assert link.rpartition("/")[2] not in (tmp_path / "data" / "logs" / "dashboard.log").read_text()
    finally:
        process.kill()
        process.wait()
        manager.close()
