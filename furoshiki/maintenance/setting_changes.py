"""Who is obeyed and where keys go is not changed from a page: its owner is asked in Telegram, and says it by a button.

Nothing is in between: what was asked and the message that asks go into the database together, and the change itself
gives the same when it is made twice.
"""

from __future__ import annotations

import secrets

from furoshiki.core import env_file, settings
from furoshiki.core.errors import FuroshikiError
from furoshiki.core.network.addresses import secrets_in
from furoshiki.core.paths import read_env_file
from furoshiki.core.process.crash_points import point
from furoshiki.core.timestamps import stamp
from furoshiki.core.visible import visible
from furoshiki.maintenance import operator_settings
from furoshiki.messages.channels import TELEGRAM
from furoshiki.messages.store import accounts, outbox
from furoshiki.messages.values import Envelope, NewOutgoing
from furoshiki.owner.agenda.store import asked_settings
from furoshiki.owner.agenda.store.asked_settings import Asked
from furoshiki.world import World

MOST = 3
"""Questions that wait at once: more are pressed without being read."""

LONGEST = 500
"""Characters of a value that somebody reads before they say yes."""

WAITS = "{name} is asked of its owner in Telegram, and changes with their yes there; it is heard for a day."
_QUESTION = (
    "On my pages somebody wants to change a setting that decides who I obey or where your keys go:\n\n"
    "{name}: `{value}`\n{about}\n\n"
    "If that was not you, say no, and end all sessions on the page Access."
)
_DEFAULT = "not set, its default"

LATE = "That question is too old, or was answered already. Nothing was changed."
OTHERS = "Only the person I asked may answer that, in the chat where I asked."
LEFT = "Left as it is: nothing was changed."
DONE = "{name} is changed.{restart}"


class NotAsked(FuroshikiError):
    """A change that its owner cannot be asked for: the message says why, and what to do."""


def ask(world: World, name: str, text: str | None) -> str:
    """Ask for the change of a setting, by the name of its field; in words, where the answer is waited for. Raises
    NotAsked."""
    row, given = settings.described(name), settings.effective(data=world.settings.data)
    carries = str(row["carries"])
    travels = f"\n{carries.upper() if carries in settings.Settings.model_fields else carries} will travel there."
    about = f"{row['help']}{travels if carries else ''}"
    return _asked(world, name, "", text, operator_settings.mark(name, given), about)


def ask_for_plugin(world: World, plugin: str, name: str, text: str | None, about: str) -> str:
    """Ask for the change of an address of a plugin, by its name in `.env`, to which its secrets travel. Raises
    NotAsked."""
    return _asked(
        world, name, plugin, text, "", f"Of the plugin {plugin}: {about}\nWhat it keeps secret travels there."
    )


def _asked(world: World, name: str, plugin: str, text: str | None, mark: str, about: str) -> str:
    """Keep the question and what asks it, in one piece; what waits already is not asked again."""
    called = name.upper()
    by_hand = f"furoshiki plugins set {plugin} …" if plugin else f"furoshiki config set {called} …"
    if text is not None and (secrets_in(text) or len(text) > LONGEST):
        raise NotAsked(f"{called} is too long or holds a password, so it is not asked for in a chat: `{by_hand}`")
    with world.database.write() as db:
        owner = accounts.owner(db, TELEGRAM)
        if owner is None or world.settings.telegram_bot_token is None:
            raise NotAsked(f"{called} needs its owner's yes in Telegram, and nobody is paired there: `{by_hand}`")
        waiting = asked_settings.waiting(db, world.now)
        if any((one.name, one.plugin, one.value) == (name, plugin, text) for one in waiting):
            return WAITS.format(name=called)
        if len(waiting) >= MOST:
            raise NotAsked(f"{called} was not asked for: {MOST} other changes wait for a yes in Telegram already")
        token = secrets.token_hex(8)
        asked = Asked(token, name, text, mark, owner.chat_id, owner.external_id, stamp(world.now), plugin)
        asked_settings.keep(db, asked, world.now)
        words = _QUESTION.format(name=called, value=visible(text or _DEFAULT).replace("`", "'"), about=about)
        row = [
            {"text": "Yes, change it", "data": f"setting.yes:{token}"},
            {"text": "No", "data": f"setting.no:{token}"},
        ]
        question = NewOutgoing(TELEGRAM, owner.chat_id, words, extra={"buttons": [row]})
        outbox.put(db, [question], world.now, None, f"setting-asked-{token}")
    return WAITS.format(name=called)


def answered(world: World, token: str, yes: bool, envelope: Envelope) -> str:
    """What comes of a pressed button, in words: changed once, exactly as it was shown, or never."""
    with world.database.read() as db:
        asked = asked_settings.get(db, token, world.now)
    if asked is None or asked.answered not in (0, envelope.id):
        return LATE
    if (envelope.channel, envelope.chat_id, envelope.sender) != (TELEGRAM, asked.chat_id, asked.sender):
        return OTHERS
    try:
        words = _changed(world, asked) if yes else LEFT
    except FuroshikiError as error:
        words = f"Nothing was changed: {error}."
    point("setting.changed")
    with world.database.write() as db:
        asked_settings.answer(db, asked, envelope.id, world.now)
    return words


def _changed(world: World, asked: Asked) -> str:
    """Change it. Done before, by the same press, it is left as it is. Raises what keeps it from being done."""
    data = world.settings.data
    if asked.plugin:
        env_file.save(data, {asked.name: asked.value})
        return DONE.format(name=asked.name, restart="")
    row = settings.described(asked.name)
    if read_env_file(data / ".env").get(asked.name.upper()) != asked.value:
        operator_settings.change(data, asked.name, asked.value, asked.mark, agreed=True)
    restart = f" It holds once this is started again: {row['restarts']}." if row["restart"] else ""
    return DONE.format(name=asked.name.upper(), restart=restart)
