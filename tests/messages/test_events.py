"""Events: read as rows hold them, also rows of earlier versions, and written so that nothing is lost."""

from __future__ import annotations

import json
import string
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from furoshiki.memory.perception.attachments import zone_at
from furoshiki.messages import events
from furoshiki.messages.events import (
    Attachment,
    Blocked,
    Command,
    Contact,
    Dice,
    Edit,
    Event,
    File,
    Forwarded,
    Group,
    Hello,
    Message,
    Place,
    Poll,
    Press,
    Reaction,
    ReplyTo,
    Sticker,
    Stop,
    Unblocked,
)  # fmt: skip

AT = "2026-09-21T14:13:20.000000+00:00"
NOON = datetime(2026, 9, 21, 14, 13, 20, tzinfo=UTC)
WHO: dict[str, Any] = {"name": "Robin Hale", "username": "robin", "language": "en"}
HERE: dict[str, Any] = {"chat_id": 7, "private": True}
SAID: dict[str, Any] = {**HERE, "message_id": 11, "at": AT, **WHO}
PHOTO = {"file_id": "F", "media_type": "image/jpeg", "size": 9, "width": 90, "height": 60}
MESSAGE: dict[str, Any] = {
    "chat_id": 7, "private": True, "message_id": 11, "at": NOON, "name": "Robin Hale", "username": "robin",
    "language": "en",
}  # fmt: skip

