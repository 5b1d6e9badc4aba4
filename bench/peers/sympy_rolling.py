"""Accelerations of rolling and skating systems by SymPy's KanesMethod, in Python by `lambdify` and in C by its printer.

usage: sympy_rolling.py disk|sleigh|bicycle <STATE    STATE: a line of JSON, [q, u] in the order of the text model.
Prints a line of JSON.
"""

import ctypes
import json
import math
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import numpy
import sympy
from sympy.physics.mechanics import KanesMethod, Point, ReferenceFrame, RigidBody, dynamicsymbols, inertia

BATCH, BATCHES = 0.01, 11
SOLVED_IN_SYMBOLS = 3  # most accelerations that are solved for symbolically; more make the expressions too large


def disk():
    """models/rolling_disk.vin with the constraint embedded: yaw, lean, spin; angular velocity in the lean frame."""
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
    return kane, q, u, lambda y: [*y[3:6], *y[6:9]]


def sleigh():
    """models/chaplygin_sleigh.vin: x, y, theta and their rates. The blade makes one rate dependent on the others."""
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
    kane = KanesMethod(
        N,
        q_ind=q,
        u_ind=[u[0], u[2]],
        u_dependent=[u[1]],
        kd_eqs=[x.diff() - v for x, v in zip(q, u)],
        velocity_constraints=[contact.vel(N).dot(B.y)],
    )
    kane.kanes_equations([body], [])
    return kane, q, u, list


def bicycle():
    """models/bicycle.vin with the rear contact embedded: yaw, roll, pitch, steer, two wheels; 3 dependent speeds."""
    q, u = dynamicsymbols("yaw roll pitch steer"), dynamicsymbols("u1:7")
    tilt, w, c, rear_radius, front_radius, g = math.radians(18), 1.02, 0.08, 0.3, 0.35, 9.81
    N = ReferenceFrame("N")
    A = N.orientnew("A", "Axis", [q[0], N.z])
    L = A.orientnew("L", "Axis", [q[1], A.x])
    B = L.orientnew("B", "Axis", [q[2], L.y])
    S = B.orientnew("S", "Axis", [tilt, B.y])
    T = S.orientnew("T", "Axis", [q[3], S.z])
    F = T.orientnew("F", "Axis", [-tilt, T.y])
    for frame, parent, turn in ((A, N, u[0] * N.z), (L, A, u[1] * A.x), (B, L, u[2] * L.y), (T, S, u[3] * S.z)):
        frame.set_ang_vel(parent, turn)
    W, V = ReferenceFrame("W"), ReferenceFrame("V")  # wheels; their rotation angles do not enter the equations
    W.orient(B, "Axis", [0, B.y])
    W.set_ang_vel(B, u[4] * B.y)
    V.orient(F, "Axis", [0, F.y])
    V.set_ang_vel(F, u[5] * F.y)
    contact = Point("Q")
    contact.set_vel(N, 0)
    rear = contact.locatenew("rear", -rear_radius * L.z)
    rear.set_vel(N, W.ang_vel_in(N).cross(-rear_radius * L.z))
    rider = rear.locatenew("rider", 0.3 * B.x - 0.6 * B.z)
    head = rear.locatenew("head", (w + c) * B.x + rear_radius * B.z)
    fork = head.locatenew("fork", -0.2 * F.x - 0.7 * F.z)
    front = head.locatenew("front", -c * F.x - front_radius * F.z)
    for point, before, frame in ((rider, rear, B), (head, rear, B), (fork, head, F), (front, head, F)):
        point.v2pt_theory(before, N, frame)
    down = N.z - N.z.dot(F.y) * F.y
    touching = front.locatenew("Qf", front_radius * down.normalize())
    touching.set_vel(N, front.vel(N) + V.ang_vel_in(N).cross(touching.pos_from(front)))
    rows = [touching.vel(N).dot(axis) for axis in (A.x, A.y, N.z)]
    bodies = [
        RigidBody(name, point, frame, mass, (inertia(held, *moments), point))
        for name, point, frame, mass, held, moments in (
            ("rear", rear, W, 2.0, B, (0.0603, 0.12, 0.0603)),
            ("rider", rider, B, 85.0, B, (9.2, 11.0, 2.8, 0, 0, 2.4)),
            ("fork", fork, F, 4.0, F, (0.05892, 0.06, 0.00708, 0, 0, -0.00756)),
            ("front", front, V, 3.0, F, (0.1405, 0.28, 0.1405)),
        )
    ]
    kane = KanesMethod(
        N,
        q_ind=q[:2] + q[3:],
        q_dependent=[q[2]],
        configuration_constraints=[touching.pos_from(contact).dot(N.z)],
        u_ind=[u[1], u[3], u[4]],
        u_dependent=[u[0], u[2], u[5]],
        velocity_constraints=rows,
        kd_eqs=[each.diff() - speed for each, speed in zip(q, u)],
    )
    kane.kanes_equations(bodies, [(each.masscenter, each.mass * g * N.z) for each in bodies])
    return kane, q, u, lambda y: [*y[3:7], *y[12:18]]


