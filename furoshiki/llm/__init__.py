"""The minds behind the companion: tiers of models, their providers, typed answers, prices and the budget."""
