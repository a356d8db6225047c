"""The only SQL and the only Chroma: one module per subject, one function per question."""
