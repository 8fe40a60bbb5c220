"""The encoders and heads that methods train."""
