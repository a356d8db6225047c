"""How long Telegram's parts wait, in seconds: in one place, so that a test can live an hour in a moment."""

from __future__ import annotations

import random
from dataclasses import dataclass


@dataclass(frozen=True)
class Pace:
    """The waits of the poll loop and of the sender."""

    poll: int = 30
    """How long Telegram may hold an empty getUpdates."""
    poll_grace: float = 15.0
    """How much longer than that we wait for its answer."""
    retry_first: float = 1.0
    """The first wait after a failure; it doubles from there."""
    retry_most: float = 30.0
    """The longest wait between two polls of a Telegram that is away."""
    refused_most: float = 600.0
    """The longest wait between two polls while Telegram refuses the token."""
    send_most: float = 300.0
    """The longest wait between two attempts to send one message."""
    conflict: float = 30.0
    """Between two polls while another process takes our updates."""
    settle: float = 3.0
    """Before asking what became of a send that was cut: it may still be on its way."""
    settle_start: float = 1.0
    """The same for sends a former process left behind."""
    look: float = 2.0
    """How often the sender looks for words that other processes put into the outbox."""
    farewell: float = 3.0
    """How long a call under way may take when we are asked to stop."""

    def backoff(self, failures: int, most: float, rng: random.Random) -> float:
        """The wait after so many failures in a row (from 1): doubling up to `most`, give or take a quarter."""
        return float(min(most, self.retry_first * 2 ** min(failures - 1, 20))) * rng.uniform(0.75, 1.25)
