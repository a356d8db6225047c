"""The way to an encoder on another machine: one connection that stays, short deadlines, and a rest when it is away.

A question waits for at most QUESTION_S. A caller that meets a failure (no connection, no answer in time, nonsense)
leaves the encoder alone: from then on everybody is told at once that it is away, until a try in the background has an
answer. So a turn pays for a hanging encoder once, and rows without vectors are made up for as soon as it is back.

All of it happens in an event loop in a thread of its own, where a deadline is one for the whole of an exchange. What is
said about the way is said without the token and without a word of any text.
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

from furoshiki.core.errors import BadSetting
from furoshiki.core.network import outbound
from furoshiki.core.network.proxies import NoRoad
from furoshiki.recall.embeddings.encoder import EncoderAway, Floats, sound
from furoshiki.recall.embeddings.remote import judging, wire
from furoshiki.recall.embeddings.remote.judging import Failed

QUESTION_S = 0.25
"""For a text that somebody waits for; memoryd's own answer may take 0.3."""

EACH_MORE_S = 0.05
"""For each further text of the same request."""

BATCH_S = 20.0
"""For texts that nobody waits for."""

TRY_S = 5.0
"""For a try in the background, with a new connection."""

REST_S = 1.0
LONGEST_REST_S = 15.0
"""Between tries; doubled until somebody has had an answer."""

LASTING_S = 300.0
"""Away for so long it is worth telling the owner."""

AT_ONCE = 32
CHARS_AT_ONCE = 64_000
"""Texts and characters of one request."""

KEPT_PIECES = 4

Told = Callable[[str | None, bool], None]
"""Is told why it is away (None: it is there), and whether that is worth a word to the owner."""

T = TypeVar("T")

log = logging.getLogger("memoryd")


class Link:
    """The encoder at an address. Made once a process; its encoders are for one home each."""

    def __init__(self, address: str, token: str | None, authority: Path | None) -> None:
        """Raises NotConfigured or BadSetting. It is tried in the background from now on."""
        verify = judging.check(address, token, authority)
        self._at = address.rstrip("/")
        try:
            road = outbound.client_options(self._at)
        except NoRoad as error:
            raise BadSetting(str(error)) from None
        self._web = httpx2.AsyncClient(
            headers={"authorization": f"Bearer {token}", wire.VERSION: wire.PROTOCOL, "user-agent": "furoshiki"}
            | {"accept-encoding": "identity"},
            timeout=None,  # each exchange has a deadline as a whole
            **{**road, "verify": verify},
            follow_redirects=False,
            limits=httpx2.Limits(max_connections=8, max_keepalive_connections=4, keepalive_expiry=240.0),
        )
        self.model: str | None = None
        self.dimensions = 0
        self.on_other: Callable[[], object] = lambda: None
        """Called when it has become another encoder, or settings have changed while it is away: this process ends then,
        and the next one begins with that."""
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
        """Have somebody told from now on, and at once when it is away; returns what ends that."""
        self._told.append(told)
        if self._said[0] is not None:
            self._telling.submit(told, *self._said)
        return lambda: self._told.remove(told)

    def known(self, seconds: float) -> str:
        """The id of its model, from the first answer on. Raises EncoderAway."""
        self._tried.wait(seconds)
        if self.model is None or not self._up:
            raise EncoderAway(self._why)
        return self.model

    def ask(
        self, texts: Sequence[str], model: str, tokens: bool, seconds: float
    ) -> list[tuple[Floats, Floats, list[str]] | None]:
        """What it makes of texts: None where it could not. Raises EncoderAway, after so many seconds at most."""
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
        """Try until there is an answer, then wait until it falls, for ever."""
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
        """Leave it alone for a while."""
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
        if words is None or self._said != (words, lasting):  # of every return: rows may wait since a moment ago
            self._said = words, lasting
            for told in list(self._told):
                self._telling.submit(told, words, lasting)

    async def _ask(self, texts: Sequence[str], model: str, tokens: bool, seconds: float) -> list[Any]:
        try:
            answer = await self._exchange(texts, model, tokens, seconds)
            made = answer["made"]
            if answer["model"] != model or not isinstance(made, list) or len(made) != len(texts):
                raise Failed(judging.NONSENSE)
            self._rest = REST_S
            return made
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
        """One request and its answer. Raises Failed."""
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
            found = await asyncio.to_thread(json.loads, read) if len(read) > 1 << 20 else json.loads(read)
        except (ValueError, RecursionError):
            raise Failed(judging.NONSENSE) from None
        if not isinstance(found, dict):
            raise Failed(judging.NONSENSE)
        return found


class RemoteEncoder:
    """An encoder elsewhere, as one home sees it: always the same one, whatever is served there later."""

    def __init__(self, link: Link, patience: float = QUESTION_S) -> None:
        """`patience` in seconds is for one text that somebody waits for. Raises EncoderAway."""
        self._link = link
        self._patience = patience
        self.id = link.known(patience)
        self.dimensions = link.dimensions
        self._pieces: OrderedDict[str, list[str]] = OrderedDict()

    def encode(self, texts: Sequence[str]) -> Floats:
        """One unit row (float32) a text, in order. Raises EncoderAway."""
        rows = np.zeros((len(texts), self.dimensions), np.float32)
        place = 0
        for some in _portions(texts):
            for made in self._link.ask(some, self.id, False, self._patience + EACH_MORE_S * (len(some) - 1)):
                rows[place] = _there(made)[0]
                place += 1
        return rows

    def encode_tokens(self, text: str) -> tuple[Floats, Floats]:
        """A text's unit vector and a unit row for each of its tokens. Raises EncoderAway."""
        vector, tokens, pieces = _there(self._link.ask([sound(text)], self.id, True, self._patience)[0])
        self._pieces[text] = pieces
        while len(self._pieces) > KEPT_PIECES:
            self._pieces.popitem(last=False)
        return vector, tokens

    def encode_many(self, texts: Sequence[str]) -> Iterator[tuple[Floats, Floats] | None]:
        """`encode_tokens` of many texts that nobody waits for, None where it cannot. Raises EncoderAway."""
        for some in _portions(texts):
            for made in self._link.ask(some, self.id, True, BATCH_S):
                yield None if made is None else made[:2]

    def pieces(self, text: str) -> list[str]:
        """The tokens of a text, which came along with their vectors. Raises EncoderAway."""
        found = self._pieces.get(text)
        return _there(self._link.ask([sound(text)], self.id, True, self._patience)[0])[2] if found is None else found


def _there(made: T | None) -> T:
    if made is None:
        raise ValueError("the encoder cannot take this text")
    return made


def _portions(texts: Sequence[str]) -> Iterator[list[str]]:
    """The texts in their order, as many together as one request takes."""
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
