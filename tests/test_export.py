"""Lines in Lean and in LaTeX: what is written parses, has the right types, and the values of its trees."""

import math
import re
from fractions import Fraction

import lean
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from test_statements import TREES

from workbench.ledger import trees, typed
from workbench.ledger.counterexample import evaluate
from workbench.ledger.export import latex
from workbench.ledger.export import lean as writer
from workbench.ledger.export.lean_statement import Statement
from workbench.ledger.export.lean_tactics import MADE_FOR
from workbench.ledger.export.lean_terms import RESERVED, Terms, identifier, types_of
from workbench.ledger.export.lines import Line
from workbench.ledger.statements import statement as statement_of
from workbench.report.formulas import unreadable
from workbench.report.latex import statement as prose

REALS = ("x", "y", "q", "sum_1", "_2", "E", "plus")


def _line(text, verdict="holds", proof=None, name=""):
    return Line("", name, name or "words", typed.one(text).statement, verdict, "terms", proof or {})


# ------------------------------------------------------------------------------------------------ values


def _no_calls(tree):
    return not {"call", "at", "sum", "prod"} & trees.heads(tree)


@settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
@given(TREES.filter(_no_calls), st.lists(st.fractions(-3, 3, max_denominator=5), min_size=7, max_size=7))
def test_a_term_of_lean_has_the_value_of_its_tree(tree, values):
    """Fractions are no quotients of natural numbers, powers no others, and every bracket is where it must be."""
    point = dict(zip(REALS, values, strict=True))
    _compare(tree, dict.fromkeys(REALS, "ℝ"), {}, point)


LIMITS = st.recursive(
    st.one_of(st.sampled_from(["n", "m"]), st.integers(-2, 3).map(lambda i: ["q", str(i)])),
    lambda inner: st.tuples(st.sampled_from(["+", "*"]), inner, inner).map(list),
    max_leaves=3,
)
BODIES = st.recursive(
    st.one_of(st.sampled_from(["k", "n", "m", "x"]), st.integers(-2, 3).map(lambda i: ["q", str(i)])),
    lambda inner: st.one_of(
        st.tuples(st.sampled_from(["+", "*"]), inner, inner).map(list),
        st.tuples(st.just("^"), inner, st.sampled_from(["2", "-1", "1/2"])).map(list),
        st.tuples(st.just("pow"), st.just(["q", "2"]), inner).map(list),
    ),
    max_leaves=5,
)


@settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
@given(st.sampled_from(["sum", "prod"]), LIMITS, LIMITS, BODIES, st.integers(0, 4), st.integers(-3, 3))
def test_integers_keep_their_values(head, low, high, body, n, m):
    """n is a natural number and m an integer: differences in limits, casts, and sums over none."""
    at = {"n": ["q", str(n)], "m": ["q", str(m)]}
    first, last = (trees.constant(trees.replace(end, at)) for end in (low, high))
    assume(first - 1 <= last <= 12)
    types = types_of({"n": ["0", "oo", False, True, True], "m": ["-oo", "oo", True, True, True]}, [])
    _compare(
        [head, "k", low, high, body],
        {"n": "ℕ", "m": "ℤ", "x": "ℝ"},
        types,
        {"n": n, "m": m, "x": Fraction(3, 2)},
    )


def _compare(tree, declared, types, point):
    try:
        numbers = {name: ["q", str(point[name])] for name in types}
        expected = float(evaluate(trees.replace(tree, numbers), {n: float(v) for n, v in point.items()}))
    except (OverflowError, ZeroDivisionError, RuntimeWarning, ValueError):
        assume(False)
    assume(math.isfinite(expected) and abs(expected) < 1e100 and _has_values(tree, types, point))
    term = lean.parse(Terms(types).real(tree))
    at = {identifier(n): v if declared[n] != "ℝ" else float(v) for n, v in point.items()}
    found = lean.value(("as", term, "ℝ"), "ℝ", {identifier(n): k for n, k in declared.items()}, at)
    assert found == pytest.approx(expected, rel=1e-6, abs=1e-9)


def _has_values(tree, types, point):
    """Whether every divisor, root and logarithm in a tree has a value at a point."""
    at = {n: ["q", str(v)] for n, v in point.items()}
    for base, sign, indices in trees.domains(trees.replace(tree, at)):
        for k in range(-9, 13) if indices else (0,):
            with_indices = trees.replace(base, {i: ["q", str(k)] for i in indices})
            x = float(evaluate(with_indices, {}))
            if not {">= 0": x >= 0, "> 0": x > 0, "!= 0": x != 0}[sign] and not indices:
                return False
            if (indices and x == 0) or not math.isfinite(x):
                return False
    return True


