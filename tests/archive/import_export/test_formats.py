"""Exports of other programs: what they hold becomes turns, each once, and the owner's words count as the user's."""

from __future__ import annotations

import json
import tracemalloc
import zipfile
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from furoshiki.archive.import_export.importing import Imported, NotImportable, Wish, import_file
from furoshiki.language import testimony
from furoshiki.memory.store import tombstones
from tests.support.exports import (
    ANIKA,
    BOB,
    OWNER,
    account,
    chat,
    claude,
    claude_message,
    gpt,
    gpt_node,
    message,
    service,
)
from tests.support.recall import Memory

NOW = datetime(2026, 3, 14, tzinfo=UTC)


class Desk:
    """A memory, and files to be taken into it."""

    def __init__(self, memory: Memory, folder: Path) -> None:
        self.memory = memory
        self.folder = folder

    def take(self, value: Any, name: str = "result.json", **wish: Any) -> Imported:
        path = self.folder / name
        path.write_text(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=1))
        return import_file(self.memory.database, path, wish=Wish(**wish))

    @property
    def rows(self) -> list[dict[str, Any]]:
        with self.memory.database.read() as db:
            return [dict(row) for row in db.execute("SELECT * FROM turns ORDER BY id")]

    @property
    def said(self) -> list[tuple[str, str]]:
        return [(row["speaker"], row["text"]) for row in self.rows]


@pytest.fixture
def desk(memory: Memory, tmp_path: Path) -> Desk:
    return Desk(memory, tmp_path)


# Telegram


def test_a_chat_between_two_tells_who_is_the_owner(desk: Desk) -> None:
    done = desk.take(
        chat(
            message(1, "2024-05-01T10:00:00", ANIKA, "Are you coming?"),
            service(2, "2024-05-01T10:00:30"),
            message(3, "2024-05-01T10:01:00", OWNER, "At eight.", reply_to_message_id=1),
        )
    )
    assert (done.format, done.source, done.added) == ("telegram", "import:telegram", 2)
    assert done.owner is not None and done.owner.name == "Noor Haddad" and "Anika" in done.owner.how
    assert done.passed_over == {"service messages": 1}
    first, second = desk.rows
    assert desk.said == [("Anika", "Are you coming?"), ("user", "At eight.")]
    assert first["at"] == "2024-05-01T08:00:00.000000+00:00", "the exact time, not the machine's clock"
    assert second["reply_to"] == first["id"]
    assert first["session_id"] == second["session_id"] == "import:telegram/222/20240501-080000"
    assert first["chat_id"] == "import:telegram/Anika"


def test_text_with_entities_is_put_together(desk: Desk) -> None:
    pieces = [
        "See ",
        {"type": "link", "text": "https://a.example"},
        " and ",
        {"type": "text_link", "text": "this", "href": "https://b.example"},
        " ",
        {"type": "bold", "text": "now"},
    ]
    desk.take(chat(message(1, "2024-05-01T10:00:00", ANIKA, pieces)))
    assert desk.said == [("Anika", "See https://a.example and this (https://b.example) now")]


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"photo": "photos/photo_1.jpg", "width": 800, "height": 600}, "[a photo]"),
        ({"media_type": "sticker", "file": "(File not included.)", "sticker_emoji": "🐙"}, "[a sticker: 🐙]"),
        ({"media_type": "voice_message", "file": "voice/1.ogg", "duration_seconds": 75}, "[a voice message, 1:15]"),
        (
            {"media_type": "audio_file", "file": "f", "performer": "Nina Simone", "title": "Sinnerman"},
            "[an audio file, Nina Simone – Sinnerman]",
        ),
        ({"file": "files/plan.pdf", "mime_type": "application/pdf"}, "[a document, plan.pdf]"),
        ({"file": "(File not included. Change data exporting settings to download.)"}, "[a document]"),
        ({"location_information": {"latitude": 38.7, "longitude": -9.1}}, "[a location: 38.7, -9.1]"),
        (
            {"location_information": {"latitude": 1, "longitude": 2}, "place_name": "Café Lua", "address": "Rua 1"},
            "[a location: Café Lua, Rua 1]",
        ),
        (
            {"contact_information": {"first_name": "Bo", "last_name": "", "phone_number": "+31 6"}},
            "[a contact: Bo +31 6]",
        ),
        (
            {"poll": {"question": "Soup?", "closed": False, "answers": [{"text": "yes"}, {"text": "no"}]}},
            "[a poll: Soup? (yes, no)]",
        ),
    ],
)
def test_what_came_with_a_message_is_said_in_words(desk: Desk, fields: dict[str, Any], words: str) -> None:
    desk.take(
        chat(
            message(1, "2024-05-01T10:00:00", ANIKA, "", **fields),
            message(2, "2024-05-01T10:00:10", ANIKA, "look", **fields),
        )
    )
    assert [text for _, text in desk.said] == [words, f"{words}\nlook"]


