#pragma once

#include <fmt/format.h>

#include <functional>
#include <map>
#include <string>

#include "support/models.hpp"
#include "vinculum/run/simulate.hpp"
#include "vinculum/verify/accounts/audit_accounts.hpp"
#include "vinculum/verify/audit/audit.hpp"

/// Models given as text, and their runs, for tests of the audit.
namespace vinculum::audit {

/// A compiled model and its run. A test may introduce errors into them; whatever it changes is a copy.
struct Motion {
  /// \param change  changes the options of the run; may be empty.
  explicit Motion(const std::string& text, const std::function<void(sim::SimulateOptions&)>& change = {}) {
    const auto of = test_support::compiled(test_support::model_of_text(text));
    sim::Dynamics dynamics(of);
    sim::SimulateOptions options = sim::options_of(*of->compiled->model);
    options.accounts = sim::audit_accounts;
    if (change) change(options);
    trajectory = sim::simulate(dynamics, options);
    bound = *of;
    compiled = *of->compiled;
    system = *compiled.system;
  }
  Audit judged(int samples = 12) {
    compiled.system = std::make_shared<equations::System>(system);
    return audit(binding(), trajectory, {.samples = samples});
  }
  /// The binding, with the current value of `compiled`.
  const sim::Binding& binding() {
    bound.compiled = std::make_shared<sim::CompiledModel>(compiled);
    return bound;
  }
  sim::Binding bound;
  sim::CompiledModel compiled;
  equations::System system;
  sim::Trajectory trajectory;
};

/// Text of all broken lines, such as "8.3 M u' = f + Q: px' by 1e-3 of 1e-14".
inline std::string broken_lines(const Audit& audit) {
  std::string names;
  for (const AuditLine& one : audit.lines) {
    if (one.verdict == AuditLine::Verdict::kBroken)
      names +=
          fmt::format("{} {}: {} by {:.1e} of {:.1e}\n", one.section, one.identity, one.where, one.worst, one.allowed);
  }
  return names;
}

/// Exponents of two by which the units of mass, length and time differ from SI.
struct Units {
  int mass = 0, length = 0, time = 0;
};

/// The text in which each `{number|mass length time}` is converted to other units. The conversion is exact.
inline std::string restated(const std::string& text, const Units& units) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] != '{') {
      result += text[at++];
      continue;
    }
    const std::size_t end = text.find('}', at), bar = text.find('|', at);
    std::istringstream dimensions(text.substr(bar + 1, end - bar - 1));
    int mass = 0, length = 0, time = 0;
    dimensions >> mass >> length >> time;
    const double number = std::stod(text.substr(at + 1, bar - at - 1));
    result += fmt::format("{:.17g}", std::ldexp(number, mass * units.mass + length * units.length + time * units.time));
    at = end + 1;
  }
  return result;
}