# ------------------------------------------------------------------------------------------------ theorems

LINES = [
    "2*a*b <= a^2 + b^2 for a, b real",
    "sum(1/sqrt(k), k, 1, n) <= 2*sqrt(n) for integer n >= 1",
    "sum(k, k, -2, n) <= (n + 3)^2 for integer n >= -2",
    "prod(1 - 1/(k + 1), k, 1, n) = 1/(n + 1) for integer n >= 1 by induction on n",
    "sum(k, k, 1, n - 1) = n*(n - 1)/2 for integer n >= 1 by induction on n",
    "A[n] = 2^n for integer n >= 1 by induction on n with A[n + 1] = 2*A[n], A[1] = 2",
    "A[n - 1] = A[n - 1] for integer n >= 1 by induction on n",
    "(x^2 - 1)/(x - 1) = x + 1 for x real",
    "sum(log(x + k), k, 1, 3) = log((x + 1)*(x + 2)*(x + 3)) for x real",
    "sum(1/k, k, 1, n) <= n for integer n in [1, 6]",
    "maximum of x + 2*y = 3 given x <= 1, y <= 1",
    "maximum of x + 2*y <= 7/2 given x <= 1, y <= 1",
    "minimum of x >= -1 given -x <= 1",
    "maximum of x >= 1/2 given x = 1",
    "x/2 <= max(x, 0, -x) for x in [-1/3, 2)",
    "f(x)*(x + y) = f(x)*x + y*f(x) for x, y real",
    "-x^2 <= x^(-2)*3/4 - x/2 + 7 for x > 1/3",
    "i + j <= 4 for integer i in [-2, 2], integer j in [0, 2]",
    "1/2 + 1/3 <= 1",
    "if(x >= y, x, y) <= x + y for x, y >= 0",
    "x^(3/4) <= 1 + x for x >= 0 given x <= 100, x > 0",
    "pow(1 - x, n) <= 1 for x in [0, 1), integer n >= 0",
    "where_1*in_2 <= 1 for where_1, in_2 in [0, 1]",
    "at*fun*_x <= 1 for at, fun, _x in [0, 1]",
    "exp(-x) <= 1 - x + x^2/2 for x in [0, 1]",
    "pi <= 22/7",
    "log(e) <= 1",
]


@pytest.mark.parametrize("text", LINES)
@pytest.mark.parametrize("verdict", ["holds", "violated", "inconclusive"])
def test_a_theorem_parses_and_declares_what_it_names(text, verdict):
    names = set()
    block, kind = writer.theorem(_line(text, verdict), names)
    assert kind in MADE_FOR
    _check_block(block, names)


def _check_block(block, names):
    comment, _, rest = block.partition("-/")
    assert comment.startswith("/-- ")
    statement, by, proof = rest.partition(":= by")
    assert by
    assert "sorry" in proof
    name, binders, claim = lean.theorem(statement.strip())
    assert name in names
    types = {}
    _check_claim(claim, _declared(binders, types))


def _declared(binders, types):
    for own, kind, claim in binders:
        if kind is None:
            _check_claim(claim, types)
        else:
            assert not set(own) & RESERVED
            types |= dict.fromkeys(own, kind)
    return types


def _check_claim(claim, types):
    """Every relation in it has a type, and terms of it."""
    head, *parts = claim
    if head in ("¬", "→", "∧"):
        for part in parts:
            _check_claim(part, types)
    elif head in ("∀", "∃"):
        _check_claim(parts[1], _declared(parts[0], dict(types)))
    elif head == "∀ ∈":
        kind = lean.known(parts[1], types) or lean.known(parts[2], types) or "ℕ"
        _check_claim(parts[3], {**types, parts[0]: kind})
    elif head == "apply":
        assert parts[0] in ("IsGreatest", "IsLeast")
        _, z, kind, inner = parts[1]
        _check_claim(inner, {**types, z: kind})
    else:
        at = {name: _anything(kind) for name, kind in types.items()}
        assert lean.truth(claim, types, at) in (True, False)


def _anything(kind):
    if isinstance(kind, tuple) and len(kind) > 1:
        return lambda *arguments: 1.0
    return 3.0 if kind in ("ℝ", ("ℝ",)) else 3


