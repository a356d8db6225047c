"""Past times: the days a question means, since when a fact is true, dates told with facts."""
