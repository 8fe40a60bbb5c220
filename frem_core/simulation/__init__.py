"""The paper's simulation designs and their closed-form truths."""
