// Constants of the motion that are stated as constraints: every motion that satisfies such a row at the start satisfies
// it always. The motion must equal the motion without the row, even if all velocities vanish, and the multiplier is 0.
#include <gtest/gtest.h>

#include <cmath>

#include "support/models.hpp"
#include "vinculum/run/simulate.hpp"
#include "vinculum/verify/audit/audit.hpp"

namespace vinculum {
namespace integral_rows_test {

std::shared_ptr<const sim::Binding> compiled(const std::string& text) {
  return test_support::compiled(test_support::model_of_text("model m\n" + text));
}

sim::Trajectory motion(const std::shared_ptr<const sim::Binding>& model) {
  sim::Dynamics dynamics(model);
  return sim::simulate(dynamics, sim::options_of(*model->compiled->model));
}

struct Integral {
  const char* name;
  std::string system;  ///< includes a start, with exact values if the row must not change it
  std::string row;     ///< "constraint c: …"
};

std::vector<Integral> integrals() {
  const std::string body =
      "frame N newtonian\npoint O fixed in N\ncoord x, y, z, a, b, d\nframe B = N body123(a, b, d)\nbody stone frame B "
      "mass 1.5 "
      "inertia (0.4, 0.4, 0.7) at O + x*N.x + y*N.y + z*N.z\ngravity -9.81*N.z\nstart a = 0.3, b = 0.4, d = 0.1, a' = "
      "0.5, b' "
      "= -0.7, d' = 2, x' = 0.3\n";
  return {
      {"energy of a pendulum that turns back",
       "coord th\nlagrangian th'^2/2 + cos(th)\nstart th = 0.3, th' = sqrt(2*cos(0.3))\nrun 5 tolerance 1e-12\n",
       "constraint c: th'^2/2 - cos(th) = 0\n"},
      {"energy of a pendulum let go at rest",
       "coord th\nlagrangian th'^2/2 + cos(th)\nstart th = 1.2, th' = 0\nrun 4 tolerance 1e-12\n",
       "constraint c: th'^2/2 - cos(th) = -cos(1.2)\n"},
      {"energy of two degrees of freedom let go at rest",
       "coord x, y\nlagrangian (x'^2 + 2*y'^2)/2 - x^2 - 0.7*(y - x)^2\nstart x = 0.5, y = -0.3, x' = 0, y' = 0\nrun 4 "
       "tolerance "
       "1e-12\n",
       "constraint c: (x'^2 + 2*y'^2)/2 + x^2 + 0.7*(y - x)^2 = 0.25 + 0.7*0.64\n"},
      {"a momentum",
       "coord x, y\nlagrangian (x'^2 + 2*y'^2)/2 - 0.7*(y - x)^2\nstart x = 0.5, y = -0.3, x' = 0.4, y' = -0.2\nrun 3 "
       "tolerance "
       "1e-12\n",
       "constraint c: x' + 2*y' = 0\n"},
      {"an angular momentum",
       "coord x, y\nlagrangian (x'^2 + y'^2)/2 - 0.3*(x^2 + y^2)^2\nstart x = 0.5, y = -0.3, x' = 0.4, y' = 0.8\nrun 3 "
       "tolerance "
       "1e-12\n",
       "constraint c: x*y' - y*x' = 0.52\n"},
      {"the spin of a symmetric body", body + "run 2 tolerance 1e-12\n",
       "constraint c: dot(omega(B), B.z) = 2 + 0.5*sin(0.4)\n"},
      {"the energy of a body", body + "run 2 tolerance 1e-12\n",
       "constraint c: 0.75*dot(vel(stone), vel(stone)) + 0.2*dot(omega(B), B.x)^2 + 0.2*dot(omega(B), B.y)^2 + "
       "0.35*dot(omega(B), "
       "B.z)^2 + 1.5*9.81*z = 0.75*0.09 + 0.2*(0.5*cos(0.4)*cos(0.1) - 0.7*sin(0.1))^2 + 0.2*(0.5*cos(0.4)*sin(0.1) + "
       "0.7*cos(0.1))^2 + 0.35*(0.5*sin(0.4) + 2)^2\n"},
      {"energy beside an ideal row and a force that does no work",
       "frame N newtonian\npoint O fixed in N\ncoord x, y, z\nparticle P mass 1.2 at O + x*N.x + y*N.y + "
       "z*N.z\ngravity "
       "-9.81*N.z\nconstraint ball: dot(pos(P, O), pos(P, O)) = 1\n    nonideal on P = 0.3*cross(N.z, vel(P))\nstart x "
       "= 0.6, y "
       "= 0, z = -0.8, x' = 0, y' = 0.7, z' = 0\nrun 3 tolerance 1e-12\n",
       "constraint c: 0.5*dot(vel(P), vel(P)) + 9.81*z = 0.245 - 9.81*0.8\n"},
      {"energy of a rolling wheel",
       "coord x, th\nlagrangian 3*x'^2/2 + th'^2/2 - 2*x^2\nconstraint roll: x' = 0.5*th'\nstart x = 0.4, th = 0, x' = "
       "0, th' = "
       "0\nrun 3 tolerance 1e-12\n",
       "constraint c: 3*x'^2/2 + th'^2/2 + 2*x^2 = 0.32\n"},
  };
}

TEST(IntegralRows, LeaveTheMotionAsItIs) {
  for (const Integral& one : integrals()) {
    SCOPED_TRACE(one.name);
    const auto with = compiled(one.system + one.row + "output l = multiplier(c)\n"), without = compiled(one.system);
    const sim::Trajectory a = motion(with), b = motion(without);
    ASSERT_FALSE(a.stopped) << a.stopped->message;
    ASSERT_FALSE(b.stopped) << b.stopped->message;
    EXPECT_LT((a.end().q - b.end().q).norm(), 2e-10);
    EXPECT_LT((a.end().q_dot - b.end().q_dot).norm(), 2e-9);
    for (const sim::Sample& at : a.samples) {
      EXPECT_EQ(at.outputs[at.outputs.size() - 1], 0.0);
      EXPECT_LT(at.residual.maxCoeff(), 1e-11);
    }
    const audit::Audit result = audit::audit(*with, a, {});
    for (const audit::AuditLine& line : result.lines) {
      EXPECT_NE(line.verdict, audit::AuditLine::Verdict::kBroken)
          << line.identity << ": " << line.worst << " allowed " << line.allowed << " at " << line.where;
    }
  }
}

// Rows that need a force still get it, whether the integral is stated before or after them.
TEST(IntegralRows, LeaveOtherRowsOfVelocityAsTheyAre) {
  const std::string system =
      "coord x, y, z\nlagrangian (x'^2 + 2*y'^2 + 3*z'^2)/2 - 0.3*z^2 - 0.1*y\n"
      "start x' = 0.4, y = 0.2, y' = 0.7, z = 0.1, z' ~ 0\nrun 2 tolerance 1e-12\n";
  const std::string blade = "constraint d: z' = 0.2*y' + y*y'\n", integral = "constraint c: x' = 0.4\n";
  const sim::Trajectory without = motion(compiled(system + blade));
  ASSERT_FALSE(without.stopped) << without.stopped->message;
  for (const std::string& rows :
       {integral + blade, blade + integral, std::string("constraint c: [x', z'] = [0.4, 0.2*y' + y*y']\n"),
        std::string("constraint c: [z', 2*x'] = [0.2*y' + y*y', 0.8]\n"),
        integral + "constraint e: 3*x' = 1.2\n" + blade}) {
    SCOPED_TRACE(rows);
    const auto model = compiled(system + rows);
    const sim::Trajectory run = motion(model);
    ASSERT_FALSE(run.stopped) << run.stopped->message;
    EXPECT_LT((run.end().q - without.end().q).norm(), 2e-10);
    EXPECT_LT(run.worst_residual.maxCoeff(), 1e-11);
    EXPECT_TRUE(audit::audit(*model, run, {}).holds());
  }
}

// The reference value was computed by quadrature with 20 digits.
TEST(IntegralRows, APendulumTurnsBackWhereItShould) {
  const sim::Trajectory run =
      motion(compiled("coord th\nlagrangian th'^2/2 + cos(th)\nconstraint integral: th'^2/2 - cos(th) = 0\nstart th = "
                      "0.3, th' ~ 1.3\nrun 5 "
                      "tolerance 1e-12\n"));
  ASSERT_FALSE(run.stopped) << run.stopped->message;
  EXPECT_NEAR(run.end().q[0], -1.5100862, 1e-7);
}

struct NoIntegral {
  const char* name;
  std::string text;
};

// A row that resembles an integral without being one is enforced by a force.
TEST(IntegralRows, RowsThatAreNoneKeepTheirForce) {
  const NoIntegral all[] = {
      {"constant for one value of a parameter",
       "param k = 2\ncoord x, y\nlagrangian (x'^2 + y'^2)/2 - x^2\nconstraint c: x'^2/2 + k*x^2/2 = 0.5\nstart x = "
       "0.5, x' ~ "
       "0.8\nrun 0.2\n"},
      {"an energy that a damper takes",
       "coord x\nlagrangian x'^2/2 - x^2\ngeneralized force on x = -0.3*x'\nconstraint c: x'^2/2 + x^2 = 0.5\nstart x "
       "= 0.5, x' ~ "
       "0.8\nrun 0.2\n"},
      {"a momentum that a force changes",
       "coord x, y\nlagrangian (x'^2 + y'^2)/2 - 0.1*x\nconstraint c: x' + y' = 1\nstart x' = 0.5, y' ~ 0.5\nrun "
       "0.2\n"},
      {"the spin of a body that is not symmetric",
       "frame N newtonian\npoint O fixed in N\ncoord a, b, d\nframe B = N body123(a, b, d)\npoint C = O + 0*B.x\nbody "
       "stone frame "
       "B mass 1 inertia (0.4, 0.5, 0.7) at C\nconstraint c: dot(omega(B), B.z) = 2\nstart a' = 0.5, b' = 0.7, d' ~ "
       "2\nrun 0.2\n"},
      {"an energy beside a row that moves with the time",
       "coord x, y\nlagrangian (x'^2 + y'^2)/2 - x^2 - y^2\nconstraint drive: y = 0.2*sin(3*t)\nconstraint c: (x'^2 + "
       "y'^2)/2 + "
       "x^2 + y^2 = 0.68\nstart x = 0.5, x' ~ 0.7, y ~ 0, y' ~ 0.6\nrun 0.2\n"},
  };
  for (const NoIntegral& one : all) {
    SCOPED_TRACE(one.name);
    const auto model = compiled(one.text);
    EXPECT_TRUE(model->compiled->integrals.empty());
  }
}

}  // namespace integral_rows_test
}  // namespace vinculum
