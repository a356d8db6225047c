"""A certificate of one's own making for a server on loopback, as docs/hosting.md says."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest


def certify(folder: Path, expired: bool = False) -> Path:
    """Make key.pem and certificate.pem for "localhost" in a folder; the path of the certificate."""
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("openssl is not installed, with which the certificate is made: apt install openssl")
    folder.mkdir(exist_ok=True, mode=0o700)
    key, certificate = str(folder / "key.pem"), str(folder / "certificate.pem")
    made = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=furoshiki"
    names = ["-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", certificate]
    subprocess.run([openssl, *made.split(), *names], check=True, capture_output=True)
    if expired:
        again = [openssl, "x509", "-in", certificate, "-signkey", key, "-days", "-1", "-out", certificate]
        subprocess.run(again, check=True, capture_output=True)
    return folder / "certificate.pem"
