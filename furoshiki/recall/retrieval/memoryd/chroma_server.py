"""A client for a remote Chroma server's HTTP API (version 2), with strict timeouts.

Chroma's own client has no timeouts, uses the proxies of the environment and takes 14 MB more. After
a failure the server is not asked for a while; then one caller checks for all whether it is back.

Access must be checked here: the server separates tenants by name only, and answers for a collection
to anyone who knows its id, under any tenant's name. So each home's requests name its own
collections.
"""

from __future__ import annotations

import base64
import json
import logging
import threading
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

from furoshiki.core import refs
from furoshiki.core.arrays import Floats
from furoshiki.core.json_values import dict_of, list_of
from furoshiki.core.network import outbound
from furoshiki.core.network.addresses import without_secrets
from furoshiki.core.network.proxies import NoRoad
from furoshiki.core.settings import Settings
from furoshiki.recall.retrieval.memoryd import tenants
from furoshiki.recall.retrieval.memoryd.chroma import COLLECTIONS, SPACE
from furoshiki.recall.retrieval.memoryd.tenants import Place, is_database
from furoshiki.recall.retrieval.values import INDEXED, Kind

if TYPE_CHECKING:
    import httpx2


# the timeout of one query of a recall; after it the database is searched instead
ANSWER_SECONDS = 0.2

# the timeout of other requests: adding 500 vectors takes 0.1 s on an idle machine
WORK_SECONDS = 10.0

GREETING_SECONDS = 2.0
REST_SECONDS = 10.0  # how long a failed server is not asked; then only its heartbeat is checked
MOST_BYTES = 8 * 1024 * 1024  # the most bytes of an answer
DIGITS = 6  # decimals of a number in a request
PORT = 8000  # Chroma's default, for http addresses without a port

_LONGEST_NAME = 40
_ROW_BITS = 63

log = logging.getLogger("memoryd")


class ServerAway(Exception):
    """The Chroma server cannot be used now; its words say why, and what to do."""


class NotThere(Exception):
    """The server is well, but has not (or no longer) what was asked of it: it was emptied, or lost its disk."""


