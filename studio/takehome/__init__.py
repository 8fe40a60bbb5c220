"""What viewers take along: models, reports, and predictions of new rows."""
