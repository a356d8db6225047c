"""The companion's tool that reads one mail."""

from __future__ import annotations

import reading_mail
from furoshiki_plugin import Refused, answer, fetch_mail, given, now


def main() -> tuple[str, dict[str, str] | None]:
    """Return the mail, or why it cannot be read."""
    number = given().args.get("mail")
    if not isinstance(number, int):
        return "", {"failed": "a mail is read by its number"}
    try:
        raw = fetch_mail(number)
    except Refused as error:
        return "", {"failed": str(error).removeprefix("fetch_mail: ")}
    return reading_mail.shown(number, reading_mail.read(raw), now().tzinfo), None


if __name__ == "__main__":
    context, data = main()
    answer(context=context, data=data)
