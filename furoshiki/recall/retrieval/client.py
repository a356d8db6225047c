"""The client of memoryd: standard library only, with short timeouts.

Every call returns its answer or raises `VectorsAway`. If memoryd does not run, it is started in the
background and the call fails at once: the caller uses full-text search and retries with the next
message. A request is one line of JSON over a Unix socket; one line comes back, and the connection
is closed.

The homes of a host share one memoryd, at `.host/run/memoryd.sock`. A request contains its home's
name and key, which is stored in the home's data directory: a process that cannot read another
home's files cannot query that home.
"""

import base64
import contextlib
import json
import os
import socket
import subprocess
import sys
import threading
import time
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

from furoshiki.core import paths
from furoshiki.core.errors import FuroshikiError
from furoshiki.recall.retrieval.values import EVERYWHERE, KINDS, Kind, Scope

SOCKET = "memoryd.sock"

# in `run/` of a home: the secret that authenticates its processes to a shared memoryd
KEY = "memoryd.key"

KEY_BYTES = 32

# in `run/`: marks that messages in other languages came, so that the next start installs the
# encoder for them (scripts/venv.sh)
OTHER_LANGUAGES = "other-languages"

ASK_SECONDS = 0.3  # the timeout of a turn's request; a warm memoryd needs 0.01
SAID_AT_ONCE = 12  # texts of a burst in one request: more would outlast the timeout, all in vain
REST_SECONDS = 2.0  # after a timeout, how long no request is sent: one slow turn, not ten

# how often memoryd may be started, so that a broken one does not become a fork bomb
SPAWN_EVERY_SECONDS = 10.0

# the timeout for a cross-encoder, which is loaded for each search (0.3 s) and then released
SCORE_SECONDS = 5.0

# the timeout for sending a request in advance, while a message is being stored
BEGIN_SECONDS = 0.05

_NOTHING_BEGUN: tuple[bytes, None, float] = (b"", None, 0.0)

HEARD_SECONDS = 30.0  # how long the vectors of a message are cached: as long as most turns take
MOST_BYTES = 64 * 1024 * 1024  # the longest answer that is accepted

# memoryd's environment: one arena, one thread, large blocks freed at once (saves 40 MB)
SMALL = {
    "MALLOC_ARENA_MAX": "1",
    "MALLOC_MMAP_THRESHOLD_": "1048576",
    "MALLOC_TRIM_THRESHOLD_": "1048576",
    "OPENBLAS_NUM_THREADS": "1",
}

# Unix socket paths may have 107 bytes; a longer one is reached through its open folder
_LONGEST_PATH = 100


class VectorsAway(FuroshikiError):
    """memoryd does not answer (it may be starting); go on by full-text search and ask again later."""


