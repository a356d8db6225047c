"""What stands in addresses: the numbers of rows, and where the next page of a list begins. All fit the database:
what can be no row is answered as such (404, 422) without a query."""

from __future__ import annotations

from typing import Annotated

from fastapi import Path, Query
from pydantic import BaseModel
from starlette.convertors import IntegerConvertor, register_url_convertor

MOST = 2**63 - 1
"""The largest number of a row that SQLite keeps."""


class _Row(IntegerConvertor):
    """A number in a path beside which words may stand (`{id:row}`), with no more digits than a row can have."""

    regex = "[0-9]{1,19}"


register_url_convertor("row", _Row())

Number = Annotated[int, Path(ge=0, le=MOST)]
"""The row of something."""

Cursor = Annotated[int | None, Query(ge=0, le=MOST)]
"""The row that the page before ended with; None for the first page."""


class Listed(BaseModel):
    """A list of the API: `next` is the cursor of the page after it; null on the last, and where it is whole."""

    next: str | None = None
