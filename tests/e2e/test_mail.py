"""Mail set up in the chat, found, read, answered and sent by a tap, by the real program; killed while it is sent, it is
sent once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from furoshiki.extensions.plugins.sandbox import probing
from tests.e2e.program import Program
from tests.emulators.llm import Answer, Call, LLMEmulator, Request
from tests.emulators.mail import Post
from tests.emulators.telegram import TelegramEmulator
from tests.support.taps import Chat, newest

pytestmark = [
    pytest.mark.e2e,
    pytest.mark.slow,
    pytest.mark.skipif(probing.choose_backend("auto").backend is None, reason="nothing here can hold a plugin"),
]

PASSWORD = "mail-canary-7d2e"
DRAFT = {"to": "anna@example.org", "subject": "Re: Tonight", "text": "Hi Anna,\n\nI come at six.", "answers": 7}


@pytest.fixture
def post(tmp_path: Path) -> Iterator[Post]:
    made = Post(tmp_path / "post", PASSWORD)
    made.put(7, "Dinner at seven?", sender="Anna Berg <anna@example.org>", subject="Tonight")
    yield made
    made.stop()


def mind(request: Request) -> Answer:
    """A model that offers the plugin while it lacks it, then looks, reads, and drafts."""
    called = [str(turn) for turn in request.turns if turn.role == "tool"]
    if "mail_find" not in request.tools:
        return "I cannot look into your mail yet." if called else Call("wish_plugin", {"plugin": "mail"})
    if not called:
        return Call("mail_find", {"sender": "Anna"})
    if "answer her" in str(request.turns):
        return "The draft stands below." if len(called) > 1 else Call("mail_draft", DRAFT)
    return (
        "Anna asks whether dinner at seven suits you."
        if "Dinner at seven?" in called[-1]
        else Call("mail_read", {"mail": 7})
    )


def test_from_a_question_to_a_mail_that_is_sent_once(
    program: Program, telegram: TelegramEmulator, llm: LLMEmulator, post: Post
) -> None:
    program.set(FUROSHIKI_PLUGIN_LOCAL_HOSTS=f"{post.imap},{post.smtp}", SSL_CERT_FILE=str(post.certificate))
    llm.when(lambda asked: asked.schema is None and bool(asked.tools), mind)
    listener = program.listening()
    chat = Chat(program, telegram)
    offered = chat.says("have I got mail from Anna?")
    assert offered.startswith("Should I be able to look into your mail, and write drafts?")
    assert chat.taps("Yes") == "What is your mail address?"
    chat.says(post.user)
    chat.says(post.imap)
    assert "Send me the password" in chat.says(post.smtp)
    assert chat.says(PASSWORD) == "Your mail: it is on, and works. Ask me."
    assert all(PASSWORD not in one.text for one in telegram.chat()), "its message was taken out of the chat"
    assert chat.says("have I got mail from Anna now?") == "Anna asks whether dinner at seven suits you."
    draft = chat.says("answer her that I come at six")
    assert draft.startswith("Reply to anna@example.org\nSubject: Re: Tonight\n\nHi Anna,") and post.sent == []
    assert chat.taps("Send") == "Sent to anna@example.org."
    assert [one.to for one in post.sent] == [["anna@example.org"]]
    assert PASSWORD not in listener.log
    held = [one for one in program.data.rglob("*") if one.is_file() and PASSWORD.encode() in one.read_bytes()]
    assert held == [program.data / ".env"]

    post.confirms.clear()
    assert chat.says("answer her that I come at six, again").startswith("Reply to anna@example.org")
    asked = newest(telegram)
    send = next(one["callback_data"] for row in asked.buttons for one in row if one["text"] == "Send")
    telegram.press(asked.id, send)
    program.wait_for(lambda: len(post.sent) == 2, 60, "the server has the mail")
    listener.kill()
    post.confirms.set()
    program.listening()
    telegram.wait_for(lambda: newest(telegram).id > asked.id)
    assert newest(telegram).text.startswith("The connection broke while sending: I do not know whether it went out")
    assert len(post.sent) == 2, "it is not sent again"
