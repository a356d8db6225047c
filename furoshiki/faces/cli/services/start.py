"""`furoshiki` without a command: run everything if there are keys, else chat."""

import argparse

from furoshiki.core import settings


def run(args: argparse.Namespace) -> int:
    """Continue as `up` or as `chat`."""
    held = settings.load()
    if held.telegram_bot_token is not None or any(held.model_values().values()):
        from furoshiki.faces.cli.services.up import run as up

        return up(args)
    from furoshiki.faces.cli.talk.chat import PATIENCE_SECONDS
    from furoshiki.faces.cli.talk.chat import run as chat

    return chat(argparse.Namespace(once=None, json=False, timeout=PATIENCE_SECONDS))
