"""`/mood`: how the companion feels, in words; `/mood numbers` for those who want to see the dials."""

from __future__ import annotations

from datetime import datetime

from furoshiki.domain.conversation import Envelope, Words
from furoshiki.domain.needs import NEEDS
from furoshiki.mind.commands.words import ago
from furoshiki.mind.feel import heartbeat
from furoshiki.state import Heartbeat
from furoshiki.world import World

NOTABLE = 0.15
"""An emotion this far from where it rests is worth a word."""

_ABOVE = {
    "loneliness": "I have missed talking",
    "joy": "there is real joy in me",
    "curiosity": "I am itching to find things out",
    "contentment": "I am at ease",
    "excitement": "I am all stirred up",
    "affection": "I feel close to you",
    "worry": "something worries me",
    "pride": "I am a little proud",
    "anger": "something still rankles",
}
_BELOW = {
    "joy": "joy is thin today",
    "curiosity": "little draws me just now",
    "contentment": "I am not quite at ease",
    "excitement": "I am quiet inside",
    "affection": "I feel a bit distant",
}
_WANTS = {
    "communication": "I would like to talk",
    "connection": "I would like to feel closer",
    "curiosity_need": "I would like to learn something",
    "helpfulness": "I would like to be of use",
    "self_knowledge": "I would like to understand myself better",
}


async def run(world: World, args: str, _envelope: Envelope) -> Words:
    """The mood of this moment."""
    now = world.now
    beat = heartbeat.drifted(world.laws, now)(world.state.heartbeat())
    if args.lower().startswith("num"):
        return Words(_numbers(beat))
    return Words(_told(beat, world, now))


def _told(beat: Heartbeat, world: World, now: datetime) -> str:
    natural = world.laws.emotions.natural
    apart = {name: value - natural[name] for name, value in beat.emotions.as_mapping().items()}
    notable = sorted((name for name in apart if abs(apart[name]) >= NOTABLE), key=lambda name: -abs(apart[name]))
    phrases = [(_ABOVE if apart[name] > 0 else _BELOW).get(name) for name in notable]
    said = [phrase for phrase in phrases if phrase][:2]
    since = ago(beat.mood.since, now)
    first = f"I feel {beat.mood.word}" + ("" if since == "just now" else f", since {since}") + "."
    lines = [first]
    if said:
        text = " and ".join(said)
        lines.append(text[0].upper() + text[1:] + ".")
    wants = [_WANTS[name] for name in NEEDS if beat.need_marks.get(name) in ("amber", "rose")]
    if wants:
        lines.append(wants[0] + ".")
    return " ".join(lines)


def _numbers(beat: Heartbeat) -> str:
    felt = [f"{name} {value:.2f}" for name, value in beat.emotions.as_mapping().items()]
    wanted = [f"{name.removesuffix('_need')} {value:.2f}" for name, value in beat.needs.items()]
    return "\n".join([f"**{beat.mood.word}**", "Emotions: " + ", ".join(felt), "Needs: " + ", ".join(wanted)])
