"""What is asked about a theorem beyond its verdict: is the plan right, what is lost, what is the worst case?

In: claims, families and waterfalls of the catalog, options and a store. Out: plans, tables and records, printed or kept
by the commands, which alone import this. `verify` takes nothing from here but the plans that were committed before. One
study for each question:

* `planner` (`workbench plan`): which claims do a profile's runs decide, read from which windows?
* `replanted` (`workbench calibrate PAPER`): would the claims of this paper be judged rightly?
* `slack` (`workbench ledger --slack`): which line of the proof loses the factor between bound and measurement?
* `adversary` (`workbench ledger --search`): how bad an instance does an optimizer find?

One of them, followed through: `slack.waterfalls_of(keys)` picks the waterfalls of these theorems, `slack.falls`
simulates what they need (`workbench.run.pool.ensure`) and evaluates the right-hand side of each line of the proof on it
(`workbench.ledger.waterfall.fall`), `slack.rows` and `slack.verdict` say in words which line loses what.
"""
