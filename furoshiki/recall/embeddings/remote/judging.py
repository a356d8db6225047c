"""Check settings, answers and connection errors of a remote encoder."""

import ssl
from pathlib import Path

from furoshiki.core.errors import BadSetting, NotConfigured
from furoshiki.core.network import outbound
from furoshiki.core.network.proxies import NoRoad
from furoshiki.recall.embeddings.remote.wire import PROTOCOL

AWAY = "the encoder at {at} {what}"
SLOW = "did not answer in time: see how busy that machine is, and how far away"
UNREACHED = "cannot be reached ({why}): see whether `furoshiki encoder serve` runs there, and FUROSHIKI_MEMORYD_URL"
NOT_YET = "has not answered yet"
EXPIRED = (
    "has a certificate that has expired: make a new one there (docs/hosting.md), and copy it here if it is its own"
)
NOT_YET_VALID = "has a certificate that does not hold yet: see whether the clocks of both machines are right"
UNTRUSTED = (
    "has a certificate that nothing here vouches for: copy certificate.pem from there, and name "
    "it in FUROSHIKI_MEMORYD_CA"
)
OTHER_NAME = "has a certificate for another name: make one for the name in FUROSHIKI_MEMORYD_URL (docs/hosting.md)"
NO_TLS = "does not speak TLS as it should ({why}): see FUROSHIKI_MEMORYD_URL and the certificate there"
TOKEN = "does not know the token: `furoshiki encoder token NAME` there makes one, to be set as FUROSHIKI_MEMORYD_TOKEN"
VERSION = "speaks version {theirs}, this side {ours}: bring both machines to the same version of Furoshiki"
STRANGER = "is something else than Furoshiki's encoder (status {status}): correct FUROSHIKI_MEMORYD_URL"
NONSENSE = "gave an answer that is none: see its log, and bring both machines to the same version of Furoshiki"
BUSY = "has too much to do (status {status})"
OTHER = "has become another one ({now}, not {before})"

_CERTIFICATES = {9: NOT_YET_VALID, 10: EXPIRED, 18: UNTRUSTED, 19: UNTRUSTED, 20: UNTRUSTED, 21: UNTRUSTED}
_CERTIFICATES |= {62: OTHER_NAME, 64: OTHER_NAME}
"""Messages by OpenSSL's codes for refused certificates."""

NO_TOKEN = (
    "FUROSHIKI_MEMORYD_URL is set, and FUROSHIKI_MEMORYD_TOKEN is not: `furoshiki encoder token "
    "NAME` on that machine makes one"
)
NO_SUCH_TOKEN = "FUROSHIKI_MEMORYD_TOKEN is no token: copy it again, it is of letters, digits, - and _"
NO_CA = "FUROSHIKI_MEMORYD_CA={path} cannot be read as certificates: name certificate.pem of the encoder's machine"


class Failed(Exception):
    """An exchange that did not work out: `words` say why. `ours` is to be mended by somebody, and not by waiting."""

    def __init__(self, words: str, ours: bool = False, passing: bool = False) -> None:
        super().__init__(words)
        self.words, self.ours, self.passing = words, ours, passing


def check(address: str, token: str | None, authority: Path | None) -> ssl.SSLContext | bool:
    """Return how to verify the certificate (True: no TLS). Raises NotConfigured or BadSetting."""
    if not token:
        raise NotConfigured(NO_TOKEN)
    if not token.isascii() or not token.isprintable() or " " in token:
        raise BadSetting(NO_SUCH_TOKEN)
    if address.startswith("http:"):
        return True
    try:
        return (
            outbound.road().certificates() if authority is None else ssl.create_default_context(cafile=str(authority))
        )
    except NoRoad as error:
        raise BadSetting(str(error)) from None
    except (OSError, ssl.SSLError) as error:
        raise BadSetting(NO_CA.format(path=authority)) from error


def judge(status: int, theirs: str | None) -> None:
    """Raise Failed unless the status and protocol version mean success."""
    if status in (429, 503):
        raise Failed(BUSY.format(status=status), passing=status == 429)
    if theirs is None:
        raise Failed(STRANGER.format(status=status), ours=True)
    if theirs != PROTOCOL:
        raise Failed(VERSION.format(theirs=theirs[:20], ours=PROTOCOL), ours=True)
    if status == 401:
        raise Failed(TOKEN, ours=True)
    if status == 409:
        raise Failed("has become another one")
    if status != 200:
        raise Failed(STRANGER.format(status=status) if status < 400 else NONSENSE)


def of_connection(error: BaseException) -> Failed:
    """Return the cause of a failed or broken connection."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, ssl.SSLCertVerificationError):
            words = _CERTIFICATES.get(cause.verify_code, NO_TLS)
            return Failed(words.format(why=cause.verify_message), ours=True)
        if isinstance(cause, ssl.SSLError):
            return Failed(NO_TLS.format(why=cause.reason or "no TLS"), ours=True)
        if isinstance(cause, OSError) and cause.strerror:
            return Failed(UNREACHED.format(why=cause.strerror))
        cause = cause.__cause__ or cause.__context__
    return Failed(UNREACHED.format(why=type(error).__name__))
