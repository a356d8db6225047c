"""The typed answer about a long task: its plan. What a model says in it is a claim until `plans.faults` finds none."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, Field


class StepForm(BaseModel):
    """One step of a plan."""

    text: Annotated[str, Field(max_length=400, description="what is to be done, in 4 to 30 words")]
    after: Annotated[
        list[int], Field(max_length=60, description="numbers of the steps whose results it needs, counted from 1")
    ] = []


class PlanForm(BaseModel):
    """A plan, and how sure it leads to the goal."""

    steps: Annotated[list[StepForm], Field(max_length=60)]
    confidence: Annotated[float, Field(ge=0, le=1, description="how sure you are that these steps lead to the goal")]
