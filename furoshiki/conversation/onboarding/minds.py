"""Show the answering model and its alternatives with costs, and change it by button or key.

A key never appears as text: it is held in memory (`furoshiki.messages.withheld`) until tested, then
written to `.env` as by the set-up. It applies to the next message, without a restart.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from furoshiki.core import env_file
from furoshiki.core import settings as all_settings
from furoshiki.core.catalogue import later, say, words
from furoshiki.core.network import keys, providers
from furoshiki.core.network.providers import ProviderSpec
from furoshiki.core.paths import host_of
from furoshiki.core.settings import Settings
from furoshiki.language.humanize import join_items, shorten
from furoshiki.maintenance import operator_settings
from furoshiki.messages import withheld
from furoshiki.messages.channels import TELEGRAM
from furoshiki.messages.values import Envelope, Words
from furoshiki.models.choosing import model_choice, model_servers, monthly_cost, trial
from furoshiki.models.choosing.model_choice import Chosen
from furoshiki.models.choosing.model_servers import LEAST_WINDOW, Server
from furoshiki.models.choosing.monthly_cost import Monthly
from furoshiki.models.choosing.trial import Tried
from furoshiki.models.llm import catalogue
from furoshiki.models.llm.plans import REFLEX, VARIABLES
from furoshiki.world import World

BUTTON, VERB = "mind", "with"
# button values; all others are a local server with one of its models
KEY, NONE, LEAVE, SKIP, HELD, DROP, OF = "key", "none", "leave", "skip", "held", "drop", "of-"

IN_A_ROW = 2
MOST_MODELS = 3  # maximum models shown of a server
ELSEWHERE = ("environment", "systemd credential")  # sources of settings that override `.env`
REFUSED = words("refused")  # messages about a rejected key, by reason; it is then discarded


@dataclass(frozen=True)
class Said:
    """The outcome of a choice: a text, whether a choice was made, and the changed settings."""

    words: Words
    settled: bool = False
    settings: Settings | None = None


def question(world: World, *, skips: bool = False) -> Words:
    """Return the answering model, local alternatives and monthly costs, with buttons. Searching for
    servers takes a second or more."""
    prospect = trial.prospect(world.settings, world.now)
    answers = prospect.answering["chat"] != str(REFLEX)
    there = _servers(world)
    lines = [
        _describe_mind(prospect) if answers else say(_NOBODY),
        *map(_describe_server, there),
        _prices(world),
        say(_WHICH),
    ]
    rows = [
        [_button(f"{server.spec.title}: {each}", f"{server.spec.name}/{each}")]
        for server in there
        for each in _models(server)
    ]
    rows.append([_button(say("I'll send you a key"), KEY)])
    if skips:
        rows.append([_button(say("None for now"), LEAVE), _button(say("Skip"), SKIP)])
    elif answers:
        rows += [[_button(say("Only the built-in mind"), NONE)], [_button(say("Leave as is"), LEAVE)]]
    else:
        rows.append([_button(say("None for now"), LEAVE)])
    return Words("\n\n".join(lines), {"buttons": rows})


async def handle_choice(world: World, value: str, envelope: Envelope) -> Said | None:
    """Handle a button; None when its server is gone."""
    match value:
        case "key":
            return _asks(world)
        case "leave" | "skip" | "drop":
            with world.database.write() as db:
                withheld.over(db)
            world.withheld.take(_chat(envelope), world.now)
            said = {LEAVE: later("Good. Use /mind to change that any time."), DROP: later("Good, I forgot the key.")}
            return Said(Words(say(said[value]) if value in said else ""), value != DROP)
        case "none":
            if (fixed := _find_obstacle(world, None)) is not None:
                return Said(Words(fixed))
            _save(world, Chosen(model_choice.NONE))
            return Said(Words(say("From now on only the built-in mind answers. /mind gives me a model again.")), True)
        case _ if value == HELD or value.startswith(OF):
            key = world.withheld.take(_chat(envelope), world.now)
            if key is None:
                return _ask_again(world, envelope)
            return await _try_key(world, key, value.removeprefix(OF), envelope)
    whose, _, wanted = value.partition("/")
    server = next((one for one in await asyncio.to_thread(_servers, world) if one.spec.name == whose), None)
    model = next((one for one in _models(server) if one.startswith(wanted)), None) if server is not None else None
    if server is None or model is None:
        return None
    address = None if server.address == server.spec.address else server.address
    return await _try_choice(world, Chosen(whose, base_url=address, model=model))


async def handle_key(world: World, envelope: Envelope) -> Said:
    """Handle a message that is a key: test it if requested, else offer to."""
    gone = f"{say(_GONE)} " if envelope.channel == TELEGRAM and envelope.private else ""
    if world.who.standing != "owner":
        return Said(
            Words(f"{say('That looks like a key. I do not keep any of it; do not give it to anyone.')} {gone}".strip())
        )
    key = world.withheld.take(envelope.external_id, world.now)
    if key is None:
        return _ask_again(world, envelope)
    with world.database.read() as db:
        asked = withheld.find_awaited(db, world.now)
    if asked == withheld.KEY:
        return await _try_key(world, key, keys.whose(key) or "", envelope)
    whose = keys.whose(key)
    if whose is None:
        return _whose(world, key, envelope, f"{say('That looks like a key.')} {gone}")
    world.withheld.keep(_chat(envelope), key, world.now)
    spec = providers.find(whose)
    is_one = say("That key is from {provider}.", provider=spec.title)
    shall = say(
        "I'll keep it until you decide. Should I think with it? {cost}",
        cost=_cost(_month(_with_key(world, spec), world)),
    )
    row = [_button(say("Yes, try it"), HELD), _button(say("No"), DROP)]
    return Said(Words(f"{is_one} {gone}{shall}", {"buttons": [row]}))


def _asks(world: World) -> Said:
    if (fixed := _find_obstacle(world, None)) is not None:
        return Said(Words(fixed))
    with world.database.write() as db:
        withheld.ask(db, world.now)
    places = [f"• {spec.title}: {spec.keys_at}" for spec in _list_keyed_providers()]
    asked = say(
        "Send me the key in a message of its own. I'll see whose it is, delete the message from "
        "this chat, try the key, and keep it only in {file}, which only you can read. You can "
        "create keys here:",
        file=f"`{world.settings.data / '.env'}`",
    )
    return Said(Words("\n".join([asked, *places]), {"buttons": [[_button(say("Not now"), LEAVE)]]}))


async def _try_key(world: World, key: str, whose: str, envelope: Envelope) -> Said:
    whose = (keys.whose(key) or "") if whose == HELD else whose
    spec = next((one for one in _list_keyed_providers() if one.name == whose), None)
    return _whose(world, key, envelope) if spec is None else await _try_choice(world, Chosen(spec.name, key))


def _whose(world: World, key: str, envelope: Envelope, before: str = "") -> Said:
    world.withheld.keep(_chat(envelope), key, world.now)
    each = [_button(spec.title, f"{OF}{spec.name}") for spec in _list_keyed_providers()]
    rows = [each[at : at + IN_A_ROW] for at in range(0, len(each), IN_A_ROW)]
    asked = say("Whose key is it? Then I try it.")
    return Said(Words(f"{before}{asked}", {"buttons": [*rows, [_button(say("No"), DROP)]]}))


def _ask_again(world: World, envelope: Envelope) -> Said:
    if envelope.channel != TELEGRAM:
        return Said(Words(say("I don't keep keys typed here. Send it to me in Telegram, or run `furoshiki setup`.")))
    with world.database.write() as db:
        withheld.ask(db, world.now)
    return Said(
        Words(say("I don't have that key: I keep one for ten minutes, and not across a restart. Please send it again."))
    )


async def _try_choice(world: World, choice: Chosen) -> Said:
    spec = providers.find(choice.provider)
    if (fixed := _find_obstacle(world, spec)) is not None:
        return Said(Words(fixed))
    would_be = _would_be(world, choice)
    tried = await trial.ask(would_be, world.database, world.clock.now, fully=not spec.keys_at)
    if tried.answer is None:
        return _in_vain(world, choice, tried)
    _save(world, choice)
    with world.database.write() as db:
        withheld.over(db)
    parts = [
        say("It says: “{words}”", words=shorten(tried.answer.text)),
        say(
            "From now on I think with {model} ({provider}), without a restart.",
            model=tried.answer.model,
            provider=spec.title,
        ),
        _cost(_month(would_be, world)),
        *_describe_gaps(tried),
        _window(world, choice),
    ]
    return Said(Words(" ".join(filter(None, parts))), True, would_be)


def _in_vain(world: World, choice: Chosen, tried: Tried) -> Said:
    """Explain why a model did not answer; nothing is stored."""
    spec = providers.find(choice.provider)
    kind = "network" if tried.away else str(tried.failed)
    if not spec.keys_at:
        did_not = later("{server} did not answer with {model}: {why}")
        return Said(Words(say(did_not, server=spec.title, model=choice.model, why=tried.why)))
    with world.database.write() as db:
        withheld.ask(db, world.now)
    other = later("{provider} did not answer properly, so I kept nothing: {why}")
    words = say(REFUSED.get(kind, other), provider=spec.title, where=spec.keys_at, why=tried.why)
    return Said(Words(words, {"buttons": [[_button(say("Not now"), LEAVE)]]}))


def _save(world: World, choice: Chosen) -> None:
    """Store a choice as the set-up does, removing overriding settings from the web pages."""
    settings = world.settings
    values = _values(world, choice)
    env_file.save(settings.data, values)
    given = all_settings.effective(data=settings.data)
    for name in VARIABLES.values():
        if given.get(name.lower(), ("", ""))[1] == all_settings.PAGES and not values[name]:
            operator_settings.change(settings.data, name.lower(), None)


def _values(world: World, choice: Chosen) -> model_choice.Values:
    known = catalogue.load(world.settings.data / "config" / "models.toml")
    return model_choice.settings_for(choice, world.settings.model_values(), known)


def _would_be(world: World, choice: Chosen) -> Settings:
    return model_choice.with_values(world.settings, _values(world, choice))


def _with_key(world: World, spec: ProviderSpec) -> Settings:
    """Return the settings with a key of a provider, to estimate its cost."""
    return _would_be(world, Chosen(spec.name, "key"))


def _find_obstacle(world: World, spec: ProviderSpec | None) -> str | None:
    """Return why a choice would have no effect; None when it has."""
    given = all_settings.effective(data=world.settings.data)
    names = [*VARIABLES.values(), *model_choice.DECIDING]
    if spec is not None and spec.keys_at:
        names += [spec.key_setting, *([spec.address_setting] if spec.door == "openai" else [])]
    name = next((one for one in names if given.get(one.lower(), ("", ""))[1] in ELSEWHERE), None)
    before = later("{name} is set where I am started, and that overrides what I write: change it there.")
    return None if name is None else say(before, name=name)


def _list_keyed_providers() -> Sequence[ProviderSpec]:
    return [spec for spec in providers.PROVIDERS if spec.keys_at]


def _servers(world: World) -> list[Server]:
    """Return the local model servers; none on a host's machine."""
    return [] if host_of(world.home) is not None else model_servers.here(world.settings.model_values())


