"""Records each look of the machine's operator into a home, and tells the home's owner.

The record is `logs/operator.log` of the home, one line per command; the owner is told of each
command once a day, on each of their channels.
"""

from contextlib import closing, suppress
from datetime import datetime
from pathlib import Path

from furoshiki.core.database.connection import Database
from furoshiki.core.errors import StorageUnavailable
from furoshiki.core.paths import DATABASE
from furoshiki.core.timestamps import stamp
from furoshiki.host import owner_messages

LOG = Path("logs") / "operator.log"

# Commands that maintain a home and show no message. Not `backup`: a copy can be read.
WITHOUT_WORDS = ("doctor", "migrate", "service", "up", "listen", "brain", "run", "setup", "config", "restore", "host")

TOLD = (
    "The operator of the machine I live on has used `furoshiki {command}` on me at {time} (UTC), "
    "which can show what you and I said. All such commands are in logs/operator.log of my data "
    "directory."
)


def note(data: Path, command: str, now: datetime) -> None:
    """Record the use of a command on a home from outside; tell the owner if the database works."""
    if command in WITHOUT_WORDS:
        return
    path = data / LOG
    path.parent.mkdir(exist_ok=True, mode=0o700)
    path.touch(mode=0o600)
    with path.open("a", encoding="utf-8") as log:
        log.write(f"{stamp(now)} furoshiki {command}\n")
    words = TOLD.format(command=command, time=now.strftime("%H:%M"))
    with closing(Database(data / DATABASE)) as database, suppress(StorageUnavailable), database.write() as db:
        owner_messages.tell_owner(db, words, f"operator-{now:%Y-%m-%d}-{command}", now)
