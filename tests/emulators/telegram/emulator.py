"""The emulator as tests hold it: a server, the people in front of it, and a view of what they see."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable
from types import TracebackType
from typing import Any, Self, TypeVar

from ..loopback import GLANCE_SECONDS
from .faults import Faults
from .gestures import Gestures
from .messages import Message
from .person import OWNER
from .server import Server
from .state import Action, Call, Draft, State

TOKEN = "7000000001:AAfuroshiki-emulator-token-000000000"
PICTURED = 30
T = TypeVar("T")


class TelegramEmulator(Gestures):
    """Telegram on loopback, for one bot.

    Use as a context manager, or `stop()` it. People act through its methods (`say`, `photo`, `react`, `press` …); what
    they see is `chat()`. Private chats open when a person first writes (or with `open()`); before that the bot gets
    "chat not found". Thread-safe.
    """

    def __init__(
        self,
        *,
        token: str = TOKEN,
        seed: int = 5,
        port: int = 0,
        owner: dict[str, Any] | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.token = token
        self.state = State(token, random.Random(seed), clock)
        super().__init__(self.state, owner or OWNER)
        self.faults = Faults(random.Random(seed + 1))
        self._server = Server(self.state, self.faults, port)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def stop(self) -> None:
        """Closes every connection and waits for the threads."""
        self._server.stop()

    @property
    def url(self) -> str:
        """What TELEGRAM_API_URL should be."""
        return self._server.loopback.url

    @property
    def port(self) -> int:
        return self._server.loopback.port

    def offline(self) -> None:
        """Connections are cut and refused until `online()`."""
        self._server.offline()

    def online(self) -> None:
        """Listens again on the same port."""
        self._server.loopback.online()

    def push(self, update: dict[str, Any]) -> int:
        """Queues any update, such as {"poll_answer": {…}}; returns its id."""
        return self.state.updates.push(update)

    def restart_update_ids(self, next_id: int) -> None:
        """The next update gets this id, as may happen after a week of silence. Nothing may be pending."""
        self.state.updates.restart_ids(next_id)

    def chat(self, chat_id: int | None = None) -> list[Message]:
        """The chat as a person sees it now, oldest first, without what was deleted. The owner's chat by default."""
        with self.state.changed:
            chat = self.state.chats.get(self.owner["id"] if chat_id is None else chat_id)
            return [m.snapshot() for m in chat.messages if not m.deleted] if chat else []

    def replies(self, chat_id: int | None = None) -> list[str]:
        """The texts of the bot's messages in the chat, oldest first."""
        return [m.text for m in self.chat(chat_id) if m.author == "bot"]

    @property
    def calls(self) -> list[Call]:
        """Every Bot API call so far, in the order in which they ended."""
        with self.state.changed:
            return list(self.state.calls)

    def called(self, method: str) -> list[Call]:
        return [call for call in self.calls if call.method == method]

    @property
    def drafts(self) -> list[Draft]:
        """Every draft that was sent."""
        with self.state.changed:
            return list(self.state.drafts)

    def draft(self, chat_id: int | None = None) -> Draft | None:
        """The draft the person sees right now, if any."""
        with self.state.changed:
            return self.state.draft_shown(self.owner["id"] if chat_id is None else chat_id)

    @property
    def actions(self) -> list[Action]:
        """Every chat action, such as typing."""
        with self.state.changed:
            return list(self.state.actions)

    @property
    def pending(self) -> int:
        """How many updates the bot has not confirmed yet."""
        with self.state.changed:
            return len(self.state.updates.pending)

    @property
    def polls(self) -> int:
        """How many getUpdates calls have begun; each one waits for updates until it is answered."""
        with self.state.changed:
            return self.state.updates.polls

    @property
    def conflicts(self) -> int:
        """How many polls were ended by a newer one while somebody still listened."""
        with self.state.changed:
            return self.state.updates.conflicts

    def wait_for(self, predicate: Callable[[], T], timeout: float = 120.0) -> T:
        """Waits until the predicate is true (asked after every change, and now and then) and returns what it gave.

        Raises AssertionError with a picture of the chats when the seconds are over.
        """
        until = time.monotonic() + timeout
        with self.state.changed:
            while not (found := predicate()):
                left = until - time.monotonic()
                if left <= 0:
                    raise AssertionError(f"waited {timeout} s in vain; the chats show:\n{self.picture()}")
                self.state.changed.wait(min(left, GLANCE_SECONDS))
            return found

    async def until(self, predicate: Callable[[], T], timeout: float = 120.0) -> T:
        """`wait_for` for asynchronous tests: the event loop goes on meanwhile."""
        return await asyncio.to_thread(self.wait_for, predicate, timeout)

    def picture(self) -> str:
        """The ends of the chats and the last calls in words, for failure messages."""
        lines = []
        for chat in self.state.chats.values():
            lines.append(f"chat {chat.id} ({chat.wire['type']}{', blocked' if chat.blocked else ''})")
            shown = [m for m in chat.messages if not m.deleted][-PICTURED:]
            lines += [f"  {m.id:>4} {m.author:>4} {m.kind}: {m.text[:120]!r}" for m in shown]
        lines.append(f"{len(self.state.updates.pending)} updates pending; last calls:")
        lines += [f"  {call.method} → {call.outcome}" for call in self.state.calls[-8:]]
        return "\n".join(lines)
