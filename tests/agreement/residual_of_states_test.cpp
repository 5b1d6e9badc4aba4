// The residual of a constraint must be the same number as an output, in the summary of a run, and in the audit. Rows
// that contain states are projected like other rows.
#include <gtest/gtest.h>

#include <cmath>

#include "support/models.hpp"
#include "vinculum/run/simulate.hpp"
#include "vinculum/verify/audit/audit.hpp"

namespace vinculum {
namespace residual_of_states_test {

struct System {
  const char* name;
  std::string text;  ///< contains an output res = residual(c)
};

std::vector<System> systems() {
  const std::string plane = "model m\ncoord x, y\nlagrangian (x'^2 + y'^2)/2 - 2*x^2 - 0.3*y^2\n";
  const std::string end = "output res = residual(c)\nrun 40 tolerance 1e-8\n";
  return {
      {"a place beside a state",
       plane + "state z' = x*x' start z = 0.2\nconstraint c: y = z\nstart x = 0.7, y = 0.2, x' = -0.4\n" + end},
      {"a velocity beside a state",
       plane + "state z' = x start z = 0.2\nconstraint c: y' = 0.3*z\nstart x = 0.7, y = 0.2, x' = -0.4\n" + end},
      {"two rows and two states",
       "model m\ncoord x, y, w\nlagrangian (x'^2 + y'^2 + w'^2)/2 - 2*x^2 - 0.3*y^2 - w^2\nstate z' = x*x' start z = "
       "0.2\nstate v' "
       "= x - 0.1*v start v = 0\nconstraint c: [y, w'] = [z, 0.2*v]\nstart x = 0.7, y = 0.2, x' = -0.4, w = 0.1\n" +
           end},
      {"a state that accelerations enter late",
       plane +
           "state z' = x start z = 0.3\nconstraint c: z = 0.3 + 0.7*sin(t) + 0.1*y\nstart y = 0, x ~ 0.7, y' ~ 0.2\n" +
           end},
      {"not linear in the state",
       plane + "state z' = x'^2 start z = 0.1\nconstraint c: y = 0.3*sin(z)\nstart x = 0.7, y ~ 0, x' = -0.4\n" + end},
      {"a place and a velocity without states",
       plane + "coord w\nlagrangian w'^2/2\nconstraint c: [y, w'] = [x^2/2, x]\nstart x = 0.7, y ~ 0.2, x' = -0.4\n" +
           end},
  };
}

TEST(Residuals, AreOneNumberAndStayAtRounding) {
  for (const System& one : systems()) {
    SCOPED_TRACE(one.name);
    const auto bound = test_support::compiled(test_support::model_of_text(one.text));
    sim::Dynamics dynamics(bound);
    const sim::Trajectory run = sim::simulate(dynamics, sim::options_of(*bound->compiled->model));
    ASSERT_FALSE(run.stopped) << run.stopped->message;
    double worst = 0.0;
    for (const sim::Sample& at : run.samples) {
      EXPECT_EQ(at.outputs.cwiseAbs().maxCoeff(), at.residual[0]) << "at " << at.t;
      worst = std::max(worst, at.residual[0]);
    }
    EXPECT_LT(worst, 1e-12);
    const audit::Audit result = audit::audit(*bound, run, {});
    for (const audit::AuditLine& line : result.lines) {
      EXPECT_NE(line.verdict, audit::AuditLine::Verdict::kBroken)
          << line.identity << ": " << line.worst << " allowed " << line.allowed << " at " << line.where;
    }
  }
}

}  // namespace residual_of_states_test
}  // namespace vinculum
