"""The client of a remote encoder: one connection, short deadlines, pauses after failures.

A question waits for at most QUESTION_S. After a failure (no connection, timeout, bad answer) the
encoder counts as away: all callers get an error at once until a retry in the background succeeds.
So a hanging encoder delays one turn only, and rows without vectors are embedded once it is back.

All of it runs in an event loop in its own thread, where a deadline covers the whole exchange.
Messages about the connection contain neither the token nor any text.
"""

import asyncio
import concurrent.futures
import json
import logging
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

import httpx2
import numpy as np

from furoshiki.core.arrays import Floats
from furoshiki.core.errors import BadSetting
from furoshiki.core.network import outbound
from furoshiki.core.network.proxies import NoRoad
from furoshiki.recall.embeddings.encoder import EncoderAway, sound
from furoshiki.recall.embeddings.remote import judging, wire
from furoshiki.recall.embeddings.remote.judging import Failed

QUESTION_S = 0.25
"""Timeout for one text that a caller waits for; memoryd's own answer may take 0.3."""

EACH_MORE_S = 0.05
"""Additional time for each further text of the same request."""

BATCH_S = 20.0
"""Timeout for texts in the background."""

TRY_S = 5.0
"""Timeout for a retry in the background, with a new connection."""

REST_S = 1.0
LONGEST_REST_S = 15.0
"""Pause between retries; doubled until a request succeeds."""

LASTING_S = 300.0
"""After being away this long the owner is informed."""

AT_ONCE = 32
CHARS_AT_ONCE = 64_000
"""The most texts and characters of one request."""

KEPT_PIECES = 4

Told = Callable[[str | None, bool], None]
"""A callback: why the encoder is away (None: it is available), and whether to inform the owner."""

T = TypeVar("T")

log = logging.getLogger("memoryd")