def equations_of(kane, coordinates, speeds):
    """M and f of M u' = f in plain symbols, columns in the order of `speeds`."""
    plain = sympy.symbols(f"s:{len(coordinates) + len(speeds)}")
    named = dict(zip([*coordinates, *speeds], plain))
    rates = kane.kindiffdict()
    mass, forcing = (each.subs(rates).subs(named) for each in (kane.mass_matrix, kane.forcing))
    return plain, mass[:, [list(kane.u).index(each) for each in speeds]], forcing


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


# Gaussian elimination with pivoting, used if u' is not solved for symbolically.
ELIMINATION = """  for (int k = 0; k < {n}; ++k) {{
    int best = k;
    for (int i = k + 1; i < {n}; ++i) if (fabs(M[i][k]) > fabs(M[best][k])) best = i;
    for (int j = 0; j <= {n}; ++j) {{ const double kept = M[k][j]; M[k][j] = M[best][j]; M[best][j] = kept; }}
    for (int i = k + 1; i < {n}; ++i) {{
      const double factor = M[i][k] / M[k][k];
      for (int j = k; j <= {n}; ++j) M[i][j] -= factor * M[k][j];
    }}
  }}
  for (int k = {n} - 1; k >= 0; --k) {{
    out[k] = M[k][{n}];
    for (int j = k + 1; j < {n}; ++j) out[k] -= M[k][j] * out[j];
    out[k] /= M[k][k];
  }}"""


def compiled(plain, mass, forcing):
    """u' by SymPy's printer for C with common subexpressions, compiled with -O3 -march=native."""
    n = len(forcing)
    in_symbols = n <= SOLVED_IN_SYMBOLS
    parts, results = sympy.cse(list(mass.LUsolve(forcing) if in_symbols else mass.row_join(forcing)))
    lines = [f"  const double {symbol} = s[{i}];" for i, symbol in enumerate(plain)]
    lines += [f"  const double {name} = {sympy.ccode(value)};" for name, value in parts]
    if in_symbols:
        lines += [f"  out[{i}] = {sympy.ccode(value)};" for i, value in enumerate(results)]
    else:
        lines += [f"  double M[{n}][{n + 1}];"]
        lines += [f"  M[{i // (n + 1)}][{i % (n + 1)}] = {sympy.ccode(value)};" for i, value in enumerate(results)]
        lines += [ELIMINATION.format(n=n)]
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "accelerate.c"
        source.write_text(C_PROGRAM.format(body="\n".join(lines)), encoding="utf-8")
        library = source.with_suffix(".so")
        subprocess.run(
            ["cc", "-O3", "-march=native", "-shared", "-fPIC", str(source), "-o", str(library), "-lm"], check=True
        )
        loaded = ctypes.CDLL(str(library))
    loaded.seconds.restype = ctypes.c_double
    loaded.seconds.argtypes = [ctypes.POINTER(ctypes.c_double)] * 2 + [ctypes.c_long]
    return loaded


def in_python(plain, mass, forcing):
    """u' by `lambdify`, and by NumPy's solver if u' is not solved for symbolically."""
    if len(forcing) <= SOLVED_IN_SYMBOLS:
        return sympy.lambdify(plain, list(mass.LUsolve(forcing)), modules="math", cse=True)
    equations = sympy.lambdify(plain, (mass, forcing), modules="numpy", cse=True)

    def solved(*state):
        M, f = equations(*state)
        return list(numpy.linalg.solve(M, f)[:, 0])

    return solved


def times_of(spent):
    """As `times_of` in times.hpp. :param spent: function that returns the seconds of so many calls."""
    calls = 1
    while spent(calls) < BATCH:
        calls *= 2
    seconds = [spent(calls) / calls for _ in range(BATCHES)]
    return {"median": statistics.median(seconds), "lowest": min(seconds)}


def main():
    begin = time.perf_counter()
    kane, coordinates, speeds, chosen = {"disk": disk, "sleigh": sleigh, "bicycle": bicycle}[sys.argv[1]]()
    plain, mass, forcing = equations_of(kane, coordinates, speeds)
    derived = time.perf_counter() - begin
    at = [float(each) for each in chosen(json.loads(sys.stdin.readline()))]
    python = in_python(plain, mass, forcing)
    in_c = compiled(plain, mass, forcing)
    ready = time.perf_counter() - begin
    here, there = (ctypes.c_double * len(at))(*at), (ctypes.c_double * len(forcing))()

    def spent(calls):
        start = time.thread_time()
        for _ in range(calls):
            python(*at)
        return time.thread_time() - start

    by_python = times_of(spent)
    by_c = times_of(lambda calls: in_c.seconds(here, there, calls))
    print(
        json.dumps(
            {
                "version": "SymPy " + sympy.__version__,
                "derived": derived,
                "ready": ready,
                **by_c,
                "python": by_python,
                "accelerations": list(there),
                "python_accelerations": python(*at),
            }
        )
    )


main()