STORED: list[tuple[str, dict[str, Any], Event]] = [
    ("text", {**SAID, "text": "hello"}, Message(**MESSAGE, text="hello")),
    (
        "text",
        {"chat_id": "console", "private": True, "at": AT, "message_id": "c1", "text": "hi"},
        Message(chat_id="console", private=True, at=NOON, message_id="c1", text="hi"),
    ),
    ("hello", {"chat_id": "console", "text": "", "private": True, "at": AT},
     Hello(chat_id="console", private=True, at=NOON, more={"text": ""})),
    ("callback", {"chat_id": "console", "private": True, "at": AT, "data": "task.done:4"},
     Press(chat_id="console", private=True, at=NOON, data="task.done:4")),
    (
        "text",
        {**SAID, "text": "/quiet 2h", "entities": [{"type": "bot_command", "offset": 0, "length": 6}],
         "command": {"name": "quiet", "args": "2h"}, "paired_now": True},
        Message(**MESSAGE, text="/quiet 2h", entities=({"type": "bot_command", "offset": 0, "length": 6},),
                command=Command(name="quiet", args="2h"), paired_now=True),
    ),
    (
        "text",
        {**SAID, "text": "> so\nsee http://a.b", "quoted": [[0, 4]], "links": ["http://a.b"],
         "reply_to": {"message_id": 5, "text": "earlier", "ours": True, "quote": "earl"}},
        Message(**MESSAGE, text="> so\nsee http://a.b", quoted=((0, 4),), links=("http://a.b",),
                reply_to=ReplyTo(message_id=5, text="earlier", ours=True, quote="earl")),
    ),
    (
        "text",
        {**SAID, "chat_id": -100, "private": False, "group": {"id": -100, "title": "Friends"}, "text": "see",
         "forwarded": {"from": "Ann", "at": None}},
        Message(**MESSAGE | {"chat_id": -100, "private": False}, group=Group(id=-100, title="Friends"), text="see",
                forwarded=Forwarded(who="Ann")),
    ),
    ("text", {**SAID, "text": "a joke", "via": "gif_bot", "album": "9"},
     Message(**MESSAGE, text="a joke", via="gif_bot", album="9")),
    ("photo", {**SAID, "text": "look", "attachment": PHOTO, "described": "a photo"},
     Message(**MESSAGE, kind="photo", text="look", described="a photo",
             attachment=File(file_id="F", media_type="image/jpeg", size=9, width=90, height=60))),
    ("voice", {**SAID, "text": "", "attachment": {"file_id": "F", "media_type": "audio/ogg", "duration": 3},
               "described": "a voice note of 3 s"},
     Message(**MESSAGE, kind="voice", described="a voice note of 3 s",
             attachment=File(file_id="F", media_type="audio/ogg", duration=3))),
    ("document", {**SAID, "text": "", "attachment": {"file_id": "F", "name": "a.pdf", "size": 9}},
     Message(**MESSAGE, kind="document", attachment=File(file_id="F", name="a.pdf", size=9))),
    ("sticker", {**SAID, "text": "", "attachment": {"file_id": "F", "emoji": ""}},
     Message(**MESSAGE, kind="sticker", attachment=Sticker(file_id="F", emoji=""))),
    ("location", {**SAID, "text": "", "attachment": {"latitude": 52.5, "longitude": 13.4, "live": True}},
     Message(**MESSAGE, kind="location", attachment=Place(latitude=52.5, longitude=13.4, live=True))),
    ("location", {**SAID, "text": "",
                  "attachment": {"latitude": 1.0, "longitude": 2.0, "title": "Café", "address": "Main St"}},
     Message(**MESSAGE, kind="location",
             attachment=Place(latitude=1.0, longitude=2.0, title="Café", address="Main St"))),
    ("contact", {**SAID, "text": "", "attachment": {"name": "Ada", "phone": "+49"}},
     Message(**MESSAGE, kind="contact", attachment=Contact(name="Ada", phone="+49"))),
    ("poll", {**SAID, "text": "", "attachment": {"question": "Tea?", "options": ["yes", "no"]}},
     Message(**MESSAGE, kind="poll", attachment=Poll(question="Tea?", options=("yes", "no")))),
    ("dice", {**SAID, "text": "", "attachment": {"emoji": "🎲", "value": 4}},
     Message(**MESSAGE, kind="dice", attachment=Dice(emoji="🎲", value=4))),
    ("other", {**SAID, "text": "", "attachment": {"name": "story"}},
     Message(**MESSAGE, kind="other", attachment=Attachment(name="story"))),
    ("other", {**HERE, "text": "", "described": "an unreadable message"},
     Message(kind="other", **HERE, described="an unreadable message")),
    ("edit", {**SAID, "text": "new", "was": "photo", "attachment": PHOTO},
     Edit(**MESSAGE, text="new", was="photo",
          attachment=File(file_id="F", media_type="image/jpeg", size=9, width=90, height=60))),
    ("text", {**SAID, "text": "new", "was": "text"},
     Message(**MESSAGE, text="new", more={"was": "text"})),
    ("reaction", {**HERE, **WHO, "reacted_to": 5, "at": AT, "emoji": ["❤"], "removed": ["👍"], "text": ""},
     Reaction(**HERE, **WHO, reacted_to=5, at=NOON, emoji=("❤",), removed=("👍",), more={"text": ""})),
    ("callback", {**HERE, **WHO, "pressed_on": 5, "callback_id": "99", "data": "yes", "text": ""},
     Press(**HERE, **WHO, pressed_on=5, callback_id="99", data="yes", more={"text": ""})),
    ("blocked", {**HERE, **WHO, "at": AT, "text": ""}, Blocked(**HERE, **WHO, at=NOON, more={"text": ""})),
    ("unblocked", {**HERE, **WHO, "at": AT, "text": ""}, Unblocked(**HERE, **WHO, at=NOON, more={"text": ""})),
    ("stop", {**HERE, "draft_id": 8, "text": ""}, Stop(**HERE, draft_id=8, more={"text": ""})),
]  # fmt: skip
"""Rows as they were kept while an event was a mapping, and the events they are."""


@pytest.mark.parametrize(("kind", "row", "event"), STORED)
def test_a_row_from_before_is_read_and_nothing_of_it_is_lost(kind: str, row: dict[str, Any], event: Event) -> None:
    found = events.read(kind, row)
    assert found == event
    assert found.kind == kind
    assert events.dump(found) == row


