"""The Chroma server with the vectors, if configured: whether it answers, and leftovers on old ones.

Only its heartbeat is requested. Without the server everything works, but search by meaning is
weaker.
"""

import base64
import contextlib
import http.client
import json
from collections.abc import Iterator
from urllib.parse import SplitResult, unquote, urlsplit

from doctor_checks import files
from doctor_checks.findings import Finding, note, well, wrong
from doctor_checks.look import Look
from doctor_checks.road import road

SECONDS = 2.0
PORT = 8000

TENANT = "chroma-tenant.json"
LEFT = "chroma-left.json"


def check(look: Look) -> Iterator[Finding]:
    """Check that it answers. For homes of a host, the host's doctor checks it once for all."""
    if look.place.in_host:
        return
    url = look.place.settings.get("FUROSHIKI_CHROMA_URL")
    if not url:
        yield from _left_behind(look)
        return
    if look.offline:
        return
    try:
        parts = urlsplit(url)
        where = f"{parts.scheme}://{parts.hostname}:{_port(parts)}"
        said = _asked(look, parts)
    except ValueError:  # no address: reported by the check of settings
        return
    if said is None:
        yield well("chroma", f"the Chroma server at {where} answers")
    else:
        words, fix = said
        yield wrong("chroma", f"the Chroma server at {where} {words}: vectors are looked up in the database", fix)


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _asked(look: Look, parts: SplitResult) -> tuple[str, str] | None:
    """Return what is wrong and the fix; None if it answers."""
    kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    with contextlib.closing(kind(parts.hostname or "", _port(parts), timeout=min(SECONDS, look.left()))) as line:
        try:
            there = road(look.place)
            address = f"{parts.scheme}://{_bracketed(parts.hostname or '')}:{_port(parts)}"
            line._create_connection = lambda _there, seconds, _source: there.connect(address, seconds)  # type: ignore[attr-defined]
            line.request("GET", f"{parts.path.rstrip('/')}/api/v2/heartbeat", headers=_headers(look, parts))
            answer = line.getresponse()
            known = b"heartbeat" in answer.read(10_000)
        except TimeoutError:
            return "does not answer in time", "see whether its machine is busy, or restart it"
        except (OSError, http.client.HTTPException) as error:
            why = getattr(error, "strerror", None) or type(error).__name__
            return f"cannot be reached ({why})", "start it, or correct FUROSHIKI_CHROMA_URL"
    if answer.status in (401, 403):
        return (
            f"lets nobody in ({answer.status})",
            "correct FUROSHIKI_CHROMA_TOKEN, or user and password in the address",
        )
    if answer.status != 200 or not known:
        return f"is none of version 1 or newer ({answer.status})", "correct FUROSHIKI_CHROMA_URL, or upgrade the server"
    return None


def _left_behind(look: Look) -> Iterator[Finding]:
    """Report vectors on a server that is no longer configured."""
    tenants = [str(files.object_of(look.place.run / TENANT).get("tenant", ""))]
    with contextlib.suppress(OSError, ValueError):
        tenants += [str(one) for one in json.loads((look.place.data / LEFT).read_text(encoding="utf-8"))]
    for tenant in filter(None, tenants):
        words = f"vectors lie on a Chroma server that is not named any more (tenant {tenant})"
        fix = f"name it in FUROSHIKI_CHROMA_URL again, or remove its files and then {TENANT} in run/, or {LEFT}"
        yield note(f"chroma.{tenant}", words, fix)


def _headers(look: Look, parts: SplitResult) -> dict[str, str]:
    found = {"user-agent": "furoshiki"}
    if token := look.place.settings.get("FUROSHIKI_CHROMA_TOKEN"):
        found |= {"authorization": f"Bearer {token}", "x-chroma-token": token}
    if parts.username:
        pair = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
        found["authorization"] = f"Basic {base64.b64encode(pair.encode()).decode()}"
    return found


def _port(parts: SplitResult) -> int:
    return parts.port or (443 if parts.scheme == "https" else PORT)