@pytest.mark.parametrize(
    ("text", "binders", "claim"),
    [
        ("a <= a^2 for a >= 1", ["(a : ℝ)", "(h_a : (1 : ℝ) ≤ a)"], "(a : ℝ) ≤ a ^ 2"),
        ("n <= 2*n for integer n >= 0", ["(n : ℕ)"], "((n : ℝ) : ℝ) ≤ 2 * (n : ℝ)"),
        ("n <= n^2 for integer n > -5", ["(n : ℤ)", "(h_n : (-4 : ℤ) ≤ n)"], "((n : ℝ) : ℝ) ≤ (n : ℝ) ^ 2"),
        ("1/x*x = 1 for x real", ["(x : ℝ)", "(hd : x ≠ (0 : ℝ))"], "(x⁻¹ * x : ℝ) = 1"),
        ("1/x*x = 1 for x > 0", ["(x : ℝ)", "(h_x : (0 : ℝ) < x)"], "(x⁻¹ * x : ℝ) = 1"),
        ("sqrt(x)^2 = x for x real", ["(x : ℝ)", "(hd : (0 : ℝ) ≤ x)"], "((Real.sqrt x) ^ 2 : ℝ) = x"),
        (
            "x/3 <= 1/2 for x in (0, 1)",
            ["(x : ℝ)", "(h_x : (0 : ℝ) < x)", "(h_x_2 : x < (1 : ℝ))"],
            "(x * (1 / 3 : ℝ) : ℝ) ≤ (1 / 2 : ℝ)",
        ),
        (
            "h_x + x <= 9 for h_x, x <= 4",
            ["(h_x x : ℝ)", "(h_h_x : h_x ≤ (4 : ℝ))", "(h_x_2 : x ≤ (4 : ℝ))"],
            "(h_x + x : ℝ) ≤ 9",
        ),
        ("x^(-3/2) <= 1 for x >= 1", ["(x : ℝ)", "(h_x : (1 : ℝ) ≤ x)"], "((x ^ (3 / 2 : ℝ))⁻¹ : ℝ) ≤ 1"),
    ],
)  # fmt: skip
def test_how_domains_and_numbers_are_written(text, binders, claim):
    own = Statement(typed.one(text).statement)
    assert (own.binders(), own.claim()) == (binders, claim)


def test_a_difference_of_natural_numbers_does_not_stop_at_0():
    own = Statement(typed.one("sum(k, k, n - 2, 2*n) <= 9*n^2 for integer n in [0, 5]").statement)
    assert "∈ Finset.Icc ((n : ℤ) + (-2 : ℤ)) ((2 : ℤ) * (n : ℤ)), (k : ℝ)" in own.claim()


def test_a_sum_within_an_identity_has_its_domain_for_every_index():
    own = Statement(typed.one("sum(1/(x + k), k, 0, 2) = sum(1/(x + k), k, 0, 2) for x real").statement)
    assert own.binders() == ["(x : ℝ)", "(hd : ∀ k ∈ Finset.Icc 0 2, x + (k : ℝ) ≠ (0 : ℝ))"]


@pytest.mark.parametrize(
    ("text", "kind", "tactic"),
    [
        ("1/2 <= 2/3", "norm_num", "norm_num"),
        ("0 <= x^2 + y*exp(x) for x real, y >= 0", "positivity", "positivity"),
        ("0 <= x - y for x >= 1, y <= 1", "linarith", "linarith"),
        ("x*y <= x^2 + y^2 for x, y real", "nlinarith", "nlinarith"),
        ("x/(1 + x) <= 1 for x >= 0", "field_simp", "field_simp; nlinarith"),
        ("sqrt(x) <= 1 + x for x >= 0", "nlinarith with roots", "Real.sqrt_nonneg x"),
        ("(x + 1)^2 = x^2 + 2*x + 1 for x real", "ring", "ring"),
        ("1/x + 1/x = 2/x for x > 0", "field_simp", "field_simp; ring"),
        ("sum(k, k, 1, n) <= 99 for integer n in [1, 5]", "interval_cases", "sorry"),
        ("sum(k, k, 1, n) <= n^2 for integer n >= 1", "induction", "Finset.sum_Icc_succ_top"),
        ("prod(1 + k, k, 1, n) <= pow(9, n^2) for integer n >= 1", "induction", "Finset.prod_Icc_succ_top"),
        ("exp(x) <= 1 + 2*x for x in [0, 1]", "bounds of functions on a box", "sorry"),
        ("log(x) <= x - 1 for x > 0", "by hand", "Real.log_le_sub_one_of_pos"),
    ],
)
def test_lines_are_sorted_by_what_tactics_are_made_for(text, kind, tactic):
    block, own = writer.theorem(_line(text), set())
    assert own == kind
    assert tactic in block.partition(":= by")[2]


def test_squares_of_the_certificate_are_hints():
    proof = {"by": "terms", "terms": [["1", [["square", ["+", "a", ["*", ["q", "-1"], ["q", "1"], "b"]]]]]]}
    block, _ = writer.theorem(_line("2*a*b <= a^2 + b^2 for a, b real", proof=proof), set())
    assert "nlinarith [sq_nonneg (a - b)]" in block


