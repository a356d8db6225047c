"""Rules for mail calls of plugins: IMAP search terms, composing, and ports of servers."""

import re
from collections.abc import Mapping
from datetime import date, datetime
from email import policy
from email.message import EmailMessage
from email.utils import format_datetime, make_msgid
from typing import Any

from furoshiki.core.catalogue import later
from furoshiki.core.json_values import list_of
from furoshiki.extensions.plugins.rules.asking import Refused

ADDRESS = re.compile(
    r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9-]{0,62}[A-Za-z0-9])?"
    r"(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,62}[A-Za-z0-9])?){1,8}",
    re.ASCII,
)
_MESSAGE_ID = re.compile(r"<[!-;=?-~]{1,250}>", re.ASCII)

IMAP_PORTS = (993,)
SMTP_PORTS = (465, 587)
STARTTLS = frozenset({25, 587})  # ports at which STARTTLS is required before anything else

MOST_FOUND = 50
LONGEST_WORDS = 100
LONGEST_SUBJECT = 200
LONGEST_TEXT = 2500
MOST_REFERENCES = 20  # maximum earlier mails in the References header

WRONG_PASSWORD = later("The mail server did not take the user and the password.")
UNREACHABLE = later("The mail server cannot be reached.")
NOT_READ = later("The mail server did not show the mailbox.")
NOT_TAKEN = later("The mail server rejected the mail.")
NO_SUCH_ADDRESS = later("The mail server rejected the recipient's address.")
UNKNOWN = later(
    "The connection broke while sending: I do not know whether it went out, and won't send it "
    "again. Check your sent mail."
)
# all messages about failed mail calls; a server's own words are never shown
REASONS = (WRONG_PASSWORD, UNREACHABLE, NOT_READ, NOT_TAKEN, NO_SUCH_ADDRESS, UNKNOWN)


def build_search(args: Mapping[str, Any]) -> list[bytes]:
    """Return the IMAP search keys for the arguments of `find_mail`. Raises Refused."""
    found = [b"ALL"]
    for name, key in (("sender", b"FROM"), ("subject", b"SUBJECT"), ("text", b"TEXT")):
        words = args.get(name)
        if words is None or words == "":
            continue
        if not isinstance(words, str) or len(words) > LONGEST_WORDS:
            raise Refused(f'"{name}" is a text of at most {LONGEST_WORDS} characters')
        found += [key, _quote(words)]
    if args.get("since"):
        try:
            day = date.fromisoformat(str(args["since"]))
        except ValueError:
            raise Refused('"since" is a day such as 2026-11-24') from None
        parts = format_datetime(datetime(day.year, day.month, day.day)).split()  # noqa: DTZ001 - a day has no zone
        found += [b"SINCE", "-".join(parts[1:4]).encode()]
    if args.get("unread") is True:
        found.append(b"UNSEEN")
    return found


def _quote(words: str) -> bytes:
    """Return an IMAP quoted string, on one line."""
    plain = " ".join("".join(one if one.isprintable() else " " for one in words).split())
    return b'"' + plain.replace("\\", "\\\\").replace('"', '\\"').encode("utf-8", "replace") + b'"'


def find_fault(words: Mapping[str, Any]) -> str | None:
    """Return why a mail with this `to`, `subject` and `text` cannot be sent, or None."""
    to, subject, text = (words.get(name) for name in ("to", "subject", "text"))
    if not isinstance(to, str) or not ADDRESS.fullmatch(to):
        return '"to" is one address, such as anna@example.org, and nothing beside it'
    if not isinstance(subject, str) or not subject.isprintable() or not 0 < len(subject) <= LONGEST_SUBJECT:
        return f'"subject" is one line of at most {LONGEST_SUBJECT} characters'
    if not isinstance(text, str) or not text.strip() or len(text) > LONGEST_TEXT:
        return f'"text" has at most {LONGEST_TEXT} characters'
    return None


def compose(sender: str, words: Mapping[str, Any], answers: object, now: datetime) -> EmailMessage:
    """Compose a mail; `answers` are the ids of the mails it replies to. Raises Refused."""
    fault = find_fault(words)
    if fault is not None:
        raise Refused(fault)
    if not ADDRESS.fullmatch(sender):
        raise Refused("the setting ADDRESS is the address mails are from")
    ids = list_of(answers)
    known = [one for one in ids if isinstance(one, str) and _MESSAGE_ID.fullmatch(one)][-MOST_REFERENCES:]
    made = EmailMessage(policy.SMTP.clone(cte_type="7bit"))
    made["From"], made["To"], made["Subject"] = sender, words["to"], words["subject"]
    made["Date"] = format_datetime(now)
    made["Message-ID"] = make_msgid(domain=sender.rpartition("@")[2])
    if known:
        made["In-Reply-To"], made["References"] = known[-1], " ".join(known)
    made.set_content(words["text"])
    return made
