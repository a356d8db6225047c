"""Runs the Telegram emulator alone: every line typed is a message of the owner, every change of the chat is printed."""

from __future__ import annotations

import argparse
import sys
import threading

from . import TOKEN, TelegramEmulator


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=8081)
    parser.add_argument("--token", default=TOKEN)
    arguments = parser.parse_args()
    with TelegramEmulator(port=arguments.port, token=arguments.token) as telegram:
        print(f"TELEGRAM_API_URL={telegram.url}\nTELEGRAM_BOT_TOKEN={telegram.token}", flush=True)
        threading.Thread(target=_show, args=(telegram,), daemon=True).start()
        for line in sys.stdin:
            if line.strip():
                telegram.say(line.rstrip("\n"))
    return 0


def _show(telegram: TelegramEmulator) -> None:
    seen: dict[int, str] = {}
    while not telegram.state.closed:
        for message in telegram.chat():
            if message.author == "bot" and seen.get(message.id) != message.text:
                print(f"{'edited' if message.id in seen else 'bot'} #{message.id}: {message.text}", flush=True)
                seen[message.id] = message.text
        with telegram.state.changed:
            telegram.state.changed.wait(1)


if __name__ == "__main__":
    raise SystemExit(main())
