"""Buttons for pending questions: one per time, or yes and no."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from furoshiki.conversation.skills.skill import Place
from furoshiki.core.catalogue import later, say
from furoshiki.core.framing import visible
from furoshiki.extensions.plugins.rules import mail_drafts
from furoshiki.language.humanize import shorten
from furoshiki.owner.agenda.store import proposals
from furoshiki.owner.agenda.store.proposals import Proposal


def choice(place: Place, name: str, settled: Mapping[str, Any], ways: Sequence[str], now: datetime) -> Proposal:
    """Build a proposal that waits for the choice between two times."""
    what = settled.get("what") or ", ".join(settled.get("items", ())) or "that"
    at = " or ".join(f"{datetime.fromisoformat(one):%A, %-d %B, %H:%M}" for one in ways)
    shown = visible(" ".join(f"{what}: {at}?".split()))
    return proposals.make_proposal(name, settled, shown, place.where, place.key, now, ways=ways)


def buttons(proposal: Proposal) -> list[list[dict[str, str]]]:
    """Return its buttons: one for each time, or yes and no."""
    if proposal.ways:
        texts = [datetime.fromisoformat(way).strftime("%H:%M") for way in proposal.ways]
        verbs = ("first", "second")
    else:
        texts = [say(answer) for answer in (mail_drafts.BUTTONS if proposal.form else later(("Do it", "No")))]
        verbs = ("yes", "no")
    return [
        [{"text": text, "data": f"do.{verb}:{proposal.token}"} for text, verb in zip(texts, verbs, strict=True)],
    ]


def offer_each(offered: Sequence[Proposal]) -> list[list[dict[str, str]]]:
    """Return the buttons below one text: of several offers one for each, and for all or none of them."""
    if len(offered) == 1:
        return buttons(offered[0])
    rows = [[{"text": shorten(offer.args["what"], 30), "data": f"do.yes:{offer.token}"}] for offer in offered]
    key = offered[0].turn_key
    both = [{"text": say("All of them"), "data": f"do.all:{key}"}, {"text": say("No"), "data": f"do.none:{key}"}]
    return [*rows, both]
