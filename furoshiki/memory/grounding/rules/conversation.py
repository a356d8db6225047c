"""A conversation as evidence: from it `Statement`s are made, so that every organ shows the judgement the same."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo
from functools import cached_property

from furoshiki.language import testimony
from furoshiki.language.words import plain_marks
from furoshiki.memory.grounding.rules.statement import Kind, Statement
from furoshiki.messages.values import USER, Turn


def make_record(id_: int, text: str, at: datetime) -> Turn:
    """A line of a record that was not said but written, as evidence for a `Conversation` with its writer."""
    return Turn(id_, "", "record", "", USER, "text", text, at, None, None, None)


@dataclass(frozen=True)
class Conversation:
    """What was said, in order, and what needs no proof: `known` facts, and how the two are called."""

    said: Sequence[Turn]
    zone: tzinfo
    owner: str = ""
    companion: str = ""
    known: Sequence[str] = ()

    def statement(
        self,
        text: str,
        kind: Kind,
        cited: Iterable[int],
        *,
        of_owner: bool = False,
        free: bool = False,
        object_: str = "",
    ) -> Statement:
        """A statement that cites these messages by id; ids that are none of the conversation count for nothing."""
        wanted = set(cited)
        turns = [turn for turn in self.said if turn.id in wanted]
        last = max((turn.at for turn in turns), default=self.said[-1].at)
        return Statement(
            text=plain_marks(text),
            kind=kind,
            cited=[plain_marks(turn.own) for turn in turns if turn.speaker == USER and turn.own],
            cited_whole=[plain_marks(turn.text) for turn in turns],
            own=self.own,
            others=self.others,
            moment=last.astimezone(self.zone),
            passed_on=self.passed_on,
            known=[*self.known, *(name for name in (self.owner, self.companion) if name)],
            of_owner=of_owner,
            free=free,
            object=object_,
        )

    def doubt(self, cited: Iterable[int]) -> str | None:
        """Why what these messages of the owner say may not be so, None where nothing speaks against it."""
        wanted = set(cited)
        return testimony.doubt(one.foreign for one in self.said if one.id in wanted and one.speaker == USER)

    @cached_property
    def own(self) -> list[str]:
        """Everything that the owner said themselves."""
        return [plain_marks(turn.own) for turn in self.said if turn.speaker == USER and turn.own]

    @cached_property
    def passed_on(self) -> list[str]:
        """What they forwarded, pasted or quoted, and how that is called."""
        own = [turn for turn in self.said if turn.speaker == USER]
        found = [testimony.others(turn.text, turn.foreign) for turn in own]
        words = (*found, *(one.name for turn in own for one in turn.foreign))
        return [plain_marks(one) for one in words if one]

    @cached_property
    def others(self) -> list[str]:
        """What anybody else said, and what was passed on."""
        return [*(plain_marks(turn.text) for turn in self.said if turn.speaker != USER), *self.passed_on]
