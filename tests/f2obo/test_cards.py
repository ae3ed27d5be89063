"""Verdict cards: what a theorem comes to, from lines whose verdicts are given here; nothing is simulated."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from dataclasses import replace

import pytest
from jinja2 import Environment, PackageLoader
from markupsafe import escape
from rich.console import Console

from workbench.claims.claims import Caught, Claim, Custom
from workbench.claims.rate_of_bound import Exponent
from workbench.claims.readings import Rate, Tight
from workbench.evidence.verdicts import Decision, Finding, Verdict
from workbench.ledger.graph import Status, chain
from workbench.report import card_curves, cards
from workbench.report.card import About, Card, Outcome, Row
from workbench.report.verdict_table import show_cards
from workbench.run import catalog
from workbench.verdicts import verify
from workbench.verdicts.omissions import Omission, Reason
from workbench.verdicts.verify import Line

PAPER = "f2obo"
THEOREM = catalog.theorems()[f"{PAPER}/thm-3.1"]
CLAIMS = [c for c in verify.claims() if c.key == THEOREM.key]
OWN = [c for c in CLAIMS if cards.about_the_method(c, THEOREM)]


def line(claim: Claim, verdict: Verdict = Verdict.HOLDS, **change: float | str) -> Line:
    """A line with this verdict; change: fields of its finding."""
    given = {"value": 0.5, "slack": 3.0, **change}
    finding = Finding(
        claim.evidence,
        claimed=0.5,
        low=0.4,
        high=0.6,
        p_if_wrong=0.0,
        p_if_right=1.0,
        runs=8,
        horizon=100.0,
        **given,
    )  # type: ignore[arg-type]
    decides = "more runs" if verdict == Verdict.INCONCLUSIVE else ""
    return Line(claim, Decision(finding, verdict, 0.4, 0.6, 0.01, sensitivity=0.1, decides=decides), 1.0)


def card(*lines: Line, left_out: tuple[Claim, ...] = ()) -> Card:
    omissions = [Omission(claim, Reason.RUNS, "about 280 runs") for claim in left_out]
    (only,) = cards.cards(lines, catalog.theorems(), {}, {}, omissions)
    return only


def row(of: Card, begins: str) -> Row:
    return next(r for r in of.rows if r.subject.startswith(begins))


def first(accepts: Callable[[Claim], bool]) -> Claim:
    return next(filter(accepts, OWN))


def curves() -> list[Claim]:
    """Rates and exact exponents of one law, on several curves."""
    source = first(lambda c: isinstance(c, Tight)).reading.claimed.source  # type: ignore[attr-defined]
    return [c for c in OWN if isinstance(c, Rate | Tight) and c.reading.claimed.source == source]


def test_an_exact_exponent_that_holds_is_attained_and_a_bound_on_it_holds() -> None:
    tight, rate = (next(c for c in curves() if isinstance(c, kind)) for kind in (Tight, Rate))
    assert row(card(line(tight)), "rate").outcome == Outcome.ATTAINED
    assert row(card(line(rate)), "rate").outcome == Outcome.HOLDS


def test_one_violated_setting_refutes_a_rate_and_one_open_setting_leaves_it_open() -> None:
    lines = [line(c) for c in curves()]
    assert len({card_curves._setting(x) for x in lines}) > 2
    violated = [line(lines[0].claim, Verdict.VIOLATED), *lines[1:]]
    same = card_curves._setting(lines[0])
    undecided = [line(x.claim, Verdict.INCONCLUSIVE) if card_curves._setting(x) == same else x for x in lines]
    assert row(card(*violated), "rate").outcome == Outcome.REFUTED
    assert row(card(*undecided), "rate").outcome == Outcome.UNDECIDED
    assert "to decide: more runs" in row(card(undecided[0]), "rate").evidence


def test_a_curve_that_falls_faster_refutes_no_rate() -> None:
    tight = next(c for c in curves() if isinstance(c, Tight))
    assert row(card(line(tight, Verdict.VIOLATED, value=0.3)), "rate").outcome == Outcome.UNDECIDED
    assert row(card(line(tight, Verdict.VIOLATED, value=0.7)), "rate").outcome == Outcome.REFUTED


def test_the_tolerance_stands_beside_an_interval_that_excludes_the_claim() -> None:
    """Only there, and not where a curve falls faster than an upper bound."""
    tight, rate = (next(c for c in curves() if isinstance(c, kind)) for kind in (Tight, Rate))

    def shown(claim: Claim, low: float, high: float) -> str:
        made = line(claim, tolerance=0.03)
        made = replace(made, decision=replace(made.decision, low=low, high=high))
        return row(card(made), "rate").evidence

    assert "within 0.03 at T" in shown(tight, 0.51, 0.52)
    assert "within 0.03 at T" in shown(tight, 0.48, 0.49)
    assert "within 0.03 at T" in shown(rate, 0.51, 0.52)
    assert "within" not in shown(rate, 0.48, 0.49)
    assert "within" not in shown(tight, 0.49, 0.51)


def test_a_void_line_attains_nothing() -> None:
    tight = next(c for c in curves() if isinstance(c, Tight))
    assert row(card(replace(line(tight), void="cannot fail")), "rate").outcome == Outcome.UNDECIDED


def test_wrong_methods_never_fill_a_row() -> None:
    wrong = [c for c in CLAIMS if c not in OWN]
    assert any(isinstance(c, Caught) for c in wrong)
    assert not card(*map(line, wrong)).rows


def test_a_claim_about_another_method_fills_no_row() -> None:
    """Theorem 4.1 is compared with F2OBO, of which it says nothing."""
    theorem = catalog.theorems()[f"{PAPER}/thm-4.1"]
    rates = [c for c in verify.claims() if c.key == theorem.key and isinstance(c, Rate)]
    others = [c for c in rates if c.reading.sim.algorithm != theorem.method]
    assert others
    assert not any(cards.about_the_method(c, theorem) for c in others)
    assert any(cards.about_the_method(c, theorem) for c in rates)


def test_what_a_profile_leaves_out_is_not_measured() -> None:
    tight = next(c for c in curves() if isinstance(c, Tight))
    exponent = first(lambda c: isinstance(c, Exponent))
    made = card(line(exponent), left_out=(tight,))
    assert row(made, "rate T").outcome == Outcome.UNMEASURED
    assert row(made, "rate T").evidence == "left out for want of runs (about 280 runs)"
    assert "law" in row(made, "rate T").subject or "regret" in row(made, "rate T").subject


@pytest.mark.parametrize(
    ("verdict", "slack", "outcome", "shown"),
    [
        (Verdict.HOLDS, 3.0, Outcome.HOLDS, "never exceeded up to T = 100, 8 runs; smallest slack 3"),
        (Verdict.HOLDS, 3e4, Outcome.HOLDS, "smallest slack 3e4, which says little"),
        (Verdict.VIOLATED, 0.5, Outcome.REFUTED, "exceeded by a factor 2"),
        (Verdict.INCONCLUSIVE, 3.0, Outcome.UNDECIDED, "to decide: more runs"),
    ],
)
def test_a_bound(verdict: Verdict, slack: float, outcome: Outcome, shown: str) -> None:
    claim = first(lambda c: c.bound is not None and c.bound.form == "printed")
    bound = row(card(line(claim, verdict, slack=slack)), "bound as printed")
    assert bound.outcome == outcome
    assert shown in bound.evidence


def test_forms_of_this_project_do_not_decide_what_the_paper_says() -> None:
    repaired = first(lambda c: c.bound is not None and c.bound.form != "printed")
    printed = first(lambda c: c.bound is not None and c.bound.form == "printed")
    made = card(line(printed), line(repaired, Verdict.VIOLATED, slack=0.5))
    assert [r.printed for r in made.rows] == [True, False]
    assert made.outcome == Outcome.HOLDS
    assert made.rows[1].outcome == Outcome.FAILS, "not refuted, as what the paper says"
    assert made.answer == {"bound": "as printed: never exceeded; repaired: false", "open": "nothing"}


def test_a_wrong_proof_does_not_refute_the_theorem() -> None:
    lemmas = catalog.lemmas()
    checks = {(x.key, c.name): c.expected for x in chain(lemmas, THEOREM.key) for c in x.checks}
    claim = first(lambda c: c.bound is not None and c.bound.form == "printed")
    (made,) = cards.cards([line(claim)], catalog.theorems(), lemmas, checks)
    assert (made.outcome, made.proof) == (Outcome.HOLDS, Outcome.REFUTED)
    assert made.rows[0].subject == cards.PROOF, "what is refuted is said first"
    assert card(line(claim)).proof is None


def test_a_proof_names_its_first_wrong_link_and_what_the_repaired_one_rests_on() -> None:
    lemmas = catalog.lemmas()
    checks = {(x.key, c.name): c.expected for x in chain(lemmas, THEOREM.key) for c in x.checks}
    claim = first(lambda c: isinstance(c, Exponent))
    (made,) = cards.cards([line(claim)], catalog.theorems(), lemmas, checks)
    printed, repaired = row(made, "proof as printed"), row(made, "proof as repaired")
    assert printed.outcome == Outcome.REFUTED
    assert "links are wrong, first Eq. (18): false as printed (O-1)" in printed.evidence
    assert repaired.outcome == Outcome.HOLDS
    assert not repaired.printed
    unmeasured = {
        k: v for k, v in checks.items() if k[0] not in {x.key for x in chain(lemmas, THEOREM.key)[1:]}
    }
    (made,) = cards.cards([line(claim)], catalog.theorems(), lemmas, unmeasured)
    assert not any(r.outcome == Outcome.HOLDS for r in made.rows if r.subject.startswith("proof"))
    broken = {**checks, next(k for k, v in checks.items() if v == "holds"): "violated"}
    (made,) = cards.cards([line(claim)], catalog.theorems(), lemmas, broken)
    assert row(made, "proof as repaired").outcome == Outcome.FAILS
    assert made.answer["proof"].endswith("links are wrong; repair fails")


def test_refuted_theorems_come_first_and_a_card_fits_80_columns() -> None:
    other = next(
        c for c in verify.claims() if c.key == f"{PAPER}/thm-3.2" and c.bound and c.bound.form == "printed"
    )
    mine = first(lambda c: c.bound is not None and c.bound.form == "printed")
    made = cards.cards([line(mine), line(other, Verdict.VIOLATED, slack=0.5)], catalog.theorems(), {}, {})
    assert [c.key for c in made] == [f"{PAPER}/thm-3.2", f"{PAPER}/thm-3.1"]
    console = Console(file=io.StringIO(), width=80)
    show_cards(made, console)
    text = console.file.getvalue()  # type: ignore[attr-defined]
    assert max(map(len, text.splitlines())) <= 80
    assert "  refuted       bound as printed: exceeded by a factor 2" in text
    assert made[0].record()["rows"][0]["outcome"] == "refuted"


def test_a_form_that_the_paper_restates_is_the_paper_s_and_a_repaired_one_is_not() -> None:
    forms = {
        (t.key, f.name): cards.of_paper(f)
        for t in catalog.theorems().values()
        for f in t.forms
        if f.name != "printed"
    }
    assert forms["biadam/thm-3", "restated"]
    assert forms["ada_minimax/thm-4.1", "main text"]
    assert not any(mine for (_, name), mine in forms.items() if name in ("repaired", "own", "proof"))


def test_a_statement_of_this_project_has_no_printed_proof() -> None:
    """And its card says of no row that the paper says so."""
    theorem = catalog.theorems()["ir_cg/own-nonconvex-inner"]
    lemmas = catalog.lemmas()
    checks = {(x.key, c.name): c.expected for x in chain(lemmas, theorem.key) for c in x.checks}
    lines = [line(c) for c in verify.claims() if c.key == theorem.key and not isinstance(c, Caught)]
    (made,) = cards.cards(lines, catalog.theorems(), lemmas, checks)
    subjects = [r.subject for r in made.rows]
    assert "proof" in subjects
    assert cards.PROOF not in subjects
    assert not any(r.printed for r in made.rows)
    assert made.answer
    assert made.outcome != Outcome.UNMEASURED


def test_a_setting_names_its_own_exponent_where_the_law_has_one_for_each() -> None:
    theorem = catalog.theorems()["ir_cg/thm-1-inner"]
    rate = next(c for c in verify.claims() if c.key == theorem.key and isinstance(c, Rate))
    (made,) = cards.cards([line(rate)], catalog.theorems(), {}, {})
    assert ", claimed 1/2 at T" in row(made, "rate T^-p").evidence  # as the finding says


def test_the_smallest_slack_names_its_setting_among_several() -> None:
    bounds = [c for c in OWN if c.bound is not None and c.bound.form == "printed"][:2]
    near, far = line(bounds[0], slack=2.0), line(bounds[1], slack=50.0)
    name = bounds[0].experiment.partition(";")[0]
    assert f"smallest slack 2 ({name})" in row(card(far, near), "bound as printed").evidence
    assert "(" not in row(card(near), "bound as printed").evidence


def test_terminal_page_and_json_say_the_same() -> None:
    """Every row, word for word, of a card with all outcomes, also at 80 columns."""
    verdicts = {Verdict.HOLDS: 3.0, Verdict.VIOLATED: 0.5, Verdict.INCONCLUSIVE: 3.0}
    claims = [first(lambda c: c.bound is not None), *curves()[:2], first(lambda c: isinstance(c, Exponent))]
    for verdict, slack in verdicts.items():
        made = card(*(line(c, verdict, slack=slack) for c in claims))
        console = Console(file=io.StringIO(), width=80)
        show_cards([made], console)
        printed = "".join(console.file.getvalue().split())  # type: ignore[attr-defined]
        environment = Environment(loader=PackageLoader("workbench.report"), autoescape=True)
        environment.filters |= dict.fromkeys(("prose", "number", "for_command"), str)
        page = environment.get_template("parts.html").module.card(made)  # type: ignore[attr-defined]
        for r, record in zip(made.rows, made.record()["rows"], strict=True):
            assert "".join(f"{r.outcome}{r.subject}:{r.evidence}".split()) in printed
            assert f"{escape(r.subject)}" in page
            assert f'<span class="verdict {r.look}">{r.outcome}</span><td>{escape(r.evidence)}' in page
            assert record == {
                "subject": r.subject,
                "outcome": str(r.outcome),
                "evidence": r.evidence,
                "printed": r.printed,
            }


def test_settings_that_are_not_judged_stand_beside_those_that_are() -> None:
    tights = [c for c in curves() if isinstance(c, Tight)]
    others = {card_curves._setting_of(c): c for c in tights[1:]}
    others.pop(card_curves._setting_of(tights[0]), None)
    made = card(line(tights[0]), left_out=tuple(others.values()))
    evidence = row(made, "rate").evidence
    judged, first = tights[0].experiment, next(iter(others.values())).experiment
    assert judged.partition(";")[0] == first.partition(";")[0], "parameters tell them apart"
    assert f"'{judged}': slope" in evidence
    settings = f"{len(others)} settings" if len(others) > 1 else ""
    such = f"{settings}, such as " if settings else ""
    assert evidence.endswith(f"not judged here: {such}'{first}' (left out for want of runs)")
    assert made.answer["open"] == f"nothing; not judged: {settings or '1 setting'}"


def test_a_rate_that_this_project_adds_refutes_no_printed_bound() -> None:
    """T log T follows from the form that it is added for, and need not from the paper's."""
    exponents = [c for c in verify.claims() if c.key == f"{PAPER}/thm-4.1" and isinstance(c, Exponent)]
    lines = [line(c, Verdict(c.expected)) for c in exponents]
    assert any(x.decision.verdict == Verdict.VIOLATED for x in lines)
    made = card(*lines)
    assert all(r.outcome == Outcome.HOLDS for r in made.rows if r.about == About.FROM_BOUND)
    assert made.answer["bound"].startswith("as printed: not measured; gives the claimed rate"), (
        "no row is left out"
    )


