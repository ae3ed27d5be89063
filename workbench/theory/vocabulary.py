"""Shared constants: Python name, SymPy symbol with its sign, LaTeX and meaning.

The Python names are the interface between instances and theorems: an instance provides its constants under these names,
and a theorem's bound is a function of them. So they must never be renamed. A paper with further constants defines them
with `constant` in its own package.
"""

from dataclasses import dataclass

from sympy import Symbol


@dataclass(frozen=True)
class Constant:
    """One named constant: its symbol (with sign assumptions), its LaTeX and its meaning."""

    symbol: Symbol
    latex: str
    meaning: str

    @property
    def name(self) -> str:
        return self.symbol.name


def constant(name: str, latex: str, meaning: str, *, zero: bool = False, integer: bool = False) -> Constant:
    """A positive constant, or a nonnegative one if `zero` is allowed."""
    if not name.isidentifier():
        raise ValueError(f"{name!r} is not a Python identifier")
    signs = {"nonnegative": True} if zero else {"positive": True}
    if integer:
        signs["integer"] = True
    return Constant(Symbol(name, **signs), latex, meaning)


CONSTANTS: tuple[Constant, ...] = (
    constant("T", "T", "number of iterations"),
    constant("delta", r"\delta", "failure probability unit"),
    constant("L", "L", "smoothness of f, jointly in (x, y)"),
    constant("mu", r"\mu", "strong convexity of f, or strong concavity of f(x, .)"),
    constant("mu_g", r"\mu_g", "strong convexity of the lower level g(x, .)"),
    constant("l_f0", "l_{f,0}", "bound on |grad_y f|", zero=True),
    constant("l_f1", "l_{f,1}", "smoothness of the upper level f"),
    constant("l_g1", "l_{g,1}", "smoothness of the lower level g"),
    constant("l_g2", "l_{g,2}", "Lipschitz constant of the second derivatives of g", zero=True),
    constant("sigma_low", r"\underline{\sigma}", "a.s. lower bound on the gradient noise", zero=True),
    constant("sigma_bar", r"\bar{\sigma}", "a.s. upper bound on the gradient noise", zero=True),
    constant("sigma_x_low", r"\underline{\sigma}_x", "a.s. lower bound on the x-gradient noise", zero=True),
    constant("sigma_x_bar", r"\bar{\sigma}_x", "a.s. upper bound on the x-gradient noise", zero=True),
    constant("sigma_y", r"\sigma_y", "a.s. upper bound on the y-gradient noise", zero=True),
    constant("sigma_f", r"\sigma_f", "a.s. noise bound, both partial gradients of f", zero=True),
    constant("sigma_g1", r"\sigma_{g,1}", "a.s. noise bound, grad_y g", zero=True),
    constant("sigma_g2", r"\sigma_{g,2}", "a.s. noise bound, second derivatives of g", zero=True),
    constant("sigma_phi_low", r"\underline{\sigma}_\phi", "a.s. lower noise bound, hypergradient", zero=True),
    constant("sigma_phi_bar", r"\bar{\sigma}_\phi", "a.s. upper noise bound, hypergradient", zero=True),
    constant("sigma", r"\sigma", "root mean square of the gradient noise", zero=True),
    constant("D", "D", "diameter of the set"),
    constant("Delta_1", r"\Delta_1", "objective gap at the start", zero=True),
    constant("D_1", "D_1", "distance from the start to the solution", zero=True),
    constant("d_1", "d_1", "|y_1 - y*(x_1)|", zero=True),
    constant("alpha", r"\alpha", "momentum parameter, free"),
    constant("gamma", r"\gamma", "offset of the y step size, free"),
    constant("eta", r"\eta", "common step-size factor, free"),
    constant("eta_x", r"\eta_x", "step-size factor of x, free"),
    constant("eta_y", r"\eta_y", "step-size factor of y, free"),
    constant("N", "N", "length of the Neumann sum", integer=True),
)

SYMBOLS: dict[str, Symbol] = {c.name: c.symbol for c in CONSTANTS}
LATEX: dict[Symbol, str] = {c.symbol: c.latex for c in CONSTANTS}

T, delta, L, mu, mu_g = (SYMBOLS[n] for n in ("T", "delta", "L", "mu", "mu_g"))
l_f0, l_f1, l_g1, l_g2 = (SYMBOLS[n] for n in ("l_f0", "l_f1", "l_g1", "l_g2"))
sigma_low, sigma_bar = SYMBOLS["sigma_low"], SYMBOLS["sigma_bar"]
sigma_x_low, sigma_x_bar, sigma_y = (SYMBOLS[n] for n in ("sigma_x_low", "sigma_x_bar", "sigma_y"))
sigma_f, sigma_g1, sigma_g2 = (SYMBOLS[n] for n in ("sigma_f", "sigma_g1", "sigma_g2"))
sigma_phi_low, sigma_phi_bar = SYMBOLS["sigma_phi_low"], SYMBOLS["sigma_phi_bar"]
Delta_1, d_1 = SYMBOLS["Delta_1"], SYMBOLS["d_1"]
sigma, D, D_1 = SYMBOLS["sigma"], SYMBOLS["D"], SYMBOLS["D_1"]
alpha, gamma, eta = (SYMBOLS[n] for n in ("alpha", "gamma", "eta"))
eta_x, eta_y, N = (SYMBOLS[n] for n in ("eta_x", "eta_y", "N"))
