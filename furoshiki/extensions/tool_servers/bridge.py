"""The process between the companion and one tool server; only it uses the MCP client library.

A misbehaving server can only harm this process. The first line of standard input is the connection;
each further line is a request, answered by one line. It ends when idle (END_IDLE_S) or at the end
of input.
"""

import asyncio
import contextlib
import hashlib
import json
import os
import resource
import sys
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import AbstractAsyncContextManager
from typing import Any

from furoshiki.core.network.proxies import Road
from furoshiki.extensions.tool_servers import survivors
from furoshiki.extensions.tool_servers.values import Tool

END_IDLE_S = 300.0
# limit of this process's address space in bytes; the server itself is not limited
MOST_MEMORY = 1 << 30

LONGEST_REQUEST = 1 << 20

MISSING = "the client library is missing: install it with `.venv/bin/pip install -r requirements/tools.txt`"

# starts the server so that it dies with this process, and without its memory limit
_START = """
import ctypes, os, resource, signal, sys
ctypes.CDLL(None).prctl(1, signal.SIGKILL)
resource.setrlimit(resource.RLIMIT_AS, (resource.getrlimit(resource.RLIMIT_AS)[1],) * 2)
os.execv(sys.argv[1], sys.argv[1:])
"""


async def _serve(order: Mapping[str, Any], requests: asyncio.StreamReader, started: set[int]) -> None:
    from mcp import Client

    listed: dict[str, Tool] = {}

    async def heard(message: object) -> None:
        if "list_changed" in str(getattr(message, "method", "")):
            listed.clear()

    async with (
        _transport(order) as transport,
        Client(transport, read_timeout_seconds=order["timeout_s"], cache=None, message_handler=heard) as client,
    ):
        _say({"ok": True})
        started.update(survivors.groups_below(os.getpid()))
        while line := await _next(requests):
            asked = json.loads(line)
            try:
                if not listed or asked["what"] == "list":
                    listed.clear()
                    listed.update({tool.name: tool for tool in await _tools(client)})
                _say(await _answer(client, asked, listed))
            except Exception as error:  # any error of a server becomes an answer
                _say({"ok": False, "text": _reason(error), "over": _over(error), "late": _late(error)})
            started.update(survivors.groups_below(os.getpid()))


async def _answer(client: Any, asked: Mapping[str, Any], listed: Mapping[str, Tool]) -> dict[str, Any]:
    if asked["what"] == "list":
        return {"ok": True, "tools": list(map(vars, listed.values()))}
    tool = listed.get(asked["tool"])
    if tool is None or tool.pin != asked["pin"]:
        return {"ok": False, "changed": True, "text": ""}
    found = await client.call_tool(asked["tool"], asked["args"])
    parts = [part.model_dump(mode="json", include={"type", "text"}) for part in found.content]
    return {"ok": not found.is_error, "text": limit_answer(parts, found.structured_content)}


async def _tools(client: Any) -> list[Tool]:
    tools: list[Tool] = []
    page = await client.list_tools()
    while True:
        offered = (limit_tool(tool.name, tool.description or "", tool.input_schema) for tool in page.tools)
        tools += [tool for tool in offered if tool is not None]
        if page.next_cursor is None or len(tools) >= MOST_TOOLS:
            return tools[:MOST_TOOLS]
        page = await client.list_tools(cursor=page.next_cursor)


@contextlib.asynccontextmanager
async def _transport(order: Mapping[str, Any]) -> AsyncIterator[AbstractAsyncContextManager[Any]]:
    if order["url"]:
        import httpx2
        from mcp.client.streamable_http import streamable_http_client

        # the library only follows redirects within the same origin
        road = Road(order["road"]).client_options(order["url"])
        async with httpx2.AsyncClient(headers=order["headers"], timeout=order["timeout_s"], **road) as web:
            yield streamable_http_client(order["url"], http_client=web)
        return
    from mcp import StdioServerParameters
    from mcp.client.stdio import stdio_client

    started = ["-I", "-S", "-c", _START, order["command"], *order["args"]]
    yield stdio_client(StdioServerParameters(command=sys.executable, args=started, env=order["env"], cwd="/"))


async def _next(requests: asyncio.StreamReader) -> bytes:
    try:
        return await asyncio.wait_for(requests.readline(), END_IDLE_S)
    except TimeoutError:
        return b""


def _say(answer: Mapping[str, Any]) -> None:
    sys.stdout.write(json.dumps(answer) + "\n")
    sys.stdout.flush()


async def _main() -> None:
    requests = asyncio.StreamReader(limit=LONGEST_REQUEST)
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(requests), sys.stdin)
    order = json.loads(await requests.readline())
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, resource.getrlimit(resource.RLIMIT_AS)[1]))
    started: set[int] = set()
    try:
        await _serve(order, requests, started)
    except ImportError:
        _say({"ok": False, "text": MISSING})
    except Exception as error:  # a failed connection becomes an answer
        _say({"ok": False, "text": _reason(error)})
    finally:
        survivors.kill(started)  # the library ends the server, but not its child processes


def _reason(error: BaseException) -> str:
    """Return the innermost error's message, unwrapping task groups."""
    while isinstance(error, BaseExceptionGroup) and error.exceptions:
        error = error.exceptions[0]
    return str(error)[:LONGEST_DESCRIPTION] or type(error).__name__


def _over(error: BaseException) -> bool:
    """Return whether the connection is unusable. A server's own error reply leaves it usable."""
    from mcp import MCPError
    from mcp.types import CONNECTION_CLOSED, REQUEST_TIMEOUT

    return not isinstance(error, MCPError) or error.code in (CONNECTION_CLOSED, REQUEST_TIMEOUT)


def _late(error: BaseException) -> bool:
    from mcp import MCPError
    from mcp.types import REQUEST_TIMEOUT

    return isinstance(error, TimeoutError) or (isinstance(error, MCPError) and error.code == REQUEST_TIMEOUT)


# -- limits for descriptions and answers, which are untrusted text --
#
# A tool's claim that it is read-only is ignored, as nobody verifies it.


MOST_TOOLS = 128
LONGEST_NAME = 128
LONGEST_DESCRIPTION = 1000
LONGEST_SCHEMA = 8000
LONGEST_ANSWER = 16_000  # maximum characters

NOT_TEXT = "[{} that is not text]"


def limit_tool(name: str, description: str, schema: Mapping[str, Any]) -> Tool | None:
    """Return a tool for display and use; None when its name or schema is too long."""
    written = json.dumps(schema, sort_keys=True)
    if not name or len(name) > LONGEST_NAME or not name.isprintable() or len(written) > LONGEST_SCHEMA:
        return None
    pin = hashlib.sha256(json.dumps([name, description, schema], sort_keys=True).encode()).hexdigest()
    return Tool(name, description[:LONGEST_DESCRIPTION], schema, pin)


def limit_answer(parts: Iterable[Mapping[str, Any]], structured: object) -> str:
    """Return a call's result as text; structured values only if there is no text."""
    said = [
        str(part.get("text", "")) if part.get("type") == "text" else NOT_TEXT.format(part.get("type")) for part in parts
    ]
    text = "\n".join(part for part in said if part.strip())
    if not text and structured is not None:
        text = json.dumps(structured, ensure_ascii=False)
    return text if len(text) <= LONGEST_ANSWER else f"{text[:LONGEST_ANSWER]} …"


if __name__ == "__main__":
    asyncio.run(_main())
