"""Parsing of `config/tool_servers.toml`; errors name the key."""

import hashlib
import json
import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from furoshiki.core.config_table import ConfigTable
from furoshiki.extensions.tool_servers.values import Server

SETTING = "setting:"
LONGEST_CALL_S = 120.0

_NAME = re.compile(r"[a-z][a-z0-9-]{0,31}")
_KEYS = ("command", "args", "env", "url", "headers", "timeout_s")


def servers(parsed: Mapping[str, Any], strange: list[str] | None = None) -> tuple[Server, ...]:
    """Return the servers of a parsed file, in order; `strange` as in ConfigTable.
    Raises ValueError with the wrong key and the expected value."""
    table = ConfigTable(parsed, strange=strange)
    return tuple(_server(name, table.table(name)) for name in table)


def _server(name: str, table: ConfigTable) -> Server:
    if not _NAME.fullmatch(name):
        raise ValueError(f"{name!r} is no name of a server: use small letters, digits and '-', as in [my-notes]")
    table.only(_KEYS)
    if ("command" in table) == ("url" in table):
        raise ValueError(f"{name} needs either a command (a program started here) or a url, and not both")
    limit = table.number("timeout_s", 1, LONGEST_CALL_S) if "timeout_s" in table else Server.timeout_s
    if "url" in table:
        return Server(name, url=_url(table), headers=_headers(name, table), timeout_s=limit)
    if "headers" in table:
        raise ValueError(f"{table.name('headers')} are for a url: a program gets what it needs by env")
    command = table.text("command")
    if not command.startswith("/"):
        raise ValueError(f"{table.name('command')} must be a whole path, as /usr/bin/uvx: there is no PATH to look in")
    return Server(name, command, table.texts("args"), _texts(table, "env"), timeout_s=limit)


def _url(table: ConfigTable) -> str:
    url = table.text("url")
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError(f"{table.name('url')} must begin with https:// (or http://) and name a host, not {url!r}")
    if parts.username or parts.password:
        raise ValueError(f"{table.name('url')} holds a password: put it into a header, whose value stands in .env")
    if "env" in table or "args" in table:
        raise ValueError(f"{table.name('url')}: args and env are for a command, not for a url")
    return url


def _headers(server: str, table: ConfigTable) -> dict[str, str]:
    found = _texts(table, "headers")
    for name, value in found.items():
        if not value.startswith(SETTING):
            raise ValueError(
                f'{table.name("headers")}.{name} must be "setting:NAME": its value stands in .env, as '
                f"{variable(server, 'NAME')}, where no log shows it"
            )
    return found


def _texts(table: ConfigTable, key: str) -> dict[str, str]:
    below = table.table_or_empty(key)
    return {name: below.text(name) for name in below}


def variable(server: str, name: str) -> str:
    """Return the name in `.env` of a server's setting."""
    return f"TOOL_{server}_{name}".upper().replace("-", "_")


def list_settings(server: Server) -> dict[str, str]:
    """Return the settings passed to a server: its own names, and their names in `.env`."""
    given = {**server.env, **server.headers}
    return {
        key: variable(server.name, value[len(SETTING) :]) for key, value in given.items() if value.startswith(SETTING)
    }


def identity(server: Server) -> str:
    """Return a hash of command or URL: an approval is valid for one server only."""
    told = json.dumps([server.command, server.args, server.url])
    return hashlib.sha256(told.encode()).hexdigest()[:16]
