"""What leaves and what comes: forgetting, imports, exports."""
