#include <gtest/gtest.h>

#include <cmath>

#include "support/models.hpp"
#include "vinculum/equations/formulation.hpp"
#include "vinculum/run/simulate.hpp"
#include "vinculum/verify/audit/audit.hpp"

// Rows that the coordinates satisfy identically, up to the rounding of their terms. Whatever their form and magnitude,
// the motion must be the motion that the coordinates alone determine.
namespace vinculum {
namespace embedded_rows_test {

using equations::Formulation;

struct Held {
  std::string name, text;
  std::vector<double> end;  ///< values of the first coordinates at the end
};

constexpr double kG = 9.81;

std::vector<Held> angles_and_ratios() {
  return {
      {"belt of wheels whose angles have the ratio",
       R"(
param r1 = 0.7, r2 = 0.1
coord a
frame A = N rotated a about z
frame B = N rotated 7*a about z
body big frame A mass 1 inertia (1,1,1) at O
body small frame B mass 1 inertia (1/49,1/49,1/49) at O + N.x
constraint belt: r1*dot(omega(A),N.z) = r2*dot(omega(B),N.z)
torque on big = N.z
)",
       {0.25}},
      {"planet whose turn follows from carrier and sun",
       R"(
param R = 0.3, r = 0.1
coord c, s
frame C = N rotated c about z
frame S = N rotated s about z
frame P = N rotated c*(R+r)/r - s*R/r about z
body carrier frame C mass 1 inertia (2,2,2) at O
body sun frame S mass 1 inertia (3,3,3) at O
body planet frame P mass 0 inertia (0,0,0) at O + (R+r)*C.x
joint mesh: gear between sun of sun and planet of planet axis S.z ratio r/R
torque on sun = N.z
torque on carrier = -N.z
)",
       {-0.25, 1.0 / 6.0}},
      {"plane turned by half a turn",
       R"(
param flip = pi
coord x, y
frame S = N rotated flip about x
particle p mass 1 at O + x*N.x + y*N.y
constraint c: dot(pos(p,O), S.z) = 0
constraint d: 1000*dot(vel(p), S.z) = 0
force on p = N.x + N.y
)",
       {0.5, 0.5}},
      {"direction turned by a quarter",
       R"(
param flip = pi/2
coord x, y
frame S = N rotated flip about x
particle p mass 1 at O + x*N.x + y*N.y
constraint d: dot(vel(p), S.y) = 0
force on p = N.x + N.y
)",
       {0.5, 0.5}},
      {"hinge about an oblique line",
       R"(
coord a
frame B = N rotated a about N.x + N.y + N.z
body b frame B mass 1 inertia (1,2,3) at O
joint h: revolute between O of N and b of b axis N.x + N.y + N.z
torque on b = N.x
)",
       {0.5 / std::sqrt(3.0) / 2.0}},
      {"slide along an oblique line",
       R"(
coord s
frame B = N rotated 0 about z
body b frame B mass 1 inertia (1,1,1) at O + s*unit(N.x + 2*N.y + 3*N.z)
joint p: prismatic between O of N and b of b axis N.x + 2*N.y + 3*N.z
force on b = N.x
)",
       {0.5 / std::sqrt(14.0)}},
      {"nut on a screw",
       R"(
param p = 0.02
coord th
frame B = N rotated th about z
body nut frame B mass 0.5 inertia (1,1,1) at O + p/(2*pi)*th*N.z
joint s: screw between O of N and nut of nut axis N.z pitch p
torque on nut = N.z
)",
       {0.5 / (1.0 + 0.5 * std::pow(0.02 / (2.0 * M_PI), 2))}},
      {"ball on a slope written with its angle",
       R"(
param r = 0.1, g = 9.81, s = 0.6457718232379019
coord x, ph
frame S = N rotated s about y
frame B = S rotated ph about y
body ball frame B mass 1 inertia (0.4*r^2,0.4*r^2,0.4*r^2) at O + x*(cos(s)*N.x - sin(s)*N.z) + r*(sin(s)*N.x + cos(s)*N.z)
joint plane_: rolling between O of N and ball of ball surface ellipsoid(r,r,r) axis sin(s)*N.x + cos(s)*N.z
gravity -g*N.z
)",
       {0.5 * 5.0 / 7.0 * kG * std::sin(0.6457718232379019)}},
  };
}

