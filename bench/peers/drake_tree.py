"""Accelerations of a tree by Drake: a continuous MultibodyPlant, `EvalTimeDerivatives` after the state is set.

Drake is called from Python, because its package does not contain the headers. The cost of such a call is about the time
that a plant of one body takes. Input and output are those of peers/tree.hpp and peers/times.hpp. Latched trees are not
supported, because Drake has welds of two bodies in discrete plants only.
"""

import importlib.metadata
import json
import statistics
import sys
import time

import numpy
from pydrake.math import RigidTransform
from pydrake.multibody.plant import MultibodyPlant
from pydrake.multibody.tree import FixedOffsetFrame, RevoluteJoint, RotationalInertia, SpatialInertia, UnitInertia

BATCH, BATCHES = 0.01, 11


def plant_of(lines):
    plant = MultibodyPlant(time_step=0.0)
    bodies = []
    for word, *rest in lines:
        values = [float(each) for each in rest]
        if word == "gravity":
            plant.mutable_gravity_field().set_gravity_vector(values)
        elif word == "body":
            joint, axis, mass, center, inertia = values[1:4], values[4:7], values[7], values[8:11], values[11:14]
            central = RotationalInertia(*inertia)
            about_joint = central.ShiftFromCenterOfMass(mass, center)
            unit = UnitInertia()
            unit.SetFromRotationalInertia(about_joint, mass)
            name = f"body{len(bodies)}"
            body = plant.AddRigidBody(name, SpatialInertia(mass, center, unit))
            parent = plant.world_body() if values[0] < 0 else bodies[int(values[0])]
            plant.AddJoint(RevoluteJoint(name, plant.AddFrame(fixed_at(parent, joint, name)), body.body_frame(), axis))
            bodies.append(body)
    plant.Finalize()
    return plant


def fixed_at(parent, place, name):
    return FixedOffsetFrame(name + "_joint", parent.body_frame(), RigidTransform(place))


def times_of(call):
    """As `times_of` in peers/times.hpp."""

    def spent():
        begin = time.thread_time()
        for _ in range(count):
            call()
        return time.thread_time() - begin

    count = 1
    while spent() < BATCH:
        count *= 2
    seconds = [spent() / count for _ in range(BATCHES)]
    return statistics.median(seconds), min(seconds)


def main():
    lines = [line.split() for line in sys.stdin if line.strip()]
    if ["latched"] in lines:
        sys.exit("Drake has a weld of two bodies for discrete plants only")
    states = [(float(line[1]), float(line[2])) for line in lines if line[0] == "state"]
    state = numpy.array([q for q, _ in states] + [u for _, u in states])
    begin = time.perf_counter()
    plant = plant_of(lines)
    context = plant.CreateDefaultContext()

    def accelerate():
        plant.SetPositionsAndVelocities(context, state)
        return plant.EvalTimeDerivatives(context)

    accelerations = accelerate().CopyToVector()[len(states) :]
    ready = time.perf_counter() - begin
    median, lowest = times_of(accelerate)
    print(
        json.dumps(
            {
                "version": "Drake " + importlib.metadata.version("drake"),
                "median": median,
                "lowest": lowest,
                "ready": ready,
                "accelerations": list(accelerations),
            }
        )
    )


main()
