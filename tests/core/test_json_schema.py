import pytest

from furoshiki.core import json_schema

DICE = {
    "type": "object",
    "properties": {"sides": {"type": "integer", "maximum": 100}, "what": {"type": "string", "pattern": "(a+)+$"}},
    "required": ["sides"],
    "additionalProperties": False,
}


@pytest.mark.parametrize(
    ("value", "problems"),
    [
        ({"sides": 6}, []),
        ({"sides": 600}, ["sides: 600 is greater than the maximum of 100"]),
        ({}, ["arguments: 'sides' is a required property"]),
        ({"sides": 6, "what": "a" * 60 + "b"}, []),
        ({"sides": "6"}, ["sides: '6' is not of type 'integer'"]),
    ],
)
def test_what_does_not_fit_is_said_in_words(value, problems):
    assert json_schema.problems(DICE, value) == problems


@pytest.mark.parametrize(
    "schema",
    [
        {"$defs": {f"d{i}": {"allOf": [{"$ref": f"#/$defs/d{i + 1}"}] * 2} for i in range(40)}, "$ref": "#/$defs/d0"},
        {"$ref": "#"},
        {"$ref": "http://127.0.0.1:1/schema"},
        {"$ref": "file:///etc/passwd"},
    ],
)
def test_a_schema_that_would_take_for_ever_or_fetch_something_is_given_up(schema):
    [problem] = json_schema.problems(schema, {})
    assert problem.startswith("arguments: ")


def test_what_no_provider_takes_is_not_offered():
    assert json_schema.normalize({**DICE, "$schema": "x", "oneOf": []}) == DICE
    assert json_schema.unfit(DICE) is None
    for unfit in ({"type": "array"}, {"properties": {"a b": {}}}, {"properties": {"a": {"type": "no"}}}):
        assert json_schema.unfit(unfit) is not None
