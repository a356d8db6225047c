"""The real aiogram client talks to the emulator and understands every answer."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest

from furoshiki.channels.telegram import lazy_aiogram
from tests.emulators.telegram import TelegramEmulator, png

pytestmark = pytest.mark.slow

aiogram: Any = lazy_aiogram.load()
errors, types = aiogram.exceptions, aiogram.types
ALL_KINDS = ["message", "edited_message", "callback_query", "message_reaction", "my_chat_member", "poll_answer"]


@pytest.fixture
def telegram() -> Iterator[TelegramEmulator]:
    with TelegramEmulator() as emulator:
        yield emulator


@pytest.fixture
async def bot(telegram: TelegramEmulator) -> AsyncIterator[Any]:
    async with connect(telegram) as client:
        yield client


def connect(telegram: TelegramEmulator, token: str | None = None) -> Any:
    session = aiogram.client.session.aiohttp.AiohttpSession(
        api=aiogram.client.telegram.TelegramAPIServer.from_base(telegram.url)
    )
    return aiogram.Bot(token or telegram.token, session=session)


async def test_a_conversation(telegram: TelegramEmulator, bot: Any) -> None:
    asked = telegram.say("hello")
    [update] = await bot.get_updates(timeout=5)
    assert update.message is not None and update.message.from_user is not None
    assert (update.message.text, update.message.from_user.id, update.message.chat.type) == ("hello", 7, "private")

    answer = await bot.send_message(
        7,
        "bold reply",
        entities=[types.MessageEntity(type="bold", offset=0, length=4)],
        reply_parameters=types.ReplyParameters(message_id=asked.id),
        link_preview_options=types.LinkPreviewOptions(is_disabled=True),
        reply_markup=types.InlineKeyboardMarkup(
            inline_keyboard=[[types.InlineKeyboardButton(text="Yes", callback_data="y")]]
        ),
    )
    assert answer.reply_to_message is not None and answer.reply_to_message.text == "hello"
    _, seen = telegram.chat()
    assert (seen.text, seen.reply_to, seen.previews) == ("bold reply", asked.id, False)
    assert seen.entities == [{"type": "bold", "offset": 0, "length": 4}]
    assert seen.buttons[0][0]["callback_data"] == "y"
    assert answer.message_id == seen.id == asked.id + 1


async def test_every_kind_of_update_is_understood(telegram: TelegramEmulator, bot: Any) -> None:
    assert await bot.get_updates(timeout=0, allowed_updates=[*ALL_KINDS, "stopped_message_generation"]) == []
    telegram.say("/start 123456 @somebody https://example.org")
    voice = telegram.voice(b"OggS...")
    telegram.audio()
    telegram.video()
    telegram.video_note()
    telegram.photo(caption="look")
    telegram.document("Grüße".encode(), "grüße.md", "text/markdown")
    telegram.sticker("🎉")
    telegram.location()
    telegram.contact()
    telegram.poll()
    telegram.dice()
    telegram.edit(1, "/start 654321")
    telegram.react(1, "👍")
    offer = await bot.send_message(
        7,
        "?",
        reply_markup=types.InlineKeyboardMarkup(
            inline_keyboard=[[types.InlineKeyboardButton(text="Y", callback_data="y")]]
        ),
    )
    query_id = telegram.press(offer.message_id, "y")
    await bot.send_message_draft(7, 1, text="so far", can_stop=True)
    telegram.stop_generation()
    telegram.add_to_group(-1001234567890, "Friends")
    telegram.say("@furoshiki_test_bot hi", chat_id=-1001234567890)
    telegram.block()
    telegram.unblock()

    updates = await bot.get_updates()
    kinds = [update.event_type for update in updates]
    messages = [update.message for update in updates if update.message is not None]
    assert [message.content_type for message in messages] == (
        [
            "text",
            "voice",
            "audio",
            "video",
            "video_note",
            "photo",
            "document",
            "sticker",
            "location",
            "contact",
            "poll",
            "dice",
            "text",
        ]
    )
    assert [entity.type for entity in messages[0].entities or []] == ["bot_command", "mention", "url"]
    assert kinds[12:] == [
        "edited_message",
        "message_reaction",
        "callback_query",
        "stopped_message_generation",
        "my_chat_member",
        "message",
        "my_chat_member",
        "my_chat_member",
    ]
    assert messages[-1].chat.type == "supergroup"
    await bot.answer_callback_query(query_id, text="ok")
    assert telegram.state.callbacks[query_id] == {"text": "ok", "show_alert": False, "url": ""}

    heard = next(message.voice for message in messages if message.voice)
    buffer = await bot.download(heard.file_id)
    assert buffer is not None and buffer.read() == voice.data


async def test_files_go_out_with_their_bytes(telegram: TelegramEmulator, bot: Any) -> None:
    telegram.open()
    sent = await bot.send_document(
        7, types.BufferedInputFile(b"\x00\r\n--\xff" * 1000, "räport.md"), caption="the report"
    )
    await bot.send_photo(7, types.BufferedInputFile(png(), "p.png"))
    await bot.send_voice(7, types.BufferedInputFile(b"OggS", "v.ogg"))
    assert sent.document is not None and sent.document.file_name == "räport.md"
    document, photo, voice = telegram.chat()
    assert (document.kind, document.text, document.data) == ("document", "the report", b"\x00\r\n--\xff" * 1000)
    assert (photo.data, voice.data) == (png(), b"OggS")
    again = await bot.send_document(7, sent.document.file_id)
    assert again.document is not None and again.document.file_id == sent.document.file_id


async def test_reactions_commands_profile_and_chats(telegram: TelegramEmulator, bot: Any) -> None:
    message = telegram.say("thanks")
    await bot.set_message_reaction(7, message.id, [types.ReactionTypeEmoji(emoji="❤")])
    assert telegram.chat()[0].reactions == {bot.id: ["❤"]}
    await bot.set_message_reaction(7, message.id)
    assert telegram.chat()[0].reactions == {}
    await bot.set_my_commands([types.BotCommand(command="help", description="Hilfe")], language_code="de")
    [command] = await bot.get_my_commands(language_code="de")
    assert (command.command, command.description) == ("help", "Hilfe")
    assert await bot.get_my_commands() == []
    await bot.delete_my_commands(language_code="de")
    assert await bot.get_my_commands(language_code="de") == []
    assert await bot.set_my_description("A companion")
    assert (await bot.get_my_description()).description == "A companion"
    assert (await bot.get_me()).username == "furoshiki_test_bot"
    assert (await bot.get_chat(7)).first_name == "Robin"
    assert (await bot.get_webhook_info()).pending_update_count == 1
    assert await bot.delete_webhook(drop_pending_updates=True)
    assert telegram.pending == 0


async def test_refusals_become_the_right_exceptions(telegram: TelegramEmulator, bot: Any) -> None:
    with pytest.raises(errors.TelegramBadRequest, match="chat not found"):
        await bot.send_message(99, "hi")
    telegram.open()
    telegram.faults.too_many("sendMessage", retry_after=7)
    with pytest.raises(errors.TelegramRetryAfter) as flood:
        await bot.send_message(7, "hi")
    assert flood.value.retry_after == 7
    telegram.faults.bad_gateway("sendMessage")
    with pytest.raises(errors.ClientDecodeError):
        await bot.send_message(7, "hi")
    telegram.faults.server_error("sendMessage")
    with pytest.raises(errors.TelegramServerError):
        await bot.send_message(7, "hi")
    telegram.faults.conflict()
    with pytest.raises(errors.TelegramConflictError):
        await bot.get_updates()
    telegram.faults.refuse("sendMessage")
    with pytest.raises(errors.TelegramNetworkError):
        await bot.send_message(7, "never seen")
    telegram.faults.cut_after("sendMessage")
    with pytest.raises(errors.TelegramNetworkError):
        await bot.send_message(7, "delivered, unknown")
    assert telegram.replies() == ["delivered, unknown"]
    telegram.block()
    with pytest.raises(errors.TelegramForbiddenError, match="bot was blocked by the user"):
        await bot.send_message(7, "hi")
    async with connect(telegram, "1:wrong") as stranger:
        with pytest.raises(errors.TelegramUnauthorizedError):
            await stranger.get_me()