def test_forwarded_words_are_those_of_who_said_them_first(desk: Desk) -> None:
    desk.take(
        chat(
            message(1, "2024-05-01T10:00:00", OWNER, "I hate olives", forwarded_from="Bob"),
            message(2, "2024-05-01T10:00:10", OWNER, "Gone.", forwarded_from=None),
        )
    )
    assert desk.said == [
        ("user", "[forwarded from Bob]\nI hate olives"),
        ("user", "[forwarded from a deleted account]\nGone."),
    ]
    assert [json.loads(row["foreign_words"])[0]["kind"] for row in desk.rows] == ["forward", "forward"]


def test_quotations_and_words_of_bots_are_not_the_owners(desk: Desk) -> None:
    quoted = [{"type": "blockquote", "text": "My husband is Bob."}, "\nso she says"]
    code = [{"type": "pre", "text": "name = 'Rex'"}, " is in the file"]
    desk.take(
        chat(
            message(1, "2024-05-01T10:00:00", OWNER, quoted),
            message(2, "2024-05-01T10:00:10", OWNER, code),
            message(3, "2024-05-01T10:00:20", OWNER, "I live in Rome", via_bot="@quotesbot"),
            message(4, "2024-05-01T10:00:30", OWNER, "I live in Oslo", saved_from="Carla"),
        )
    )
    own = [
        testimony.own(row["text"], testimony.read(json.loads(row["foreign_words"]), row["text"])) for row in desk.rows
    ]
    assert own == ["so she says", "is in the file", "", ""]


def test_a_mark_of_byte_order_hides_nothing_and_a_web_page_is_named(desk: Desk) -> None:
    talk = json.dumps(chat(message(1, "2024-05-01T10:00:00", OWNER, "hi")))
    assert desk.take("\ufeff" + talk).added == 1
    with pytest.raises(NotImportable, match="Machine-readable JSON"):
        desk.take("<!DOCTYPE html><html><body>", "export")


def test_marks_for_sources_are_no_words(desk: Desk) -> None:
    words = 'Rye\ue200cite\ue202turn0search1\ue201 takes \ue200entity\ue202["x", "ten hours"]\ue201【12†source】.'
    desk.take([gpt(gpt_node("u1", None, "assistant", [words], 1.0), current="u1")], "conversations.json")
    assert desk.said == [("assistant", "Rye takes ten hours.")]


def test_a_silence_begins_a_new_session(desk: Desk) -> None:
    talk = chat(message(1, "2024-05-01T10:00:00"), message(2, "2024-05-01T12:59:00"), message(3, "2024-05-01T16:00:00"))
    desk.take(talk)
    assert [row["session_id"][-6:] for row in desk.rows] == ["080000", "080000", "140000"]


def test_the_gap_can_be_chosen(desk: Desk) -> None:
    desk.take(chat(message(1, "2024-05-01T10:00:00"), message(2, "2024-05-01T10:40:00")), gap=timedelta(minutes=30))
    assert len({row["session_id"] for row in desk.rows}) == 2


