#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>
#include <string>

#include "support/lang/equality.hpp"
#include "vinculum/diag/render.hpp"
#include "vinculum/lang/format.hpp"
#include "vinculum/lang/parser.hpp"
#include "vinculum/reaction_laws/law_table.hpp"

// Shared by the tests of the formatter: texts in canonical layout with all constructs, and the round trip.
namespace vinculum::lang {

inline ModelFile parse_right(const std::string& text) {
  const diag::SourceText source("m.vin", text);
  diag::Diagnostics sink;
  ModelFile result = parse(source, reaction_laws::laws().forms(), sink);
  EXPECT_EQ(diag::render_text(source, sink.all()), "");
  return result;
}

inline std::string formatted(const std::string& text) { return format(parse_right(text)); }

inline constexpr const char* kPucks = R"(model parallel_pucks  "Two pucks whose velocities stay parallel"
source "Roithmayr 2007, Example 3"

frame N newtonian
point O fixed in N
param m1 = 1 [kg], m2 = 2 [kg]
coord q1, q2, q3, q4 [m]

particle P1 mass m1 at O + q1*N.x + q2*N.y
particle P2 mass m2 at O + q3*N.x + q4*N.y
force on P1 = 0.3 [N] * N.x
force on P2 = 0.7 [N] * N.x

constraint parallel: dot(vel(P2), cross(N.z, vel(P1))) = 0

output lambda = multiplier(parallel)
output C1 = force(parallel, P1) in N

start q2 = 1, q3 = 1, q1' = 0.25, q2' = 1, q3' = 1, q4' = 4
run 4 [s] tolerance 1e-10
expect at end: q1 = 2.01445613569204 ± 1e-9  # an independent reference
expect always: |residual(parallel)| < 1e-12
)";

inline constexpr const char* kMixed = R"(# head

# of the file
model mix  "every statement"  # title

frame N newtonian
frame B = N body123(a, b*2, -c^2)
frame C = B rotated 2*t about N.x + N.y
point O fixed in N
point Q on B = O + x*N.x
param a = 1 [kg*m/s^2], b = (1 + 2) [m], w = 2*pi/3 [rad/s], k = 10 [N] / (2 [m])
coord x, y [m], phi [rad], z
speed u = x' [m/s], v = |x|^2 - -y if x < 2 and not y > 3 else -1
let h = -x^2 - (a - (b - c)) + a/(b/c) + (a*b)^c^d + (-a)^2 + 2^-x
particle P mass m at O + x*N.x
force on P = a if b else c from Q
gravity -9.81 [m/s^2] * N.z
spring P Q stiffness k length l damping c
generalized force on x = -k*x
potential m*g*x
constraint c: dot(vel(P), N.x) = 0 along N.x, N.y  # behind
    # inside
    law ideal
    nonideal on P = -c*v from Q
output e = vel(P) in N
start x = 1, y' ~ 2 [m], z = 2*pi/3 [rad]
run 4 [s] step 0.1 tolerance 1e-8 method dop853 formulation explicit
conserve energy, momentum(x), 2*x*y' - y*x'
expect at start: x = 1 ± 2
expect at 2 [s]: x + -1 = 3 ± 1
expect always: |residual(c[1])| < 1e-12
expect stop: not-unique at 1 ± 0.1

# the

# end
)";

inline constexpr const char* kBodies = R"(model arm  "bodies, joints, families"

frame N newtonian
frame B = N quaternion(e0, e[1], x.e2, leg[2].e3)
frame C[i] = C[i - 1] space312(q[1], q[2], 0)
frame D = x.B rotated 2*t about [1, 2][1]*N.x
point O fixed in leg[i].B[2]
point P[1] on B = x.O + q[1]*B.x
param m[1..3] = [1, 2, 3] [kg], A = [1, 2; 3, 4], n[0] = 2 [m]
coord q[1..3], r[1..2, 1..n] [m], phi, s[i] [rad], w [1], z[2]
speed u[1] = q[1]' [m/s]
let a[i + 1] = A[1, 2]*transpose(A)[2]
body W frame B mass m[1] inertia (m*r^2/4, 2, 3, 4, 5, -x) [kg*m^2] at O + q[1]*N.x about P[1]  # wheel
body V frame x.B mass 1 inertia (1, 2, 3) at O
torque on W = 3 [N*m] * N.z from x.W
force on P[1] = length*axis.x from Q[2]
generalized force on q[2] = -q[2]'
spring P[1] x.P stiffness ratio length 0
joint axis: revolute between P[1] of V and x.Q of leg[2].W axis N.z  # hinge
    # why
    law ideal
