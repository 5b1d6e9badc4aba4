#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/folder.hpp"
#include "vinculum/builder.hpp"

namespace vinculum {
namespace {

constexpr const char* kPendulum = R"(model pendulum
frame N newtonian
point O fixed in N
param m = 1 [kg], g = 9.81 [m/s^2], double = 2*m
coord x, y [m]
particle P mass m at O + x*N.x + y*N.y
gravity -g*N.y
constraint rod: norm(pos(P, O)) - 1 [m] = 0
output tension = -multiplier(rod)
output R = force(rod, P) in N
start x = 1, y ~ 0
run 1 [s] tolerance 1e-10
expect at start: tension = 0 ± 1e-12
)";

Model pendulum(Values set = {}) {
  return Model::from_text(kPendulum, {.set = std::move(set), .backend = Backend::kTape, .cache = ""}, "p.vin").value();
}

TEST(Model, NamesWhatItHasWithUnitsAndPlaces) {
  const Model model = pendulum();
  EXPECT_EQ(model.name(), "pendulum");
  ASSERT_EQ(model.parameters().size(), 3u);
  EXPECT_EQ(model.parameters()[1].name, "g");
  EXPECT_EQ(model.parameters()[1].unit, "m/s^2");
  EXPECT_EQ(model.parameters()[1].value, 9.81);
  EXPECT_EQ(model.parameters()[1].place, "p.vin:4:19");
  EXPECT_EQ(model.coordinates()[1].name, "y");
  EXPECT_EQ(model.speeds()[0].unit, "m/s");
  EXPECT_EQ(model.constraints()[0].name, "rod");
  EXPECT_EQ(model.outputs()[1].unit, "N");
}

TEST(Model, ThatIsWrongIsAValueWithDiagnostics) {
  const auto wrong = Model::from_text("model m\nframe N newtonian\ncoord x\noutput e = sinn(x)\n", {}, "m.vin");
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().about, Error::About::kModel);
  ASSERT_FALSE(wrong.error().diagnostics.all.empty());
  EXPECT_EQ(wrong.error().place.substr(0, 8), "m.vin:4:");
  EXPECT_NE(wrong.error().text().find("sinn"), std::string::npos);
  EXPECT_THROW((void)wrong.value(), std::runtime_error);
  EXPECT_EQ(Model::load("/nowhere/there.vin").error().about, Error::About::kCall);
}

TEST(Model, TakesOtherValuesAndNamesWhatItCannotTake) {
  const Model model = pendulum();
  const Model heavy = model.with({{"m", 2.0}}).value();
  EXPECT_EQ(heavy.parameters()[2].value, 4.0);  // a parameter defined by `m` follows
  EXPECT_EQ(model.parameters()[0].value, 1.0);
  const auto lambda = [](const Model& m) {
    return m.run({.until = 0.5}).value().column("tension").value().values.back();
  };
  EXPECT_EQ(lambda(heavy), lambda(pendulum({{"m", "2 [kg]"}})));
  EXPECT_NEAR(lambda(heavy), 2.0 * lambda(model), 1e-9);
  EXPECT_NE(model.with({{"mas", 2.0}}).error().text().find("mas"), std::string::npos);
  EXPECT_FALSE(model.with({{"m", -1.0}}));
}

TEST(Model, AssemblesAndFindsTheNearestState) {
  const Model model = pendulum();
  const State start = model.assemble().value();
  EXPECT_NEAR(start.q[0], 1.0, 1e-12);
  const State near = model.assemble({0.0, {0.6, -0.9}, {1.0, 0.0}, {}}).value();
  EXPECT_NEAR(std::hypot(near.q[0], near.q[1]), 1.0, 1e-12);
  EXPECT_NEAR(near.q[0] * near.u[0] + near.q[1] * near.u[1], 0.0, 1e-12);
  EXPECT_EQ(model.assemble({0.0, {1.0}, {}, {}}).error().about, Error::About::kCall);
}