def test_a_repair_answers_for_its_own_exponents_and_names_each_in_full() -> None:
    """What the printed form fails to give is not laid on the repaired one, and "kappa_sigma^4.5" ends no sentence."""
    theorem = catalog.theorems()["ada_minimax/thm-4.1"]
    lemmas = catalog.lemmas()
    checks = {(x.key, c.name): c.expected for x in chain(lemmas, theorem.key) for c in x.checks}
    exponents = [c for c in verify.claims() if c.key == theorem.key and isinstance(c, Exponent)]
    lines = [line(c, Verdict(c.expected)) for c in exponents]
    (made,) = cards.cards(lines, catalog.theorems(), lemmas, checks)
    assert row(made, "proof as repaired").evidence.endswith("does not give: kappa_sigma; sigma")
    assert re.search(
        r"; repaired \(\d+ of 42 links certified, \d+ tested on runs\); its bound does not give: kappa_sigma; sigma$",
        made.answer["proof"],
    )
    assert made.answer["open"].endswith("what its proofs do not give (kappa_sigma; sigma)")
    assert "; repaired: does not give kappa_sigma; sigma" in made.answer["bound"]
    assert "kappa_sigma^4.5" in row(made, "rate from the bound (repaired)").evidence
    assert (
        "low noise; kappa_sigma; vanishing noise; sigma"
        in row(made, "rate from the bound (as printed)").evidence
    )


