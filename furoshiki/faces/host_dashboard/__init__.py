"""One dashboard for all homes of a host: each for its owner alone, and a page of figures for the operator."""