TEST(Model, GivesMatricesAndForcesThatAgree) {
  const Model model = pendulum();
  const State state = model.assemble({0.0, {0.6, -0.8}, {0.8, 0.6}, {}}).value();
  const Matrices m = model.matrices(state).value();
  const Forces forces = model.forces(state).value();
  for (int i = 0; i < 2; ++i) {
    double sum = m.f[static_cast<std::size_t>(i)];
    for (int j = 0; j < 2; ++j) sum -= m.M(i, j) * forces.u_dot[static_cast<std::size_t>(j)];
    EXPECT_NEAR(sum + m.A(0, i) * forces.lambda[0], 0.0, 1e-12);
    EXPECT_NEAR(forces.on_points[0].value[static_cast<std::size_t>(i)], m.A(0, i) * forces.lambda[0], 1e-12);
  }
  EXPECT_EQ(forces.on_points[0].on, "P");
  EXPECT_EQ(forces.on_points[0].is_unique, (std::array<bool, 3>{true, true, true}));
}

TEST(Trajectory, HasColumnsForcesAndInstants) {
  const Trajectory run = pendulum().run({.step = 0.25, .at = {0.3}}).value();
  ASSERT_EQ(run.t().size(), 5u);
  EXPECT_EQ(run.q().rows, 5);
  EXPECT_EQ(run.column("y").value()(4), run.q()(4, 1));
  const Column R = run.column("R").value(), force = run.force("rod", "P").value();
  EXPECT_EQ(R.components, 3);
  EXPECT_EQ(R.frame, "N");
  EXPECT_EQ(force.unit, "N");
  for (std::size_t i = 0; i < R.values.size(); ++i) EXPECT_NEAR(R.values[i], force.values[i], 1e-12) << i;
  EXPECT_EQ(run.column("R.y").value()(2), R(2, 1));
  EXPECT_EQ(run.multiplier("rod").value()(1), -run.column("tension").value()(1));
  EXPECT_EQ(run.at(0.3).value().state.t, 0.3);
  EXPECT_EQ(run.at(0.31).error().about, Error::About::kCall);
  EXPECT_NE(run.column("tensoin").error().text().find("did you mean `tension`?"), std::string::npos);
  EXPECT_FALSE(run.force("rod", "O"));
  EXPECT_FALSE(run.energy());
  EXPECT_TRUE(run.audit(5).holds());
  EXPECT_EQ(run.stopped(), nullptr);
  EXPECT_EQ(run.statistics().backend, Backend::kTape);
  EXPECT_EQ(run.provenance().until, 1.0);
}

TEST(Run, RefusesWhatIsNoRun) {
  const Model model = pendulum();
  for (const RunOptions& options : {RunOptions{.until = -1.0}, RunOptions{.tolerance = std::nan("")},
                                    RunOptions{.step = -0.1}, RunOptions{.at = {2.0}}, RunOptions{.method = "euler"}}) {
    EXPECT_EQ(model.run(options).error().about, Error::About::kCall);
  }
  EXPECT_NE(model.run({.method = "dop53"}).error().text().find("dop853"), std::string::npos);
}

TEST(Run, BeginsInAStateToTheBit) {
  const Model model = pendulum();
  const Trajectory whole = model.run({.at = {0.3}}).value();
  const State halfway = whole.at(0.3).value().state;
  const Trajectory rest = model.run({.start = halfway, .at = {0.3, 0.7}}).value();
  EXPECT_EQ(rest.t().front(), 0.3);
  EXPECT_EQ(rest.t().back(), 1.0);
  EXPECT_EQ(rest.at(0.3).value().state.q, halfway.q);
  EXPECT_EQ(rest.at(0.3).value().state.u, halfway.u);
  EXPECT_EQ(rest.provenance().start->q, halfway.q);
  for (int k = 0; k < 2; ++k) EXPECT_NEAR(rest.q()(rest.q().rows - 1, k), whole.q()(whole.q().rows - 1, k), 1e-7) << k;
}