class ChromaServer:
    """A server at an address, shared by this process. Thread-safe."""

    def __init__(
        self,
        url: str,
        token: str | None = None,
        *,
        rest_seconds: float = REST_SECONDS,
        answer_seconds: float = ANSWER_SECONDS,
    ) -> None:
        import httpx2

        parts = urlsplit(url)
        port = parts.port or (PORT if parts.scheme == "http" else 443)
        host = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname
        self.address = f"{parts.scheme}://{host}:{port}{parts.path.rstrip('/')}"
        """Its address without credentials."""
        self.answer_seconds = answer_seconds
        self._rest_seconds = rest_seconds
        self._errors: Any = httpx2.HTTPError
        self._limits = httpx2.Timeout
        self._client: httpx2.Client | None = None
        self._making: dict[str, Any] = {
            "headers": _headers(parts.username, parts.password, token),
            "follow_redirects": False,
            "limits": httpx2.Limits(max_connections=32, max_keepalive_connections=4, keepalive_expiry=60.0),
        }
        self._secrets = [one for one in (token, parts.password and unquote(parts.password)) if one]
        self._lock = threading.Lock()
        self._why: str | None = None
        self._again_at = 0.0
        self._greeting = False
        self._under_way: dict[object, float] = {}

    @classmethod
    def of(cls, settings: Settings) -> ChromaServer | None:
        """Return the server that the settings name, or None."""
        token = settings.furoshiki_chroma_token
        if settings.furoshiki_chroma_url is None:
            return None
        return cls(settings.furoshiki_chroma_url, None if token is None else token.get_secret_value())

    @property
    def away(self) -> str | None:
        """Why it is unavailable, as far as known; None otherwise."""
        with self._lock:
            late = any(time.monotonic() > until for until in self._under_way.values())
            return self._why or (f"the Chroma server at {self.address} does not answer in time" if late else None)

    def ask(self, method: str, path: str, body: object = None, *, at_once: bool = False) -> Any:
        """Send a request and return the answer. Raises ServerAway, NotThere.

        `at_once`: a caller waits. Then a server known to be away is not tried.
        """
        if (why := self.away) is not None:
            if at_once:
                raise ServerAway(why)
            self._greet(why)
        return self._request(method, path, body, self.answer_seconds if at_once else WORK_SECONDS)

    def close(self) -> None:
        if self._client is not None:
            self._client.close()

    def _web(self) -> httpx2.Client:
        """Return the client, created at its first use. Raises NoRoad."""
        import httpx2

        with self._lock:
            if self._client is None:
                self._client = httpx2.Client(**self._making, **outbound.client_options(self.address))
            return self._client

    def _greet(self, why: str) -> None:
        """Check whether the server is back, if due and not under way. Raises ServerAway."""
        with self._lock:
            if self._greeting or time.monotonic() < self._again_at:
                raise ServerAway(why)
            self._greeting = True
        try:
            self._request("GET", "/heartbeat", None, GREETING_SECONDS)
            with self._lock:
                self._why = None
            log.info("the Chroma server at %s answers again", self.address)
        except NotThere as error:
            raise self._went(f"{error}: it is no Chroma server of version 1 or newer") from None
        finally:
            self._greeting = False

    def _request(self, method: str, path: str, body: object, seconds: float) -> Any:
        mark, until = object(), time.monotonic() + seconds
        content = None if body is None else json.dumps(body).encode()
        with self._lock:
            self._under_way[mark] = until + seconds
        try:
            timeout = self._limits(seconds, connect=min(seconds, GREETING_SECONDS))
            with self._web().stream(
                method, f"{self.address}/api/v2{path}", content=content, timeout=timeout
            ) as response:
                answer = b""
                for part in response.iter_raw():
                    answer += part
                    if len(answer) > MOST_BYTES or time.monotonic() > until:
                        raise self._went(f"the Chroma server at {self.address} does not come to an end")
                status = response.status_code
        except (NoRoad, UnicodeError) as error:  # UnicodeError: a token that cannot be sent
            raise self._went(f"the Chroma server at {self.address} cannot be reached: {error}") from None
        except self._errors as error:
            raise self._went(self._in_words(error, seconds)) from None
        finally:
            with self._lock:
                self._under_way.pop(mark, None)
        return self._read(status, answer)

    def _read(self, status: int, answer: bytes) -> Any:
        try:
            parsed = json.loads(answer) if answer else None
        except (ValueError, RecursionError):
            parsed = None
            if status == 200:
                raise self._went(
                    f"what answers at {self.address} is no Chroma server: check FUROSHIKI_CHROMA_URL"
                ) from None
        if status == 200:
            return parsed
        message = str(parsed.get("message", "")) if isinstance(parsed, dict) else ""
        if status == 404 and isinstance(parsed, dict) and parsed.get("error") == "NotFoundError":
            raise NotThere(f"the Chroma server at {self.address} says: {self._safe(message)}")
        if status in (401, 403):
            raise self._went(
                f"the Chroma server at {self.address} lets nobody in like this ({status}): check "
                "FUROSHIKI_CHROMA_TOKEN, or user and password in FUROSHIKI_CHROMA_URL"
            )
        if status in (404, 405, 410):
            raise self._went(
                f"what answers at {self.address} does not know version 2 of Chroma's interface ({status}): check "
                "FUROSHIKI_CHROMA_URL, and that the server is of version 1 or newer"
            )
        raise self._went(f"the Chroma server at {self.address} refuses with {status} {self._safe(message)}".rstrip())

    def _went(self, why: str) -> ServerAway:
        """Mark the server as away for a while."""
        with self._lock:
            before, self._why = self._why, why
            self._again_at = time.monotonic() + self._rest_seconds
        if before != why:
            log.warning("%s; what is wanted meanwhile is found in the database", why)
        return ServerAway(why)

    def _in_words(self, error: Exception, seconds: float) -> str:
        import httpx2

        if isinstance(error, httpx2.TimeoutException):
            return f"the Chroma server at {self.address} does not answer in time ({seconds:g} s)"
        if isinstance(error, httpx2.ConnectError):
            words = self._safe(str(error))
            mend = "start it, or correct FUROSHIKI_CHROMA_URL"
            return f"no Chroma server at {self.address} can be reached ({words}): {mend}"
        return f"the connection to the Chroma server at {self.address} broke ({type(error).__name__})"

    def _safe(self, said: str) -> str:
        for secret in self._secrets:
            said = said.replace(secret, "…")
        return without_secrets(said)[:200]


