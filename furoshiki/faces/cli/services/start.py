"""`furoshiki` without a command: run everything if there are keys, else chat."""

import argparse
import importlib

from furoshiki.core import settings
from furoshiki.faces.cli.parser import build


def run(_args: argparse.Namespace) -> int:
    """Continue as `up` or as `chat`, as if that had been typed."""
    held = settings.load()
    keys = held.telegram_bot_token is not None or any(held.model_values().values())
    args = build().parse_args(["up" if keys else "chat"])
    return int(importlib.import_module(f"furoshiki.faces.cli.{args.module}").run(args))
