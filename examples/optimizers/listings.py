"""Update rules as their papers print them, one function each: what the table compares implementations with.

Each is the `step` of a method. Accumulators begin with zeros, and further points (y, z, w) where x does. The lecture on
RMSprop has no eps; AMSGrad's paper has none in its algorithm: the common one stands in both.
"""

from types import SimpleNamespace

import workbench as wb

POINTS = ("x", "y", "z", "w")


def listing(paper: str, fields: str, **hyperparameters):
    """Makes a method of a step; fields: of its state. paper: where the rule is printed."""

    def of(step):
        State = wb.state(*fields.split())

        def init(start, c, oracle, draw, xp):
            x = start["x"]
            return State(*(x if name in POINTS else xp.zeros_like(x) for name in State._fields))

        return SimpleNamespace(
            State=State,
            Steps=wb.steps(**hyperparameters),
            init=init,
            step=step,
            paper=paper,
            name=step.__name__,
        )

    return of


@listing("Robbins, Monro 1951", "x", eta=0.1)
def sgd(s, t, c, oracle, draw, xp):
    return s._replace(x=s.x - c.eta * oracle.grad(s.x, draw(0)))


@listing("Polyak 1964, rate of order t^-1/2", "x old", eta=0.1, beta=0.9)
def heavy_ball(s, t, c, oracle, draw, xp):
    old = xp.where(t > 1.0, s.old, s.x)
    x = s.x - c.eta / xp.sqrt(t) * oracle.grad(s.x, draw(0)) + c.beta * (s.x - old)
    return s._replace(x=x, old=s.x)


@listing("Sutskever et al. 2013, (1)-(2), rate of order t^-1/2", "x m", eta=0.1, beta=0.9)
def classical_momentum(s, t, c, oracle, draw, xp):
    m = c.beta * s.m + c.eta / xp.sqrt(t) * oracle.grad(s.x, draw(0))
    return s._replace(x=s.x - m, m=m)


@listing("Nesterov 1983, constant momentum", "x y", eta=0.1, beta=0.9)
def nesterov(s, t, c, oracle, draw, xp):
    x = s.y - c.eta * oracle.grad(s.y, draw(0))
    y = x + c.beta * (x - s.x)
    return s._replace(x=x, y=y)


@listing("Duchi, Hazan, Singer 2011, diagonal", "x v", eta=0.1, eps=1e-3)
def adagrad(s, t, c, oracle, draw, xp):
    g = oracle.grad(s.x, draw(0))
    v = s.v + g * g
    return s._replace(x=s.x - c.eta * g / (xp.sqrt(v) + c.eps), v=v)


@listing("Tieleman, Hinton 2012, lecture 6.5", "x v", eta=0.1, beta=0.9, eps=1e-3)
def rmsprop(s, t, c, oracle, draw, xp):
    g = oracle.grad(s.x, draw(0))
    v = c.beta * s.v + (1 - c.beta) * g * g
    return s._replace(x=s.x - c.eta * g / (xp.sqrt(v) + c.eps), v=v)


@listing("Graves 2013, (38)-(41)", "x v m", eta=0.1, beta=0.95, eps=1e-4)
def centered_rmsprop(s, t, c, oracle, draw, xp):
    g = oracle.grad(s.x, draw(0))
    v = c.beta * s.v + (1 - c.beta) * g * g
    m = c.beta * s.m + (1 - c.beta) * g
    return s._replace(x=s.x - c.eta * g / xp.sqrt(v - m * m + c.eps), v=v, m=m)


@listing("Zeiler 2012, Algorithm 1", "x v u", rho=0.9, eps=1e-3)
def adadelta(s, t, c, oracle, draw, xp):
    g = oracle.grad(s.x, draw(0))
    v = c.rho * s.v + (1 - c.rho) * g * g
    d = xp.sqrt(s.u + c.eps) / xp.sqrt(v + c.eps) * g
    u = c.rho * s.u + (1 - c.rho) * d * d
    return s._replace(x=s.x - d, v=v, u=u)


@listing("Kingma, Ba 2015, Algorithm 1", "x m v", eta=0.1, b1=0.9, b2=0.99, eps=1e-3)
def adam(s, t, c, oracle, draw, xp):
    g = oracle.grad(s.x, draw(0))
    m = c.b1 * s.m + (1 - c.b1) * g
    v = c.b2 * s.v + (1 - c.b2) * g * g
    x = s.x - c.eta * (m / (1 - c.b1**t)) / (xp.sqrt(v / (1 - c.b2**t)) + c.eps)
    return s._replace(x=x, m=m, v=v)