def test_an_account_says_whose_it_is_and_channels_are_left_out(desk: Desk) -> None:
    done = desk.take(
        account(
            chat(message(1, "2024-05-01T10:00:00", OWNER, "milk"), kind="saved_messages", name=None, number=OWNER),
            chat(message(1, "2024-05-01T11:00:00", BOB, "Who?"), kind="private_group", name="Band", number=9),
            chat(message(2, "2024-05-01T12:00:00", OWNER, "Breaking"), kind="public_channel", name="News", number=8),
        )
    )
    assert done.owner is not None and (done.owner.id, done.owner.name) == ("user111", "Noor Haddad")
    assert desk.said == [("user", "milk"), ("Bob", "Who?")]
    assert [row["import_id"] for row in desk.rows] == ["111/1", "9/1"]
    assert desk.rows[0]["chat_id"] == "import:telegram/Saved messages"
    assert done.passed_over == {"posts of channels": 1}


def test_in_a_group_alone_nobody_is_taken_for_the_owner(desk: Desk) -> None:
    group = chat(
        *[message(n, f"2024-05-01T10:0{n}:00", who) for n, who in enumerate((BOB, BOB, BOB, OWNER, ANIKA))],
        kind="private_group",
        name="Band",
        number=9,
    )
    done = desk.take(group)
    assert done.owner is None
    assert "user" not in {speaker for speaker, _ in desk.said}


def test_who_writes_in_most_groups_is_the_owner(desk: Desk) -> None:
    groups = [
        chat(
            message(1, "2024-05-01T10:00:00", OWNER),
            message(2, "2024-05-01T10:01:00", other),
            kind="private_group",
            name=name,
            number=number,
        )
        for name, number, other in (("Band", 9, BOB), ("Choir", 10, ANIKA))
    ]
    done = desk.take(account(*groups, own=False))
    assert done.owner is not None and done.owner.id == f"user{OWNER}" and "2 of the chats" in done.owner.how


def test_a_name_says_who_the_owner_is(desk: Desk) -> None:
    group = chat(message(1, "2024-05-01T10:00:00", BOB, "mine"), kind="private_group", name="Band", number=9)
    with pytest.raises(NotImportable, match="nobody in it is called 'Rob'; there is Bob"):
        desk.take(group, me="Rob")
    assert desk.rows == []
    desk.take(group, me="bob")
    assert desk.said == [("user", "mine")]


def test_a_person_called_user_is_not_the_user(desk: Desk) -> None:
    odd = {**message(1, "2024-05-01T10:00:00"), "from": "User"}
    desk.take(chat(odd))
    assert desk.said == [("User (a name)", "hello")]


def test_a_later_export_adds_what_is_new_and_takes_edits_in(desk: Desk) -> None:
    old = [message(1, "2024-05-01T10:00:00", text="at sven"), message(2, "2024-05-01T10:01:00", text="fine")]
    desk.take(chat(*old))
    edited = message(
        1, "2024-05-01T10:00:00", text="at seven", edited="2024-05-01T10:02:00", edited_unixtime="1714550520"
    )
    later = chat(edited, old[1], message(3, "2024-05-01T10:03:00", text="see you", reply_to_message_id=1))
    done = desk.take(later, "export-2.json")
    assert (done.added, done.edited, done.known) == (1, 1, 1)
    first, _, newer, reply = desk.rows
    assert first["replaced_by"] == newer["id"] == reply["reply_to"] and newer["text"] == "at seven"
    again = desk.take(later, "export-2.json")
    assert (again.added, again.edited, again.known) == (0, 0, 3)
    older = desk.take(chat(*old), "export-1.json")
    assert (older.added, older.edited, older.known) == (0, 0, 2)


