"""Verifies Telegram's signature on who opened a Mini App.

https://core.telegram.org/bots/webapps#validating-data-received-via-the-mini-app
"""

import hashlib
import hmac
import json
from datetime import datetime, timedelta
from typing import Literal
from urllib.parse import parse_qsl

from furoshiki.core import numbers
from furoshiki.core.timestamps import of_seconds

FRESH = timedelta(minutes=10)
AHEAD = timedelta(minutes=1)  # how far Telegram's clock may be ahead of ours
LONGEST = 8192  # characters; Telegram sends about 500

Fault = Literal["forged", "old"]


def user_of(init_data: str, token: str, now: datetime) -> int | Fault:
    """Return the Telegram id of the person who opened the Mini App, or why it is rejected."""
    try:
        pairs = parse_qsl(init_data[: LONGEST + 1], keep_blank_values=True, strict_parsing=True)
    except ValueError:
        return "forged"
    fields = dict(pairs)
    given = fields.pop("hash", "")
    if len(init_data) > LONGEST or len(fields) + 1 != len(pairs):  # duplicates can be read two ways
        return "forged"
    text = "\n".join(f"{name}={value}" for name, value in sorted(fields.items()))
    key = hmac.digest(b"WebAppData", token.encode(), hashlib.sha256)
    proof = hmac.new(key, text.encode("utf-8", "surrogatepass"), hashlib.sha256).hexdigest()
    if not hmac.compare_digest(proof.encode(), given.encode("utf-8", "surrogatepass")):
        return "forged"
    try:
        user, signed_at = json.loads(fields["user"])["id"], of_seconds(numbers.require_int(fields["auth_date"]))
    except (ValueError, KeyError, TypeError):
        return "forged"
    if not isinstance(user, int) or isinstance(user, bool):
        return "forged"
    return user if -AHEAD <= now - signed_at < FRESH else "old"
