"""One dashboard for all homes of a host: each for its owner alone, and figures for the operator."""