class Vectors:
    """The client of one data directory's memoryd, own or shared. `spawn` starts memoryd if it does
    not run; None leaves that to others."""

    def __init__(self, data: Path, spawn: Callable[[], None] | None = None, ask_seconds: float = ASK_SECONDS) -> None:
        self._data = data
        self._spawn = spawn
        self._ask_seconds = ask_seconds
        self._rest_until = 0.0
        self._begun: dict[str, tuple[bytes, socket.socket | None, float]] = {}
        self._beginning = threading.Lock()
        self._spawned_at = float("-inf")
        self._heard = _Heard()

    def embed(self, texts: Sequence[str], seconds: float | None = None) -> list[list[float]]:
        """Return unit vectors of texts, in order. Raises VectorsAway."""
        vector_of = self._heard.of(texts)
        wanted = [text for text in dict.fromkeys(texts) if text not in vector_of]
        if wanted:
            answer = self._ask({"op": "embed", "texts": wanted}, seconds)
            vector_of.update(zip(wanted, answer["vectors"], strict=True))
        return [decode(vector_of[text]) for text in texts]

    def said(
        self, texts: Sequence[str], seconds: float | None = None, *, multilingual: bool = False, foreign: bool = True
    ) -> tuple[str, list[list[float]]]:
        """Return the encoder's id and unit vectors of a new message, cached for its recall.

        `multilingual` selects the multilingual encoder, without caching. If that is missing and the
        texts are `foreign`, a file requests its installation. Raises VectorsAway.
        """
        vectors: list[str] = []
        for at in range(0, max(1, len(texts)), SAID_AT_ONCE):
            request = {"op": "embed", "texts": list(texts[at : at + SAID_AT_ONCE])}
            answer = self._ask(request | ({"multilingual": True} if multilingual else {"said": True}), seconds)
            if not answer["model"]:
                if foreign:
                    with contextlib.suppress(OSError):
                        (self._data / "run" / OTHER_LANGUAGES).touch()
                raise VectorsAway(str(answer["missing"]))
            vectors += answer["vectors"]
        if not multilingual:
            self._heard.keep(zip(texts, vectors, strict=True))
        return str(answer["model"]), list(map(decode, vectors))

    def compare(self, texts: Sequence[str]) -> list[list[float]]:
        """Return vectors of texts in any language by the multilingual encoder, comparable only with
        one another, as their common part is subtracted. Raises VectorsAway, also without that
        encoder."""
        answer = self._ask({"op": "embed", "texts": list(texts), "multilingual": True, "compared": True}, None)
        if not answer["model"]:
            raise VectorsAway(str(answer["missing"]))
        return list(map(decode, answer["vectors"]))

    def near_danger(self, text: str, *, multilingual: bool = False) -> float | None:
        """Return how much nearer a text lies to examples of danger than to everyday ones, in
        (-2, 2); None without examples for the encoder. Raises VectorsAway."""
        near = self._ask({"op": "near_danger", "text": text, "multilingual": multilingual}, None)["near"]
        return None if near is None else float(near)

    def expect(self, text: str) -> None:
        """Let memoryd begin to read a text for a call of `said`. Never raises, never waits."""
        self._begin({"op": "embed", "texts": [text], "said": True})

    def query(
        self, text: str, kinds: Sequence[Kind] = KINDS, k: int = 150, seconds: float | None = None
    ) -> list[tuple[str, float]]:
        """Return the `k` nearest in meaning of these kinds: ids ("turn:12") and cosines, best
        first.

        Raises VectorsAway.
        """
        answer = self._ask({"op": "query", "text": text, "kinds": list(kinds), "k": k}, seconds)
        return [(str(name), float(cosine)) for name, cosine in answer["found"]]

    def recall(
        self, text: str, *, k: int = 20, now: datetime, scope: Scope = EVERYWHERE, seconds: float | None = None
    ) -> list[tuple[str, float]]:
        """Return the best answers to a question: ids ("turn:12") with their scores, best first.

        `now` is aware, in the asker's zone. Raises VectorsAway.
        """
        answer = self._ask(_recalling(text, k, now, scope), seconds)
        return [(str(name), float(score)) for name, score in answer["found"]]

    def expect_recall(self, text: str, *, k: int, now: datetime, scope: Scope) -> None:
        """Let memoryd begin a search for a call of `recall`. Never raises, never waits."""
        self._begin(_recalling(text, k, now, scope))

    def score(self, query: str, texts: Sequence[str]) -> list[float]:
        """Score how well each text answers the question, by a cross-encoder (or []).

        Raises VectorsAway.
        """
        answer = self._ask({"op": "score", "text": query, "texts": list(texts)}, SCORE_SECONDS)
        return list(map(float, answer["scores"]))

    def nudge(self, at_once: bool = False) -> None:
        """Announce new rows to index. Never raises: memoryd finds them later if it is away.

        They get vectors and can be found at once; they enter the index with others, or now with
        `at_once`. This is sent even after a timeout, as memoryd may then be loading its encoder and
        would look for new rows only a minute later.
        """
        with contextlib.suppress(VectorsAway):
            self._ask({"op": "nudge", "at_once": at_once}, self._ask_seconds)

    def audit(self, size: int = 200, seconds: float = 60.0) -> dict[str, Any]:
        """Query the index for stored vectors, and delete entries without a row.

        Returns `asked`, `missed` and `removed` (ids), `rebuilding`. Raises VectorsAway.
        """
        return self._ask({"op": "audit", "n": size}, seconds)

    def rebuild(self) -> None:
        """Discard the index and rebuild it in the background. Raises VectorsAway."""
        self._ask({"op": "rebuild"}, 2.0)

    def status(self, seconds: float = 1.0) -> dict[str, Any]:
        """Return memoryd's pid, model, index state ("ready", …), pending. Raises VectorsAway."""
        return self._ask({"op": "status"}, seconds)

    def stop(self) -> None:
        """Ask memoryd to end (perhaps before this returns). Raises VectorsAway if not running."""
        self._ask({"op": "stop"}, 2.0, spawn=False)

    def start(self) -> None:
        """Start memoryd in the background if it does not run."""
        with contextlib.suppress(VectorsAway, OSError), self._connect(self._ask_seconds):
            return
        self._start()

    def _ask(self, request: dict[str, Any], seconds: float | None, *, spawn: bool = True) -> dict[str, Any]:
        patient = seconds is not None
        if not patient and time.monotonic() < self._rest_until:
            raise VectorsAway("memoryd was too slow a moment ago")
        try:
            sent, seconds = self._pack(request), self._ask_seconds if seconds is None else seconds
            answer = json.loads(self._take_begun(request["op"], sent, seconds) or self._exchange(sent, seconds))
        except (FileNotFoundError, ConnectionRefusedError) as error:
            if not spawn:
                raise VectorsAway("memoryd is not running") from error
            self._start()
            raise VectorsAway("memoryd is not running; it is being started") from error
        except (OSError, ValueError) as error:
            self._rest_until = time.monotonic() + REST_SECONDS
            raise VectorsAway(f"memoryd did not answer: {error}") from error
        if not isinstance(answer, dict) or not answer.get("ok"):
            raise VectorsAway(f"memoryd cannot: {answer.get('error') if isinstance(answer, dict) else answer}")
        return answer

    def _exchange(self, sent: bytes, seconds: float) -> bytes:
        with self._connect(seconds) as line:
            line.sendall(sent)
            return _line(line)

    def _begin(self, request: dict[str, Any]) -> None:
        """Send a request in advance, so that `_ask` finds the answer ready or under way."""
        kind = request["op"]
        with contextlib.suppress(OSError):
            sent = self._pack(request)
            begun, _line, since = self._begun.get(kind, _NOTHING_BEGUN)
            if begun == sent and time.monotonic() - since < HEARD_SECONDS:
                return
            line = self._connect(BEGIN_SECONDS)
            with self._beginning:
                _begun, before, _since = self._begun.get(kind, _NOTHING_BEGUN)
                self._begun[kind] = sent, line, time.monotonic()
            if before is not None:
                before.close()
            line.sendall(sent)

    def _take_begun(self, kind: str, sent: bytes, seconds: float) -> bytes | None:
        """Return the answer to a request sent in advance, if it is the same; else None."""
        with self._beginning:
            begun, line, since = self._begun.get(kind, _NOTHING_BEGUN)
            if line is None or begun != sent:
                return None
            del self._begun[kind]
        with line, contextlib.suppress(ConnectionError):
            if time.monotonic() - since < HEARD_SECONDS:
                line.settimeout(seconds)
                return _line(line)
        return None

    def _start(self) -> None:
        now = time.monotonic()
        if self._spawn is not None and now - self._spawned_at > SPAWN_EVERY_SECONDS:
            self._spawned_at = now
            self._spawn()

    def _home(self) -> dict[str, str]:
        """Return the home's name and key for a shared memoryd. Raises OSError."""
        if paths.host_of(self._data) is None:
            return {}
        return {"home": self._data.name, "key": _key(self._data / "run" / KEY)}

    def _pack(self, request: dict[str, Any]) -> bytes:
        return json.dumps(request | self._home()).encode() + b"\n"

    def _connect(self, seconds: float) -> socket.socket:
        path = (paths.host_of(self._data) or self._data) / "run" / SOCKET
        line = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            with reachable(path) as address:
                line.settimeout(seconds)
                line.connect(address)
        except BaseException:
            line.close()
            raise
        return line


