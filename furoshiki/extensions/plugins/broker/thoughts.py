"""Topics that a plugin wants to bring up: entries in the mind queue under its name.

They are no words of the owner and no instructions: the model is told that a program wrote them.
"""

import hashlib
import logging
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

from furoshiki.core import refs
from furoshiki.extensions.plugins.broker.caller import Caller
from furoshiki.extensions.plugins.rules import asking
from furoshiki.extensions.plugins.rules.asking import Refused
from furoshiki.owner.agenda.rules.mind_queue import of_plugin
from furoshiki.owner.agenda.store import mind_queue
from furoshiki.owner.user_model import user
from furoshiki.world import World

KIND = "plugin"

log = logging.getLogger(__name__)


def queue(world: World, caller: Caller, thoughts: Sequence[Mapping[str, Any]]) -> int:
    """Queue the `mind_queue` of a run's output; returns the number of new ones. Logs refusals."""
    made = 0
    for number, one in enumerate(thoughts):
        refused = asking.refusal("write_mind_queue", caller.granted, number)
        try:
            if refused is not None:
                raise Refused(refused)
            made += put(world, caller, one)
        except Refused as error:
            log.info("plugin %s: mind_queue: %s", caller.name, error)
            if refused is not None:
                break
    return made


def put(world: World, caller: Caller, args: Mapping[str, Any]) -> bool:
    """Queue one topic; False when it is already known. Raises Refused."""
    now, laws = world.now, world.laws.queue
    source = refs.name("plugins", caller.name)
    with world.database.write() as db:
        topic = asking.parse_topic(args, now, user.zone(world, db))
        key = topic.key or f"{topic.summary.casefold()} {now:%Y-%m-%d}"
        dedupe_key = f"{KIND}:{caller.name}:{hashlib.sha256(key.encode()).hexdigest()[:16]}"
        if mind_queue.is_known(db, dedupe_key):
            return False
        if mind_queue.count_of(db, source, now - timedelta(days=1)) >= asking.THOUGHTS_A_DAY:
            most = f"{asking.THOUGHTS_A_DAY} things"
            raise Refused(f"a plugin may have {most} brought up a day: say the most important ones")
        if mind_queue.count_by_kind(db).get(KIND, 0) >= laws.most[KIND]:
            raise Refused("too much of plugins waits to be said already: try again at a later run")
        item = mind_queue.add(
            db,
            KIND,
            of_plugin(caller.name, topic.summary),
            dedupe_key,
            now,
            priority=laws.priority[KIND],
            detail=topic.detail or None,
            source=source,
            not_before=topic.not_before,
            until=topic.until,
            by_key_alone=bool(topic.key),
        )
    return item is not None
