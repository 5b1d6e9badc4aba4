"""Seconds that SymPy's KanesMethod takes to form the equations of a planar chain of n links (point masses on rods)."""

import sys
import time

from sympy import symbols
from sympy.physics.mechanics import KanesMethod, Particle, Point, ReferenceFrame, dynamicsymbols


def seconds(n):
    begin = time.perf_counter()
    q, u = dynamicsymbols(f"q1:{n + 1}"), dynamicsymbols(f"u1:{n + 1}")
    m, length, g = symbols("m l g")
    frame = ReferenceFrame("N")
    previous = Point("O")
    previous.set_vel(frame, 0)
    bodies, loads, kinematics = [], [], []
    for i in range(n):
        link = frame.orientnew(f"B{i}", "Axis", [q[i], frame.z])
        link.set_ang_vel(frame, u[i] * frame.z)
        end = previous.locatenew(f"P{i}", length * link.x)
        end.v2pt_theory(previous, frame, link)
        bodies.append(Particle(f"P{i}a", end, m))
        loads.append((end, -m * g * frame.y))
        kinematics.append(q[i].diff() - u[i])
        previous = end
    KanesMethod(frame, q_ind=q, u_ind=u, kd_eqs=kinematics).kanes_equations(bodies, loads)
    return time.perf_counter() - begin


for argument in sys.argv[1:]:
    print(argument, seconds(int(argument)), flush=True)
