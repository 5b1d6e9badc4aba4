#!/usr/bin/env python3
"""Compares small systems with an earlier version: runs `small_systems` of both in turn, and prints the speed-up.

usage: beside_version.py THEIRS OURS [--rounds N] [--only NAME…]

THEIRS is the program of the earlier version, OURS that of this one. `small_systems.cpp` also compiles in the source
tree of version 0.3.0: copy it there with peers/times.hpp and iftomm/andrews.vin, and add
`vinculum_bench(small_systems)` to its bench/CMakeLists.txt. On both sides the lowest time of all batches counts,
because on a shared machine longer times show the load by other programs.
"""

import argparse

from board.programs import lines_of

GOALS = {
    "rolling disk": 2.5,
    "pucks": 2.0,
    "knife edge": 1.7,
    "chain of 10": 1.2,
    "arm": 1.2,
    "arm, latched": 1.2,
    "Andrews to 1e-8": 2.2,
}


def time_text(seconds):
    for unit, size in (("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("theirs")
    parser.add_argument("ours")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", nargs="*", default=[])
    options = parser.parse_args()
    lowest = {}
    for _ in range(options.rounds):
        for side in ("theirs", "ours"):
            for line in lines_of([getattr(options, side), *options.only]):
                best = lowest.setdefault(line["case"], {}).setdefault(side, line)
                if line["lowest"] < best["lowest"]:
                    lowest[line["case"]][side] = line
    print("| case | before: time, operations | now | factor | goal |\n|---|---|---|---|---|")
    for case, sides in lowest.items():
        before, now = sides["theirs"], sides["ours"]
        print(
            f"| {case} | {time_text(before['lowest'])}, {before['operations']} "
            f"| {time_text(now['lowest'])}, {now['operations']} "
            f"| {before['lowest'] / now['lowest']:.2f} | {GOALS.get(case, '')} |"
        )


main()
