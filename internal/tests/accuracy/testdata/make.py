#!/usr/bin/env python3
"""Writes reference.deflate: values of the functions of package accuracy to more than float64's precision.

For each function a line "name ranges", then the samples: two float64 arguments, the float64 nearest to the value,
and what that lacks in units of 1/256 of its last place. Ranges are "lo hi" of HIP's test, and lo hi of ours; a
range whose ends are both positive or negative and far apart is sampled by exponents. It needs mpmath:

    cd internal/tests/accuracy/testdata && python3 make.py
"""
import math
import random
import struct
import zlib

from mpmath import mp, mpf, sqrt, exp, log, erf, erfc, erfinv, pi, nstr
import mpmath

mp.dps = 50
SAMPLES = 100  # of each range


def erfcx(x):
    if x > 30:
        total, term = mpf(1), mpf(1)
        for n in range(1, 80):
            term *= -(2 * n - 1) / (2 * x * x)
            if abs(term) < mpf(10) ** -55:
                break
            total += term
        return total / (x * sqrt(pi))
    return exp(x * x) * erfc(x)


def erfcinv(y):
    if y >= mpf("0.1"):
        return erfinv(1 - y)
    x = sqrt(-log(y))
    for _ in range(300):
        step = (log(erfcx(x)) - x * x - log(y)) * sqrt(pi) * erfcx(x) / -2
        x -= step
        if abs(step) < mpf(10) ** -45 * x:
            return x
    raise ValueError(y)


def exponents(lo, hi):
    """Whether a range is sampled by exponents."""
    return lo * hi > 0 and max(abs(lo), abs(hi)) / min(abs(lo), abs(hi)) > 1000


one = lambda f: lambda x, y: f(x)
# name: function, HIP's range, ours
FUNCTIONS = {
    "Acos": (one(mpmath.acos), -1, 1, -0.99, 0.99), "Acosh": (one(mpmath.acosh), 1, 100, 1.0001, 1e30),
    "Asin": (one(mpmath.asin), -1, 1, 1e-30, 0.99), "Asinh": (one(mpmath.asinh), -10, 10, 1e-30, 1e30),
    "Atan": (one(mpmath.atan), -10, 10, 1e-30, 1e30), "Atanh": (one(mpmath.atanh), -0.9, 0.9, 1e-30, 0.99),
    "Cbrt": (one(lambda x: mpmath.sign(x) * mpmath.cbrt(abs(x))), -100, 100, 1e-37, 1e37),
    "Cos": (one(mpmath.cos), -3.140625, 3.140625, 1e-5, 1e30), "Cosh": (one(mpmath.cosh), -5, 5, -80, 80),
    "Cospi": (one(mpmath.cospi), -0.296875, 0.296875, -20, 20),
    "CylBesselI0": (one(lambda x: mpmath.besseli(0, x)), -10, 10, -80, 80), "CylBesselI1": (one(lambda x: mpmath.besseli(1, x)), -10, 10, -80, 80),
    "Erf": (one(erf), -4, 4, 1e-30, 5), "Erfc": (one(erfc), -4, 4, -5, 9),
    "Erfcinv": (one(erfcinv), 0.001, 1.998, 1e-37, 0.5), "Erfcx": (one(erfcx), -2, 2, 1e-3, 1e30),
    "Erfinv": (one(erfinv), -0.998, 0.998, 1e-30, 0.5),
    "Exp": (one(exp), -10, 10, -85, 85), "Exp10": (one(lambda x: mpf(10) ** x), -4, 4, -37, 37),
    "Exp2": (one(lambda x: mpf(2) ** x), -10, 10, -125, 125), "Expm1": (one(mpmath.expm1), -10, 10, 1e-30, 80),
    "Gamma": (one(mpmath.gamma), 0.5, 15, 0.0625, 33), "Lgamma": (one(lambda x: log(abs(mpmath.gamma(x)))), 0.5, 20, 3, 1e20),
    "J0": (one(lambda x: mpmath.besselj(0, x)), -8, 8, 8, 30), "J1": (one(lambda x: mpmath.besselj(1, x)), -8, 8, 8, 30),
    "Jn": (one(lambda x: mpmath.besselj(2, x)), 0.25, 8, 8, 30),
    "Y0": (one(lambda x: mpmath.bessely(0, x)), 0.0625, 8, 8, 30), "Y1": (one(lambda x: mpmath.bessely(1, x)), 0.0625, 8, 8, 30),
    "Yn": (one(lambda x: mpmath.bessely(2, x)), 0.25, 8, 8, 30),
    "Log": (one(log), 1e-6, 1e6, 1e-37, 1e37), "Log10": (one(mpmath.log10), 1e-6, 1e6, 1e-37, 1e37),
    "Log1p": (one(mpmath.log1p), -0.9, 10, 1e-30, 1e37), "Log2": (one(lambda x: log(x, 2)), 1e-6, 1e6, 1e-37, 1e37),
    "Normcdf": (one(lambda x: erfc(-x / sqrt(2)) / 2), -5, 5, -12, 5),
    "Normcdfinv": (one(lambda p: -sqrt(2) * erfcinv(2 * p)), 0.001, 0.998, 1e-37, 0.5),
    "Rcbrt": (one(lambda x: mpmath.sign(x) / mpmath.cbrt(abs(x))), -100, 100, 1e-37, 1e37),
    "Rsqrt": (one(lambda x: 1 / sqrt(x)), 0.015625, 100, 1e-37, 1e37),
    "Sin": (one(mpmath.sin), -3.140625, 3.140625, 1e-5, 1e30), "Sinh": (one(mpmath.sinh), -5, 5, 1e-30, 80),
    "Sinpi": (one(mpmath.sinpi), -0.625, 0.625, -20, 20), "Tan": (one(mpmath.tan), -4.609375, 4.609375, 1e-5, 1e30),
    "Tanh": (one(mpmath.tanh), -5, 5, 1e-30, 20),
    "Atan2": (lambda x, y: mpmath.atan2(x, y), -4, 4, 1e-15, 1e15), "Hypot": (lambda x, y: sqrt(x * x + y * y), -10, 10, 1e-15, 1e15),
    "Pow": (lambda x, y: mpf(abs(x)) ** y, -4, 4, 0.25, 1e3), "Powi": (lambda x, y: mpf(abs(x)) ** int(y), -10, 10, 0.125, 1e3),
    "Rhypot": (lambda x, y: 1 / sqrt(x * x + y * y), -100, 100, 1e-15, 1e15),
    "Norm3D": (lambda x, y: sqrt(x * x + 2 * y * y), -10, 10, 1e-15, 1e15), "Norm4D": (lambda x, y: sqrt(2 * x * x + 2 * y * y), -10, 10, 1e-15, 1e15),
    "Rnorm3D": (lambda x, y: 1 / sqrt(x * x + 2 * y * y), -10, 10, 1e-15, 1e15), "Rnorm4D": (lambda x, y: 1 / sqrt(2 * x * x + 2 * y * y), -10, 10, 1e-15, 1e15),
    "Norm": (lambda x, y: sqrt(2 * x * x + 2 * y * y), -10, 10, 1e-15, 1e15), "Rnorm": (lambda x, y: 1 / sqrt(2 * x * x + 2 * y * y), -10, 10, 1e-15, 1e15),
}


