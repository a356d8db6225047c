"""Keys and tokens must be private. Readable ones are closed, and this is always reported."""

import re
import stat
from collections.abc import Iterator
from pathlib import Path

from doctor_checks.findings import Finding, mended, well, wrong
from doctor_checks.look import Look
from doctor_checks.place import CREDENTIALS

_TOKEN = re.compile(r"\d{3,20}:[A-Za-z0-9_-]{20,100}")


def check(look: Look) -> Iterator[Finding]:
    """Check the permissions of files with secrets, and the form of the bot's token."""
    bad = False
    files = [look.place.checkout / ".env"]
    if look.place.lived_in:
        handed_over = look.place.data / CREDENTIALS
        files += [look.place.data / ".env", *(sorted(handed_over.iterdir()) if handed_over.is_dir() else ())]
    for path in files:
        if _others(path):
            bad = True
            yield _closed(look, path)
    if look.place.lived_in and _others(look.place.data):
        bad = True
        yield _closed_folder(look)
    token = look.place.settings.get("TELEGRAM_BOT_TOKEN", "")
    if token and not _TOKEN.fullmatch(token):
        bad = True
        fix = "copy it again from @BotFather: a number, a colon, 35 letters and digits"
        yield wrong("secrets.token", "TELEGRAM_BOT_TOKEN is not a bot's token", fix)
    if not bad:
        yield well("secrets", "nobody else can read the keys")


def _closed(look: Look, path: Path) -> Finding:
    try:
        if not look.dry:
            path.chmod(0o600)
    except OSError:
        return wrong(
            f"secrets.{path}", f"other users of this machine can read {path}", f"`chmod 600 {path}` as its owner"
        )
    words = f"{look.did('closed', 'close')} {path} (chmod 600): other users of this machine could read the keys in it"
    fix = "if others use this machine, make new keys: they may have read these"
    return mended(f"secrets.{path}", words, alert="event", fix=fix)


def _closed_folder(look: Look) -> Finding:
    path = look.place.data
    try:
        if not look.dry:
            path.chmod(0o700)
    except OSError:
        return wrong("secrets.folder", f"other users of this machine can look into {path}", f"`chmod 700 {path}`")
    return mended("secrets.folder", f"{look.did('closed', 'close')} {path} (chmod 700) to other users of this machine")


def _others(path: Path) -> int:
    """Return the permissions of others on a file or folder; 0 also if it does not exist."""
    try:
        return stat.S_IMODE(path.stat().st_mode) & 0o077
    except OSError:
        return 0
