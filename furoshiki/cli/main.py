"""The door of the command line: find the command, run it, and turn whatever happens into one clear line."""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from typing import TYPE_CHECKING

from furoshiki.cli.parser import build
from furoshiki.core.errors import FuroshikiError, in_words
from furoshiki.core.process.interrupts import hear_interrupts
from furoshiki.core.terminal import guarded, opened

if TYPE_CHECKING:
    from collections.abc import Sequence

INTERRUPTED = 130

FAULT = "this is a fault of the program, not yours ({name}); what you have is as it was"


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command. Exit status: 0 ok, 1 failed, 2 usage, 3 not configured, 4 unhealthy, 130 interrupted."""
    hear_interrupts()
    opened()
    with guarded():
        return _guarded(argv)


def _guarded(argv: Sequence[str] | None) -> int:
    args = build().parse_args(argv)
    try:
        status = _run(args)
        sys.stdout.flush()
    except BrokenPipeError:
        # the reader has seen enough (`| head`); without this Python complains again while it exits
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return INTERRUPTED
    except FuroshikiError as error:
        print(f"furoshiki: {error}", file=sys.stderr)
        _log(error)
        return error.exit_code
    except OSError as error:
        print(f"furoshiki: {in_words(error)}{_log(error)}", file=sys.stderr)
        return 1
    except Exception as error:  # the edge of the process: a person gets one line, the log gets the traceback
        where = _log(error)
        print(f"furoshiki: {FAULT.format(name=type(error).__name__)}{where}", file=sys.stderr)
        return 1
    return status


def _run(args: argparse.Namespace) -> int:
    if args.version:
        from furoshiki.core.paths import version

        print(f"furoshiki {version()}")
        return 0
    from furoshiki.cli import context

    context.person = getattr(args, "person", None)
    module = importlib.import_module(f".{args.module}", "furoshiki.cli")
    return int(module.run(args))


def _log(error: BaseException) -> str:
    """Write the traceback where an operator will look; answers " (details in FILE)", or nothing when that fails."""
    import logging

    from furoshiki.core import logs
    from furoshiki.core.paths import data_dir

    path = data_dir() / "logs" / "furoshiki.log"
    try:
        logs.keep(path, "info", (), loud=False)
    except OSError:
        return ""
    logging.getLogger("furoshiki.cli").error("%s", error, exc_info=error)
    return f" (details in {path})"
