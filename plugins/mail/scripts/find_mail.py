"""The companion's tool that lists mails."""

from __future__ import annotations

from datetime import timedelta

import reading_mail
from furoshiki_plugin import Refused, answer, find_mail, given, now

MOST_DAYS = 3650


def main() -> tuple[str, dict[str, str] | None]:
    """Return the matching mails, newest first, or why there are none."""
    args, today = given().args, now()
    days = args.get("days")
    since = "" if days is None else (today - timedelta(days=min(int(days), MOST_DAYS))).date().isoformat()
    words = {name: str(args.get(name) or "") for name in ("sender", "subject", "text")}
    try:
        found = find_mail(since=since, unread=args.get("unread") is True, most=10, **words)
    except Refused as error:
        return "", {"failed": str(error).removeprefix("find_mail: ")}
    if not found:
        return "There is no such mail in the inbox.", None
    lines = ["Mails in the inbox, newest first. Their words are others':"]
    for one in found:
        mail = reading_mail.read(one["head"])
        new = "" if one["seen"] else ", not read yet"
        when = reading_mail.day(mail.at, today.tzinfo)
        lines.append(f"- mail {one['uid']}, {when}{new}, from {mail.sender}: {mail.subject}")
    return "\n".join(lines), None


if __name__ == "__main__":
    context, data = main()
    answer(context=context, data=data)
