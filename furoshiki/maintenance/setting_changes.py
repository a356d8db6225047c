"""Who is obeyed and where keys go is not changed from a page: its owner is asked in Telegram, and says it by a button.

Nothing is in between: what was asked and the message that asks go into the database together, and the change itself
gives the same when it is made twice.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass

from furoshiki.core import env_file, settings
from furoshiki.core.catalogue import later, say
from furoshiki.core.errors import BadSetting, FuroshikiError
from furoshiki.core.network.addresses import secrets_in
from furoshiki.core.paths import read_env_file
from furoshiki.core.process.crash_points import point
from furoshiki.core.timestamps import stamp
from furoshiki.core.visible import visible
from furoshiki.maintenance import entered_secrets, operator_settings
from furoshiki.maintenance.operator_settings import Locked
from furoshiki.messages.channels import TELEGRAM
from furoshiki.messages.store import accounts, outbox
from furoshiki.messages.store.accounts import Account
from furoshiki.messages.values import Envelope, NewOutgoing
from furoshiki.owner.agenda.store import asked_settings
from furoshiki.owner.agenda.store.asked_settings import Asked
from furoshiki.world import World

MOST = 3
"""Questions that wait at once: more are pressed without being read."""

LONGEST = 500
"""Characters of a value that somebody reads before they say yes."""

WAITS = later("{name} is asked of its owner in Telegram, and changes with their yes there; it is heard for a day.")
_QUESTION = later(
    "On my pages somebody wants to change a setting that decides who I obey or where your keys go:\n\n"
    "{name}: `{value}`\n{about}\n\n"
    "If that was not you, say no, and end all sessions on the page Access."
)
_ENTERED = later(
    "On my pages somebody entered {name}, which I do not show here:\n\n{about}\n\n"
    "Shall I use it from now on? If that was not you, say no, and end all sessions on the page Access."
)
_DEFAULT = later("not set, its default")

LATE = later("That question is too old, or was answered already. Nothing was changed.")
OTHERS = later("Only the person I asked may answer that, in the chat where I asked.")
LEFT = later("Left as it is: nothing was changed.")
DONE = later("{name} is changed.")


class NotAsked(FuroshikiError):
    """A change that its owner cannot be asked for: the message says why, and what to do."""


@dataclass(frozen=True)
class _Wish:
    """A change that its owner is to be asked for: None as its text is the default; `mark` stands for what is set now,
    `plugin` is whose setting it is. Of a `secret` the text is neither asked with nor kept in the database."""

    name: str
    text: str | None
    about: str
    mark: str = ""
    plugin: str = ""
    secret: bool = False

    @property
    def kept(self) -> str | None:
        """What the database holds of the text."""
        return "" if self.secret and self.text is not None else self.text


def ask(world: World, name: str, text: str | None) -> str:
    """Ask for the change of a setting, by the name of its field; in words, where the answer is waited for. Raises
    NotAsked."""
    row, given = settings.describe(name), settings.effective(data=world.settings.data)
    carries = str(row["carries"])
    travels = carries.upper() if carries in settings.Settings.model_fields else carries
    about = f"{row['help']}\n{say('{secret} will travel there.', secret=travels)}" if carries else str(row["help"])
    return _ask_owner(world, _Wish(name, text, about, operator_settings.mark(name, given)))


def ask_for_plugin(world: World, plugin: str, name: str, text: str | None, about: str) -> str:
    """Ask for the change of an address of a plugin, by its name in `.env`, to which its secrets travel. Raises
    NotAsked."""
    words = say("Of the plugin {plugin}: {about}\nWhat it keeps secret travels there.", plugin=plugin, about=about)
    return _ask_owner(world, _Wish(name, text, words, plugin=plugin))


def enter(world: World, name: str, text: str | None) -> str:
    """Put a secret, by the name of its field, into `.env` (None takes it out), with its owner's yes where they can be
    asked; in words. Raises Locked, BadSetting, NotAsked."""
    data, called = world.settings.data, name.upper()
    given = settings.effective(data=data)
    if not operator_settings.can_enter(name, given):
        raise Locked(operator_settings.lock(name, given) or called)
    if text is not None:
        try:
            settings.validate(name, text, ".env", given)
            env_file.render_changes("", {called: text})
        except BadSetting as error:
            raise BadSetting(str(error).replace(text, "…")) from None
    if _find_owner(world) is not None:
        return _ask_owner(world, _Wish(name, text, str(settings.describe(name)["help"]), secret=True))
    env_file.save(data, {called: text})
    return _describe_done(name)


def _find_owner(world: World) -> Account | None:
    """Who can be asked in Telegram."""
    with world.database.read() as db:
        owner = accounts.owner(db, TELEGRAM)
    return None if world.settings.telegram_bot_token is None else owner


def _ask_owner(world: World, wish: _Wish) -> str:
    """Keep the question and what asks it, in one piece; what waits already is not asked again."""
    called = wish.name.upper()
    by_hand = f"furoshiki plugins set {wish.plugin} …" if wish.plugin else f"furoshiki config set {called} …"
    if wish.text is not None and not wish.secret and (secrets_in(wish.text) or len(wish.text) > LONGEST):
        long = later("{name} is too long or holds a password, so it is not asked for in a chat: `{by_hand}`")
        raise NotAsked(say(long, name=called, by_hand=by_hand))
    owner = _find_owner(world)
    if owner is None:
        unpaired = later("{name} needs its owner's yes in Telegram, and nobody is paired there: `{by_hand}`")
        raise NotAsked(say(unpaired, name=called, by_hand=by_hand))
    with world.database.write() as db:
        waiting = asked_settings.list_waiting(db, world.now)
        if any((one.name, one.plugin, one.value) == (wish.name, wish.plugin, wish.kept) for one in waiting):
            return say(WAITS, name=called)
        if len(waiting) >= MOST:
            many = later("{name} was not asked for: {most} other changes wait for a yes in Telegram already")
            raise NotAsked(say(many, name=called, most=MOST))
        token = secrets.token_hex(8)
        at = stamp(world.now)
        asked = Asked(token, wish.name, wish.kept, wish.mark, owner.chat_id, owner.external_id, at, wish.plugin)
        asked_settings.keep(db, asked, world.now)
        if wish.secret and wish.text is not None:
            entered_secrets.keep(world.settings.data, token, wish.text, world.now)
            words = say(_ENTERED, name=called, about=wish.about)
        else:
            value = visible(wish.text or say(_DEFAULT)).replace("`", "'")
            words = say(_QUESTION, name=called, value=value, about=wish.about)
        row = [
            {"text": say("Yes, change it"), "data": f"setting.yes:{token}"},
            {"text": say("No"), "data": f"setting.no:{token}"},
        ]
        question = NewOutgoing(TELEGRAM, owner.chat_id, words, extra={"buttons": [row]})
        outbox.put(db, [question], world.now, None, f"setting-asked-{token}")
    return say(WAITS, name=called)


def apply_answer(world: World, token: str, yes: bool, envelope: Envelope) -> str:
    """What comes of a pressed button, in words: changed once, exactly as it was shown, or never."""
    with world.database.read() as db:
        asked = asked_settings.get(db, token, world.now)
    if asked is None or asked.answered not in (0, envelope.id):
        return say(LATE)
    if (envelope.channel, envelope.chat_id, envelope.sender) != (TELEGRAM, asked.chat_id, asked.sender):
        return say(OTHERS)
    try:
        words = _apply_change(world, asked) if yes else say(LEFT)
    except FuroshikiError as error:
        words = say("Nothing was changed: {error}.", error=error)
    point("setting.changed")
    with world.database.write() as db:
        asked_settings.answer(db, asked, envelope.id, world.now)
    entered_secrets.drop(world.settings.data, token, world.now)
    return words


def _apply_change(world: World, asked: Asked) -> str:
    """Change it. Done before, by the same press, it is left as it is. Raises what keeps it from being done."""
    data = world.settings.data
    if asked.plugin:
        env_file.save(data, {asked.name: asked.value})
        return say(DONE, name=asked.name)
    if settings.describe(asked.name)["secret"]:
        secret = None if asked.value is None else entered_secrets.get(data, asked.token, world.now)
        if secret is None and asked.value is not None:
            return say(LATE)
        env_file.save(data, {asked.name.upper(): secret})
    elif read_env_file(data / ".env").get(asked.name.upper()) != asked.value:
        operator_settings.change(data, asked.name, asked.value, asked.mark, agreed=True)
    return _describe_done(asked.name)


def _describe_done(name: str) -> str:
    row, done = settings.describe(name), say(DONE, name=name.upper())
    if not row["restart"]:
        return done
    return f"{done} {say('It holds once this is started again: {what}.', what=row['restarts'])}"
