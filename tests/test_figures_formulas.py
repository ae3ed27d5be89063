"""ASCII formulas and sentences with formulas of TeX, as Matplotlib reads them."""

import pytest
from matplotlib.mathtext import MathTextParser

from workbench.report.drawing import ledger
from workbench.report.drawing.formulas import mathtext, tex
from workbench.report.drawing.waterfall import statement_name, visible
from workbench.run import catalog
from workbench.theory.sentences import head


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("eta_T for every eta_t", r"$\eta_{T}$ for every $\eta_{t}$"),
        ("sum of |g_x - g_x'|^2", r"sum of |$g_{x}\ -\ g_{x}$'|$^{2}$"),
        ("c_1, c_2 <= sqrt(m)/k", r"$c_{1}$, $c_{2}\ \leq\ √$(m)/k"),
        ("mu_g and l_g1", r"$\mu_{g}$ and $l_{g1}$"),
        ("sigma_x_bar + L d_1", r"$\bar{\sigma}_{x}$ + L $d_{1}$"),
        ("kappa_g-Lipschitz", r"$\kappa_{g}$-Lipschitz"),
        ("T^(2/3), (t+1)^-omega", r"$T^{2/3}$, (t+1)$^{-\omega}$"),
        ("6.9e8, 1e5", r"$6.9\cdot 10^{8}$, $10^{5}$"),
        ("x_opt, calG_t", r"$x_{\mathrm{opt}}$, $\mathcal{G}_{t}$"),
        ("$3 of longer_names, L97", r"\$3 of longer_names, L97"),
    ],
)
def test_formulas_are_found(text, shown):
    assert mathtext(text) == shown


def test_matplotlib_reads_every_name_that_is_drawn():
    steps = [text for w in catalog.waterfalls() for s in w.steps for text in (s.name, w.name)]
    titles = [x.title for x in catalog.lemmas().values()]
    lines = [
        c.item.name for key in {x.paper.key for x in catalog.lemmas().values()} for c in ledger.measured(key)
    ]
    parser = MathTextParser("path")
    for text in {*steps, *titles, *lines}:
        parser.parse(mathtext(text))
    for w in catalog.waterfalls():
        parser.parse(tex(head(w.theorem.metric)))


def test_short_names_of_tex():
    assert tex(r"$t \le T \ne \left$") == r"$t \leq T \neq \left$"


def test_a_theorem_has_its_number():
    assert statement_name("a-paper/thm-4.1") == "Theorem 4.1"
    assert statement_name("a-paper/thm-1-inner") == "Theorem 1, inner"
    assert statement_name("a-paper/own-rate") == "own-rate"


def test_a_bar_is_as_wide_as_asked():
    low, high = visible(1.0, 1.01, 2.0)
    assert high / low == pytest.approx(2.0)
    assert visible(1.0, 3.0, 2.0) == pytest.approx((1.0, 3.0))


@pytest.mark.parametrize(
    "formula",
    [
        r"\lVert \nabla f(x_t)\rVert^2",
        r"\tfrac{1}{T}\sum_t \lvert x_t \rvert",
        r"\tfrac12 x + \dfrac{\eta}24",
        r"a \leqslant b \iff b \geqslant a",
        r"\operatorname{arg\,min} \binom52",
    ],
)
def test_names_that_matplotlib_lacks_are_replaced(formula):
    MathTextParser("path").parse(tex(f"${formula}$"))
