"""Updates of every kind become envelopes that keep what was said, by whom, and about what."""

from __future__ import annotations

import json
from typing import Any

import pytest
from aiogram.enums import ContentType
from aiogram.types import Message
from hypothesis import given, settings
from hypothesis import strategies as st

from furoshiki.channels.telegram.contents import _ABOUT, _SERVICE
from furoshiki.channels.telegram.updates import Incoming, Me, read
from furoshiki.messages import events
from furoshiki.messages.channels import chat_and_topic
from furoshiki.messages.events import Press, Reaction
from furoshiki.messages.values import NewEnvelope

pytestmark = pytest.mark.slow

ME = Me(70, "furoshiki_bot")
ROBIN = {
    "id": 7,
    "is_bot": False,
    "first_name": "Robin",
    "last_name": "Hale",
    "username": "robin",
    "language_code": "en",
}
CHAT = {"id": 7, "type": "private", "first_name": "Robin"}
GROUP = {"id": -100, "type": "group", "title": "Friends"}
FILE = {"file_id": "F", "file_unique_id": "U", "file_size": 9}


def update(kind: str = "message", number: int = 1, **fields: Any) -> dict[str, Any]:
    body = {"message_id": 11, "from": ROBIN, "chat": CHAT, "date": 1_790_000_000, **fields}
    return {"update_id": number, kind: body}


def incoming(given_update: dict[str, Any]) -> Incoming:
    found = read(given_update, ME)
    assert found is not None
    return found


def kept(envelope: NewEnvelope) -> dict[str, Any]:
    """As the inbox keeps it, and as it is read again."""
    found: dict[str, Any] = json.loads(json.dumps(events.dump(envelope.event)))
    assert events.dump(events.read(envelope.kind, found)) == found
    return found


def payload(**fields: Any) -> dict[str, Any]:
    envelope = incoming(update(**fields)).envelope
    assert envelope is not None
    return {"kind": envelope.kind, **kept(envelope)}


def test_a_text_says_who_where_and_when() -> None:
    found = payload(text="hello")
    assert found == {
        "kind": "text",
        "chat_id": 7,
        "private": True,
        "message_id": 11,
        "at": "2026-09-21T14:13:20.000000+00:00",
        "name": "Robin Hale",
        "username": "robin",
        "language": "en",
        "text": "hello",
    }


@pytest.mark.parametrize(
    ("fields", "kind", "described", "attachment"),
    [
        ({"voice": {**FILE, "duration": 3}}, "voice", "a voice note of 3 s", "audio/ogg"),
        ({"audio": {**FILE, "title": "Song", "performer": "Ann"}}, "audio", "a piece of audio “Song” by Ann", None),
        ({"video": {**FILE, "mime_type": "video/mp4"}}, "video", "a video", "video/mp4"),
        ({"video_note": {**FILE, "length": 240}}, "video_note", "a round video note", "video/mp4"),
        ({"animation": FILE, "document": FILE}, "video", "an animation", "video/mp4"),
        ({"document": {**FILE, "file_name": "a.pdf"}}, "document", "a file “a.pdf”", None),
        ({"sticker": {**FILE, "emoji": "🎉"}}, "sticker", "a sticker 🎉", "image/webp"),
        ({"photo": [{**FILE, "width": 9, "height": 9}, {**FILE, "file_id": "big", "width": 90, "height": 90}]},
         "photo", "a photo", "image/jpeg"),
    ],
)  # fmt: skip
def test_files_say_what_they_are_and_where_to_fetch_them(
    fields: dict[str, Any], kind: str, described: str, attachment: str | None
) -> None:
    found = payload(**fields)
    assert (found["kind"], found["described"]) == (kind, described)
    assert found["attachment"]["file_id"] == ("big" if kind == "photo" else "F")
    assert found["attachment"].get("media_type") == attachment


