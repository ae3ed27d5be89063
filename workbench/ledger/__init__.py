"""The proof ledger: three-valued checkers for the lemmas of `theorems`, with a certificate for each verdict.

In: `Lemma` records with their checks, and stored results for lines measured along runs. Out: verdicts, certificates,
brackets of constants, fates of mutants. One exact inequality, followed through::

    claims(lemmas)                      `claims`: one claim per check, for `verify`
    ensure(checks, folder)              `outcomes`: read from sealed files, or computed in worker processes
    decide(check)                       `decide`: the methods in order of cost, each with a share of the time
    statement(check)                    `portable`: the statement as a JSON tree (`trees`), which all others read
    statement(line)                     `parser`: the same from a line that a person typed (`typed`), without SymPy;
                                        `printer` writes every statement as a line that reads back to the same tree
    search(...), decide(...)            `counterexample`: random search; `positive`: sums of terms that are not
                                        negative; `smt`: z3 and cvc5; `boxes`: branch and bound
    certificate(statement, verdict, proof)
    check(certificate, statement)       `certificate`: rebuilds the verdict from statement and proof, without searching
    Outcome(verdict, ..., certificate)  `outcome`; inconclusive if the re-checker refuses the certificate

Two sides, which share the language of statements only. Searchers: the modules above, with Arb (`enclosure`, `pieces`),
SymPy (`identity`, `rewriting`, `conditions`) and SciPy. Re-checker: `certificate`, `algebra`, `intervals`, `trees`,
with `parser` and `printer` for what is typed and shown, in the standard library alone; for lines proved by solvers also
`solvers`, which asks z3 and cvc5 again.

Other checks: `identity` (algebra and induction; `equations`: one that was typed), `linear` (linear programs),
`trajectories` (measured lines). `graph` joins the verdicts to the chain of a proof. `brackets`, `mutants` and `study`
measure how sharp the checkers are; `reading` shows every line as written (`plain`: without TeX) and as read.
"""
