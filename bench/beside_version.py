#!/usr/bin/env python3
"""Small systems beside an earlier version: its `small_systems` and ours in turn, and how often ours is as fast.

usage: beside_version.py THEIRS OURS [--rounds N] [--only NAME…]

`small_systems.cpp` compiles in the tree of version 0.3.0 as it does in this one (add it to bench/CMakeLists.txt there
as `vinculum_bench(small_systems)`, with peers/times.hpp, and iftomm/andrews.vin beside it). The lowest of all batches
counts on both sides: on a shared machine the others measure the neighbours.
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
