"""Is what a mind says about somebody carried by what was said? One judgement for all who ask."""
