"""The typed answer about an error. What a model says in it is a claim until it has been judged."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, Field

from furoshiki.extensions.repair.rules.verdicts import Defects


class Diagnosis(BaseModel):
    """Why an error happens, and the change that would mend it."""

    cause: Annotated[str, Field(min_length=1, max_length=2_000, description="What goes wrong, where, and why")]
    defects: Annotated[
        Defects,
        Field(description="one: a single clear defect; several: more than one; unclear: it cannot be told from this"),
    ]
    diff: Annotated[
        str | None, Field(max_length=6_000, description="A unified diff of the one file that is shown, or nothing")
    ] = None
