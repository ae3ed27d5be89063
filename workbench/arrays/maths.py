"""The elementary functions, written once: log, exp, sin, cos, tanh and power have the same bits on every engine.

Libraries differ in the last bits of these functions, and a sign or a threshold turns a last bit into a different
trajectory. So every engine runs the same branch-free source: on arrays of any library, inside compiled loops and on a
GPU thread. (Code for a single number may choose between two of the same bits, `SHORT`.) It uses only what IEEE 754
fixes to the bit (+ - * /, sqrt, floor, comparisons), `where`, and `bits` / `unbits`. Engines must compile it without
contraction (no fused multiply-add) and without reassociation.

Arguments and results are float64. NaN gives NaN; infinities, zeros and subnormals are treated as IEEE 754 recommends.
"ulp" is the distance between neighbouring floats at the exact value; `tests/test_maths.py` measures the errors.

Reductions and polynomial coefficients: Sun's fdlibm (1993), files e_log, e_exp; error-free sums and products: Knuth,
Dekker and Veltkamp.
"""

from __future__ import annotations

from typing import Any

Array = Any

INF, NAN = float("inf"), float("nan")
LN2_HI, LN2_LO = 6.93147180369123816490e-01, 1.90821492927058770002e-10  # 32 bits; the next 53
TINY = 2.0**-1022  # smallest normal number


def bits(x: Array, xp: Any) -> Array:
    """The 64 bits of each float64 as an int64."""
    return xp.bits(x) if hasattr(xp, "bits") else x.view(xp.int64)


def unbits(i: Array, xp: Any) -> Array:
    """The float64 with these 64 bits."""
    return xp.unbits(i) if hasattr(xp, "unbits") else i.view(xp.float64)


# --------------------------------------------------------------------------------------------- logarithm

_ROOT = 0x3FE6A09E667F3BCD  # bits of sqrt(1/2)
_ONE = 0x3FF0000000000000  # bits of 1
_EXPONENT, _FRACTION = 0x7FF0000000000000, 0x000FFFFFFFFFFFFF
_TWO52 = 0x4330000000000000  # bits of 2^52: a small integer added to them is added to the number


def _exponent(x: Array, xp: Any) -> tuple[Array, Array]:
    """x = 2^k m with sqrt(1/2) <= m < sqrt(2), for 0 < x < inf: (k, m), both float64."""
    small = x < TINY
    k, m = _normal_exponent(xp.where(small, xp.where(small, x, 1.0) * 2.0**54, x), xp)
    return xp.where(small, k - 54.0, k), m


def _normal_exponent(x: Array, xp: Any) -> tuple[Array, Array]:
    """As `_exponent`, for 2^-1022 <= x < inf."""
    j = bits(x, xp) + (_ONE - _ROOT)
    # Masked, then shifted: compilers see that the sign bit is 0, and many processors shift only such vectors.
    k = unbits(((j & _EXPONENT) >> 52) + _TWO52, xp) - (2.0**52 + 1023.0)
    return k, unbits((j & _FRACTION) + _ROOT, xp)


def log(x: Array, xp: Any) -> Array:
    """Natural logarithm; -inf at 0, NaN below. Largest error measured: 0.80 ulp."""
    value = _log(*_exponent(xp.where((x > 0.0) & (x < INF), x, 1.0), xp))
    value = xp.where(x == INF, INF, xp.where(x == 0.0, -INF, value))
    return xp.where(x >= 0.0, value, NAN)


def log_unit(u: Array, xp: Any) -> Array:
    """`log` for 2^-1022 <= u < inf without the special cases: the same bits in less time, for uniforms on (0, 1)."""
    return _log(*_normal_exponent(u, xp))


def _log(k: Array, m: Array) -> Array:
    """log(2^k m)."""
    f = m - 1.0
    s = f / (2.0 + f)
    z = s * s
    w = z * z
    even = w * (3.999999999940941908e-01 + w * (2.222219843214978396e-01 + w * 1.531383769920937332e-01))
    odd = z * (
        6.666666666666735130e-01
        + w * (2.857142874366239149e-01 + w * (1.818357216161805012e-01 + w * 1.479819860511658591e-01))
    )
    half = 0.5 * f * f
    return k * LN2_HI - ((half - (s * (half + (even + odd)) + k * LN2_LO)) - f)


# ------------------------------------------------------------------------------------------- exponential

_SHIFT = 1.5 * 2.0**52  # adding it leaves a small integer in the lowest bits


def _two_to(k: Array, xp: Any) -> Array:
    """2^k for whole -1022 <= k <= 1023."""
    return unbits(bits(k + (_SHIFT + 1023.0), xp) << 52, xp)


