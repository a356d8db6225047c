"""`furoshiki backup`: write a verified backup, list or verify backups, create a key for them."""

import argparse
import sys
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

from furoshiki.archive.forgetting import record
from furoshiki.core import env_file, settings
from furoshiki.core.errors import FuroshikiError, NotConfigured
from furoshiki.core.settings import Settings
from furoshiki.core.timestamps import stamp
from furoshiki.faces.cli import context
from furoshiki.faces.terminal.printing import as_json, note, show_list
from furoshiki.language.humanize import plural
from furoshiki.maintenance import backup, encryption
from furoshiki.maintenance.backup import Checked, Found

RECIPIENTS = "FUROSHIKI_BACKUP_RECIPIENTS"

NO_RECIPIENTS = (
    f"nobody is named whom a backup could be encrypted for: `furoshiki backup key` makes a key, or set {RECIPIENTS}"
)
KEEP_IT = "Keep this secret key elsewhere, on paper or in a password manager. It is shown once and stored nowhere here:"
WITHOUT_IT = "Without it no encrypted backup can be opened, by anybody."


def run(args: argparse.Namespace) -> int:
    """Run the requested step. Returns 1 when a backup is not whole, or nothing was written."""
    _sensible(args)
    if args.what == "key":
        return _key(args)
    if args.list:
        return _list(args)
    if args.verify is not None:
        return _verify(args)
    return _make(args)


def make_opener(identity: str | None) -> Callable[[Path], encryption.Opener]:
    """Return a function that opens an encrypted backup with the given key file or a passphrase."""
    return lambda path: encryption.opener(None if identity is None else Path(identity), path, _passphrase)


def _sensible(args: argparse.Namespace) -> None:
    making = args.keep or args.encrypt or args.with_secrets or args.to
    if making and (args.what or args.list or args.verify is not None):
        raise context.Misused("--keep, --encrypt, --with-secrets and --to are for making a backup: leave the rest out")
    if args.with_secrets and not args.encrypt:
        raise context.Misused("tokens and keys are saved in an encrypted backup only: add --encrypt")
    if args.identity and args.verify is None:
        raise context.Misused("--identity opens a backup for --verify; making one needs no secret key")


def _make(args: argparse.Namespace) -> int:
    world = context.world()
    if args.encrypt and not world.settings.backup_recipients:
        raise NotConfigured(NO_RECIPIENTS)
    report = backup.daily(world, args.keep, secrets=args.with_secrets)
    copy = _copy_backup(Path(report.data["file"]), Path(args.to)) if args.to else None
    if args.json:
        as_json({**report.data, "copy": None if copy is None else str(copy)})
    else:
        print(f"{report.summary}\n{report.data['file']}")
        if copy is not None:
            print(f"A copy of it, read back: {copy}")
    return 0


def _copy_backup(path: Path, folder: Path) -> Path:
    """Copy the backup, and next to it the record of what was forgotten since older backups."""
    copy = backup.copy_to(path, folder)
    record.put(folder, record.read(path.parent / record.FILE))
    return copy


def _list(args: argparse.Namespace) -> int:
    results = backup.list_backups(settings.load().data / "backups")
    rows = []
    for result in results:
        made_at, size = _minute(stamp(result.made_at)), f"{result.size / 1e6:,.1f} MB"
        rows.append(
            (made_at, size, "encrypted" if result.encrypted else "", _describe_reading(result), result.path.name)
        )
    headers = ("made (UTC)", "size", "", "last verified (UTC)", "file")
    nothing = "There is no backup yet. `furoshiki backup` makes one, and one is made each night."
    return show_list(args.json, [_as_data(result) for result in results], headers, rows, nothing, right=(1,))