TEST(Run, BeginsInNoStateThatIsNone) {
  const Model model = pendulum();
  const Trajectory whole = model.run().value();
  State state = whole.at(whole.t().back()).value().state;
  const std::string gone = model.run({.start = state}).error().text();
  EXPECT_NE(gone.find("the run ends at 1 s, but begins at 1 s"), gone.npos) << gone;
  EXPECT_TRUE(model.run({.start = state, .until = 1.5}));
  EXPECT_FALSE(model.run({.start = state, .until = 0.5}));
  EXPECT_FALSE(model.run({.start = state, .until = 1.5, .at = {0.5}}));
  state.q[0] *= 1.01;
  const std::string apart = model.run({.start = state, .until = 1.5}).error().text();
  EXPECT_NE(apart.find("violates constraint `rod` by "), apart.npos) << apart;
  EXPECT_TRUE(model.run({.start = model.assemble(state).value(), .until = 1.5}));
  state.q.push_back(0.0);
  EXPECT_FALSE(model.run({.start = state, .until = 1.5}));
}

TEST(Run, RecordsEnergies) {
  const Energy energy = pendulum().run({.record = {.energy = true}}).value().energy().value();
  EXPECT_EQ(energy.columns[0].name, "kinetic_energy");
  EXPECT_EQ(energy.columns[0].unit, "J");
  EXPECT_EQ(energy.columns.front().size(), energy.columns.back().size());
  EXPECT_LT(energy.worst, 1e-8);
}

TEST(Simulation, GoesWhereARunGoes) {
  const Model model = pendulum();
  Simulation simulation = model.simulation().value();
  ASSERT_TRUE(simulation.advance(0.5));
  ASSERT_TRUE(simulation.advance(1.0));
  const Trajectory run = model.run().value();
  EXPECT_NEAR(simulation.state().q[0], run.q()(run.q().rows - 1, 0), 1e-8);
  EXPECT_FALSE(simulation.advance(0.5));
  EXPECT_EQ(simulation.state().t, 1.0);
  ASSERT_TRUE(simulation.set_state({2.0, {0.0, -1.1}, {3.0, 0.0}, {}}));
  EXPECT_NEAR(simulation.forces().value().lambda[0], -(9.81 + 9.0), 1e-10);
  EXPECT_NEAR(simulation.accelerations().value()[1], 9.0, 1e-10);
}

/// q'' = −k q + tau; k and tau change during the run.
constexpr const char* kDriven = R"(model driven
param k = 4, tau = 0
coord q
lagrangian 0.5*q'^2 - 0.5*k*q^2
generalized force on q = tau
start q = 1
run 10 tolerance 1e-11
)";

TEST(Simulation, TakesOtherValuesOnTheWay) {
  Simulation simulation = Model::from_text(kDriven).value().simulation().value();
  ASSERT_TRUE(simulation.advance(1.0));
  ASSERT_TRUE(simulation.set({{"tau", 3.0}}));
  const double q = std::cos(2.0), v = -2.0 * std::sin(2.0);
  EXPECT_NEAR(simulation.state().q[0], q, 1e-9) << "the state stays";
  ASSERT_TRUE(simulation.advance(1.5));
  EXPECT_NEAR(simulation.state().q[0], 0.75 + (q - 0.75) * std::cos(1.0) + 0.5 * v * std::sin(1.0), 1e-9);
  ASSERT_TRUE(simulation.set({{"k", 1.0}}));
  EXPECT_NEAR(simulation.accelerations().value()[0], 3.0 - simulation.state().q[0], 1e-12) << "tau has its last value";
  const auto refused = simulation.set({{"kk", 1.0}});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().about, Error::About::kCall);
  EXPECT_EQ(simulation.state().t, 1.5);
}