class Link:
    """A connection to a remote encoder. One per process; each home has its own RemoteEncoder."""

    def __init__(self, address: str, token: str | None, authority: Path | None) -> None:
        """Begin to connect in the background. Raises NotConfigured or BadSetting."""
        verify = judging.check(address, token, authority)
        self._at = address.rstrip("/")
        try:
            road = outbound.client_options(self._at)
        except NoRoad as error:
            raise BadSetting(str(error)) from None
        self._web = httpx2.AsyncClient(
            headers={"authorization": f"Bearer {token}", wire.VERSION: wire.PROTOCOL, "user-agent": "furoshiki"}
            | {"accept-encoding": "identity"},
            timeout=None,  # each exchange has its own deadline
            **{**road, "verify": verify},
            follow_redirects=False,
            limits=httpx2.Limits(max_connections=8, max_keepalive_connections=4, keepalive_expiry=240.0),
        )
        self.model: str | None = None
        self.dimensions = 0
        self.on_other: Callable[[], object] = lambda: None
        """Called when a different encoder is served, or when settings have changed while it is
        away: this process ends then, and the next one begins with the new state."""
        self.is_outdated: Callable[[], bool] = lambda: False
        self._up = False
        self._why = judging.AWAY.format(at=self._at, what=judging.NOT_YET)
        self._said: tuple[str | None, bool] = (None, False)
        self._away_since: float | None = None
        self._rest = REST_S
        self._tried = threading.Event()
        self._told: list[Told] = []
        self._telling = ThreadPoolExecutor(1, "encoder-told")
        self._loop = asyncio.new_event_loop()
        self._fallen = asyncio.Event()
        threading.Thread(target=self._run, name="encoder", daemon=True).start()

    def tell(self, told: Told) -> Callable[[], None]:
        """Register a callback (called at once if away); return a function to unregister it."""
        self._told.append(told)
        if self._said[0] is not None:
            self._telling.submit(told, *self._said)
        return lambda: self._told.remove(told)

    def known(self, seconds: float) -> str:
        """Return the id of the remote model, waiting for the first answer. Raises EncoderAway."""
        self._tried.wait(seconds)
        if self.model is None or not self._up:
            raise EncoderAway(self._why)
        return self.model

    def ask(
        self, texts: Sequence[str], model: str, tokens: bool, seconds: float
    ) -> list[tuple[Floats, Floats, list[str]] | None]:
        """Return the encoder's results, None for unusable texts. Raises EncoderAway."""
        if not self._up:
            raise EncoderAway(self._why)
        asked = asyncio.run_coroutine_threadsafe(self._ask(texts, model, tokens, seconds), self._loop)
        try:
            answer = asked.result(seconds + QUESTION_S)
            return [None if one is None else wire.unpack(one, self.dimensions, tokens) for one in answer]
        except (TimeoutError, concurrent.futures.CancelledError) as error:
            asked.cancel()
            raise EncoderAway(judging.AWAY.format(at=self._at, what=judging.SLOW)) from error
        except (ValueError, TypeError, KeyError) as error:
            words = judging.AWAY.format(at=self._at, what=judging.NONSENSE)
            self._loop.call_soon_threadsafe(self._fall, words)
            raise EncoderAway(words) from error

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_until_complete(self._watch())

    async def _watch(self) -> None:
        """Retry until there is an answer, then wait for the next failure, forever."""
        while True:
            failed = await self._try()
            if failed is not None:
                self._is_away(failed)
                if self.is_outdated():
                    log.info("settings have changed: memoryd ends, and the next one begins with them")
                    self.on_other()
            self._tried.set()
            if failed is None:
                await self._fallen.wait()
            await asyncio.sleep(self._rest)
            self._rest = min(2 * self._rest, LONGEST_REST_S)

    async def _try(self) -> Failed | None:
        try:
            answer = await self._exchange(["."], None, False, TRY_S)
            model, dimensions = str(answer["model"]), int(answer["dimensions"])
            wire.unpack(answer["made"][0], dimensions, False)
        except Failed as failed:
            return failed
        except (ValueError, TypeError, KeyError, IndexError):
            return Failed(judging.NONSENSE)
        if self.model not in (None, model):
            log.info(
                "the encoder is %s now, and was %s: memoryd ends, and the next one begins with it", model, self.model
            )
            self.on_other()
            return Failed(judging.OTHER.format(now=model, before=self.model))
        self.model, self.dimensions = model, dimensions
        if self._away_since is not None:
            log.info("the encoder at %s is there again", self._at)
        self._fallen.clear()
        self._up, self._away_since = True, None
        self._say(None, False)
        return None

    def _fall(self, words: str, ours: bool = False) -> None:
        """Mark the encoder as away."""
        if self._up:
            log.warning("%s; until it is back everything is found by its words", words)
        self._up, self._why = False, words
        self._fallen.set()

    def _is_away(self, failed: Failed) -> None:
        now = self._loop.time()
        words = judging.AWAY.format(at=self._at, what=failed.words)
        if self._away_since is None:
            self._away_since = now
            log.warning("%s", words)
        self._why = words
        lasting = failed.ours or now - self._away_since >= LASTING_S
        before, told = self._said
        if before is None or failed.ours or (lasting and not told):
            self._say(words, lasting)

    def _say(self, words: str | None, lasting: bool) -> None:
        if words is None or self._said != (words, lasting):  # every return is reported, as rows may have been waiting
            self._said = words, lasting
            for listener in list(self._told):
                self._telling.submit(listener, words, lasting)

    async def _ask(self, texts: Sequence[str], model: str, tokens: bool, seconds: float) -> list[Any]:
        try:
            answer = await self._exchange(texts, model, tokens, seconds)
            encoded = answer["made"]
            if answer["model"] != model or not isinstance(encoded, list) or len(encoded) != len(texts):
                raise Failed(judging.NONSENSE)
            self._rest = REST_S
            return encoded
        except Failed as failed:
            words = judging.AWAY.format(at=self._at, what=failed.words)
            if not failed.passing:
                self._fall(words)
            raise EncoderAway(words) from None
        except (KeyError, TypeError):
            words = judging.AWAY.format(at=self._at, what=judging.NONSENSE)
            self._fall(words)
            raise EncoderAway(words) from None

    async def _exchange(self, texts: Sequence[str], model: str | None, tokens: bool, seconds: float) -> dict[str, Any]:
        """Send one request and return the answer. Raises Failed."""
        body = json.dumps({"texts": list(texts), "tokens": tokens, "model": model}).encode()
        try:
            async with asyncio.timeout(seconds):
                async with self._web.stream(
                    "POST", self._at + wire.ENCODE, content=body, headers={"content-type": "application/json"}
                ) as answer:
                    judging.judge(answer.status_code, answer.headers.get(wire.VERSION))
                    read = bytearray()
                    async for part in answer.aiter_raw():
                        read += part
                        if len(read) > wire.MOST_ANSWER:
                            raise Failed(judging.NONSENSE)
        except TimeoutError:
            raise Failed(judging.SLOW) from None
        except (httpx2.HTTPError, OSError, ValueError) as error:
            raise judging.of_connection(error) from None
        try:
            parsed = await asyncio.to_thread(json.loads, read) if len(read) > 1 << 20 else json.loads(read)
        except (ValueError, RecursionError):
            raise Failed(judging.NONSENSE) from None
        if not isinstance(parsed, dict):
            raise Failed(judging.NONSENSE)
        return parsed