def test_a_bound_on_a_quantity_of_a_lemma_is_not_the_theorem_s() -> None:
    claims = [c for c in verify.claims() if c.bound is not None and c.bound.of and c.expected == "holds"]
    of_lemma = next(c for c in claims if c.key == "ada_minimax/thm-4.1")
    assert not any(r.subject.startswith("bound") for r in card(line(of_lemma)).rows)


def test_a_false_bound_that_gives_the_rate_is_said_to_be_false_there_too() -> None:
    bound = first(lambda c: c.bound is not None and c.bound.form == "printed")
    exponent = first(lambda c: isinstance(c, Exponent) and c.form.name == "printed")
    made = card(line(bound, Verdict.VIOLATED, slack=0.5), line(exponent))
    assert row(made, "rate from the bound").evidence.endswith("the printed bound itself is exceeded")
    assert made.answer["bound"] == "as printed: false; would give the claimed rate"
    assert made.answer["open"] == "rate along runs"


def test_a_repair_that_is_not_compared_where_the_printed_bound_fails_says_so() -> None:
    """Two theorems of biadam: "false; repaired: never exceeded" was read as if the repair held on the same runs."""
    bound = first(lambda c: c.bound is not None and c.bound.form == "printed")
    repaired = first(lambda c: c.bound is not None and c.bound.form == "repaired")
    assert bound.needs != repaired.needs
    made = card(line(bound, Verdict.VIOLATED, slack=0.5), line(repaired))
    elsewhere = "not compared where the printed one is exceeded"
    assert made.answer["bound"] == f"as printed: false; repaired: never exceeded ({elsewhere})"
    assert row(made, "bound, repaired").evidence.endswith(elsewhere)
    same = replace(repaired, sim=bound.sim)  # type: ignore[attr-defined, call-arg]
    made = card(line(bound, Verdict.VIOLATED, slack=0.5), line(same))
    assert made.answer["bound"] == "as printed: false; repaired: never exceeded"


