"""Everything Telegram knows: chats, messages, files, drafts, and what the bot has set about itself."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

from .messages import Message, wire
from .rules import ApiError, bad
from .updates import Updates

DRAFT_SECONDS = 30
"""How long a draft stays visible when nothing follows it."""


@dataclass
class Call:
    """One Bot API call as it was logged. `outcome` is "ok", "<status> <description>" or what became of it."""

    method: str
    args: dict[str, Any]
    at: float
    outcome: str = ""


@dataclass
class Draft:
    """One sendMessageDraft, in the order of arrival."""

    chat_id: int
    draft_id: int
    text: str
    entities: list[dict[str, Any]]
    can_stop: bool
    keep_on_stop: bool
    at: float
    shown: bool = True
    """False when the person had pressed stop before it came."""


@dataclass
class Action:
    """One sendChatAction, such as typing."""

    chat_id: int
    action: str
    at: float


@dataclass
class Chat:
    """One chat with the bot; a private one has the id of its person."""

    wire: dict[str, Any]
    messages: list[Message] = field(default_factory=list)
    blocked: bool = False
    member: bool = True
    """In a group: whether the bot is still in it."""

    @property
    def id(self) -> int:
        return int(self.wire["id"])

    @property
    def private(self) -> bool:
        return str(self.wire["type"]) == "private"


@dataclass
class StoredFile:
    """A file on Telegram's disk."""

    file_id: str
    path: str
    name: str
    data: bytes


class State:
    """The whole of one bot's Telegram. `changed` guards it and is notified at every change."""

    def __init__(self, token: str, rng: random.Random, clock: Callable[[], float] = time.time) -> None:
        self.token = token
        self.clock = clock
        self.changed = threading.Condition(threading.RLock())
        self.updates = Updates(self.changed, rng)
        self.webhook = ""
        """Where updates would be sent; while one is set, nobody may poll."""
        self.me: dict[str, Any] = {
            "id": int(token.split(":")[0]),
            "is_bot": True,
            "first_name": "Furoshiki",
            "username": "furoshiki_test_bot",
            "can_join_groups": True,
            "can_read_all_group_messages": True,
            "supports_inline_queries": False,
        }
        self.chats: dict[int, Chat] = {}
        self.files: dict[str, StoredFile] = {}
        self.drafts: list[Draft] = []
        self.visible: dict[int, Draft] = {}
        self.stopped: set[tuple[int, int]] = set()
        """(chat_id, draft_id) whose generation the person stopped."""
        self.actions: list[Action] = []
        self.calls: list[Call] = []
        self.callbacks: dict[str, dict[str, Any] | None] = {}
        """Callback query id → how it was answered (None: not yet)."""
        self.commands: dict[tuple[str, str], list[dict[str, str]]] = {}
        """(scope as text, language) → the commands set."""
        self.profile: dict[tuple[str, str], str] = {}
        """(name | description | short_description, language) → text."""
        self.closed = False
        self._common_ids = 0
        self._own_ids: dict[int, int] = {}

    def chat(self, chat_id: int | str) -> Chat:
        """The chat a call is about; raises ApiError when Telegram would not know it or not let the bot in."""
        if chat_id in ("", None):
            raise bad("chat_id is empty")
        try:
            chat = self.chats.get(int(chat_id))
        except ValueError:
            chat = None
        if chat is None:
            raise bad("chat not found")
        return chat

    def writable(self, chat_id: int | str) -> Chat:
        """Like `chat`, for calls that reach a person: refused when the bot is blocked or was removed."""
        chat = self.chat(chat_id)
        if chat.blocked:
            raise ApiError(403, "Forbidden: bot was blocked by the user")
        if not chat.member:
            raise ApiError(403, f"Forbidden: bot was kicked from the {chat.wire['type']} chat")
        return chat

    def open(self, wire_chat: dict[str, Any]) -> Chat:
        """The chat, known from now on."""
        return self.chats.setdefault(int(wire_chat["id"]), Chat(wire_chat))

    def next_id(self, chat: Chat) -> int:
        """The id of the next message: one sequence for all private chats and small groups, own ones for supergroups."""
        if chat.wire["type"] == "supergroup":
            self._own_ids[chat.id] = self._own_ids.get(chat.id, 0) + 1
            return self._own_ids[chat.id]
        self._common_ids += 1
        return self._common_ids

    def add(self, chat: Chat, author: Literal["user", "bot"], sender: dict[str, Any], **fields: Any) -> Message:
        """Puts a message into the chat; a message of the bot ends the draft shown there."""
        message = Message(self.next_id(chat), chat.id, author, sender, int(self.clock()), **fields)
        chat.messages.append(message)
        if author == "bot":
            self.visible.pop(chat.id, None)
        self.changed.notify_all()
        return message

    def find(self, chat: Chat, message_id: int | None) -> Message | None:
        """The message of that id, unless it was deleted."""
        for message in reversed(chat.messages):
            if message.id == message_id:
                return None if message.deleted else message
        return None

    def wire(self, message: Message) -> dict[str, Any]:
        chat = self.chats[message.chat_id]
        return wire(message, chat.wire, self.find(chat, message.reply_to) if message.reply_to else None)

    def store(self, folder: str, name: str, data: bytes) -> StoredFile:
        """Keeps a file and gives it an id and a path."""
        number = len(self.files)
        suffix = name.rpartition(".")[2] if "." in name else "bin"
        stored = StoredFile(f"file-{number:06d}-id", f"{folder}/file_{number}.{suffix}", name, data)
        self.files[stored.file_id] = stored
        return stored

    def draft_shown(self, chat_id: int) -> Draft | None:
        """The draft a person sees in the chat right now, if any."""
        draft = self.visible.get(chat_id)
        return draft if draft is not None and self.clock() - draft.at <= DRAFT_SECONDS else None
