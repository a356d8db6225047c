"""Process management: signs of life, watchdog, locks, interrupts, systemd."""
