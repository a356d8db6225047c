"""`furoshiki up`: listener and brain under one supervisor, in the foreground."""

import argparse
import os
import subprocess
import sys
from typing import NoReturn

from furoshiki.app import supervisor
from furoshiki.core.catalogue import later, say
from furoshiki.core.database.connection import Database
from furoshiki.core.errors import AlreadyRunning
from furoshiki.core.logins import addresses
from furoshiki.core.process import machine
from furoshiki.core.process.locks import lock_held
from furoshiki.core.settings import Settings
from furoshiki.faces.cli import context, parser
from furoshiki.faces.cli.talk import pair
from furoshiki.faces.terminal.printing import note
from furoshiki.messages.store import accounts

NO_TELEGRAM = later(
    "TELEGRAM_BOT_TOKEN is not set, so nobody can write from Telegram: "
    "`furoshiki setup` shows how (or put the token from @BotFather into {path})."
)


def run(args: argparse.Namespace) -> int:
    """Run until stopped. Without a Telegram token: the brain, and a chat in the terminal."""
    settings, database = context.storage()
    if lock_held(settings.data / "run" / supervisor.LOCK):
        raise AlreadyRunning(supervisor.ALREADY)
    pages = ["dashboard"] if settings.furoshiki_dashboard else []
    if settings.telegram_bot_token is None:
        note(say(NO_TELEGRAM, path=settings.data / ".env"))
        if sys.stdin.isatty():
            return _chat_beside_brain()
        return _become_supervisor("brain", *pages)
    _invite(settings, database)
    logs = settings.data / "logs"
    single = machine.is_small() if args.single is None else args.single
    names = ["single"] if single else ["listen", "brain", *pages]
    starting = later("Starting listener, brain and dashboard. Logs: {folder}. Ctrl-C stops.")
    note(say(starting if pages else later("Starting listener and brain. Logs: {folder}. Ctrl-C stops."), folder=logs))
    if pages:
        signs_in = later("The dashboard is on {address}; `furoshiki dashboard --open` signs you in.")
        note(say(signs_in, address=addresses.usual(settings)))
    return _become_supervisor(*names)


def _become_supervisor(*names: str) -> NoReturn:
    """Replace this process by a small supervisor with the same process id and terminal."""
    sys.stdout.flush()
    os.execv(sys.executable, [sys.executable, "-P", "-m", supervisor.__name__, *names])


def _invite(settings: Settings, database: Database) -> None:
    """Show how to pair if no owner is paired."""
    with database.read() as db:
        nobody = accounts.owner(db, pair.TELEGRAM) is None
    if nobody and settings.telegram_owner_id is None:
        note(pair.invitation(*pair.offer(settings, database, "owner")))


def _chat_beside_brain() -> int:
    """Run the brain as a child that ends with the chat; its output goes to its log."""
    from furoshiki.faces.cli.talk import chat

    with subprocess.Popen(
        [sys.executable, "-P", "-m", "furoshiki", "brain"],
        stdin=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    ) as brain:
        try:
            return chat.run(parser.build().parse_args(["chat"]))
        finally:
            brain.terminate()
