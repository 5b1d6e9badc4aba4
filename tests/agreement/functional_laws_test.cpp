// Hamilton's principle for rows that contain states, with the function L + mu F + nu (z' - g) (theory.md §6.10). It is
// compared with a model in which each state is a massless coordinate, and its rate equation an additional row.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "support/elaborate/elaborated.hpp"
#include "support/models.hpp"
#include "vinculum/run/simulate.hpp"

namespace vinculum {
namespace functional_laws_test {

double value(const sim::CompiledModel& compiled, const sim::Sample& at, const std::string& name) {
  const auto& outputs = compiled.model->outputs;
  for (std::size_t i = 0, column = 0; i < outputs.size(); column += outputs[i].components.size(), ++i) {
    if (outputs[i].name == name) return at.outputs[static_cast<Eigen::Index>(column)];
  }
  ADD_FAILURE() << "no output " << name;
  return 0.0;
}

std::optional<Eigen::Index> coordinate(const model::Model& model, const std::string& name) {
  const auto found = std::ranges::find(model.coordinates, name, &model::Coordinate::name);
  if (found == model.coordinates.end()) return std::nullopt;
  return static_cast<Eigen::Index>(found - model.coordinates.begin());
}

/// One system stated in two ways: with states, and with massless coordinates instead of the states.
struct Pair {
  const char* name;
  std::string with_states, with_coordinates;
  std::vector<std::string> multipliers;  ///< names of outputs that both models have
};

std::string plane(const std::string& more) { return "model m\ncoord x, y\n" + more + "run 0.6 tolerance 1e-12\n"; }
std::string lifted(const std::string& more, const std::string& coordinates = "z") {
  return "model m\ncoord x, y, " + coordinates + "\n" + more + "run 0.6 tolerance 1e-12\n";
}

const char* const kLagrangian = "lagrangian (x'^2 + y'^2)/2 - 0.5*y - 0.2*x^2\n";

std::vector<Pair> pairs() {
  const std::string L = kLagrangian;
  const std::string start = "start x = 0.3, y = 0.1, x' = 0.7, y' ~ 0.3\n";
  std::vector<Pair> all;
  all.push_back(
      {"a row and its state",
       plane(L +
             "state z' = x'^2 + 0.1*y start z = 0.4\nconstraint row: y' = 0.5*z + 0.3*x\n"
             "    law vakonomic start mu = -0.1, mu(z) = 0.2\noutput m = multiplier(row)\n" +
             start),
       lifted(L +
              "constraint row: y' = 0.5*z + 0.3*x\n    law vakonomic start mu = -0.1\n"
              "constraint rate: z' = x'^2 + 0.1*y\n    law vakonomic start mu = 0.2\noutput m = multiplier(row)\n" +
              start + "start z = 0.4\n"),
       {"m"}});
  all.push_back(
      {"a row that is not linear in velocities and state",
       plane(L +
             "state z' = x*y' - 0.3*z start z = 0.4\nconstraint row: x'^2 + y'^2 = 0.5 + z^2\n"
             "    law vakonomic start mu = 0.3, mu(z) = -0.1\noutput m = multiplier(row)\n" +
             start),
       lifted(L +
              "constraint row: x'^2 + y'^2 = 0.5 + z^2\n    law vakonomic start mu = 0.3\n"
              "constraint rate: z' = x*y' - 0.3*z\n    law vakonomic start mu = -0.1\noutput m = multiplier(row)\n" +
              start + "start z = 0.4\n"),
       {"m"}});
  all.push_back(
      {"states one behind the other, and the time",
       plane(L +
             "state z' = x' + sin(2*t)*y start z = 0.4\nstate w' = z*y start w = -0.2\n"
             "constraint row: y' = 0.5*w + 0.3*x\n    law vakonomic start mu = 0.2, mu(z) = 0.1, mu(w) = 0.3\n"
             "output m = multiplier(row)\n" +
             start),
       lifted(L +
                  "constraint row: y' = 0.5*w + 0.3*x\n    law vakonomic start mu = 0.2\n"
                  "constraint first: z' = x' + sin(2*t)*y\n    law vakonomic start mu = 0.1\n"
                  "constraint second: w' = z*y\n    law vakonomic start mu = 0.3\noutput m = multiplier(row)\n" +
                  start + "start z = 0.4, w = -0.2\n",
              "z, w"),
       {"m"}});
  all.push_back({"beside a constraint of the ideal law",
                 plane(L +
                       "coord s\nlagrangian s'^2/2 - 0.3*s*x\nconstraint ideal: s' = x*y' + 0.2*x'\n"
                       "state z' = x'*s' start z = 0.4\nconstraint row: y' = 0.5*z + 0.3*x\n"
                       "    law vakonomic start mu = -0.1\noutput m = multiplier(row)\noutput i = multiplier(ideal)\n" +
                       start + "start s = 0.2\n"),
                 lifted(L +
                        "coord s\nlagrangian s'^2/2 - 0.3*s*x\nconstraint ideal: s' = x*y' + 0.2*x'\n"
                        "constraint row: y' = 0.5*z + 0.3*x\n    law vakonomic start mu = -0.1\n"
                        "constraint rate: z' = x'*s'\n    law vakonomic start mu = 0\noutput m = multiplier(row)\n"
                        "output i = multiplier(ideal)\n" +
                        start + "start z = 0.4, s = 0.2\n"),
                 {"m", "i"}});
  all.push_back(
      {"two rows and two states",
       plane("coord s\nlagrangian (x'^2 + 2*y'^2 + s'^2)/2 - 0.5*y - 0.2*x^2 - 0.1*s^2\n"
             "state z' = x'*y' start z = 0.4\nstate w' = s + 0.2*x'^2 start w = 0.1\n"
             "constraint rows: [y' + s', s'] = [0.5*z + 0.3*x, 0.3*w - 0.2*z*x]\n"
             "    law vakonomic start mu = -0.1, 0.2, mu(z) = 0.05\noutput m = multiplier(rows)\n" +
             start + "start s = 0.2\n"),
       lifted("coord s\nlagrangian (x'^2 + 2*y'^2 + s'^2)/2 - 0.5*y - 0.2*x^2 - 0.1*s^2\n"
              "constraint rows: [y' + s', s'] = [0.5*z + 0.3*x, 0.3*w - 0.2*z*x]\n"
              "    law vakonomic start mu = -0.1, 0.2\n"
              "constraint first: z' = x'*y'\n    law vakonomic start mu = 0.05\n"
              "constraint second: w' = s + 0.2*x'^2\n    law vakonomic start mu = 0\noutput m = multiplier(rows)\n" +
                  start + "start s = 0.2, z = 0.4, w = 0.1\n",
              "z, w"),
       {"m"}});
  all.push_back(
      {"a row of positions and states",
       plane(L + "state z' = x'^2 + 0.1*y start z = 0.4\nconstraint row: y = 0.2*sin(z) + 0.1*x + 0.05*t\n"
                 "    law vakonomic start mu = 0, mu(z) = 0.1\noutput m = multiplier(row)\n"
                 "start x = 0.3, y ~ 0.1, x' = 0.7, y' ~ 0.3\n"),
       lifted(L + "constraint row: y = 0.2*sin(z) + 0.1*x + 0.05*t\n    law vakonomic start mu = 0\n"
                  "constraint rate: z' = x'^2 + 0.1*y\n    law vakonomic start mu = 0.1\noutput m = multiplier(row)\n"
                  "start x = 0.3, y ~ 0.1, x' = 0.7, y' ~ 0.3, z = 0.4\n"),
       {"m"}});
  return all;
}

TEST(FunctionalLaws, HamiltonsPrincipleIsThatOfCoordinatesWithoutMass) {
  for (const Pair& pair : pairs()) {
    SCOPED_TRACE(pair.name);
    const auto with_states = test_support::compiled(test_support::model_of_text(pair.with_states)),
               with_coordinates = test_support::compiled(test_support::model_of_text(pair.with_coordinates));
    sim::Dynamics one(with_states), other(with_coordinates);
    const sim::Trajectory a = sim::simulate(one, sim::options_of(*with_states->compiled->model)),
                          b = sim::simulate(other, sim::options_of(*with_coordinates->compiled->model));
    ASSERT_FALSE(a.stopped) << a.stopped->message;
    ASSERT_FALSE(b.stopped) << b.stopped->message;
    for (const char* name : {"x", "y", "s"}) {
      const auto i = coordinate(*with_states->compiled->model, name),
                 j = coordinate(*with_coordinates->compiled->model, name);
      if (!i) continue;
      EXPECT_NEAR(a.end().q[*i], b.end().q[*j], 2e-10) << name;
      EXPECT_NEAR(a.end().q_dot[*i], b.end().q_dot[*j], 2e-9) << name;
    }
    for (const std::string& name : pair.multipliers)
      EXPECT_NEAR(value(*with_states, a.end(), name), value(*with_coordinates, b.end(), name), 1e-8) << name;
  }
}

/// Reference: the equations in x, y, z, mu and nu, integrated with 13 digits by another program.
TEST(FunctionalLaws, HamiltonsPrincipleByAnotherProgram) {
  const auto at_end = [](const std::string& start) {
    const auto compiled = test_support::compiled(test_support::model_of_text(
        "model m\ncoord x, y\n" + std::string(kLagrangian) +
        "state z' = x'^2 + 0.1*y start z = 0.4\nconstraint row: y' = 0.5*z + 0.3*x\n    law vakonomic start mu = -0.1" +
        start + "\nstart x = 0.3, y = 0.1, x' = 0.7, y' ~ 0.3\nrun 0.5 tolerance 1e-12\n"));
    sim::Dynamics dynamics(compiled);
    const sim::Trajectory run = sim::simulate(dynamics, sim::options_of(*compiled->compiled->model));
    EXPECT_FALSE(run.stopped) << (run.stopped ? run.stopped->message : "");
    return run.end();
  };
  const sim::Sample by_choice = at_end(""), stated = at_end(", mu(z) = 0.2");
  EXPECT_NEAR(by_choice.q[0], 0.663366662, 1e-9);
  EXPECT_NEAR(by_choice.q[1], 0.304383543, 1e-9);
  EXPECT_NEAR(by_choice.z[0], 0.674036397, 1e-9);
  EXPECT_NEAR(stated.q[0], 0.67561203, 1e-8);
  EXPECT_NEAR(stated.q[1], 0.305739, 1e-8);
  EXPECT_NEAR(stated.z[0], 0.69321432, 1e-8);
}

}  // namespace functional_laws_test
}  // namespace vinculum