class _Heard:
    """A cache of the latest message's vectors, which its turn needs again for focus and feeling.

    It expires after HEARD_SECONDS, because memoryd may return with another encoder.
    """

    def __init__(self) -> None:
        self._vectors: dict[str, str] = {}
        self._since = float("-inf")
        self._changing = threading.Lock()

    def keep(self, heard: Iterable[tuple[str, str]]) -> None:
        """Replace the cached vectors."""
        with self._changing:
            self._vectors, self._since = dict(heard), time.monotonic()

    def of(self, texts: Sequence[str]) -> dict[str, str]:
        """Return the cached vectors of these texts."""
        with self._changing:
            if time.monotonic() - self._since > HEARD_SECONDS:
                self._vectors = {}
            return {text: self._vectors[text] for text in texts if text in self._vectors}


def spawner(data: Path) -> Callable[[], None]:
    """Return a function that starts memoryd for a data directory or its host, detached, with its
    output in logs/memoryd.log. Starting twice is harmless."""
    children: list[subprocess.Popen[bytes]] = []

    def spawn() -> None:
        own = paths.host_of(data) or data
        children[:] = [child for child in children if child.poll() is None]
        with contextlib.suppress(OSError):
            (own / "logs").mkdir(parents=True, exist_ok=True, mode=0o700)
            private = partial(os.open, mode=0o600)
            with open(own / "logs" / "memoryd.log", "ab", opener=private) as log:
                settings = [f"FUROSHIKI_DATA={own}", *(f"{name}={value}" for name, value in SMALL.items())]
                command = ["/usr/bin/env", *settings, sys.executable, "-m", "furoshiki.app.memoryd"]
                children.append(
                    subprocess.Popen(
                        command,
                        stdin=subprocess.DEVNULL,
                        stdout=log,
                        stderr=log,
                        start_new_session=True,
                    )
                )

    return spawn