/// Correct motions that are difficult to audit, by name. Their numbers have dimensions for `restated`.
inline const std::map<std::string, std::string>& right_motions() {
  static const std::string skate = R"(
param m = {1.2|1 0 0}, J = {0.4|1 2 0}, g = {2.5|0 1 -2}
coord x, y, th
lagrangian m/2*(x'^2 + y'^2) + J/2*th'^2 + m*g*x
constraint blade: sin(th)*x' - cos(th)*y' = 0
    )";
  static const auto skate_at = [](const std::string& law, const std::string& spin, const std::string& duration) {
    return "model skate\n" + skate + law + "\nstart x' = {0.7|0 1 -1}, th' = {" + spin + "|0 0 -1}\nrun {" + duration +
           "|0 0 1} tolerance 1e-9\n";
  };
  static const auto vakonomic = "law vakonomic start mu = {0.6|1 1 -1}";
  static const std::map<std::string, std::string> all = {
      {"oscillators, 100 rad/s beside 1e-4 rad/s", R"(model fast
param m = {1.3|1 0 0}, k = {13000|1 0 -2}, s = {1.3e-8|1 0 -2}
coord x, y
lagrangian m/2*(x'^2 + y'^2) - k/2*x^2 - s/2*y^2
start x = {1|0 1 0}, y = {0.7|0 1 0}
run {1|0 0 1}
)"},
      {"a fast field beside a slow drive", R"(model field
param m = {1|1 0 0}, B = {100|1 0 -1}, F = {1e-4|1 1 -2}, w = {0.01|0 0 -1}
coord x, y
lagrangian m/2*(x'^2 + y'^2) + B/2*(x*y' - y*x') + F*x*cos(w*t)
start x' = {1|0 1 -1}
run {1|0 0 1}
)"},
      {"a pendulum in polar coordinates, started slowly", R"(model swing
param m = {2|1 0 0}, l = {0.5|0 1 0}, g = {1e-8|0 1 -2}
coord a
lagrangian m/2*l^2*a'^2 + m*g*l*cos(a)
start a = 1
run {100|0 0 1}
)"},
      {"ideal skate, 100 rad/s", skate_at("", "100", "1")},
      {"vakonomic skate", skate_at(vakonomic, "1.1", "1")},
      {"vakonomic skate, 100 rad/s", skate_at(vakonomic, "100", "1")},
      {"vakonomic skate, 1e-4 rad/s", skate_at(vakonomic, "1e-4", "1")},
      {"Kozlov skate, 100 rad/s", skate_at("law kozlov c = {0.9|0 0 -1} start mu = {0.6|1 1 -1}", "100", "1")},
      {"skate by added inertia, 100 rad/s", skate_at("law inertial kappa = {20|1 0 0}", "100", "1")},
      {"adiabatic skate, 100 rad/s", skate_at("law adiabatic mu = {0.3|1 1 -1}", "100", "1")},
      {"rows that the coordinates hold", R"(model held
frame N newtonian
point O fixed in N
param m = {1.3|1 0 0}, M = {0.4|1 0 0}, l = {0.7|0 1 0}, g = {9.81|0 1 -2}
coord a, x, y
particle P mass m at O + l*sin(a)*N.x - l*cos(a)*N.y
particle Q mass M at O + x*N.x + y*N.y
gravity -g*N.y
constraint pin: pos(Q, P) = 0
constraint across: dot(vel(Q), N.z) = 0
start a = 0.3, a' = {2|0 0 -1}
run {1|0 0 1}
)"},
      {"a particle on a slide, and its rod", R"(model pair
frame N newtonian
point O fixed in N
param m = {1|1 0 0}, M = {2|1 0 0}, g = {9.81|0 1 -2}, k = {3|1 0 -2}, l = {0.5|0 1 0}, c = {0.7|1 0 -1}, one = {1|0 1 0}
coord x, y, z, X, Y, Z
particle P mass m at O + x*N.x + y*N.y + z*N.z
particle Q mass M at O + X*N.x + Y*N.y + Z*N.z
gravity -g*N.z
spring P O stiffness k length l
constraint slide: dot(pos(P, O), N.z) - 0.3*dot(pos(P, O), N.x) = 0
    nonideal on P = -c*vel(P)
constraint rod: norm(pos(Q, P)) - one = 0
start y = {0.4|0 1 0}, X = {0.8|0 1 0}, Y = {0.4|0 1 0}, Z ~ {-0.6|0 1 0}, x' = {0.5|0 1 -1}, y' = {0.2|0 1 -1}
run {0.5|0 0 1} tolerance 1e-10
)"},
      {"a top at 300 rad/s", R"(model top
frame N newtonian
point O fixed in N
param M = {1.5|1 0 0}, g = {9.81|0 1 -2}, I = {0.0234|1 2 0}, K = {0.0469|1 2 0}, l = {0.1|0 1 0}
coord e0, e1, e2, e3
frame B = N quaternion(e0, e1, e2, e3)
point tip = O + 0*B.x
body top frame B mass M inertia (I, K, I) at tip + l*B.y
gravity -g*N.z
start B.wx = {0.1|0 0 -1}, B.wy = {300|0 0 -1}, B.wz = {-0.3|0 0 -1}
run {0.2|0 0 1}
)"},
      {"an effort for a row that the coordinates hold", R"(model servo
frame N newtonian
point O fixed in N
param m = {1.7|1 0 0}, I = {0.2|1 2 0}, g = {9.81|0 1 -2}, l = {0.8|0 1 0}
coord a, x, y
frame R = N rotated a about z
body b frame R mass m inertia plane I at O + x*N.x + y*N.y
point P = b - l*R.y
gravity -g*N.y
constraint held: norm(pos(b, P)) = l
    law directed along R.x
constraint rod: norm(pos(b, O)) - 2*l = 0
output e = effort(held, 1)
output F = force(rod, b)
start a = 0.4, a' = {1.3|0 0 -1}, x = {0.8|0 1 0}, y ~ {-1.3|0 1 0}
run {0.5|0 0 1}
)"},
      {"an orientation prescribed about a vector of the ground", R"(model turned
frame N newtonian
point O fixed in N
param m = {1.2|1 0 0}, I = {0.3|1 2 0}, J = {0.5|1 2 0}, g = {9.81|0 1 -2}, l = {0.7|0 1 0}, w = {0.6|0 0 -1}
coord e0, e1, e2, e3, f0, f1, f2, f3, x, y, z
frame A = N quaternion(e0, e1, e2, e3)
frame B = N quaternion(f0, f1, f2, f3)
point tip = O + 0*A.x
body a frame A mass m inertia (I, J, I) at tip + l*A.y
body b frame B mass m inertia (J, I, I) at a + x*N.x + y*N.y + z*N.z
gravity -g*N.z
joint turn: prescribed_orientation between center(a) of a and center(b) of b prescribed w*t*N.z + 0.2*N.x
output T = torque(turn, a)
start A.wx = {0.3|0 0 -1}, A.wy = {1.1|0 0 -1}, f0 ~ 1, f1 ~ 0.1
run {0.3|0 0 1}
)"},
      {"a joint about an axis that the body's frame is turned about", R"(model planar
frame N newtonian
point O fixed in N
param m = {1.2|1 0 0}, I = {0.3|1 2 0}, J = {0.5|1 2 0}, g = {9.81|0 1 -2}, l = {0.7|0 1 0}
coord e0, e1, e2, e3, f0, f1, f2, f3, x, z
frame R = N quaternion(e0, e1, e2, e3)
frame F = R rotated 1.5707963267948966 about x
body a frame F mass m inertia (I, J, I) at O + z*N.z
frame S = N quaternion(f0, f1, f2, f3)
body b frame S mass m inertia (J, I, I) at O + x*N.x
point P = b + l*S.y
gravity -g*N.z
joint c: planar between a of a and P of b axis R.z axis2 S.y
output T = multiplier(c)
start e0 ~ 0.6, e1 ~ 0.3, e2 ~ -0.2, e3 ~ -0.7, f0 ~ 0.2, f1 ~ -0.1, f2 ~ 0.5, f3 ~ -0.9, x ~ {-0.7|0 1 0}, z ~ {-0.8|0 1 0}, R.wx ~ {0.6|0 0 -1}, R.wz ~ {-0.4|0 0 -1}, S.wy ~ {0.3|0 0 -1}
run {0.2|0 0 1}
)"},
      {"a revealed torque, points set off by vectors of the parent's frame", R"(model carried
frame N newtonian
point O fixed in N
param m = {1.3|1 0 0}, I = {0.2|1 2 0}, J = {0.4|1 2 0}, l = {0.6|0 1 0}, w = {0.9|0 0 -1}, F = {2.5|1 1 -2}
coord x
frame R = N rotated w*t + 0.3*sin(w*t) about z
frame B = R rotated -0.4 about x
body a frame B mass m inertia (I, J, I) at O + x*N.x
body b frame B mass m inertia (I, I, J) at a + l*R.y
point P = b + l*R.x
force on P = F*N.y + F*R.x
reveal turn: torque on a along N.z, N.x + R.y
output T = turn[1]
start x = {0.4|0 1 0}, x' = {0.7|0 1 -1}
run {0.5|0 0 1}
)"},
      {"a body beside a fast one", R"(model beside
frame N newtonian
point O fixed in N
param m = {1e-6|1 0 0}, M = {1e6|1 0 0}, k = {1e10|1 0 -2}, s = {1e-9|1 0 -2}, l = {0.5|0 1 0}
coord x, y, X, Y
particle P mass m at O + x*N.x + y*N.y
particle Q mass M at O + X*N.x + Y*N.y
spring P O stiffness s length l
spring Q O stiffness k length l
start x = {1e-3|0 1 0}, y = {2e-3|0 1 0}, X = {1000|0 1 0}, Y = {300|0 1 0}
run {0.1|0 0 1}
)"},
  };
  return all;
}

}  // namespace vinculum::audit
