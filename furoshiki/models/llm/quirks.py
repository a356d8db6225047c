"""Learned restrictions ("quirks") of models, kept for 30 days and then tried again."""

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta

from furoshiki.models.llm.plans import ModelRef
from furoshiki.models.llm.rules.refusals import Quirk

KEPT = timedelta(days=30)  # how long a quirk is kept: afterwards the server may have been updated

# by "provider:model" and quirk: its value, and when it was found
Found = dict[str, dict[str, tuple[int, datetime]]]


class Quirks:
    """The quirks of all models."""

    def __init__(
        self,
        clock: Callable[[], datetime],
        found: Found | None = None,
        keep: Callable[[ModelRef, Quirk], None] = lambda _ref, _quirk: None,
    ) -> None:
        """`found` are the stored quirks; `keep` stores another."""
        self._clock = clock
        self._found: Found = {} if found is None else found
        self._keep = keep

    def of(self, ref: ModelRef) -> Mapping[str, int]:
        """Return a model's restrictions by name: the provider's known ones, and learned ones."""
        now = self._clock()
        found = {name: value for name, (value, at) in self._found.get(str(ref), {}).items() if now - at < KEPT}
        return {**dict.fromkeys(ref.spec.lacks, 1), **found}

    def learn(self, ref: ModelRef, quirk: Quirk) -> None:
        """Record a quirk and store it."""
        self._found.setdefault(str(ref), {})[quirk.name] = (quirk.value, self._clock())
        self._keep(ref, quirk)
