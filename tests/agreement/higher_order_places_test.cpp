// Forces and torques that a constraint of higher order exerts on points and bodies (theory.md §6.5). They are compared
// with the generalized forces, which are computed independently.
#include <gtest/gtest.h>

#include <cmath>

#include "support/elaborate/elaborated.hpp"
#include "support/models.hpp"
#include "vinculum/run/simulate.hpp"
#include "vinculum/verify/audit/audit.hpp"

namespace vinculum {
namespace higher_order_places_test {

struct Followed {
  std::shared_ptr<const sim::Binding> bound;
  sim::Trajectory motion;

  explicit Followed(const std::string& text)
      : bound(test_support::compiled(test_support::model_of_text(text))), motion(follow()) {}
  sim::Trajectory follow() const {
    sim::Dynamics dynamics(bound);
    return sim::simulate(dynamics, sim::options_of(*bound->compiled->model));
  }
  Vector output(const sim::Sample& at, const std::string& name) const {
    const auto& outputs = bound->compiled->model->outputs;
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      const auto [first, count] = bound->compiled->output_columns[i];
      if (outputs[i].name == name) return at.outputs.segment(first, count);
    }
    ADD_FAILURE() << "no output " << name;
    return {};
  }
  void expect_audited() const {
    const audit::Audit result = audit::audit(*bound, motion, {});
    for (const audit::AuditLine& line : result.lines) {
      EXPECT_NE(line.verdict, audit::AuditLine::Verdict::kBroken)
          << line.identity << ": " << line.worst << " allowed " << line.allowed << " at " << line.where;
    }
  }
};

const char* const kPlane =
    "model m\nframe N newtonian\npoint O fixed in N\ncoord x, y, z\nparticle P mass 1.3 at O + x*N.x + y*N.y + "
    "z*N.z\npotential 0.4*x^2 + 0.3*y^2 + 0.2*z^2\n";

struct Relation {
  const char* name;
  std::string text;  ///< text of the constraint c and of the start
};

// In Cartesian coordinates the force on the only particle equals the generalized force.
TEST(PlacesOfHigherOrder, AForceOnAParticleIsWhatActsOnItsCoordinates) {
  const std::string start =
      "start x = 0.3, y = -0.2, z = 0.1, x' = 0.4, y' = 0.9, z' = -0.3\nrun 0.5 tolerance 1e-12\n";
  const std::string mu = "\n    law vakonomic start mu = 0.1, mu' = 0.2\n";
  const Relation relations[] = {
      {"an acceleration and a velocity", "constraint c: dot(acc(P), N.x) = 0.5*dot(vel(P), N.y)" + mu + start},
      {"along an axis that turns",
       "frame A = N rotated 0.7*t about z\nconstraint c: dot(acc(P), A.x) = 0.2*dot(pos(P, O), N.y)" + mu + start},
      {"along a place", "constraint c: dot(acc(P), N.x + 0.3*pos(P, O)) = 0.5*dot(vel(P), vel(P))" + mu + start},
      {"of constant size",
       "constraint c: dot(acc(P), acc(P)) = 4" + mu + "start x'' = 1.2, y'' = 1.6, z'' ~ 0, x''' ~ 0.1\n" + start},
      {"a jerk",
       "constraint c: dot(dt(acc(P)), N.x + 0.2*N.y) = 0.5*dot(vel(P), N.y)\n    law vakonomic start mu = 0.1, mu' "
       "= 0.2, mu'' = -0.1\n" +
           start},
  };
  for (const Relation& relation : relations) {
    SCOPED_TRACE(relation.name);
    const Followed run(kPlane + relation.text + "output F = force(c, P) in N\noutput Q = generalized_force(c)\n");
    ASSERT_FALSE(run.motion.stopped) << run.motion.stopped->message;
    for (const sim::Sample& at : run.motion.samples) {
      const Vector F = run.output(at, "F"), Q = run.output(at, "Q");
      EXPECT_LT((F - Q).norm(), 1e-9 * (1.0 + Q.norm())) << "at " << at.t;
      EXPECT_GT(Q.norm(), 1e-3);
    }
    run.expect_audited();
  }
}

// Forces and torques on bodies must have the same power as the generalized forces.
TEST(PlacesOfHigherOrder, ForcesAndTorquesOnBodiesDoTheirPower) {
  const std::string bodies =
      "model m\nframe N newtonian\npoint O fixed in N\ncoord x, y, z, a, b, c, d\nframe B = N body123(a, b, c)\nbody "
      "stone "
      "frame B mass 1.1 inertia (0.3, 0.5, 0.7) at O + x*N.x + y*N.y + z*N.z\npoint E on stone = center(stone) + "
      "0.4*B.x - "
      "0.2*B.y + 0.1*B.z\nparticle P mass 0.6 at O + d*N.x + 0.2*N.y\ngravity -1.5*N.z\npotential 0.5*d^2 + 0.3*(x^2 + "
      "y^2 + "
      "z^2)\n";
  const std::string start =
      "start x = 0.2, y = 0.1, z = -0.3, a = 0.3, b = 0.2, c = -0.4, d = 0.5\nstart x' = 0.4, y' = -0.2, z' = 0.5, a' "
      "= "
      "0.6, b' = -0.3, c' = 0.8, d' = 0.1\nrun 0.3 tolerance 1e-12\n";
  const std::string mu = "\n    law vakonomic start mu = 0.1, mu' = 0.2\n";
  const Relation relations[] = {
      {"an acceleration of a point off the centre",
       "constraint k: dot(acc(E), N.x) = 0.5*dot(vel(E), N.y)" + mu + "output R = dot(force(k, E), vel(E))\n"},
      {"along an axis of the body", "constraint k: dot(acc(E), B.x) = 0.3*dot(vel(E), B.y)" + mu +
                                        "output R = dot(force(k, E), vel(E)) + dot(torque(k, stone), omega(B))\n"},
      {"an angular acceleration", "constraint k: dot(alpha(B), N.z) = 0.4*dot(omega(B), N.x)" + mu +
                                      "output R = dot(torque(k, stone), omega(B))\n"},
      {"an angular acceleration about an axis of the body",
       "constraint k: dot(alpha(B), B.y) = 0.4*dot(omega(B), omega(B))" + mu +
           "output R = dot(torque(k, stone), omega(B))\n"},
      {"of a body and a particle",
       "constraint k: dot(acc(E) - acc(P), N.x) + 0.2*dot(alpha(B), B.x) = 0.3*dot(pos(E, P), B.y)" + mu +
           "output R = dot(force(k, E), vel(E)) + dot(force(k, P), vel(P)) + dot(torque(k, stone), omega(B))\n"},
      {"of a point without mass between them",
       "point M = E + 0.5*pos(P, E)\nconstraint k: dot(acc(M), N.y) = 0.3*dot(vel(M), N.x)" + mu +
           "output R = dot(force(k, E), vel(E)) + dot(force(k, P), vel(P))\n"},
  };
  for (const Relation& relation : relations) {
    SCOPED_TRACE(relation.name);
    const Followed run(bodies + relation.text + "output W = power(k)\noutput Q = generalized_force(k)\n" + start);
    ASSERT_FALSE(run.motion.stopped) << run.motion.stopped->message;
    for (const sim::Sample& at : run.motion.samples) {
      const double R = run.output(at, "R")[0], W = run.output(at, "W")[0];
      EXPECT_NEAR(R, W, 1e-9 * (1.0 + run.output(at, "Q").norm())) << "at " << at.t;
    }
    run.expect_audited();
  }
}

TEST(PlacesOfHigherOrder, ARelationInCoordinatesNamesNoPlace) {
  const elaborate::testing::Elaborated result = elaborate::testing::elaborated(
      std::string(kPlane) +
      "constraint c: x'' = 0.5*y'\n    law vakonomic start mu = 0.1, mu' = 0.2\noutput F = force(c, P)\nrun 1\n");
  EXPECT_EQ(result.model, nullptr);
  ASSERT_FALSE(result.diagnostics.empty());
  EXPECT_NE(result.diagnostics[0].message.find("acts on the coordinates"), std::string::npos)
      << result.diagnostics[0].message;
  EXPECT_NE(result.diagnostics[0].hint.find("generalized_force(c)"), std::string::npos);
}

}  // namespace higher_order_places_test
}  // namespace vinculum
