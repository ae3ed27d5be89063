"""The proof ledger: checkers for the lemmas of `theorems`, three-valued, with a witness or a certificate each.

In: lemma records. Out: outcomes, certificates, and claims like any other. One inequality on its way::

    check = Inequality("young", x * y, c * (x**2 + y**2), box)      `theorems.lemma`
    decide(check, seconds)                                          `decide`: tries in turn
        `counterexample`, `smt` (z3), `boxes` (Arb `enclosure`s)    a witness, or a proof of all of the box
    outcomes.ensure(...)                                            kept as a certificate, which `certificate` re-checks
    claims(lemmas, ...)                                             lines of the verdict table
    graph.chain(lemmas, theorem)                                    which link of the proof is the weakest

Lines about runs are measured along `trajectories`. `study` brackets constants and
tries to refute `mutants` of each line.
"""