@listing("Kingma, Ba 2015, Algorithm 2", "x m u", eta=0.1, b1=0.9, b2=0.99)
def adamax(s, t, c, oracle, draw, xp):
    g = oracle.grad(s.x, draw(0))
    m = c.b1 * s.m + (1 - c.b1) * g
    u = xp.maximum(c.b2 * s.u, xp.abs(g))
    return s._replace(x=s.x - c.eta * (m / (1 - c.b1**t)) / u, m=m, u=u)


@listing("Reddi, Kale, Kumar 2018, Algorithm 2", "x m v u", eta=0.1, b1=0.9, b2=0.99, eps=1e-3)
def amsgrad(s, t, c, oracle, draw, xp):
    g = oracle.grad(s.x, draw(0))
    m = c.b1 * s.m + (1 - c.b1) * g
    v = c.b2 * s.v + (1 - c.b2) * g * g
    u = xp.maximum(s.u, v)
    return s._replace(x=s.x - c.eta * m / (xp.sqrt(u) + c.eps), m=m, v=v, u=u)


@listing("Loshchilov, Hutter 2019, Algorithm 2", "x m v", eta=0.1, b1=0.9, b2=0.99, eps=1e-3, lam=0.3)
def adamw(s, t, c, oracle, draw, xp):
    g = oracle.grad(s.x, draw(0))
    m = c.b1 * s.m + (1 - c.b1) * g
    v = c.b2 * s.v + (1 - c.b2) * g * g
    d = c.eta * (m / (1 - c.b1**t)) / (xp.sqrt(v / (1 - c.b2**t)) + c.eps)
    return s._replace(x=s.x - d - c.lam * s.x, m=m, v=v)


@listing("Dozat 2016, constant momentum", "x m v", eta=0.1, b1=0.9, b2=0.99, eps=1e-3)
def nadam(s, t, c, oracle, draw, xp):
    g = oracle.grad(s.x, draw(0))
    m = c.b1 * s.m + (1 - c.b1) * g
    v = c.b2 * s.v + (1 - c.b2) * g * g
    ahead = c.b1 * m / (1 - c.b1 ** (t + 1)) + (1 - c.b1) * g / (1 - c.b1**t)
    x = s.x - c.eta * ahead / (xp.sqrt(v / (1 - c.b2**t)) + c.eps)
    return s._replace(x=x, m=m, v=v)


@listing("Dozat 2016, with its momentum schedule", "x m v p", eta=0.1, b1=0.9, b2=0.99, eps=1e-3, psi=0.004)
def scheduled_nadam(s, t, c, oracle, draw, xp):
    g = oracle.grad(s.x, draw(0))
    now, later = (c.b1 * (1 - 0.5 * 0.96 ** (c.psi * k)) for k in (t, t + 1))
    product = (1 - s.p) * now  # p: 1 minus the product of the momenta so far
    m = c.b1 * s.m + (1 - c.b1) * g
    v = c.b2 * s.v + (1 - c.b2) * g * g
    ahead = (1 - now) * g / (1 - product) + later * m / (1 - product * later)
    x = s.x - c.eta * ahead / (xp.sqrt(v / (1 - c.b2**t)) + c.eps)
    return s._replace(x=x, m=m, v=v, p=1 - product)


@listing("Liu et al. 2020, Algorithm 2", "x m v", eta=0.1, b1=0.9, b2=0.99, eps=1e-3)
def radam(s, t, c, oracle, draw, xp):
    g = oracle.grad(s.x, draw(0))
    m = c.b1 * s.m + (1 - c.b1) * g
    v = c.b2 * s.v + (1 - c.b2) * g * g
    last = 2 / (1 - c.b2) - 1
    rho = last - 2 * t * c.b2**t / (1 - c.b2**t)
    r = xp.sqrt(xp.maximum((rho - 4) * (rho - 2) * last / ((last - 4) * (last - 2) * rho), 0.0))
    d = xp.where(rho > 4, r / (xp.sqrt(v / (1 - c.b2**t)) + c.eps), 1.0) * (m / (1 - c.b1**t))
    return s._replace(x=s.x - c.eta * d, m=m, v=v)


@listing("Chen et al. 2023, Algorithm 2", "x m", eta=0.1, b1=0.9, b2=0.99, lam=0.3)
def lion(s, t, c, oracle, draw, xp):
    g = oracle.grad(s.x, draw(0))
    d = wb.ops.sign(c.b1 * s.m + (1 - c.b1) * g, xp)
    m = c.b2 * s.m + (1 - c.b2) * g
    return s._replace(x=s.x - c.eta * (d + c.lam * s.x), m=m)


@listing("Bernstein et al. 2018, Algorithm 1", "x", eta=0.1)
def sign_sgd(s, t, c, oracle, draw, xp):
    return s._replace(x=s.x - c.eta * wb.ops.sign(oracle.grad(s.x, draw(0)), xp))


