"""The timings of Telegram's parts, in seconds, in one place, so that tests can shorten them."""

import random
from dataclasses import dataclass


@dataclass(frozen=True)
class Pace:
    """The waits of the poll loop and the sender."""

    poll: int = 30  # how long Telegram may hold an empty getUpdates
    poll_grace: float = 15.0  # how much longer we wait for its answer
    retry_first: float = 1.0  # the first wait after a failure; later ones double
    retry_most: float = 30.0  # the longest wait between polls while Telegram is unavailable
    refused_most: float = 600.0  # the longest wait between polls while the token is refused
    send_most: float = 300.0  # the longest wait between attempts to send one message
    conflict: float = 30.0  # between polls while another process polls
    settle: float = 3.0  # before probing an interrupted send: it may still be on its way
    settle_start: float = 1.0  # the same for sends left by an earlier process
    look: float = 2.0  # how often the sender checks for words from other processes in the outbox
    farewell: float = 3.0  # how long a running call may take at a stop

    def backoff(self, failures: int, most: float, rng: random.Random) -> float:
        """Return the wait after consecutive failures (from 1): doubling up to `most`, ±25 %."""
        return float(min(most, self.retry_first * 2 ** min(failures - 1, 20))) * rng.uniform(0.75, 1.25)
