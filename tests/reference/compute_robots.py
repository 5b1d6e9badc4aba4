"""Writes robots.json: accelerations of the robots in robots/ at random states, by Pinocchio (`pip install pin`).

The joint `glide` of puck.urdf is left to a comparison of two models, because Pinocchio has another planar joint.
"""

import json
import pathlib
import sys

import numpy

here = pathlib.Path(__file__).parent
sys.path.insert(0, str(here.parent.parent / "bench"))
import robots  # noqa: E402

result = {}
for name in ["arm", "hand", "walker"]:
    for base in ["fixed", "floating"]:
        reference = robots.Reference(here / "robots" / f"{name}.urdf", base)
        random = numpy.random.default_rng(7)
        states = []
        for _ in range(3):
            values = [{key: float(value) for key, value in part.items()} for part in reference.motion(random)]
            states.append(dict(zip(["coordinates", "speeds", "accelerations"], values)))
        result[f"{name} {base}"] = states
text = json.dumps({"source": "Pinocchio 4.1.0, compute_robots.py", "robots": result}, indent=1)
(here / "robots.json").write_text(text + "\n")
