"""Many companions on one machine: each lives in a data directory of its own, which can run alone."""
