"""The Bot API over HTTP: finds the method, lets faults strike, runs it and logs the call."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from ..loopback import Cut, Loopback, Reply, Request
from . import about, changing, sending
from .faults import Fault, Faults
from .params import Params, read
from .rules import ApiError
from .state import Call, State
from .updates import CONFLICT, WEBHOOK

_LONGEST_POLL_SECONDS = 50.0
_BAD_GATEWAY = (
    b"<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body>\r\n<center><h1>502 Bad Gateway</h1></center>\r\n"
    b"<hr><center>nginx/1.18.0</center>\r\n</body>\r\n</html>\r\n"
)
METHODS: dict[str, Callable[[State, Params], Any]] = {
    "answerCallbackQuery": changing.answer_callback_query,
    "close": about.leave,
    "deleteMessage": changing.delete_message,
    "deleteMyCommands": about.delete_my_commands,
    "deleteWebhook": about.delete_webhook,
    "editMessageCaption": changing.edit_message_caption,
    "editMessageReplyMarkup": changing.edit_message_reply_markup,
    "editMessageText": changing.edit_message_text,
    "getChat": about.get_chat,
    "getChatMember": about.get_chat_member,
    "getFile": about.get_file,
    "getMe": about.get_me,
    "getMyCommands": about.get_my_commands,
    "getMyDescription": about.get_my_description,
    "getMyName": about.get_my_name,
    "getMyShortDescription": about.get_my_short_description,
    "getWebhookInfo": about.get_webhook_info,
    "logOut": about.leave,
    "sendAudio": sending.send_audio,
    "sendChatAction": sending.send_chat_action,
    "sendDocument": sending.send_document,
    "sendLocation": sending.send_location,
    "sendMessage": sending.send_message,
    "sendMessageDraft": sending.send_message_draft,
    "sendPhoto": sending.send_photo,
    "sendVideo": sending.send_video,
    "sendVoice": sending.send_voice,
    "setMessageReaction": changing.set_message_reaction,
    "setMyCommands": about.set_my_commands,
    "setMyDescription": about.set_my_description,
    "setMyName": about.set_my_name,
    "setMyShortDescription": about.set_my_short_description,
}
_BY_LOWER = {name.lower(): name for name in [*METHODS, "getUpdates"]}


class Server:
    """Serves one State until `stop`."""

    def __init__(self, state: State, faults: Faults, port: int = 0) -> None:
        self._state = state
        self._faults = faults
        self.loopback = Loopback(self._answer, port)

    def stop(self) -> None:
        with self._state.changed:
            self._state.closed = True
            self._state.changed.notify_all()
        self.loopback.stop()

    def offline(self) -> None:
        """Leaves the port; polls that wait are let go, their answers go nowhere."""
        self.loopback.offline()

    def _answer(self, request: Request) -> Reply:
        parts = request.path.split("/")
        if len(parts) > 3 and parts[1] == "file" and parts[2] == f"bot{self._state.token}":
            return self._download("/".join(parts[3:]))
        if len(parts) != 3 or not parts[1].startswith("bot"):
            return _refusal(ApiError(404, "Not Found"))
        if parts[1] != f"bot{self._state.token}":
            return _refusal(ApiError(401, "Unauthorized"))
        method = _BY_LOWER.get(parts[2].lower())
        if method is None:
            return _refusal(ApiError(404, "Not Found: method not found"))
        return self._logged(method, request)

    def _logged(self, method: str, request: Request) -> Reply:
        call = Call(method, {}, self._state.clock())
        try:
            params = read(request)
            call.args = params.logged()
            reply = self._carried_out(method, params, request)
            call.outcome = "ok" if reply.status == 200 else str(reply.status)
            return reply
        except ApiError as error:
            call.outcome = f"{error.status} {error.description}"
            return _refusal(error)
        except Cut as cut:
            call.outcome = str(cut)
            raise
        finally:
            with self._state.changed:
                self._state.calls.append(call)
                self._state.changed.notify_all()

    def _carried_out(self, method: str, params: Params, request: Request) -> Reply:
        before = self._faults.strike(method, "refuse", "answer", "hang", "slow")
        if before is not None:
            early = self._early(before, request)
            if early is not None:
                return early
        result = self._result(method, params, request)
        after = self._faults.strike(method, "cut_after", "slow_after")
        if after is not None:
            if after.kind == "cut_after":
                raise Cut("done, then cut")
            self.loopback.pause(after.seconds)
        return Reply(body=json.dumps({"ok": True, "result": result}).encode())

    def _early(self, fault: Fault, request: Request) -> Reply | None:
        """The answer of a fault that strikes before the work; None when the work may go on."""
        if fault.kind == "refuse":
            raise Cut("refused")
        if fault.kind in ("hang", "slow"):
            # what reached Telegram is carried out, even if nobody waits for the answer any more
            self.loopback.pause(fault.seconds, request if fault.kind == "hang" else None)
            if fault.kind == "hang":
                raise Cut("hung")
            return None
        if fault.status == 502:
            return Reply(502, _BAD_GATEWAY, "text/html")
        if fault.status == 429:
            wait = fault.retry_after
            raise ApiError(429, f"Too Many Requests: retry after {wait}", retry_after=wait)
        if fault.status == 400:
            raise ApiError(400, f"Bad Request: {fault.said}")
        if fault.status == 409:
            raise ApiError(409, CONFLICT)
        if fault.status in _REFUSALS:
            raise ApiError(fault.status, _REFUSALS[fault.status])
        raise ApiError(500, "Internal Server Error")

    def _result(self, method: str, params: Params, request: Request) -> Any:
        with self._state.changed:
            if method != "getUpdates":
                result = METHODS[method](self._state, params)
                self._state.changed.notify_all()
                return result
        if self._state.webhook:
            raise ApiError(409, WEBHOOK)
        return self._state.updates.take(
            offset=params.integer("offset"),
            limit=params.integer("limit", 100),
            timeout=min(float(params.integer("timeout")), _LONGEST_POLL_SECONDS),
            allowed=params.nested("allowed_updates"),
            closed=lambda: self._state.closed,
            gone=request.gone,
            twice=lambda: self._faults.strike("getUpdates", "duplicate") is not None,
            shuffled=lambda: self._faults.strike("getUpdates", "reorder") is not None,
        )

    def _download(self, path: str) -> Reply:
        with self._state.changed:
            found = next((f.data for f in self._state.files.values() if f.path == path), None)
        if found is None:
            return _refusal(ApiError(404, "Not Found"))
        return Reply(body=found, content_type="application/octet-stream")


_REFUSALS = {401: "Unauthorized", 403: "Forbidden", 404: "Not Found"}


def _refusal(error: ApiError) -> Reply:
    body: dict[str, Any] = {"ok": False, "error_code": error.status, "description": error.description}
    if error.parameters:
        body["parameters"] = error.parameters
    return Reply(error.status, json.dumps(body).encode())
