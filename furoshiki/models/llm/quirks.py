"""What each model was found to do without: learned from refusals, kept for a month, then tried again."""

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta

from furoshiki.models.llm.plans import ModelRef
from furoshiki.models.llm.rules.refusals import Quirk

KEPT = timedelta(days=30)
"""After that a server may have learned what it refused."""

Found = dict[str, dict[str, tuple[int, datetime]]]
"""By "provider:model" and the quirk's name: its value, and when it was found."""


class Quirks:
    """The quirks of all models."""

    def __init__(
        self,
        clock: Callable[[], datetime],
        found: Found | None = None,
        keep: Callable[[ModelRef, Quirk], None] = lambda _ref, _quirk: None,
    ) -> None:
        """`found` are those on record; `keep` puts one more there."""
        self._clock = clock
        self._found: Found = {} if found is None else found
        self._keep = keep

    def of(self, ref: ModelRef) -> Mapping[str, int]:
        """What one model does without, by name: what its provider is known to refuse, and what was found."""
        now = self._clock()
        found = {name: value for name, (value, at) in self._found.get(str(ref), {}).items() if now - at < KEPT}
        return {**dict.fromkeys(ref.spec.lacks, 1), **found}

    def learn(self, ref: ModelRef, quirk: Quirk) -> None:
        """Remember it from now on."""
        self._found.setdefault(str(ref), {})[quirk.name] = (quirk.value, self._clock())
        self._keep(ref, quirk)
