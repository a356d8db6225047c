"""Words of one language for distress: how to recognize it, and the answers.

The words are `config/care/<language>.toml`: a new language needs no code.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

from furoshiki.core.config_table import ConfigTable
from furoshiki.language.phrases import Grammar, Phrases

# kinds of distress, gravest first: an acute emergency, the speaker's life (`self`), an
# acquaintance's (`friend`), violence, threats to others (`harm`), and distress without danger
Kind = Literal[
    "emergency",
    "self",
    "friend",
    "violence",
    "harm",
    "panic",
    "death",
    "illness",
    "relapse",
    "parted",
    "guilt",
    "quarrel",
    "lonely",
    "apology",
]

KINDS: tuple[Kind, ...] = get_args(Kind)
# kinds in which somebody may be in danger
GRAVE: frozenset[str] = frozenset({"emergency", "self", "friend", "violence", "harm"})

# kinds that are never quoted to answer something else
UNQUOTED = GRAVE | {"relapse", "guilt", "lonely"}

Meaning = Kind | Literal[""]
INNOCENT: Literal[""] = ""  # the meaning of phrases that only sound like distress

# reactions in the message after distress
Follow = Literal["thanks", "ok", "unsure", "hopeless", "again", "safe", "alone", "unwilling", "leave", "bye"]

FOLLOWS: tuple[Follow, ...] = get_args(Follow)
_FILE = ("language", "skipped", "fillers", "kinds", "negators", "heavy", "innocent", "frames", "follow", "said")


@dataclass(frozen=True, eq=False)
class CareWords:
    """One language's words, ready to use; equal only to itself.

    `said` are the answers by name, several for each. `frames` mark fiction ("frame") or the distant
    past ("bygone"); `negators` before a phrase negate it, `fillers` after an answer add nothing.
    """

    language: str
    heavy: Phrases[Meaning]
    frames: Phrases[str]
    follow: Phrases[str]
    negators: frozenset[str]
    fillers: frozenset[str]
    said: Mapping[str, tuple[str, ...]]

    @classmethod
    def from_mapping(cls, parsed: Mapping[str, Any]) -> "CareWords":
        """Compile a parsed file. Raises ValueError naming the wrong key."""
        file = ConfigTable(parsed)
        file.only(_FILE)
        kinds, heavy = file.table_or_empty("kinds"), file.table("heavy")
        heavy.only(KINDS)
        innocent, frames = file.table_or_empty("innocent"), file.table_or_empty("frames")
        innocent.only(("phrases",))
        frames.only(("phrases", "bygone"))
        follow, answers = file.table_or_empty("follow"), file.table("said")
        follow.only(FOLLOWS)
        grammar = Grammar.of(file.texts("skipped"), {k: kinds.phrases(k) for k in kinds})
        found: list[tuple[str, Meaning]] = [(p, kind) for kind in KINDS if kind in heavy for p in heavy.phrases(kind)]
        found += [(p, INNOCENT) for p in innocent.phrases("phrases")]
        return cls(
            language=file.text("language"),
            heavy=Phrases(found, grammar),
            frames=Phrases(
                (
                    (p, name)
                    for key, name in (("phrases", "frame"), ("bygone", "bygone"))
                    if key in frames
                    for p in frames.phrases(key)
                ),
                grammar,
            ),
            follow=Phrases(
                ((p, str(name)) for name in FOLLOWS if name in follow for p in follow.phrases(name)), grammar
            ),
            negators=frozenset(file.texts("negators")),
            fillers=frozenset(file.texts("fillers")),
            said={
                name: answers.texts(name) if not isinstance(parsed["said"][name], str) else (answers.text(name),)
                for name in answers
            },
        )
