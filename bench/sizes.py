"""Seconds from text to first step, by stages, of the models of `sizes/` at several numbers of bodies.

usage: sizes.py VINCULUM [MODEL…] [--sizes 10,30,100] [--limit SECONDS]

Each model and size runs in a process of its own, with its own cache of kernels. After a size that takes longer than the
limit, larger sizes of the model are not run. Stages: `parse` is reading and elaboration, `derive` the equations and
their structure, `compile` the kernels, `simulate` the start and the first steps.
"""

import argparse
import json
import os
import pathlib
import subprocess
import tempfile
import time

STAGES = ("parse", "derive", "compile", "simulate")
MODELS = pathlib.Path(__file__).parent / "sizes"


def measure(command, model, size, limit):
    """The stages of one run [s], its wall-clock time [s] and its memory [MB]; a sentence if the run failed."""
    with tempfile.TemporaryDirectory() as folder:
        environment = dict(os.environ, VINCULUM_CACHE=folder)
        begin = time.perf_counter()
        line = [command, "run", str(model), "--json", "--set", f"n={size}", "-o", folder + "/out"]
        with open(folder + "/said", "w+", encoding="utf-8") as said:
            process = subprocess.Popen(
                ["timeout", f"{limit:g}", *line], env=environment, stdout=said, stderr=subprocess.DEVNULL
            )
            _, status, used = os.wait4(process.pid, 0)
            wall = time.perf_counter() - begin
            said.seek(0)
            text = said.read()
    code = os.waitstatus_to_exitcode(status)
    if code == 124:
        return f"more than {limit:g} s"
    if code != 0:
        return f"status {code}: {text.strip()[:100]}"
    return json.loads(text)["seconds"] | {"wall": wall, "memory": used.ru_maxrss / 1024}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("vinculum")
    parser.add_argument("models", nargs="*", default=sorted(path.stem for path in MODELS.glob("*.vin")))
    parser.add_argument("--sizes", default="10,30,100,300,1000")
    parser.add_argument("--limit", type=float, default=60.0)
    arguments = parser.parse_args()
    print(f"{'model':<16}{'n':>6}" + "".join(f"{stage:>10}" for stage in STAGES) + f"{'wall s':>10}{'MB':>8}")
    for name in arguments.models:
        for size in map(int, arguments.sizes.split(",")):
            found = measure(arguments.vinculum, MODELS / f"{name}.vin", size, arguments.limit)
            if isinstance(found, str):
                print(f"{name:<16}{size:>6}  {found}", flush=True)
                break
            stages = "".join(f"{found[stage]:>10.3f}" for stage in STAGES)
            print(f"{name:<16}{size:>6}{stages}{found['wall']:>10.2f}{found['memory']:>8.0f}", flush=True)


if __name__ == "__main__":
    main()
