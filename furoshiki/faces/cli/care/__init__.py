"""Commands for maintenance: settings, the doctor, backups, shell completion."""
