"""`/api/v1/openapi.json`: what every resource is called, how one gets in, and what an error looks like."""

from __future__ import annotations

import json
import re
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from furoshiki.dashboard.access.current import HEADER
from furoshiki.dashboard.registry import Late

WHAT = "What the companion holds and does, for programs of its owner."
LISTS = """Times are ISO 8601 with their offset, amounts US dollars, levels lie in [0, 1]. Every list has `items` and
`next`: `limit` says how many, `next` is the `cursor` of the page after it, null on the last one and where a list is
whole. Send an `ETag` as `If-None-Match`."""
TOKENS = """A token of `furoshiki dashboard token` or the page Access goes into `Authorization: Bearer …`; a viewer's
reads everything and changes nothing. A browser that is signed in sends its page's `X-CSRF-Token` to change something.
"""
ABOUT = "\n\n".join((WHAT, LISTS, TOKENS))

TAGS = {
    "status": "How it is now, and whether everything works.",
    "mind": "What waits to be said, what it asks itself and promised, its journal, who it says it is.",
    "memories": "What it knows and where it knows it from: find, put right, forget.",
    "sessions": "What was said, by session.",
    "messages": "Say something, and watch the answer grow.",
    "series": "Feelings, needs, costs and speed over time.",
    "outreach": "Why it wrote first, and why it did not.",
    "routing": "Which way messages were answered, and what was learned of that.",
    "tasks": "Lists, reminders, longer work.",
    "schedules": "What runs when, how it went, and running it now.",
    "costs": "What models cost, and the budgets.",
    "plugins": "Programs its owner allowed: what each may and did. A yes is to exactly what was looked at.",
    "proposals": "What waits for its owner's word, with what it would change.",
    "repairs": "Errors that came back, and what became of each.",
    "operator-settings": "What can be turned, where each value comes from, and turning it.",
    "loops": "The feedback loops, and how each stands.",
    "simulate": "What would follow from some feelings, by the rules it lives by.",
    "logs": "What the processes wrote.",
    "events": "What changes, while it does: server-sent events.",
    "metrics": "How much and how well, for Prometheus.",
}
"""What the resources are about, in the order in which they are described."""

ERRORS = {
    "401": ("Nobody is signed in.", "not_signed_in", "You are not signed in here."),
    "403": ("A viewer wants to change something.", "viewer_may_not_change", "You are signed in as a viewer."),
    "404": ("There is nothing of that name.", "not_there", "There is nothing here."),
    "409": (
        "It is not what was looked at any more, or cannot be done so.",
        "conflict",
        "It changed meanwhile.",
    ),
    "422": ("What was sent does not fit.", "does_not_fit", "Something of what was sent does not fit."),
    "429": ("Too many requests.", "too_many", "That was too often."),
    "503": ("The database cannot be had now. Nothing is lost.", "storage_unavailable", "The disk is full."),
}
"""By its status: when it comes, its code, and words such as come with it."""

_ALWAYS, _WRITES, _NAMED = ("401", "422", "429", "503"), ("403", "409"), ("404",)
_SENTENCE = re.compile(r"(?<=[.:;])\s")
_OF_A_MODULE = re.compile(r"furoshiki__dashboard__api__(\w+?)__(\w+)")

_ERROR: dict[str, Any] = {
    "title": "Error",
    "description": "Why something was not done: a code for programs, words for people, and what to do.",
    "type": "object",
    "required": ["error"],
    "properties": {
        "error": {
            "type": "object",
            "required": ["code", "message", "fix"],
            "properties": {name: {"type": "string"} for name in ("code", "message", "fix")},
        }
    },
}


def describe(app: FastAPI) -> None:
    """Have an application tell of itself like this. It is put together when it is first asked for."""

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            for route in app.routes:
                if isinstance(route, Late):
                    route.load()
            app.openapi_schema = _whole(app)
        return app.openapi_schema

    app.openapi = openapi  # type: ignore[method-assign]


def _whole(app: FastAPI) -> dict[str, Any]:
    found = get_openapi(
        title="Furoshiki",
        version=app.version,
        summary="The companion's own API.",
        description=ABOUT,
        routes=app.routes,
        tags=[{"name": name, "description": words} for name, words in TAGS.items()],
        servers=[{"url": "/", "description": "Where this was asked"}],
        separate_input_output_schemas=False,
    )
    components = found["components"]
    schemas = {name: one for name, one in components["schemas"].items() if "ValidationError" not in name}
    components["schemas"] = {**schemas, "Error": _ERROR}
    components["responses"] = {status: _response(*told) for status, told in ERRORS.items()}
    components["securitySchemes"] = {
        "token": {"type": "http", "scheme": "bearer", "description": "A token from the page Access."},
        "session": {
            "type": "apiKey",
            "in": "cookie",
            "name": "furoshiki_session",
            "description": "The cookie of a browser that is signed in; its name ends with the port, under https it is "
            "__Host-furoshiki_session.",
        },
        "csrf": {
            "type": "apiKey",
            "in": "header",
            "name": HEADER,
            "description": "What the pages of that session hold, to change something with its cookie.",
        },
    }
    for path, operations in found["paths"].items():
        for method, operation in operations.items():
            _told(path, method, operation)
    return _named(found)


def _response(when: str, code: str, words: str) -> dict[str, Any]:
    example = {"error": {"code": code, "message": words, "fix": "Here stands what to do."}}
    content = {"schema": {"$ref": "#/components/schemas/Error"}, "example": example}
    return {"description": when, "content": {"application/json": content}}


def _told(path: str, method: str, operation: dict[str, Any]) -> None:
    """Give an operation the first sentence of its words as a title, who may ask, and the errors there are."""
    first, *rest = _SENTENCE.split(operation.get("description", ""), maxsplit=1)
    operation["summary"] = first.rstrip(".:;").replace("`", "")
    operation["description"] = " ".join(rest) or operation["summary"]
    reads = method == "get"
    operation["security"] = [{"token": []}, {"session": []} if reads else {"session": [], "csrf": []}]
    statuses = (*_ALWAYS, *(() if reads else _WRITES), *(_NAMED if "{" in path else ()))
    errors = {status: {"$ref": f"#/components/responses/{status}"} for status in sorted(statuses)}
    operation["responses"] = {**operation["responses"], **errors}


def _named(found: dict[str, Any]) -> dict[str, Any]:
    """Call what two modules name alike by both names: "PluginsRun"."""

    def named(one: re.Match[str]) -> str:
        return "".join(part.title() for part in one[1].split("_")) + one[2]

    told: dict[str, Any] = json.loads(_OF_A_MODULE.sub(named, json.dumps(found)))
    return told
