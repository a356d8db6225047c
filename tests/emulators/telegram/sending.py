"""Methods that put something into a chat: text, files, drafts, actions."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from . import markup
from .messages import Message
from .params import Params, Upload
from .rules import CAPTION_UNITS, CHAT_ACTIONS, MESSAGE_UNITS, accept_text, bad, blank
from .state import Action, Chat, Draft, State

UPLOAD_BYTES = 50_000_000
_FOLDERS = {"document": "documents", "photo": "photos", "voice": "voice", "audio": "music", "video": "videos"}
_CALLBACK_BYTES = 64


def send_message(state: State, p: Params) -> dict[str, Any]:
    chat = state.writable(p.text("chat_id"))
    text, entities = message_text(p, "message is too long")
    return _deliver(state, chat, p, text=text, entities=entities, previews=previews_on(p))


def send_document(state: State, p: Params) -> dict[str, Any]:
    return _send_file(state, p, "document")


def send_voice(state: State, p: Params) -> dict[str, Any]:
    return _send_file(state, p, "voice")


def send_audio(state: State, p: Params) -> dict[str, Any]:
    return _send_file(state, p, "audio")


def send_video(state: State, p: Params) -> dict[str, Any]:
    return _send_file(state, p, "video")


def send_photo(state: State, p: Params) -> dict[str, Any]:
    return _send_file(state, p, "photo")


def send_location(state: State, p: Params) -> dict[str, Any]:
    chat = state.writable(p.text("chat_id"))
    place = {"latitude": float(p.text("latitude", "0")), "longitude": float(p.text("longitude", "0"))}
    return _deliver(state, chat, p, kind="location", content={"location": place})


def send_chat_action(state: State, p: Params) -> bool:
    chat = state.writable(p.text("chat_id"))
    if p.text("action") not in CHAT_ACTIONS:
        raise bad("wrong parameter action in request")
    state.actions.append(Action(chat.id, p.text("action"), state.clock()))
    return True


def send_message_draft(state: State, p: Params) -> bool:
    """Shows a draft. Whether Telegram accepts drafts after a stop is not known; here they are accepted, unseen."""
    chat = state.writable(p.text("chat_id"))
    if not chat.private:
        raise bad("TEXTDRAFT_PEER_INVALID")
    number = p.integer("draft_id")
    if number == 0:
        raise bad("RANDOM_ID_INVALID")
    raw, given = markup.parse(p.text("text"), p.text("parse_mode"), p.nested("entities", []))
    text, entities = accept_text(raw, given, limit=MESSAGE_UNITS, too_long="message is too long")
    draft = Draft(
        chat.id, number, text, entities, p.flag("can_stop"), p.flag("keep_on_stop"), state.clock(),
        shown=(chat.id, number) not in state.stopped,
    )  # fmt: skip
    state.drafts.append(draft)
    if draft.shown:
        state.visible[chat.id] = draft
    return True


def message_text(p: Params, too_long: str) -> tuple[str, list[dict[str, Any]]]:
    """The `text` argument as it will be stored."""
    if not p.text("text"):
        raise bad("message text is empty")
    raw, given = markup.parse(p.text("text"), p.text("parse_mode"), p.nested("entities", []))
    text, entities = accept_text(raw, given, limit=MESSAGE_UNITS, too_long=too_long)
    if blank(text):
        raise bad("text must be non-empty")
    return text, entities


def caption_text(p: Params) -> tuple[str, list[dict[str, Any]]]:
    raw, given = markup.parse(p.text("caption"), p.text("parse_mode"), p.nested("caption_entities", []))
    return accept_text(raw, given, limit=CAPTION_UNITS, too_long="message caption is too long")


def previews_on(p: Params) -> bool:
    options = p.nested("link_preview_options", {})
    return not (options.get("is_disabled") or p.flag("disable_web_page_preview"))


def keyboard(p: Params) -> list[list[dict[str, Any]]]:
    """The inline buttons of `reply_markup`; other keyboards are accepted and show nothing here."""
    rows = (p.nested("reply_markup") or {}).get("inline_keyboard", [])
    for button in (button for row in rows for button in row):
        if not button.get("text"):
            raise bad('can\'t parse inline keyboard button: field "text" must be non-empty')
        actions = [k for k in button if k not in ("text", "style", "icon_custom_emoji_id")]
        if not actions:
            raise bad("can't parse inline keyboard button: text buttons are unallowed in the inline keyboard")
        if not 0 < len(str(button.get("callback_data", "x")).encode()) <= _CALLBACK_BYTES:
            raise bad("BUTTON_DATA_INVALID")
        _leads_where_it_may(button, str(p.text("chat_id")))
    return [row for row in rows if row]


def _leads_where_it_may(button: dict[str, Any], chat: str) -> None:
    """As the real server: a link is one of the outside, a Mini App is under https and in a private chat."""
    url = str(button.get("url", "https://a.example"))
    if not url.startswith(("http://", "https://", "tg://")) or urlsplit(url).hostname in ("127.0.0.1", "localhost"):
        raise bad(f"inline keyboard button URL '{url}' is invalid: Wrong HTTP URL")
    if "web_app" in button:
        app = str(button["web_app"]["url"])
        if not app.startswith("https://"):
            raise bad(f"inline keyboard button Web App URL '{app}' is invalid: Only HTTPS links are allowed")
        if chat.startswith("-"):
            raise bad("BUTTON_TYPE_INVALID")


def _send_file(state: State, p: Params, kind: str) -> dict[str, Any]:
    chat = state.writable(p.text("chat_id"))
    given = p.file(kind)
    if given is None:
        raise bad(f"there is no {kind} in the request")
    if isinstance(given, Upload):
        if not given.data:
            raise bad("file must be non-empty")
        if len(given.data) > UPLOAD_BYTES:
            raise bad("file is too big")
        stored = state.store(_FOLDERS[kind], given.name, given.data)
    elif given in state.files:
        stored = state.files[given]
    elif given.startswith(("http://", "https://")):
        raise bad("failed to get HTTP URL content")
    else:
        raise bad("wrong file identifier/HTTP URL specified")
    text, entities = caption_text(p)
    about: dict[str, Any] = {
        "file_id": stored.file_id,
        "file_unique_id": stored.file_id + "-u",
        "file_size": len(stored.data),
    }
    if kind in ("document", "audio", "video"):
        about["file_name"] = stored.name
    if kind in ("voice", "audio", "video"):
        about["duration"] = p.integer("duration")
    if kind in ("photo", "video"):
        about |= {"width": p.integer("width", 90), "height": p.integer("height", 90)}
    content = {kind: [about] if kind == "photo" else about}
    return _deliver(
        state,
        chat,
        p,
        kind=kind,
        text=text,
        entities=entities,
        data=stored.data,
        file_name=stored.name,
        content=content,
    )


def _deliver(state: State, chat: Chat, p: Params, **fields: Any) -> dict[str, Any]:
    reply = p.nested("reply_parameters") or {}
    target = reply.get("message_id") or p.integer("reply_to_message_id") or None
    replied: Message | None = state.find(chat, int(target)) if target else None
    if target and replied is None:
        if not (reply.get("allow_sending_without_reply") or p.flag("allow_sending_without_reply")):
            raise bad("message to be replied not found")
        target = None
    quote = reply.get("quote") if replied is not None else None
    if quote and replied is not None and quote not in replied.text:
        raise bad("QUOTE_TEXT_INVALID")
    message = state.add(
        chat, "bot", state.me, reply_to=int(target) if target else None, quote=quote,
        silent=p.flag("disable_notification"), buttons=keyboard(p), **fields,
    )  # fmt: skip
    return state.wire(message)
