"""Parameters of addresses: row numbers and cursors. Numbers that cannot be rows are answered with
404 or 422 without a query."""

from typing import Annotated

from fastapi import Path, Query
from starlette.convertors import IntegerConvertor, register_url_convertor

MOST = 2**63 - 1  # the largest row number in SQLite


class _Row(IntegerConvertor):
    """A row number in a path next to fixed words (`{id:row}`), of at most 19 digits."""

    regex = "[0-9]{1,19}"


register_url_convertor("row", _Row())

Number = Annotated[int, Path(ge=0, le=MOST)]  # a row number in a path

# the last row of the previous page; None for the first page
Cursor = Annotated[int | None, Query(ge=0, le=MOST)]
