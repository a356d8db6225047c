"""Mail for a plugin: reads the owner's mailbox without changing it, and sends confirmed mails.

The password stays here and is only sent to the servers in the owner's settings, over verified TLS.
The mailbox is opened read-only (EXAMINE), and requests do not mark, move or delete (BODY.PEEK).
Only the text shown to and confirmed by the owner is sent; the plugin cannot change it.
"""

import base64
import contextlib
import imaplib
import logging
import re
import smtplib
import socket
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from furoshiki.core import numbers
from furoshiki.extensions.plugins.broker import connecting
from furoshiki.extensions.plugins.broker.caller import Caller
from furoshiki.extensions.plugins.broker.connecting import Resolve
from furoshiki.extensions.plugins.rules import hosts, mail
from furoshiki.extensions.plugins.rules.asking import Refused
from furoshiki.extensions.plugins.rules.hosts import NotAllowed, Place, Target

log = logging.getLogger(__name__)

MOST_S = 25.0  # timeout of one call in seconds
LONGEST_MAIL = 1024 * 1024  # maximum bytes read of one mail
MOST_READ = 6 * 1024 * 1024  # maximum bytes that a server may send in one call

_HEADERS = "BODY.PEEK[HEADER.FIELDS (FROM TO CC SUBJECT DATE)]"
_LONGEST_LINE = 4096


@dataclass(frozen=True)
class Post:
    """A call's plugin, the local hosts, and the time."""

    caller: Caller
    local: tuple[Place, ...]
    now: datetime
    resolve: Resolve = connecting.resolve_host

    @property
    def address(self) -> str:
        return self.caller.settings.get("ADDRESS", "").strip()

    @property
    def login(self) -> tuple[str, str]:
        """User and password."""
        return self.caller.settings.get("USER", "").strip() or self.address, self.caller.password


def do(call: str, args: Mapping[str, Any], post: Post) -> Any:
    """Execute a plugin's call. Raises Refused, NotAllowed."""
    match call:
        case "find_mail":
            return {"mails": find(post, args)}
        case "fetch_mail":
            return {"raw": base64.b64encode(fetch(post, args.get("uid"))).decode()}
    send(post, args)
    return {"sent": True}


