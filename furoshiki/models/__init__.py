"""Language, media and speech models, and a home's limits on their use."""