def test_a_curve_much_faster_than_its_claim_says_so() -> None:
    rate = next(c for c in curves() if isinstance(c, Rate))
    made = line(rate, value=0.2)
    made = replace(made, decision=replace(made.decision, low=0.1, high=0.3))
    assert row(card(made), "rate").evidence.endswith(", grows more slowly than claimed")
    assert (
        "holds as an upper bound (grows more slowly than claimed; in 1 setting)" in card(made).answer["rate"]
    )


def test_the_answer_says_which_rates_a_bound_misses_and_which_form_gives_them() -> None:
    theorem = catalog.theorems()[f"{PAPER}/thm-5.1"]
    exponents = [c for c in verify.claims() if c.key == theorem.key and isinstance(c, Exponent)]
    made = card(*(line(c, Verdict(c.expected)) for c in exponents))
    missing = "does not give all claimed rates (missing: very large inner batch; regret)"
    missing = f"{missing}; 'convolved' (own): gives them, compared with no run"
    assert missing in made.answer["bound"]


def test_a_theorem_without_a_power_of_t_shows_what_its_own_functions_measure() -> None:
    """Five curves of Theorem 4 of IR-CG hold, of which its card said nothing."""
    theorem = catalog.theorems()["ir_cg/thm-4"]
    claims = [c for c in verify.claims() if c.key == theorem.key and isinstance(c, Custom)]
    mine = [c for c in claims if c.evidence == "rate"]
    assert len(mine) > 1
    (made,) = cards.cards(map(line, mine), catalog.theorems(), {}, {})
    assert f"in {len(mine)} of {len(mine)} lines, such as {mine[0].experiment}: " in made.rows[0].evidence
    claimed = "Almost surely F(x_t) tends to F_opt and G(x_t) to G_opt"
    assert made.answer == {"claims": claimed, "curves": "no curve contradicts it", "open": "nothing"}
    violated = map(line, mine, (Verdict.VIOLATED, *(Verdict.HOLDS,) * (len(mine) - 1)))
    (made,) = cards.cards(violated, catalog.theorems(), {}, {})
    assert made.answer["curves"] == "other curves: refuted"


