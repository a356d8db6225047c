"""What holds a plugin: the operating system's own means, chosen by trying them, and the process they are put around."""