def _reduced_exp(hi: Array, lo: Array, xp: Any) -> tuple[Array, Array, Array]:
    """exp(hi + lo) = 2^k (1 + (a - b)), |a - b| < 0.42 and b much smaller than a: (k, a, b). |hi| < 2000, lo tiny."""
    k = xp.floor(hi * 1.44269504088896338700 + 0.5)
    a = hi - k * LN2_HI
    b = k * LN2_LO - lo
    r = a - b
    t = r * r
    c = r - t * (
        1.66666666666666019037e-01
        + t
        * (
            -2.77777777770155933842e-03
            + t
            * (
                6.61375632143793436117e-05
                + t * (-1.65339022054652515390e-06 + t * 4.13813679705723846039e-08)
            )
        )
    )
    return k, a, b - r * c / (2.0 - c)


def _exp(hi: Array, lo: Array, xp: Any) -> Array:
    """exp(hi + lo) for |hi| < 2000; overflows to inf, underflows gradually."""
    k, a, b = _reduced_exp(hi, lo, xp)
    first = xp.floor(0.5 * k)  # two factors: 2^k itself may lie outside the normal numbers
    return (1.0 - (b - a)) * _two_to(first, xp) * _two_to(k - first, xp)


def exp(x: Array, xp: Any) -> Array:
    """e^x; inf from 709.79 on, gradual underflow to 0 at -745.2. Largest error measured: 0.85 ulp."""
    x = xp.where(x > 800.0, 800.0, xp.where(x < -800.0, -800.0, x))
    return _exp(x, 0.0, xp)


def tanh(x: Array, xp: Any) -> Array:
    """Hyperbolic tangent, exactly odd. Largest error measured: 2.2 ulp."""
    y = xp.abs(x)
    k, a, b = _reduced_exp(2.0 * xp.where(y > 22.0, 22.0, y), 0.0, xp)
    e = _two_to(k, xp) * (((1.0 - _two_to(-k, xp)) + a) - b)  # e^(2|x|) - 1
    value = e / (e + 2.0)
    return xp.where(x > 0.0, value, xp.where(x < 0.0, -value, x))


# ----------------------------------------------------------------------------------------- sine and cosine


def _arch(y: Array) -> Array:
    """sin y on [-pi/2, pi/2].

    y^3 times a polynomial in y^2 for sin y - y: the minimax one for the relative error of sin y (Remez, 50 digits),
    2.8e-19 before its coefficients are rounded, 5.3e-18 after. Summed in pairs (Estrin), not from the end (Horner): in
    a recursion each step waits for this value, and half as many operations depend on one another.
    """
    z = y * y
    y3, zz = y * z, z * z
    z3 = z * zz
    low = z * (8.333333333333194e-03 - z * 1.98412698412092180e-04) + z3 * (
        2.755731921113727e-06 - z * 2.505210687280171e-08
    )
    high = (1.6058939705861946e-10 - z * 7.642991488302679e-13) + zz * 2.7211749514466757e-15
    return y + y3 * ((low + zz * z3 * high) - 0.16666666666666666)


_PI = 3.14159265346825122833, 1.21542010126079319532e-10, 4.04453249759190126308e-21  # 33, 33 and 53 bits


def _less_half_turns(x: Array, n: Array, xp: Any) -> Array:
    """x - n pi, with n such that it is at most pi/2 in size. For |n| < 2^20 n times the first two parts is exact."""
    y = ((x - n * _PI[0]) - n * _PI[1]) - n * _PI[2]
    return xp.where(xp.abs(y) > 2.0, 1.0, y)  # |x| above about 2^49: any small number will do


def _with_sign(value: Array, half_turns: Array, xp: Any) -> Array:
    """(-1)^n times value, where ``half_turns`` is n + `_SHIFT`: the last bit of n becomes the sign."""
    return unbits(bits(value, xp) ^ (bits(half_turns, xp) << 63), xp)


def sin(x: Array, xp: Any) -> Array:
    """Sine, exactly odd below 2^50. Largest error measured for |x| <= 1.6e6: 2.4 ulp.

    Beyond, it is the sine of an argument that differs from x by at most 2^-52 |x|; from about 2^50 on, where the
    spacing of floats is comparable to the period, it is only some number in [-1, 1]. NaN at infinity.
    """
    half_turns = x * 0.3183098861837907 + _SHIFT
    y = _less_half_turns(x, half_turns - _SHIFT, xp)
    return xp.where(x == 0.0, x, _with_sign(_arch(y), half_turns, xp))


def cos(x: Array, xp: Any) -> Array:
    """Cosine, exactly even. Largest error measured for |x| <= 1.6e6: 2.4 ulp; beyond, as for `sin`."""
    x = xp.abs(x)
    n = xp.floor(x * 0.3183098861837907)  # cos(y + (n + 1/2) pi) = (-1)^(n + 1) sin y
    return _with_sign(_arch(_less_half_turns(x, n + 0.5, xp)), n + (_SHIFT + 1.0), xp)


def sin_short(x: Array, xp: Any) -> Array:
    return xp.where(x == 0.0, x, _arch(x))


