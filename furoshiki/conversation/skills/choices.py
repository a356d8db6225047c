"""Buttons for pending questions: one per time, or yes and no."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from furoshiki.conversation.skills.skill import Place
from furoshiki.core.catalogue import later, say
from furoshiki.core.visible import visible
from furoshiki.extensions.plugins.rules import mail_drafts
from furoshiki.owner.agenda.store import proposals
from furoshiki.owner.agenda.store.proposals import Proposal


def choice(place: Place, name: str, settled: Mapping[str, Any], ways: Sequence[str], now: datetime) -> Proposal:
    """Build a proposal that waits for the choice between two times."""
    what = settled.get("what") or ", ".join(settled.get("items", ())) or "that"
    at = " or ".join(f"{datetime.fromisoformat(one):%A, %-d %B, %H:%M}" for one in ways)
    said = json.dumps([place.key, name, settled, list(ways)], sort_keys=True)
    token = hashlib.sha256(said.encode()).hexdigest()[:16]
    where = (place.channel, place.chat_id, place.sender)
    return replace(
        proposals.make_proposal(
            token, name, settled, visible(" ".join(f"{what}: {at}?".split())), where, place.key, now
        ),
        ways=tuple(ways),
    )


def buttons(proposal: Proposal) -> list[list[dict[str, str]]]:
    """Return its buttons: one for each time, or yes and no."""
    if not proposal.ways:
        yes, no = mail_drafts.BUTTONS if proposal.form else later(("Do it", "No"))
        return [
            [
                {"text": say(yes), "data": f"do.yes:{proposal.token}"},
                {"text": say(no), "data": f"do.no:{proposal.token}"},
            ]
        ]
    texts = [datetime.fromisoformat(one).strftime("%H:%M") for one in proposal.ways]
    return [
        [
            {"text": text, "data": f"do.{verb}:{proposal.token}"}
            for text, verb in zip(texts, ("first", "second"), strict=True)
        ]
    ]
