#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the tables of the device's mathematical functions: toolkit/runtime/device_math_tables.inc.

Needs mpmath; run by hand when a table changes, the result is checked in. Every number follows from a definition:
functions are evaluated to 60 digits and interpolated at Chebyshev nodes, piece by piece, with as many coefficients as
bring the relative error of a piece below 2^-57. A piece may factor out a zero of its function: f(x) = (x - z) g(x), so
that the result keeps its relative accuracy beside the zero.
"""
from __future__ import annotations

import sys
from pathlib import Path
from typing import Callable

from mpmath import mp, mpf

mp.dps = 60
TARGET = mpf(2) ** -57
Function = Callable[[mpf], mpf]


def interpolate(function: Function, low: mpf, high: mpf, count: int) -> list[mpf]:
    """Coefficients in (x - centre) of the polynomial through `count` Chebyshev nodes."""
    centre, half = (low + high) / 2, (high - low) / 2
    nodes = [half * mp.cos(mp.pi * (2 * i + 1) / (2 * count)) for i in range(count)]
    matrix = mp.matrix(count, count)
    values = mp.matrix(count, 1)
    for row, node in enumerate(nodes):
        values[row] = function(centre + node)
        for column in range(count):
            matrix[row, column] = node**column
    return list(mp.lu_solve(matrix, values))


def piece(function: Function, low: mpf, high: mpf) -> list[float]:
    centre = (low + high) / 2
    points = [low + (high - low) * (i + mpf(1) / 3) / 23 for i in range(23)]
    truth = [function(point) for point in points]
    for count in range(6, 40):
        coefficients = interpolate(function, low, high, count)
        worst = max(abs(mp.polyval(coefficients[::-1], point - centre) / value - 1) for point, value in zip(points, truth))
        if worst < TARGET:
            return [float(coefficient) for coefficient in coefficients]
    raise SystemExit(f"no polynomial on [{low}, {high}] reaches the target: {worst}")


def number(value: float) -> str:
    return float(value).hex()


def split(value: mpf) -> tuple[float, float]:
    high = float(value)
    return high, float(value - mpf(high))


def lines(numbers: list[str]) -> str:
    text, line = "", "   "
    for one in numbers:
        if len(line) + len(one) + 2 > 118:
            text, line = text + line + "\n", "   "
        line += f" {one},"
    return text + line + "\n"


def piecewise(name: str, function: Function, edges: list[float], zeros: list[mpf] = ()) -> str:
    """One table: pieces (start, centre, zero in two parts, first coefficient, count) and their coefficients."""
    pieces, coefficients = "", []
    for low, high in zip(edges, edges[1:]):
        low, high = mpf(low), mpf(high)
        centre = (low + high) / 2
        zero = min(zeros, key=lambda z: abs(z - centre), default=None)
        factored = function if zero is None else lambda x: function(x) / (x - zero)
        found = piece(factored, low, high)
        high_part, low_part = split(zero) if zero is not None else (0.0, 0.0)
        flag = "false" if zero is None else "true"
        pieces += f"    {{{number(low)}, {number(centre)}, {number(high_part)}, {number(low_part)}, {flag}, {len(coefficients)}, {len(found)}}},\n"
        coefficients += [number(one) for one in found]
    return (f"constexpr double {name}Coefficients[] = {{\n{lines(coefficients)}}};\n"
            f"constexpr Piece {name}Pieces[] = {{\n{pieces}}};\n\n")


def erfcinv_of_root(s: mpf) -> mpf:
    """erfcinv(exp(-s*s)) / s by Newton's method on log(erfc)."""
    target = -s * s
    x = s * mpf("0.9") if s > 2 else s * mpf("0.6")
    for _ in range(60):
        value = mp.erfc(x)
        slope = -2 / mp.sqrt(mp.pi) * mp.exp(-x * x) / value
        step = (mp.log(value) - target) / slope
        x -= step
        if abs(step) < mpf(10) ** -50:
            break
    return x / s


def erfinv_factor(u: mpf) -> mpf:
    y = mp.sqrt(u)
    return mp.erfinv(y) / y


