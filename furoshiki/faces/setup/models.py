"""The third step: the choice of a model, which is tried with one real call before it is saved."""

import asyncio
import difflib
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from furoshiki.core.catalogue import later, say
from furoshiki.core.network import providers
from furoshiki.core.network.addresses import without_secrets
from furoshiki.core.network.providers import ProviderSpec, Suggested
from furoshiki.faces.cli import context
from furoshiki.faces.setup import rules
from furoshiki.faces.setup.asking import Asking
from furoshiki.faces.setup.session import Result, Session, understood
from furoshiki.models.choosing import model_choice, model_servers, monthly_cost, trial
from furoshiki.models.choosing.model_choice import DECIDING, NAMES, NONE, Chosen, with_values
from furoshiki.models.choosing.model_servers import LEAST_WINDOW, NotPulled, Server
from furoshiki.models.llm import catalogue as catalogues
from furoshiki.models.llm import local_gguf
from furoshiki.models.llm.plans import VARIABLES

NAME = "model"

REFLEX = "local:reflex"
BUILT_IN = later(
    "The built-in mind will answer: it remembers, keeps lists and reminds you, but it's open "
    "about needing a model for real conversation."
)
LATER = later("Run `furoshiki setup --provider anthropic` (or another) when you want a model.")
TRYING = later("Asking it to say hello …")
TRYING_FULLY = later("Asking it to say hello, call a skill, fill in a form and look at a picture …")
AGAIN = later("None of this was saved; run `furoshiki setup` again.")


def run(session: Session) -> Result:
    """Choose a provider and a model, try it, and say what it would cost."""
    settings, given = session.settings(), session.given
    fixed = next(
        (words for name in (*VARIABLES.values(), *DECIDING) if (words := session.fixed(name)) is not None), None
    )
    before = trial.prospect(settings, session.now())
    has_model = before.answering["chat"] != REFLEX
    flags = any((given.provider, given.model, given.key, given.base_url))
    fate = session.fate(NAME, f"  {_describe_answers(before)}" if has_model else None, given=flags)
    if fixed is not None:
        return Result("kept", _describe_answers(before), fixed, {"models": dict(before.answering)})
    if fate == "keep":
        return Result("kept", _describe_answers(before), facts={"models": dict(before.answering)})
    if fate == "reset":
        session.save(dict.fromkeys(NAMES))
        if not flags and session.asking is None:
            return Result("done", say(BUILT_IN), say(LATER))
    if flags:
        return _try_choice(session, _from_flags(session))
    if session.asking is None:
        return Result("left out", say(BUILT_IN), say(LATER))
    return _ask_server(session, session.asking)


def _from_flags(session: Session) -> Chosen:
    """Return the choice made by flags. Raises Misused for an impossible one."""
    given, values = session.given, session.settings().model_values()
    key = None if given.key is None else understood(given.key, rules.key, "--key-file")
    base_url = None if given.base_url is None else understood(given.base_url, rules.address, "--base-url")
    provider = understood(given.provider or _guess_server(given.model, base_url, key), _provider, "--provider")
    model = given.model
    if model is not None and _has_prefix(model):
        model = model.partition(":")[2]
    if provider == NONE:
        return Chosen(NONE)
    spec = providers.find(provider)
    if key is None and spec.keys_at:
        key = values[spec.key_setting]
        if not key and base_url is None:
            keyless = later("{flag} needs a key: pass it with --key-file FILE (or -)")
            raise context.Misused(say(keyless, flag=f"--provider {provider}"))
    server = model_servers.look(spec, base_url or spec.answers_at(values), key)
    if server is not None:
        base_url = _unlike(spec, server.address)
        model = model or next((one.name for one in server.models), None)
        missing = given.pull and model is not None and model not in [one.name for one in server.models]
        if missing and not fetch_model(session, server, str(model)):
            failed = later("{model} couldn't be downloaded: run `ollama pull {model}` to see why")
            raise context.Misused(say(failed, model=model))
    if model is None and spec.here and spec.by_net:
        silent = later("no {server} with a model is answering at {address}: start it, or use --pull --model NAME")
        raise context.Misused(say(silent, server=spec.title, address=base_url or spec.address))
    if model is None and (not spec.models or base_url is not None):
        raise context.Misused(say("{flag} needs {other}", flag=f"--provider {provider}", other="--model"))
    if base_url is None and spec.by_net and not spec.address:
        raise context.Misused(say("{flag} needs {other}", flag=f"--provider {provider}", other="--base-url"))
    if not spec.by_net:
        model = _file(understood(model or "", rules.gguf, "--model"))
    return Chosen(provider, key, base_url, model)


def _unlike(spec: ProviderSpec, address: str) -> str | None:
    """Return an address for the settings: None if it is the provider's own."""
    return None if address == spec.address else address


def _guess_server(model: str | None, base_url: str | None, key: str | None) -> str:
    if base_url is not None:
        return model_servers.at(base_url, key).spec.name
    if model is not None and model.endswith(".gguf"):
        return "local"
    if model is not None and _has_prefix(model):
        return model.partition(":")[0]
    every = "|".join((*providers.names(), NONE))
    raise context.Misused(say("name the model's provider: {flag}", flag=f"--provider {every}"))


