"""The dashboard, if enabled: whether it runs and answers."""

from collections.abc import Iterator

from doctor_checks import files, processes, services
from doctor_checks.findings import Finding, note, well, wrong
from doctor_checks.look import Look

NAME = "FUROSHIKI_DASHBOARD"
ON = frozenset({"1", "true", "t", "yes", "y", "on"})  # values of the setting that mean yes
SETTLED_S = 60.0  # seconds after the brain's start from which the dashboard must run


def check(look: Look) -> Iterator[Finding]:
    """Check that it answers, once its starter has run for a minute; nothing if it is disabled."""
    if _setting(look, NAME, "off").lower() not in ON:
        return
    brain = services.running(look, "brain")
    if processes.holder(look.place.run / "dashboard.lock") is None:
        if brain is None or look.awake - brain.started < SETTLED_S:
            return
        words = "the dashboard is switched on and does not run"
        yield wrong("dashboard", words, "`furoshiki logs dashboard` says why; where it is a service, install it again")
        return
    port = _setting(look, f"{NAME}_PORT", "8330")
    host = _setting(look, f"{NAME}_HOST", "127.0.0.1")
    answered = _answers(
        "127.0.0.1" if host in ("0.0.0.0", "localhost") else "::1" if host == "::" else host, port, look
    )
    if answered in (200, 503):  # 503: brain or listener is down, which another check reports
        yield well("dashboard", "the dashboard answers")
    elif answered == 429:
        yield note("dashboard", "the dashboard answers, and is asked a great deal")
    else:
        what = "does not answer" if answered is None else f"answers {answered}"
        yield wrong("dashboard", f"the dashboard runs and {what} on port {port}", "`furoshiki logs dashboard` says why")


def _setting(look: Look, name: str, default: str) -> str:
    """Return a setting as the program finds it, the file of changed settings last."""
    changed = files.object_of(look.place.data / "memory" / "operator_settings.json")
    found = {key.upper(): value for key, value in changed.items()}.get(name)
    return look.place.settings.get(name) or (default if found is None else str(found))


def _answers(host: str, port: str, look: Look) -> int | None:
    """Return the status of /healthz; None without an answer in time."""
    import http.client  # takes 20 ms, only needed with a dashboard

    line = http.client.HTTPConnection(host, int(port) if port.isdecimal() else 0, timeout=min(2.0, look.left()))
    try:
        line.request("GET", "/healthz")
        return line.getresponse().status
    except (OSError, http.client.HTTPException):
        return None
    finally:
        line.close()
