"""An encoder's server as a process of its own, with a certificate of its own making."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.program import PATIENCE_SECONDS, Process
from tests.support.certificates import certify
from tests.support.deaths import Forked
from tests.support.forked_program import command, ran, warm


class EncoderServer:
    """`furoshiki encoder serve` over a folder; started, killed and started again at the same port."""

    def __init__(self, data: Path, models: Path) -> None:
        self.data = data
        self.folder = data / "encoder"
        self.folder.mkdir(parents=True)
        (data / "models").symlink_to(models)
        self.certify(self.folder)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.url = f"https://localhost:{self.port}"
        self.certificate = self.folder / "certificate.pem"
        self.process: Process | None = None

    def certify(self, folder: Path, expired: bool = False) -> Path:
        """Make a certificate as docs/hosting.md says."""
        return certify(folder, expired)

    def command(self, *words: str, encoder: str = "minilm-int8") -> subprocess.CompletedProcess[str]:
        """One `furoshiki encoder` command to its end."""
        environ = {**os.environ, "FUROSHIKI_DATA": str(self.data), "FUROSHIKI_EMBEDDER": encoder}
        return ran(("encoder", *words), environ)

    def token(self, name: str) -> str:
        """A new client's token."""
        return self.command("token", name).stdout.strip()

    def start(self, encoder: str = "minilm-int8") -> None:
        """Serve, and come back when it answers."""
        environ = {**os.environ, "FUROSHIKI_DATA": str(self.data), "FUROSHIKI_EMBEDDER": encoder}
        args = ("encoder", "serve", f"127.0.0.1:{self.port}")
        self.process = Forked(command, args, environ, self.folder / "encoder.log", ready=warm)
        give_up = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < give_up and self.process.poll() is None:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1.0):
                return
            time.sleep(0.05)
        raise AssertionError("the encoder's server does not come up")

    def kill(self) -> None:
        """End it as a power cut does."""
        if self.process is not None:
            with contextlib.suppress(ProcessLookupError):
                self.process.send_signal(signal.SIGCONT)
            self.process.kill()
            self.process.wait(10)

    def settings(self, token: str, certificate: Path | None = None) -> dict[str, str]:
        """Return the settings with which a companion asks it."""
        return {
            "FUROSHIKI_MEMORYD_URL": self.url,
            "FUROSHIKI_MEMORYD_TOKEN": token,
            "FUROSHIKI_MEMORYD_CA": str(certificate or self.certificate),
        }


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, models: Path) -> Iterator[EncoderServer]:
    made = EncoderServer(tmp_path_factory.mktemp("encoder-server"), models)
    yield made
    made.kill()