def test_a_tolerance_that_is_not_the_usual_one_is_said() -> None:
    tight = next(c for c in curves() if isinstance(c, Tight))
    for tolerance, of_row, of_answer in (
        (0.03, "", ""),
        (0.05, " within 0.05", ""),
        (0.08, *["within 0.08"] * 2),
    ):
        made = card(line(tight, tolerance=tolerance))
        assert ("within" in row(made, "rate").evidence) == bool(of_row)
        assert of_row in row(made, "rate").evidence
        assert made.answer["rate"].endswith(f"attained ({f'{of_answer}; ' if of_answer else ''}in 1 setting)")


def test_a_rate_that_pilot_runs_do_not_show_is_not_just_unmeasured() -> None:
    tight = next(c for c in curves() if isinstance(c, Tight))
    bound = first(lambda c: c.key == tight.key and c.bound is not None and not c.bound.of)
    for reason, words in ((Reason.PILOTS, " (pilot runs do not show it)"), (Reason.RUNS, "")):
        omissions = [Omission(tight, reason, "")]
        (made,) = cards.cards([line(bound)], catalog.theorems(), {}, {}, omissions)
        assert made.answer["rate"].endswith(f"not measured{words}")
        assert made.answer["open"].startswith("rate ")


def test_a_long_card_begins_with_its_answer() -> None:
    lines = [line(c, Verdict(c.expected)) for c in CLAIMS]
    made = card(*lines)
    assert len(made.rows) > 4
    console = Console(file=io.StringIO(), width=80)
    show_cards([made], console)
    text = " ".join(console.file.getvalue().split())  # type: ignore[attr-defined]
    answer = " ".join(f"{name} {found}" for name, found in made.answer.items())
    assert f"{made.title} {answer} " in text


