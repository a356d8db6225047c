"""The schema of a model's answer whether a person is in danger."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel


class ReadDanger(BaseModel):
    """Which danger the words of a message mean; "none" where nobody is in any."""

    danger: Literal["none", "self", "friend", "violence", "harm", "emergency"]
