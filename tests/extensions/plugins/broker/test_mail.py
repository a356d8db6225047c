"""A mailbox is read and never changed, and only what was tapped on is sent: a real session with servers on loopback."""

from __future__ import annotations

import base64
import logging
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from furoshiki.extensions.plugins.broker import mail
from furoshiki.extensions.plugins.broker.caller import Caller
from furoshiki.extensions.plugins.rules import hosts
from furoshiki.extensions.plugins.rules import mail as rules
from furoshiki.extensions.plugins.rules.asking import Refused
from furoshiki.extensions.plugins.values import Permissions
from tests.emulators import mail as emulator

NOW = datetime(2026, 11, 23, 9, tzinfo=UTC)
WORDS = {"to": "anna@example.org", "subject": "Tonight", "text": "I come at six.\n"}


@pytest.fixture
def post(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[emulator.Post]:
    made = emulator.Post(tmp_path / "post")
    monkeypatch.setenv("SSL_CERT_FILE", str(made.certificate))
    yield made
    made.stop()


def theirs(post: emulator.Post, tapped: dict[str, Any] | None = None, **settings: str) -> mail.Post:
    """What the plugin of the mailbox's owner may do."""
    own = {"ADDRESS": post.user, "IMAP": post.imap, "SMTP": post.smtp, **settings}
    caller = Caller("mail", Permissions(read_mail=True, send_mail=True), own, (), post.password, tapped)
    return mail.Post(caller, hosts.places(f"{post.imap},{post.smtp}"), NOW)


def test_the_newest_that_fit_are_found_and_nothing_is_changed(post: emulator.Post) -> None:
    post.put(3, "Dinner at seven?", sender="Anna Berg <anna@example.org>", subject="Tonight")
    post.put(4, "Your parcel", sender="shop@example.com", subject='Say "yes"')
    post.put(7, "And bring wine", sender="Anna Berg <anna@example.org>", subject="Wein für später")
    post.seen = {3}
    found = mail.find(theirs(post), {"sender": "anna"})
    assert [(one["uid"], one["seen"]) for one in found] == [(7, False), (3, True)]
    assert b"anna@example.org" in base64.b64decode(found[0]["head"]) and found[0]["size"] == len(post.inbox[7])
    assert [one["uid"] for one in mail.find(theirs(post), {"unread": True, "most": 1})] == [7]
    assert [one["uid"] for one in mail.find(theirs(post), {"subject": 'say "yes"\r\n* STORE'})] == []
    assert [one["uid"] for one in mail.find(theirs(post), {"subject": "für", "since": "2026-11-01"})] == [7]
    assert mail.fetch(theirs(post), 7) == post.inbox[7]
    assert post.changed == [], "nothing is marked, moved or opened to be written"


def test_a_mail_that_is_gone_or_a_number_that_is_none_is_refused(post: emulator.Post) -> None:
    for number in (5, 0, "3", None, 1 << 40):
        with pytest.raises(Refused):
            mail.fetch(theirs(post), number)


@pytest.mark.parametrize("starttls", [False, True])
def test_what_was_tapped_on_is_sent_once_with_its_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, starttls: bool
) -> None:
    post = emulator.Post(tmp_path / "post", starttls=starttls)
    monkeypatch.setenv("SSL_CERT_FILE", str(post.certificate))
    if starttls:
        monkeypatch.setattr(rules, "STARTTLS", frozenset({post.smtp_port}))
    mail.send(theirs(post, WORDS), {**WORDS, "answers": ["<7@example.org>", "no id\r\nBcc: x@example.org"]})
    [sent] = post.sent
    assert (sent.sender, sent.to) == (post.user, ["anna@example.org"])
    assert sent.mail["Subject"] == "Tonight" and sent.mail.get_content().split("\r\n") == ["I come at six.", ""]
    assert sent.mail["In-Reply-To"] == "<7@example.org>" and sent.mail["Bcc"] is None
    assert post.logins == [True]
    post.stop()


@pytest.mark.parametrize(
    ("tapped", "words"),
    [
        (None, WORDS),
        (WORDS, {**WORDS, "text": "I do not come."}),
        (WORDS, {**WORDS, "to": "eve@example.org"}),
        ({**WORDS, "to": "a@b.org, eve@example.org"}, {**WORDS, "to": "a@b.org, eve@example.org"}),
        ({**WORDS, "subject": "x\r\nBcc: eve@example.org"}, {**WORDS, "subject": "x\r\nBcc: eve@example.org"}),
        ({**WORDS, "text": "x" * 3000}, {**WORDS, "text": "x" * 3000}),
    ],
)
def test_what_was_not_tapped_on_or_is_no_mail_is_not_sent(
    post: emulator.Post, tapped: dict[str, Any] | None, words: dict[str, Any]
) -> None:
    with pytest.raises(Refused):
        mail.send(theirs(post, tapped), words)
    assert post.sent == [] and post.logins == []


def test_each_failure_is_said_in_our_words_and_the_password_stands_nowhere(
    post: emulator.Post, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    wrong = theirs(post, WORDS)
    wrong = replace(wrong, caller=replace(wrong.caller, password="hunter2-hunter2"))
    for call, args in (("find_mail", {}), ("send_mail", WORDS)):
        with pytest.raises(Refused, match=r"^The mail server did not take the user and the password\.$"):
            mail.do(call, args, wrong)
    post.refuses = frozenset({"anna@example.org"})
    with pytest.raises(Refused, match="rejected the recipient's address"):
        mail.send(theirs(post, WORDS), WORDS)
    post.refuses, post.drops = frozenset(), True
    with pytest.raises(Refused, match="do not know whether it went out"):
        mail.send(theirs(post, WORDS), WORDS)
    post.stop()
    assert "hunter2" not in caplog.text and post.password not in caplog.text
    assert "hunter2" not in repr(wrong), "nor in what a traceback shows"


def test_a_server_that_cannot_prove_who_it_is_is_told_no_password(
    post: emulator.Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SSL_CERT_FILE")
    with pytest.raises(Refused, match="cannot be reached"):
        mail.find(theirs(post), {})
    assert post.logins == []


def test_servers_in_a_network_that_nobody_named_are_not_gone_to(post: emulator.Post) -> None:
    with pytest.raises(hosts.NotAllowed, match="inside the owner's network"):
        mail.find(replace(theirs(post), local=()), {})
    with pytest.raises(hosts.NotAllowed, match="is no host"):
        mail.find(theirs(post, IMAP="two words"), {})
