"""The only SQL of the leases, and the only module that knows the driver. PostgreSQL's clock alone
decides until when a lease is good, in the statement that takes it."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from furoshiki.core.errors import BadSetting, NotConfigured
from furoshiki.core.network.addresses import secrets_in, without_secrets
from furoshiki.host.leases.values import Claim, LeasesAway, Node, Row

if TYPE_CHECKING:
    from psycopg import Connection

CONNECT_SECONDS = 3
ANSWER_MS = 4000
"""Milliseconds that PostgreSQL may take for an answer before it counts as away."""

NO_DRIVER = "FUROSHIKI_HOST_DATABASE needs the driver of PostgreSQL: .venv/bin/pip install -r requirements/hosting.txt"
AWAY = "PostgreSQL at {where} cannot be asked for leases ({why}): start it, or correct FUROSHIKI_HOST_DATABASE"

_MAKING = 0x6675726F
"""The advisory lock for creating the table: nodes that start together must not create it twice."""

_TABLE = """
CREATE TABLE IF NOT EXISTS furoshiki_leases (
    subject text PRIMARY KEY,
    name text NOT NULL,
    node text NOT NULL,
    place text NOT NULL,
    until timestamptz NOT NULL,
    fence bigint NOT NULL,
    opened bigint NOT NULL
)"""

_TAKE = """
INSERT INTO furoshiki_leases AS held (subject, name, node, place, until, fence, opened)
SELECT subject, name, %(node)s, %(place)s, clock_timestamp() + make_interval(secs => %(seconds)s), known + 1, 0
FROM unnest(%(subjects)s::text[], %(names)s::text[], %(known)s::bigint[]) AS wanted (subject, name, known)
ORDER BY subject
ON CONFLICT (subject) DO UPDATE SET
    name = excluded.name, node = excluded.node, place = excluded.place,
    until = clock_timestamp() + make_interval(secs => %(seconds)s),
    fence = CASE WHEN held.node = excluded.node AND held.name = excluded.name AND held.fence >= excluded.fence - 1
                 THEN held.fence ELSE greatest(held.fence + 1, excluded.fence) END
WHERE (held.node = excluded.node AND held.name = excluded.name)
   OR (held.until <= clock_timestamp() AND excluded.fence > held.opened)
RETURNING subject, fence"""
"""One statement for all wishes of a node: renews its own leases, takes free ones, leaves those of
others. A new holder gets a higher fence. Rows are locked in one order: no deadlocks."""

_OPENED = """
UPDATE furoshiki_leases AS held SET opened = marked.fence
FROM unnest(%(subjects)s::text[], %(fences)s::bigint[]) AS marked (subject, fence)
WHERE held.subject = marked.subject AND held.node = %(node)s AND held.fence = marked.fence
  AND held.until > clock_timestamp()
