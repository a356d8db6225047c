"""What people do without writing a message: edits, reactions, buttons, blocking, adding to a group, stopping."""

from __future__ import annotations

from typing import Any

from .messages import Message
from .person import People, Person
from .state import Chat


class Gestures(People):
    """Moves on what is already there."""

    def edit(self, message_id: int, text: str, chat_id: int | None = None) -> Message:
        """A person edits an own message; captions likewise."""
        with self._state.changed:
            message = self._find(chat_id, message_id)
            if message.author != "user":
                raise ValueError("people edit their own messages only")
            message.edits.append(message.text)
            message.text, message.edited = text, True
            self._state.updates.push({"edited_message": self._state.wire(message)})
            return message.snapshot()

    def react(self, message_id: int, emoji: str | None, chat_id: int | None = None, user: Person = None) -> int:
        """Sets a person's reaction, or takes it away with None; returns the update id."""
        with self._state.changed:
            message = self._find(chat_id, message_id)
            person = self.user(user, message.chat_id)
            old = message.reactions.pop(person["id"], [])
            new = [emoji] if emoji else []
            if new:
                message.reactions[person["id"]] = new
            return self._state.updates.push(
                {
                    "message_reaction": {
                        "chat": self._state.chats[message.chat_id].wire,
                        "message_id": message_id,
                        "user": person,
                        "date": int(self._state.clock()),
                        "old_reaction": [{"type": "emoji", "emoji": e} for e in old],
                        "new_reaction": [{"type": "emoji", "emoji": e} for e in new],
                    }
                }
            )

    def press(
        self, message_id: int, data: str, chat_id: int | None = None, user: Person = None, *, forged: bool = False
    ) -> str:
        """Presses the button with that callback_data; returns the query id. `forged`: no such button is needed."""
        with self._state.changed:
            message = self._find(chat_id, message_id)
            offered = [button.get("callback_data") for row in message.buttons for button in row]
            if data not in offered and not forged:
                raise ValueError(f"message {message_id} has no button {data!r}, only {offered}")
            query: dict[str, Any] = {
                "id": str(9_000_000 + next(self._numbers)),
                "from": self.user(user, message.chat_id),
                "message": self._state.wire(message),
                "chat_instance": str(message.chat_id),
                "data": data,
            }
            self._state.callbacks[query["id"]] = None
            self._state.updates.push({"callback_query": query})
            return str(query["id"])

    def stop_generation(self, chat_id: int | None = None) -> int:
        """Presses the stop button of the draft being shown; returns the update id."""
        with self._state.changed:
            chat = self.open(chat_id)
            draft = self._state.draft_shown(chat.id)
            if draft is None or not draft.can_stop:
                raise ValueError("no draft with a stop button is being shown")
            self._state.stopped.add((chat.id, draft.draft_id))
            if not draft.keep_on_stop:
                self._state.visible.pop(chat.id)
            return self._state.updates.push(
                {"stopped_message_generation": {"chat": chat.wire, "draft_id": draft.draft_id}}
            )

    def block(self, chat_id: int | None = None) -> int:
        """A person blocks the bot; until `unblock` every send answers 403."""
        with self._state.changed:
            chat = self.open(chat_id)
            chat.blocked = True
            return self._membership(chat, self.user(None, chat.id), "member", "kicked")

    def unblock(self, chat_id: int | None = None) -> int:
        with self._state.changed:
            chat = self.open(chat_id)
            chat.blocked = False
            return self._membership(chat, self.user(None, chat.id), "kicked", "member")

    def add_to_group(self, chat_id: int, title: str = "Friends", by: Person = None) -> Chat:
        """Somebody adds the bot to a group. Groups here deliver all messages, as to a bot without privacy mode."""
        with self._state.changed:
            chat = self.open(chat_id, title)
            chat.member = True
            self._membership(chat, self.user(by), "left", "member")
            return chat

    def remove_from_group(self, chat_id: int, by: Person = None) -> int:
        with self._state.changed:
            chat = self.open(chat_id)
            chat.member = False
            return self._membership(chat, self.user(by), "member", "kicked")

    def delete_own(self, message_id: int, chat_id: int | None = None) -> None:
        """A person deletes a message; the Bot API tells the bot nothing."""
        with self._state.changed:
            self._find(chat_id, message_id).deleted = True
            self._state.changed.notify_all()

    def _find(self, chat_id: int | None, message_id: int) -> Message:
        message = self._state.find(self.open(chat_id), message_id)
        if message is None:
            raise ValueError(f"there is no message {message_id} in this chat")
        return message

    def _membership(self, chat: Chat, person: dict[str, Any], old: str, new: str) -> int:
        def member(status: str) -> dict[str, Any]:
            return {"status": status, "user": self._state.me} | ({"until_date": 0} if status == "kicked" else {})

        change = {"chat": chat.wire, "from": person, "date": int(self._state.clock())}
        return self._state.updates.push(
            {"my_chat_member": {**change, "old_chat_member": member(old), "new_chat_member": member(new)}}
        )
