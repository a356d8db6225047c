"""What cosines of the encoders mean. Fitted by `python -m bench.grounding --set FILE --encoder NAME --fit`."""

from __future__ import annotations

from furoshiki.grounding.rules.statement import Scale

BUILT_IN = Scale(far=0.0, sure=0.0, sure_if_free=0.0, nearer=0.1)
"""Of the pooled and centred vectors of the built-in encoder."""

MULTILINGUAL = Scale(far=0.80, sure=0.855, sure_if_free=0.82, nearer=0.02)
"""Of multilingual-e5-small, whose cosines begin near 0.7."""
