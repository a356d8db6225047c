"""Commands that keep it well: settings, the doctor, backups, the completion of a shell."""
