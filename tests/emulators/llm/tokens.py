"""A fixed, simple count of tokens, and what the providers' prompt caches would have kept.

Anthropic caches prefixes that end at a cache_control mark, looked up from each mark backwards over at most twenty
blocks; OpenAI caches the longest prefix it has seen, in steps of 128 tokens. Both from 1,024 tokens on. A cached
prefix lives for its time to live and is renewed by use.
"""

from __future__ import annotations

import hashlib
import os.path
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass

BYTES_PER_TOKEN = 4
MINIMUM = 1024
STEP = 128
LOOK_BACK = 20
SECONDS = {"5m": 300.0, "1h": 3600.0}
OPENAI_SECONDS = 1800.0
_REMEMBERED = 256


def count(text: str) -> int:
    """Tokens of a text: its UTF-8 bytes divided by four, rounded up."""
    return -(-len(text.encode("utf-8", "replace")) // BYTES_PER_TOKEN)


def picture(data: str) -> str:
    """What stands for a picture in a prompt: a thousand tokens, the same for the same data."""
    return f"[picture {hashlib.sha256(data.encode()).hexdigest()}]".ljust(1000 * BYTES_PER_TOKEN)


@dataclass(frozen=True)
class Block:
    """One block of a prompt, in the order in which it counts for caching; `ttl` when it carries a mark."""

    text: str
    ttl: str | None = None


@dataclass(frozen=True)
class Spent:
    """Where the tokens of a prompt came from; `written` by time to live."""

    fresh: int
    cached: int
    written: dict[str, int]

    @property
    def total(self) -> int:
        return self.fresh + self.cached + sum(self.written.values())


class MarkedCache:
    """Anthropic's cache. `minimum` is the shortest prefix, in tokens, that is kept."""

    def __init__(self, minimum: int = MINIMUM) -> None:
        self.minimum = minimum
        self._until: dict[str, float] = {}

    def spend(self, model: str, blocks: Sequence[Block], now: float) -> Spent:
        """What a request of these blocks costs at `now` (seconds), and keeps its marked prefixes."""
        digests, ends = _prefixes(model, blocks)
        marks = [i for i, block in enumerate(blocks) if block.ttl and ends[i] >= self.minimum]
        hit = max((self._hit(digests, mark, now) for mark in marks), default=-1)
        cached = ends[hit] if hit >= 0 else 0
        written: dict[str, int] = {}
        behind = cached
        for mark in marks:
            ttl = blocks[mark].ttl or "5m"
            self._until[digests[mark]] = max(now + SECONDS[ttl], self._until.get(digests[mark], 0))
            if ends[mark] > behind:
                written[ttl] = written.get(ttl, 0) + ends[mark] - behind
                behind = ends[mark]
        return Spent((ends[-1] if ends else 0) - behind, cached, written)

    def _hit(self, digests: Sequence[str], mark: int, now: float) -> int:
        for i in range(mark, max(-1, mark - LOOK_BACK), -1):
            if self._until.get(digests[i], 0) > now:
                return i
        return -1


class PrefixCache:
    """OpenAI's cache, which needs no marks."""

    def __init__(self, minimum: int = MINIMUM) -> None:
        self.minimum = minimum
        self._seen: OrderedDict[tuple[str, str], float] = OrderedDict()

    def spend(self, model: str, prompt: str, now: float) -> Spent:
        """What this prompt costs at `now` (seconds), and keeps it."""
        total = count(prompt)
        common = 0
        for (other, text), until in self._seen.items():
            if other == model and until > now:
                common = max(common, count(os.path.commonprefix([text, prompt])))
        common = min(common, total) // STEP * STEP
        cached = common if common >= self.minimum else 0
        kept = total // STEP * STEP if total >= self.minimum else 0
        self._seen[model, prompt] = now + OPENAI_SECONDS
        self._seen.move_to_end((model, prompt))
        while len(self._seen) > _REMEMBERED:
            self._seen.popitem(last=False)
        written = max(0, kept - cached)
        return Spent(total - cached - written, cached, {"30m": written} if written else {})


def _prefixes(model: str, blocks: Sequence[Block]) -> tuple[list[str], list[int]]:
    digest, digests, ends, total = hashlib.sha256(model.encode()), [], [], 0
    for block in blocks:
        digest.update(block.text.encode("utf-8", "replace") + b"\x00")
        digests.append(digest.hexdigest())
        total += count(block.text)
        ends.append(total)
    return digests, ends
