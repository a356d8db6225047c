"""A Telegram Bot API server on loopback with the real rules, and with faults on demand.

    with TelegramEmulator() as telegram:
        environment = {"TELEGRAM_API_URL": telegram.url, "TELEGRAM_BOT_TOKEN": telegram.token}
        telegram.say("hello")
        telegram.wait_for(lambda: telegram.replies() == ["re: hello"])

`python -m tests.emulators.telegram --port 8081` runs it alone: lines typed are said, what the bot does is printed.
"""

from .emulator import TOKEN, TelegramEmulator
from .faults import Fault, Faults
from .messages import Message
from .person import OWNER, png
from .rules import ApiError, units
from .state import Action, Call, Draft

__all__ = [
    "OWNER",
    "TOKEN",
    "Action",
    "ApiError",
    "Call",
    "Draft",
    "Fault",
    "Faults",
    "Message",
    "TelegramEmulator",
    "png",
    "units",
]
