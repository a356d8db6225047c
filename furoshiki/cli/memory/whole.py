"""One memory told whole, for `furoshiki memory show`: what it is, what it rests on, and what became of it."""

from __future__ import annotations

from datetime import datetime
from itertools import groupby
from typing import Any

from furoshiki.cli import context
from furoshiki.core import refs
from furoshiki.language.humanize import figure, last, plural
from furoshiki.memory import overview


def state(one: dict[str, Any]) -> str:
    """Its status, and that it is pinned where it is."""
    return f"{one['status']}, pinned" if one["pinned"] else str(one["status"])


def in_full(found: dict[str, Any], now: datetime, companion: str) -> str:
    """All that `overview.whole` found, as Markdown."""
    lines = [f"**{context.said(found['text'])}**", ""]
    facts = [f"{found['id']}, {found['type']}, {state(found)}; {_validity(found)}"]
    seen = f"for {figure(found['alpha'])}, against {figure(found['beta'])}"
    facts.append(f"weight {found['weight']:.2f}: {found['in_words']} ({seen})")
    if found["fact"]:
        facts.append(" · ".join(str(part) for part in found["fact"].values()))
    for name in ("compressed", "contextualized"):
        if found[name] and found[name] != found["text"]:
            facts.append(f"{'in short' if name == 'compressed' else 'in its context'}: {context.said(found[name])}")
    used = found["accesses"]
    latest = f", {last(used['last'], now)}" if used["last"] else ""
    facts.append(f"{plural(used['hits'], 'hit')}, came to mind {plural(used['count'], 'time')}{latest}")
    facts.append(f"of use in {found['utility']:.0%} of the recent answers it was part of")
    facts.append(f"activation {found['activation']:.1f}: comes to mind by itself in {found['comes_to_mind']:.0%}")
    if used["together_with"]:
        facts.append("together with " + ", ".join(_company(one) for one in used["together_with"]))
    if found["cold_since"]:
        facts.append(f"cold since {found['cold_since'][:10]}: no known fact until it is needed again")
    facts.append(f"from {found['source']}, confidence {found['confidence']:g}")
    lines += [f"- {fact}" for fact in facts]
    if found["turns"]:
        lines += ["", "It rests on:", *(quoted(one, companion) for one in found["turns"])]
    if found["gate"]:
        lines += ["", "What the gate made of what was said:", *map(_gated, found["gate"])]
    if found["held_back"]:
        lines += ["", "What the safety ceilings said:", *map(_held_back, found["held_back"])]
    if found["links"]:
        told = [f"- {overview.relation_in_words(one)} {one['id']}: {_other(one)}" for one in found["links"]]
        lines += ["", "It stands with:", *dict.fromkeys(told)]  # two relations can say the same: replaced, superseded
    if found["history"]:
        lines += ["", "What became of its weight:"]
        lines += [_changes(list(some)) for _, some in groupby(found["history"], key=lambda one: one["operation"])]
    return "\n".join(lines)


def _validity(found: dict[str, Any]) -> str:
    start = (found["valid_from"] or found["at"])[:10]
    if found["valid_to"] is None:
        return f"since {start}"
    if found["valid_to"] <= (found["valid_from"] or found["at"]):
        return "withdrawn: never true"
    return f"from {start} to {found['valid_to'][:10]}"


def quoted(one: dict[str, Any], companion: str = "companion") -> str:
    """A turn with its day, who said it, and its id."""
    who = {"user": "you", "companion": companion}.get(one["speaker"], one["speaker"])
    typed = "you, correcting it" if one["channel"] == "owner" else f"{who} ({one['from']})" if one.get("from") else who
    return f"- {one['at'][:16].replace('T', ' ')}, {typed}: “{' '.join(one['text'].split())}” ({one['id']})"


def _gated(one: dict[str, Any]) -> str:
    """One decision of the exit gate with its figures."""
    names = ("relevance", "novelty", "activation")
    figures = [f"{name} {one[name]:.2f}" for name in names if one[name] is not None]
    cell = [one["cell"]] if one["cell"] else []
    return f"- {(one['at'] or '')[:10]} {one['became']}: {one['because']} ({', '.join([*cell, *figures])})"


def _held_back(one: dict[str, Any]) -> str:
    """One word of a safety ceiling: what was asked for, and what it let pass."""
    what = "held back" if one["enforced"] else "would have held back"
    asked = "" if one["asked"] is None else f": {one['asked']:.2f} asked, {one['allowed'] or 0.0:.2f} allowed"
    return f"- {one['at'][:10]} {one['ceiling'].replace('_', ' ')} (stage {one['stage']}) {what}{asked}"


def _company(one: dict[str, Any]) -> str:
    often = figure(one["count"])
    return f"{one['id']} ({'once' if often == '1' else f'{often} times'})"


def _changes(some: list[dict[str, Any]]) -> str:
    """One line for changes of the same kind that follow on each other, oldest first."""
    first, newest = some[0], some[-1]
    moved = ""
    if first["before"] and newest["after"]:
        (a, b), (c, d) = first["before"], newest["after"]
        moved = f": {a / (a + b):.2f} → {c / (c + d):.2f}"
    what = first["operation"].replace("_", " ")
    start, end = (one["at"][:16].replace("T", " ") for one in (first, newest))
    if len(some) == 1:
        return f"- {start} {what}{moved}"
    when = f"at {start}" if start == end else f"between {start} and {end}"
    return f"- {what} {len(some)} times {when}{moved}"


def _other(one: dict[str, Any]) -> str:
    """What a link leads to."""
    if not one["text"]:
        return "which is gone"
    return context.said(one["text"]) if refs.is_of(str(one["id"]), "memory") else str(one["text"])