def test_without_an_exact_time_the_clock_is_read_in_the_owners_zone(desk: Desk) -> None:
    plain = message(1, "2024-07-01T10:00:00")
    del plain["date_unixtime"]
    plain["from_id"] = ANIKA  # as exports had it before 2021
    done = desk.take(
        chat(plain, {**message(2, "2024-07-01T10:01:00"), "from_id": OWNER}), zone=ZoneInfo("Europe/Lisbon")
    )
    assert desk.rows[0]["at"].startswith("2024-07-01T09:00")
    assert done.owner is not None and done.owner.id == "user111"


def test_a_bad_message_costs_only_itself(desk: Desk) -> None:
    done = desk.take(
        chat(
            message(1, "2024-05-01T10:00:00", text="before"),
            {**message(2, "2024-05-01T10:00:00"), "text": 7},
            {**message(3, "2024-05-01T10:00:00"), "date_unixtime": "noon"},
            {**message(4, "2024-05-01T10:00:00"), "id": "four"},
            "what?",
            message(6, "2024-05-01T10:05:00", text="after"),
        )
    )
    assert [text for _, text in desk.said] == ["before", "after"]
    assert [bad.place for bad in done.bad] == [
        "message 2 of “Anika” (id 2)",
        "message 3 of “Anika” (id 3)",
        "message 4 of “Anika” (id four)",
        "message 5 of “Anika”",
    ]
    assert "neither text nor a list" in done.bad[0].reason and "'noon'" in done.bad[1].reason


