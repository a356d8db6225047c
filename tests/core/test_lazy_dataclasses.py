"""Frozen classes whose methods are shared behave as those that the standard library makes."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from dataclasses import FrozenInstanceError
from typing import Any

import pytest

from furoshiki.core.lazy_dataclasses import dataclass, field, fields, replace


@dataclass(frozen=True)
class Place:
    """Where something stands."""

    row: int
    column: int = 1
    names: list[str] = field(default_factory=list, compare=False)
    secret: str = field(default="", repr=False)


@dataclasses.dataclass(frozen=True)
class Usual:
    row: int
    column: int = 1
    names: list[str] = field(default_factory=list, compare=False)
    secret: str = field(default="", repr=False)


@dataclass(frozen=True, kw_only=True)
class Doubled:
    number: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "number", self.number * 2)


@dataclass(frozen=True)
class Farther(Place):
    miles: float = 0.0


@dataclass(frozen=True)
class Own:
    text: str

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Own)

    def __hash__(self) -> int:
        return 7

    def __repr__(self) -> str:
        return "own"


class Plain(Place):
    def __init__(self, row: int) -> None:
        super().__init__(row, row)


@pytest.mark.parametrize("given", [(1,), (1, 2), (1, 2, ["a"]), (1, 2, [], "s")])
def test_it_is_what_the_standard_one_is(given: tuple[Any, ...]) -> None:
    made, usual = Place(*given), Usual(*given)
    assert repr(made) == repr(usual).replace("Usual", "Place")
    assert dataclasses.asdict(made) == dataclasses.asdict(usual)
    assert [one.name for one in fields(Place)] == [one.name for one in fields(Usual)]
    assert (made == Place(*given), hash(made) == hash(Place(*given))) == (True, True)
    assert copy.deepcopy(made) == made == copy.copy(made) == pickle.loads(pickle.dumps(made))


def test_what_is_compared_shown_and_hashed_is_said_by_the_fields() -> None:
    assert Place(1, names=["a"]) == Place(1) != Place(2)
    assert hash(Place(1, names=["a"])) == hash(Place(1))
    assert Place(1, secret="a") != Place(1) and "secret" not in repr(Place(1, secret="a"))
    assert Place(1).names is not Place(1).names
    assert Place(1) != Usual(1)


def test_it_cannot_be_changed_but_replaced() -> None:
    place = Place(1)
    with pytest.raises(FrozenInstanceError):
        place.row = 2  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError):
        del place.row
    assert replace(place, row=2) == Place(2)


def test_wrong_arguments_are_refused_in_the_usual_words() -> None:
    with pytest.raises(TypeError, match=r"Place\.__init__\(\) missing 1 required positional argument: 'row'"):
        Place()  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="positional"):
        Doubled(1)  # type: ignore[misc]


def test_what_inherits_and_what_has_methods_of_its_own() -> None:
    assert Farther(1, miles=2.0) == Farther(1, 1, [], "", 2.0) != Farther(1)
    assert Plain(3).column == 3 and Doubled(number=4).number == 8
    assert (Own("a") == Own("b"), hash(Own("a")), repr(Own("a"))) == (True, 7, "own")
    match Place(4, 5):
        case Place(row, column):
            assert (row, column) == (4, 5)


def test_init_is_made_when_it_is_first_called() -> None:
    @dataclass(frozen=True)
    class Late:
        text: str

    before = Late.__init__
    Late("a")
    assert Late.__init__ is not before
    assert {Late.__eq__, Late.__hash__, Late.__repr__} == {Place.__eq__, Place.__hash__, Place.__repr__}