/// x'' = ±a has two solutions. At the start Gauss' principle selects the one nearest to the free acceleration 3 − 2t;
/// later the motion stays on this branch.
TEST(Simulation, FollowsTheAccelerationThatTheMotionHas) {
  Simulation simulation = Model::from_text(R"(model branch
param a = 7, m = 1
frame N newtonian
point O fixed in N
coord x
particle P mass m at O + x*N.x
force on P = (3 - 2*t)*N.x
constraint c: dot(acc(P), N.x)^2 = a^2
output R = force(c, P)
start x' = 4
run 5 tolerance 1e-11
)")
                              .value()
                              .simulation()
                              .value();
  EXPECT_NEAR(simulation.accelerations().value()[0], 7.0, 1e-10);
  ASSERT_TRUE(simulation.advance(3.0));  // the free acceleration at t = 3 is −3
  EXPECT_NEAR(simulation.state().q[0], 12.0 + 31.5, 1e-8);
  EXPECT_NEAR(simulation.accelerations().value()[0], 7.0, 1e-10);
  ASSERT_TRUE(simulation.set({{"m", 2.0}}));
  EXPECT_NEAR(simulation.accelerations().value()[0], 7.0, 1e-10) << "another value is no other branch";
  ASSERT_TRUE(simulation.advance(4.0));
  EXPECT_NEAR(simulation.state().q[0], 16.0 + 56.0, 1e-8);
  ASSERT_TRUE(simulation.set_state({4.0, {0.0}, {0.0}, {}}));
  EXPECT_NEAR(simulation.accelerations().value()[0], -7.0, 1e-10) << "a motion of its own begins there";
}

TEST(Simulation, GoesToWhereConstraintsHoldThatChange) {
  constexpr const char* kRod =
      "model rod\nparam l = 1\ncoord x, y\nlagrangian 0.5*(x'^2 + y'^2)\nconstraint c: x^2 + y^2 = l^2\nstart x = 1, y "
      "~ 0\nrun 1\n";
  Simulation simulation = Model::from_text(kRod).value().simulation().value();
  ASSERT_TRUE(simulation.set({{"l", 2.0}}));
  const State& state = simulation.state();
  EXPECT_NEAR(std::hypot(state.q[0], state.q[1]), 2.0, 1e-14);
}

/// Two links described by angles: the forces from inverse dynamics produce the given accelerations.
TEST(Simulation, TellsTheForcesBehindAccelerations) {
  const Model model = Model::from_text(R"(model arm
coord a, b
frame N newtonian
frame A = N rotated a about z
frame B = A rotated b about z
point O fixed in N
point P = O + 2*A.x
particle p mass 3 at P
particle q mass 5 at P + B.x
gravity -10*N.y
param tau1 = 0, tau2 = 0
generalized force on a = tau1
generalized force on b = tau2
start a = 0.3, b = 0.8, a' = 1, b' = -2
run 1
)")
                          .value();
  Simulation simulation = model.simulation().value();
  const std::vector<double> wanted = {1.5, -0.25};
  const std::vector<double> tau = simulation.inverse_dynamics(wanted).value();
  ASSERT_TRUE(simulation.set({{"tau1", tau[0]}, {"tau2", tau[1]}}));
  EXPECT_NEAR(simulation.accelerations().value()[0], wanted[0], 1e-12);
  EXPECT_NEAR(simulation.accelerations().value()[1], wanted[1], 1e-12);
  // Statics: the torques that hold both links, calculated by hand.
  ASSERT_TRUE(simulation.set({{"tau1", 0.0}, {"tau2", 0.0}}));
  ASSERT_TRUE(simulation.set_state({0.0, {0.3, 0.8}, {0.0, 0.0}, {}}));
  const std::vector<double> held = simulation.inverse_dynamics(std::vector<double>{0.0, 0.0}).value();
  EXPECT_NEAR(held[1], 50.0 * std::cos(1.1), 1e-11);
  EXPECT_NEAR(held[0], held[1] + 160.0 * std::cos(0.3), 1e-11);
}

TEST(Simulation, TellsOfAConstraintThatDoesNotAllowAccelerations) {
  Simulation simulation = pendulum().simulation().value();
  ASSERT_TRUE(simulation.set_state({0.0, {0.0, -1.0}, {3.0, 0.0}, {}}));
  const std::vector<double> along = simulation.inverse_dynamics(std::vector<double>{2.0, 9.0}).value();
  EXPECT_NEAR(along[0], 2.0, 1e-12);
  EXPECT_NEAR(along[1], 0.0, 1e-12) << "the rod needs no help";
  const auto refused = simulation.inverse_dynamics(std::vector<double>{0.0, 1.0});
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().text().find("does not allow"), std::string::npos);
  EXPECT_FALSE(simulation.inverse_dynamics(std::vector<double>{0.0}));
}

