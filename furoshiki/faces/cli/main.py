"""The entry point of the command line: runs the command and reports errors in one line."""

import argparse
import importlib
import os
import sys
from collections.abc import Sequence
from datetime import UTC, datetime

from furoshiki.core.catalogue import ENGLISH, get_language, later, say, say_sentence, speaking
from furoshiki.core.errors import FuroshikiError, NotConfigured, in_words
from furoshiki.core.paths import DATABASE, data_dir, homes_dir, host_of, version
from furoshiki.core.process.interrupts import hear_interrupts
from furoshiki.core.terminal import guarded, open_streams
from furoshiki.faces.cli.language import UNATTENDED, find_language
from furoshiki.faces.cli.parser import build

INTERRUPTED = 130

# commands that start a home's processes; they are refused for a paused home
STARTING = ("up", "listen", "brain", "run", "chat", "setup")

FAULT = later("this is a bug in the program, not your fault ({name}); your data is unchanged")


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command. Exit status: 0 ok, 1 failed, 2 usage, 3 not configured, 4 unhealthy, 130 interrupted."""
    hear_interrupts()
    open_streams()
    with guarded():
        return _run_guarded(argv)


def _run_guarded(argv: Sequence[str] | None) -> int:
    given, home = split_home(sys.argv[1:] if argv is None else argv)
    args = build().parse_args(given)
    if args.version:
        print(f"furoshiki {version()}")
        return 0
    with speaking(find_language()):
        return _answer(args, home)


def _answer(args: argparse.Namespace, home: str | None) -> int:
    try:
        if home is not None:
            _enter(home, args)
        _leave_a_trace(args)
        status = _run(args)
        sys.stdout.flush()
    except BrokenPipeError:
        # the reader has closed the pipe (`| head`); without this Python complains again at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return INTERRUPTED
    except FuroshikiError as error:
        print(f"furoshiki: {say_sentence(error)}", file=sys.stderr)
        _log(error)
        return error.exit_code
    except OSError as error:
        print(f"furoshiki: {say_sentence(in_words(error))}{_log(error)}", file=sys.stderr)
        return 1
    except Exception as error:  # the edge of the process: a person gets one line, the log the traceback
        where = _log(error)
        print(f"furoshiki: {say(FAULT, name=type(error).__name__)}{where}", file=sys.stderr)
        return 1
    return status


def split_home(argv: Sequence[str]) -> tuple[list[str], str | None]:
    """Split `--home NAME`, wherever it is, from the arguments; return the rest and the name."""
    own = argv.index("--") if "--" in argv else len(argv)
    words: list[str] = []
    names: list[str] = []
    typed = iter(argv[:own])
    for word in typed:
        if word.startswith("--home="):
            names.append(word.partition("=")[2])
        elif word == "--home":
            name = next(typed, None)
            if name is None:
                raise SystemExit(_refuse("--home needs a name: `furoshiki host list` shows which there are"))
            names.append(name)
        else:
            words.append(word)
    if len(set(names)) > 1:
        raise SystemExit(_refuse(f"--home names {' and '.join(names)}: say which one is meant"))
    return [*words, *argv[own:]], names[0] if names else None


def _refuse(words: str) -> int:
    print(f"furoshiki: {words}", file=sys.stderr)
    return 2


def _enter(name: str, args: argparse.Namespace) -> None:
    """Use the data of a home in this process and its children. Raises NoSuchHome, NotConfigured."""
    from furoshiki.host import homes

    home = homes.get_home(homes_dir(), name)
    command = getattr(args, "command", None) or "up"
    if home.paused_at is not None and command in STARTING:
        raise NotConfigured(f"{name} rests since {home.paused_at:%Y-%m-%d %H:%M} UTC: `furoshiki host resume {name}`")
    os.environ["FUROSHIKI_DATA"] = str(home.data)  # noqa: TID251 - the one place that says where a command lives


def _leave_a_trace(args: argparse.Namespace) -> None:
    """Record a command of the operator on a home in that home's log, however the home was named."""
    data = data_dir()
    if host_of(data) is not None and (data / DATABASE).is_file():
        from furoshiki.host import operator_access

        command = getattr(args, "command", None) or "chat"
        operator_access.note(data, command, datetime.now(UTC))  # noqa: TID251 - the edge of the process


def _run(args: argparse.Namespace) -> int:
    from furoshiki.faces.cli import context

    context.person = getattr(args, "person", None)
    module = importlib.import_module(f".{args.module}", "furoshiki.faces.cli")
    unread = getattr(args, "json", False) or getattr(args, "command", None) in UNATTENDED
    with speaking(ENGLISH if unread else get_language()):
        return int(module.run(args))


def _log(error: BaseException) -> str:
    """Write the traceback to the log; return " (details in FILE)", or nothing if that fails."""
    import logging

    from furoshiki.core import logs

    path = data_dir() / "logs" / "furoshiki.log"
    try:
        logs.keep(path, "info", (), loud=False)
    except OSError:
        return ""
    logging.getLogger("furoshiki.faces.cli").error("%s", error, exc_info=error)
    return f" ({say('details in {path}', path=path)})"
