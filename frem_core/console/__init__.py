"""What the subcommands of ``frem`` share: options from settings, data, progress, Ctrl-C."""
