"""Parses updates of the Bot API (plain JSON): sender, chat, and the resulting envelope.

Pure: nothing is stored, queried or sent. Unknown updates still become an envelope. Only a person's
own message has a `message_id`: the sender relies on that when it probes.
"""

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from furoshiki.channels.telegram.contents import Content, contents
from furoshiki.channels.telegram.formatting.spans import OffsetConverter
from furoshiki.core.numbers import require_int, whole
from furoshiki.core.timestamps import of_seconds
from furoshiki.messages import events
from furoshiki.messages.channels import topic_of
from furoshiki.messages.values import NewEnvelope, Priority

CHANNEL = "telegram"

# the requested kinds of update (`allowed_updates`)
WANTED = [
    "message",
    "edited_message",
    "message_reaction",
    "callback_query",
    "my_chat_member",
    "stopped_message_generation",
]

# entities of quoted or pasted text, not the sender's own words
_QUOTING = frozenset({"blockquote", "expandable_blockquote", "pre"})

_GONE = ("kicked", "left")

Json = Mapping[str, Any]


@dataclass(frozen=True)
class Me:
    """The bot itself, from `getMe`."""

    id: int
    username: str


@dataclass(frozen=True)
class Incoming:
    """A parsed update. `envelope` is None if there is nothing to handle (service messages, other
    bots).

    `addressed`: a group message is meant for the bot (always true in private). `start_code`
    followed /start; `callback_id` needs an answer at once; `stopped` is the chat and draft whose
    stream was stopped. `group` is a group's title, `joined` whether the bot was just added.
    """

    update_id: int
    user_id: int
    chat_id: int
    private: bool
    addressed: bool = True
    envelope: NewEnvelope | None = None
    name: str | None = None
    language: str | None = None
    start_code: str | None = None
    callback_id: str | None = None
    stopped: tuple[int, int] | None = None
    group: str = ""
    joined: bool = False


def read(update: Json, me: Me) -> Incoming | None:
    """Parse an update; None if there is nobody to answer. Never raises for odd JSON."""
    try:
        return _read(update, me)
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError):
        return _unreadable(update)


def number_of(update: Json) -> int:
    """Return the number of an update; 0 without one."""
    return whole(update.get("update_id")) or 0


def _read(update: Json, me: Me) -> Incoming | None:
    for kind, reader in (
        ("message", _message),
        ("edited_message", _message),
        ("callback_query", _callback),
        ("message_reaction", _reaction),
        ("my_chat_member", _membership),
        ("stopped_message_generation", _stop),
    ):
        body = update.get(kind)
        if isinstance(body, Mapping):
            return reader(require_int(update["update_id"]), body, me)
    return None


def _message(update_id: int, message: Json, me: Me) -> Incoming | None:
    sender, chat = message.get("from") or {}, message["chat"]
    if not sender or sender.get("is_bot"):
        return None
    content = contents(message)
    if content is None:
        return None
    edited = message.get("edit_date")
    words = _content(content, message)
    said = events.Message(
        message_id=require_int(message["message_id"]),
        at=_at(message["date"]),
        **_where(chat, message),
        **_who(sender),
        **words,
        **_context(message, sender, me),
    )
    command = said.command or events.Command()
    code = command.args.split()[0] if command.name == "start" and command.args else None
    if code is not None:
        said = dataclasses.replace(said, text="/start", command=events.Command(name="start"))
    identity = f"{chat['id']}.{message['message_id']}@{edited or message['date']}"
    private = chat.get("type") == "private"
    return _incoming(
        update_id,
        sender,
        chat,
        _envelope(update_id, me, identity, sender, said if edited is None else events.Edit.of(said)),
        addressed=private or _is_addressed(message, str(words["text"]), me),
        name=said.name,
        language=said.language,
        start_code=code if edited is None else None,
        group=str(chat.get("title", "")),
    )


def _callback(update_id: int, query: Json, me: Me) -> Incoming | None:
    sender, message = query["from"], query.get("message") or {}
    chat = message.get("chat") or {"id": sender["id"], "type": "private"}
    press = events.Press(
        pressed_on=message.get("message_id"),
        callback_id=str(query["id"]),
        data=str(query.get("data") or ""),
        **_where(chat, message),
        **_who(sender),
    )
    envelope = _envelope(update_id, me, f"button {query['id']}", sender, press)
    return _incoming(update_id, sender, chat, envelope, callback_id=str(query["id"]))


