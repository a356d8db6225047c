"""Settings of plugins: PLUGIN_<PLUGIN>_<NAME> in `.env`; each plugin gets its own only."""

from pathlib import Path

from furoshiki.core import env_file
from furoshiki.core.errors import BadSetting
from furoshiki.core.settings import PLUGIN_PREFIX, of_others
from furoshiki.extensions.plugins.rules import names
from furoshiki.extensions.plugins.values import Manifest

PASSWORD = "PASSWORD"
MAIL_SERVERS = ("IMAP", "SMTP")  # settings of a mail plugin, besides ADDRESS and USER


def values(data: Path, manifest: Manifest) -> dict[str, str]:
    """Return a plugin's settings with defaults, by manifest name. Raises BadSetting."""
    found = {setting.name: setting.default for setting in manifest.settings} | set_values(data, manifest)
    return {name: value for name, value in found.items() if value}


def told_values(data: Path, manifest: Manifest) -> dict[str, str]:
    """Return the settings that a run may see, without a mailbox password. Raises BadSetting."""
    mail = manifest.permissions.read_mail or manifest.permissions.send_mail
    return {name: value for name, value in values(data, manifest).items() if not (mail and name == PASSWORD)}


def set_values(data: Path, manifest: Manifest) -> dict[str, str]:
    """Return the settings in `.env` without defaults, by manifest name. Raises BadSetting."""
    held = of_others(data, PLUGIN_PREFIX)
    found = {setting.name: held.get(names.env_name(manifest.name, setting.name), "") for setting in manifest.settings}
    return {name: value for name, value in found.items() if value}


def secrets_travel(data: Path, manifest: Manifest, name: str) -> bool:
    """Return whether secrets are sent to the address in this setting. Raises BadSetting."""
    there = set_values(data, manifest)
    others = [
        setting.name
        for setting in manifest.settings
        if setting.secret and setting.name in there and setting.name != name
    ]
    may = manifest.permissions
    there_too = name in MAIL_SERVERS and (may.read_mail or may.send_mail)
    return (there_too or f"setting:{name}" in may.network) and bool(others)


def list_inherited(data: Path, manifest: Manifest, before: Manifest | None) -> list[str]:
    """Return the names in `.env` that a plugin would inherit, except those of version `before`."""
    own = {names.env_name(before.name, setting.name) for setting in before.settings} if before is not None else set()
    asked = {names.env_name(manifest.name, setting.name) for setting in manifest.settings}
    return sorted((asked - own) & {name for name, value in of_others(data, PLUGIN_PREFIX).items() if value})


def describe_missing(data: Path, manifest: Manifest) -> list[str]:
    """Return what to do about missing required settings, in words."""
    there = values(data, manifest)
    return [
        f"it needs {setting.name} ({setting.about}): `furoshiki plugins set {manifest.name} {setting.name} VALUE`"
        for setting in manifest.settings
        if setting.required and setting.name not in there
    ]


def put(data: Path, manifest: Manifest, name: str, value: str | None) -> str:
    """Set one (None: remove); returns its name in `.env`. Raises BadSetting for an unknown one."""
    known = {setting.name.upper(): setting for setting in manifest.settings}
    if name.upper() not in known:
        there = f"there are {', '.join(known)}" if known else "it has none"
        raise BadSetting(f"{manifest.name} has no setting {name!r}; {there}")
    called = names.env_name(manifest.name, known[name.upper()].name)
    env_file.save(data, {called: value})
    return called
