"""Sends a mail that the owner has seen and confirmed."""

from __future__ import annotations

import reading_mail
from furoshiki_plugin import Refused, answer, fetch_mail, given, send_mail


def list_ids(number: object) -> tuple[str, ...]:
    """Return the Message-IDs for a reply to a mail; empty if it is gone."""
    try:
        return reading_mail.read(fetch_mail(number)).ids if isinstance(number, int) else ()
    except Refused:
        return ()


def main() -> dict[str, object]:
    """Send the mail and return the result."""
    args = given().args
    words = {name: str(args.get(name, "")) for name in ("to", "subject", "text")}
    try:
        send_mail(words["to"], words["subject"], words["text"], list_ids(args.get("answers")))
    except Refused as error:
        return {"failed": str(error).removeprefix("send_mail: ")}
    return {"sent": words["to"]}


if __name__ == "__main__":
    answer(data=main())
