"""What a process of ours does for itself: says that it lives, ends when it stands still, hears what ends it."""
