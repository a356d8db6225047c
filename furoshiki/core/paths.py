"""Where things lie, found with the standard library alone.

A script with nothing to do must learn where its database is without paying for the settings model.
"""

import contextlib
import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from furoshiki.core.errors import BadSetting

ROOT = Path(__file__).resolve().parents[2]
"""The checkout: shipped defaults in config/, prompts/ and memory/ lie below it."""


def version() -> str:
    """The version of the checkout this runs from, which need not be installed as a package."""
    import tomllib  # here, because few ask

    return str(tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"])


def data_dir(environ: Mapping[str, str] | None = None) -> Path:
    """The data directory, from the environment alone."""
    given = (os.environ if environ is None else environ).get("FUROSHIKI_DATA") or "~/.furoshiki"
    return Path(given).expanduser().absolute()


PEOPLE = Path("memory") / "people"
"""In a data directory: the places of other people than the owner."""

HOST = ".host"
"""What the folder of a host is called, beside the homes it looks after."""

_OF_A_HOME = ("TELEGRAM_", "FUROSHIKI_DATABASE_URL")
"""What belongs to one home alone: two that shared a bot or a database would answer for each other."""


def homes_dir(environ: Mapping[str, str] | None = None) -> Path:
    """Where the homes of this machine's host lie, from the environment alone."""
    given = (os.environ if environ is None else environ).get("FUROSHIKI_HOMES") or "~/.furoshiki-homes"
    return Path(given).expanduser().absolute()


def host_of(data: Path) -> Path | None:
    """The folder of the host that looks after a data directory; None when it stands by itself."""
    found = data.parent / HOST
    return found if found.is_dir() and data != found else None


_HOME_NAME = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?")


def is_home_name(name: object) -> bool:
    """Whether a home can be called so: nothing that means another folder, or the same one twice."""
    return isinstance(name, str) and _HOME_NAME.fullmatch(name) is not None


def without_others(layer: Mapping[str, Any], data: Path) -> Mapping[str, Any]:
    """What holds in a data directory of settings that stand outside of it: of a home not what is one home's alone."""
    if host_of(data) is None:
        return layer
    return {name: value for name, value in layer.items() if not name.upper().startswith(_OF_A_HOME)}


def database(environ: Mapping[str, str] | None = None) -> Path:
    """The database file, from the environment and the `.env` files. Raises BadSetting for a line in them that is
    no setting."""
    env = os.environ if environ is None else environ
    data = data_dir(env)
    own, checkout = read_env_file(data / ".env"), read_env_file(ROOT / ".env")
    layers = (without_others(env, data), own, without_others(checkout, data))
    return database_path(data, next((url for layer in layers if (url := layer.get("FUROSHIKI_DATABASE_URL"))), None))


def database_path(data: Path, url: str | None) -> Path:
    """The database file: the one the URL names, else the usual place below the data directory."""
    return Path(url.removeprefix("sqlite:///")).absolute() if url else data / "memory" / "longmemory.sqlite"


def environ() -> dict[str, str]:
    """The environment, for programs that are started as they would be from the shell."""
    return dict(os.environ)


def user_units() -> Path:
    """Where systemd looks for the units that a user installed."""
    return Path(os.environ.get("XDG_CONFIG_HOME") or "~/.config").expanduser() / "systemd" / "user"


@contextlib.contextmanager
def living_in(data: Path) -> Iterator[None]:
    """Have this process find its data in another folder for a while, as a simulation does."""
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
    """Have every SQLite of this process, Chroma's too, put its temporary files below the data directory.

    They hold rows, those of a compaction even all of them, and /var/tmp, where they would go, is nobody's data
    directory. SQLite reads the variable when it is first used, so this comes before any database is opened.
    """
    os.environ["SQLITE_TMPDIR"] = str(data_dir() / "memory")


_OURS = re.compile("FUROSHIKI_|TELEGRAM_|[A-Z]+_(?:API_KEY|BASE_URL)$")
_NO_SETTINGS = (
    "FUROSHIKI_CRASH_AT",
    "FUROSHIKI_HANG_AT",
    "FUROSHIKI_PYTHON",
    "FUROSHIKI_VENV",
    "FUROSHIKI_DATA",
    "FUROSHIKI_HOMES",
)
_SECRET = ("_KEY", "_TOKEN", "_HOST_DATABASE")


def settings_marks(environ: Mapping[str, str] | None = None) -> list[str]:
    """What the environment says about settings, as a mark of it: names and values, of a secret that it is there."""
    env = os.environ if environ is None else environ
    names = sorted(name for name in env if _OURS.match(name) and not name.startswith(_NO_SETTINGS))
    marks = [f"{name}={bool(env[name]) if name.endswith(_SECRET) else env[name]}" for name in names]
    folder = Path(env.get("CREDENTIALS_DIRECTORY") or "/nonexistent")
    return marks + sorted(path.name for path in folder.iterdir()) if folder.is_dir() else marks


def settings_files(data: Path) -> tuple[Path, ...]:
    """The files in which a setting may stand, whether they are there or not."""
    host = host_of(data)
    shared = () if host is None else (host / ".env",)
    return data / ".env", *shared, ROOT / ".env", data / "memory" / "operator_settings.json"


def stamp_of(path: Path | str) -> tuple[int, int, int] | None:
    """What changes when a file does (time in ns, bytes, inode); None when it is not there."""
    try:
        found = os.stat(path)  # noqa: PTH116 - a host asks this of a thousand homes each second
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino


def machine_zone() -> str:
    """The machine's time zone by name; UTC when it has none."""
    link = Path("/etc/localtime")
    name = os.environ.get("TZ") or (str(link.resolve()).partition("zoneinfo/")[2] if link.exists() else "")
    return name if is_zone(name) else "UTC"


def is_zone(name: str) -> bool:
    """Whether a time zone of that name is known here."""
    from zoneinfo import ZoneInfo  # 5 ms that `--help` and scripts with nothing to do need not wait for

    try:
        ZoneInfo(name)
    except (ValueError, OSError, KeyError):
        return False
    return True


def read_env_file(path: Path) -> dict[str, str]:
    """The NAME=value lines of a file; none when it is not there. A line that is neither raises BadSetting.

    A value may stand in quotes; a comment may follow it after a space.
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
    """The tables of a file. Raises BadSetting with the line that is wrong."""
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


KEPT_LOGS = 5
"""How many packed parts of a log are kept beside the one that is written: `x.log.1.gz` is the newest."""


def build_packed_path(path: Path, number: int) -> Path:
    """Where the `number`-th newest packed part of a log lies."""
    return path.with_name(f"{path.name}.{number}.gz")
