"""Where things lie and what is set, read without stopping at anything that is wrong."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from doctor_checks import files

CHECKOUT = Path(__file__).resolve().parents[2]
"""The checkout this doctor belongs to."""

CREDENTIALS = "credentials"
"""A folder of the data directory: what systemd hands to the services, and not to the doctor."""

USUAL_API = "https://api.telegram.org"


@dataclass(frozen=True)
class Place:
    """One data directory with its settings. `mistakes` are lines of its `.env` files that are no settings."""

    data: Path
    environ: Mapping[str, str]
    settings: Mapping[str, str]
    mistakes: tuple[str, ...] = ()
    checkout: Path = CHECKOUT

    @property
    def lived_in(self) -> bool:
        """Whether a companion keeps anything here; in a folder of somebody else's nothing is changed."""
        return (self.data / "memory").is_dir()

    @property
    def in_host(self) -> bool:
        """Whether it is a home of a host: its index is then held in memory by the memoryd of all homes."""
        return (self.data.parent / ".host").is_dir()

    @property
    def run(self) -> Path:
        """Locks, signs of life, the doctor's page."""
        return self.data / "run"

    @property
    def logs(self) -> Path:
        """The logs."""
        return self.data / "logs"

    @property
    def backups(self) -> Path:
        """The backups."""
        return self.data / "backups"

    @property
    def database(self) -> Path:
        """The database file."""
        url = self.settings.get("FUROSHIKI_DATABASE_URL", "")
        return Path(url.removeprefix("sqlite:///")).absolute() if url else self.data / "memory" / "longmemory.sqlite"

    @property
    def api(self) -> str:
        """The Bot API server."""
        return self.settings.get("TELEGRAM_API_URL", USUAL_API).rstrip("/")

    @property
    def python(self) -> Path:
        """The program's own Python, which may be gone or broken."""
        venv = self.environ.get("FUROSHIKI_VENV")
        return (Path(venv) if venv else self.checkout / ".venv") / "bin" / "python"


def found(environ: Mapping[str, str], data: Path | None = None, checkout: Path = CHECKOUT) -> Place:
    """The data directory that is meant, with what is set for it: environment, systemd credential, `.env` files."""
    home = data or Path(environ.get("FUROSHIKI_DATA") or "~/.furoshiki")
    try:
        home = home.expanduser()
    except RuntimeError:  # nobody's home
        home = Path("/nonexistent")
    home = home.absolute()
    mistakes: list[str] = []
    layers = [
        _environment_file(checkout / ".env", mistakes),
        _environment_file(home / ".env", mistakes),
        _credentials(home / CREDENTIALS),
        _credentials(Path(environ["CREDENTIALS_DIRECTORY"])) if environ.get("CREDENTIALS_DIRECTORY") else {},
        {name: value for name, value in environ.items() if re.match(r"(FUROSHIKI|TELEGRAM|OPENAI|ANTHROPIC)_", name)},
    ]
    settings = {name: value for layer in layers for name, value in layer.items() if value}
    return Place(home, environ, settings, tuple(mistakes), checkout)


def _environment_file(path: Path, mistakes: list[str]) -> dict[str, str]:
    """The NAME=value lines, read as the program reads them, but the rest is noted and passed over."""
    values: dict[str, str] = {}
    text = files.text_of(path)
    if text is None:
        if path.exists():
            mistakes.append(f"{path} cannot be read")
        return values
    for number, line in enumerate(text.splitlines(), 1):
        bare = line.strip().removeprefix("export ").strip()
        if not bare or bare.startswith("#"):
            continue
        name, separator, value = bare.partition("=")
        if not separator:
            mistakes.append(f"{path} line {number}: expected NAME=value")
            continue
        values[name.strip()] = _value(value.strip())
    return values


def _value(text: str) -> str:
    if text.startswith(("'", '"')) and (end := text.find(text[0], 1)) > 0:
        return text[1:end]
    return text.partition(" #")[0].rstrip()


def _credentials(folder: Path) -> dict[str, str]:
    """The settings in a folder with a file for each, named after it."""
    try:
        entries = [entry for entry in folder.iterdir() if entry.is_file()]
    except OSError:
        return {}
    return {entry.name.upper(): (files.text_of(entry) or "").strip() for entry in entries}
