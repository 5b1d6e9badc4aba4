"""Compares Vinculum with other programs on the same work in one run, and writes tables and plots.

usage: benchmarks.py VINCULUM [--only CASE,…] [--quick] [--peers PYTHON] [--output FOLDER] [--page docs/benchmarks.md]

VINCULUM is the command; the programs of the preset `bench` must be in its folder. PYTHON is an interpreter with drake,
sympy and matplotlib (default: this one). If a program is missing or fails, its cell in the table contains the reason.
`--quick` runs a small part of each case, within a minute. The benchmarks are not part of the tests.
"""

import argparse
import pathlib
import sys
import time

from board import accelerations, integrations, output, rolling
from board.programs import Tools

CASES = {
    "sizes": accelerations.of_sizes,
    "arm": accelerations.of_arm,
    "stiff": integrations.of_stiff,
    "iftomm": integrations.of_iftomm,
    "loops": integrations.of_loops,
    "rolling": rolling.of_rolling,
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("vinculum", type=pathlib.Path)
    parser.add_argument("--only", default=",".join(CASES), help="cases: " + ", ".join(CASES))
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--peers", default=sys.executable, metavar="PYTHON")
    parser.add_argument("--output", type=pathlib.Path, default=pathlib.Path("build/benchmarks"))
    parser.add_argument("--page", type=pathlib.Path)
    arguments = parser.parse_args()
    tools = Tools(arguments.vinculum.resolve(), arguments.peers, arguments.quick)
    found = []
    for name in arguments.only.split(","):
        if name not in CASES:
            parser.error(f"no case {name}; there are {', '.join(CASES)}")
        begin = time.perf_counter()
        measured = CASES[name](tools)
        found += measured
        print(f"== {name}, {time.perf_counter() - begin:.0f} s", flush=True)
        for table in (each for each in measured if isinstance(each, output.Table)):
            print(f"{table.title}\n{table.markdown()}\n", flush=True)
    versions = sorted(set().union(*(each.versions for each in found if isinstance(each, output.Table))))
    print("; ".join(versions))
    for sentence in output.write(found, arguments.output):
        print(sentence)
    if arguments.page:
        output.fill(arguments.page, found)


main()