def of_reading(claim: Claim, **change: object) -> Claim:
    return replace(claim, reading=replace(claim.reading, **change))  # type: ignore[attr-defined, type-var]


def test_a_slope_without_its_logarithm_says_so_and_is_not_called_faster() -> None:
    rate = of_reading(next(c for c in curves() if isinstance(c, Rate)), log_power=1.75)
    made = line(rate, value=0.2)
    made = card(replace(made, decision=replace(made.decision, low=0.1, high=0.3)))
    assert "slope 0.2 [0.1, 0.3] of the curve over log(T)^1.75, claimed" in row(made, "rate").evidence
    assert "than claimed" not in made.answer["rate"]


def test_an_example_is_of_the_theorems_own_quantity_and_others_are_named() -> None:
    tights = [c for c in curves() if isinstance(c, Tight)]
    part = replace(line(of_reading(tights[0], shown="hessian_vector calls")), void="")
    sharper = replace(part, decision=replace(part.decision, sensitivity=0.01))
    both = card(line(tights[1]), sharper)
    assert row(both, "rate").evidence.startswith("slope 0.5"), "the theorem's own"
    assert both.answer["rate"].endswith("attained (in 1 setting; of its parts in 1 of 1 curves)")
    rate = line(next(c for c in curves() if isinstance(c, Rate)))
    assert row(card(rate, sharper), "rate").outcome == Outcome.HOLDS, "what its parts attain it need not"
    violated = replace(sharper, decision=replace(sharper.decision, verdict=Verdict.VIOLATED))
    violated = replace(
        violated, decision=replace(violated.decision, finding=replace(violated.decision.finding, value=0.7))
    )
    assert row(card(rate, violated), "rate").outcome == Outcome.REFUTED
    assert row(card(sharper), "rate").evidence.startswith("Hessian-vector products: slope 0.5")


