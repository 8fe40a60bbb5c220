"""The subcommands of ``frem``: each file holds one click command named ``command``."""
