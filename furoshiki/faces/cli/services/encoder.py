"""`furoshiki encoder`: serve this machine's encoder to other machines, and manage tokens."""

import argparse
import contextlib
import os
from pathlib import Path

from furoshiki.core import numbers
from furoshiki.core import settings as all_settings
from furoshiki.core.errors import FuroshikiError
from furoshiki.core.settings import Settings
from furoshiki.core.timestamps import stamp
from furoshiki.faces.cli import context
from furoshiki.faces.terminal.printing import as_json, note, table
from furoshiki.recall.embeddings.remote.tokens import Tokens

FOLDER = "encoder"
"""The folder in the data directory with certificate.pem, key.pem and tokens.json."""


def run(args: argparse.Namespace) -> int:
    os.umask(0o077)
    held = all_settings.load()
    folder = held.data / FOLDER
    tokens = Tokens(folder / "tokens.json")
    match args.verb:
        case "token":
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            token = tokens.make(args.name, context.clock().now())
            if args.json:
                as_json({"name": args.name, "token": token})
            else:
                note(
                    f"This token of {args.name} will not be shown again: set it as FUROSHIKI_MEMORYD_TOKEN in "
                    "the .env there."
                )
                print(token)
        case "tokens":
            listed = {name: stamp(made) for name, made in tokens.listed().items()}
            if args.json:
                as_json([{"name": name, "made": made} for name, made in listed.items()])
            elif listed:
                table(("client", "made"), listed.items())
            else:
                note("Nobody has a token: `furoshiki encoder token NAME` makes one.")
        case "withdraw":
            tokens.withdraw(args.name)
            note(f"{args.name} is answered no more.")
        case _:
            _serve(held, tokens, args)
    return 0


def _serve(held: Settings, tokens: Tokens, args: argparse.Namespace) -> None:
    import asyncio
    import logging
    import signal

    from furoshiki.app import run_job
    from furoshiki.recall.embeddings import models
    from furoshiki.recall.embeddings.remote import server

    host, _, typed = args.address.rpartition(":")
    port = numbers.whole(typed, 0, 65535)
    if not host or port is None:
        raise context.Misused(f"{args.address}: write it as HOST:PORT, as in 0.0.0.0:8443")
    host = host.strip("[]")
    folder = held.data / FOLDER
    files = server.Certificate(
        Path(args.certificate or folder / "certificate.pem"), Path(args.key or folder / "key.pem")
    )
    named = bool(args.certificate or args.key)
    certificate = files if named or files.certificate.exists() else None
    if certificate is None and not server.is_this_machine(host):
        raise FuroshikiError(server.OPEN.format(host=host, key=files.key, certificate=files.certificate))
    run_job.keep_log(held, "encoder")
    at = server.bound(host, port)
    encoder = models.load(held.furoshiki_embedder, held.data / "models")
    address = f"{'http' if certificate is None else 'https'}://{args.address}"

    def ready() -> None:
        logging.getLogger("encoder").info("serving %s at %s", encoder.id, address)
        note(f"The encoder {encoder.id} is served at {address}. Ctrl-C stops it.")

    async def serving() -> None:
        task = asyncio.current_task()
        assert task is not None
        for number in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(number, task.cancel)
        with contextlib.suppress(asyncio.CancelledError):
            await server.serve(server.Application(encoder, tokens), at, certificate, ready)

    asyncio.run(serving())