@pytest.mark.parametrize(
    ("fields", "kind", "described"),
    [
        ({"location": {"latitude": 52.5, "longitude": 13.4}}, "location", "a location: 52.50000, 13.40000"),
        ({"venue": {"location": {"latitude": 1, "longitude": 2}, "title": "Café", "address": "Main St"},
          "location": {"latitude": 1, "longitude": 2}}, "location", "a place: Café, Main St"),
        ({"contact": {"first_name": "Ada", "phone_number": "+49"}}, "contact", "a contact: Ada, +49"),
        ({"poll": {"question": "Tea?", "options": [{"text": "yes"}], "type": "quiz"}}, "poll", "a quiz: Tea? (yes)"),
        ({"dice": {"emoji": "🎲", "value": 4}}, "dice", "a thrown 🎲 that shows 4"),
        ({"story": {"id": 1}}, "other", 'something Telegram calls "story"'),
        ({"a_kind_of_next_year": {}}, "other", 'something Telegram calls "a_kind_of_next_year"'),
    ],
)  # fmt: skip
def test_what_is_no_file_is_described_in_words(fields: dict[str, Any], kind: str, described: str) -> None:
    found = payload(**fields)
    assert (found["kind"], found["described"]) == (kind, described)


def test_replies_quotes_forwards_albums_and_links_are_kept() -> None:
    ours = {"message_id": 5, "from": {"id": 70, "is_bot": True}, "chat": CHAT, "date": 1, "text": "earlier"}
    found = payload(text="yes", reply_to_message=ours, quote={"text": "earl", "position": 0})
    assert found["reply_to"] == {"message_id": 5, "text": "earlier", "ours": True, "quote": "earl"}
    found = payload(text="see", forward_origin={"type": "hidden_user", "date": 0, "sender_user_name": "Ann"})
    assert found["forwarded"]["from"] == "Ann"
    assert payload(caption="x", photo=[FILE], media_group_id="9")["album"] == "9"
    entities = [{"type": "url", "offset": 2, "length": 13}, {"type": "text_link", "offset": 0, "length": 1, "url": "u"}]
    assert payload(text="😀http://a.b/cd", entities=entities)["links"] == ["http://a.b/cd", "u"]


def test_commands_and_pairing_codes() -> None:
    command = {"type": "bot_command", "offset": 0, "length": 6}
    assert payload(text="/quiet 2h", entities=[command])["command"] == {"name": "quiet", "args": "2h"}
    start = incoming(update(text="/start 123456", entities=[command]))
    assert start.start_code == "123456"
    assert start.envelope is not None and "123456" not in json.dumps(kept(start.envelope))


def test_an_edit_is_an_edit_of_something() -> None:
    found = payload(text="new", edit_date=1_790_000_050)
    assert (found["kind"], found["was"]) == ("edit", "text")


def test_reactions_and_buttons_name_the_message_they_are_about_but_claim_no_id() -> None:
    update_ = {"update_id": 2, "message_reaction": {
        "chat": CHAT, "message_id": 5, "user": ROBIN, "date": 1,
        "old_reaction": [{"type": "emoji", "emoji": "👍"}],
        "new_reaction": [{"type": "emoji", "emoji": "❤"}, {"type": "custom_emoji", "custom_emoji_id": "1"}],
    }}  # fmt: skip
    envelope = incoming(update_).envelope
    assert envelope is not None and envelope.priority == "background"
    reaction = envelope.event
    assert isinstance(reaction, Reaction)
    assert (reaction.reacted_to, reaction.emoji, reaction.removed) == (5, ("❤", "custom_emoji"), ("👍",))
    press = {"update_id": 3, "callback_query": {
        "id": "99", "from": ROBIN, "data": "yes", "message": {"message_id": 5, "chat": CHAT, "date": 1},
    }}  # fmt: skip
    pressed = incoming(press)
    assert pressed.callback_id == "99" and pressed.envelope is not None
    assert isinstance(pressed.envelope.event, Press) and pressed.envelope.event.pressed_on == 5
    assert "message_id" not in kept(envelope) and "message_id" not in kept(pressed.envelope)