def _describe_gaps(tried: Tried) -> list[str]:
    """Describe what a local model cannot do."""
    can = tried.abilities
    if can is None:
        return []
    tools = later("It can't use tools: I still keep reminders and lists, but can't look anything up with it.")
    lacks = ((can.skills, tools), (can.pictures, later("It sees no pictures.")))
    return [say(words) for does, words in lacks if not does]


def _window(world: World, choice: Chosen) -> str:
    """Store a local model's context window; return advice if it is too small."""
    spec = providers.find(choice.provider)
    if spec.keys_at:
        return ""
    window = Server(spec, choice.base_url or spec.address).window(choice.model or "")
    if window:
        trial.keep_window(world.database, f"{spec.name}:{choice.model}", window, world.now)
    if not 0 < window < LEAST_WINDOW:
        return ""
    little = later("It only reads {window} tokens at once, and a good talk needs at least {least}: {wider}.")
    return say(little, window=window, least=LEAST_WINDOW, wider=spec.wider)


def _month(settings: Settings, world: World) -> Monthly:
    """Return the monthly cost of busy days with these settings."""
    return monthly_cost.monthly(monthly_cost.days()[-1], trial.prospect(settings, world.now).cost)


def _cost(found: Monthly) -> str:
    if found.uncached_usd == 0:
        return say("It only costs electricity.")
    cost = later("A month costs about {usd}, at {number} messages a day.")
    return say(cost, usd=monthly_cost.in_dollars(found), number=f"{found.day.messages:g}")