/// A state from outside decides anew which contacts are closed.
TEST(Simulation, TakesAStateWithOtherContacts) {
  const Model model = Model::from_text(R"(model m
frame N newtonian
point O fixed in N
coord z
particle P mass 2 at O + z*N.z
gravity -10*N.z
constraint ground: z >= 0
start z = 0
run 2
)")
                          .value();
  EXPECT_EQ(model.assemble().value().z, std::vector<double>{1.0}) << "it rests on the ground";
  EXPECT_EQ(model.assemble({0.0, {0.5}, {0.0}, {1.0}}).value().q[0], 0.5) << "an open gap is not closed";
  EXPECT_EQ(model.assemble({0.0, {0.0}, {0.0}, {0.0}}).value().z, std::vector<double>{1.0});
  Simulation simulation = model.simulation().value();
  State state = simulation.state();
  state.q[0] = 1.25;
  ASSERT_TRUE(simulation.set_state(state));
  ASSERT_TRUE(simulation.advance(0.4));
  EXPECT_NEAR(simulation.state().q[0], 1.25 - 5.0 * 0.16, 1e-8);
  state = simulation.state();
  state.q[0] = 0.0;
  state.u[0] = 3.0;
  ASSERT_TRUE(simulation.set_state(state));
  ASSERT_TRUE(simulation.advance(0.7));
  EXPECT_NEAR(simulation.state().q[0], 3.0 * 0.3 - 5.0 * 0.09, 1e-8);
}

TEST(Comparison, SaysHowFarLawsPart) {
  const auto two = pendulum().compare({.formulations = {Formulation::kExplicit, Formulation::kMinimal}, .until = 0.2});
  ASSERT_EQ(two.value().variants().size(), 2u);
  EXPECT_LT(two->variants()[1].coordinates, 1e-8);
  EXPECT_EQ(pendulum().compare({}).error().about, Error::About::kCall);
}

TEST(Verdict, CountsExpectations) {
  const Verdict verdict = pendulum().test();
  EXPECT_EQ(verdict.passed, 1);
  EXPECT_EQ(verdict.failed, 0) << verdict.text;
}

TEST(Builder, BuildsWhatATextWouldSay) {
  Builder b("pendulum");
  const auto x = b.coordinate("x", "m"), y = b.coordinate("y", "m");
  const auto m = b.parameter("m", 1.0, "kg");
  const auto O = b.fixed_point("O", b.newtonian());
  const auto P = b.particle("P", m, O, x * b.axis(b.newtonian(), 0) + y * b.axis(b.newtonian(), 1));
  b.gravity(-9.81 * b.axis(b.newtonian(), 1));
  const auto rod = b.constraint("rod", norm(b.pos(P, O)) - 1.0, {}, "m");
  b.output("tension", -b.multiplier(rod), "kg*m/s^2");
  b.start(x, 1.0);
  b.guess(y, 0.0);
  const Model built = Model::from_builder(std::move(b), {.backend = Backend::kTape}).value();
  EXPECT_EQ(built.outputs()[0].unit, "N");
  const Trajectory run = built.run({.until = 1.0, .tolerance = 1e-10}).value();
  EXPECT_NEAR(run.column("tension").value().values.back(),
              pendulum().run().value().column("tension").value().values.back(), 1e-7);
}

TEST(Matrices, HoldTheGeometryOfConstrainedMotion) {
  const Model model = pendulum();
  const Matrices at = model.matrices({0.0, {1.0, 0.0}, {0.0, 2.0}}).value();
  EXPECT_EQ(at.rank, 1);
  EXPECT_NEAR(at.a[1], -9.81, 1e-14);
  EXPECT_NEAR(at.e[0], -4.0, 1e-14);  // the acceleration required by the row is −v²
  EXPECT_NEAR(at.Q_ideal[0], -4.0, 1e-14);
  EXPECT_NEAR(at.T(0, 0), 1.0, 1e-14);
  EXPECT_NEAR(at.N(1, 1), 1.0, 1e-14);
  EXPECT_NEAR(at.gauss, 16.0, 1e-13);
  EXPECT_EQ(at.Q_nonideal, (std::vector<double>{0.0, 0.0}));
}

