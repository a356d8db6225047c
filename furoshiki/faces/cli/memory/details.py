"""One memory in full, for `furoshiki memory show`: its text, its evidence, its history."""

from datetime import datetime
from typing import Any

from furoshiki.core import refs
from furoshiki.core.catalogue import later, say
from furoshiki.faces.cli import context
from furoshiki.language.humanize import figure, last
from furoshiki.memory import overview
from furoshiki.memory.rules import in_words


def in_full(found: dict[str, Any], now: datetime, companion: str) -> str:
    """Format all that `overview.whole` found as Markdown."""
    lines = [f"**{context.phrase(found['text'])}**", ""]
    facts = [f"{found['id']}, {found['type']}, {in_words.state(found)}; {in_words.validity(found)}"]
    seen = say("for {yes}, against {no}", yes=figure(found["alpha"]), no=figure(found["beta"]))
    facts.append(f"{say('weight')} {found['weight']:.2f}: {found['in_words']} ({seen})")
    if found["fact"]:
        facts.append(" · ".join(str(part) for part in found["fact"].values()))
    for name in ("compressed", "contextualized"):
        if found[name] and found[name] != found["text"]:
            how = say("in short") if name == "compressed" else say("in its context")
            facts.append(f"{how}: {context.phrase(found[name])}")
    used = found["accesses"]
    latest = f", {last(used['last'], now)}" if used["last"] else ""
    facts.append(say("hits: {hits}, came to mind: {count}", hits=used["hits"], count=used["count"]) + latest)
    facts.append(say("useful in {share:.0%} of the recent answers it was part of", share=found["utility"]))
    if used["together_with"]:
        others = ", ".join(in_words.company(one) for one in used["together_with"])
        facts.append(say("together with {others}", others=others))
    if found["cold_since"]:
        cold = later("cold since {day}: not a known fact until it is needed again")
        facts.append(say(cold, day=found["cold_since"][:10]))
    from_ = later("from {source}, confidence {sure:g}")
    facts.append(say(from_, source=found["source"], sure=found["confidence"]))
    lines += [f"- {fact}" for fact in facts]
    if found["turns"]:
        lines += ["", say("Based on:"), *(quote_turn(one, companion) for one in found["turns"])]
    if found["gate"]:
        lines += [
            "",
            say("Whether what was said became a memory, and why:"),
            *(f"- {in_words.describe_decision(one)}" for one in found["gate"]),
        ]
    if found["held_back"]:
        lines += [
            "",
            say("What the safety ceilings said:"),
            *(f"- {in_words.describe_ceiling(one)}" for one in found["held_back"]),
        ]
    if found["links"]:
        told = [f"- {overview.relation_in_words(one)} {one['id']}: {_other(one)}" for one in found["links"]]
        lines += [
            "",
            say("Linked to:"),
            *dict.fromkeys(told),
        ]  # two relations can say the same: replaced, superseded
    if found["history"]:
        lines += [
            "",
            say("How its weight changed:"),
            *(f"- {one}" for one in in_words.describe_changes(found["history"])),
        ]
    return "\n".join(lines)


def quote_turn(one: dict[str, Any], companion: str = "companion") -> str:
    """Format a turn with its day, speaker and id."""
    who = {"user": say("you"), "companion": companion}.get(one["speaker"], one["speaker"])
    typed = (
        say("you, correcting it") if one["channel"] == "owner" else f"{who} ({one['from']})" if one.get("from") else who
    )
    return f"- {one['at'][:16].replace('T', ' ')}, {typed}: “{' '.join(one['text'].split())}” ({one['id']})"


def _other(one: dict[str, Any]) -> str:
    """Return the text a link leads to."""
    if not one["text"]:
        return say("which is gone")
    return context.phrase(one["text"]) if refs.is_of(str(one["id"]), "memory") else str(one["text"])
