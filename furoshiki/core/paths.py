"""Paths of data, settings and logs, found with the standard library alone.

Scripts with nothing to do find their database without loading the settings model.
"""

import contextlib
import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from furoshiki.core.errors import BadSetting

# the checkout, which contains the shipped defaults in config/, prompts/ and memory/
ROOT = Path(__file__).resolve().parents[2]


def version() -> str:
    """Return the version of this checkout, which need not be installed as a package."""
    import tomllib  # imported here: few callers need it

    return str(tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"])


def data_dir(environ: Mapping[str, str] | None = None) -> Path:
    """Return the data directory, from the environment alone."""
    given = (os.environ if environ is None else environ).get("FUROSHIKI_DATA") or "~/.furoshiki"
    return Path(given).expanduser().absolute()


# in a data directory, the owner's or another person's: where the database usually is
DATABASE = Path("memory") / "longmemory.sqlite"

PEOPLE = Path("memory") / "people"  # in a data directory: data of people other than the owner
HOST = ".host"  # the folder of a host, next to the homes that it manages

# prefixes of settings that two homes must not share: a bot, a database
_OF_A_HOME = ("TELEGRAM_", "FUROSHIKI_DATABASE_URL")


def homes_dir() -> Path:
    """Return the folder with the homes of this machine's host, from the environment alone."""
    return Path(os.environ.get("FUROSHIKI_HOMES") or "~/.furoshiki-homes").expanduser().absolute()


def host_of(data: Path) -> Path | None:
    """Return the folder of the host that manages a data directory; None without a host."""
    found = data.parent / HOST
    return found if found.is_dir() and data != found else None


_HOME_NAME = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?")


def is_home_name(name: object) -> bool:
    """Return whether a home can have this name: it must be safe as a folder name."""
    return isinstance(name, str) and _HOME_NAME.fullmatch(name) is not None


def without_others(layer: Mapping[str, Any], data: Path) -> Mapping[str, Any]:
    """Return the shared settings that hold for a data directory: in a home, not its own kinds."""
    if host_of(data) is None:
        return layer
    return {name: value for name, value in layer.items() if not name.upper().startswith(_OF_A_HOME)}


def database(environ: Mapping[str, str] | None = None) -> Path:
    """Return the database file, from the environment and the `.env` files.
    Raises BadSetting for an invalid line in them."""
    env = os.environ if environ is None else environ
    data = data_dir(env)
    own, checkout = read_env_file(data / ".env"), read_env_file(ROOT / ".env")
    layers = (without_others(env, data), own, without_others(checkout, data))
    return database_path(data, next((url for layer in layers if (url := layer.get("FUROSHIKI_DATABASE_URL"))), None))


def database_path(data: Path, url: str | None) -> Path:
    """Return the database file: the URL's, else the default below the data directory."""
    return Path(url.removeprefix("sqlite:///")).absolute() if url else data / DATABASE


def typed_command() -> str | None:
    """Return how the program was started, as scripts/run.sh tells it."""
    return os.environ.get("FUROSHIKI_COMMAND")


def environ() -> dict[str, str]:
    """Return a copy of the environment, for child programs."""
    return dict(os.environ)


def user_units() -> Path:
    """Return systemd's folder of units installed by the user."""
    return Path(os.environ.get("XDG_CONFIG_HOME") or "~/.config").expanduser() / "systemd" / "user"


@contextlib.contextmanager
def living_in(data: Path) -> Iterator[None]:
    """Use another data directory in this process during the block, for simulations."""
    before = os.environ.get("FUROSHIKI_DATA")
    os.environ["FUROSHIKI_DATA"] = str(data)
    try:
        yield
    finally:
        if before is None:
            del os.environ["FUROSHIKI_DATA"]
        else:
            os.environ["FUROSHIKI_DATA"] = before


def keep_temporary_files() -> None:
    """Have every SQLite of this process, also Chroma's, use the data directory for temporary files.

    These files contain rows (a compaction's, all rows) and must not be in /var/tmp, the default.
    SQLite reads the variable on first use: call this before any database is opened.
    """
    os.environ["SQLITE_TMPDIR"] = str(data_dir() / "memory")


_OURS = re.compile("FUROSHIKI_|TELEGRAM_|[A-Z]+_(?:API_KEY|BASE_URL)$")
_NO_SETTINGS = (
    "FUROSHIKI_CRASH_AT",
    "FUROSHIKI_HANG_AT",
    "FUROSHIKI_PYTHON",
    "FUROSHIKI_VENV",
    "FUROSHIKI_COMMAND",
    "FUROSHIKI_DATA",
    "FUROSHIKI_HOMES",
)
_SECRET = ("_KEY", "_TOKEN")


def settings_marks() -> list[str]:
    """Return the environment's settings as "NAME=value" for comparison; secrets only as True."""
    env = os.environ
    names = sorted(name for name in env if _OURS.match(name) and not name.startswith(_NO_SETTINGS))
    marks = [f"{name}={bool(env[name]) if name.endswith(_SECRET) else env[name]}" for name in names]
    folder = Path(env.get("CREDENTIALS_DIRECTORY") or "/nonexistent")
    return marks + sorted(path.name for path in folder.iterdir()) if folder.is_dir() else marks


def settings_files(data: Path) -> tuple[Path, ...]:
    """Return the files that may hold settings, existing or not."""
    host = host_of(data)
    shared = () if host is None else (host / ".env",)
    return data / ".env", *shared, ROOT / ".env", data / "memory" / "operator_settings.json"


def stamp_of(path: Path | str) -> tuple[int, int, int] | None:
    """Return a fingerprint of a file (mtime in ns, bytes, inode); None when it is missing."""
    try:
        found = os.stat(path)  # noqa: PTH116 - a host asks this of a thousand homes each second
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino


def machine_zone() -> str:
    """Return the name of the machine's time zone; UTC when it has none."""
    link = Path("/etc/localtime")
    name = os.environ.get("TZ") or (str(link.resolve()).partition("zoneinfo/")[2] if link.exists() else "")
    return name if is_zone(name) else "UTC"


def is_zone(name: str) -> bool:
    """Return whether a time zone of this name is known here."""
    from zoneinfo import ZoneInfo  # takes 5 ms, which `--help` and idle scripts avoid

    try:
        ZoneInfo(name)
    except (ValueError, OSError, KeyError):
        return False
    return True


def read_env_file(path: Path) -> dict[str, str]:
    """Return the NAME=value lines of a file; empty when the file is missing. Raises BadSetting.

    A value may be in quotes; a comment may follow it after a space.
    """
    if not path.is_file():
        return {}
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except OSError as error:
        raise BadSetting(f"{path} cannot be read ({error.strerror}): check who owns it") from error
    except UnicodeDecodeError as error:
        raise BadSetting(f"{path} cannot be read: it is not UTF-8 text; save it as UTF-8") from error
    values = {}
    for number, line in enumerate(lines, 1):
        text = line.strip().removeprefix("export ").strip()
        if not text or text.startswith("#"):
            continue
        name, separator, value = text.partition("=")
        if not separator:
            raise BadSetting(f"{path} line {number}: expected NAME=value")
        values[name.strip()] = _value(value.strip())
    return values


def read_toml_file(path: Path) -> dict[str, Any]:
    """Return the tables of a TOML file. Raises BadSetting, naming the wrong line."""
    import tomllib

    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadSetting(f"{path} cannot be read ({error.strerror}): check who owns it") from error
    except UnicodeDecodeError as error:
        raise BadSetting(f"{path} cannot be read: it is not UTF-8 text; save it as UTF-8") from error
    except tomllib.TOMLDecodeError as error:
        line = re.search(r"at line (\d+)", str(error))
        where = f"line {line[1]}" if line else "its end"
        raise BadSetting(f"{path}: {where} is not valid TOML: correct or remove the file") from error


def _value(text: str) -> str:
    if text.startswith(("'", '"')) and (end := text.find(text[0], 1)) > 0:
        return text[1:end]
    return text.partition(" #")[0].rstrip()


KEPT_LOGS = 5  # number of compressed parts of a log that are kept; `x.log.1.gz` is the newest


def build_packed_path(path: Path, number: int) -> Path:
    """Return the path of the `number`-th newest compressed part of a log."""
    return path.with_name(f"{path.name}.{number}.gz")
