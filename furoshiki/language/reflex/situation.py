"""What the built-in mind answers one message from: a value, which the turn fills in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property

from furoshiki.language.dates.habits import Habits
from furoshiki.language.detection import Language
from furoshiki.language.nlp import Nlp
from furoshiki.language.reflex.care.helplines import Help
from furoshiki.language.reflex.care.noticing import Notice, notice
from furoshiki.language.reflex.care.weighing import Weight, weighs
from furoshiki.language.reflex.care.words import CareWords
from furoshiki.language.reflex.values import KnownFact, Memory, OpenItem, PutRight, ToolResult, Utterance, Why
from furoshiki.language.signals import Signals


@dataclass(frozen=True)
class Situation:
    """Everything the mind may know when it answers one message.

    `now` is aware and in the user's own time zone. `recent` is the conversation so far without the message being
    answered. `over` are facts that were true once. `last_seen` is when the user last wrote before this message.
    `tool_results` are those of this turn, in order. `attachments` describe in words what came with the message ("a
    photo", "a voice note I could not hear"). `wished` is what this message asks for in how to be spoken to (names of
    `wish_names`), `wishes` what of it holds, `concise` whether they like it short, `habits` how
    they write dates, `language` what the message is in where that is not English, `told_language` whether they were
    told in this conversation what can be done for them in it. `meant` is how likely the message means each of
    `language.meant.KINDS`, `felt` how strongly each feeling is in it, both in [0, 1]. `reminders` wait
    to be said, soonest first; `rung` were said in the last day, newest first; `listed` stands on their lists.
    `care` are the words by which what is heavy is noticed and answered, by language, and `help` the numbers of where
    they are. `denied` was taken back in the message before, and nobody has said what is right; `righted` are the
    messages at hand ("turn:12") that were put right since. `outside` are tools of plugins and servers: what each is
    called, and whose it is. `quiet` says what holds since they asked for quiet in this message. With `danger_read` it
    was judged before whether anybody is in danger: by the message (`danger`), and by what was said hours ago
    (`standing`; `eased` where this message is good news). `sources` is what the companion's last
    words rest on, None where that is not asked. `paints` says that
    pictures can be painted, `pasted` is what of the message itself is somebody else's.
    """

    text: str
    now: datetime
    companion: str = "Furoshiki"
    user_name: str | None = None
    mood: str = "content"
    emotions: Mapping[str, float] = field(default_factory=dict)
    signals: Signals = field(default_factory=Signals)
    nlp: Nlp = field(default_factory=Nlp)
    facts: tuple[KnownFact, ...] = ()
    over: tuple[KnownFact, ...] = ()
    recalled: tuple[Memory, ...] = ()
    recent: tuple[Utterance, ...] = ()
    last_seen: datetime | None = None
    tool_results: tuple[ToolResult, ...] = ()
    why: Why = "no-model"
    attachments: tuple[str, ...] = ()
    wished: tuple[str, ...] = ()
    wishes: tuple[str, ...] = ()
    concise: bool = False
    habits: Habits = Habits()
    language: Language | None = None
    told_language: bool = False
    meant: Mapping[str, float] = field(default_factory=dict)
    felt: Mapping[str, float] = field(default_factory=dict)
    reminders: tuple[OpenItem, ...] = ()
    rung: tuple[OpenItem, ...] = ()
    listed: tuple[OpenItem, ...] = ()
    care: tuple[CareWords, ...] = ()
    help: Help = Help()
    denied: KnownFact | None = None
    righted: Mapping[str, PutRight] = field(default_factory=dict)
    outside: tuple[tuple[str, str], ...] = ()
    quiet: str = ""
    danger: Notice | None = None
    danger_read: bool = False
    standing: Weight | None = None
    eased: Weight | None = None
    sources: tuple[Memory, ...] | None = None
    paints: bool = False
    pasted: str = ""

    @cached_property
    def heavy(self) -> Notice | None:
        """What is heavy in the message itself."""
        found = notice(self.text, self.care, self.now.year)
        if self.danger is not None:
            return self.danger
        return None if self.danger_read and found is not None and found.grave else found

    @cached_property
    def weighs(self) -> Weight | None:
        """The gravest thing said lately that still weighs on what is said next."""
        found = self.standing or weighs(self.recent, self.care, self.now)
        graver = found is not None and found is not self.standing and found.notice.grave
        return None if self.danger_read and graver else found