class Tenant:
    """The four collections of one index on a server, in its own database of a tenant.

    Every method may raise ServerAway or NotThere.
    """

    def __init__(self, server: ChromaServer, place: Place) -> None:
        self._server = server
        self._place = place
        self._turned: Floats | None = None
        self._databases = f"/tenants/{place.tenant}/databases"
        self._here = f"{self._databases}/{place.database}"
        self._collections: dict[Kind, str] = {}

    def open(self) -> None:
        """Find or create tenant, database and collections; delete other databases of the tenant."""
        _or_there(lambda: self._server.ask("GET", f"/tenants/{self._place.tenant}"), self._make_tenant)
        _or_there(lambda: self._server.ask("GET", self._here), self._make_database)
        for kind in INDEXED:
            self._collections[kind] = self._create_collection(kind)
        remove(self._server, self._place.tenant, keep=self._place.database)

    def clear(self, kind: Kind) -> None:
        """Empty a collection."""
        _or_there(lambda: self._server.ask("DELETE", f"{self._here}/collections/{COLLECTIONS[kind]}"), _ignore)
        self._collections[kind] = self._create_collection(kind)

    def count(self, kind: Kind) -> int:
        """Return the number of rows."""
        answer = self._server.ask("GET", f"{self._in(kind)}/count")
        return answer if isinstance(answer, int) else 0

    def ids(self, kind: Kind, start: int, limit: int) -> list[int]:
        """Return a page of the rows in the collection, in Chroma's order."""
        request = {"limit": limit, "offset": start, "include": []}
        return _rows(kind, _field(self._server.ask("POST", f"{self._in(kind)}/get", request), "ids"))

    def upsert(self, kind: Kind, ids: Sequence[int], vectors: Floats) -> None:
        """Insert or replace these rows' vectors."""
        rows = {"ids": refs.names(kind, ids), "embeddings": self._as_sent(vectors)}
        self._server.ask("POST", f"{self._in(kind)}/upsert", rows)

    def delete(self, kind: Kind, ids: Sequence[int]) -> None:
        """Delete these rows, ignoring missing ones."""
        self._server.ask("POST", f"{self._in(kind)}/delete", {"ids": refs.names(kind, ids)})

    def nearest(self, kind: Kind, questions: Floats, limit: int, at_once: bool) -> list[list[int]]:
        """Return for each row of `questions` the candidates for the nearest rows, unordered."""
        request = {"query_embeddings": self._as_sent(questions), "n_results": limit, "include": []}
        ids = _field(self._server.ask("POST", f"{self._in(kind)}/query", request, at_once=at_once), "ids")
        return [_rows(kind, ids[n] if n < len(ids) else [])[:limit] for n in range(len(questions))]

    def _in(self, kind: Kind) -> str:
        return f"{self._here}/collections/{self._collections[kind]}"

    def _as_sent(self, vectors: Floats) -> list[list[float]]:
        """Return the rotated vectors as lists of numbers."""
        if self._turned is None:
            self._turned = self._place.turned(vectors.shape[-1])
        rows: list[list[float]] = (vectors @ self._turned).astype("float64").round(DIGITS).tolist()
        return rows

    def _make_tenant(self) -> None:
        self._server.ask("POST", "/tenants", {"name": self._place.tenant})

    def _make_database(self) -> None:
        self._server.ask("POST", self._databases, {"name": self._place.database})

    def _create_collection(self, kind: Kind) -> str:
        request = {"name": COLLECTIONS[kind], "get_or_create": True, "configuration": SPACE}
        answer = self._server.ask("POST", f"{self._here}/collections", request)
        number = str(answer.get("id", "")) if isinstance(answer, dict) else ""
        if not number.replace("-", "").isalnum() or not number.isascii():
            raise ServerAway(f"what answers at {self._server.address} is no Chroma server: check FUROSHIKI_CHROMA_URL")
        return number


def remove(server: ChromaServer, tenant: str, keep: str | None = None) -> None:
    """Delete a tenant's indexes from the server, except `keep`. The tenant's name stays, empty.

    Raises ServerAway.
    """
    databases = f"/tenants/{tenant}/databases"
    try:
        databases_left = server.ask("GET", databases)
    except NotThere:
        return
    for name in [str(one.get("name")) for one in list_of(databases_left) if isinstance(one, dict)]:
        if name != keep and is_database(name):
            _or_there(partial(server.ask, "DELETE", f"{databases}/{name}"), _ignore)


def sweep(server: ChromaServer, host: Path) -> int:
    """Delete removed homes' data from the server; return their number. Raises ServerAway."""
    leftovers = tenants.list_leftovers(host)
    for tenant in leftovers:
        remove(server, tenant)
        tenants.mark_deleted(host, tenant)
    return len(leftovers)


def _ignore() -> None:
    """Ignore that it does not exist."""


def _or_there(ask: Callable[[], object], otherwise: Callable[[], None]) -> None:
    try:
        ask()
    except NotThere:
        otherwise()


def _headers(user: str | None, password: str | None, token: str | None) -> dict[str, str]:
    """Return the headers with credentials for a proxy or the server itself."""
    headers = {"content-type": "application/json", "accept-encoding": "identity", "user-agent": "furoshiki"}
    if token:
        headers |= {"authorization": f"Bearer {token}", "x-chroma-token": token}
    if user:
        pair = f"{unquote(user)}:{unquote(password or '')}"
        headers["authorization"] = f"Basic {base64.b64encode(pair.encode()).decode()}"
    return headers


def _field(answer: object, name: str) -> list[Any]:
    return list_of(dict_of(answer).get(name))


def _rows(kind: Kind, names: object) -> list[int]:
    """Return the rows of valid names of that kind, as the server's answer is not trusted."""
    parsed = [refs.Ref.parse(name) for name in list_of(names) if isinstance(name, str) and len(name) <= _LONGEST_NAME]
    rows = [ref.row for ref in parsed if ref is not None and ref.kind == kind]
    return [row for row in rows if row is not None and row.bit_length() <= _ROW_BITS]