def _has_prefix(model: str) -> bool:
    return model.partition(":")[0] in providers.names() and ":" in model


def _provider(text: str) -> str | rules.Wrong:
    every = (*providers.names(), NONE)
    bare = {"gguf": "local"}.get(text.strip().lower(), text.strip().lower())
    if bare in every:
        return bare
    near = difflib.get_close_matches(bare, every, 1, 0.5)
    if near:
        return rules.Wrong(say("“{typed}” isn't an option: did you mean {near}?", typed=text, near=near[0]))
    return rules.Wrong(say("“{typed}” isn't an option: choose from {every}", typed=text, every=", ".join(every)))


def _ask_server(session: Session, asking: Asking) -> Result:
    servers = {server.spec.name: server for server in model_servers.here(session.settings().model_values())}
    while True:
        options = _options(servers)
        answer = asking.one_of(f"  {say('Which provider')}", options, next(iter(servers), NONE))
        chosen = Chosen(NONE) if answer == NONE else _details(session, asking, providers.find(answer), servers)
        if chosen is None:
            continue
        result = _try_choice(session, chosen)
        if result.state != "failed":
            return result
        session.say(f"  {result.words}")
        if not asking.yes(f"  {say('Choose again?')}"):
            return result


def _options(servers: Mapping[str, Server]) -> dict[str, str]:
    found = {name: _offer(server) for name, server in servers.items()}
    others = {spec.name: say(spec.about) for spec in providers.PROVIDERS if not (spec.by_net and spec.here)}
    return found | others | {NONE: say("only the built-in mind: free, and simple")}


def _offer(server: Server) -> str:
    names = ", ".join(model.name for model in server.models[:3]) or say("no model yet")
    address = without_secrets(server.address)
    return say("{server} at {address} ({models}): free", server=server.spec.title, address=address, models=names)


def _details(session: Session, asking: Asking, spec: ProviderSpec, servers: Mapping[str, Server]) -> Chosen | None:
    """Ask for what a provider needs; None: back to the list."""
    if not spec.by_net:
        name = asking.value(f"  {say('Model file (path, or its name in models/)')}", rules.gguf)
        return Chosen(spec.name, model=_file(name))
    if spec.keys_at:
        session.say(f"  {say('Create a key at {address}', address=spec.keys_at)}")
        key = asking.secret(f"  {say('Key (paste it)')}", rules.key)
        return None if key is None else Chosen(spec.name, key)
    server, key = servers.get(spec.name), None
    if server is None:
        asked = say("Its address, like {like}", like="http://192.168.1.20:8000/v1")
        address = asking.value(f"  {asked}", rules.address)
        key = asking.secret(f"  {say('Key (just Enter: none)')}", rules.key)
        server = model_servers.at(address, key)
        if server.spec != spec:
            session.say(f"  {say('{server} is answering there.', server=server.spec.title)}")
    model = choose_model(session, asking, server)
    return None if model is None else Chosen(server.spec.name, key, _unlike(server.spec, server.address), model)


def _file(name: str) -> str:
    """Return a model file by its name in models/, or its absolute path."""
    here = Path(name).expanduser()
    return str(here.absolute()) if here.is_file() else name


def _try_choice(session: Session, chosen: Chosen) -> Result:
    """Try a choice, and save it if it answers, or if it could not be reached."""
    settings = session.settings()
    catalogue = catalogues.load(session.data / "config" / "models.toml")
    values = model_choice.settings_for(chosen, settings.model_values(), catalogue)
    would_be = with_values(settings, values)
    prospect = trial.prospect(would_be, session.now())
    if chosen.provider == NONE:
        session.save(values)
        return Result("done", say(BUILT_IN), facts={"models": dict(prospect.answering)})
    fault = local_gguf.fault(chosen.model or "", session.data / "models") if chosen.provider == "local" else None
    if fault is not None:
        return Result("failed", f"{fault[0].upper()}{fault[1:]}.", say("Then run `furoshiki setup` again."))
    own = providers.find(chosen.provider).by_net and not providers.find(chosen.provider).keys_at
    session.say(f"  {say(TRYING_FULLY if own else TRYING)}")
    tried = asyncio.run(trial.ask(would_be, session.database, session.now, fully=own))
    if tried.answer is None and not tried.away:
        return Result("failed", tried.why, say(AGAIN))
    session.save(values)
    monthly = [monthly_cost.monthly(day, prospect.cost) for day in monthly_cost.days()]
    costs = [
        {"messages_a_day": one.day.messages, "usd": round(one.usd, 2), "uncached_usd": round(one.uncached_usd, 2)}
        for one in monthly
    ]
    facts: dict[str, Any] = {"models": dict(prospect.answering), "monthly": costs}
    if tried.answer is None:
        words = say("Saved without checking: {why}", why=tried.why)
        return Result("done", words, say("Run `furoshiki config check` to see when it answers."), facts)
    answer = tried.answer
    price = say("free") if answer.cost_usd == 0 else f"{'≈ ' * tried.price_guessed}${answer.cost_usd:.5f}"
    session.say(f"  “{' '.join(answer.text.split())}”")
    session.say(f"  {answer.provider}:{answer.model}, {answer.latency_s:.1f} s, {price}")
    for line in _describe_costs(monthly):
        session.say(f"  {line}")
    facts |= {"answer": answer.text, "latency_s": round(answer.latency_s, 2), "cost_usd": answer.cost_usd}
    if tried.abilities is not None:
        session.say(f"  {tried.abilities.in_words}")
        facts["abilities"] = asdict(tried.abilities)
    facts["window"], small = _window(session, chosen)
    return Result("done", f"{say('It works.')} {_describe_answers(prospect)}", small, facts)


