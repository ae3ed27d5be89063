"""The proof ledger: checkers for the lemmas of `theorems`, three-valued, with a witness or a certificate each."""
