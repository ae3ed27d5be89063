"""The proof ledger: three-valued checkers for the lemmas of `theorems`, with a certificate for each verdict.

In: `Lemma` records with their checks, and stored results for lines measured along runs. Out: verdicts, certificates,
brackets of constants, fates of mutants. One exact inequality, followed through::

    claims(lemmas)                      `claims`: one claim per check, for `verify`
    ensure(checks, folder)              `outcomes`: read from sealed files, or computed in worker processes
    decide(check)                       `decide`: the methods in order of cost, each with a share of the time
    statement(check)                    `statements`: the statement as a JSON tree (`trees`), which all others read
    statement(line)                     `parser`: such a tree from a line of a paper's text (`proof_text`) or one that
                                        a person typed (`typed`), without SymPy; `printer` writes every statement as a
                                        line that reads back to the same tree
    search(...), decide(...)            `counterexample`: random search; `positive`: sums of terms that are not
                                        negative; `smt`: z3 and cvc5; `boxes`: branch and bound
    certificate(statement, verdict, proof)
    check(certificate, statement)       `certificate`: rebuilds the verdict from statement and proof, without searching
    Outcome(verdict, ..., certificate)  `outcome`; inconclusive if the re-checker refuses the certificate

Two sides, which share the language of statements only. Searchers: the modules above, with Arb (`enclosure`, `pieces`),
SymPy (`rewriting`, `conditions`) and SciPy. Re-checker: `certificate`, `algebra`, `intervals`, `trees`,
with `parser` and `printer` for what is read and shown, in the standard library alone; for lines proved by solvers also
`solvers`, which asks z3 and cvc5 again.

Other checks: `equations` (identities, by algebra and induction), `linear` (linear programs),
`trajectories` (measured lines). `graph` joins the verdicts to the chain of a proof. `brackets`, `mutants` and `study`
measure how sharp the checkers are; `corpus` asks them about statements of known truth.
"""