def sample(rng, lo, hi):
    """A number of few bits, so that the file is small and a float32 has it."""
    while True:
        if exponents(lo, hi):
            x = 2.0 ** rng.uniform(math.log2(abs(lo)), math.log2(abs(hi)))
            m, e = math.frexp(x)
            x = math.ldexp(round(m * 65536) / 65536, e) * math.copysign(1, lo)
        else:
            x = lo + (hi - lo) * rng.random()
            x = round(x * 32768) / 32768
        if lo <= x <= hi and x != 0:
            return x


def main():
    out, rng = b"", random.Random(15)
    for name in sorted(FUNCTIONS):
        f, *ranges = FUNCTIONS[name]
        rows = []
        for lo, hi in (ranges[:2], ranges[2:]):
            for _ in range(SAMPLES):
                while True:
                    x, y = sample(rng, lo, hi), sample(rng, lo, hi)
                    if name in ("Pow", "Powi"):
                        y = round(rng.uniform(-2, 2) * 4096) / 4096 if name == "Pow" else float(rng.randint(-4, 4))
                    v = f(mpf(x), mpf(y))
                    if v != 0:
                        break
                near = float(v)
                rest = int(mpmath.nint((v - mpf(near)) / mpf(math.ulp(near)) * 256))
                rows.append((x, y, near, rest))
        out += ("%s %s\n" % (name, " ".join(repr(float(r)) for r in ranges))).encode()
        for column in range(3):  # by columns, which pack better
            out += b"".join(struct.pack("<d", r[column]) for r in rows)
        out += b"".join(struct.pack("<b", min(r[3], 127)) for r in rows)
    c = zlib.compressobj(9, wbits=-15)
    with open("reference.deflate", "wb") as file:
        file.write(c.compress(out) + c.flush())


main()
