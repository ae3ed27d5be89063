"""Hypothesis strategies: instances of paper `ada_minimax` with any constants and noise that its assumptions allow."""

from __future__ import annotations

from hypothesis import strategies as st
from strategies import constants, noise_laws

from workbench.problems import saddle, scalar_bilevel, single_level


@st.composite
def single_levels(draw, d=1):
    law = draw(noise_laws(d))
    return draw(
        st.sampled_from(
            [
                single_level.Quadratic(noise=law, L=draw(constants)),
                single_level.PseudoHuber(noise=law),
                single_level.Logarithm(noise=law),
            ]
        )
    )


@st.composite
def saddles(draw, d=1):
    """Phi bounded below and mu > 0 is all that the family asks for; c < b^2/mu is the usual choice."""
    common = {"noise_x": draw(noise_laws(d)), "noise_y": draw(noise_laws(d))}
    b, mu = draw(st.floats(0.1, 5.0)), draw(st.floats(0.1, 5.0))
    share = draw(st.floats(0.0, 0.95))
    return draw(
        st.sampled_from(
            [
                saddle.QuadraticSaddle(**common, b=b, mu=mu, c=share * b**2 / mu),
                saddle.CosineSaddle(**common, b=b, mu=mu, q=share * b**2 / mu),
                saddle.LogarithmSaddle(**common, b=b, mu=mu),
            ]
        )
    )


@st.composite
def bilevels(draw):
    return scalar_bilevel.ScalarBilevel(
        noise_f=draw(noise_laws()),
        noise_g=draw(noise_laws()),
        a=draw(st.floats(-3.0, 3.0).filter(lambda a: abs(a) > 0.05)),
        h=draw(st.floats(0.1, 5.0)),
        r=draw(st.floats(0.05, 5.0)),
        b=draw(st.floats(-3.0, 3.0)),
    )