class RemoteEncoder:
    """A remote encoder as one home sees it: bound to one model, whatever is served later."""

    def __init__(self, link: Link, patience: float = QUESTION_S) -> None:
        """`patience` in seconds is the timeout for one text. Raises EncoderAway."""
        self._link = link
        self._patience = patience
        self.id = link.known(patience)
        self.dimensions = link.dimensions
        self._pieces: OrderedDict[str, list[str]] = OrderedDict()

    def encode(self, texts: Sequence[str]) -> Floats:
        """Return one unit row (float32) per text, in order. Raises EncoderAway."""
        rows = np.zeros((len(texts), self.dimensions), np.float32)
        place = 0
        for some in _portions(texts):
            for encoded in self._link.ask(some, self.id, False, self._patience + EACH_MORE_S * (len(some) - 1)):
                rows[place] = _there(encoded)[0]
                place += 1
        return rows

    def encode_tokens(self, text: str) -> tuple[Floats, Floats]:
        """Return a text's unit vector and a unit row per token. Raises EncoderAway."""
        vector, tokens, pieces = _there(self._link.ask([sound(text)], self.id, True, self._patience)[0])
        self._pieces[text] = pieces
        while len(self._pieces) > KEPT_PIECES:
            self._pieces.popitem(last=False)
        return vector, tokens

    def encode_many(self, texts: Sequence[str]) -> Iterator[tuple[Floats, Floats] | None]:
        """Yield `encode_tokens` of many texts, None for an unusable one. Raises EncoderAway."""
        for some in _portions(texts):
            for encoded in self._link.ask(some, self.id, True, BATCH_S):
                yield None if encoded is None else encoded[:2]

    def pieces(self, text: str) -> list[str]:
        """Return the tokens of a text, cached from `encode_tokens`. Raises EncoderAway."""
        cached = self._pieces.get(text)
        return _there(self._link.ask([sound(text)], self.id, True, self._patience)[0])[2] if cached is None else cached


def _there(encoded: T | None) -> T:
    if encoded is None:
        raise ValueError("the encoder cannot take this text")
    return encoded


def _portions(texts: Sequence[str]) -> Iterator[list[str]]:
    """Yield the texts in order, in the largest batches that a request may hold."""
    some: list[str] = []
    chars = 0
    for text in map(sound, texts):
        if some and (len(some) == AT_ONCE or chars + len(text) > CHARS_AT_ONCE):
            yield some
            some, chars = [], 0
        some.append(text)
        chars += len(text)
    if some:
        yield some