RETURNING held.subject"""

_RELEASE = """
UPDATE furoshiki_leases SET until = clock_timestamp()
WHERE subject = ANY(%(subjects)s::text[]) AND node = %(node)s AND until > clock_timestamp()"""

_CLAIM = """
UPDATE furoshiki_leases SET opened = least(opened, %(known)s)
WHERE subject = %(subject)s AND until <= clock_timestamp()
RETURNING subject"""

_ROWS = """
SELECT subject, name, node, place, extract(epoch FROM until - clock_timestamp())::float8, fence, opened
FROM furoshiki_leases WHERE subject = ANY(%(subjects)s::text[])"""


def check(url: str) -> None:
    """Check the driver and the address. Raises NotConfigured, BadSetting."""
    driver = _driver()
    try:
        found = importlib.import_module("psycopg.conninfo").conninfo_to_dict(url)
        ports = str(found.get("port") or "").split(",")
        why = None if all(not port or port.isdecimal() for port in ports) else "its port is no number"
    except driver.ProgrammingError as error:
        why = _hidden(str(error), url)
    if why is not None:
        raise BadSetting(
            f"FUROSHIKI_HOST_DATABASE is not an address of PostgreSQL ({why}): write it like "
            "postgresql://user:password@host:5432/database, with signs like @ and / in a password as %40 and %2F"
        )


class Leases:
    """A connection to the table of leases, opened on demand and after failures. For one thread."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._open: Connection[Any] | None = None
        self._made = False

    def take(self, node: Node, claims: Sequence[Claim], seconds: float) -> dict[str, int]:
        """Take the free leases among `claims` and renew the node's own, for `seconds`. Returns the
        fences of those it has now, by subject. Raises LeasesAway."""
        found = self._rows(
            _TAKE,
            node=node.id,
            place=node.place,
            seconds=seconds,
            subjects=[claim.subject for claim in claims],
            names=[claim.name for claim in claims],
            known=[claim.known for claim in claims],
        )
        return {subject: int(fence) for subject, fence in found}

    def opened(self, node: Node, fences: dict[str, int]) -> set[str]:
        """Record that the data of these homes holds its fence now: older copies get no lease any
        more. Returns the subjects that the node still has. Raises LeasesAway."""
        rows = self._rows(_OPENED, node=node.id, subjects=list(fences), fences=list(fences.values()))
        return {subject for (subject,) in rows}

    def release(self, node: Node, subjects: Sequence[str]) -> None:
        """Release these leases of the node at once. Raises LeasesAway."""
        self._run(_RELEASE, node=node.id, subjects=list(subjects))

    def claim(self, subject: str, known: int) -> bool:
        """Let the copy of the data with this fence take the lease; False while a node has the home.
        Raises LeasesAway."""
        return bool(self._rows(_CLAIM, subject=subject, known=known))

    def about(self, subjects: Sequence[str]) -> dict[str, Row]:
        """Return the rows of these subjects. Raises LeasesAway."""
        rows = self._rows(_ROWS, subjects=list(subjects))
        return {row[0]: Row(row[0], row[1], row[2], row[3], float(row[4]), int(row[5]), int(row[6])) for row in rows}

    def close(self) -> None:
        """Close the connection; the next call opens another."""
        if self._open is not None:
            self._open.close()
            self._open = None

    def _run(self, sql: str, **values: object) -> None:
        with self._connect() as db:
            db.execute(sql, values)

    def _rows(self, sql: str, **values: object) -> list[tuple[Any, ...]]:
        with self._connect() as db:
            return db.execute(sql, values).fetchall()

    @contextmanager
    def _connect(self) -> Iterator[Connection[Any]]:
        """Yield a working connection. Raises LeasesAway, without the password."""
        driver = _driver()
        try:
            yield self._connection()
        except driver.Error as error:
            self.close()
            raise LeasesAway(AWAY.format(where=_where(self._url), why=_hidden(str(error), self._url))) from None

    def _connection(self) -> Connection[Any]:
        if self._open is None:
            self._open = _driver().connect(
                self._url,
                autocommit=True,
                connect_timeout=CONNECT_SECONDS,
                prepare_threshold=None,
                application_name="furoshiki",
                tcp_user_timeout=ANSWER_MS,
            )
            self._open.execute(f"SET statement_timeout = {ANSWER_MS}")
        if not self._made:
            if self._open.execute("SELECT to_regclass('furoshiki_leases')").fetchone() == (None,):
                with self._open.transaction():
                    self._open.execute("SELECT pg_advisory_xact_lock(%s)", (_MAKING,))
                    self._open.execute(_TABLE)
            self._made = True
        return self._open


def _driver() -> Any:
    """Import psycopg on demand. Raises NotConfigured."""
    try:
        return importlib.import_module("psycopg")
    except ImportError as error:
        raise NotConfigured(NO_DRIVER) from error


def _where(url: str) -> str:
    """Return the server's address without secrets."""
    return without_secrets(url).partition("://")[2].partition("?")[0].rpartition("@")[2] or "its usual place"


def _hidden(words: str, url: str) -> str:
    """Return the driver's message in one line (300 characters at most) without secrets."""
    for secret in sorted(secrets_in(url), key=len, reverse=True):
        words = words.replace(secret, "…")
    return " ".join(words.split())[:300]
