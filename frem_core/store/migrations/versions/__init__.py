"""One file per schema version; a published one is never edited."""