def test_pilot_runs_that_do_not_show_a_claim_are_counted_apart() -> None:
    tights = {card_curves._setting_of(c): c for c in curves() if isinstance(c, Tight)}
    one, two, three = list(tights.values())[:3]
    reasons = ((two, Reason.PILOTS), (three, Reason.RUNS))
    (made,) = cards.cards(
        [line(one)], catalog.theorems(), {}, {}, [Omission(c, why, "") for c, why in reasons]
    )
    text = "nothing; not judged: 2 settings (1 of them: pilot runs do not show what is claimed)"
    assert made.answer["open"] == text


def test_a_rate_of_which_the_runs_are_left_out_says_why() -> None:
    """Theorem 3 of rsvrb claims samples for a precision; its rate along runs belongs to no case."""
    key = "rsvrb/thm-3"
    claims = [c for c in verify.claims() if c.key == key]
    exponent = next(c for c in claims if isinstance(c, Exponent))
    rate = next(c for c in claims if isinstance(c, Rate))
    left = [Omission(rate, Reason.LONGER, "")]
    (made,) = cards.cards([line(exponent)], catalog.theorems(), {}, {}, left)
    assert row(made, "rate along runs").evidence == "needs a longer profile"
    (made,) = cards.cards([line(exponent)], catalog.theorems(), {}, {})
    assert row(made, "rate along runs").evidence == card_curves.NOTHING


def test_a_repair_is_judged_by_the_bound_that_it_proves() -> None:
    """ "convolved" gives the rate, but no proof ends in it."""
    theorem = catalog.theorems()[f"{PAPER}/thm-5.1"]
    exponents = [c for c in verify.claims() if c.key == theorem.key and isinstance(c, Exponent)]
    lines = [line(c, Verdict(c.expected)) for c in exponents]
    missing = [of.name for of in cards._not_given(theorem, lines)]
    assert missing == ["very large inner batch", "regret"]


def test_a_proof_that_is_measured_in_part_has_at_least_so_many_wrong_links() -> None:
    links = (Status.PROOF_LINE, Status.UNMEASURED)
    assert Row(About.PROOF, "", Outcome.REFUTED, "", links=links).wrong == "at least 1 of 2 links is wrong"
    assert Row(About.PROOF, "", Outcome.REFUTED, "", links=links[:1]).wrong == "1 of 1 links is wrong"


def test_an_upper_bound_of_which_the_exact_exponent_is_left_out_says_so() -> None:
    rate, tight = (next(c for c in curves() if isinstance(c, kind)) for kind in (Rate, Tight))
    made = card(line(rate), left_out=(tight,))
    assert "whether it is attained is not judged (left out for want of runs)" in row(made, "rate").evidence
    assert "holds as an upper bound (attained or not: not judged; in 1 setting, " in made.answer["rate"]
    assert "whether T^(max(h,v,1-2 tau)) (regret) is attained" in made.answer["open"]


def test_exponents_in_other_parameters_have_a_row() -> None:
    claims = [c for c in verify.claims() if c.key == "ada_minimax/thm-4.1" and c.evidence == "scaling"]
    made = card(*map(line, claims))
    assert row(made, "other exponents").evidence.startswith(f"in {len(claims)} of {len(claims)} lines: I2")
    assert made.answer["curves"].startswith("other exponents: holds")


