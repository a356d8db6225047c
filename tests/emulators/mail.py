"""A mailbox on loopback: IMAP and SMTP over TLS, of both what clients of ours say and nothing more.

What would change the mailbox (SELECT, STORE, a FETCH that is no PEEK) is answered as a server does, and noted in
`changed`, so that a test sees it.
"""

from __future__ import annotations

import base64
import contextlib
import email
import email.policy
import re
import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from email.message import EmailMessage
from pathlib import Path

from tests.support.certificates import certify


@dataclass
class Sent:
    """A mail that was taken to be delivered."""

    sender: str
    to: list[str]
    raw: bytes

    @property
    def mail(self) -> EmailMessage:
        found = email.message_from_bytes(self.raw, policy=email.policy.default)
        assert isinstance(found, EmailMessage)
        return found


@dataclass
class Line:
    """One end of a connection, by lines."""

    made: socket.socket
    lines: Iterator[bytes] = field(init=False)

    def __post_init__(self) -> None:
        self.lines = iter(self.made.makefile("rb"))

    def read(self) -> bytes:
        return next(self.lines, b"").rstrip(b"\r\n")

    def say(self, *lines: bytes) -> None:
        self.made.sendall(b"".join(line + b"\r\n" for line in lines))


class Post:
    """The mailbox of ann@example.org. `inbox` are the mails as they lie there, by their number; `sent` what was sent;
    `drops` cuts the connection when a mail was taken, before it is confirmed; without `confirms` it is left open."""

    def __init__(self, folder: Path, password: str = "abcd efgh ijkl mnop", *, starttls: bool = False) -> None:
        self.user, self.password, self.starttls = "ann@example.org", password, starttls
        self.certificate = certify(folder)
        self.inbox: dict[int, bytes] = {}
        self.seen: set[int] = set()
        self.sent: list[Sent] = []
        self.changed: list[str] = []
        self.logins: list[bool] = []
        self.refuses: frozenset[str] = frozenset()
        self.drops = False
        self.confirms = threading.Event()
        self.confirms.set()
        self._tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._tls.load_cert_chain(self.certificate, folder / "key.pem")
        self._listening: list[socket.socket] = []
        self.imap_port = self._listen(self._imap, encrypted=True)
        self.smtp_port = self._listen(self._smtp, encrypted=not starttls)

    @property
    def imap(self) -> str:
        return f"localhost:{self.imap_port}"

    @property
    def smtp(self) -> str:
        return f"localhost:{self.smtp_port}"

    def put(self, number: int, text: str, *, sender: str, subject: str, html: str = "", **headers: str) -> None:
        """Lay a mail into the inbox."""
        mail = EmailMessage()
        mail["From"], mail["To"], mail["Subject"] = sender, self.user, subject
        mail["Date"] = headers.get("date", "Mon, 23 Nov 2026 08:12:00 +0000")
        mail["Message-ID"] = f"<{number}@example.org>"
        mail.set_content(text)
        if html:
            mail.add_alternative(html, subtype="html")
        if "attached" in headers:
            mail.add_attachment(b"%PDF-1.7", maintype="application", subtype="pdf", filename=headers["attached"])
        self.inbox[number] = mail.as_bytes(policy=email.policy.SMTP)

    def stop(self) -> None:
        for one in self._listening:
            one.close()

    def _listen(self, serve: Callable[[Line], None], *, encrypted: bool) -> int:
        listening = socket.create_server(("127.0.0.1", 0))
        self._listening.append(listening)

        def accept() -> None:
            while True:
                try:
                    made, _ = listening.accept()
                except OSError:
                    return
                threading.Thread(target=talk, args=(made,), daemon=True).start()

        def talk(made: socket.socket) -> None:
            with contextlib.suppress(OSError, StopIteration):
                serve(Line(self._tls.wrap_socket(made, server_side=True) if encrypted else made))
            made.close()

        threading.Thread(target=accept, daemon=True).start()
        return int(listening.getsockname()[1])

    def _is_login(self, plain: bytes) -> bool:
        self.logins.append(plain.split(b"\0")[1:] == [self.user.encode(), self.password.encode()])
        return self.logins[-1]

    def _imap(self, line: Line) -> None:
        line.say(b"* OK ready")
        while asked := line.read():
            tag, _, rest = asked.partition(b" ")
            command = rest.split(b" ")[0].upper()
            if command == b"CAPABILITY":
                line.say(b"* CAPABILITY IMAP4rev1 AUTH=PLAIN", tag + b" OK done")
            elif command == b"AUTHENTICATE":
                line.say(b"+ ")
                good = self._is_login(base64.b64decode(line.read()))
                line.say(tag + (b" OK in" if good else b" NO [AUTHENTICATIONFAILED] Invalid credentials"))
            elif command in (b"EXAMINE", b"SELECT"):
                if command == b"SELECT":
                    self.changed.append(rest.decode())
                line.say(b"* %d EXISTS" % len(self.inbox), tag + b" OK [READ-ONLY] done")
            elif command == b"LOGOUT":
                line.say(b"* BYE", tag + b" OK done")
                return
            elif rest.upper().startswith(b"UID SEARCH"):
                found = [str(one).encode() for one in sorted(self.inbox) if self._fits(one, rest)]
                line.say(b"* SEARCH " + b" ".join(found), tag + b" OK done")
            elif rest.upper().startswith(b"UID FETCH"):
                self._fetch(line, tag, rest)
            else:
                self.changed.append(rest.decode())
                line.say(tag + b" BAD unknown")

    def _fits(self, number: int, rest: bytes) -> bool:
        mail = email.message_from_bytes(self.inbox[number], policy=email.policy.default)
        assert isinstance(mail, EmailMessage)
        body = mail.get_body(("plain", "html"))
        words = {"FROM": str(mail["From"]), "SUBJECT": str(mail["Subject"])}
        words["TEXT"] = " ".join([*words.values(), body.get_content() if body else ""])
        asked = re.findall(r'(FROM|SUBJECT|TEXT) "((?:[^"\\]|\\.)*)"', rest.decode())
        unread = b"UNSEEN" not in rest or number not in self.seen
        return unread and all(what.lower() in words[key].lower() for key, what in asked)

    def _fetch(self, line: Line, tag: bytes, rest: bytes) -> None:
        if b"PEEK" not in rest:
            self.changed.append(rest.decode())
        for number in (int(one) for one in rest.split(b" ")[2].split(b",")):
            raw = self.inbox.get(number)
            if raw is None:
                continue
            head = raw.partition(b"\r\n\r\n")[0] + b"\r\n\r\n"
            body = head if b"HEADER" in rest else raw
            flags = b"\\Seen" if number in self.seen else b""
            meta = b"* 1 FETCH (UID %d FLAGS (%s) RFC822.SIZE %d BODY[] {%d}" % (number, flags, len(raw), len(body))
            line.made.sendall(meta + b"\r\n" + body + b")\r\n")
        line.say(tag + b" OK done")

    def _smtp(self, line: Line) -> None:
        line.say(b"220 ready")
        to: list[str] = []
        sender, known, encrypted = "", False, not self.starttls
        while asked := line.read():
            command = asked.split(b" ")[0].upper()
            address = (re.search(rb"<([^>]*)>", asked) or [b"", b""])[1].decode()
            if command == b"EHLO":
                line.say(b"250-localhost", b"250 AUTH PLAIN" if encrypted else b"250 STARTTLS")
            elif command == b"STARTTLS":
                line.say(b"220 go on")
                line, encrypted = Line(self._tls.wrap_socket(line.made, server_side=True)), True
            elif command == b"AUTH" and encrypted:
                known = self._is_login(base64.b64decode(asked.split(b" ")[2]))
                line.say(b"235 in" if known else b"535 no")
            elif command == b"MAIL" and known:
                sender, to = address, []
                line.say(b"250 ok")
            elif command == b"RCPT" and known:
                to = to if address in self.refuses else [*to, address]
                line.say(b"550 nobody" if address in self.refuses else b"250 ok")
            elif command == b"DATA" and to:
                line.say(b"354 go on")
                raw = b""
                while (part := line.read()) != b".":
                    raw += part.removeprefix(b".") + b"\r\n"
                self.sent.append(Sent(sender, to, raw))
                if self.drops or not self.confirms.wait(60):
                    line.made.close()
                    return
                line.say(b"250 taken")
            elif command in (b"QUIT", b"RSET", b"NOOP"):
                line.say(b"221 bye" if command == b"QUIT" else b"250 ok")
            else:
                line.say(b"503 no")