ODD: list[tuple[str, dict[str, Any], Event]] = [
    ("text", {}, Message()),
    ("edit", {}, Edit()),
    ("reaction", {}, Reaction()),
    ("callback", {}, Press()),
    ("text", {"chat_id": None, "text": None, "attachment": None, "forwarded": {}, "reply_to": {}}, Message(via=None)),
    ("text", {"at": "yesterday", "text": 5, "attachment": "a file"}, Message(text="5")),
    ("text", {"quoted": [[0, 4], [1], "x", ["a", "b"]], "links": "http://a.b"}, Message(quoted=((0, 4),))),
    ("text", {"forwarded": "Anika"}, Message(forwarded=Forwarded())),
    ("document", {"attachment": {"size": "large", "name": "a.txt"}},
     Message(kind="document", attachment=File(name="a.txt"))),
    ("location", {"attachment": {"latitude": "north", "longitude": 1}},
     Message(kind="location", attachment=Place(longitude=1))),
    ("video_of_next_year", {"text": "see", "attachment": {"file_id": "F"}},
     Message(kind="video_of_next_year", text="see", attachment=File(file_id="F"))),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "row", "event"), ODD)
def test_what_is_missing_or_of_another_kind_has_its_default(kind: str, row: dict[str, Any], event: Event) -> None:
    assert events.read(kind, row) == event


def test_what_nobody_knows_is_kept() -> None:
    row = {"chat_id": 7, "text": "hi", "mood": "blue", "attachment": {"file_id": "F", "codec": "opus"}}
    found = events.read("voice", row)
    assert found.more == {"mood": "blue"}
    assert events.dump(found) == row


def test_of_an_attachment_all_is_kept_but_where_to_fetch_it() -> None:
    attachment = File(file_id="F", name="a.pdf", size=9, more={"pages": 3})
    assert events.facts(attachment) == {"name": "a.pdf", "size": 9, "pages": 3}


@pytest.mark.parametrize(("kind", "row", "_event"), STORED)
def test_without_its_words_it_says_where_it_came_from(kind: str, row: dict[str, Any], _event: Event) -> None:
    found = events.dump(events.without_words(events.read(kind, row)))
    place = {key: value for key, value in row.items() if key in ("chat_id", "message_id", "private", "at")}
    empty = {"edit": {"text": "", "was": "text"}, "callback": {"data": ""}, "hello": {}, "reaction": {}, "blocked": {}}
    assert found == place | empty.get(kind, {} if kind in ("unblocked", "stop") else {"text": ""})


def test_an_edit_is_the_message_as_it_reads_now() -> None:
    said = Message(**MESSAGE, kind="photo", text="look", attachment=File(file_id="F"))
    edit = Edit.of(said)
    assert (edit.kind, edit.holds, said.holds) == ("edit", "photo", "photo")
    assert edit.as_message() == said


@pytest.mark.parametrize(
    ("said", "typed", "passed_on"),
    [
        (Message(text="hi"), True, False),
        (Message(kind="voice"), False, False),
        (Message(attachment=Attachment()), False, False),
        (Message(forwarded=Forwarded()), False, True),
        (Message(via="gif_bot"), False, True),
        (Edit(text="hi"), False, False),
    ],
)
def test_whose_words_they_are(said: Message, typed: bool, passed_on: bool) -> None:
    assert (said.typed, said.passed_on) == (typed, passed_on)


def test_a_place_without_numbers_has_no_zone() -> None:
    found = events.read("location", {"attachment": {"latitude": "north", "longitude": True}})
    assert isinstance(found, Message) and isinstance(found.attachment, Place)
    assert zone_at(found.attachment) is None


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**9), 10**9) | st.text(max_size=5) | st.floats(allow_nan=False),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(string.ascii_letters, max_size=5), inner),
    max_leaves=6,
)
KINDS = sorted({kind for kind, _, _ in STORED} | {"audio", "video", "video_note"})
KEYS = sorted({key for _, row, _ in STORED for key in row} | {"unheard_of"})
PARTS = sorted({key for _, row, _ in STORED for part in row.values() if isinstance(part, dict) for key in part})
ROWS = st.dictionaries(st.sampled_from(KEYS), JSON | st.dictionaries(st.sampled_from(PARTS), JSON), max_size=8)


@given(st.sampled_from(KINDS), ROWS)
@example("text", {"reply_to": {"message_id": None}})
def test_no_row_however_odd_is_unreadable_and_what_is_written_is_read_as_the_same(
    kind: str, row: dict[str, Any]
) -> None:
    found = events.read(kind, row)
    kept = json.loads(json.dumps(events.dump(found)))
    assert events.read(kind, kept) == found
    assert events.dump(events.read(kind, kept)) == kept
