"""`/readiness`: milestones with their evidence, and the companion's lifetime."""

from datetime import tzinfo
from typing import Any

from furoshiki.conversation.commands.registry import Command
from furoshiki.core.catalogue import say, say_number
from furoshiki.core.timestamps import parse
from furoshiki.language.humanize import day
from furoshiki.messages.values import Envelope, Words
from furoshiki.mind.readiness import milestones
from furoshiki.owner.user_model import user
from furoshiki.world import World


@Command("readiness", "how far along I am: ten milestones, and how long I have lived", place=130, shows=True)
async def run(world: World, _args: str, _envelope: Envelope) -> Words:
    """Show the milestones with evidence, then the lifetime figures."""
    found = milestones.export_report(world)
    zone = user.zone_of(world)
    return Words(in_words(found, zone))


def in_words(found: dict[str, Any], zone: tzinfo) -> str:
    """Render the report as text."""
    steps = found["milestones"]
    lines = [say("**{number} of {all} milestones**", number=found["reached"], all=len(steps))]
    for step in steps:
        if step["at"] is None:
            lines.append(f"- ◌ {say(step['title'])} ({say(step['proof'])}): {step['so_far']}")
        else:
            words = [f"“{each['words']}”" for each in step["evidence"] if each["words"]]
            evidence = ", ".join(words) or say("no longer there")
            lines.append(f"- ● {say(step['title'])}, {day(parse(step['at']), zone)}: {evidence}")
    return "\n".join([*lines, life(found["manifest"], zone)])


def life(manifest: dict[str, Any], zone: tzinfo) -> str:
    """Describe the lifetime in one line."""
    days, hours = int(manifest["age_days"]), manifest["hours_up"]
    since = day(parse(manifest["created_at"]), zone)
    lived = say_number(
        "I have lived for {number:,} day, since {since}.",
        "I have lived for {number:,} days, since {since}.",
        days,
        since=since,
    )
    awake = say_number(
        "I was awake for {number:,} hour of it.", "I was awake for {number:,} hours of it.", round(hours)
    )
    again = say_number("I was restarted {number:,} time.", "I was restarted {number:,} times.", manifest["restarts"])
    return f"{lived} {awake if hours >= 1 else say('I was awake for less than an hour of it.')} {again}"
