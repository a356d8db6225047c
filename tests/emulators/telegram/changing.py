"""Methods that change what is already in a chat: edits, deletions, reactions, answers to button presses."""

from __future__ import annotations

from typing import Any

from .messages import Message
from .params import Params
from .rules import NOT_MODIFIED, REACTIONS, bad
from .sending import caption_text, keyboard, message_text, previews_on
from .state import State


def edit_message_text(state: State, p: Params) -> dict[str, Any]:
    """The order of the checks matters to a bot that probes: existence, then authorship, then sameness."""
    message = _mine(state, p)
    text, entities = message_text(p, "MESSAGE_TOO_LONG")
    if message.kind != "text":
        raise bad("there is no text in the message to edit")
    buttons = keyboard(p)
    if (text, entities, buttons) == (message.text, message.entities, message.buttons):
        raise bad(NOT_MODIFIED)
    message.edits.append(message.text)
    message.text, message.entities, message.buttons = text, entities, buttons
    message.edited, message.previews = True, previews_on(p)
    return state.wire(message)


def edit_message_caption(state: State, p: Params) -> dict[str, Any]:
    message = _mine(state, p)
    if message.kind == "text":
        raise bad("there is no caption in the message to edit")
    text, entities = caption_text(p)
    buttons = keyboard(p)
    if (text, entities, buttons) == (message.text, message.entities, message.buttons):
        raise bad(NOT_MODIFIED)
    message.edits.append(message.text)
    message.text, message.entities, message.buttons, message.edited = text, entities, buttons, True
    return state.wire(message)


def edit_message_reply_markup(state: State, p: Params) -> dict[str, Any]:
    message = _mine(state, p)
    buttons = keyboard(p)
    if buttons == message.buttons:
        raise bad(NOT_MODIFIED)
    message.buttons = buttons
    return state.wire(message)


def delete_message(state: State, p: Params) -> bool:
    chat = state.chat(p.text("chat_id"))
    message = state.find(chat, p.integer("message_id"))
    if message is None:
        raise bad("message to delete not found")
    if message.author == "user" and not chat.private:
        raise bad("message can't be deleted")
    message.deleted = True
    return True


def set_message_reaction(state: State, p: Params) -> bool:
    chat = state.writable(p.text("chat_id"))
    message = state.find(chat, p.integer("message_id"))
    if message is None:
        raise bad("message to react not found")
    chosen = p.nested("reaction", [])
    if len(chosen) > 1:
        raise bad("REACTIONS_TOO_MANY")
    emojis = [str(reaction.get("emoji", "")) for reaction in chosen]
    if any(emoji.replace("\ufe0f", "") not in REACTIONS for emoji in emojis):
        raise bad("REACTION_INVALID")
    if emojis:
        message.reactions[int(state.me["id"])] = emojis
    else:
        message.reactions.pop(int(state.me["id"]), None)
    return True


def answer_callback_query(state: State, p: Params) -> bool:
    number = p.text("callback_query_id")
    if state.callbacks.get(number, {}) is not None:
        raise bad("query is too old and response timeout expired or query ID is invalid")
    state.callbacks[number] = {"text": p.text("text"), "show_alert": p.flag("show_alert"), "url": p.text("url")}
    return True


def _mine(state: State, p: Params) -> Message:
    chat = state.writable(p.text("chat_id"))
    if not p.integer("message_id"):
        raise bad("message identifier is not specified")
    message = state.find(chat, p.integer("message_id"))
    if message is None:
        raise bad("message to edit not found")
    if message.author != "bot":
        raise bad("message can't be edited")
    return message
