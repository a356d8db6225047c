"""Queue near birthdays once each, and drop past ones."""

from furoshiki.mind.birthdays import due, rules
from furoshiki.owner.agenda.store import mind_queue
from furoshiki.owner.user_model import user
from furoshiki.world import Report, World


def look_ahead(world: World) -> Report:
    """Queue a thought for each birthday near by the user's calendar, and drop past ones."""
    now, laws = world.now, world.laws.queue
    with world.database.read() as db:
        today = now.astimezone(user.zone(world, db)).date()
        thoughts = [rules.thought(one, on) for one, on in rules.near(due.birthdays(db), today, today)]
        waiting = mind_queue.list_keys(db, rules.KEY)
    over = waiting.keys() - {thought.key for thought in thoughts}
    with world.database.write() as db:
        new = sum(mind_queue.add_thought(db, thought, laws.priority[thought.kind], now) for thought in thoughts)
        dropped = sum(mind_queue.let_go(db, waiting[one], "dropped") for one in over)
    data = {"near": new, "over": dropped}
    return Report(bool(new or dropped), f"{new} birthdays come near, {dropped} are over", data)
