"""The input of the built-in mind for one message: a value that the turn fills in."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property

from furoshiki.language.dates.habits import Habits
from furoshiki.language.detection import Language
from furoshiki.language.nlp import Nlp
from furoshiki.language.reflex.care.noticing import Notice, notice
from furoshiki.language.reflex.care.weighing import Weight, weighs
from furoshiki.language.reflex.values import KnownFact, OpenItem, PutRight, ToolResult, Why
from furoshiki.language.requests.helplines import Help
from furoshiki.language.tables.care_words import CareWords
from furoshiki.language.testimony import Utterance


@dataclass(frozen=True)
class Situation:
    """Everything the mind may know when it answers one message.

    `now` is aware, in the user's zone. `recent` is the conversation without the current message,
    `told` are the user's own messages, further back.
    `over` are facts no longer true. `last_seen` is the time of the user's previous message.
    `tool_results` are this turn's, in order. `attachments` describe what came with the message ("a
    photo", "a voice note I could not hear"). `wished` are this message's wishes about style (names
    of `wish_names`), `wishes` those in force, `concise` a preference for short replies, `habits`
    how the user writes dates, `language` the message's if not English, `told_language` whether its
    explanation was given in this conversation. `meant` is the probability of each of
    `language.intents.KINDS`, `felt` the strength of each feeling, in [0, 1]. `reminders` are pending,
    soonest first; `rung` rang in the last day, newest first; `listed` is on lists. `care` are the
    words for distress by language, `help` the local helplines. `denied` was retracted in the
    previous message without a correction; `righted` are corrections of messages at hand
    ("turn:12"). `outside` are tools of plugins and servers, with their owners. `quiet` confirms
    quiet requested in this message; `needs_quiet`: it only says that the user needs some;
    `lacks_hours`: it asks for it at times that no clock tells. With
    `danger_read`, danger was judged before: in the message
    (`danger`), and from hours ago (`standing`; `eased` if this message is good news). `sources`
    support the companion's last words, None if not asked. `paints`: pictures can be painted; `pasted`
    are others' words in the message, `foreign`: there are no others; `said_then` answers what was said on a past day;
    `renamed` is the name that its owner offers the companion.
    """

    text: str
    now: datetime
    companion: str = "Furoshiki"
    user_name: str | None = None
    mood: str = "content"
    emotions: Mapping[str, float] = field(default_factory=dict)
    nlp: Nlp = field(default_factory=Nlp)
    facts: tuple[KnownFact, ...] = ()
    over: tuple[KnownFact, ...] = ()
    recalled: tuple[Utterance, ...] = ()
    recent: tuple[Utterance, ...] = ()
    told: tuple[Utterance, ...] = ()
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
    needs_quiet: bool = False
    lacks_hours: bool = False
    danger: Notice | None = None
    danger_read: bool = False
    standing: Weight | None = None
    eased: Weight | None = None
    sources: tuple[Utterance, ...] | None = None
    paints: bool = False
    pasted: str = ""
    foreign: bool = False
    said_then: str = ""
    renamed: str | None = None

    @property
    def strongest_feeling(self) -> str | None:
        """The strongest feeling in the message, None without any."""
        return max(self.felt, key=self.felt.__getitem__, default=None)

    @cached_property
    def heavy(self) -> Notice | None:
        """The distress in the message itself."""
        found = notice(self.text, self.care, self.now.year)
        if self.danger is not None:
            return self.danger
        return None if self.danger_read and found is not None and found.grave else found

    @cached_property
    def weighs(self) -> Weight | None:
        """The gravest recent distress that still affects the replies."""
        found = self.standing or weighs(self.recent, self.care, self.now)
        graver = found is not None and found is not self.standing and found.notice.grave
        return None if self.danger_read and graver else found

    @property
    def in_danger(self) -> bool:
        """Whether the user may still be in danger."""
        return self.weighs is not None and self.weighs.notice.grave