def _verify(args: argparse.Namespace) -> int:
    held = settings.load()
    folder = held.data / "backups"
    if args.verify:
        path = Path(args.verify) if Path(args.verify).exists() else folder / args.verify
    else:
        newest = backup.list_backups(folder)[:1]
        if not newest:
            raise FuroshikiError(f"{folder} holds no backup: `furoshiki backup` makes one")
        path = newest[0].path
    if not path.is_file():
        raise FuroshikiError(f"{path} is not there; backups lie in {folder}")
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    by_key = args.identity is not None or (encryption.is_encrypted(path) and encryption.header(path).by_passphrase)
    unlock = make_opener(args.identity)(path) if by_key and encryption.is_encrypted(path) else None
    done = backup.check(path, folder, context.clock().now(), unlock)
    if args.json:
        known = None if done.found is None else asdict(done.found)
        as_json({"file": str(path), "opened": done.opened, "fault": done.fault, "verified": known})
    else:
        print(_describe_check(done))
    return 1 if done.fault else 0


def _describe_check(done: Checked) -> str:
    if done.fault is not None:
        return done.fault
    if done.found is None:
        return f"{done.path} has the form of an encrypted backup. What is in it takes --identity KEYFILE to verify."
    if not done.opened:
        return (
            f"{done.path} is to the byte what was verified when it was made ({plural(done.found.turns, 'turn')}). "
            "With --identity KEYFILE it is opened and read as well."
        )
    return f"{done.path} is whole: every file, and the database with {plural(done.found.turns, 'turn')}."


def _key(args: argparse.Namespace) -> int:
    held = settings.load()
    path = held.data / ".env"
    before = held.backup_recipients
    if not args.yes and not sys.stdin.isatty():
        raise context.Misused(f"backup key asks before it writes to {path}: give --yes")
    _changeable(held)
    secret, recipient = encryption.new_key()
    if args.json:
        written = args.yes or _confirm(path, len(before))
        if written:
            env_file.put(path, RECIPIENTS, ",".join((*before, recipient)))
        as_json({"secret": secret, "recipient": recipient, "written": written, "file": str(path)})
        return 0 if written else 1
    print(f"{KEEP_IT}\n\n{secret}\n\n{WITHOUT_IT}\nBackups are encrypted for its recipient, {recipient}.")
    if not (args.yes or _confirm(path, len(before))):
        note(f"Nothing was written. To use it: {RECIPIENTS}={recipient}")
        return 1
    env_file.put(path, RECIPIENTS, ",".join((*before, recipient)))
    print(f"{path} names it now: backups are encrypted from the next one on. Those that are there stay as they are.")
    return 0


def _changeable(held: Settings) -> None:
    """Raise FuroshikiError where a value in `.env` would be overridden."""
    _, source = settings.effective().get("furoshiki_backup_recipients", ("", ""))
    if source in ("environment", "systemd credential"):
        raise FuroshikiError(
            f"{RECIPIENTS} is set by the {source}, which goes before {held.data / '.env'}: set it there"
        )


def _confirm(path: Path, others: int) -> bool:
    beside = f", beside the {plural(others, 'recipient')} there" if others else ""
    note(f"Write the recipient into {path}{beside}? [y/N] ")
    return input().strip().lower() in ("y", "yes")


def _passphrase(prompt: str) -> str:
    """Read a passphrase from the terminal without echo, or else from a line of stdin."""
    if sys.stdin.isatty():
        import getpass

        return getpass.getpass(prompt, stream=sys.stderr)
    return sys.stdin.readline().rstrip("\n")


def _as_data(result: Found) -> dict[str, object]:
    known = None if result.verified is None else asdict(result.verified)
    return {
        "file": str(result.path),
        "made_at": stamp(result.made_at),
        "bytes": result.size,
        "encrypted": result.encrypted,
        "verified": known,
    }


def _describe_reading(result: Found) -> str:
    if result.verified is None:
        return "never"
    return _minute(result.verified.at) if result.verified.ok else f"DAMAGED, {_minute(result.verified.at)}"


def _minute(at: str) -> str:
    return at[:16].replace("T", " ")
