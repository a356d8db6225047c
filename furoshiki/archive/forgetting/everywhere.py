"""Forgetting in every place: what the owner wants gone is looked for in what others said, too.

Words are looked for everywhere. A day or an id without a place's name means the owner's own: somebody else's day is
theirs, and each place counts from 1. "--person PLACE words" looks there alone. A member reaches nothing but their own.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from furoshiki.archive.forgetting import forgetting
from furoshiki.archive.forgetting.forgetting import Forgotten, Preview
from furoshiki.language import redaction
from furoshiki.language.redaction import Phrase
from furoshiki.owner.people.places import People
from furoshiki.world import World

PERSON = "--person"
"""What stands before the name of a place, here as on the command line."""


@dataclass(frozen=True)
class Found:
    """What would go in one place."""

    world: World
    outlook: Preview


@dataclass(frozen=True)
class PreviewEverywhere:
    """What would go. `places` are those that hold something, the own one first; `token` names exactly this."""

    places: tuple[Found, ...]

    @property
    def nothing(self) -> bool:
        """Whether nobody's place holds any of it."""
        return not self.places

    @property
    def everything(self) -> bool:
        """Whether all that was ever said here would go."""
        return any(one.outlook.everything for one in self.places)

    @property
    def token(self) -> str:
        """Return the confirmation token of the one place, or a digest of several places' tokens."""
        tokens = [one.outlook.token for one in self.places]
        return tokens[0] if len(tokens) == 1 else hashlib.sha256("\n".join(tokens).encode()).hexdigest()[:16]


@contextmanager
def looked(world: World, what: str) -> Iterator[PreviewEverywhere]:
    """What would go of the words after /forget, as long as the places are open. Changes nothing.

    Raises NothingAsked, and StorageUnavailable when a place cannot be read: half of it would be no answer.
    """
    people = People()
    try:
        worlds, words = _choose_places(world, what, people)
        # "where I live" means the asker's own facts: what others said is looked through for these very words alone
        found = [
            Found(one, forgetting.look(one, words if one is world else redaction.exactly(words))) for one in worlds
        ]
        yield PreviewEverywhere(tuple(one for one in found if not one.outlook.nothing))
    finally:
        people.close()


def forget(world: World, what: str, token: str) -> Forgotten | None:
    """Remove what was `looked` at; None when it would not be the same any more: look, and ask, again.

    Raises NothingAsked and StorageUnavailable.
    """
    with looked(world, what) as found:
        if found.token != token:
            return None
        done = []
        for one in reversed(found.places):  # the own place last: with it goes the question
            went = forgetting.forget(one.world, one.outlook.asked, one.outlook.token)
            if went is None:
                return None
            done.append(went)
    return forgetting.together(done)


def _choose_places(world: World, what: str, people: People) -> tuple[Sequence[World], str]:
    """The places that are meant, and what to look for there."""
    if world.who.place is not None:
        return [world], what
    first, _, rest = what.strip().partition(" ")
    if first == PERSON:
        place, _, words = rest.strip().partition(" ")
        return [guest for guest in people.everybody(world) if guest.who.place == place], words
    others = people.everybody(world) if isinstance(redaction.parse_request(what, world.now.date()), Phrase) else ()
    return [world, *others], what
