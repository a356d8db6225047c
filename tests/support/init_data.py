"""What Telegram hands to a Mini App, and a dashboard whose bot it is."""

from __future__ import annotations

import hashlib
import hmac
import json
from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

from furoshiki.core.setting_rows import SecretStr
from furoshiki.messages.store import accounts
from tests.support.dashboard import House

TOKEN = "123456:test-token"


def signed_data(user: int, at: float, token: str = TOKEN, **more: str) -> str:
    """Init data as Telegram signs it."""
    fields = {
        "auth_date": str(int(at)),
        "query_id": "AAE",
        "user": json.dumps({"id": user, "first_name": "Noor"}),
        **more,
    }
    text = "\n".join(f"{name}={value}" for name, value in sorted(fields.items()))
    key = hmac.digest(b"WebAppData", token.encode(), hashlib.sha256)
    return urlencode({**fields, "hash": hmac.new(key, text.encode(), hashlib.sha256).hexdigest()})


def with_bot(house: House) -> House:
    """The same house with a bot and its owner, Telegram's number 7."""
    app: Any = house.client.app
    settings = house.world.settings.model_copy(update={"telegram_bot_token": SecretStr(TOKEN)})
    world = replace(house.world, settings=settings)
    app.state.world, house.gate.settings = (lambda: world), settings
    with world.database.write() as db:
        accounts.pair(db, "telegram", "7", "7", "owner", world.now)
    return house
