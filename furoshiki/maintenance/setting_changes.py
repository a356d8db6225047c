"""Changes on a page of whom to obey and where keys are sent: the owner confirms in Telegram.

The question and its message are stored in one transaction, and the change itself is idempotent.
"""

import json
import secrets
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from furoshiki.core import env_file, settings
from furoshiki.core.atomic_files import locked, write_text
from furoshiki.core.catalogue import later, say
from furoshiki.core.errors import BadSetting, FuroshikiError
from furoshiki.core.framing import visible
from furoshiki.core.network.addresses import secrets_in
from furoshiki.core.paths import read_env_file
from furoshiki.core.process.crash_points import point
from furoshiki.core.timestamps import parse, stamp
from furoshiki.maintenance import operator_settings
from furoshiki.maintenance.operator_settings import Locked
from furoshiki.messages.channels import TELEGRAM
from furoshiki.messages.store import accounts, outbox
from furoshiki.messages.store.accounts import Account
from furoshiki.messages.values import Envelope, NewOutgoing
from furoshiki.owner.agenda.store import asked_settings
from furoshiki.owner.agenda.store.asked_settings import OPEN, Asked
from furoshiki.world import World

MOST = 3  # maximum open questions: more would be confirmed unread
LONGEST = 500  # maximum characters of a value, for readability

WAITS = later("The owner is asked about {name} in Telegram; it changes if they say yes there within a day.")
_QUESTION = later(
    "Somebody on my pages wants to change a setting that decides who I obey or where your keys go:\n\n"
    "{name}: `{value}`\n"
    "{about}\n\n"
    "If that wasn't you, say no, and end all sessions on the Access page."
)
_ENTERED = later(
    "Somebody entered {name} on my pages; I don't show it here:\n\n{about}\n\nShould I use it "
    "from now on? If that wasn't you, say no, and end all sessions on the Access page."
)

LATE = later("That question has expired or was already answered. Nothing was changed.")
OTHERS = later("Only the person I asked may answer that, in the chat where I asked.")
LEFT = later("Left as it is: nothing was changed.")
DONE = later("{name} has been changed.")


class NotAsked(FuroshikiError):
    """The owner cannot be asked for this change: the message says why, and what to do."""


@dataclass(frozen=True)
class _Wish:
    """A change to confirm: `text` None means the default; `mark` is the fingerprint of the current
    value, `plugin` the setting's plugin. A `secret` text is neither shown nor stored in the
    database."""

    name: str
    text: str | None
    about: str
    mark: str = ""
    plugin: str = ""
    secret: bool = False

    @property
    def kept(self) -> str | None:
        """The text as stored in the database."""
        return "" if self.secret and self.text is not None else self.text


def ask(world: World, name: str, text: str | None) -> str:
    """Ask the owner to confirm a setting's change; return a message. Raises NotAsked."""
    row, given = settings.describe(name), settings.effective(data=world.settings.data)
    carries = str(row["carries"])
    travels = carries.upper() if carries in settings.Settings.model_fields else carries
    about = f"{row['help']}\n{say('{secret} will be sent there.', secret=travels)}" if carries else str(row["help"])
    return _ask_owner(world, _Wish(name, text, about, operator_settings.mark(name, given)))


def ask_for_plugin(world: World, plugin: str, name: str, text: str | None, about: str) -> str:
    """Ask for the change of a plugin's address, by its name in `.env`, to which its secrets are
    sent. Raises NotAsked."""
    words = say("For the plugin {plugin}: {about}\nIts secrets are sent there.", plugin=plugin, about=about)
    return _ask_owner(world, _Wish(name, text, words, plugin=plugin))


def enter(world: World, name: str, text: str | None) -> str:
    """Store a secret in `.env` by its field (None removes it), after the owner's confirmation if
    they can be asked; returns a message. Raises Locked, BadSetting, NotAsked."""
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
    """Return the owner's Telegram account, or None."""
    with world.database.read() as db:
        owner = accounts.owner(db, TELEGRAM)
    return None if world.settings.telegram_bot_token is None else owner


