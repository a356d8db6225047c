"""Certificates: what a server shows on a real connection, files that are gone or expire, lists of authorities."""

from __future__ import annotations

import shutil
import socket
import ssl
import subprocess
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from doctor_checks.keys import certificates
from doctor_checks.look import Look

from tests.doctor.conftest import NOON, MakeLook

TOKEN = "123456789:AAcanaryCANARYcanaryCANARYcanaryCANA"


def found(look: Look) -> dict[str, tuple[str, str, str]]:
    return {one.key: (one.state, one.words, one.fix) for one in certificates.check(look)}


@pytest.fixture(scope="module")
def pem(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A key and a certificate for localhost that signs itself, good for a hundred days from now."""
    if shutil.which("openssl") is None:
        pytest.skip("openssl is not installed here")
    folder = tmp_path_factory.mktemp("pem")
    key, certificate = folder / "key.pem", folder / "certificate.pem"
    made = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "100"]
    names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]
    subprocess.run([*made, *names, "-keyout", key, "-out", certificate], check=True, capture_output=True)
    return key, certificate


@pytest.fixture
def server(pem: tuple[Path, Path]) -> Iterator[str]:
    """The address of a server that shows this certificate and says nothing else."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(pem[1], pem[0])
    listening = socket.create_server(("localhost", 0))

    def serve() -> None:
        while True:
            try:
                with context.wrap_socket(listening.accept()[0], server_side=True):
                    pass
            except ssl.SSLError:
                continue
            except OSError:
                return

    threading.Thread(target=serve, daemon=True).start()
    yield f"https://localhost:{listening.getsockname()[1]}"
    listening.shutdown(socket.SHUT_RDWR)
    listening.close()


def test_a_server_that_nobody_vouches_for_is_told_until_its_certificate_is_named(
    make_look: MakeLook, pem: tuple[Path, Path], server: str
) -> None:
    of_mine = {"TELEGRAM_BOT_TOKEN": TOKEN, "TELEGRAM_API_URL": server}
    offline = make_look(settings=of_mine, offline=True)
    assert "certificates.localhost" not in found(offline)
    look = make_look(settings=of_mine)
    state, words, fix = found(look)["certificates.localhost"]
    assert state == "wrong" and "signed by nobody" in words and "SSL_CERT_FILE" in fix
    named = make_look(settings={**of_mine, "SSL_CERT_FILE": str(pem[1])}, now=datetime.now(UTC))  # as openssl's clock
    named.notebook = look.notebook
    assert found(named) == {"certificates": ("well", "certificates are as they should be", "")}
    assert named.notebook.part("certificates")["refused"] == {}


def test_a_server_is_asked_once_a_day(make_look: MakeLook, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    monkeypatch.setattr(certificates, "_asked", lambda _look, servers: asked.append(len(servers)) or {})
    look = make_look(
        settings={"TELEGRAM_BOT_TOKEN": TOKEN, "ANTHROPIC_API_KEY": "x", "OPENAI_BASE_URL": "http://pi/v1"}
    )
    for hours in (0, 1, 23, 24):
        look.now = NOON + timedelta(hours=hours)
        found(look)
    assert asked == [2, 2]


@pytest.mark.parametrize(
    ("given", "hosts"),
    [
        ({"ANTHROPIC_API_KEY": "x", "OPENAI_API_KEY": "x"}, {"api.anthropic.com", "api.openai.com"}),
        ({"ANTHROPIC_API_KEY": "x", "ANTHROPIC_BASE_URL": "https://door.example/v1"}, {"door.example"}),
        ({"GROQ_API_KEY": "x"}, set()),
        ({"GROQ_API_KEY": "x", "FUROSHIKI_MODEL_FAST": "groq:m,ollama:n"}, {"api.groq.com"}),
        ({"FUROSHIKI_CHROMA_URL": "https://index.example"}, {"index.example"}),
        ({}, set()),
    ],
)
def test_whose_certificates_are_looked_at(given: dict[str, str], hosts: set[str]) -> None:
    assert {host for host, _port in certificates.in_use(given)} == hosts


def test_a_file_of_ones_own_is_told_before_it_expires_when_it_has_and_when_it_is_gone(
    make_look: MakeLook, pem: tuple[Path, Path]
) -> None:
    now = datetime.now(UTC)
    own = {"SSL_CERT_FILE": str(pem[1])}
    for days, state in ((0, "well"), (90, "note"), (101, "wrong")):
        [(got, words, _fix)] = found(make_look(settings=own, now=now + timedelta(days=days))).values()
        assert got == state, words
    for text, words in (("no certificate", "cannot be read"), (None, "is not there")):
        path = pem[1].with_name("other.pem")
        path.unlink(missing_ok=True)
        if text is not None:
            path.write_text(text)
        [(got, said, _fix)] = found(make_look(settings={"SSL_CERT_FILE": str(path)})).values()
        assert got == "wrong" and words in said


def test_the_programs_list_of_authorities_is_missed(make_look: MakeLook, checkout: Path) -> None:
    package = checkout / ".venv" / "lib" / "python3.11" / "site-packages" / "certifi"
    package.mkdir(parents=True)
    look = make_look(settings={"TELEGRAM_BOT_TOKEN": TOKEN}, offline=True)
    assert found(look)["certificates.list"][0] == "wrong"
    (package / "cacert.pem").write_text("-----BEGIN")
    assert "certificates.list" not in found(look)


@pytest.mark.parametrize(
    ("code", "words", "fix"),
    [
        (9, "is not valid yet, by this machine's clock (2026-05-13 12:00 UTC)", "set-ntp"),
        (10, "has expired", "set-ntp"),
        (20, "signed by nobody who is trusted here", "ca-certificates"),
        (62, "another name", "something stands between"),
        (99, "is refused (as OpenSSL says)", "ca-certificates"),
    ],
)
def test_each_way_to_be_refused_has_its_words(code: int, words: str, fix: str) -> None:
    said = certificates.refused("api.telegram.org", code, "as OpenSSL says", NOON)
    assert words in said[0] and fix in said[1]
