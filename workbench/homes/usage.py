"""The error for a user's mistake. It imports nothing, so that the catalog, which knows no engine, can raise it."""


class UsageError(ValueError):
    """The request cannot be fulfilled. The message is one sentence addressed to the user: "what: where: why".

    what: the record or the task that it is about. where: the file and the line of a paper, if one is to blame.
    """

    def __init__(self, why: str, what: str = "", where: str = "") -> None:
        super().__init__(": ".join(filter(None, (what, where, why))))
        self.what, self.where, self.why = what, where, why
