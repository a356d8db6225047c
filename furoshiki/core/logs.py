"""Logs that an operator can read and nobody can steal from: one file a service or script, secrets struck out."""

from __future__ import annotations

import logging
import re
from collections.abc import Sequence
from logging.handlers import RotatingFileHandler
from pathlib import Path

from furoshiki.core.addresses import without_secrets
from furoshiki.core.visible import visible

MOST_BYTES = 5_000_000
KEPT_FILES = 3

HIDDEN = "[hidden]"

_LOOKS_SECRET = re.compile(
    r"(?<!\d)\d{6,12}:[A-Za-z0-9_-]{30,}|\bsk-[A-Za-z0-9_-]{16,}|(?<=Bearer )[A-Za-z0-9._~+/-]{16,}"
)
"""Telegram bot tokens, model keys and bearer tokens, also those that nobody told us of."""

_NOISY = (
    *("httpx", "httpcore", "httpx2", "httpcore2", "aiogram", "aiohttp", "chromadb", "schedule", "asyncio", "alembic"),
    *("pypdf", "openai", "anthropic", "_furoshiki_openai", "_furoshiki_anthropic"),
)
"""Libraries that write much: the kits (also under the names `llm.slim` gives them) log every prompt, word for word."""


class Redacting(logging.Formatter):
    """Formats a record, traceback included, strikes out every secret, and makes control characters visible."""

    def __init__(self, secrets: Sequence[str]) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s")
        self._secrets: list[str] = []
        self.hide(secrets)

    def hide(self, secrets: Sequence[str]) -> None:
        """Strike these out, too."""
        known = {*self._secrets, *(secret for secret in secrets if len(secret) >= 6)}
        self._secrets = sorted(known, key=len, reverse=True)

    def format(self, record: logging.LogRecord) -> str:
        """The line, or lines, without secrets and without anything that steers a terminal."""
        text = without_secrets(super().format(record))
        for secret in self._secrets:
            text = text.replace(secret, HIDDEN)
        return visible(_LOOKS_SECRET.sub(HIDDEN, text))


class _Quiet(RotatingFileHandler):
    """A log that cannot be written (a full disk) must not put tracebacks between what a person reads."""

    def handleError(self, record: logging.LogRecord) -> None:
        """Nothing: whoever met the trouble says it."""


def keep(path: Path, level: str, secrets: Sequence[str], loud: bool = True) -> None:
    """Send this process's log to a file, and warnings to stderr if `loud`. `level`: debug, info, warning or error."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    formatter = Redacting(secrets)
    file = _Quiet(path, maxBytes=MOST_BYTES, backupCount=KEPT_FILES, encoding="utf-8")
    path.chmod(0o600)
    aloud = logging.StreamHandler()
    aloud.setLevel(logging.WARNING)
    root = logging.getLogger()
    for handler in list(root.handlers):
        root.removeHandler(handler)
        handler.close()
    for handler in (file, aloud) if loud else (file,):
        handler.setFormatter(formatter)
        root.addHandler(handler)
    _listen(level)


def tune(level: str, secrets: Sequence[str]) -> None:
    """Write as much as `level` says from now on, and hide these secrets besides those that were hidden before."""
    for handler in logging.getLogger().handlers:
        if isinstance(handler.formatter, Redacting):
            handler.formatter.hide(secrets)
    _listen(level)


def _listen(level: str) -> None:
    root = logging.getLogger()
    root.setLevel(level.upper())
    for name in _NOISY:
        logging.getLogger(name).setLevel(max(logging.WARNING, root.level))
