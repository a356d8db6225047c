"""Builds requests to search engines and parses their answers."""

from __future__ import annotations

import html
import json
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

MOST_RESULTS, LONGEST_TITLE, LONGEST_SNIPPET, LONGEST_URL = 8, 150, 400, 300

LONGEST_PAGE = 500_000

_TAGS = re.compile(r"<[^<>]{0,500}>")


class Misconfigured(ValueError):
    """The owner has to change a setting: the message says which."""


@dataclass(frozen=True)
class Request:
    """One HTTP request."""

    url: str
    method: str = "GET"
    headers: Mapping[str, str] = field(default_factory=dict)
    body: str | None = None


def request(engine: str, url: str, key: str, query: str, language: str = "") -> Request:
    """Build the request for an engine. Raises Misconfigured."""
    if engine == "duckduckgo":
        return Request(f"https://html.duckduckgo.com/html/?{urlencode({'q': query})}", headers={"Accept": "text/html"})
    if engine == "searxng":
        if urlsplit(url).scheme not in ("http", "https") or not urlsplit(url).hostname:
            raise Misconfigured("URL is missing: write where your SearXNG is, as https://search.example.org")
        asked = {"q": query, "format": "json", **({"language": language} if language else {})}
        base = url.rstrip("/").removesuffix("/search")
        return Request(f"{base}/search?{urlencode(asked)}", headers={"Accept": "application/json"})
    if engine not in ("brave", "tavily"):
        raise Misconfigured(f"ENGINE {engine!r} is not known; write duckduckgo, searxng, brave or tavily")
    if not key:
        raise Misconfigured(
            f"KEY is missing: {engine} gives you one, and `furoshiki plugins set web-search KEY` keeps it"
        )
    if engine == "brave":
        asked = {"q": query, "count": str(MOST_RESULTS), **({"search_lang": language} if language else {})}
        return Request(
            f"https://api.search.brave.com/res/v1/web/search?{urlencode(asked)}",
            headers={"Accept": "application/json", "X-Subscription-Token": key},
        )
    return Request(
        "https://api.tavily.com/search",
        "POST",
        {"Content-Type": "application/json", "Authorization": f"Bearer {key}"},
        json.dumps({"query": query, "max_results": MOST_RESULTS}),
    )


def refused(engine: str, status: int) -> str:
    """Explain a status other than 200, with what to do."""
    if engine == "duckduckgo" and status in (202, 403, 418, 429):
        return f"DuckDuckGo asks whether a person is there ({status}): wait, or set another ENGINE of web-search"
    if engine == "searxng" and status == 403:
        return "SearXNG does not give JSON (403): put `json` under `search.formats` in its settings.yml"
    if status in (401, 403) or (engine == "brave" and status == 422):
        return f"{engine} does not accept the key ({status}): check the setting KEY of web-search"
    if status in (402, 429, 432, 433):
        return f"{engine} allows no more searches for now ({status}): wait, or look at your plan with it"
    if status == 404:
        return f"there is no search at this address ({status}): check the setting URL of web-search"
    return f"{engine} answered {status}: try again later"


def results(engine: str, found: Any) -> list[dict[str, str]]:
    """Return title, URL and excerpt of up to eight results as plain text. `found` is JSON, or
    DuckDuckGo's page. Raises ValueError for an invalid answer."""
    listed: Any = None
    if engine == "duckduckgo" and isinstance(found, str) and "duckduckgo" in found.lower():
        listed = _listed(found)
    if isinstance(found, dict):
        web = found.get("web") or {} if engine == "brave" else found
        listed = web.get("results", [] if engine == "brave" else None) if isinstance(web, dict) else None
    if not isinstance(listed, list):
        raise ValueError(f"this is no answer of {engine}: check the settings ENGINE and URL of web-search")
    pages = []
    for one in listed:
        if not isinstance(one, dict):
            continue
        url = _plain(one.get("url"), LONGEST_URL + 1)
        if len(url) > LONGEST_URL or urlsplit(url).scheme not in ("http", "https"):
            continue
        excerpt = one.get("description" if engine == "brave" else "content")
        pages.append(
            {"title": _plain(one.get("title"), LONGEST_TITLE), "url": url, "snippet": _plain(excerpt, LONGEST_SNIPPET)}
        )
    return pages[:MOST_RESULTS]


def _listed(page: str) -> list[dict[str, str]]:
    """Return the results on DuckDuckGo's page, without ads."""
    parser = _Results()
    parser.feed(page[:LONGEST_PAGE])
    return [one for one in parser.found if urlsplit(one["url"]).hostname != "duckduckgo.com"]


class _Results(HTMLParser):
    """Reads links of class result__a, and the following excerpts of class result__snippet."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[dict[str, str]] = []
        self._into = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Begin a result or its excerpt."""
        given = {name: value or "" for name, value in attrs}
        classes = given.get("class", "").split()
        if tag == "a" and "result__a" in classes:
            self.found.append({"title": "", "url": _target(given.get("href", "")), "content": ""})
            self._into = "title"
        elif "result__snippet" in classes and self.found:
            self._into = "content"

    def handle_endtag(self, tag: str) -> None:
        """End an element."""
        self._into = "" if tag == "a" else self._into

    def handle_data(self, data: str) -> None:
        """Add text."""
        if self._into:
            self.found[-1][self._into] += data


def _target(href: str) -> str:
    """Return the target of a link that goes through DuckDuckGo."""
    through = parse_qs(urlsplit(href).query).get("uddg")
    return through[0] if through else href


def shown(query: str, pages: list[dict[str, str]]) -> str:
    """Format the results for the companion."""
    if not pages:
        return f"Nothing was found for {query!r}."
    parts = [f"Found for {query!r}:"]
    parts += [f"{n}. {one['title']}\n   {one['url']}\n   {one['snippet']}" for n, one in enumerate(pages, start=1)]
    return "\n".join(parts)


def _plain(text: Any, longest: int) -> str:
    """Return foreign text in one line, without markup, control and invisible characters."""
    if not isinstance(text, str):
        return ""
    bare = html.unescape(_TAGS.sub("", text[:10_000]))
    bare = _TAGS.sub("", bare)
    kept = "".join(" " if unicodedata.category(one) in ("Cc", "Zl", "Zp") else one for one in bare)
    kept = "".join(one for one in kept if unicodedata.category(one) not in ("Cf", "Cs", "Co", "Cn"))
    line = " ".join(kept.split())
    return line if len(line) <= longest else line[: longest - 1].rstrip() + "…"