def test_products_of_the_certificate_are_hints():
    proof = {"by": "terms", "terms": [["1/2", [["low", "eta"], ["given", 0]]]]}
    line = "eta/2 <= eta - L*eta^2/2 for L >= 1, eta >= 0 given L*eta <= 1"
    block, _ = writer.theorem(_line(line, proof=proof), set())
    assert (
        "nlinarith [(by apply mul_nonneg <;> first | positivity | linarith : (0 : ℝ) ≤ eta * (1 - L * eta))]"
        in block
    )


def test_a_refuted_line_is_stated_as_its_negation():
    proof = {"by": "point", "point": {"x": "1/2"}}
    block, _ = writer.theorem(_line("x <= x^2 for x > 0", "violated", proof), set())
    assert (
        "¬ ∀ (x : ℝ) (h_x : (0 : ℝ) < x),\n    (x : ℝ) ≤ x ^ 2 := by\n  -- it fails at x = 1/2\n  sorry"
        in block
    )


def test_a_file_has_one_name_for_each_theorem_and_a_table():
    lines = [
        _line("1 <= 2", name="two"),
        _line("1 <= 3", name="two"),
        _line("x <= x + 1 for x real", name="end -/"),
    ]
    text = writer.file(lines)
    assert re.findall(r"^theorem (\w+)", text, re.MULTILINE) == ["two", "two_2", "end_"]
    assert text.count("/-") == text.count("-/")
    assert "| norm_num | 2 | numbers alone |" in text


def test_every_line_of_the_papers_is_a_theorem():
    """The trees alone; nothing is decided."""
    from workbench.run import catalog
    from workbench.theory.lemma import MEASURED

    names, count = set(), 0
    for lemma in catalog.lemmas().values():
        for check in lemma.checks:
            if isinstance(check, MEASURED):
                continue
            statement = statement_of(check)
            line = Line(lemma.key, check.name, lemma.source, statement, "holds", "terms", {})
            block, _ = writer.theorem(line, names)
            _check_block(block, names)
            formulas = latex.Formulas()
            _check_latex(formulas.claim(statement) + formulas.where(statement))
            count += 1
    assert count > 500


# ------------------------------------------------------------------------------------------------ LaTeX


def _check_latex(text):
    assert text.count("{") == text.count("}")
    assert text.count(r"\left") == text.count(r"\right")
    assert text.count(r"\begin") == text.count(r"\end")


@given(TREES.filter(lambda t: "if" not in trees.heads(t)))
def test_a_tree_in_latex_can_be_typeset(tree):
    text = latex.Formulas().text(tree)
    _check_latex(text)
    assert unreadable(f"${text}$") == []


@pytest.mark.parametrize(
    ("text", "formula"),
    [
        ("a*b/(2*c) <= a^2 for a, b, c > 0", r"\frac{a b}{2 c} \le a^{2}"),
        ("-x/2 - 1/3 <= sqrt(x) for x >= 0", r"-\frac{x}{2} - \frac{1}{3} \le \sqrt{x}"),
        ("(a + b)^2*c <= 1 for a, b, c in [0, 1/9]", r"\left(a + b\right)^{2} c \le 1"),
        ("sum(1/k^2, k, 1, n) <= 2 for integer n >= 1", r"\sum_{k=1}^{n} \frac{1}{k^{2}} \le 2"),
        ("x^(-1/2)*3/4 <= y for x >= 1, y >= 1", r"\frac{3}{4 \sqrt{x}} \le y"),
        ("2*3*x <= 7*x for x >= 0", r"2 \cdot 3 x \le 7 x"),
        ("L_local <= 1 for L_local <= 1", r"L_{\mathrm{local}} \le 1"),
    ],
)
def test_how_formulas_are_written(text, formula):
    assert latex.Formulas().claim(typed.one(text).statement) == formula


def test_an_appendix_says_how_each_line_is_shown():
    proof = {"by": "point", "point": {"x": "1/2"}}
    text = latex.file([_line("x <= x^2 for x > 0", "violated", proof)], prose)
    assert r"False at $x = \frac{1}{2}$ (terms)." in text
    assert r"\[ x \le x^{2} \qquad \left(x > 0\right) \]" in text


def test_names_of_the_ledger_are_names_of_lean():
    for name in ("at", "_x", "fun", "Real", "_", "x", "where"):
        assert re.fullmatch(r"[A-Za-z]\w*", identifier(name))
        assert identifier(name) not in RESERVED
