"""The words of one language for what is heavy: by what it is recognised, and what is said to it.

The words themselves are `config/care/<language>.toml`, parsed at the edge: a new language needs no code.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

from furoshiki.core.config_table import ConfigTable
from furoshiki.language.phrases import Grammar, Phrases

Kind = Literal[
    "emergency",
    "self",
    "friend",
    "violence",
    "harm",
    "death",
    "illness",
    "relapse",
    "parted",
    "guilt",
    "quarrel",
    "lonely",
    "apology",
]
"""What can be heavy, gravest first: somebody's life now, the speaker's own (`self`), that of somebody they know
(`friend`), violence done to somebody, what they may do to another (`harm`), and what weighs without danger."""

KINDS: tuple[Kind, ...] = get_args(Kind)
GRAVE: frozenset[str] = frozenset({"emergency", "self", "friend", "violence", "harm"})
"""Kinds in which somebody may be in danger."""

UNQUOTED = GRAVE | {"relapse", "guilt", "lonely"}
"""What is never brought up again as the answer to something else."""

Meaning = Kind | Literal[""]
INNOCENT: Literal[""] = ""
"""The meaning of words that only sound heavy."""

Follow = Literal["thanks", "ok", "unsure", "hopeless", "again", "safe", "alone", "unwilling", "leave", "bye"]
"""What is said next, after something heavy."""

FOLLOWS: tuple[Follow, ...] = get_args(Follow)
_FILE = ("language", "skipped", "fillers", "kinds", "negators", "heavy", "innocent", "frames", "follow", "said")


@dataclass(frozen=True, eq=False)
class CareWords:
    """One language, ready to use; equal to itself alone. `said` are the answers by name, each in several ways.

    `frames` tell of a film or a game ("frame") or of long ago ("bygone"); `negators` before a phrase deny it, `fillers`
    after an answer add nothing to it.
    """

    language: str
    heavy: Phrases[Meaning]
    frames: Phrases[str]
    follow: Phrases[str]
    negators: frozenset[str]
    fillers: frozenset[str]
    said: Mapping[str, tuple[str, ...]]

    @classmethod
    def from_mapping(cls, parsed: Mapping[str, Any]) -> CareWords:
        """Compile a parsed file. ValueError names the key that is wrong."""
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
