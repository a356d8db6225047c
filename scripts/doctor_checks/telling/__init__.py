"""Alerts and reports: when a person is told, how, and in which words."""