std::vector<Held> distances() {
  std::vector<Held> all = {
      {"reach of a turning arm",
       R"(
coord s
frame A = N rotated 3*t about z
particle p mass 1 at O + 2*A.x + s*N.z
point P = O + 2*A.x
constraint d: norm(pos(P,O)) = 2
force on p = N.z
)",
       {0.5}},
      {"pendulum from a moving support",
       R"(
coord a
point S = O + 0.1*sin(2*t)*N.x
frame A = N rotated a about z
particle p mass 1 at S + A.x
constraint c: norm(pos(p,S)) = 1
start a = 0, a' = 0
)",
       {}},
      {"distance that the time changes as it does by itself",
       R"(
coord a
frame A = N rotated a about z
particle p mass 1 at O + A.x
point T = O + sin(2*t)*N.z
constraint c: norm(pos(p,T)) = sqrt(1 + sin(2*t)^2)
start a' = 1
)",
       {1.0}},
      {"point that stays on its cone",
       R"(
param al = 0.5
coord s, ph
frame A = N rotated ph about z
particle p mass 1 at O + s*sin(al)*A.x + s*cos(al)*N.z
constraint cone: dot(pos(p,O), N.x)^2 + dot(pos(p,O), N.y)^2 = (dot(pos(p,O), N.z)*tan(al))^2
start s = 1, s' = 1
)",
       {2.0, 0.0}},
      {"spherical pendulum in angles",
       R"(
param L = 0.37
coord a, b
frame A = N rotated a about z
frame B = A rotated b about y
body p frame B mass 2 inertia (0.1,0.1,0.1) at O + L*B.x
joint d: distance between O of N and p of p length L
start a' = 1
)",
       {1.0, 0.0}},
      {"accelerations along no way out",
       R"(
coord a, s
frame A = N rotated a about z
particle p mass 1 at O + 2*A.x
particle z mass 1 at O + s*N.z
constraint c: dot(acc(p), N.z) = 0
constraint d: dot(acc(p), pos(p,O)) + dot(vel(p),vel(p)) = 0
force on z = N.z
start a' = 1
)",
       {1.0, 0.5}},
  };
  for (const int power : {-6, -3, 0, 3, 6}) {
    const std::string by = "1e" + std::to_string(power);
    all.push_back({"rod between points of one body, lengths and masses times " + by,
                   "param u = " + by + R"(, L = 0.7*u
coord x, y, z, e0, e1, e2, e3
frame B = N quaternion(e0, e1, e2, e3)
body b frame B mass u inertia (u*L^2/3, u*L^2/2, u*L^2/4) at O + x*N.x + y*N.y + z*N.z
point P = b + L*B.x + 0.1*L*B.z
point Q = b - L*B.y
constraint rod: norm(pos(P,Q)) = L*sqrt(2.01)
start B.wx = 1, B.wy = 2, x' = u
)",
                   {std::pow(10.0, power), 0.0, 0.0}});
  }
  return all;
}

void expect_free(const Held& held) {
  const auto model = test_support::model_of_text("model held\nframe N newtonian\npoint O fixed in N\n" + held.text +
                                                 "run 1 tolerance 1e-11\n");
  const auto bound = test_support::compiled(model);
  for (const Formulation formulation : {Formulation::kExplicit, Formulation::kAugmented, Formulation::kMinimal}) {
    SCOPED_TRACE(held.name + ", " + std::string(to_string(formulation)));
    sim::Dynamics dynamics(bound);
    sim::SimulateOptions options = sim::options_of(*model);
    options.formulation = formulation;
    const sim::Trajectory run = sim::simulate(dynamics, options);
    ASSERT_FALSE(run.stopped) << run.stopped->message;
    for (std::size_t i = 0; i < held.end.size(); ++i) {
      EXPECT_NEAR(run.end().q[static_cast<Eigen::Index>(i)], held.end[i], 1e-9 * (1.0 + std::abs(held.end[i])));
    }
    if (formulation != Formulation::kExplicit) continue;
    for (const audit::AuditLine& line : audit::audit(*bound, run, {.samples = 12}).lines) {
      EXPECT_NE(line.verdict, audit::AuditLine::Verdict::kBroken)
          << line.section << " " << line.where << " by " << line.worst << " of " << line.allowed;
    }
  }
}

TEST(EmbeddedRows, OfAnglesAndRatiosLockNothing) {
  for (const Held& held : angles_and_ratios()) expect_free(held);
}

TEST(EmbeddedRows, OfDistancesStopNothing) {
  for (const Held& held : distances()) expect_free(held);
}

}  // namespace embedded_rows_test
}  // namespace vinculum
