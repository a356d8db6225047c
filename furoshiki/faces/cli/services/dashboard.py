"""`furoshiki dashboard`: serves the pages, signs people in, and manages access."""

import argparse
import getpass
import html
import sys
import webbrowser
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from furoshiki.app.wiring import prepare
from furoshiki.conversation.commands.look import dashboard
from furoshiki.core import paths
from furoshiki.core import settings as all_settings
from furoshiki.core.atomic_files import write_text
from furoshiki.core.errors import FuroshikiError
from furoshiki.core.logins import addresses, links, passwords, sessions, tokens
from furoshiki.core.logins.ledger import Ledger
from furoshiki.core.process.locks import lock_held
from furoshiki.core.settings import Settings
from furoshiki.faces.cli import context
from furoshiki.faces.terminal.printing import answer, as_json, note, show_list
from furoshiki.language.humanize import clock, plural

ONCE = "It signs one browser in, within five minutes."


def run(args: argparse.Namespace) -> int:
    """Run the verb; without one, serve the dashboard or sign in."""
    held = all_settings.load()
    prepare(held.data)
    if args.lan:
        return _for_a_phone(args.lan, held)
    return at_the_door(args, args.verb, held) if args.verb else _here(args, held)


def of_a_host(args: argparse.Namespace, root: Path, held: Settings) -> int:
    """Do the same for the dashboard of a host and its operator; `held` are the host's settings."""
    (held.data / "run").mkdir(parents=True, exist_ok=True, mode=0o700)
    if args.door:
        return at_the_door(args, args.door, held)
    if args.open and lock_held(held.data / "run" / addresses.LOCK):
        _sign_in(held, held, Ledger(held.data), args)
        return 0
    from furoshiki.app import run_job
    from furoshiki.faces.host_dashboard import serving

    with paths.living_in(held.data):  # code that reads the environment must find no home
        serving.alone(root, held, run_job.notifier(), lambda: _ready(held, args, "furoshiki host dashboard --open"))
    return 0


def _here(args: argparse.Namespace, held: Settings) -> int:
    ledger = Ledger(held.data)
    if args.open and (place := dashboard.find_host_settings(held)) is not None:
        _sign_in(held, place, ledger, args)
        return 0
    from furoshiki.app import memoryd_shutdown, run_job
    from furoshiki.faces.dashboard import running

    run_job.keep_log(held, "dashboard")
    with memoryd_shutdown.main_process_of_unit(held.data):
        running.alone(held, run_job.notifier(), lambda: _ready(held, args, "furoshiki dashboard --open"))
    return 0


def _for_a_phone(address: str, held: Settings) -> int:
    """Serve one phone; print the address or the error for the parent process."""
    from furoshiki.app import run_job
    from furoshiki.faces.dashboard import lan

    run_job.keep_log(held, "dashboard")
    try:
        lan.alone(held, address, lambda opening: print(opening.base, flush=True))
    except FuroshikiError as error:
        print(error, flush=True)
        return 1
    return 0


def at_the_door(args: argparse.Namespace, verb: str, held: Settings) -> int:
    """Manage access: tokens, sessions, passwords. Raises FuroshikiError."""
    ledger, now = Ledger(held.data), context.clock().now()
    match verb:
        case "token":
            return _token(ledger, args, now)
        case "tokens":
            return _tokens(ledger, args, held, now)
        case "revoke":
            if not tokens.revoke(ledger, args.token, now):
                raise FuroshikiError(f"there is no token {args.token!r}; `furoshiki dashboard tokens` lists them")
            return answer(args.json, {"revoked": args.token}, f"{args.token} lets nobody in any more.")
        case "sessions":
            return _sessions(ledger, args, held, now)
        case "sign-out":
            return _sign_out(ledger, args, now)
    return _password(ledger, args, now)


def _ready(held: Settings, args: argparse.Namespace, command: str) -> None:
    """Announce the server when it answers; with --open, sign in."""
    if args.open:
        _sign_in(held, held, Ledger(held.data), args)
    elif args.json:
        as_json({"address": addresses.usual(held)})
    note(f"The dashboard is on {addresses.usual(held)}. Ctrl-C stops it.")
    if not args.open:
        note(f"`{command}`, in another terminal, signs you in.")