@listing("Bernstein et al. 2018, Algorithm 2", "x m", eta=0.1, beta=0.9)
def signum(s, t, c, oracle, draw, xp):
    g = oracle.grad(s.x, draw(0))
    m = c.beta * s.m + (1 - c.beta) * g
    return s._replace(x=s.x - c.eta * wb.ops.sign(m, xp), m=m)


@listing("Zhuang et al. 2020, Algorithm 2", "x m v", eta=0.1, b1=0.9, b2=0.99, eps=1e-3)
def adabelief(s, t, c, oracle, draw, xp):
    g = oracle.grad(s.x, draw(0))
    m = c.b1 * s.m + (1 - c.b1) * g
    v = c.b2 * s.v + (1 - c.b2) * (g - m) * (g - m) + c.eps
    x = s.x - c.eta * (m / (1 - c.b1**t)) / (xp.sqrt(v / (1 - c.b2**t)) + c.eps)
    return s._replace(x=x, m=m, v=v)


@listing("Zaheer et al. 2018, Algorithm 2", "x m v", eta=0.1, b1=0.9, b2=0.99, eps=1e-3)
def yogi(s, t, c, oracle, draw, xp):
    g = oracle.grad(s.x, draw(0))
    m = c.b1 * s.m + (1 - c.b1) * g
    v = s.v - (1 - c.b2) * wb.ops.sign(s.v - g * g, xp) * g * g
    return s._replace(x=s.x - c.eta * m / (xp.sqrt(v) + c.eps), m=m, v=v)


@listing("Daskalakis et al. 2018, (4)", "x old", eta=0.1)
def optimistic(s, t, c, oracle, draw, xp):
    g = oracle.grad(s.x, draw(0))
    old = xp.where(t > 1.0, s.old, g)
    return s._replace(x=s.x - 2 * c.eta * g + c.eta * old, old=g)


@listing("You et al. 2020, Algorithm 2", "x m v", eta=0.1, b1=0.9, b2=0.99, eps=1e-3, lam=0.3)
def lamb(s, t, c, oracle, draw, xp):
    g = oracle.grad(s.x, draw(0))
    m = c.b1 * s.m + (1 - c.b1) * g
    v = c.b2 * s.v + (1 - c.b2) * g * g
    d = (m / (1 - c.b1**t)) / (xp.sqrt(v / (1 - c.b2**t)) + c.eps) + c.lam * s.x
    return s._replace(x=s.x - c.eta * wb.ops.norm(s.x, xp) / wb.ops.norm(d, xp) * d, m=m, v=v)


@listing("the same, as pytorch_optimizer writes it", "x m v", eta=0.1, b1=0.9, b2=0.99, eps=1e-3, lam=0.3)
def other_lamb(s, t, c, oracle, draw, xp):
    g = oracle.grad(s.x, draw(0))
    m = c.b1 * s.m + (1 - c.b1) * g
    v = c.b2 * s.v + (1 - c.b2) * g * g
    x, d = s.x - c.eta * c.lam * s.x, m / (xp.sqrt(v) + c.eps)
    ratio = wb.ops.minimum(wb.ops.norm(x, xp), 10.0, xp) / (wb.ops.norm(d, xp) + c.eps)
    return s._replace(x=x - c.eta / (1 - c.b1**t) * ratio * d, m=m, v=v)


@listing("Ginsburg et al. 2019, Algorithm 1", "x m v", eta=0.1, b1=0.9, b2=0.99, eps=1e-3, lam=0.3)
def novograd(s, t, c, oracle, draw, xp):
    g = oracle.grad(s.x, draw(0))
    v = xp.where(t > 1.0, c.b2 * s.v + (1 - c.b2) * wb.ops.sq(g, xp), wb.ops.sq(g, xp) + 0.0 * g)
    m = xp.where(t > 1.0, c.b1 * s.m, 0.0) + (g / (xp.sqrt(v) + c.eps) + c.lam * s.x)
    return s._replace(x=s.x - c.eta * m, m=m, v=v)


@listing("Bernstein et al. 2020, Algorithm 1", "x", eta=0.1)
def fromage(s, t, c, oracle, draw, xp):
    g = oracle.grad(s.x, draw(0))
    d = wb.ops.norm(s.x, xp) / wb.ops.norm(g, xp) * g
    return s._replace(x=(s.x - c.eta * d) / xp.sqrt(1 + c.eta * c.eta))


@listing("Ma, Yarats 2019, (1)-(2)", "x m", eta=0.1, beta=0.9, nu=0.7)
def qhm(s, t, c, oracle, draw, xp):
    g = oracle.grad(s.x, draw(0))
    m = c.beta * s.m + (1 - c.beta) * g
    return s._replace(x=s.x - c.eta * ((1 - c.nu) * g + c.nu * m), m=m)