joint k: gear between axis of axis and of of of axis N.z axis2 [1, 0] ratio 2 + axis pitch 1 length 2 [m] radius r
joint l[2]: contact between P of A and Q of B surface torus(1, r) axis N.z
joint o: contact between P of A and Q of B surface plane prescribed x
    nonideal on P = -c*v
reveal R: force on P[1] along N.x, N.y
reveal S: torque on x.B along N.z
constraint c[i]: |q[1]| = 0
    law directed along N.x, cross(N.y, N.z)  # friction
    via force on P along N.x, torque on x.B from W along N.z scale 2  # motors
    # more
    via force on Q[1] from P along N.x - N.y scale r/2
    nonideal on q[2] = -q[2]' from q[1]
constraint d: x' = sin(q[1])*y'
    law vakonomic start mu = 1, 2*m  # Hamilton
constraint e: x' = 0
    law kozlov c = 2 [1/s] start mu = -3
constraint f: [x', y'] = 0
    law adiabatic mu = x*y, 0
constraint g: x' = 0
    law gyroscopic H = [0, 1; -1, 0]
constraint h: x' = 0
    law viscous kappa = 2*m
constraint i: x' = 0
    law vakonomic
lagrangian m*x'^2/2 - k*x^2/2  # oscillator
state z[1]' = x - z[1] start z[1] = 2*x
state w' = -w
output y[i] = q[i] in leg[i].B
start leg[2].q[1]' = 1 [m], q[2] ~ 2, W.wx = 3
)";

inline constexpr const char* kBlocks = R"(# head
include "parts/leg.vin"  # file

component leg(n, r) {  # what a leg is
    param m = 1 [kg]

    # a chain
    for i in 1..n {
        coord q[i] [m]  # each
        constraint c[i]: q[i] = 0
            law ideal
        # last
    }  # of the chain
}

use leg(3, 0.1 [m]) as x
use leg(n + 1, [1, 2]) as y[i]
use none() as z
for i in (1.)..(.5*n) {
    # nothing
}
for k in -1..f(n) - 1 {
    if k > 1 and n == 2 {  # far
        let a[k] = 1
    } else if not k < 0 {  # near
        # first

        let a[k] = 2
    } else {
        for j in 1..2 {
            let b[j] = 3
        }

        # at the end
    }  # all
        # done
}
if n > 1 {
} else {
    # kept
    if n > 0 {
    }
}
if n > 1 {
    let d = 1
} else if n > 0 {
}

# end
)";

inline void expect_survives(const ModelFile& file) {
  const std::string text = format(file);
  const ModelFile again = parse_right(text);
  ASSERT_TRUE(is_equal(file, again)) << text << format(again);
  ASSERT_EQ(format(again), text);
}

// Texts close to correct ones: bytes and pieces are deleted, doubled or exchanged.
inline std::string mutate(std::string text, std::mt19937& random) {
  const auto below = [&](std::size_t bound) {
    return std::uniform_int_distribution<std::size_t>(0, bound - 1)(random);
  };
  constexpr std::array<const char*, 20> kPieces = {"(",    ")", "[",  "]", "|", "'",     "\n", "\n    ", " = ",  "+-",
                                                   " [m]", "#", "\"", "{", "}", " law ", ", ", "^",      "\xC2", "1e"};
  for (std::size_t i = 1 + below(4); i > 0 && !text.empty(); --i) {
    const std::size_t at = below(text.size());
    const std::size_t length = std::min(text.size() - at, 1 + below(12));
    switch (below(5)) {
      case 0: text.erase(at, length); break;
      case 1: text.insert(at, text.substr(at, length)); break;
      case 2: text.insert(at, kPieces[below(kPieces.size())]); break;
      case 3: text[at] = static_cast<char>(below(256)); break;
      default: text.insert(below(text.size()), text.substr(at, length)); break;
    }
  }
  return text;
}

}  // namespace vinculum::lang
