"""How many messages of one home are answered while people in other homes talk."""

from dataclasses import dataclass

AT_ONCE = 10.0
PER_SECOND = 8.0
"""Messages that a home may have answered at once, and in each second after that: more than a person
writes. One costs about 20 ms of a core."""

OTHERS_SECONDS = 10.0
"""How long after its last turn a home counts as talking."""


@dataclass
class MessagePace:
    """What one home may still have answered without a pause. Times are seconds of one clock."""

    at: float
    left: float = AT_ONCE

    def count(self, messages: int, now: float) -> float:
        """Count answered messages, and return for how many seconds the home should pause."""
        self.left = min(AT_ONCE, self.left + max(0.0, now - self.at) * PER_SECOND) - messages
        self.at = now
        return max(0.0, -self.left / PER_SECOND)