@listing(
    "Xie et al. 2022, Algorithm 1 with bias correction",
    "x m d n old",
    eta=0.1,
    b1=0.02,
    b2=0.08,
    b3=0.01,
    eps=1e-3,
)
def adan(s, t, c, oracle, draw, xp):
    g = oracle.grad(s.x, draw(0))
    change = xp.where(t > 1.0, g - s.old, 0.0 * g)
    look = g + (1 - c.b2) * change
    m = (1 - c.b1) * s.m + c.b1 * g
    d = (1 - c.b2) * s.d + c.b2 * change
    n = (1 - c.b3) * s.n + c.b3 * look * look
    ahead = m / (1 - (1 - c.b1) ** t) + (1 - c.b2) * (d / (1 - (1 - c.b2) ** t))
    x = s.x - c.eta * ahead / (xp.sqrt(n / (1 - (1 - c.b3) ** t)) + c.eps)
    return s._replace(x=x, m=m, d=d, n=n, old=g)


@listing("Orabona, Tommasi 2017, Algorithm 2", "x start largest total reward theta", alpha=100.0, eps=1e-8)
def cocob(s, t, c, oracle, draw, xp):
    g = oracle.grad(s.x, draw(0))
    start = xp.where(t > 1.0, s.start, s.x)
    largest = wb.ops.maximum(xp.where(t > 1.0, s.largest, c.eps), xp.abs(g), xp)
    total = s.total + xp.abs(g)
    reward = wb.ops.maximum(s.reward - (s.x - start) * g, 0.0, xp)
    theta = s.theta - g
    bet = theta / (largest * wb.ops.maximum(total + largest, c.alpha * largest, xp))
    x = start + bet * (largest + reward)
    return s._replace(x=x, start=start, largest=largest, total=total, reward=reward, theta=theta)


@listing("Ivgi, Hinder, Carmon 2023, (1)-(2)", "x start far total", least=1e-3, eps=1e-8)
def dog(s, t, c, oracle, draw, xp):
    g = oracle.grad(s.x, draw(0))
    start = xp.where(t > 1.0, s.start, s.x)
    least = c.least * (1.0 + wb.ops.norm(start, xp))
    far = wb.ops.maximum(s.far, wb.ops.maximum(wb.ops.norm(s.x - start, xp), least, xp), xp)
    total = s.total + wb.ops.rowsum(g * g, xp)
    return s._replace(x=s.x - far / xp.sqrt(total + c.eps) * g, start=start, far=far, total=total)


@listing("Khaled, Mishchenko, Jin 2023, Algorithm 1", "x start far total", least=1e-3)
def dowg(s, t, c, oracle, draw, xp):
    g = oracle.grad(s.x, draw(0))
    start = xp.where(t > 1.0, s.start, s.x)
    far = wb.ops.maximum(s.far, wb.ops.maximum(wb.ops.norm(s.x - start, xp), c.least, xp), xp)
    total = s.total + far * far * wb.ops.rowsum(g * g, xp)
    return s._replace(x=s.x - far * far / xp.sqrt(total) * g, start=start, far=far, total=total)


@listing("Polyak, Juditsky 1992", "x z", eta=0.1)
def averaged_sgd(s, t, c, oracle, draw, xp):
    x = s.x - c.eta * oracle.grad(s.x, draw(0))
    z = s.z + (x - s.z) / t
    return s._replace(x=x, z=z)


@listing("Defazio et al. 2024, (3)-(5); x is the paper's y, z its x", "x z w", eta=0.1, beta=0.9)
def schedule_free(s, t, c, oracle, draw, xp):
    w = s.w - c.eta * oracle.grad(s.x, draw(0))
    z = s.z + (w - s.z) / (t + 1)
    x = (1 - c.beta) * w + c.beta * z
    return s._replace(x=x, z=z, w=w)


@listing("Riedmiller, Braun 1993, without backtracking", "x old size", eta=0.1, up=1.2, down=0.5)
def rprop(s, t, c, oracle, draw, xp):
    g = oracle.grad(s.x, draw(0))
    grown = xp.where(s.old * g > 0, wb.ops.minimum(s.size * c.up, 50.0, xp), s.size)
    size = xp.where(
        t > 1.0, xp.where(s.old * g < 0, wb.ops.maximum(s.size * c.down, 1e-6, xp), grown), c.eta + 0.0 * g
    )
    old = xp.where(s.old * g < 0, 0.0 * g, g)
    return s._replace(x=s.x - size * wb.ops.sign(old, xp), old=old, size=size)
