"""Accelerations of systems that roll and skate by SymPy: KanesMethod, in Python by `lambdify` and in C by its printer.

usage: sympy_rolling.py disk|sleigh <STATE    STATE: a line of JSON, [q, u] as the text model has it. Prints a line of JSON.
"""
import ctypes
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import sympy
from sympy.physics.mechanics import (KanesMethod, Point, ReferenceFrame, RigidBody, dynamicsymbols, inertia)

BATCH, BATCHES = 0.01, 11


def disk():
    """models/rolling_disk.vin with the constraint embedded: yaw, lean, spin, and the turning in the lean frame."""
    q, u = dynamicsymbols("q1:4"), dynamicsymbols("u1:4")
    m, r, g = 1.0, 0.5, 9.81
    N = ReferenceFrame("N")
    A = N.orientnew("A", "Axis", [q[0], N.z])
    L = A.orientnew("L", "Axis", [q[1], A.x])
    D = L.orientnew("D", "Axis", [q[2], L.y])
    omega = D.ang_vel_in(N)
    kinematic = [omega.dot(axis) - speed for axis, speed in zip((L.x, L.y, L.z), u)]
    rates = sympy.solve(kinematic, [each.diff() for each in q], dict=True)[0]
    omega_L = L.ang_vel_in(N).subs(rates).simplify()
    D.set_ang_vel(N, u[0] * L.x + u[1] * L.y + u[2] * L.z)
    L.set_ang_vel(N, omega_L)
    contact = Point("C")
    contact.set_vel(N, 0)
    center = contact.locatenew("W", r * L.z)
    center.v2pt_theory(contact, N, D)
    center.set_acc(N, center.vel(N).dt(L).subs(rates) + omega_L.cross(center.vel(N)))
    wheel = RigidBody("wheel", center, D, m, (inertia(L, m * r**2 / 4, m * r**2 / 2, m * r**2 / 4), center))
    kane = KanesMethod(N, q_ind=q, u_ind=u, kd_eqs=kinematic)
    kane.kanes_equations([wheel], [(center, -m * g * N.z)])
    return kane, [*q, *u], lambda y: [*y[3:6], *y[6:9]]


def sleigh():
    """models/chaplygin_sleigh.vin: x, y, theta and their rates, one of which the blade makes dependent."""
    q, u = dynamicsymbols("x y theta"), dynamicsymbols("vx vy w")
    m, J, a = 1.0, 0.5, 0.25
    N = ReferenceFrame("N")
    B = N.orientnew("B", "Axis", [q[2], N.z])
    B.set_ang_vel(N, u[2] * N.z)
    origin = Point("O")
    origin.set_vel(N, 0)
    center = origin.locatenew("G", q[0] * N.x + q[1] * N.y)
    center.set_vel(N, u[0] * N.x + u[1] * N.y)
    contact = center.locatenew("C", -a * B.x)
    contact.v2pt_theory(center, N, B)
    body = RigidBody("sleigh", center, B, m, (inertia(B, J, J, J), center))
    kane = KanesMethod(N, q_ind=q, u_ind=[u[0], u[2]], u_dependent=[u[1]], kd_eqs=[x.diff() - v for x, v in zip(q, u)],
                       velocity_constraints=[contact.vel(N).dot(B.y)])
    kane.kanes_equations([body], [])
    return kane, [*q, *u], list


def accelerations_of(kane, state):
    """u' as expressions in plain symbols, in the order of `state`."""
    plain = sympy.symbols(f"s:{len(state)}")
    rates = kane.kindiffdict()
    mass, forcing = (each.subs(rates).subs(dict(zip(state, plain))) for each in (kane.mass_matrix, kane.forcing))
    solved = dict(zip(kane.u, mass.LUsolve(forcing)))
    return plain, [solved[speed] for speed in state[len(state) // 2:]]


C_PROGRAM = """#include <math.h>
#include <time.h>
static void evaluate(const double* s, double* out) {{
{body}
}}
void accelerate(const double* s, double* out) {{ evaluate(s, out); }}
double seconds(const double* s, double* out, long calls) {{
  struct timespec a, b;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &a);
  for (long i = 0; i < calls; ++i) {{ evaluate(s, out); __asm__ volatile("" ::: "memory"); }}
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &b);
  return (double)(b.tv_sec - a.tv_sec) + 1e-9 * (double)(b.tv_nsec - a.tv_nsec);
}}
"""


def compiled(plain, expressions):
    """The same by SymPy's printer for C with common subexpressions, compiled with -O3 -march=native."""
    parts, results = sympy.cse(expressions)
    lines = [f"  const double {symbol} = s[{i}];" for i, symbol in enumerate(plain)]
    lines += [f"  const double {name} = {sympy.ccode(value)};" for name, value in parts]
    lines += [f"  out[{i}] = {sympy.ccode(value)};" for i, value in enumerate(results)]
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "accelerate.c"
        source.write_text(C_PROGRAM.format(body="\n".join(lines)), encoding="utf-8")
        library = source.with_suffix(".so")
        subprocess.run(["cc", "-O3", "-march=native", "-shared", "-fPIC", str(source), "-o", str(library), "-lm"], check=True)
        loaded = ctypes.CDLL(str(library))
    loaded.seconds.restype = ctypes.c_double
    loaded.seconds.argtypes = [ctypes.POINTER(ctypes.c_double)] * 2 + [ctypes.c_long]
    return loaded


def times_of(spent):
    """As times_of of times.hpp. \\param spent  seconds of as many calls"""
    calls = 1
    while spent(calls) < BATCH:
        calls *= 2
    seconds = [spent(calls) / calls for _ in range(BATCHES)]
    return {"median": statistics.median(seconds), "lowest": min(seconds)}


def main():
    begin = time.perf_counter()
    kane, state, chosen = {"disk": disk, "sleigh": sleigh}[sys.argv[1]]()
    plain, expressions = accelerations_of(kane, state)
    derived = time.perf_counter() - begin
    at = [float(each) for each in chosen(json.loads(sys.stdin.readline()))]
    python = sympy.lambdify(plain, expressions, modules="math", cse=True)
    in_c = compiled(plain, expressions)
    ready = time.perf_counter() - begin
    here, there = (ctypes.c_double * len(at))(*at), (ctypes.c_double * len(expressions))()

    def spent(calls):
        start = time.thread_time()
        for _ in range(calls):
            python(*at)
        return time.thread_time() - start

    by_python = times_of(spent)
    by_c = times_of(lambda calls: in_c.seconds(here, there, calls))
    print(json.dumps({"version": "SymPy " + sympy.__version__, "derived": derived, "ready": ready, **by_c, "python": by_python,
                      "accelerations": list(there), "python_accelerations": python(*at)}))


main()
