"""`furoshiki` without a command: run everything if there are keys, else chat."""

import argparse

from furoshiki.core import settings
from furoshiki.core.settings import Settings


def run(args: argparse.Namespace) -> int:
    """Continue as `up` or as `chat`."""
    if has_keys(settings.load()):
        from furoshiki.faces.cli.services.up import run as up

        return up(args)
    from furoshiki.faces.cli.talk.chat import PATIENCE_SECONDS
    from furoshiki.faces.cli.talk.chat import run as chat

    return chat(argparse.Namespace(once=None, json=False, timeout=PATIENCE_SECONDS))


def has_keys(held: Settings) -> bool:
    """Return whether the owner has connected Telegram or a model."""
    return held.telegram_bot_token is not None or any(held.model_values().values())