def test_a_file_that_breaks_off_gives_what_came_before(desk: Desk) -> None:
    whole = json.dumps(chat(*[message(n, "2024-05-01T10:00:00", text=f"m{n}") for n in range(40)]))
    done = desk.take(whole[: len(whole) // 2])
    assert 10 < done.added < 30
    [bad] = done.bad
    assert bad.place.startswith("after message") and "what came before is taken in" in bad.reason
    assert "m19" not in bad.reason, "the parser's quotation of somebody's words stays out of it"
    finished = desk.take(whole)
    assert finished.added + finished.known == 40 and finished.bad == ()


# ChatGPT


def test_only_the_current_path_of_a_tree_was_the_conversation(desk: Desk) -> None:
    done = desk.take(
        [
            gpt(
                gpt_node("root", None, None, None),
                gpt_node(
                    "sys", "root", "system", [""], 1700000001, metadata={"is_visually_hidden_from_conversation": True}
                ),
                gpt_node("u1", "sys", "user", ["How long does rye proof?"], 1700000010.25),
                gpt_node("a-old", "u1", "assistant", ["A week."], 1700000020),
                gpt_node("a1", "u1", "assistant", ["About ten hours."], 1700000030),
                gpt_node("t1", "a1", "tool", ["results"], 1700000031),
                gpt_node("call", "t1", "assistant", ["search()"], 1700000032, recipient="browser"),
                gpt_node(
                    "think",
                    "call",
                    "assistant",
                    None,
                    1700000033,
                    content={"content_type": "thoughts", "thoughts": [{"content": "hm"}]},
                ),
                gpt_node(
                    "u2",
                    "think",
                    "user",
                    None,
                    None,
                    content={
                        "content_type": "multimodal_text",
                        "parts": [{"content_type": "image_asset_pointer", "asset_pointer": "x"}, "Is this ready?"],
                    },
                    metadata={"attachments": [{"name": "notes.txt", "mime_type": "text/plain"}]},
                ),
                current="u2",
            )
        ],
        "conversations.json",
    )
    assert (done.format, done.source) == ("chatgpt", "import:chatgpt")
    assert desk.said == [
        ("user", "How long does rye proof?"),
        ("assistant", "About ten hours."),
        ("user", "[a document, notes.txt]\n[a picture]\nIs this ready?"),
    ]
    assert desk.rows[0]["at"] == "2023-11-14T22:13:30.250000+00:00"
    assert desk.rows[2]["at"] == desk.rows[1]["at"], "without a time it was said when the one before was"
    assert {row["session_id"] for row in desk.rows} == {"import:chatgpt/c-1"}
    assert done.passed_over == {
        "hidden and system messages": 1,
        "calls of tools and their results": 2,
        "thoughts and context of the model": 1,
    }
    assert desk.take([gpt(gpt_node("u1", None, "user", ["How long?"], 1.0), current="u1")], "x.json").added == 0


def test_a_tree_without_a_current_node_ends_at_its_newest_leaf(desk: Desk) -> None:
    desk.take(
        [
            gpt(
                gpt_node("u", None, "user", ["hi"], 10),
                gpt_node("a", "u", "assistant", ["old"], 11),
                gpt_node("b", "u", "assistant", ["new"], 12),
                current=None,
            )
        ],
        "conversations.json",
    )
    assert [text for _, text in desk.said] == ["hi", "new"]


def test_a_broken_conversation_costs_only_itself(desk: Desk) -> None:
    circle = gpt(gpt_node("a", "b", "user", ["x"], 1), gpt_node("b", "a", "user", ["y"], 2), current="a")
    good = gpt(gpt_node("u", None, "user", ["hi"], 10), current="u", conversation_id="c-2", id="c-2")
    nobody = gpt(gpt_node("z", None, "wizard", ["hi"], 10), current="z")
    done = desk.take([circle, 5, {**good, "id": None, "conversation_id": None}, nobody, good], "conversations.json")
    assert [bad.reason.split(":")[0] for bad in done.bad] == [
        "its messages answer each other in a circle",
        "not a conversation",
        "conversation_id missing",
        "written by an unknown author",
    ]
    assert done.bad[0].place == "conversation 1 (“Bread”)"
    assert desk.said == [("user", "hi")]


# Claude


def test_claudes_messages_become_turns(desk: Desk) -> None:
    thinking = {"type": "thinking", "thinking": "hm"}
    tool = {"type": "tool_use", "name": "search", "input": {}}
    answer = claude_message(2, "assistant", "This block is not supported")
    answer["content"] = [thinking, {"type": "text", "text": "Ten hours."}, tool, {"type": "text", "text": "Or twelve."}]
    asked = claude_message(1, "human", "How long does rye proof?", files=[{"file_name": "rye.jpg"}])
    done = desk.take([claude(asked, answer, {**claude_message(3, "human", "", content=[]), "text": ""})], "c.json")
    assert (done.format, done.added) == ("claude", 2)
    assert desk.said == [
        ("user", "[a document, rye.jpg]\nHow long does rye proof?"),
        ("assistant", "Ten hours.\nOr twelve."),
    ]
    assert desk.rows[0]["import_id"] == "m-1" and desk.rows[0]["session_id"] == "import:claude/k-1"
    assert desk.rows[0]["at"] == "2025-02-01T10:01:00.000000+00:00"


def test_older_exports_of_claude_have_the_text_alone(desk: Desk) -> None:
    old = claude_message(1, "human", "hi")
    del old["content"]
    desk.take([claude(old)], "conversations.json")
    assert desk.said == [("user", "hi")]


def test_of_claudes_branches_only_the_path_to_the_leaf_counts(desk: Desk) -> None:
    messages = [
        claude_message(1, "human", "hi", parent_message_uuid="root"),
        claude_message(2, "assistant", "left", parent_message_uuid="m-1"),
        claude_message(3, "assistant", "right", parent_message_uuid="m-1"),
    ]
    desk.take([claude(*messages, current_leaf_message_uuid="m-3")], "conversations.json")
    assert [text for _, text in desk.said] == ["hi", "right"]


@pytest.mark.parametrize("parent", ["root", "m-0"])
def test_without_a_leaf_the_newest_of_claudes_branches_counts(desk: Desk, parent: str) -> None:
    messages = (
        claude_message(1, "human", "I live in Rome", parent_message_uuid=parent),
        claude_message(2, "assistant", "Rome!", parent_message_uuid="m-1"),
        claude_message(3, "human", "I live in Oslo", parent_message_uuid=parent),
        claude_message(4, "assistant", "Oslo!", parent_message_uuid="m-3"),
    )
    before = (claude_message(0, "human", "hello"),) if parent == "m-0" else ()
    desk.take([claude(*before, *messages)], "conversations.json")
    assert [text for _, text in desk.said][len(before) :] == ["I live in Oslo", "Oslo!"]


def test_bad_records_of_claude_are_named(desk: Desk) -> None:
    done = desk.take(
        [
            {"uuid": "k-0"},
            claude(
                claude_message(1, "robot", "hi"),
                {**claude_message(2, "human", "hi"), "created_at": "soon"},
                claude_message(3, "human", "good"),
            ),
        ],
        "conversations.json",
        format="claude",
    )
    assert [bad.place for bad in done.bad] == [
        "conversation 1",
        "conversation 2 (“Bread”), message 1",
        "conversation 2 (“Bread”), message 2",
    ]
    assert desk.said == [("user", "good")]


# all of them


def test_what_is_no_export_is_refused_by_name(desk: Desk) -> None:
    for text in ("{}", "[]", "hello\n", '{"a": 1}\n', ""):
        with pytest.raises(NotImportable, match=r"not an export I know.*Telegram's result\.json"):
            desk.take(text, "thing.json")


def test_json_lines_are_known_by_what_they_say(desk: Desk) -> None:
    line = {"session": "s", "at": "2024-05-01T10:00", "speaker": "Noor", "text": "hi", "id": "1"}
    done = desk.take("\ufeff{broken\n" + json.dumps(line) + "\n", "talk.txt", me="Noor")
    assert (done.format, done.added, len(done.bad)) == ("jsonl", 1, 1)
    assert desk.said == [("user", "hi")]


def test_me_makes_no_sense_where_the_owner_is_known(desk: Desk) -> None:
    with pytest.raises(NotImportable, match="leave --me out"):
        desk.take([claude(claude_message(1, "human", "hi"))], "conversations.json", me="Noor")


def test_the_folder_or_archive_an_export_came_in_will_do(desk: Desk, tmp_path: Path) -> None:
    folder = tmp_path / "ChatExport_2024-05-01"
    folder.mkdir()
    (folder / "result.json").write_text(json.dumps(chat(message(1, "2024-05-01T10:00:00"))))
    assert import_file(desk.memory.database, folder).added == 1
    archive = tmp_path / "data.zip"
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("users.json", "[]")
        packed.writestr("conversations.json", json.dumps([claude(claude_message(1, "human", "hi"))]))
    done = import_file(desk.memory.database, archive)
    assert (done.format, done.added) == ("claude", 1)
    with zipfile.ZipFile(archive, "w") as packed:
        packed.writestr("users.json", "[]")
    with pytest.raises(NotImportable, match="neither result.json nor conversations.json"):
        import_file(desk.memory.database, archive)


def test_what_was_forgotten_does_not_come_back(desk: Desk) -> None:
    talk = chat(message(1, "2024-05-01T10:00:00", OWNER, "My pin is 4711"), message(2, "2024-05-01T10:01:00"))
    desk.take(talk)
    with desk.memory.database.write() as db:
        row = db.execute("SELECT * FROM turns WHERE text LIKE '%4711%'").fetchone()
        said_at = datetime.fromisoformat(row["at"])
        tombstones.bury(db, "turn", tombstones.turn(row["speaker"], said_at, row["text"]), NOW)
        db.execute("DELETE FROM turns WHERE id=?", (row["id"],))
    done = desk.take(talk)
    assert (done.added, done.known, done.forgotten) == (0, 1, 1)
    assert desk.said == [("Anika", "hello")]


@pytest.mark.slow
def test_a_large_file_needs_little_memory(memory: Memory, tmp_path: Path) -> None:
    path = tmp_path / "result.json"
    words = "many words about nothing in particular " * 25
    big = chat(*[message(n, "2024-05-01T10:00:00", text=f"{n} {words}") for n in range(8000)])
    path.write_text(json.dumps(big))
    del big
    size = path.stat().st_size
    tracemalloc.start()
    try:
        done = import_file(memory.database, path)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert done.added == 8000
    assert peak < size / 3, f"{peak:,} bytes for a file of {size:,}"


GOOD = [claude(claude_message(1, "human", "I sold the boat."))]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("hostile", "reason"),
    [
        (b"[" * 200_000, "nested more than 64 levels deep"),
        (b'{"a":' * 200_000, "nested more than 64 levels deep"),
        (b'["' + b"a" * 20_000_000 + b'"]', "a value of more than 4 MB"),
        (b'["' + b'\\"' * 5_000_000 + b'"]', "a value of more than 4 MB"),
        (b"[" + b"1" * 100_000 + b"]", "a number of more than 400 digits"),
    ],
    ids=["lists", "objects", "string", "escapes", "digits"],
)
def test_a_file_made_to_fill_the_memory_costs_little(desk: Desk, hostile: bytes, reason: str) -> None:
    """Refused in a sentence, and what was read before stays; the parser itself dies of a number that long."""
    path = desk.folder / "conversations.json"
    path.write_bytes(b" " + json.dumps(GOOD).encode().rstrip(b"]") + b" " * 70_000 + b"," + hostile)
    tracemalloc.start()
    done = import_file(desk.memory.database, path, wish=Wish(format="claude"))
    _now, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert desk.said == [("user", "I sold the boat.")]
    assert [bad.reason for bad in done.bad] == [f"{reason}; what came before is taken in"]
    assert most < 60_000_000


def test_a_small_archive_that_unpacks_to_much_is_refused(desk: Desk) -> None:
    path = desk.folder / "export.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("conversations.json", b'["' + b"a" * 30_000_000 + b'"]')
    with pytest.raises(NotImportable, match="would unpack to 30 MB"):
        import_file(desk.memory.database, path)


@pytest.mark.parametrize(
    "odd",
    [
        {"chat_messages": [{"uuid": ["m2"], "sender": ["human"], "text": {"a": 1}}]},
        {"chat_messages": {"a": 1}},
        {"chat_messages": [None, 5, {"uuid": 2**80, "sender": "human", "text": 7, "created_at": 1e300}]},
        {"chat_messages": [5], "name": 5, "uuid": 2**80},
    ],
)
def test_one_record_of_another_form_costs_only_itself(desk: Desk, odd: dict[str, Any]) -> None:
    last = claude(claude_message(3, "human", "Then I bought a bike."), uuid="k-3")
    done = desk.take([*GOOD, claude(**{"uuid": "k-2", **odd}), last], "conversations.json")
    assert [text for _who, text in desk.said] == ["I sold the boat.", "Then I bought a bike."]
    assert done.bad_count >= 1


def test_a_number_that_no_column_takes_costs_only_its_message(desk: Desk) -> None:
    odd = message(2**80, "2026-03-14T10:01:00", OWNER, "second", reply_to_message_id=2**80)
    first, third = (message(n, f"2026-03-14T10:0{n}:00", OWNER, f"number {n}") for n in (1, 3))
    done = desk.take(chat(first, odd, third))
    said = [text for _who, text in desk.said]
    assert said[0] == "number 1" and said[-1] == "number 3" and done.added + done.bad_count == 3


def test_a_line_without_end_costs_only_itself(desk: Desk) -> None:
    line = '{"session": "S1", "at": "2023-05-08T13:56", "speaker": "Ines", "text": "I sold the boat.", "id": "1"}'
    done = desk.take("x" * 9_000_000 + "\n" + line + "\n", "talk.jsonl")
    assert [text for _who, text in desk.said] == ["I sold the boat."]
    assert [(bad.place, bad.reason) for bad in done.bad] == [("line 1", "longer than 4 MB")]