@contextlib.contextmanager
def reachable(path: Path) -> Iterator[str]:
    """Yield an address of a socket file. Raises FileNotFoundError without its folder."""
    if len(os.fsencode(path)) <= _LONGEST_PATH:
        yield str(path)
        return
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        yield f"/proc/self/fd/{folder}/{path.name}"
    finally:
        os.close(folder)


def _key(path: Path) -> str:
    """Return a home's key; create it if missing. Raises OSError."""
    with contextlib.suppress(FileNotFoundError):
        return path.read_text(encoding="ascii")
    path.parent.mkdir(exist_ok=True, mode=0o700)  # without `parents`, so that a removed home is not recreated
    written = path.with_name(f".{KEY}.{os.getpid()}.{threading.get_ident()}")
    handle = os.open(written, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
    try:
        os.write(handle, os.urandom(KEY_BYTES).hex().encode())
        with contextlib.suppress(FileExistsError):  # another process was first
            os.link(written, path)
    finally:
        os.close(handle)
        written.unlink(missing_ok=True)
    return path.read_text(encoding="ascii")


def _recalling(text: str, k: int, now: datetime, scope: Scope) -> dict[str, Any]:
    request = {"op": "recall", "text": text, "kinds": list(scope.kinds), "k": k, "now": now.isoformat()}
    return request | {"without": sorted(scope.without), "floor": scope.floor}


def encode(vector: Sequence[float]) -> str:
    """Return a vector in transport form: float32, base64."""
    return base64.b64encode(array("f", vector).tobytes()).decode()


def decode(text: str) -> list[float]:
    """Decode a vector from `encode`."""
    return array("f", base64.b64decode(text)).tolist()


def _line(line: socket.socket) -> bytes:
    """Read up to the end of the line. Raises ConnectionError if closed before."""
    parts: list[bytes] = []
    size = 0
    while True:
        part = line.recv(1 << 16)
        if not part:
            raise ConnectionError("the connection ended early")
        parts.append(part)
        size += len(part)
        if part.endswith(b"\n"):
            return b"".join(parts)
        if size > MOST_BYTES:
            raise ConnectionError("the answer is too long")