def _reaction(update_id: int, reaction: Json, me: Me) -> Incoming | None:
    sender, chat = reaction.get("user") or {}, reaction["chat"]
    if not sender or sender.get("is_bot"):
        return None
    before, after = _emojis(reaction.get("old_reaction")), _emojis(reaction.get("new_reaction"))
    felt = events.Reaction(
        reacted_to=require_int(reaction["message_id"]),
        at=_at(reaction["date"]),
        emoji=tuple(one for one in after if one not in before),
        removed=tuple(one for one in before if one not in after),
        **_where(chat),
        **_who(sender),
    )
    identity = f"reaction {chat['id']}.{reaction['message_id']}@{reaction['date']}"
    return _incoming(update_id, sender, chat, _envelope(update_id, me, identity, sender, felt, "background"))


def _membership(update_id: int, change: Json, me: Me) -> Incoming | None:
    sender, chat = change["from"], change["chat"]
    private = chat.get("type") == "private"
    gone = change["new_chat_member"]["status"] in _GONE
    was_gone = change.get("old_chat_member", {}).get("status") in _GONE
    envelope = None
    if private and gone != was_gone:
        cls = events.Blocked if gone else events.Unblocked
        event = cls(at=_at(change["date"]), **_where(chat), **_who(sender))
        identity = f"{event.kind} {chat['id']}@{change['date']}"
        envelope = _envelope(update_id, me, identity, sender, event, "background")
    joined = not private and was_gone and not gone
    return _incoming(update_id, sender, chat, envelope, group=str(chat.get("title", "")), joined=joined)


def _stop(update_id: int, stop: Json, me: Me) -> Incoming | None:
    chat, draft = stop["chat"], require_int(stop["draft_id"])
    event = events.Stop(draft_id=draft, **_where(chat))
    envelope = _envelope(update_id, me, f"stop {chat['id']}.{draft}", chat, event, "urgent")
    number = require_int(chat["id"])
    return Incoming(update_id, number, number, True, envelope=envelope, stopped=(number, draft))


def _unreadable(update: Json) -> Incoming | None:
    """Keep an update of unknown form if its sender is known, so that it gets an answer."""
    for body in update.values():
        if not isinstance(body, Mapping):
            continue
        sender, chat = body.get("from"), body.get("chat")
        if isinstance(sender, Mapping) and isinstance(chat, Mapping):
            user, where = whole(sender.get("id")), whole(chat.get("id"))
            if user is not None and where is not None and not sender.get("is_bot"):
                event = events.Message(
                    kind="other", chat_id=where, private=user == where, described="an unreadable message"
                )
                key = f"{update.get('update_id')}/unreadable"
                envelope = NewEnvelope(CHANNEL, key, str(user), event)
                return Incoming(whole(update.get("update_id")) or 0, user, where, user == where, envelope=envelope)
    return None


def _incoming(update_id: int, sender: Json, chat: Json, envelope: NewEnvelope | None, **more: Any) -> Incoming:
    private = chat.get("type") == "private"
    return Incoming(update_id, require_int(sender["id"]), require_int(chat["id"]), private, envelope=envelope, **more)


def _envelope(
    update_id: int, me: Me, identity: str, sender: Json, event: events.Event, priority: Priority = "normal"
) -> NewEnvelope:
    """Build an envelope. Its key has `identity`, too: update ids may restart after a week."""
    return NewEnvelope(CHANNEL, f"{me.id}/{update_id}/{identity}", str(sender["id"]), event, priority)


def _where(chat: Json, message: Json | None = None) -> dict[str, Any]:
    """Return the conversation: the chat, or the message's topic in it."""
    private = chat.get("type") == "private"
    message = message or {}
    in_topic = private or message.get("is_topic_message") or chat.get("is_forum")
    topic = message.get("message_thread_id") if in_topic else None
    found: dict[str, Any] = {
        "chat_id": topic_of(require_int(chat["id"]), None if topic is None else require_int(topic))
    }
    if private:
        return {**found, "private": True}
    return {**found, "private": False, "group": events.Group(id=chat["id"], title=chat.get("title"))}


def _who(sender: Json) -> dict[str, Any]:
    name = " ".join(str(sender[part]) for part in ("first_name", "last_name") if sender.get(part))
    found = {"name": name or None, "username": sender.get("username"), "language": sender.get("language_code")}
    return {key: value for key, value in found.items() if value}


def _content(content: Content, message: Json) -> dict[str, Any]:
    """Return a message's content: kind, text with its marks, attachment."""
    text = content.text if content.text is not None else str(message.get("text") or message.get("caption") or "")
    words = {"quoted": content.quoted} if content.text is not None else _words(text, message)
    return {
        "kind": content.kind,
        "text": text,
        "attachment": content.attachment,
        "described": content.described,
        **words,
    }


