#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <map>
#include <string>

#include "support/models.hpp"
#include "vinculum/run/simulate.hpp"

// The bodies on which a reaction acts follow from the vectors in an equation. Examples: a vector of one of several
// bodies with a common frame, a vector of the ground in the offset of a massless point, a vector of the body in which a
// point is fixed.
namespace vinculum {
namespace whose_vector_test {

using Vector3 = Eigen::Vector3d;

std::map<std::string, Vector> outputs_of(const std::string& text) {
  sim::Dynamics dynamics(test_support::compiled(test_support::model_of_text(text)));
  const sim::Trajectory run = sim::simulate(dynamics, sim::options_of(*dynamics.binding()->model));
  if (run.stopped) throw std::runtime_error(run.stopped->message);
  std::map<std::string, Vector> outputs;
  const sim::CompiledModel& compiled = dynamics.binding();
  for (std::size_t k = 0; k < compiled.output_columns.size(); ++k) {
    const sim::OutputColumns& columns = compiled.output_columns[k];
    outputs[compiled.model->outputs[k].name] = run.end().outputs.segment(columns.first, columns.count);
  }
  return outputs;
}

void expect_near(const Vector& a, const Vector3& b, double tolerance = 1e-12) {
  ASSERT_EQ(a.size(), 3);
  EXPECT_LE((a - b).norm(), tolerance * (1.0 + b.norm())) << a.transpose() << " for " << b.transpose();
}

// Two plates that move with a common frame. A row prescribes a distance on the first plate, along a vector of one of
// the two plates.
std::string plates(const std::string& whose) {
  return "model plates\nframe N newtonian\npoint O fixed in N\ncoord a, x, y, u, v\nframe R = N rotated a about z\n"
         "body b frame R mass 2 inertia (0.2, 0.2, 0.3) at O + x*N.x + y*N.y\n"
         "body c frame R mass 3 inertia (0.2, 0.2, 0.4) at O + u*N.x + v*N.y\n"
         "point P = b + 0.5*R.x\nforce on c = 4*N.x - N.y\ntorque on b = 0.7*N.z\n"
         "constraint k: dot(pos(O, P), " +
         whose +
         ".y) = 0\n"
         "output out_R = torque(k, " +
         whose +
         ")\noutput out_S = force(k, P)\noutput out_r = pos(O, P)\n"
         "start a ~ 0.3, x ~ 1, y ~ 0.2, u ~ 2, v ~ 0.1, a' ~ 0.8, x' ~ 0.3, u' ~ -0.2\nrun 0\n";
}

TEST(WhoseVector, OfTwoBodiesOfOneFrameTheNamedOneTakesTheTorque) {
  for (const std::string whose : {"b", "c"}) {
    SCOPED_TRACE(whose);
    const auto of = outputs_of(plates(whose));
    const Vector3 force = of.at("out_S"), r = of.at("out_r");
    ASSERT_GT(force.norm(), 0.1);
    // The force at O acts on the ground. The moment that remains of the two forces acts on the body to which the vector
    // belongs.
    expect_near(of.at("out_R"), r.cross(force));
  }
}

// A rod is attached to a point whose offset from a fixed point is a vector of the body. The force acts on the ground,
// and its moment on the body.
TEST(WhoseVector, APlaceSetOffFromTheGroundPassesItsForceToTheGround) {
  const auto of = outputs_of(
      "model hung\nframe N newtonian\npoint O fixed in N\ncoord a, b, x, y\nframe R = N rotated a about z\n"
      "frame Q = N rotated b about z\nbody m frame R mass 2 inertia plane 0.3 at O + x*N.x + y*N.y\n"
      "body n frame Q mass 1 inertia plane 0.2 at O\npoint G = O + 0.5*N.y\npoint S = G + 0.4*Q.x\n"
      "gravity -10*N.y\nconstraint k: dot(pos(m, S), pos(m, S)) = 1\noutput out_R = force(k, N)\noutput out_S = "
      "force(k, m)\n"
      "output out_T = torque(k, N)\noutput out_U = torque(k, n)\noutput out_r = pos(S, G)\n"
      "start a = 0.1, b = 0.4, x = 0.3, y ~ -0.8, x' = 0.2, b' = 0.5\nrun 0\n");
  const Vector3 on_body = of.at("out_S");
  ASSERT_GT(on_body.norm(), 1.0);
  expect_near(of.at("out_R"), -on_body);
  expect_near(of.at("out_U"), Vector3(of.at("out_r")).cross(Vector3(-on_body)));
}

// A point whose offset from a body is a vector of the ground: the force acts on the body, and its moment on the ground.
TEST(WhoseVector, APlaceSetOffByTheGroundsVectorsPutsItsArmOnTheGround) {
  for (const std::string row : {"dot(pos(m, S), pos(m, S)) = 1.21", "dot(vel(m) - vel(S), pos(m, S)) = 0",
                                "dot(acc(m) - acc(S), N.y) = -0.3"}) {
    SCOPED_TRACE(row);
    const auto of = outputs_of(
        "model arm\nframe N newtonian\npoint O fixed in N\ncoord a, x, y, u, v\nframe R = N rotated a about z\n"
        "body n frame R mass 1 inertia plane 0.2 at O + u*N.x + v*N.y\npoint S = n + 0.6*N.x\n"
        "particle m mass 2 at O + x*N.x + y*N.y\ngravity -10*N.y\nforce on m = 3*N.x\nconstraint k: " +
        row +
        "\noutput out_R = torque(k, N)\noutput out_S = force(k, m)\noutput out_r = pos(S, n)\n"
        "start a = 0.1, u = 0.3, v = 0.1, x = 1.2, y ~ -0.9, x' ~ 0.2, y' ~ 0.1, u' ~ 0.4\nrun 0\n");
    const Vector3 at_place = -of.at("out_S");
    ASSERT_GT(at_place.norm(), 0.1);
    expect_near(of.at("out_R"), Vector3(of.at("out_r")).cross(at_place));
  }
}

// An oblique axis that is written with vectors of another frame of the ground. The torque has no component along the
// axis. The reaction satisfies Newton's and Euler's equations, even if an axis of the body's frame belongs to the
// ground.
TEST(WhoseVector, AnObliqueAxisOfSeveralFramesMakesNoTorqueAboutItself) {
  for (const std::string kind : {"revolute", "cylindrical", "planar"}) {
    for (const std::string axis : {"0.83*F.y + 0.29*F.x - 0.98*N.x", "N.x + F.y", "F.x + F.z", "N.y + N.x"}) {
      SCOPED_TRACE(kind + " " + axis);
      const auto of = outputs_of(
          "model oblique\nframe N newtonian\npoint O fixed in N\ncoord a, x, y, z\nframe F = N rotated 0.29 about x\n"
          "frame R = F rotated a about x\nbody b frame R mass 2.9 inertia (0.5, 0.45, 0.3) at O + x*N.x + y*N.y + "
          "z*N.z\npoint P = b + R.z\ngravity -10*N.z + 2*N.x\ntorque on b = 3*N.x + N.y + 2*N.z\njoint j: " +
          kind + " between O of N and P of b axis " + axis +
          "\noutput out_R = torque(j, b)\noutput out_S = torque(j, N)\n" + "output out_r = " + axis +
          "\nstart a ~ -0.29, x ~ 0, y ~ 0, z ~ -1\nrun 0\n");
      const Vector3 torque = of.at("out_R"), direction = Vector3(of.at("out_r")).normalized();
      ASSERT_GT(torque.norm(), 0.1);
      EXPECT_NEAR(torque.dot(direction), 0.0, 1e-12);
      expect_near(of.at("out_S"), -torque);
    }
  }
}

// A point is fixed in b by a vector of another frame of the same rigid frame. It remains a point of b if another body
// of that rigid frame is revealed.
TEST(WhoseVector, APointStaysWithItsBodyWhereAnotherIsTurned) {
  const auto text = [](const std::string& offset) {
    return "model turned\nframe N newtonian\npoint O fixed in N\ncoord a, x, y, s\nframe R = N rotated a about z\n"
           "body b frame R mass 2 inertia plane 0.3 at O + x*N.x + y*N.y\nframe F = R rotated 0.7 about z\n"
           "point P = b + " +
           offset +
           "\nbody c frame F mass 1 inertia plane 0.2 at P + s*R.x\nforce on c = 3*N.x - 2*N.y\ntorque on c = "
           "0.4*N.z\nreveal k: torque on c along N.z\noutput out_R = k*N.z\n"
           "start a = 0.2, x = 0, y = 0, s = 0.3, a' = 0.9, s' = 0.1\nrun 0\n";
  };
  const auto in_b = outputs_of(text("0.5*R.x")), in_c = outputs_of(text("0.5*cos(0.7)*F.x - 0.5*sin(0.7)*F.y"));
  expect_near(in_c.at("out_R"), in_b.at("out_R"));
}

}  // namespace whose_vector_test
}  // namespace vinculum
