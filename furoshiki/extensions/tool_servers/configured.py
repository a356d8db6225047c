"""The servers in `config/tool_servers.toml` of the data directory, and their settings in `.env`."""

from pathlib import Path

from furoshiki.core.errors import BadSetting
from furoshiki.core.paths import read_toml_file
from furoshiki.core.settings import TOOL_PREFIX, of_others
from furoshiki.extensions.tool_servers.rules import configuration
from furoshiki.extensions.tool_servers.values import Server

FILE = "config/tool_servers.toml"

_read: dict[Path, tuple[tuple[int, int], tuple[Server, ...]]] = {}


def stamp(data: Path) -> tuple[int, int] | None:
    """Return the file's mtime (ns) and size; None without a file. Takes microseconds."""
    try:
        found = (data / FILE).stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size


def servers(data: Path) -> tuple[Server, ...]:
    """Return the configured servers; empty without a file. Raises BadSetting."""
    path, now = data / FILE, stamp(data)
    if now is None:
        return ()
    held = _read.get(path)
    if held is None or held[0] != now:
        try:
            held = _read[path] = (now, configuration.servers(read_toml_file(path), []))
        except ValueError as error:
            raise BadSetting(f"{path}: {error}") from None
    return held[1]


def load_env_and_headers(data: Path, server: Server) -> tuple[dict[str, str], dict[str, str]]:
    """Return a server's environment and headers, filled in. Raises BadSetting."""
    secrets = of_others(data, TOOL_PREFIX)
    values = {}
    for name, variable in configuration.list_settings(server).items():
        if not secrets.get(variable):
            raise BadSetting(f"{server.name} needs {variable}: add the line {variable}=… to {data / '.env'}")
        values[name] = secrets[variable]
    return {**server.env, **{k: v for k, v in values.items() if k in server.env}}, {
        name: values[name] for name in server.headers
    }
