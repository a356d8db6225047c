"""The emulator keeps Telegram's rules: acknowledgement, ids, limits, error texts; and breaks them when told to."""

from __future__ import annotations

import http.client
import json
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tests.emulators.telegram import TelegramEmulator
from tests.emulators.telegram.rules import NOT_MODIFIED, accept_text, blank, units


@pytest.fixture
def telegram() -> Iterator[TelegramEmulator]:
    with TelegramEmulator() as emulator:
        yield emulator


def call(telegram: TelegramEmulator, method: str, **arguments: Any) -> Any:
    """The result of a call, or the refusal as "<status> <description>"."""
    request = urllib.request.Request(
        f"{telegram.url}/bot{telegram.token}/{method}",
        json.dumps(arguments).encode(),
        {"Content-Type": "application/json"},
    )
    try:
        with urllib.request.urlopen(request, timeout=5) as answer:
            return json.load(answer)["result"]
    except urllib.error.HTTPError as refusal:
        with refusal:
            body = json.load(refusal)
        return f"{body['error_code']} {body['description']}"


def ids(updates: list[dict[str, Any]]) -> list[int]:
    return [update["update_id"] for update in updates]


def test_an_update_stays_until_a_higher_offset_confirms_it(telegram: TelegramEmulator) -> None:
    for text in "abc":
        telegram.say(text)
    assert ids(call(telegram, "getUpdates")) == [1, 2, 3]
    assert ids(call(telegram, "getUpdates", offset=1)) == [1, 2, 3]
    assert ids(call(telegram, "getUpdates", offset=3)) == [3]
    assert telegram.state.updates.confirmed == [1, 2]
    assert ids(call(telegram, "getUpdates")) == [3]
    assert ids(call(telegram, "getUpdates", offset=-1)) == [3]


def test_a_batch_is_at_most_a_hundred(telegram: TelegramEmulator) -> None:
    for number in range(120):
        telegram.say(f"m{number}")
    assert ids(call(telegram, "getUpdates", limit=500)) == list(range(1, 101))
    assert ids(call(telegram, "getUpdates", offset=101, limit=5)) == list(range(101, 106))


def test_a_long_poll_answers_as_soon_as_something_comes(telegram: TelegramEmulator) -> None:
    with ThreadPoolExecutor() as pool:
        poll = pool.submit(call, telegram, "getUpdates", timeout=30)
        telegram.wait_for(lambda: telegram.state.updates._poll == 1)
        telegram.say("now")
        assert ids(poll.result(timeout=2)) == [1]


def test_a_second_poll_ends_the_first_with_409(telegram: TelegramEmulator) -> None:
    with ThreadPoolExecutor() as pool:
        first = pool.submit(call, telegram, "getUpdates", timeout=30)
        telegram.wait_for(lambda: telegram.state.updates._poll == 1)
        assert call(telegram, "getUpdates", timeout=0) == []
        assert first.result(timeout=2).startswith("409 Conflict: terminated by other getUpdates request")
    assert telegram.conflicts == 1


def test_only_the_kinds_asked_for_are_queued(telegram: TelegramEmulator) -> None:
    message = telegram.say("hi")
    telegram.react(message.id, "👍")
    assert [list(u)[0] for u in telegram.state.updates.dropped] == ["update_id"]
    call(telegram, "getUpdates", offset=2, allowed_updates=["message_reaction"])
    telegram.say("not wanted")
    telegram.react(message.id, "🔥")
    [update] = call(telegram, "getUpdates")
    assert update["message_reaction"]["new_reaction"] == [{"type": "emoji", "emoji": "🔥"}]


def test_an_offset_far_in_the_future_is_ignored_so_that_ids_may_restart(telegram: TelegramEmulator) -> None:
    telegram.push({"update_id": 900_000, "poll_answer": {}})
    call(telegram, "getUpdates", offset=900_001)
    telegram.restart_update_ids(500)
    telegram.say("after a quiet week")
    assert ids(call(telegram, "getUpdates", offset=900_001)) == [500]


def test_private_chats_share_one_sequence_of_message_ids_and_supergroups_have_their_own(
    telegram: TelegramEmulator,
) -> None:
    telegram.say("one")
    telegram.say("two", chat_id=8)
    assert call(telegram, "sendMessage", chat_id=7, text="three")["message_id"] == 3
    assert telegram.say("first here", chat_id=-1001234567890).id == 1
    assert telegram.say("four").id == 4


