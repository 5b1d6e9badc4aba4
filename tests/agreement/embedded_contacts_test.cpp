#include <gtest/gtest.h>

#include <cmath>

#include "support/models.hpp"
#include "vinculum/equations/formulation.hpp"
#include "vinculum/run/simulate.hpp"
#include "vinculum/verify/audit/audit.hpp"

// Rolling contacts some of whose rows, mostly the one for the height, are satisfied identically by the coordinates. In
// every formulation the motion equals the motion with only the remaining rows, and the audit holds.
namespace vinculum {
namespace embedded_contacts_test {

using equations::Formulation;

constexpr Formulation kAll[] = {Formulation::kExplicit, Formulation::kAugmented, Formulation::kMinimal};

struct Rolling {
  std::string name;
  std::string coordinates, frames, place;
  std::string start;
  /// The constraint `roll`: as a joint with three rows, and by hand without the identically satisfied row.
  std::string joint, by_hand;
};

std::string text_of(const Rolling& of, const std::string& contact) {
  return "model rolling\nframe N newtonian\npoint O fixed in N\n"
         "param m = 1.2 [kg], r = 0.25 [m], g = 9.81 [m/s^2], slope = 0.3\n"
         "param a1 = 0.25 [m], a2 = 0.25 [m], a3 = 0.25 [m]\n"
         "coord " +
         of.coordinates + "\n" + of.frames +
         "body wheel frame B mass m inertia (0.3*m*r^2, 0.4*m*r^2, 0.3*m*r^2) at O + " + of.place +
         "\ngravity g*sin(slope)*N.x - g*cos(slope)*N.z\n" + contact + "\noutput F = force(roll, wheel) in N\nstart " +
         of.start + "\nrun 1 [s] tolerance 1e-11\n";
}

sim::Trajectory run_by(const std::string& text, Formulation formulation = Formulation::kExplicit) {
  const auto model = test_support::model_of_text(text);
  sim::Dynamics dynamics(test_support::compiled(model));
  sim::SimulateOptions options = sim::options_of(*model);
  options.formulation = formulation;
  return sim::simulate(dynamics, options);
}

std::string reason(const sim::Trajectory& run) { return run.stopped ? run.stopped->message : std::string(); }

std::string rolls(const std::string& surface) {
  return "joint roll: rolling between O of N and wheel of wheel surface " + surface;
}

/// Constraint `roll`: no slip in two directions, at the point of the wheel with this offset from the wheel's center.
std::string no_slip(const std::string& offset, const std::string& along = "N.x, N.y") {
  return "point C on wheel = wheel + " + offset + "\nconstraint roll: vel(C) = 0 along " + along;
}

constexpr const char* kUpright = "frame A = N rotated psi about z\nframe B = A rotated phi about y\n";
constexpr const char* kLeaning =
    "frame A = N rotated psi about z\nframe L = A rotated lean about x\nframe B = L rotated phi about y\n";

std::vector<Rolling> rollings() {
  std::vector<Rolling> all;
  const auto upright = [&](const std::string& name, const std::string& surface) {
    all.push_back({name + ", upright", "x, y [m], psi, phi [rad]", kUpright, "x*N.x + y*N.y + r*N.z",
                   "psi' = 0.7, phi' = 3", rolls(surface), no_slip("(-r)*N.z")});
  };
  upright("disk", "disk(r) axis N.z axis2 B.y");
  upright("torus", "torus(0.8*r, 0.2*r) axis N.z axis2 B.y");
  upright("sphere", "sphere(r) axis N.z");
  upright("ellipsoid of one radius", "ellipsoid(r, r, r) axis N.z");
  upright("ellipsoid whose axes are alike by their values", "ellipsoid(a1, a2, a3) axis N.z");
  upright("spheroid", "ellipsoid(r, r/3, r) axis N.z");

  const auto ball = [&](const std::string& name, const std::string& surface) {
    all.push_back({name + ", height embedded", "x, y [m], e0, e1, e2, e3", "frame B = N quaternion(e0, e1, e2, e3)\n",
                   "x*N.x + y*N.y + r*N.z", "B.wx = 1, B.wy = 2, B.wz = 0.5", rolls(surface), no_slip("(-r)*N.z")});
  };
  ball("sphere", "sphere(r) axis N.z");
  ball("ellipsoid of one radius", "ellipsoid(r, r, r) axis N.z");

  const auto leaning = [&](const std::string& name, const std::string& surface, const std::string& height,
                           const std::string& offset) {
    all.push_back({name + ", height embedded beside the lean", "x, y [m], psi, lean, phi [rad]", kLeaning,
                   "x*N.x + y*N.y + (" + height + ")*N.z", "psi' = 0.3, phi' = 8, lean = 0.2", rolls(surface),
                   no_slip(offset)});
  };
  leaning("disk", "disk(r) axis N.z axis2 B.y", "r*cos(lean)", "(-r)*L.z");
  leaning("torus", "torus(0.8*r, 0.2*r) axis N.z axis2 B.y", "0.8*r*cos(lean) + 0.2*r", "(-0.8*r)*L.z + (-0.2*r)*N.z");
  leaning("ellipsoid of one radius", "ellipsoid(r, r, r) axis N.z", "r", "(-r)*N.z");
  leaning("spheroid", "ellipsoid(r, r/3, r) axis N.z", "r*sqrt(cos(lean)^2 + sin(lean)^2/9)",
          "(-r^2*cos(lean)/(r*sqrt(cos(lean)^2 + sin(lean)^2/9)))*L.z"
          " + (-r^2/9*sin(lean)/(r*sqrt(cos(lean)^2 + sin(lean)^2/9)))*L.y");

  constexpr const char* kAround =
      "frame A = N rotated a about x\nframe D = A rotated b about y\n"
      "frame B = D quaternion(e0, e1, e2, e3)\n";
  all.push_back({"ball in a bowl, distance embedded", "a, b [rad], e0, e1, e2, e3", kAround, "(-3*r)*D.z",
                 "a = 0.4, b' = 0.5", rolls("sphere(r) radius -4*r"), no_slip("(-r)*D.z", "D.x, D.y")});
  all.push_back({"ball on a dome, distance embedded", "a, b [rad], e0, e1, e2, e3", kAround, "5*r*D.z",
                 "a = 0.1, b' = 0.2", rolls("sphere(r) radius 4*r"), no_slip("(-r)*D.z", "D.x, D.y")});
  all.push_back({"roller in a drum, distance embedded", "th, phi [rad]",
                 "frame D = N rotated th about y\nframe B = N rotated phi about y\n", "(-3*r)*D.z", "th = 0.5",
                 rolls("sphere(r) radius -4*r"), no_slip("(-r)*D.z", "D.x")});
  return all;
}

TEST(EmbeddedContacts, MoveAsTheRowsDoThatAreLeftInEveryFormulation) {
  for (const Rolling& rolling : rollings()) {
    const sim::Trajectory expected = run_by(text_of(rolling, rolling.by_hand));
    ASSERT_FALSE(expected.stopped) << rolling.name << ": " << reason(expected);
    for (const Formulation formulation : kAll) {
      SCOPED_TRACE(rolling.name + ", " + std::string(to_string(formulation)));
      const sim::Trajectory run = run_by(text_of(rolling, rolling.joint), formulation);
      ASSERT_FALSE(run.stopped) << reason(run);
      EXPECT_LT((run.end().q - expected.end().q).cwiseAbs().maxCoeff(), 1e-9);
      EXPECT_LT((run.end().u - expected.end().u).cwiseAbs().maxCoeff(), 3e-9);
    }
  }
}

TEST(EmbeddedContacts, AreSolvedByGeneratedCode) {
  for (const Rolling& rolling : rollings()) {
    SCOPED_TRACE(rolling.name);
    sim::Dynamics dynamics(test_support::compiled(test_support::model_of_text(text_of(rolling, rolling.joint))));
    const sim::Trajectory run = sim::simulate(dynamics, sim::options_of(*dynamics.binding()->model));
    EXPECT_FALSE(run.stopped) << reason(run);
    EXPECT_EQ(dynamics.mode().counts.fallbacks, 0);
  }
}

TEST(EmbeddedContacts, TellNothingOfTheForceAlongTheNormalAndAllOfTheOthers) {
  for (const Rolling& rolling : rollings()) {
    SCOPED_TRACE(rolling.name);
    const sim::Trajectory run = run_by(text_of(rolling, rolling.joint));
    const sim::Trajectory by_hand = run_by(text_of(rolling, rolling.by_hand));
    ASSERT_FALSE(run.stopped) << reason(run);
    for (std::size_t i = 0; i < run.samples.size(); ++i) {
      const sim::Sample& sample = run.samples[i];
      EXPECT_EQ(sample.row_unique[0], 0);
      const bool is_on_plane = rolling.joint.find("axis N.z") != std::string::npos;
      if (is_on_plane) {
        EXPECT_EQ(sample.output_unique, (std::vector<char>{1, 1, 0})) << "its part along the normal is open";
      } else {
        EXPECT_NE(sample.output_unique, (std::vector<char>{1, 1, 1})) << "its part along the normal is open";
      }
      EXPECT_EQ(sample.reaction.lambda()[0], 0.0) << "least";
    }
    const Vector &Q = run.end().reaction.Q_c, &expected = by_hand.end().reaction.Q_c;
    EXPECT_LT((Q - expected).cwiseAbs().maxCoeff(), 1e-7 * (1.0 + expected.cwiseAbs().maxCoeff()));
  }
}

TEST(EmbeddedContacts, MakeTheAuditCryNoWolf) {
  for (const Rolling& rolling : rollings()) {
    const auto bound = test_support::compiled(test_support::model_of_text(text_of(rolling, rolling.joint)));
    sim::Dynamics dynamics(bound);
    const sim::Trajectory run = sim::simulate(dynamics, sim::options_of(*bound->compiled->model));
    const audit::Audit audit = audit::audit(*bound, run, {.samples = 12});
    for (const audit::AuditLine& line : audit.lines) {
      EXPECT_NE(line.verdict, audit::AuditLine::Verdict::kBroken)
          << rolling.name << ": " << line.section << " " << line.where << " by " << line.worst << " of "
          << line.allowed;
    }
  }
}

}  // namespace embedded_contacts_test
}  // namespace vinculum
