"""The listener's troubles with each bot, in `.host/run/bots.json`, for the doctor and the host's
page."""

import json
import logging
from pathlib import Path

from furoshiki.core import atomic_files
from furoshiki.core.errors import in_words
from furoshiki.core.paths import HOST

FILE = "bots.json"
UNAUTHORIZED = "unauthorized"

log = logging.getLogger(__name__)


def load_troubles(root: Path) -> dict[str, str]:
    """Return the kind of trouble of each bot that has any, by home; "" is the shared bot."""
    try:
        found = json.loads((root / HOST / "run" / FILE).read_text(encoding="utf-8"))
        return {str(home): str(kind) for home, kind in found.items()}
    except (OSError, ValueError, AttributeError):
        return {}


class BotStates:
    """Kinds of trouble by home ("" is the shared bot). The file is written on every change."""

    def __init__(self, root: Path) -> None:
        self._path = root / HOST / "run" / FILE
        self._known: dict[str, str] = {}
        self._write()

    def note(self, home: str | None, kind: str, *, over: bool = False) -> None:
        """Record a trouble of a bot, or its end (`over`)."""
        before = dict(self._known)
        if not over:
            self._known[home or ""] = kind
        elif self._known.get(home or "") == kind:
            del self._known[home or ""]
        if self._known != before:
            self._write()

    def works(self, home: str | None) -> None:
        """Clear the trouble of a bot that works or is gone."""
        if self._known.pop(home or "", None) is not None:
            self._write()

    def _write(self) -> None:
        try:
            atomic_files.write_text(self._path, json.dumps(self._known, sort_keys=True) + "\n")
        except OSError as error:
            log.warning("how the bots are cannot be written down: %s", in_words(error))
