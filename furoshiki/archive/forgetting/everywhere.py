"""Forgetting in all places: the owner's request also covers other people's messages.

Words are searched everywhere. A day or an id means the owner's own unless a place is named, as each
place counts from 1. "--person PLACE words" searches that place only. A member can only forget in
their own place.
"""

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

PERSON = "--person"  # the option before the name of a place, here as on the command line


@dataclass(frozen=True)
class Found:
    """What would be deleted in one place."""

    world: World
    outlook: Preview


@dataclass(frozen=True)
class PreviewEverywhere:
    """What would be deleted: `places` with matches, the own one first; `token` identifies exactly
    this."""

    places: tuple[Found, ...]

    @property
    def nothing(self) -> bool:
        """Whether no place has a match."""
        return not self.places

    @property
    def everything(self) -> bool:
        """Whether all conversations of a place would be deleted."""
        return any(result.outlook.everything for result in self.places)

    @property
    def token(self) -> str:
        """Return the token of the one place, or a digest of several places' tokens."""
        tokens = [result.outlook.token for result in self.places]
        return tokens[0] if len(tokens) == 1 else hashlib.sha256("\n".join(tokens).encode()).hexdigest()[:16]


@contextmanager
def looked(world: World, what: str) -> Iterator[PreviewEverywhere]:
    """Yield what the words after /forget would delete, while the places are open. Changes nothing.
    Raises NothingAsked, and StorageUnavailable if any place is unreadable: a part would mislead."""
    people = People()
    try:
        worlds, words = _choose_places(world, what, people)
        # "where I live" means the asker's own facts; other people's messages must have exactly
        # these words
        results = [
            Found(one, forgetting.look(one, words if one is world else redaction.exactly(words))) for one in worlds
        ]
        yield PreviewEverywhere(tuple(result for result in results if not result.outlook.nothing))
    finally:
        people.close()


def forget(world: World, what: str, token: str) -> Forgotten | None:
    """Delete what `looked` showed; None when that has changed: look and ask again.
    Raises NothingAsked and StorageUnavailable."""
    with looked(world, what) as found:
        if found.token != token:
            return None
        done = []
        for result in reversed(found.places):  # the own place last, as the question is deleted with it
            went = forgetting.forget(result.world, result.outlook.asked, result.outlook.token)
            if went is None:
                return None
            done.append(went)
    return forgetting.together(done)


def _choose_places(world: World, what: str, people: People) -> tuple[Sequence[World], str]:
    """Return the places meant, and the words to search there."""
    if world.who.place is not None:
        return [world], what
    first, _, rest = what.strip().partition(" ")
    if first == PERSON:
        place, _, words = rest.strip().partition(" ")
        return [guest for guest in people.everybody(world) if guest.who.place == place], words
    others = people.everybody(world) if isinstance(redaction.parse_request(what, world.now.date()), Phrase) else ()
    return [world, *others], what
