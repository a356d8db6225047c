"""Consolidation with a model: conclusions, insights, narratives, merging."""
