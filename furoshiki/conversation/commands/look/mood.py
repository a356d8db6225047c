"""`/mood`: how the companion feels and why, in words; `/mood numbers` for those who want to see the dials."""

from __future__ import annotations

from furoshiki.feelings import heartbeat
from furoshiki.feelings.state_files import Heartbeat
from furoshiki.inner_life import inner_state
from furoshiki.language.humanize import ago
from furoshiki.messages.values import Envelope, Words
from furoshiki.world import World


async def run(world: World, args: str, envelope: Envelope) -> Words:
    """The mood of this moment. Where others read along it says nothing about the user."""
    if args.lower().startswith("num"):
        return Words(_numbers(heartbeat.drifted(world.laws, world.now)(world.state.heartbeat())))
    return Words(told(world, private=envelope.event.private is not False))


def told(world: World, *, private: bool) -> str:
    """The mood and what stands out; between the two of them also why, what it wants, senses and has on its mind."""
    inside = inner_state.look(world)
    lines = [inner_state.feeling(inside, world)]
    if private and inside.why:
        lines.append(f"What moved me most lately: {inside.why}.")
    lines.append(inner_state.wants(inside))
    if private:
        lines += [inner_state.sensed_in_words(inside.sensed), inner_state.on_mind_in_words(inside.on_mind)]
        if inside.reflected_at is not None:
            lines.append(f"I last wrote in my journal {ago(inside.reflected_at, world.now)}.")
    return "\n".join(line for line in lines if line)


def _numbers(beat: Heartbeat) -> str:
    felt = [f"{name} {value:.2f}" for name, value in beat.emotions.as_mapping().items()]
    wanted = [f"{name.removesuffix('_need')} {value:.2f}" for name, value in beat.needs.items()]
    return "\n".join([f"**{beat.mood.word}**", "Emotions: " + ", ".join(felt), "Needs: " + ", ".join(wanted)])