TEXT_CASES = [
    ({"text": ""}, "400 Bad Request: message text is empty"),
    ({"text": " \n\u200b"}, "400 Bad Request: text must be non-empty"),
    ({"text": "x" * 4097}, "400 Bad Request: message is too long"),
    ({"text": "😀" * 2049}, "400 Bad Request: message is too long"),
    (
        {"text": "hi", "entities": [{"type": "shiny", "offset": 0, "length": 1}]},
        "400 Bad Request: can't parse entities",
    ),
    (
        {"text": "hi", "entities": [{"type": "bold", "offset": 0, "length": 3}]},
        "400 Bad Request: entity beginning at UTF-16 offset 0 ends after the end of the text at UTF-16 offset 3",
    ),
    (
        {"text": "😀x", "entities": [{"type": "bold", "offset": 1, "length": 2}]},
        "400 Bad Request: entity begins in a middle of a UTF-16 symbol at byte offset 4",
    ),
    (
        {"text": "a😀", "entities": [{"type": "bold", "offset": 0, "length": 2}]},
        "400 Bad Request: entity beginning at UTF-16 offset 0 ends in a middle of a UTF-16 symbol at byte offset 5",
    ),
    ({"text": "hi", "reply_parameters": {"message_id": 77}}, "400 Bad Request: message to be replied not found"),
    ({"text": "<b>hi", "parse_mode": "HTML"}, "400 Bad Request: can't parse entities: can't find end tag"),
    ({"text": "hi", "chat_id": 99}, "400 Bad Request: chat not found"),
    ({"text": "hi", "chat_id": ""}, "400 Bad Request: chat_id is empty"),
]


@pytest.mark.parametrize(("arguments", "refusal"), TEXT_CASES)
def test_texts_are_refused_in_telegrams_words(telegram: TelegramEmulator, arguments: dict, refusal: str) -> None:
    telegram.open()
    assert call(telegram, "sendMessage", **{"chat_id": 7} | arguments).startswith(refusal)
    assert telegram.chat() == []


def test_the_longest_text_counts_utf16_units(telegram: TelegramEmulator) -> None:
    telegram.open()
    assert call(telegram, "sendMessage", chat_id=7, text="😀" * 2048)["text"] == "😀" * 2048
    assert units("😀a") == 3


def test_text_is_cleaned_and_trimmed_and_entities_move_along() -> None:
    text, entities = accept_text(
        "\n a\r\tb \x00c\u202e! \n", [{"type": "bold", "offset": 5, "length": 3}], limit=99, too_long="long"
    )
    assert text == "a b  c!"
    assert entities == [{"type": "bold", "offset": 2, "length": 3}]
    assert blank("\u2800\u3000 \n") and not blank("\u2800x")


def test_entities_of_white_space_go_and_only_a_hundred_stay() -> None:
    marks = [{"type": "bold", "offset": 2 * n, "length": 1} for n in range(150)]
    assert len(accept_text("a " * 150, marks, limit=999, too_long="long")[1]) == 100
    assert accept_text("a   b", [{"type": "code", "offset": 1, "length": 2}], limit=9, too_long="long")[1] == []


def test_html_becomes_entities(telegram: TelegramEmulator) -> None:
    telegram.open()
    html = (
        '<b>bold <i>both</i></b> <a href="https://x.org/">link</a> <pre><code class="language-py">1 &lt; 2</code></pre>'
    )
    sent = call(telegram, "sendMessage", chat_id=7, text=html, parse_mode="HTML")
    assert sent["text"] == "bold both link 1 < 2"
    assert sent["entities"] == [
        {"type": "bold", "offset": 0, "length": 9},
        {"type": "italic", "offset": 5, "length": 4},
        {"type": "text_link", "offset": 10, "length": 4, "url": "https://x.org/"},
        {"type": "pre", "offset": 15, "length": 5, "language": "py"},
    ]


