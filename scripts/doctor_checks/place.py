"""Paths and settings of a companion, read tolerantly."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from doctor_checks import files
from doctor_checks.road import programs

CHECKOUT = Path(__file__).resolve().parents[2]  # the checkout of this doctor

# suffixes of settings that people paste: the program cleans their values
PASTED = ("_KEY", "_TOKEN", "_URL")

# a folder of the data directory with systemd's credentials, which the doctor does not get
CREDENTIALS = "credentials"

USUAL_API = "https://api.telegram.org"

HOST = ".host"  # the folder next to a host's homes with what they share

# settings that belong to one home: shared values do not count
OF_A_HOME = ("TELEGRAM_", "FUROSHIKI_DATABASE_URL")


@dataclass(frozen=True)
class Place:
    """One data directory with its settings. `mistakes` are invalid lines of its `.env` files;
    `shared` are the host's settings for a home: the shared bot."""

    data: Path
    environ: Mapping[str, str]
    settings: Mapping[str, str]
    mistakes: tuple[str, ...] = ()
    checkout: Path = CHECKOUT
    shared: Mapping[str, str] = field(default_factory=dict)

    @property
    def lived_in(self) -> bool:
        """Whether a companion's data is here; other folders are not changed."""
        return (self.data / "memory").is_dir()

    @property
    def in_host(self) -> bool:
        """Whether it is a home of a host: its index is then in the shared memoryd."""
        return _host_of(self.data) is not None

    @property
    def keeps_ballast(self) -> bool:
        """Whether the ballast is kept here: once for all homes of a host."""
        return self.is_host or (self.lived_in and not self.in_host)

    @property
    def is_host(self) -> bool:
        """Whether it is the folder of a host, not a home."""
        return self.data.name == HOST

    @property
    def bot(self) -> Mapping[str, str]:
        """The settings of its bot: its own, or for a home without one the shared one."""
        return self.settings if "TELEGRAM_BOT_TOKEN" in self.settings or not self.in_host else self.shared

    @property
    def run(self) -> Path:
        """The folder of locks, signs of life and the doctor's page."""
        return self.data / "run"

    @property
    def logs(self) -> Path:
        """The folder of logs."""
        return self.data / "logs"

    @property
    def backups(self) -> Path:
        """The folder of backups."""
        return self.data / "backups"

    @property
    def database(self) -> Path:
        """The database file."""
        url = self.settings.get("FUROSHIKI_DATABASE_URL", "")
        return Path(url.removeprefix("sqlite:///")).absolute() if url else self.data / "memory" / "longmemory.sqlite"

    @property
    def api(self) -> str:
        """The address of the Bot API server."""
        return self.bot.get("TELEGRAM_API_URL", USUAL_API).rstrip("/")

    @property
    def python(self) -> Path:
        """The program's own Python, which may be missing or broken."""
        venv = self.environ.get("FUROSHIKI_VENV")
        return (Path(venv) if venv else self.checkout / ".venv") / "bin" / "python"


_OURS = re.compile("FUROSHIKI_|TELEGRAM_|[A-Z]+_(?:API_KEY|BASE_URL)$")


def found(environ: Mapping[str, str], data: Path | None = None, checkout: Path = CHECKOUT) -> Place:
    """Return the data directory and its settings: environment, systemd credentials, `.env`
    files."""
    home = data or Path(environ.get("FUROSHIKI_DATA") or "~/.furoshiki")
    try:
        home = home.expanduser()
    except RuntimeError:  # an unknown user's home
        home = Path("/nonexistent")
    home = home.absolute()
    mistakes: list[str] = []
    outside = [
        _environment_file(checkout / ".env", mistakes),
        _credentials(Path(environ["CREDENTIALS_DIRECTORY"])) if environ.get("CREDENTIALS_DIRECTORY") else {},
        {name: value for name, value in environ.items() if _OURS.match(name)},
    ]
    own = [_environment_file(home / ".env", mistakes), _credentials(home / CREDENTIALS)]
    host = _host_of(home)
    if host is None:
        return Place(home, environ, _together(outside[0], *own, *outside[1:]), tuple(mistakes), checkout)
    shared = _environment_file(host / ".env", [])  # its errors are reported by the host's check
    elsewhere = [_not_of_a_home(layer) for layer in (outside[0], shared, *outside[1:])]
    settings = _together(*elsewhere[:2], *own, *elsewhere[2:])
    return Place(home, environ, settings, tuple(mistakes), checkout, _together(outside[0], shared, *outside[1:]))


def _together(*layers: Mapping[str, str]) -> dict[str, str]:
    """Merge settings; later layers override earlier ones."""
    clean = programs("credentials").clean
    found = {name: value for layer in layers for name, value in layer.items() if value}
    return {name: clean(value) if name.endswith(PASTED) else value for name, value in found.items()}


def _not_of_a_home(layer: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in layer.items() if not name.startswith(OF_A_HOME)}


def _host_of(data: Path) -> Path | None:
    """Return the host's folder of a home, or None."""
    found = data.parent / HOST
    return found if found.is_dir() and found != data else None


def _environment_file(path: Path, mistakes: list[str]) -> dict[str, str]:
    """Parse NAME=value lines as the program does; invalid ones are noted and ignored."""
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
    """Return the settings in a folder with one file for each."""
    try:
        entries = [entry for entry in folder.iterdir() if entry.is_file()]
    except OSError:
        return {}
    return {entry.name.upper(): (files.text_of(entry) or "").strip() for entry in entries}