def _words(text: str, message: Json) -> dict[str, Any]:
    """Return what the entities of a text contain: links, quotations, and the leading command."""
    entities = message.get("entities") or message.get("caption_entities") or []
    if not entities:
        return {}
    ruler = OffsetConverter(text)
    links: list[str] = []
    quoted: list[tuple[int, int]] = []
    found: dict[str, Any] = {"entities": tuple(entities)}
    for entity in entities:
        said = _extract_entity(text, ruler, entity)
        if entity["type"] == "url":
            links.append(said)
        elif entity["type"] == "text_link":
            links.append(str(entity["url"]))
        elif entity["type"] in _QUOTING:
            start = ruler.position(entity["offset"])
            quoted.append((start, ruler.position(entity["offset"] + entity["length"])))
        elif entity["type"] == "bot_command" and entity["offset"] == 0:
            name = said.removeprefix("/").partition("@")[0].lower()
            found["command"] = events.Command(name=name, args=text[len(said) :].strip())
    return found | {"links": tuple(links), "quoted": tuple(quoted)}


def _context(message: Json, sender: Json, me: Me) -> dict[str, Any]:
    """Return what a message refers to: replied message, forward origin, album."""
    found = _parse_forward(message)
    replied, elsewhere = message.get("reply_to_message"), message.get("external_reply")
    quote = (message.get("quote") or {}).get("text")
    quote = None if quote is None else str(quote)
    opens_topic = isinstance(replied, Mapping) and replied.get("message_id") == message.get("message_thread_id")
    if isinstance(replied, Mapping) and replied.get("message_id") and not (opens_topic and contents(replied) is None):
        author = replied.get("from") or replied.get("sender_chat") or {}
        found["reply_to"] = _reply_to(replied, author, sender, me, require_int(replied["message_id"]), quote)
    elif isinstance(elsewhere, Mapping):
        author = _author(elsewhere.get("origin") or {})
        found["reply_to"] = _reply_to(elsewhere, author, sender, me, None, quote)
    if message.get("media_group_id"):
        found["album"] = str(message["media_group_id"])
    return found


def _reply_to(
    replied: Json, author: Json, sender: Json, me: Me, number: int | None, quote: str | None
) -> events.ReplyTo:
    """Return the replied message. For one in another chat Telegram reports the attachment, and only
    the quoted part of its words."""
    content = contents(replied) or Content("text")
    words = _content(content, replied)
    passed_on = _parse_forward(replied)
    within = events.Message(**words, **passed_on) if content.attachment is not None or passed_on else None
    return events.ReplyTo(
        message_id=number,
        text=str(words["text"]) or None,
        ours=author.get("id") == me.id,
        own=author.get("id") == sender.get("id") or None,
        who=_name_of(author),
        quote=quote,
        message=within,
    )


def _parse_forward(message: Json) -> dict[str, Any]:
    """Return whose words a message forwards, if not its sender's."""
    found: dict[str, Any] = {}
    origin, bot = message.get("forward_origin"), message.get("via_bot")
    if isinstance(origin, Mapping):
        at = _at(origin["date"]) if origin.get("date") else None
        found["forwarded"] = events.Forwarded(who=_name_of(_author(origin)), at=at)
    if isinstance(bot, Mapping):
        found["via"] = str(bot.get("username") or _who(bot).get("name") or "another bot")
    return found


def _author(origin: Json) -> Json:
    """Return the original author from a forward's origin: a user, a chat, or a bare name."""
    found = origin.get("sender_user") or origin.get("chat") or origin.get("sender_chat")
    return found or {"first_name": origin.get("sender_user_name")}


def _name_of(author: Json) -> str | None:
    name = _who(author).get("name") or author.get("title")
    return None if name is None else str(name)


def _is_addressed(message: Json, text: str, me: Me) -> bool:
    """Return whether a group message is for the bot: a mention, a command to it, or a reply."""
    if ((message.get("reply_to_message") or {}).get("from") or {}).get("id") == me.id:
        return True
    ruler = OffsetConverter(text)
    handle = f"@{me.username}".lower()
    for entity in message.get("entities") or message.get("caption_entities") or []:
        said = _extract_entity(text, ruler, entity).lower()
        if entity["type"] == "mention" and said == handle:
            return True
        if entity["type"] == "bot_command" and said.endswith(handle):
            return True
        if entity["type"] == "text_mention" and entity["user"]["id"] == me.id:
            return True
    return False


def _extract_entity(text: str, ruler: OffsetConverter, entity: Json) -> str:
    return text[ruler.position(entity["offset"]) : ruler.position(entity["offset"] + entity["length"])]


def _emojis(reactions: Any) -> list[str]:
    return [str(r.get("emoji") or r.get("type")) for r in reactions or []]


def _at(seconds: Any) -> datetime:
    return of_seconds(require_int(seconds))
