"""What a home may use of the machine it shares with others: money, calls, disk, CPU."""
