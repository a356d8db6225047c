"""Another hand's reading of the Bot API rules (teremok) finds nothing wrong with the calls we make."""

from __future__ import annotations

import asyncio
import base64
from typing import Any

import pytest
from aiogram import Bot
from hypothesis import HealthCheck, given, settings

from furoshiki.channels.telegram import calls
from furoshiki.channels.telegram.bot import Client
from furoshiki.channels.telegram.formatting.entities import compose
from furoshiki.channels.telegram.outcomes import Delivered, Outcome, Refused
from furoshiki.channels.telegram.session import RawAnswers
from furoshiki.messages.values import Outgoing
from tests.channels.telegram.conftest import clock
from tests.emulators.telegram import TOKEN
from tests.support.telegram import MARKDOWN

teremok = pytest.importorskip("teremok.session")
validation = pytest.importorskip("teremok.validation")


class Oracle(RawAnswers, teremok.MockedSession):
    """teremok judges every call as it would reach Telegram; its answers are read like Telegram's."""

    async def make_request(self, bot: Any, method: Any, timeout: Any = None) -> Any:
        try:
            validation.validate_method(bot, method)
        except validation.ApiRuleViolation as violation:
            return Refused(violation.description, 400)
        return await super().make_request(bot, method, timeout)


@pytest.fixture(scope="module")
def oracle() -> Client:
    client = Client(TOKEN)
    client._bot = Bot(TOKEN, session=Oracle())  # theirs asks one for its own account
    return client


def row(text: str, **more: Any) -> Outgoing:
    given = {"kind": "text", "entities": (), "reply_to": None, "extra": {}, **more}
    return Outgoing(id=1, turn_id=None, turn_key=None, channel="telegram", chat_id="7", text=text, state="ready",
                    external_id=None, attempts=0, not_before=None, created_at=clock(), **given)  # fmt: skip


def sent(client: Client, one: Outgoing) -> Outcome:
    return asyncio.run(calls.prepare_send(client, one)())


@pytest.mark.slow
def test_every_kind_of_call_is_accepted(oracle: Client) -> None:
    file = {"filename": "a.txt", "data": base64.b64encode(b"abc").decode()}
    buttons = [[{"text": "Yes", "data": "y" * 80}, {"text": "No", "data": "ü" * 40}]]
    for one in (
        row("plain", reply_to="5"),
        row("bold", entities=({"type": "bold", "offset": 0, "length": 4},)),
        row("with buttons", extra={"buttons": buttons}),
        row("caption", kind="document", extra=file),
        row("", kind="reaction", reply_to="5", extra={"emoji": "👍"}),
    ):
        assert isinstance(sent(oracle, one), Delivered), one
        if one.kind != "reaction":
            assert isinstance(asyncio.run(calls.edit(oracle, one, 5)), Delivered)


def test_the_oracle_refuses_what_is_wrong(oracle: Client) -> None:
    assert isinstance(sent(oracle, row("x" * 4097)), Refused)
    assert isinstance(sent(oracle, row("x", entities=({"type": "bold", "offset": 0, "length": 9},))), Refused)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(MARKDOWN)
def test_whatever_a_model_writes_is_accepted(oracle: Client, markdown: str) -> None:
    for part in compose(markdown * 8):
        assert isinstance(sent(oracle, row(part.text, entities=part.entities)), Delivered)