TEST(Explanation, ShowsTheGeometryWhereItIsAskedFor) {
  const Model model = pendulum();
  EXPECT_EQ(model.explain().value().text().find("geometry"), std::string::npos);
  const auto explained = model.explain({.geometry = true}).value();
  EXPECT_NE(explained.text().find("Gauss' function"), std::string::npos);
  EXPECT_NE(explained.json().find("\"root\": \"cholesky\""), std::string::npos);
}

TEST(Builder, HasTheFunctionsOfTheLanguage) {
  Builder b("functions");
  const auto x = b.coordinate("x");
  b.equations({x}, {{b.number(1.0)}}, {b.number(0.0)});
  b.start(x, 0.5);
  const auto two = b.number(2.0);
  const std::pair<Term, double> all[] = {{tan(x), std::tan(0.5)},
                                         {asin(x), std::asin(0.5)},
                                         {acos(x), std::acos(0.5)},
                                         {atan(x), std::atan(0.5)},
                                         {sinh(x), std::sinh(0.5)},
                                         {cosh(x), std::cosh(0.5)},
                                         {tanh(x), std::tanh(0.5)},
                                         {abs(-x), 0.5},
                                         {sign(-x), -1.0},
                                         {floor(x + 2.0), 2.0},
                                         {atan2(x, two), std::atan2(0.5, 2.0)},
                                         {min(x, two), 0.5},
                                         {max(x, two), 2.0}};
  int k = 0;
  for (const auto& [term, value] : all) b.output("f" + std::to_string(k++), term);
  const Model model = Model::from_builder(std::move(b), {.backend = Backend::kTape, .cache = ""}).value();
  const auto run = model.run({.until = 0.0}).value();
  EXPECT_EQ(run.names().size(), 2U + std::size(all));
  EXPECT_EQ(run.names().front(), "x");
  for (k = 0; k < static_cast<int>(std::size(all)); ++k)
    EXPECT_EQ(run.column("f" + std::to_string(k)).value().values.front(), all[k].second) << k;
}

TEST(Builder, TakesEquationsAsTheyStand) {
  Builder b("oscillator");
  const auto x = b.coordinate("x"), y = b.coordinate("y");
  b.equations({x, y}, {{b.number(2.0)}, {b.number(0.0), b.number(3.0)}}, {-8.0 * x, b.number(0.0)});
  const auto held = b.constraint("held", b.rate(y));
  b.nonideal(held, x, -0.5 * b.rate(x));
  b.output("Qni", b.Q_constraint(0) - b.Q_ideal(0));
  b.start(x, 1.0);
  b.start(y, 0.0);
  const Model model = Model::from_builder(std::move(b), {.backend = Backend::kTape, .cache = ""}).value();
  const auto run = model.run({.until = 1.0, .tolerance = 1e-11}).value();
  // 2 x'' = −8 x − 0.5 x'
  const double decay = 0.125, rate = std::sqrt(4.0 - decay * decay);
  EXPECT_NEAR(run.column("x").value().values.back(),
              std::exp(-decay) * (std::cos(rate) + decay / rate * std::sin(rate)), 1e-9);
  EXPECT_NEAR(run.column("Qni").value().values.back(), -0.5 * run.column("x'").value().values.back(), 1e-12);
}