def test_an_edit_probe_learns_whether_a_message_was_delivered(telegram: TelegramEmulator) -> None:
    telegram.say("question")
    call(telegram, "sendMessage", chat_id=7, text="the answer ")
    assert call(telegram, "editMessageText", chat_id=7, message_id=1, text="x") == (
        "400 Bad Request: message can't be edited"
    )
    assert call(telegram, "editMessageText", chat_id=7, message_id=2, text="the answer") == (
        f"400 Bad Request: {NOT_MODIFIED}"
    )
    assert call(telegram, "editMessageText", chat_id=7, message_id=3, text="the answer") == (
        "400 Bad Request: message to edit not found"
    )
    assert call(telegram, "editMessageText", chat_id=7, message_id=2, text="y" * 4097) == (
        "400 Bad Request: MESSAGE_TOO_LONG"
    )
    assert call(telegram, "editMessageText", chat_id=7, message_id=2, text="better")["text"] == "better"
    seen = telegram.chat()[1]
    assert (seen.text, seen.edited, seen.edits) == ("better", True, ["the answer"])
    assert call(telegram, "deleteMessage", chat_id=7, message_id=2) is True
    assert telegram.replies() == []


def test_a_draft_shows_until_the_message_comes_and_can_be_stopped(telegram: TelegramEmulator) -> None:
    telegram.open()
    telegram.add_to_group(-1001234567890)
    assert call(telegram, "sendMessageDraft", chat_id=7, draft_id=0, text="x") == "400 Bad Request: RANDOM_ID_INVALID"
    assert call(telegram, "sendMessageDraft", chat_id=-1001234567890, draft_id=1, text="x") == (
        "400 Bad Request: TEXTDRAFT_PEER_INVALID"
    )
    call(telegram, "sendMessageDraft", chat_id=7, draft_id=5, text="so", can_stop=True)
    assert telegram.draft().text == "so"
    telegram.stop_generation()
    assert telegram.draft() is None
    call(telegram, "sendMessageDraft", chat_id=7, draft_id=5, text="so far", can_stop=True)
    assert telegram.draft() is None and not telegram.drafts[-1].shown
    call(telegram, "sendMessageDraft", chat_id=7, draft_id=6, text="again")
    assert telegram.draft().text == "again"
    call(telegram, "sendMessage", chat_id=7, text="done")
    assert telegram.draft() is None


def test_a_draft_fades_after_thirty_seconds() -> None:
    now = [1000.0]
    with TelegramEmulator(clock=lambda: now[0]) as telegram:
        telegram.open()
        call(telegram, "sendMessageDraft", chat_id=7, draft_id=1, text="hm")
        now[0] += 30
        assert telegram.draft() is not None
        now[0] += 1
        assert telegram.draft() is None


def test_a_blocked_bot_reaches_nobody(telegram: TelegramEmulator) -> None:
    telegram.open()
    telegram.block()
    for method in ("sendMessage", "sendChatAction", "sendMessageDraft"):
        answer = call(telegram, method, chat_id=7, text="x", action="typing", draft_id=1)
        assert answer == "403 Forbidden: bot was blocked by the user"
    with pytest.raises(ValueError, match="unblock first"):
        telegram.say("hi")
    telegram.unblock()
    assert call(telegram, "sendMessage", chat_id=7, text="back")["text"] == "back"
    assert call(telegram, "sendChatAction", chat_id=7, action="dancing").startswith("400")
    assert [u["my_chat_member"]["new_chat_member"]["status"] for u in call(telegram, "getUpdates")] == [
        "kicked",
        "member",
    ]


def test_people_can_only_do_what_telegram_lets_them(telegram: TelegramEmulator) -> None:
    telegram.open()
    sent = call(telegram, "sendMessage", chat_id=7, text="hi")
    with pytest.raises(ValueError, match="own messages"):
        telegram.edit(sent["message_id"], "no")
    with pytest.raises(ValueError, match="no button"):
        telegram.press(sent["message_id"], "data")
    with pytest.raises(ValueError, match="stop button"):
        telegram.stop_generation()
    with pytest.raises(ValueError, match=r"4,096"):
        telegram.say("x" * 4097)
    assert telegram.press(sent["message_id"], "data", forged=True) in telegram.state.callbacks


def test_form_bodies_with_json_inside_are_read(telegram: TelegramEmulator) -> None:
    telegram.open()
    body = 'chat_id=7&text=%7B%22a%22%7D+b&entities=[{"type":"code","offset":0,"length":2}]&disable_notification=true'
    with urllib.request.urlopen(f"{telegram.url}/bot{telegram.token}/sendmessage", body.encode(), timeout=5) as answer:
        assert json.load(answer)["result"]["text"] == '{"a"} b'
    seen = telegram.chat()[0]
    assert seen.silent and seen.entities == [{"type": "code", "offset": 0, "length": 2}]
    assert telegram.calls[-1].args["entities"][0]["type"] == "code"
    assert telegram.calls[-1].outcome == "ok"


