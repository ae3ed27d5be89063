"""Calibration of the proof ledger's exact checkers on statements whose truth is known.

In: two corpora, of false statements (subtle, or malformed so that a careless checker would prove them) and of true ones
that are hard to prove. Out: how many of the false ones were called true (none may be), and the share of the true ones
that was proved. One entry, followed through::

    Entry(name, mechanism, build, source, witness)    `entry`: the record, and why it is false or true
    entry.witness()                                   `value`: confirms it in 120 digits, without any checker
    FALSE, TRUE                                       `corpus`: the entries of the data modules
    fate(entry), table(fates)                         `judge`: what the checkers say about them
"""