def asymptotic(order: int) -> Function:
    """I_n(x) exp(-x) sqrt(x) as a function of 1/x."""
    return lambda v: mp.besseli(order, 1 / v) * mp.exp(-1 / v) * mp.sqrt(1 / v)


def bessel_tables() -> str:
    def roots(derivative_free: Function, starts: list[str]) -> list[mpf]:
        return [mp.findroot(derivative_free, mpf(start)) for start in starts]

    def j(order: int) -> Function:
        return lambda x: mp.besselj(order, x)

    def y(order: int) -> Function:
        return lambda x: mp.bessely(order, x)

    whole = [float(i) for i in range(9)]
    late = [0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]
    text = piecewise("kJ0", j(0), whole[1:], roots(j(0), ["2.4048", "5.5201", "8.6537"]))
    text += piecewise("kJ1", j(1), whole, [mpf(0)] + roots(j(1), ["3.8317", "7.0156"]))
    text += piecewise("kY0", y(0), late, roots(y(0), ["0.8936", "3.9577", "7.0861"]))
    text += piecewise("kY1", y(1), late, roots(y(1), ["2.1971", "5.4297", "8.5960"]))

    def near0(u: mpf) -> mpf:
        x = mp.sqrt(u)
        return mp.bessely(0, x) - 2 / mp.pi * mp.log(x) * mp.besselj(0, x)

    def near1(u: mpf) -> mpf:
        x = mp.sqrt(u)
        return (mp.bessely(1, x) - 2 / mp.pi * (mp.log(x) * mp.besselj(1, x) - 1 / x)) / x

    text += piecewise("kY0Small", near0, [0.0, 0.25]) + piecewise("kY1Small", near1, [0.0, 0.25])
    edges = [0.0, 1 / 64, 1 / 32, 1 / 16, 1 / 8]
    text += piecewise("kI0", lambda x: mp.besseli(0, x), whole)
    text += piecewise("kI1", lambda x: mp.besseli(1, x), whole, [mpf(0)])
    return text + piecewise("kI0Large", asymptotic(0), edges) + piecewise("kI1Large", asymptotic(1), edges)


def kernel_tables() -> str:
    powers = [part for i in range(64) for part in split(mpf(2) ** (mpf(i) / 64))]
    logs: list[float] = []
    for i in range(128):
        # The i-th of 128 equal slices of the significand's bits, counted from 0x3fe69000... (about 0.7051).
        start = bits_to_float(0x3FE6900000000000 + (i << 45))
        end = bits_to_float(0x3FE6900000000000 + ((i + 1) << 45))
        inverse = 1.0 if start <= 1.0 <= end else float(2 / (mpf(start) + mpf(end)))
        logs += [inverse, *split(-mp.log(mpf(inverse)))]
    text = f"// 2^(i/64) in two parts.\nconstexpr double kPowers[] = {{\n{lines([number(x) for x in powers])}}};\n\n"
    text += "// 1/m near the middle of a slice of significands, and the logarithm of m in two parts.\n"
    return text + f"constexpr double kLogs[] = {{\n{lines([number(x) for x in logs])}}};\n\n"


def bits_to_float(bits: int) -> float:
    import struct

    return struct.unpack("<d", struct.pack("<Q", bits))[0]


def main() -> int:
    target = Path(__file__).resolve().parent.parent / "toolkit/runtime/device_math_tables.inc"
    text = ("// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception\n"
            "// Written by tools/gen_math_tables.py, which says how; do not edit. tidy-allow: file-length numbers\n"
            "// clang-format off\n\n")
    text += kernel_tables()
    text += piecewise("kErfcx", lambda x: mp.exp(x * x) * mp.erfc(x), [0.0, 0.25, 0.5, 1.0, 1.5, 2.25, 3.25, 4.75, 7.0, 10.0])
    text += piecewise("kErfinv", erfinv_factor, [0.0, 0.125, 0.25])
    text += piecewise("kErfcinv", erfcinv_of_root, [0.83, 1.1, 1.5, 2.0, 2.75, 3.75, 5.0, 7.5, 11.0, 17.0, 27.5])
    text += bessel_tables()
    target.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
