"""The proof ledger: three-valued checkers for the lemmas of `theorems`, with a witness or a certificate for each check.

In: `Lemma` records with their checks, and stored results for lines measured along runs. Out: verdicts, certificates,
brackets of constants, fates of mutants. One exact inequality, followed through::

    claims(lemmas)                      `claims`: one claim per check, for `verify`
    ensure(checks, folder)              `outcomes`: read from the folder, or computed in worker processes
    decide(check)                       `decide`: the methods in order of cost, each with a share of the time
    statement(check)                    `portable`: the inequality as a JSON tree
    search(...), decide(...)            `counterexample`: random search; `smt`: z3; `boxes`: branch and bound
    Outcome(verdict, ..., certificate)  `outcome`; `certificate` re-checks it without searching

Other checks: `identity` (algebra and induction), `linear` (linear programs), `trajectories` (measured lines). `graph`
joins the verdicts to the chain of a proof. `brackets`, `mutants` and `study` measure how sharp the checkers are.
"""
