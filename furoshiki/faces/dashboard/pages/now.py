"""The page Now: how it feels, its attention, the latest messages, and why it last wrote first or did
not, from the sources of `/mood`, `/status` and `/why`."""

from collections.abc import Callable
from typing import Any

from fastapi import APIRouter, Depends, Request
from fastapi.responses import HTMLResponse

from furoshiki.conversation.acting.store import attention
from furoshiki.conversation.commands import status
from furoshiki.conversation.commands.memory import speaker_name
from furoshiki.core.catalogue import say_sentence
from furoshiki.core.errors import FuroshikiError, StorageUnavailable
from furoshiki.faces.dashboard import rendering
from furoshiki.faces.dashboard.access.current import CurrentWorld, viewer
from furoshiki.faces.overview import health
from furoshiki.faces.overview.errors import NotThere
from furoshiki.faces.overview.rules import feeling_words
from furoshiki.feelings.rules import user_needs
from furoshiki.messages.channels import WEB
from furoshiki.messages.store import turns
from furoshiki.mind.inner_life import inner_state
from furoshiki.mind.inner_life.rules import feelings_drawn
from furoshiki.mind.inner_life.store import wandered
from furoshiki.mind.inner_life.store.wandered import BECAME
from furoshiki.mind.outreach import explanation
from furoshiki.mind.outreach.rules import explaining
from furoshiki.owner.routing.store import topics
from furoshiki.world import World

PAGE = ("Now", "How it is at this moment, and what it is attending to", "", 10)

router = APIRouter(include_in_schema=False, dependencies=[Depends(viewer)])

LAST_MESSAGES = 6
LAST_TOPICS = 4
MOST_WAITING = 4


def _gather_heart(world: World) -> dict[str, Any]:
    """Gather feelings with reasons, its needs, and the owner's needs it senses. Sentences may be
    empty; `sure` is the confidence in each of the owner's needs, in [0, 1]."""
    laws, inside = world.laws, inner_state.look(world)
    needs = inside.beat.user_needs.items()
    return {
        "inside": inside,
        "beat": inside.beat,
        "told": inner_state.describe_feeling(inside, world),
        "wants": inner_state.wants(inside),
        "senses": inner_state.describe_sensed(inside.sensed),
        "sure": {name: user_needs.confidence_at(need, world.now, laws.user_needs) for name, need in needs},
        "laws": laws,
        "meant_by": feeling_words.NEEDS,
        "meant_by_yours": feeling_words.USER_NEEDS,
        "does": feeling_words.does,
        "sureness": feeling_words.sureness,
        "name_need": feelings_drawn.name_need,
    }


def _gather_messages(world: World) -> dict[str, Any]:
    """Gather the last messages of all channels, oldest first, each with its speaker's name."""
    with world.database.read() as db:
        said = turns.recent(db, WEB, WEB, LAST_MESSAGES)
    names = [speaker_name(world, turn.speaker) for turn in said]
    return {"said": [(f"{name[:1].upper()}{name[1:]}", turn) for name, turn in zip(names, said, strict=True)]}


def _gather_attention(world: World) -> dict[str, Any]:
    """Gather its attention, topics, and last idle wandering (None: none yet)."""
    with world.database.read() as db:
        return {
            "cycle": attention.last_cycle(db),
            "topics": [one for _channel, one in topics.everywhere(db, LAST_TOPICS)],
            "wandered": next(iter(wandered.newest(db, 1)), None),
            "came_from": feeling_words.source,
            "became": BECAME,
        }


def _gather_outreach(world: World) -> dict[str, Any]:
    """Gather why it last wrote first, and what waits; `more` are not shown."""
    waits = explanation.list_held(world)
    return {
        "last": explanation.last(world),
        "waiting": waits[:MOST_WAITING],
        "more": max(0, len(waits) - MOST_WAITING),
        "explaining": explaining,
    }


# the parts of the page, each with the values of its template
PARTS: dict[str, Callable[[World], dict[str, Any]]] = {
    "heart": _gather_heart,
    "health": lambda world: {"state": status.gather(world), "stands_still": health.stands_still(world)},
    "messages": _gather_messages,
    "attention": _gather_attention,
    "outreach": _gather_outreach,
}


@router.get("/")
def now(request: Request, world: CurrentWorld) -> HTMLResponse:
    """Show the page. A part that fails shows its reason, the others stay."""
    values: dict[str, Any] = {}
    failed = {}
    for name, gather in PARTS.items():
        try:
            values.update(gather(world))
        except StorageUnavailable:
            raise
        except FuroshikiError as error:
            failed[name] = say_sentence(error)
    return rendering.page(request, "now", failed=failed, **values)


@router.get("/parts/now/{name}")
def part(name: str, request: Request) -> HTMLResponse:
    """Show one present part as a fragment."""
    if name not in PARTS:
        raise NotThere
    try:
        return rendering.render_shared(request, f"now_{name}", PARTS[name])
    except StorageUnavailable:
        raise
    except FuroshikiError as error:
        return rendering.part(request, "now_refused", words=say_sentence(error))