def _prices(world: World) -> str:
    each = {spec.title: _month(_with_key(world, spec), world) for spec in _list_keyed_providers()}
    number = next(iter(each.values())).day.messages
    prices = ", ".join(f"{title} {monthly_cost.in_dollars(found)}" for title, found in each.items())
    return say(
        "With a key, a month of {number} messages a day costs about: {prices}.", number=f"{number:g}", prices=prices
    )


def _describe_mind(prospect: trial.Prospect) -> str:
    ref = prospect.refs["chat"]
    now = say("I think with {model} ({provider}).", model=ref.model, provider=ref.spec.title)
    return f"{now} {_cost(monthly_cost.monthly(monthly_cost.days()[-1], prospect.cost))}"


def _describe_server(server: Server) -> str:
    if server.models:
        there = later("{server} is running on this machine with {model}: free, and nothing you say leaves it.")
        return say(there, server=server.spec.title, model=join_items(_models(server)))
    bare = later("{server} is running on this machine, without a model yet. Run {command} there to get one.")
    model = next((one.model for one in server.spec.suggested), "MODEL")
    return say(bare, server=server.spec.title, command=f"`ollama pull {model}`")


def _models(server: Server) -> list[str]:
    """Return a server's models to show, largest first."""
    return [model.name for model in server.models[:MOST_MODELS]]


def _chat(envelope: Envelope) -> str:
    """Return the name under which a key waits for a button."""
    return f"{envelope.channel} {envelope.chat_id}"


def _button(text: str, value: str) -> dict[str, Any]:
    return {"text": text, "data": f"{BUTTON}.{VERB}:{value}"}


_NOBODY = later(
    "No language model answers for me yet. Without one I listen, remember, remind you and keep "
    "lists; to really talk, I need one."
)
_WHICH = later("Which one should I think with?")
_GONE = later("I deleted the message from this chat.")