def test_a_repair_need_not_give_a_law_that_this_project_adds() -> None:
    theorem = catalog.theorems()[f"{PAPER}/thm-3.2"]
    exponents = [c for c in verify.claims() if c.key == theorem.key and isinstance(c, Exponent)]
    assert any(c.expected == "violated" and c.form.name == "repaired" for c in exponents)
    assert cards._not_given(theorem, [line(c, Verdict(c.expected)) for c in exponents]) == ()


def test_an_answer_says_in_how_many_settings_and_one_of_several_has_its_name() -> None:
    tight, *tights = {card_curves._setting_of(c): c for c in curves() if isinstance(c, Tight)}.values()
    rate = next(c for c in curves() if isinstance(c, Rate))
    assert card_curves._setting_of(tight) != card_curves._setting_of(rate)
    made = card(line(tight), line(rate))
    assert made.answer["rate"].endswith(" attained (in 1 of 2 settings)")
    assert f"such as '{tight.experiment.partition(';')[0]}" in row(made, "rate").evidence
    assert made.answer["open"] == "nothing"
    n = len(tights) + 1
    assert card(line(tight), *map(line, tights)).answer["rate"].endswith(f" attained (in {n} settings)"), (
        "all alike"
    )


def test_a_curve_below_its_exact_exponent_does_not_attain_it_and_the_answer_says_so() -> None:
    """In the words of a regret, which grows, and not in those of what falls."""
    rate = next(c for c in curves() if isinstance(c, Rate))
    tight = next(c for c in curves() if isinstance(c, Tight))
    same = replace(tight, reading=rate.reading)  # type: ignore[attr-defined, call-arg]
    assert card_curves._setting_of(same) == card_curves._setting_of(rate)
    made = card(line(rate), line(same, Verdict.VIOLATED, value=0.3))
    assert made.answer["rate"].endswith(
        "holds as an upper bound (not attained: grows more slowly than claimed; in 1 setting)"
    )


def test_the_widest_tolerance_of_what_is_counted_is_said() -> None:
    tights = list({card_curves._setting_of(c): c for c in curves() if isinstance(c, Tight)}.values())[:2]
    narrow, wide = line(tights[0], tolerance=0.03), line(tights[1], tolerance=0.08)
    narrow = replace(narrow, decision=replace(narrow.decision, sensitivity=0.01))
    made = card(narrow, wide)
    assert row(made, "rate").evidence.endswith("; others within 0.08")
    assert made.answer["rate"].endswith("attained (within 0.08; in 2 settings)")


def test_two_scalings_are_both_shown_with_their_tolerance_and_an_interval_as_what_is_claimed() -> None:
    claims = [c for c in verify.claims() if c.key == "ada_minimax/thm-4.1" and c.evidence == "scaling"]
    off = line(claims[0], tolerance=0.05, value=0.46)
    off = replace(off, decision=replace(off.decision, low=0.455, high=0.465))
    finding = replace(line(claims[1]).decision.finding, between=(0.25, 0.75))
    between = line(claims[1])
    between = replace(between, decision=replace(between.decision, finding=finding))
    shown = row(card(off, between), "other exponents").evidence
    assert shown.startswith(
        f"in 2 of 2 lines: {claims[0].experiment}: found 0.46 [0.455, 0.465], claimed 0.5 within 0.05"
    )
    assert f" | {claims[1].experiment}: found 0.5 [0.4, 0.6], claimed between 0.25 and 0.75" in shown


def test_a_bound_that_is_loose_in_some_lines_says_in_how_many() -> None:
    bounds = [c for c in OWN if c.bound is not None and c.bound.form == "printed"]
    made = card(line(bounds[0], slack=26.0), line(replace(bounds[0], name="other"), slack=1e4))  # type: ignore[call-arg]
    assert "smallest slack 26" in row(made, "bound as printed").evidence
    assert row(made, "bound as printed").evidence.endswith(", 100 or more in 1 of 2 lines")