def test_stopping_and_blocking() -> None:
    stop = incoming({"update_id": 4, "stopped_message_generation": {"chat": CHAT, "draft_id": 8}})
    assert stop.stopped == (7, 8) and stop.envelope is not None and stop.envelope.priority == "urgent"
    change = {"chat": CHAT, "from": ROBIN, "date": 1,
              "old_chat_member": {"status": "member"}, "new_chat_member": {"status": "kicked"}}  # fmt: skip
    blocked = incoming({"update_id": 5, "my_chat_member": change})
    assert blocked.envelope is not None and blocked.envelope.kind == "blocked"


def test_in_groups_only_what_is_addressed_counts() -> None:
    def addressed(text: str, **fields: Any) -> bool:
        return incoming(update(chat=GROUP, text=text, **fields)).addressed

    mention = {"type": "mention", "offset": 0, "length": 14}
    assert addressed("@furoshiki_bot hi", entities=[mention])
    assert addressed("@Furoshiki_Bot hi", entities=[mention])
    assert not addressed("@somebody_else hi", entities=[mention])
    assert not addressed("hi all")
    assert addressed("/mood@furoshiki_bot", entities=[{"type": "bot_command", "offset": 0, "length": 19}])
    assert addressed("yes", reply_to_message={"message_id": 1, "from": {"id": 70}})


def test_service_notices_and_other_bots_are_nothing_to_think_about() -> None:
    assert read(update(pinned_message={"message_id": 1}), ME) is None
    assert read(update(text="beep", **{"from": {**ROBIN, "is_bot": True}}), ME) is None
    assert read({"update_id": 1, "poll_answer": {}}, ME) is None


def test_the_same_update_has_the_same_key_and_another_has_not() -> None:
    def key(**fields: Any) -> str:
        envelope = incoming(update(**fields)).envelope
        assert envelope is not None
        return envelope.external_id

    assert key(text="a") == key(text="a")
    keys = {key(text="a"), key(text="a", message_id=12), key(text="a", date=5), key(text="b", edit_date=6)}
    assert len(keys) == 4
    assert key(text="a", number=1) != key(text="a", number=2)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
FIELDS = ["message_id", "from", "chat", "date", "text", "entities", "photo", "voice", "reply_to_message", "user",
          "new_chat_member", "forward_origin", "location", "poll", "draft_id", "id", "quote"]  # fmt: skip


@settings(max_examples=120, deadline=None)
@given(
    st.sampled_from(["message", "edited_message", "callback_query", "message_reaction", "my_chat_member"]),
    st.dictionaries(st.sampled_from(FIELDS), JSON, max_size=3),
)
def test_no_update_however_odd_stops_the_line(kind: str, oddities: dict[str, Any]) -> None:
    whole = update(kind, text="hello", **{"user": ROBIN, "id": "1", "new_chat_member": {"status": "member"}})
    found = read({**whole, kind: {**whole[kind], **oddities}}, ME)
    if found is not None and found.envelope is not None:
        events.read(found.envelope.kind, json.loads(json.dumps(events.dump(found.envelope.event))))
        assert found.envelope.external_id.startswith("70/") or found.envelope.kind == "other"


def test_a_topic_is_a_conversation_of_its_own() -> None:
    assert payload(text="hi", message_thread_id=42, is_topic_message=True)["chat_id"] == "7t42"
    assert payload(text="hi", message_thread_id=42, chat=GROUP)["chat_id"] == -100, "replies in a group are no topic"
    assert payload(text="hi", message_thread_id=42, chat={**GROUP, "is_forum": True})["chat_id"] == "-100t42"
    press = {"update_id": 3, "callback_query": {
        "id": "99", "from": ROBIN, "data": "yes",
        "message": {"message_id": 5, "chat": CHAT, "date": 1, "message_thread_id": 42, "is_topic_message": True},
    }}  # fmt: skip
    envelope = incoming(press).envelope
    assert envelope is not None and envelope.event.chat_id == "7t42"
    assert incoming(press).chat_id == 7