def _sign_in(held: Settings, place: Settings, ledger: Ledger, args: argparse.Namespace) -> None:
    """Create a login link to the address in `place`, and open it where there is a browser."""
    link = links.make_link(ledger, args.role, context.clock().now(), base=addresses.of_this_machine(place))
    if args.json:
        public = place.furoshiki_dashboard_url
        as_json(
            {"link": link, "role": args.role, "minutes": 5, "public": public and public + link[link.index("/enter") :]}
        )
    elif _open_browser(held, link):
        print(f"Opened in your browser. If it did not come up: {link}", flush=True)
    else:
        print(f"{link}\n{ONCE}", flush=True)


def _open_browser(held: Settings, link: str) -> bool:
    """Open a browser and return whether that worked. It gets a local file that leads to the link,
    because everybody on the machine can read command lines."""
    if not {"DISPLAY", "WAYLAND_DISPLAY"} & paths.environ().keys():
        return False
    leading = held.data / "run" / "open-dashboard.html"
    address = html.escape(link)
    write_text(leading, f'<meta http-equiv="refresh" content="0;url={address}"><a href="{address}">Open</a>\n')
    try:
        return webbrowser.open(leading.as_uri())
    except webbrowser.Error:
        return False


def _token(ledger: Ledger, args: argparse.Namespace, now: datetime) -> int:
    key = tokens.make_token(ledger, args.name, args.role, now)
    if args.json:
        as_json({"token": key, "name": args.name, "role": args.role})
        return 0
    print(key)
    note(
        "It will not be shown again. A program sends it as `Authorization: Bearer …`; "
        f"`furoshiki dashboard revoke {args.name}` takes it back."
    )
    return 0


def _tokens(ledger: Ledger, args: argparse.Namespace, held: Settings, now: datetime) -> int:
    found = tokens.list_all(ledger)
    rows = [
        (token.id, token.name, token.role, *_describe_times((token.made_at, token.used_at), held, now))
        for token in found
    ]
    nothing = "There is none. `furoshiki dashboard token NAME` makes one."
    return show_list(args.json, found, ("id", "name", "role", "made", "used last"), rows, nothing)


def _sessions(ledger: Ledger, args: argparse.Namespace, held: Settings, now: datetime) -> int:
    found = sessions.list_all(ledger, now)
    rows = []
    for session in found:
        times = _describe_times((session.began_at, session.seen_at), held, now)
        rows.append((session.id, session.role, session.browser, session.way, *times))
    nothing = "Nobody is signed in. `furoshiki dashboard --open` signs you in."
    return show_list(args.json, found, ("id", "role", "browser", "by", "signed in", "seen last"), rows, nothing)


def _describe_times(moments: Sequence[datetime | None], held: Settings, now: datetime) -> list[str]:
    return ["never" if at is None else clock(at, held.zone, now) for at in moments]


def _sign_out(ledger: Ledger, args: argparse.Namespace, now: datetime) -> int:
    if args.session is None:
        count = sessions.end_all(ledger, now)
        return answer(args.json, {"signed_out": count}, f"{plural(count, 'session')} ended, and every open link.")
    if not sessions.end(ledger, args.session, now):
        raise FuroshikiError(f"there is no session {args.session!r}; `furoshiki dashboard sessions` lists them")
    return answer(args.json, {"signed_out": 1}, f"{args.session} is signed out.")


def _password(ledger: Ledger, args: argparse.Namespace, now: datetime) -> int:
    if args.remove:
        there = passwords.remove(ledger, args.role, now)
        words = f"Nobody comes in as {args.role} by password any more." if there else f"There was none for {args.role}."
        return answer(args.json, {"role": args.role, "removed": there}, words)
    if sys.stdin.isatty():
        first = getpass.getpass(f"New password for {args.role}: ")
        if getpass.getpass("The same again: ") != first:
            raise context.Misused("the two are not the same; nothing was changed")
    else:
        first = sys.stdin.readline().rstrip("\n")
    passwords.choose(ledger, args.role, first, now)
    return answer(args.json, {"role": args.role, "set": True}, f"{args.role} can sign in with it from now on.")
