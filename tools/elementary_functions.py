"""Coefficients and tables of src/vinculum/expr/elementary, from their definitions in 1400 bits.

Minimax polynomials are found by the second algorithm of Remez (1934): the error of a polynomial of degree n is
levelled at n + 2 points, which then move to the error's extrema, until these alternate with one height. If the
polynomial is added to an exact number, its error is weighted by the value of the function, so that errors are relative.
Constants are split as by Cody and Waite (1980): leading parts have few bits, so their products with small integers are
exact.

Needs mpmath. Run: python3 tools/elementary_functions.py > src/vinculum/expr/elementary/tables.hpp
"""

from mpmath import atan, cos, floor, log, lu_solve, matrix, mp, mpf, nint, pi, sin, sqrt

mp.prec = 1400  # enough bits of 2/pi for the reduction of the largest double


def remez(function, weight, degree, end, rounds=12):
    """The polynomial p on [0, end] with the least largest |weight (function - p)|."""

    def node(k, count):
        return end * (1 - cos(pi * k / count)) / 2

    points = [node(k, degree + 1) for k in range(degree + 2)]
    grid = [node(k, 1500) for k in range(1501)]
    for _ in range(rounds):
        rows, values = matrix(degree + 2, degree + 2), matrix(degree + 2, 1)
        for i, x in enumerate(points):
            for j in range(degree + 1):
                rows[i, j] = x**j
            rows[i, degree + 1] = (-1) ** i / weight(x)
            values[i] = function(x)
        found = list(lu_solve(rows, values))[: degree + 1]
        errors = [weight(x) * (function(x) - sum(c * x**j for j, c in enumerate(found))) for x in grid]
        extrema = []  # the largest error of each interval in which the error has one sign
        for k, error in enumerate(errors):
            if extrema and errors[extrema[-1]] * error > 0:
                if abs(error) > abs(errors[extrema[-1]]):
                    extrema[-1] = k
            else:
                extrema.append(k)
        if len(extrema) != degree + 2:
            raise ArithmeticError(f"{len(extrema)} extrema instead of {degree + 2}")
        points = [grid[k] for k in extrema]
    return found


def parts(value, bits):
    """The value as a sum of doubles: the first ones with the given numbers of bits, the last one with all bits."""
    result = []
    for count in bits:
        if value == 0:
            result.append(value)
            continue
        unit = mpf(2) ** (int(floor(log(abs(value), 2))) + 1 - count)
        result.append(nint(value / unit) * unit if count >= 53 else floor(value / unit) * unit)
        value -= result[-1]
    return result


def pair(value):
    return parts(value, [53, 53])


def written(value):
    return float(value).hex().replace("0x0.0p+0", "0.0")


def constant(comment, name, value):
    print(f"inline constexpr double {name} = {written(value)};" + (f"  ///< {comment}" if comment else ""))


def array(comment, name, rows, width):
    print(f"\n/// {comment}")
    size = f"[{len(rows)}]" + (f"[{len(rows[0])}]" if isinstance(rows[0], list) else "")
    print(f"inline constexpr double {name}{size} = {{")
    items = ["{" + ", ".join(map(written, row)) + "}" if isinstance(row, list) else written(row) for row in rows]
    for k in range(0, len(items), width):
        print("    " + ", ".join(items[k : k + width]) + ",")
    print("};")


def circular():
    end = (pi / 4 * (1 + mpf(2) ** -20)) ** 2  # slightly larger, because multiples of pi/2 are rounded
    tiny = mpf(2) ** -200
    sine = remez(
        lambda z: (1 - sin(sqrt(z)) / sqrt(z)) / z if z > tiny else mpf(1) / 6, lambda z: z + mpf(2) ** -40, 5, end
    )
    cosine = remez(
        lambda z: (cos(sqrt(z)) - 1 + z / 2) / z**2 if z > tiny else mpf(1) / 24, lambda z: z**2 + mpf(2) ** -40, 5, end
    )
    array("(r - sin r)/r³ in r² for |r| ≤ π/4, minimax: 2⁻⁵⁸ of the sine.", "kSine", sine, 3)
    array("(cos r - 1 + r²/2)/r⁴ in r² for |r| ≤ π/4, minimax: 2⁻⁶⁴.", "kCosine", cosine, 3)


def main():
    print("#pragma once\n\n#include <cstdint>\n\n// Written by tools/elementary_functions.py.\n")
    print("namespace vinculum::expr::elementary::tables {\n\n// clang-format off")
    first, second, third = parts(pi / 2, [36, 36, 53])
    constant("π/2, leading 36 bits", "kHalfPi1", first)
    constant("the next 36 bits", "kHalfPi2", second)
    constant("the rest", "kHalfPi3", third)
    constant("π/2 as a pair", "kHalfPiHigh", pair(pi / 2)[0])
    constant("", "kHalfPiLow", pair(pi / 2)[1])
    constant("", "kTwoOverPi", 2 / pi)
    first, second = parts(log(2) / 64, [36, 53])
    constant("ln 2 / 64, leading 36 bits", "kStep1", first)
    constant("the rest", "kStep2", second)
    constant("", "kStepsPerOne", 64 / log(2))
    first, second = parts(log(2), [42, 53])
    constant("ln 2, leading 42 bits", "kLogTwo1", first)
    constant("the rest", "kLogTwo2", second)
    circular()
    array("2^(k/64) as pairs.", "kPowersOfTwo", [pair(mpf(2) ** (mpf(k) / 64)) for k in range(64)], 2)
    rows = []
    for k in range(128):
        middle = 1 + (2 * mpf(k) + 1) / 256
        if k >= 53:
            middle /= 2  # numbers above √2 are halved
        near = mpf(1) if k in (0, 127) else nint(512 / middle) / 512
        rows.append([near] + pair(-log(near)))
    array(
        "c ≈ 1/m of 10 bits for m between 1 + k/128 and 1 + (k + 1)/128, from k = 53 on half of it; −ln c as a pair.",
        "kLogarithms",
        rows,
        2,
    )
    array("atan(k/64) as pairs.", "kArcTangents", [pair(atan(mpf(k) / 64)) for k in range(65)], 2)
    print("\n/// 2/π in words of 64 bits, the first behind the point.")
    words = [int(floor(2 / pi * mpf(2) ** (64 * (k + 1)))) & (2**64 - 1) for k in range(20)]
    print(f"inline constexpr std::uint64_t kTwoOverPiWords[{len(words)}] = {{")
    for k in range(0, len(words), 4):
        print("    " + ", ".join(f"0x{word:016x}" for word in words[k : k + 4]) + ",")
    print("};\n// clang-format on\n\n}  // namespace vinculum::expr::elementary::tables")


main()
