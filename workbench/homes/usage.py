"""The error for a user's mistake. It imports nothing, so that the catalog, which knows no engine, can raise it."""


class UsageError(ValueError):
    """The request cannot be fulfilled. The message is one sentence addressed to the user."""
