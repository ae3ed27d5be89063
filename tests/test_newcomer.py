"""What a newcomer meets in a first paper: names of constants, sums in bounds, levels at horizons, printed commands."""

import numpy as np
import pytest
from sympy import Product, Rational, Sum, Symbol, symbols

import workbench as wb
from workbench.homes import papers
from workbench.theory.asymptotics import Undecided, growth
from workbench.theory.numeric_code import numpy_function
from workbench.theory.symbol_names import formula, symbol_latex

k, N, M = symbols("k N M", integer=True, positive=True)
a = Symbol("a", positive=True)


@pytest.mark.parametrize(
    ("name", "latex"),
    [
        ("L_local", r"L_{\mathrm{local}}"), ("gradnorm", r"\mathrm{gradnorm}"), ("eta_that", r"\eta_{\mathrm{that}}"),
        ("G_total", r"G_{\mathrm{total}}"), ("c_abs", r"c_{\mathrm{abs}}"), ("xdot", r"\mathrm{xdot}"),
        ("Lbar", r"\mathrm{Lbar}"), ("t_mix", r"t_{\mathrm{mix}}"), ("x_bold", r"x_{\mathrm{bold}}"),
        ("sigma_x_bar", r"\bar{\sigma}_{x}"), ("sigma_low", r"\underline{\sigma}"), ("L_hat", r"\hat{L}"),
        ("rho_prime", r"\rho'"), ("x_star", "x^{*}"), ("kappa", r"\kappa"),
        ("lam", r"\lambda"), ("eps_0", r"\varepsilon_{0}"),
        ("sigma2", r"\sigma_{2}"), ("C12", "C_{12}"), ("C_12", "C_{12}"), ("x_1_2", "x_{1,2}"), ("L_f1", "L_{f1}"),
        ("T", "T"), ("_2", r"\_2"), (r"\hat{x}", r"\hat{x}"),
    ],
)  # fmt: skip
def test_a_name_becomes_latex_by_its_whole_words(name, latex):
    assert symbol_latex(name) == latex
    assert formula(Symbol(name), {}) == latex


@pytest.mark.parametrize(
    "ending", ["norm", "hat", "cal", "scr", "bb", "bold", "dot", "tilde", "prime", "abs", "frak"]
)
def test_no_ending_of_a_word_is_a_command(ending):
    """SymPy's rules for the ends of names, each of which is also the end of a word."""
    for name in (f"L_x{ending}", f"grad{ending}", f"t{ending}", f"eta_t{ending}"):
        assert formula(Symbol(name), {}).replace(r"\mathrm", "").replace(r"\eta", "").count("\\") == 0


def test_the_name_that_a_paper_gives_counts():
    assert formula(Symbol("L_local") / a, {a: r"\alpha_0"}) == r"\frac{L_{\mathrm{local}}}{\alpha_0}"


# ------------------------------------------------------------------------------------------------ sums in bounds


@pytest.mark.parametrize("series", [Sum, Product])
@pytest.mark.parametrize("term", [1 / k**2, a / k, k + M, 1 + 0 * k])
def test_a_bound_may_have_a_sum_over_a_constant(series, term):
    function = numpy_function((N, M, a), series(term, (k, M, N)))
    for n, m in ((5, 1), (7, 3), (3, 3), (2, 3)):
        exact = (
            series(term.subs({M: m, a: Rational(3, 2)}), (k, m, n)).doit() if n >= m else series is Product
        )
        assert function(float(n), float(m), 1.5) == pytest.approx(float(exact))


def test_limits_of_a_sum_may_differ_between_rows():
    function = numpy_function((N, a), Sum(a / k, (k, 1, N)))
    n, scale = np.array([[1.0], [3.0], [200_000.0]]), np.array([[1.0, 2.0, 3.0]])
    expected = [[scale_ * (1 / np.arange(1, n_ + 1)).sum() for scale_ in scale[0]] for n_ in n[:, 0]]
    np.testing.assert_allclose(function(n, scale), expected, rtol=1e-12)
    double = numpy_function((N,), Sum(k * M, (k, 1, M), (M, 1, N)))
    assert double(np.array([3.0])) == pytest.approx([1 + 2 * 3 + 3 * 6])


@pytest.mark.parametrize("n", [2.5, np.inf, np.nan])
def test_a_sum_to_no_integer_is_one_sentence(n):
    with pytest.raises(ValueError, match="integers as its limits, or its value in closed form"):
        numpy_function((N,), Sum(1 / k, (k, 1, N)))(n)


def test_a_theorem_with_a_sum_over_a_constant_has_values():
    v = wb.vocabulary
    theorem = wb.Paper("sums", "Sums", "me", "draft").theorem(
        "thm-1",
        statement="A sum",
        metric="gap",
        bound=Sum(1 / k**2, (k, 1, v.N)) / v.T,
        exponent=-1,
        generic={v.N: 3},
    )
    T = np.array([[10.0, 100.0]])
    np.testing.assert_allclose(
        theorem.numeric()(N=np.array([[2], [3]]), T=T), np.array([[1.25], [49 / 36]]) / T
    )


# ------------------------------------------------------------------------------------------------ exponents


def test_a_geometric_rate_has_no_exponent_and_says_so():
    T = wb.vocabulary.T
    for base, said in ((Rational(1, 2), "falls faster than every power of T"), (2, "grows faster")):
        with pytest.raises(Undecided, match=said):
            growth(base**T, T, {})


# ------------------------------------------------------------------------------------------------ commands


def test_a_printed_command_names_the_path_of_an_own_paper(tmp_path, monkeypatch):
    file = tmp_path / "one.py"
    (tmp_path / "two").mkdir()
    (tmp_path / "two" / "theory.py").write_text("")
    file.write_text("")
    with papers.temporary_view():
        papers.look(True, [file, tmp_path / "two"])
        monkeypatch.chdir(tmp_path)
        assert papers.for_command("one/thm-1") == "one.py/thm-1"
        assert papers.for_command("two/sim-a") == "./two/sim-a"
        assert papers.for_command("two") == "./two"
        assert papers.for_command("another/thm-3.1") == "another/thm-3.1"
        monkeypatch.chdir(tmp_path / "two")
        assert papers.for_command("one/thm-1") == f"{file}/thm-1"
        assert papers.for_command("two/thm-1") == f"{tmp_path / 'two'}/thm-1"