@pytest.mark.parametrize(
    ("conversation", "found"),
    [
        ("7", ("7", None)),
        (-100, ("-100", None)),
        ("-100t42", ("-100", 42)),
        ("console", ("console", None)),
        ("7t²", ("7t²", None)),
        ("7t", ("7t", None)),
        ("import:telegram/t5", ("import:telegram/t5", None)),
    ],
)
def test_a_conversation_names_its_chat_and_topic(conversation: str | int, found: tuple[str, int | None]) -> None:
    assert chat_and_topic(conversation) == found


def test_a_reply_says_whose_words_it_is_about() -> None:
    theirs = {"message_id": 5, "from": {"id": 9, "first_name": "Ann"}, "chat": CHAT, "date": 1, "text": "I resign"}
    assert payload(text="why?", reply_to_message=theirs)["reply_to"]["who"] == "Ann"
    mine = {**theirs, "from": ROBIN}
    assert payload(text="why?", reply_to_message=mine)["reply_to"]["own"] is True
    photo = {"message_id": 6, "from": ROBIN, "chat": CHAT, "date": 1, "caption": "attic", "photo": [FILE]}
    held = payload(text="where?", reply_to_message=photo)["reply_to"]["message"]
    assert (held["kind"], held["text"], held["attachment"]["file_id"]) == ("photo", "attic", "F")
    channel = {"origin": {"type": "channel", "chat": {"id": -5, "title": "News"}, "date": 1}, "photo": [FILE]}
    found = payload(text="true?", external_reply=channel, quote={"text": "it rains", "position": 0})["reply_to"]
    assert (found["who"], found["quote"], found["message"]["kind"]) == ("News", "it rains", "photo")


def test_the_message_that_opened_a_topic_is_nothing_replied_to() -> None:
    opened = {"message_id": 42, "from": ROBIN, "chat": CHAT, "date": 1, "forum_topic_created": {"name": "Work"}}
    assert "reply_to" not in payload(text="hi", reply_to_message=opened, message_thread_id=42, is_topic_message=True)


def test_a_checklist_is_read() -> None:
    tasks = [{"id": 1, "text": "milk"}, {"id": 2, "text": "bread", "completion_date": 5}]
    found = payload(checklist={"title": "Groceries", "tasks": tasks})
    assert (found["kind"], found["text"]) == ("text", "Groceries\n☐ milk\n☑ bread")


def test_a_rich_message_is_read_and_its_quotations_are_not_its_senders() -> None:
    blocks = [
        {"type": "heading", "text": "Trip", "size": 1},
        {"type": "paragraph", "text": ["I take the ", {"type": "bold", "text": "night train"}, "."]},
        {"type": "list", "items": [{"label": "•", "blocks": [{"type": "paragraph", "text": "socks"}]}]},
        {"type": "blockquote", "blocks": [{"type": "paragraph", "text": "I live in Rome"}], "credit": "Ann"},
        {"type": "table", "cells": [[{"text": "a"}, {"text": "b"}], [{"text": "1"}, {"text": "2"}]]},
        {"type": "photo", "photo": [FILE], "caption": {"text": "the view"}},
    ]
    found = payload(rich_message={"blocks": blocks})
    assert found["text"] == (
        "Trip\nI take the night train.\n• socks\nI live in Rome\nAnn\na | b\n1 | 2\n[a photo]\nthe view"
    )
    assert [found["text"][start:end] for start, end in found["quoted"]] == ["I live in Rome\nAnn", "[a photo]"]


@pytest.mark.parametrize("kind", sorted({content.value for content in ContentType} - {"unknown", "any"}))
def test_every_kind_of_message_is_heard_or_silent(kind: str) -> None:
    place = {"latitude": 1, "longitude": 1}
    held: Any = {**FILE, **place, "title": "t", "tasks": [], "blocks": [], "location": place}
    if kind in ("photo", "text"):
        held = [FILE] if kind == "photo" else "hi"
    found = read(update(**{kind: held}), ME)
    assert (found is None) == (kind in _SERVICE)


def test_fields_about_a_message_are_not_taken_for_what_it_holds() -> None:
    known = _ABOUT | _SERVICE | {content.value for content in ContentType} | {"from_user"}
    left = {name for name in Message.model_fields if not name.startswith("forward_")} - known
    assert not left
