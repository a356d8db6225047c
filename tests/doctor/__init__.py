"""The doctor: its checks with made-up data directories, and the doctor itself as it runs where nothing is installed."""
