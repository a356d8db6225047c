"""The text format, read back by Prometheus' own parser."""

from __future__ import annotations

import pytest

from furoshiki.core.process.prometheus import Family, Sample, one, render

parser = pytest.importorskip("prometheus_client.parser", reason="prometheus-client, of the test extra, reads it back")

HOSTILE = 'a"b\\c\nd} 1\n# TYPE x counter'


def test_what_is_written_is_read_back_whatever_stands_in_a_label() -> None:
    text = render(
        [
            Family("calls_total", "counter", f"Calls. {HOSTILE}", [one(3, model=HOSTILE), one(0.5, model="b")]),
            Family("took_seconds", "summary", "Seconds.", [Sample(2.5, {}, "_sum"), Sample(2, {}, "_count")]),
            Family("nothing", "gauge", "Left out.", []),
        ]
    )
    calls, took = parser.text_string_to_metric_families(text)
    assert [(s.labels, s.value) for s in calls.samples] == [({"model": HOSTILE}, 3), ({"model": "b"}, 0.5)]
    assert (calls.type, took.type) == ("counter", "summary")
    assert {s.name: s.value for s in took.samples} == {"took_seconds_sum": 2.5, "took_seconds_count": 2}
