"""Local SGD: n workers that average every H steps have E f - f* of order sigma^2/(mu n T): a linear speed-up.

Source: Stich, "Local SGD Converges Fast and Communicates Little", ICLR 2019 (arXiv 1805.09767), Theorem 2.2 and
Corollary 2.3; from memory. Gradients a x + noise of variance 1 with a = 1/2 or 3/2, all drawn by each worker for
itself; H = 8, steps 2/(t + 16), from x = 1.

Moments, derived here: E x_i^2 and E x_i x_j of two workers fall by (1 - eta)^2 + eta^2/4 and (1 - eta)^2, the first
grows by eta^2 from the noise, and averaging mixes them. So n T times the gap of the mean tends to 4/(4 - 1)/2 = 2/3.
Near misses: T^-1.1, n^-0.9 and n^-1.1, 1.5 times the level; workers that share their noise.
"""

import workbench as wb

STUDY = wb.Study(__name__, "Local SGD")


def gaps(n, T, shared=False):
    """E f - f* of the mean of n workers at t = 1, ..., T."""
    own = both = 1.0
    for t in range(1, T + 1):
        yield (own + (n - 1) * both) / n / 2
        eta = 2 / (t + 16)
        own, both = ((1 - eta) ** 2 + eta**2 / 4) * own + eta**2, (1 - eta) ** 2 * both + shared * eta**2
        if t % 8 == 0:
            own = both = (own + (n - 1) * both) / n


def of(name, shared, **more):
    sim = STUDY.exact_curve(
        lambda T: gaps(4, T, shared),
        horizon=wb.profile(20_000, 100_000, 1_000_000),
        name=name,
        metric="gap",
        **more,
    )
    return STUDY.reading("cor-2.3", sim, claimed=-1)


def at_the_end(n):
    return list(gaps(n, 4096))[-1]


IN_N = STUDY.exact_curve(at_the_end, at=[2**k for k in range(10)], name="workers", metric="gap", title="In n")
LOCAL, SAME = of("local", False), of("same", True, title="Shared noise", wrong="shared noise")
WORKERS = STUDY.reading("workers", IN_N, claimed=-1)


def level(T, **_):
    return 2 / (3 * 4 * T)


CLAIMS = (
    LOCAL.rate(),
    LOCAL.tight(since=0.05),
    LOCAL.level(level, "2/(3 n T)", since=0.05),
    WORKERS.tight(),
    LOCAL.caught(claimed=-1.1),
    LOCAL.level(lambda T, **_: 1.5 * level(T), "1.5 times that").caught(),
    WORKERS.caught(claimed=-1.1),
    WORKERS.tight(claimed=-0.9).caught(),
    SAME.level(level, "2/(3 n T)").caught(),
)