def find(post: Post, args: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the newest matching inbox mails, newest first: UID, read or not, size in bytes, and
    headers in base64. Raises Refused, NotAllowed."""
    looked_for, most = mail.build_search(args), args.get("most", mail.MOST_FOUND)
    if not isinstance(most, int) or not 0 < most <= mail.MOST_FOUND:
        raise Refused(f'"most" is a number from 1 to {mail.MOST_FOUND}')
    with _inbox(post) as box:
        found = _run_command(box, "SEARCH", "CHARSET", "UTF-8", *looked_for)
        listed = b" ".join(part for part in found if isinstance(part, bytes)).decode("ascii", "replace").split()
        known = sorted(number for one in listed if (number := numbers.row(one)) is not None)[-most:]
        if not known:
            return []
        wanted = ",".join(map(str, known))
        parts = _run_command(box, "FETCH", wanted, f"(UID FLAGS RFC822.SIZE {_HEADERS})")
    mails = [_read_head(meta, body) for meta, body in _literals(parts)]
    return sorted((one for one in mails if one is not None), key=lambda one: one["uid"], reverse=True)


def fetch(post: Post, number: object) -> bytes:
    """Return one inbox mail in raw form, up to LONGEST_MAIL bytes. Raises Refused, NotAllowed."""
    if not isinstance(number, int) or not 0 < number < 1 << 32:
        raise Refused('"uid" is the number of a mail, as find_mail gives it')
    with _inbox(post) as box:
        parts = _run_command(box, "FETCH", str(number), f"(UID BODY.PEEK[]<0.{LONGEST_MAIL}>)")
    body = next((body for _meta, body in _literals(parts)), None)
    if body is None:
        raise Refused(f"there is no mail {number} in the inbox (any more)")
    return body[:LONGEST_MAIL]


def send(post: Post, args: Mapping[str, Any]) -> None:
    """Send the mail that its owner was shown and confirmed, once. Raises Refused."""
    tapped = post.caller.tapped
    if tapped is None:
        raise Refused("a mail is sent only by a callable that is by_tap, when its owner tapped on it")
    if any(args.get(name) != tapped.get(name) for name in ("to", "subject", "text")):
        raise Refused("only the words that were shown are sent: give to, subject and text as they came")
    made = mail.compose(post.address, tapped, args.get("answers"), post.now)
    try:
        where = hosts.server(post.caller.settings.get("SMTP", ""), mail.SMTP_PORTS, post.local)
        _submit(post, where, tapped["to"], made.as_bytes())
    except NotAllowed as error:
        log.warning("plugin %s: %s", post.caller.name, error)
        raise Refused(mail.UNREACHABLE) from None


def _submit(post: Post, where: Target, to: str, raw: bytes) -> None:
    """Submit a mail to the SMTP server. Raises Refused, NotAllowed."""
    upgrades, sending = where.port in mail.STARTTLS, False
    deadline = time.monotonic() + MOST_S
    try:
        with connecting.connected(where, deadline, post.resolve, _start_tls if upgrades else None) as connection:
            smtp = _Submission(connection)
            if not upgrades and smtp.getreply()[0] != 220:
                raise smtplib.SMTPServerDisconnected
            smtp.ehlo()
            smtp.login(*post.login)
            sending = True
            smtp.sendmail(post.address, [to], raw)
            with contextlib.suppress(OSError):
                smtp.quit()
    except smtplib.SMTPAuthenticationError:
        raise Refused(mail.WRONG_PASSWORD) from None
    except smtplib.SMTPRecipientsRefused:
        raise Refused(mail.NO_SUCH_ADDRESS) from None
    except smtplib.SMTPServerDisconnected as error:
        raise _failure(post, where, error, mail.UNKNOWN if sending else mail.UNREACHABLE) from None
    except smtplib.SMTPException as error:
        raise _failure(post, where, error, mail.NOT_TAKEN) from None
    except (OSError, ValueError) as error:
        raise _failure(post, where, error, mail.UNKNOWN if sending else mail.UNREACHABLE) from None
    log.info("plugin %s: sent a mail by %s", post.caller.name, where.host)


@contextlib.contextmanager
def _inbox(post: Post) -> "Iterator[_Mailbox]":
    """Open the inbox read-only for this block. Raises Refused, NotAllowed."""
    where = hosts.server(post.caller.settings.get("IMAP", ""), mail.IMAP_PORTS, post.local)
    try:
        with connecting.connected(where, time.monotonic() + MOST_S, post.resolve) as connection:
            box = _Mailbox(connection)
            _log_in(box, *post.login)
            if box.select("INBOX", readonly=True)[0] != "OK":
                raise Refused(mail.NOT_READ)
            yield box
            with contextlib.suppress(imaplib.IMAP4.error, OSError):
                box.logout()
    except imaplib.IMAP4.abort as error:
        raise _failure(post, where, error, mail.UNREACHABLE) from None
    except imaplib.IMAP4.error as error:
        raise _failure(post, where, error, mail.NOT_READ) from None
    except (OSError, ValueError) as error:
        raise _failure(post, where, error, mail.UNREACHABLE) from None
    log.info("plugin %s: read mail at %s", post.caller.name, where.host)


def _log_in(box: "_Mailbox", user: str, password: str) -> None:
    try:
        if "AUTH=PLAIN" in box.capabilities:
            box.authenticate("PLAIN", lambda _: f"\0{user}\0{password}".encode())
        else:
            box.login(user, password)
    except imaplib.IMAP4.abort:
        raise
    except imaplib.IMAP4.error:
        raise Refused(mail.WRONG_PASSWORD) from None


def _failure(post: Post, where: Target, error: Exception, words: str) -> Refused:
    """Return the user's message for a failure; its cause is in the log."""
    why = connecting.explain_failure(error) if isinstance(error, OSError) else type(error).__name__
    told = type(error).__name__ if isinstance(error, smtplib.SMTPException) else why
    log.warning("plugin %s: %s %s", post.caller.name, where.host, told)
    return Refused(words)


class _Mailbox(imaplib.IMAP4):
    """An IMAP session over an existing connection; ends when the server sends too much."""

    def __init__(self, made: socket.socket) -> None:
        self._made, self._left = made, MOST_READ
        super().__init__()

    def _create_socket(self, timeout: float | None = None) -> socket.socket:
        return self._made

    def read(self, size: int) -> bytes:
        self._count(size)
        return super().read(size)

    def readline(self) -> bytes:
        """Read a line."""
        line = super().readline()
        self._count(len(line))
        return line

    def _count(self, size: int) -> None:
        self._left -= size
        if self._left < 0:
            raise self.abort("it sends more than was asked for")


class _Submission(smtplib.SMTP):
    """An SMTP session over an existing connection, without information about this machine."""

    def __init__(self, made: socket.socket) -> None:
        super().__init__(local_hostname="[127.0.0.1]")
        self.sock = made


def _start_tls(made: socket.socket) -> None:
    """Start TLS on a submission server; nothing else is sent in plain text. Raises OSError."""
    for said, wanted in ((b"", b"220"), (b"EHLO [127.0.0.1]\r\n", b"250"), (b"STARTTLS\r\n", b"220")):
        made.sendall(said)
        if not _reply(made).startswith(wanted):
            raise OSError("it does not encrypt")


def _reply(made: socket.socket) -> bytes:
    """Read the last line of a reply, and no byte after it."""
    line, came = b"", 0
    while not (line.endswith(b"\n") and line[3:4] != b"-"):
        line = b"" if line.endswith(b"\n") else line
        piece = made.recv(1)
        line, came = line + piece, came + 1
        if not piece or came > _LONGEST_LINE:
            raise OSError("it does not answer as a mail server")
    return line


def _run_command(box: _Mailbox, command: str, *args: Any) -> list[Any]:
    """Run a UID command and return its result. Raises IMAP4.error."""
    state, found = box.uid(command, *args)
    if state != "OK":
        raise box.error(command)
    return list(found)


def _literals(parts: list[Any]) -> Iterator[tuple[bytes, bytes]]:
    """Yield each mail in a FETCH response: its metadata and its bytes."""
    for at, part in enumerate(parts):
        if isinstance(part, tuple) and len(part) == 2:
            behind = parts[at + 1] if at + 1 < len(parts) and isinstance(parts[at + 1], bytes) else b""
            yield part[0] + behind, part[1]


def _read_head(meta: bytes, body: bytes) -> dict[str, Any] | None:
    words = meta.decode("ascii", "replace")
    number, size = re.search(r"\bUID (\d{1,10})", words), re.search(r"\bRFC822\.SIZE (\d{1,12})", words)
    if number is None:
        return None
    return {
        "uid": numbers.row(number[1]) or 0,
        "seen": "\\Seen" in words,
        "size": numbers.row(size[1]) or 0 if size else 0,
        "head": base64.b64encode(body).decode(),
    }