def cos_short(x: Array, xp: Any) -> Array:
    return _arch(((0.5 * _PI[0] - xp.abs(x)) + 0.5 * _PI[1]) + 0.5 * _PI[2])


# Functions with the same bits in less time for arguments below a size. For code that computes a single number and can
# branch: a processor guesses the branch, and waits for no half turns.
SHORT = {"sin": ("sin_short", 1.57), "cos": ("cos_short", 3.14)}


def cos_turn(v: Array, xp: Any) -> Array:
    """cos(2 pi v) for 0 <= v <= 1, a multiple of 2^-50 (uniforms are). Largest of 2e7 errors: 2.6e-16."""
    return _arch(6.283185307179586 * (xp.abs(v - 0.5) - 0.25))  # the differences are exact


def sin_turn(v: Array, xp: Any) -> Array:
    """sin(2 pi v) for 0 <= v <= 1, a multiple of 2^-50 (uniforms are). Largest of 2e7 errors: 2.6e-16."""
    u = v - 0.5  # sin(2 pi v) = -sin(2 pi u), an odd function with its maximum at 1/4
    value = _arch(6.283185307179586 * (0.25 - xp.abs(xp.abs(u) - 0.25)))
    return xp.where(u > 0.0, -value, value)


# ------------------------------------------------------------------------------------------------- power


def _sum(a: Array, b: Array) -> tuple[Array, Array]:
    """a + b = high + low exactly."""
    high = a + b
    t = high - a
    return high, (a - (high - t)) + (b - t)


def _product(a: Array, b: Array) -> tuple[Array, Array]:
    """a b = high + low exactly, unless something overflows or underflows."""
    high = a * b
    c, d = 134217729.0 * a, 134217729.0 * b  # 2^27 + 1
    a1, b1 = c - (c - a), d - (d - b)
    a2, b2 = a - a1, b - b1
    return high, a2 * b2 - (((high - a1 * b1) - a2 * b1) - a1 * b2)


def _horner(c: float, c_low: float, z: Array, z_low: Array, r: Array, r_low: Array) -> tuple[Array, Array]:
    """c + z r, each of the three given as a sum of two floats."""
    p, p_low = _product(z, r)
    high, low = _sum(c, p)
    return high, low + (p_low + (z * r_low + z_low * r) + c_low)


def _double_log(x: Array, xp: Any) -> tuple[Array, Array]:
    """log x = high + low with a relative error of about 2^-70, for 0 < x < inf.

    log m = 2 artanh(s), s = (m - 1)/(m + 1), by the Taylor series in z = s^2 < 0.03; what is left out is below 2^-72.
    """
    k, m = _exponent(x, xp)
    f = m - 1.0
    below, below_low = _sum(m, 1.0)
    s = f / below
    p, p_low = _product(s, below)
    s_low = (((f - p) - p_low) - s * below_low) / below
    z, z_low = _product(s, s)
    z_low = z_low + 2.0 * s * s_low
    r = 1 / 17 + z * (1 / 19 + z * (1 / 21 + z * (1 / 23 + z * (1 / 25 + z * (1 / 27)))))
    r = 1 / 7 + z * (1 / 9 + z * (1 / 11 + z * (1 / 13 + z * (1 / 15 + z * r))))
    r, r_low = _horner(1 / 5, -1.1102230246251566e-17, z, z_low, r, 0.0)
    r, r_low = _horner(1 / 3, 1.850371707708594e-17, z, z_low, r, r_low)
    r, r_low = _horner(1.0, 0.0, z, z_low, r, r_low)
    high, low = _product(s, r)
    low = low + (s * r_low + s_low * r)
    high, rest = _sum(k * LN2_HI, 2.0 * high)
    return high, rest + (2.0 * low + k * LN2_LO)


def power(x: Array, p: Array, xp: Any) -> Array:
    """x^p for x >= 0 and any real p (a number or an array). Largest error measured: 0.90 ulp.

    x^0 = 1 for every x (NaN included) and x^1 = x; 0^p = 0 and inf^p = inf for p > 0, the other way round for p < 0.
    NaN for a negative x (p = 0 excepted) and where p is NaN. The logarithm is carried in two floats, so the error does
    not grow with |p log x|.
    """
    inside = xp.where((x > 0.0) & (x < INF), x, 1.0)
    zero = 0.0 * inside
    p = p + zero
    high, low = _double_log(inside, xp)
    y, y_low = _product(high, p)
    y_low = xp.where(xp.abs(y) > 800.0, 0.0, y_low + low * p)
    value = _exp(xp.where(y > 800.0, 800.0, xp.where(y < -800.0, -800.0, y)), y_low, xp)
    value = xp.where(x == 0.0, xp.where(p > 0.0, zero, INF), value)
    value = xp.where(x == INF, xp.where(p > 0.0, INF, zero), value)
    value = xp.where((x >= 0.0) & (p == p), value, NAN)
    return xp.where(p == 0.0, 1.0, xp.where(p == 1.0, xp.where(x >= 0.0, x, NAN), value))
