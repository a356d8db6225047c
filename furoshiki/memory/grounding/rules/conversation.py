"""A conversation as evidence: builds `Statement`s in the same way for all callers."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo
from functools import cached_property

from furoshiki.language import testimony
from furoshiki.language.words import plain_marks
from furoshiki.memory.grounding.rules.statement import Kind, Statement
from furoshiki.messages.values import USER, Turn

# the kinds of a turn that is no message but a line of a record, without or with its own day
RECORD, DATED = "record", "dated record"


def make_record(id_: int, text: str, at: datetime, kind: str = RECORD) -> Turn:
    """Return a written record's line as a turn of its writer, as evidence for a `Conversation`."""
    return Turn(
        USER,
        text,
        at,
        id_,
        session_id="",
        channel="",
        chat_id="",
        kind=kind,
        reply_to=None,
        external_id=None,
        turn_key=None,
    )


@dataclass(frozen=True)
class Conversation:
    """The turns in order, facts that need no proof (`known`), both speakers' names, and the owner's
    language as two letters ("": to be detected)."""

    said: Sequence[Turn]
    zone: tzinfo
    owner: str = ""
    companion: str = ""
    known: Sequence[str] = ()
    tongue: str = ""

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
        """Return a statement that cites these message ids; unknown ids are ignored."""
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
            languages=("", self.tongue),
            of_owner=of_owner,
            free=free,
            object=object_,
        )

    def doubt(self, cited: Iterable[int]) -> str | None:
        """Return why these messages of the owner may not be their own word, or None."""
        wanted = set(cited)
        return testimony.doubt(turn.foreign for turn in self.said if turn.id in wanted and turn.speaker == USER)

    @cached_property
    def own(self) -> list[str]:
        """The owner's own words in all messages."""
        return [plain_marks(turn.own) for turn in self.said if turn.speaker == USER and turn.own]

    @cached_property
    def passed_on(self) -> list[str]:
        """The text that the owner forwarded, pasted or quoted, and the names of its sources."""
        own = [turn for turn in self.said if turn.speaker == USER]
        parts = [testimony.others(turn.text, turn.foreign) for turn in own]
        words = (*parts, *(passage.name for turn in own for passage in turn.foreign))
        return [plain_marks(one) for one in words if one]

    @cached_property
    def others(self) -> list[str]:
        """The words of all other speakers, and `passed_on`."""
        return [*(plain_marks(turn.text) for turn in self.said if turn.speaker != USER), *self.passed_on]
