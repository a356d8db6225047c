"""Everything a person can send, each with the words by which the mind must have understood it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from tests.emulators.telegram import Message, TelegramEmulator

LISBON = (38.7223, -9.1393)
"""Where the owner's clock already is: no question about the time zone follows."""


@dataclass(frozen=True)
class Sent:
    """One thing to send. `send` does it; `understood` must stand in what the mind is asked."""

    name: str
    send: Callable[[TelegramEmulator], Message]
    understood: str


def everything(number: int) -> Iterator[Sent]:
    """One of every kind; the number makes them all different."""
    n = number

    def kind(name: str, understood: str, send: Callable[[TelegramEmulator], Message]) -> Sent:
        return Sent(f"{name} {n}", send, understood)

    yield kind("text", f"plain text {n}", lambda t: t.say(f"plain text {n}"))
    yield kind("lines", f"second line {n}", lambda t: t.say(f"first line\n\nsecond line {n}\n  indented"))
    yield kind("long", f"the end of it {n}", lambda t: t.say("a long story " * 300 + f"the end of it {n}"))
    yield kind("joiners", f"👩‍👩‍👧 {n}", lambda t: t.say(f"my family 👩‍👩‍👧 {n}"))
    yield kind("right to left", f"שלום {n}", lambda t: t.say(f"שלום {n}"))
    yield kind("markup", f"<b>{n}</b>", lambda t: t.say(f"**not** _my_ `markup` <b>{n}</b>"))
    yield kind("link", f"https://example.org/{n}", lambda t: t.say(f"see https://example.org/{n}"))
    yield kind("unknown command", f"/frobnicate {n}", lambda t: t.say(f"/frobnicate {n}"))
    yield kind("reply", f"about that {n}", lambda t: t.say(f"about that {n}", reply_to=t.chat()[-1].id))
    yield kind(
        "forwarded",
        f"forwarded words {n}",
        lambda t: t.say(
            f"forwarded words {n}",
            forward_origin={"type": "hidden_user", "date": 1700000000, "sender_user_name": "Ada"},
        ),
    )
    yield kind("voice", "a voice message", lambda t: t.voice(duration=n + 1))
    yield kind("audio", "a voice message", lambda t: t.audio(title=f"Song {n}"))
    yield kind("video", "a video", lambda t: t.video(duration=n + 1))
    yield kind("video note", "a voice message", lambda t: t.video_note(duration=n + 1))
    yield kind("photo", f"our garden {n}", lambda t: t.photo(caption=f"our garden {n}"))
    yield kind("bare photo", "[a photo]", lambda t: t.photo())
    yield kind("txt", f"buy pears {n}", lambda t: t.document(f"buy pears {n}".encode(), "list.txt"))
    yield kind("md", f"heading {n}", lambda t: t.document(f"# heading {n}".encode(), "notes.md", "text/markdown"))
    yield kind("pdf", f"Invoice {n}", lambda t: t.document(pdf(f"Invoice {n}"), "invoice.pdf", "application/pdf"))
    yield kind("broken pdf", "could not be read", lambda t: t.document(b"%PDF-1.4 torn", "torn.pdf", "application/pdf"))
    yield kind("binary", "I can read", lambda t: t.document(b"\x00\x01", "game.exe", "application/x-msdownload"))
    yield kind("sticker", "a sticker: 🎈", lambda t: t.sticker("🎈"))
    yield kind("location", "a location: 38.7", lambda t: t.location(*LISBON))
    yield kind("contact", f"Ada {n}", lambda t: t.contact(f"Ada {n}"))
    yield kind("poll", f"Tea or coffee {n}?", lambda t: t.poll(f"Tea or coffee {n}?", ("tea", "coffee")))
    yield kind("dice", "🎲", lambda t: t.dice(n % 6 + 1))
    yield kind("unknown kind", "do not understand", lambda t: t.strange({"story": {"chat": {"id": 7}, "id": n}}))


def pdf(text: str) -> bytes:
    """A small, real PDF of one page with one line of text."""
    drawn = f"BT /F1 12 Tf 72 720 Td ({text}) Tj ET".encode()
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R "
        b"/Resources << /Font << /F1 5 0 R >> >> >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(drawn), drawn),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    out, offsets = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, 1):
        offsets.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n%s" % (len(objects) + 1, table)
    return out + b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, start)