/// Gimbal lock at 0.5 s, exactly at a sample and inside a step that ends much later.
TEST(RunIntoResults, EndsAtTheStopInEveryFile) {
  const test_support::Folder folder;
  const Model model =
      Model::from_text(
          "model m\nframe N newtonian\npoint O fixed in N\ncoord a, b, c [deg]\nframe A = N rotated c about z\n"
          "frame C = A rotated b about y\nframe B = C rotated a about x\n"
          "body plane frame B mass 1 [kg] inertia (1, 2, 3) [kg*m^2] at O\nstart a = 0, b = 80, c = 0, b' = 20\nrun 1 "
          "[s]\n",
          {.set = {}, .backend = Backend::kTape, .cache = ""}, "m.vin")
          .value();
  RunOptions into{.record = {.energy = true}};
  const Trajectory whole = model.run(into).value();
  ASSERT_NE(whole.stopped(), nullptr);
  EXPECT_NEAR(whole.t().back(), 0.5, 1e-6);
  EXPECT_LE(whole.t().back(), 0.5);
  EXPECT_EQ(whole.t().size(), 101u);
  EXPECT_NEAR(whole.column("b").value().values.back(), std::numbers::pi / 2.0, 1e-6);
  ASSERT_TRUE(whole.write(folder.path() / "kept", {.parquet = true}));
  auto results = Results::open(folder.path() / "streamed", {.parquet = true}).value();
  into.into = &results;
  const Trajectory streamed = model.run(into).value();
  ASSERT_TRUE(streamed.write(results));
  for (const char* name : {"trajectory.csv", "energy.csv", "events.csv", "trajectory.parquet", "energy.parquet"})
    EXPECT_EQ(folder.read(std::string("streamed/") + name), folder.read(std::string("kept/") + name)) << name;
  const std::string csv = folder.read("kept/trajectory.csv");
  EXPECT_EQ(std::stod(csv.substr(csv.rfind('\n', csv.size() - 2) + 1)), whole.t().back());
  EXPECT_NE(whole.json().find("\"t\": 0.49999"), std::string::npos) << whole.json().substr(0, 300);
}

TEST(RunIntoResults, WritesWhatMemoryWouldHold) {
  const test_support::Folder folder;
  const Model model = pendulum();
  const RunOptions kept{.until = 0.8, .step = 0.01, .at = {0.123}, .record = {.energy = true}};
  RunOptions into = kept;
  const auto whole = model.run(kept).value();
  ASSERT_TRUE(whole.write(folder.path() / "kept", {.parquet = true}));
  auto results = Results::open(folder.path() / "streamed", {.parquet = true}).value();
  into.into = &results;
  const auto streamed = model.run(into).value();
  auto names = streamed.write(results).value(),
       others = whole.write(folder.path() / "again", {.parquet = true}).value();
  std::ranges::sort(names);
  std::ranges::sort(others);
  EXPECT_EQ(names, others);
  for (const char* name : {"trajectory.csv", "energy.csv", "events.csv", "trajectory.parquet", "energy.parquet"})
    EXPECT_EQ(folder.read(std::string("streamed/") + name), folder.read(std::string("kept/") + name)) << name;
  ASSERT_EQ(streamed.t().size(), 2u);
  EXPECT_EQ(streamed.t().back(), 0.8);
  EXPECT_EQ(streamed.at(0.123).value().state.q, whole.at(0.123).value().state.q);
  EXPECT_EQ(streamed.energy().value().worst, whole.energy().value().worst);
  EXPECT_EQ(streamed.text().substr(0, streamed.text().find("parse")),
            whole.text().substr(0, whole.text().find("parse")));
}

TEST(RunIntoResults, IsProposedWhereMemoryCannotHoldAllSamples) {
  const auto kept = pendulum().run({.until = 1e9, .step = 1e-9});
  ASSERT_FALSE(kept);
  EXPECT_EQ(kept.error().kind, "too-large");
  EXPECT_NE(kept.error().message.find("1e+18 samples"), std::string::npos) << kept.error().message;
}

TEST(RunIntoResults, IsWrittenIntoNoOthers) {
  const test_support::Folder folder;
  const Model model = pendulum();
  auto results = Results::open(folder.path() / "out").value();
  const auto first = model.run({.until = 0.1, .into = &results}).value();
  EXPECT_EQ(first.write(folder.path() / "other").error().about, Error::About::kCall);
  const auto second = model.run({.until = 0.2, .into = &results}).value();  // replaces the first results
  EXPECT_EQ(first.write(results).error().about, Error::About::kCall);
  EXPECT_TRUE(second.write(results));
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "other"));
}

}  // namespace
}  // namespace vinculum
