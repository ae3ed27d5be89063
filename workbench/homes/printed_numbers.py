"""Numbers as a person writes them."""


def number(value: float, digits: int = 4) -> str:
    """A number without the ballast of an exponent: 6139 -> "6139", 1e+05 -> "1e5"."""
    mantissa, e, exponent = f"{value:.{digits}g}".partition("e")
    return f"{mantissa}e{int(exponent)}" if e else mantissa
