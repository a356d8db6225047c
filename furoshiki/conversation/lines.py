"""Format memories and messages as prompt lines, with date and speaker."""

from collections.abc import Mapping
from datetime import tzinfo

from furoshiki.core.timestamps import name_day
from furoshiki.language import testimony
from furoshiki.language.tokens import cut
from furoshiki.memory.perception.values import RepliedTo
from furoshiki.memory.rules.in_words import describe_end
from furoshiki.memory.values import Shown
from furoshiki.messages.values import COMPANION, USER, Turn
from furoshiki.owner.agenda.store.operations import Operation
from furoshiki.world import World


def names_of(world: World, name: str | None) -> dict[str, str]:
    """Return the speakers' names for prompt lines."""
    return {USER: name or "they", COMPANION: world.settings.furoshiki_companion_name}


def memory(one: Shown, zone: tzinfo, names: Mapping[str, str], tokens: int | None = None) -> str:
    """Format a memory with id, date, speaker, end and neighbours, cut to `tokens`."""
    label = [one.id, name_day(one.at, zone)]
    if one.speaker:
        label.append(testimony.label_speaker(names.get(one.speaker, one.speaker), one.text, one.foreign))
    if one.past:
        label.append(describe_end(one.text, one.until, zone))
    # its one-line version only uses its labelled source
    short = None if one.line is None else " ".join(one.line.split())
    found = [f"[{' · '.join(label)}] {short or testimony.render_marked(one.text, one.foreign, tokens, flat=True)}"]
    if tokens is None:
        found += [f"  {where} it, {names.get(speaker, speaker)}: {words}" for where, speaker, words in one.beside]
    return "\n".join(found)


def elsewhere(turn: Turn, zone: tzinfo) -> str:
    """Format the last message of another channel."""
    words = testimony.render_marked(turn.text, turn.foreign, 25, flat=True)
    who = "they" if turn.speaker == USER else "you"
    return f"{turn.channel}, {turn.at.astimezone(zone).strftime('%H:%M')}, {who}: {words}"


def render_turn(turn: Turn, zone: tzinfo, names: Mapping[str, str]) -> str:
    """Format an older message with date and speaker."""
    who = testimony.label_speaker(names.get(turn.speaker, turn.speaker), turn.text, turn.foreign)
    words = testimony.render_marked(turn.text, turn.foreign, 100, flat=True)
    return f"[{name_day(turn.at, zone)} \u00b7 {who}] {words}"


def operation(one: Operation) -> str:
    """Format an operation and its result."""
    return f"{one.title}: {one.state}{f' — {cut(one.result, 100)}' if one.result else ''}"


def render_replied_to(one: RepliedTo, zone: tzinfo, names: Mapping[str, str]) -> str:
    """Format the message that is replied to, with the quoted part."""
    when = [] if one.at is None else [one.at.astimezone(zone).strftime("%-d %B %Y, %H:%M")]
    who = names.get(one.who or "", one.who) or "by somebody else"
    text = testimony.render_marked(one.text, one.foreign, 300) or "(nothing of it can be seen)"
    line = f"[{' · '.join([*when, who])}] {text}"
    if not one.part or one.part == one.text:
        return line
    part = testimony.render_marked(one.part, testimony.whole(one.part, "forward") if one.foreign else (), 300)
    return f"{line}\n  Of that they point at this part: “{part}”"
