"""`furoshiki tools`: the tools of the named MCP servers, and which the companion may use."""

import argparse
import json
from typing import Any

from furoshiki.core import json_schema
from furoshiki.core.errors import FuroshikiError
from furoshiki.core.framing import visible
from furoshiki.extensions.tool_servers import configured, connections, permissions
from furoshiki.extensions.tool_servers.values import Allowed, Permission, Server, Tool
from furoshiki.faces.cli import context
from furoshiki.faces.cli.context import Misused
from furoshiki.faces.terminal.printing import answer, as_json, note, table
from furoshiki.world import World

NONE = "No server is named yet: docs/tool-servers.md shows what to write into {}."


class Away(FuroshikiError):
    """A server does not answer; the message says why."""


def run(args: argparse.Namespace) -> int:
    """Show the servers or the tools of one; allow, forbid or call a tool."""
    world = context.world()
    servers = configured.servers(world.settings.data)
    if args.verb == "servers":
        return _servers(world, servers, args.json)
    server = _choose_server(servers, args.server)
    if args.verb == "list":
        return _list(world, server, args.json)
    if not args.tool:
        raise Misused(f"which tool? `furoshiki tools list {server.name}` names them")
    match args.verb:
        case "forbid":
            with world.database.write() as db:
                was = permissions.forbid(db, server.name, args.tool, world.now)
            return answer(args.json, {"forbidden": was}, "Forbidden." if was else "It was not allowed.")
        case "allow":
            tool = _choose_tool(world, server, args.tool)
            if (unfit := json_schema.unfit(tool.schema)) is not None:
                raise FuroshikiError(f"{tool.name} cannot be offered to a model: {visible(unfit)}")
            permission: Permission = "ask" if args.ask else "allow"
            with world.database.write() as db:
                permissions.allow(db, server, tool, permission, world.now)
            words = "with your button each time" if args.ask else "at once when you ask for it in your own words"
            return answer(args.json, {"permission": permission}, f"Allowed, {words}: {_line(tool.description)}")
    return _call(world, server, _choose_tool(world, server, args.tool), args)


def _call(world: World, server: Server, tool: Tool, args: argparse.Namespace) -> int:
    try:
        given = json.loads(args.args)
    except ValueError as error:
        raise Misused(f'the arguments are no JSON ({error}); as: \'{{"city": "Lisbon"}}\'') from None
    if not isinstance(given, dict):
        raise Misused('the arguments must be a JSON object, as: \'{"city": "Lisbon"}\'')
    outcome = connections.call(world, Allowed(server, tool, "allow"), given)
    answer(args.json, {"ok": outcome.ok, "text": outcome.text}, visible(outcome.text))
    return 0 if outcome.ok else 1


def _servers(world: World, servers: tuple[Server, ...], machine: bool) -> int:
    with world.database.read() as db:
        held = permissions.read_allowed(db, servers)
    rows = []
    for server in servers:
        own = [each for each in held if each.server.name == server.name]
        row: dict[str, Any] = {"name": server.name, "where": server.url or " ".join([server.command, *server.args])}
        row |= {"allowed": [each.tool.name for each in own if not each.changed]}
        row |= {"changed": [each.tool.name for each in own if each.changed]}
        rows.append({**row, "not_offered": _list_left_out(world, server)})
    if machine:
        as_json(rows)
    elif not rows:
        print(NONE.format(world.settings.data / configured.FILE))
    else:
        table(
            ("server", "where", "allowed", "changed"),
            [(row["name"], row["where"], ", ".join(row["allowed"]), ", ".join(row["changed"])) for row in rows],
        )
        for line in (line for row in rows for line in row["not_offered"]):
            note(f"! {visible(line)}")
    return 0


def _list(world: World, server: Server, machine: bool) -> int:
    tools = _tools(world, server)
    with world.database.read() as db:
        held = {one.tool.name: one for one in permissions.read_allowed(db, (server,))}
    rows = [(tool, _describe_status(tool, held.get(tool.name))) for tool in tools]
    if machine:
        as_json([{**vars(tool), "permission": standing} for tool, standing in rows])
        return 0
    table(("tool", "you said", "what its server says it is for"), [(t.name, s, _line(t.description)) for t, s in rows])
    for line in _list_left_out(world, server):
        note(f"! {visible(line)}")
    if not held:
        note(f"`furoshiki tools allow {server.name} TOOL` lets it use one; --ask, only with your button each time.")
    return 0


def _list_left_out(world: World, server: Server) -> list[str]:
    from furoshiki.conversation.skills import registry  # slow to load, and not needed by the other verbs

    return registry.describe_left_out(world, f"the server {server.name}")


def _describe_status(tool: Tool, held: Allowed | None) -> str:
    if held is None:
        return "off"
    return "changed" if held.changed or held.tool.pin != tool.pin else held.permission


def _line(words: str) -> str:
    return visible(" ".join(words.split()))


def _choose_server(servers: tuple[Server, ...], name: str | None) -> Server:
    found = [server for server in servers if server.name == name]
    if not found:
        there = ", ".join(server.name for server in servers)
        raise FuroshikiError(f"there is no server {name!r}: {there or 'none is named in ' + configured.FILE}")
    return found[0]


def _choose_tool(world: World, server: Server, name: str) -> Tool:
    tools = _tools(world, server)
    for tool in tools:
        if tool.name == name:
            return tool
    raise FuroshikiError(f"{server.name} has no tool {name!r}; it has: {', '.join(visible(one.name) for one in tools)}")


def _tools(world: World, server: Server) -> list[Tool]:
    try:
        return connections.tools(world.settings.data, server)
    except connections.NotThere as error:
        started = f"; by hand: {' '.join([server.command, *server.args])}" if server.command else ""
        raise Away(f"{server.name} does not answer: {visible(str(error))}{started}") from None
