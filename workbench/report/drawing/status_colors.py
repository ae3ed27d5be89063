"""Colours and sign of each status of a link, in figures and on pages."""

from workbench.ledger.graph import Status

# Colour-blind safe; the sign before the name distinguishes them as well.
LOOKS = {
    Status.CERTIFIED: ("#0173b2", "white", "+ "),
    Status.TESTED: ("#56b4e9", "black", "~ "),
    Status.LINES: ("#cfe6f5", "black", "= "),
    Status.PROOF_LINE: ("#f5c9a8", "black", "/ "),
    Status.PROOF_TESTED: ("#f5c9a8", "black", "\\ "),
    Status.QUOTED: ("#eeeeee", "black", "q "),
    Status.ARITHMETIC: ("#eeeeee", "black", "# "),
    Status.UNCHECKED: ("#ffffff", "black", "- "),
    Status.UNMEASURED: ("#ffffff", "black", ". "),
    Status.OPEN: ("#ece133", "black", "? "),
    Status.PROOF_WRONG: ("#e8946a", "black", "% "),
    Status.FALSE: ("#d55e00", "white", "! "),
    Status.BROKEN: ("#000000", "white", "X "),
}