def _window(session: Session, chosen: Chosen) -> tuple[int, str | None]:
    """Return the context window in tokens as the server runs it (0: unknown), which is stored, and
    what to do if it is too small."""
    spec = providers.find(chosen.provider)
    server = Server(spec, chosen.base_url or spec.address)
    window = server.window(chosen.model or "")
    if window:
        trial.keep_window(session.database, f"{spec.name}:{chosen.model}", window, session.now())
    return window, too_small(server, window)


def _describe_answers(prospect: trial.Prospect) -> str:
    if prospect.answering["chat"] == REFLEX:
        return say("The built-in mind answers.")
    return say("Which model does what: {models}.", models=model_choice.tiers_in_words(prospect.answering))


def _describe_costs(monthly: Sequence[monthly_cost.Monthly]) -> list[str]:
    if all(one.uncached_usd == 0 for one in monthly):
        return [say("It only costs electricity.")]
    estimated = later(
        "Estimated from the tokens of simulated weeks, background work included, at today's "
        "prices; the lower figure applies if repeated text is read from the provider's cache. "
        "The budget below is the limit that counts."
    )
    return [*map(monthly_cost.in_words, monthly), say(estimated)]


TO_FETCH = later("The download suggestions go by figures others published; nothing was measured here.")
SMALL = later(
    "The way it's running now, it reads {window} tokens at once, but skills, memories and a "
    "conversation together need at least {least}: {wider}, then run `furoshiki setup` again."
)


def choose_model(session: Session, asking: Asking, server: Server) -> str | None:
    """Return the name of a model, downloaded first if necessary; None: back to the list."""
    there = {model.name: model.about for model in server.models}
    which = f"  {say('Which model')}"
    to_fetch = {one.model: one for one in server.spec.suggested if one.model not in there}
    if not server.spec.suggested:
        if not there:
            return asking.value(which, lambda text: rules.parse_model(text, ()))
        known = list(there)
        session.say(f"  {', '.join(_describe_models(there))}")
        return asking.value(which, lambda text: rules.parse_model(text, known), known[0])
    if to_fetch:
        session.say(f"  {say(TO_FETCH)}")
    offered = there | {name: say("to download, {about}", about=_about(one)) for name, one in to_fetch.items()}
    first = next(iter(there), None) or suggest_model(tuple(to_fetch.values()))
    name = asking.one_of(which, offered, first)
    if name in there:
        return name
    if not asking.yes(f"  {say('Download {gb:g} GB now?', gb=to_fetch[name].size_gb)}"):
        return None
    return name if fetch_model(session, server, name) else None


def suggest_model(some: tuple[Suggested, ...]) -> str:
    """Return the largest model that fits this machine's memory, else the smallest."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9
    ordered = sorted(some, key=lambda one: one.memory_gb)
    return next((one.model for one in reversed(ordered) if one.memory_gb <= memory * 1.1), ordered[0].model)


def fetch_model(session: Session, server: Server, name: str) -> bool:
    """Let a server download a model, with a progress bar; on failure say why and return False."""
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("  {task.description}"), BarColumn(), DownloadColumn(), TimeRemainingColumn())
    try:
        with Progress(*columns, console=Console(file=sys.stderr), disable=not sys.stderr.isatty()) as bar:
            task = bar.add_task(name, total=None)
            for state, done, total in model_servers.pull(server.root, name):
                bar.update(task, description=f"{name}: {state}", completed=done, total=total or None)
    except NotPulled as error:
        session.say(f"  {say('{name} was not downloaded: {why}.', name=name, why=error)}")
        return False
    session.say(f"  {say('{name} is ready.', name=name)}")
    return True


def too_small(server: Server, window: int) -> str | None:
    """Say how to widen a too small context window; None if it is large enough or unknown."""
    if not 0 < window < LEAST_WINDOW:
        return None
    wider = say(server.spec.wider or later("start it with a longer context"))
    return say(SMALL, window=window, least=LEAST_WINDOW, wider=wider)


def _about(one: Suggested) -> str:
    return say("{gb:g} GB, for {memory} GB of memory", gb=one.size_gb, memory=one.memory_gb) + f": {one.measure}"


def _describe_models(there: dict[str, str]) -> list[str]:
    shown = [f"{name} ({about})" if about else name for name, about in list(there.items())[:8]]
    return [*shown, "…"] if len(there) > 8 else shown