def _ask_owner(world: World, wish: _Wish) -> str:
    """Store a question and its message in one transaction; identical open ones are not repeated."""
    called = wish.name.upper()
    by_hand = f"furoshiki plugins set {wish.plugin} …" if wish.plugin else f"furoshiki config set {called} …"
    if wish.text is not None and not wish.secret and (secrets_in(wish.text) or len(wish.text) > LONGEST):
        long = later("{name} is too long or contains a password, so it can't be confirmed in a chat: `{by_hand}`")
        raise NotAsked(say(long, name=called, by_hand=by_hand))
    owner = _find_owner(world)
    if owner is None:
        unpaired = later("{name} needs the owner's yes in Telegram, but nobody is paired there: `{by_hand}`")
        raise NotAsked(say(unpaired, name=called, by_hand=by_hand))
    with world.database.write() as db:
        waiting = asked_settings.list_waiting(db, world.now)
        if any((one.name, one.plugin, one.value) == (wish.name, wish.plugin, wish.kept) for one in waiting):
            return say(WAITS, name=called)
        if len(waiting) >= MOST:
            many = later(
                "{name} can't be requested yet: {most} other changes are already waiting for a yes in Telegram"
            )
            raise NotAsked(say(many, name=called, most=MOST))
        token = secrets.token_hex(8)
        at = stamp(world.now)
        asked = Asked(token, wish.name, wish.kept, wish.mark, owner.chat_id, owner.external_id, at, wish.plugin)
        asked_settings.keep(db, asked, world.now)
        if wish.secret and wish.text is not None:
            keep(world.settings.data, token, wish.text, world.now)
            words = say(_ENTERED, name=called, about=wish.about)
        else:
            value = visible(wish.text or say("not set, its default")).replace("`", "'")
            words = say(_QUESTION, name=called, value=value, about=wish.about)
        row = [
            {"text": say("Yes, change it"), "data": f"setting.yes:{token}"},
            {"text": say("No"), "data": f"setting.no:{token}"},
        ]
        question = NewOutgoing(TELEGRAM, owner.chat_id, words, extra={"buttons": [row]})
        outbox.put(db, [question], world.now, None, f"setting-asked-{token}")
    return say(WAITS, name=called)


def apply_answer(world: World, token: str, yes: bool, envelope: Envelope) -> str:
    """Handle a pressed button; the shown change is made once or never. Returns a message."""
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
    drop(world.settings.data, token, world.now)
    return words


def _apply_change(world: World, asked: Asked) -> str:
    """Make the change; idempotent for the same button press. Raises FuroshikiError."""
    data = world.settings.data
    if asked.plugin:
        env_file.save(data, {asked.name: asked.value})
        return say(DONE, name=asked.name)
    if settings.describe(asked.name)["secret"]:
        secret = None if asked.value is None else get(data, asked.token, world.now)
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
    return f"{done} {say('It takes effect after restarting {what}.', what=row['restarts'])}"


FILE = "entered-secrets.json"


def keep(data: Path, token: str, secret: str, now: datetime) -> None:
    """Store a secret under the token of its question."""
    with locked(data / "run" / f"{FILE}.lock"):
        _write(data, {**_read(data, now), token: [secret, stamp(now)]})


def get(data: Path, token: str, now: datetime) -> str | None:
    """Return a secret; None when missing or expired."""
    found = _read(data, now).get(token)
    return None if found is None else found[0]


def drop(data: Path, token: str, now: datetime) -> None:
    """Delete a secret and all expired ones."""
    if not (data / "run" / FILE).exists():
        return
    with locked(data / "run" / f"{FILE}.lock"):
        _write(data, {one: kept for one, kept in _read(data, now).items() if one != token})


def _read(data: Path, now: datetime) -> dict[str, list[str]]:
    try:
        held = json.loads((data / "run" / FILE).read_text(encoding="utf-8"))
        return {token: kept for token, kept in held.items() if now - parse(kept[1]) <= OPEN}
    except (OSError, ValueError, TypeError, AttributeError, LookupError):  # missing or incomplete
        return {}


def _write(data: Path, held: dict[str, list[str]]) -> None:
    if held:
        write_text(data / "run" / FILE, json.dumps(held), mode=0o600)
    else:
        (data / "run" / FILE).unlink(missing_ok=True)