def test_a_call_that_is_cut_after_the_work_was_done_was_done(telegram: TelegramEmulator) -> None:
    telegram.open()
    telegram.faults.cut_after("sendMessage", after=1)
    call(telegram, "sendMessage", chat_id=7, text="one")
    with pytest.raises((http.client.HTTPException, ConnectionError)):
        call(telegram, "sendMessage", chat_id=7, text="two")
    telegram.faults.refuse("sendMessage")
    with pytest.raises((http.client.HTTPException, ConnectionError)):
        call(telegram, "sendMessage", chat_id=7, text="three")
    assert telegram.replies() == ["one", "two"]
    assert [c.outcome for c in telegram.called("sendMessage")] == ["ok", "done, then cut", "refused"]


def test_chance_is_seeded() -> None:
    def outcomes() -> list[str]:
        with TelegramEmulator(seed=11) as telegram:
            telegram.open()
            telegram.faults.server_error("sendMessage", p=0.5)
            return [str(call(telegram, "sendMessage", chat_id=7, text="x"))[:3] for _ in range(20)]

    assert outcomes() == outcomes()
    assert len(set(outcomes())) == 2


def test_duplicates_and_reordering(telegram: TelegramEmulator) -> None:
    for text in "abcd":
        telegram.say(text)
    fault = telegram.faults.duplicate_updates()
    assert ids(call(telegram, "getUpdates")) == [1, 2, 3, 4]
    assert ids(call(telegram, "getUpdates", offset=3)) == [1, 2, 3, 4]
    assert ids(call(telegram, "getUpdates", offset=3)) == [3, 4]
    assert fault.hits == 1
    telegram.faults.reorder_updates(n=None)
    batches = {tuple(ids(call(telegram, "getUpdates"))) for _ in range(20)}
    assert batches == {(4, 3)}, "an order that is another"


def test_slow_and_hanging_answers_end_with_the_emulator() -> None:
    with TelegramEmulator() as telegram, ThreadPoolExecutor() as pool:
        telegram.open()
        telegram.faults.slow_after("sendMessage", 60)
        hang = telegram.faults.hang("getMe", 60)
        late = pool.submit(call, telegram, "sendMessage", chat_id=7, text="x")
        never = pool.submit(call, telegram, "getMe")
        telegram.wait_for(lambda: telegram.replies() == ["x"] and hang.hits == 1)
        telegram.stop()
        for answer in (late, never):
            with pytest.raises((http.client.HTTPException, ConnectionError)):
                answer.result(timeout=30)


def test_what_reached_telegram_is_carried_out_even_when_the_caller_is_gone(telegram: TelegramEmulator) -> None:
    telegram.open()
    slow = telegram.faults.slow("sendMessage", 0.1)
    client = http.client.HTTPConnection("127.0.0.1", telegram.port)
    client.request("POST", f"/bot{telegram.token}/sendMessage?chat_id=7&text=last+words")
    telegram.wait_for(lambda: slow.hits == 1)
    client.close()
    telegram.wait_for(lambda: telegram.replies() == ["last words"])


def test_the_port_can_be_left_and_taken_again(telegram: TelegramEmulator) -> None:
    telegram.open()
    with ThreadPoolExecutor() as pool:
        poll = pool.submit(call, telegram, "getUpdates", timeout=30)
        telegram.wait_for(lambda: telegram.state.updates._poll == 1)
        telegram.offline()
        with pytest.raises((http.client.HTTPException, ConnectionError)):
            poll.result(timeout=2)
    with pytest.raises(urllib.error.URLError, match="refused"):
        call(telegram, "getMe")
    telegram.say("while you were away")
    telegram.online()
    assert ids(call(telegram, "getUpdates")) == [1]


def test_waiting_in_vain_shows_the_chats(telegram: TelegramEmulator) -> None:
    telegram.say("anybody there?")
    with pytest.raises(AssertionError, match=r"anybody there\?"):
        telegram.wait_for(lambda: telegram.replies(), timeout=0.01)


def test_nothing_is_left_behind() -> None:
    before = set(threading.enumerate())
    with TelegramEmulator() as telegram:
        call(telegram, "getMe")
    assert set(threading.enumerate()) == before


def test_unknown_methods_and_tokens(telegram: TelegramEmulator) -> None:
    assert call(telegram, "makeCoffee") == "404 Not Found: method not found"
    telegram.token = "1:other"
    assert call(telegram, "getMe") == "401 Unauthorized"
