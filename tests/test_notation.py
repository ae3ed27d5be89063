"""ASCII formulas of records: what is found in them, and how the two renderers set it."""

from __future__ import annotations

import pytest

from workbench.report import formulas, latex


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("sum_{t<=n} a_t", r"$\sum$\textsubscript{t$\le$n} a\textsubscript{t}"),
        ("sum_k beta_((k+1):t)", r"$\sum$\textsubscript{k} $\beta$\textsubscript{(k+1):t}"),
        ("the sum of squares", "the sum of squares"),
        ("d2_xy g", r"$\nabla^2$\textsubscript{xy} g"),
        ("|hat eps_1|", r"\textbar{}$\hat{\varepsilon}$\textsubscript{1}\textbar{}"),
        ("what is hat", "what is hat"),
        ("g~_x, x~", r"$\tilde{g}$\textsubscript{x}, $\tilde{x}$"),
        ("eta_t ~ t^-q", r"$\eta$\textsubscript{t} $\sim$ t\textsuperscript{$-$q}"),
        ("y*_i, C'_2", r"y*\textsubscript{i}, C\textquotesingle{}\textsubscript{2}"),
        ("C'_max", r"C\textquotesingle{}\textsubscript{max}"),
        ("alpha'_t", r"$\alpha$\textquotesingle{}\textsubscript{t}"),
        ("I^z_T", r"I\textsuperscript{z}\textsubscript{T}"),
        ("varsigma", r"$\varsigma$"),
        ("E_(i_t)", r"E\textsubscript{i\textsubscript{t}}"),
        ("<e, y* - y~>", r"$\langle$e, y* $-$ $\tilde{y}$$\rangle$"),
        ("<b>a, b</b>", r"\textless{}b\textgreater{}a, b\textless{}/b\textgreater{}"),
        ("H_2,T; C_gyy,i, x_1, y", r"H\textsubscript{2,T}; C\textsubscript{gyy,i}, x\textsubscript{1}, y"),
        ("x_1,x_2", r"x\textsubscript{1},x\textsubscript{2}"),
        ("y*_(lambda_(t-1),t-1)", r"y*\textsubscript{$\lambda$\textsubscript{t$-$1},t$-$1}"),
        ("q^(2(k-1))", r"q\textsuperscript{2(k$-$1)}"),
        ("f = -y, a - b, drift -0.006", "f = $-$y, a $-$ b, drift $-$0.006"),
        ("(m-1) of O-1, L3-5", "(m$-$1) of O-1, L3-5"),
        ("-0.00 at 0.5, -0.05, T^-0", r"0.00 at 0.5, $-$0.05, T\textsuperscript{$-$0}"),
        ("grad, grad f, |grad_y f|", r"grad, $\nabla$ f, \textbar{}$\nabla$\textsubscript{y} f\textbar{}"),
        ("well-known --profile -x2, (a)-(d)", "well-known -{}-profile -x2, (a)-(d)"),
    ],
)  # fmt: skip
def test_formulas_of_records(text: str, shown: str) -> None:
    assert latex.prose(text) == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("drift -0.006", "drift −0.006"),
        ("T^-1/2", '<span class="whole">T<sup>−1/2</sup></span>'),
        ("a_1^2 <= b", '<span class="whole">a<sub>1</sub><sup>2</sup></span> ≤ b'),
        ("at (1 + V)^2", 'at (1 + <span class="whole">V)<sup>2</sup></span>'),
        ("<e, y>", "⟨e, y⟩"),
    ],
)
def test_a_letter_and_its_scripts_stay_together_and_signs_are_text(text: str, shown: str) -> None:
    """In MathML of its own a sign would stand apart from what follows it, even on another line."""
    assert formulas.prose(text) == shown


def test_names_of_functions_have_space_and_bars_do_not() -> None:
    made = str(formulas.mathml(r"a \log T + \max(b) |F_t|"))
    assert '</mi><mo form="prefix" lspace="0.17em" rspace="0.17em">log</mo><mi>T' in made
    assert '<mo form="prefix" lspace="0" rspace="0">max</mo>' in made
    bar = '<mo stretchy="false" lspace="0" rspace="0">&#x0007C;</mo>'
    assert f"{bar}<msub><mi>F</mi><mi>t</mi></msub>{bar}" in made
