"""What its owner types and taps in Telegram, one after the other, and what comes back."""

from __future__ import annotations

from tests.e2e.program import Program
from tests.emulators.telegram import Message, TelegramEmulator


def newest(telegram: TelegramEmulator) -> Message:
    return [one for one in telegram.chat() if one.author == "bot"][-1]


class Chat:
    """What its owner types and taps, one after the other."""

    def __init__(self, program: Program, telegram: TelegramEmulator) -> None:
        self.program, self.telegram = program, telegram

    def says(self, text: str) -> str:
        before = newest(self.telegram).id if self.telegram.replies() else 0
        self.telegram.say(text)
        return self._after(before)

    def taps(self, text: str) -> str:
        asked = newest(self.telegram)
        data = next(one["callback_data"] for row in asked.buttons for one in row if one["text"] == text)
        self.telegram.press(asked.id, data)
        return self._after(asked.id)

    def _after(self, before: int) -> str:
        self.telegram.wait_for(lambda: newest(self.telegram).id > before if self.telegram.replies() else False)
        self.program.wait_quiet()
        return newest(self.telegram).text
