"""Certificates of servers. Nothing is repaired; the owner is told.

Files are checked each time. The configured servers are contacted once a day, and each time while
one is failing: a connection and a TLS handshake, nothing more. Unreachable ones are ignored.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from doctor_checks import files
from doctor_checks.findings import Finding, note, well, wrong
from doctor_checks.look import Look
from doctor_checks.road import programs, road

if TYPE_CHECKING:
    import ssl

ASKED_EVERY = timedelta(days=1)
SECONDS = 2.0  # seconds for all servers, which are contacted at the same time
SOON = timedelta(days=14)  # own certificate files that expire earlier are reported

# environment variables for own certificates, known to OpenSSL
OWN = ("SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "SSL_CERT_DIR")

_NOT_YET, _EXPIRED = 9, 10
_NO_AUTHORITY = (18, 19, 20, 21)
_OTHER_NAME = (62, 64)  # OpenSSL's codes for refused certificates

AUTHORITIES = "`sudo apt install --reinstall ca-certificates` brings the list of authorities back"


def check(look: Look) -> Iterator[Finding]:
    """Check certificate files and the certificates of the servers in use."""
    servers = in_use(look.place.settings)
    found = [*_own(look), *(_lists(look) if servers else ()), *_of_servers(look, servers)]
    yield from found or [well("certificates", "certificates are as they should be")]


def in_use(settings: Mapping[str, str]) -> set[tuple[str, int]]:
    """Return host and port of the configured servers with TLS."""
    chosen = ",".join(value for name, value in settings.items() if name.startswith("FUROSHIKI_MODEL_"))
    asked = [one for one in programs("providers").over_the_net() if one.by_key or f"{one.name}:" in chosen]
    addresses = [one.answers_at(settings) for one in asked if one.can_be_asked(settings)]
    addresses.append(settings.get("FUROSHIKI_CHROMA_URL", ""))
    if "TELEGRAM_BOT_TOKEN" in settings:
        addresses.append(settings.get("TELEGRAM_API_URL", "https://api.telegram.org"))
    found = set()
    for address in addresses:
        try:
            parts = urlsplit(address)
            if parts.scheme == "https" and parts.hostname:
                found.add((parts.hostname, parts.port or 443))
        except ValueError:  # no address: reported by the check of settings
            continue
    return found


def refused(host: str, code: int, why: str, now: datetime) -> tuple[str, str]:
    """Describe a refused certificate and the fix."""
    if code in (_NOT_YET, _EXPIRED):
        when = "has expired" if code == _EXPIRED else "is not valid yet"
        fix = (
            "set the clock if it is wrong (`sudo timedatectl set-ntp true`); else the operator of that server renews it"
        )
        return f"the certificate of {host} {when}, by this machine's clock ({now:%Y-%m-%d %H:%M} UTC)", fix
    if code in _NO_AUTHORITY:
        own = "for a server of your own, name its certificate in SSL_CERT_FILE"
        return f"the certificate of {host} is signed by nobody who is trusted here", f"{AUTHORITIES}; {own}"
    if code in _OTHER_NAME:
        fix = "something stands between (the sign-in page of a network, a filter), or the address is mistyped"
        return f"who answers for {host} has the certificate of another name", fix
    return f"the certificate of {host} is refused ({why})", AUTHORITIES


def _own(look: Look) -> Iterator[Finding]:
    for name in OWN:
        path = Path(look.place.environ.get(name) or "/")
        if not look.place.environ.get(name):
            continue
        if not path.exists():
            fix = f"put the file there, or take {name} out of the environment"
            yield wrong(f"certificates.{name}", f"{name} names {path}, which is not there: no server is trusted", fix)
        elif path.is_file():
            yield from _expiring(look, name, path)


def _expiring(look: Look, name: str, path: Path) -> Iterator[Finding]:
    """Report the first certificate in a file that expires soon; not in authority lists."""
    import ssl

    try:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.load_verify_locations(path)
        ends = [ssl.cert_time_to_seconds(str(one["notAfter"])) for one in context.get_ca_certs()]
    except (OSError, ValueError) as error:
        words = f"{path}, which {name} names, cannot be read as certificates ({error})"
        yield wrong(f"certificates.{name}", words, "put a file of certificates in PEM there")
        return
    left = timedelta(seconds=max(ends, default=float("inf")) - look.now.timestamp()) if ends else SOON
    if left < timedelta():
        yield wrong(f"certificates.{name}", f"every certificate in {path} has expired", "put a newer one there")
    elif left < SOON:
        yield note(f"certificates.{name}", f"{path} expires in {left.days} days", "put a newer one there before")


def _lists(look: Look) -> Iterator[Finding]:
    """Check the authority lists: the program's own, and the system's, used for alerts."""
    for package in sorted(look.place.python.parents[1].glob("lib/python3*/site-packages/certifi")):
        path = package / "cacert.pem"
        if not path.is_file() or path.stat().st_size == 0:
            words = "the list of authorities that the program knows servers by is gone, so it reaches none"
            yield wrong(
                "certificates.list", words, f"delete {look.place.python.parents[1]}; the next start makes it again"
            )
    if any(look.place.environ.get(name) for name in OWN):
        return
    import ssl

    usual = ssl.get_default_verify_paths()
    folder = Path(usual.capath or "/nonexistent")
    if usual.cafile is None and not (folder.is_dir() and any(folder.iterdir())):
        words = "this system has no list of authorities, so the doctor can tell you nothing in Telegram"
        yield wrong("certificates.system", words, "`sudo apt install ca-certificates`")


def _of_servers(look: Look, servers: set[tuple[str, int]]) -> Iterator[Finding]:
    kept = look.notebook.part("certificates")
    asked, before = files.moment(kept.get("asked_at")), kept.get("refused")
    fresh = asked is not None and timedelta() <= look.now - asked < ASKED_EVERY
    if not (look.dry or look.offline or (fresh and not before)):
        before = _asked(look, servers)
        kept.update(asked_at=files.stamp(look.now), refused=before)
    for host, (code, why) in before.items() if isinstance(before, dict) else ():
        if host in {name for name, _port in servers}:
            yield wrong(f"certificates.{host}", *refused(host, int(code), str(why), look.now))


def _asked(look: Look, servers: set[tuple[str, int]]) -> dict[str, tuple[int, str]]:
    """Return the servers with refused certificates, with OpenSSL's code and words."""

    found: dict[str, tuple[int, str]] = {}
    there = road(look.place)
    try:
        context = there.certificates()
    except (OSError, ValueError):  # an invalid file of one's own: reported above
        return found
    threads = [
        threading.Thread(target=_greet, args=(there, context, *one, found), daemon=True) for one in sorted(servers)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(min(SECONDS, look.left() / 2))
    return dict(found)


def _greet(there: Any, context: ssl.SSLContext, host: str, port: int, found: dict[str, tuple[int, str]]) -> None:
    import ssl

    try:
        with there.connect(f"https://{f'[{host}]' if ':' in host else host}:{port}", SECONDS) as plain:
            context.wrap_socket(plain, server_hostname=host).close()
    except ssl.SSLCertVerificationError as error:
        found[host] = (error.verify_code, error.verify_message)
    except (OSError, ValueError):  # unreachable: reported by other checks
        pass
