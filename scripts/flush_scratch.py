"""Judge what was said and waits in the scratch buffer: keep it as a moment, strengthen what it confirms, or let it go."""

from furoshiki.runtime import script

script("flush_scratch")
