#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "vinculum/vinculum.hpp"

// Handles of named things: used without a search, refused by another model.
namespace vinculum::handles_test {
namespace {

constexpr const char* kLinked = R"(model linked
frame N newtonian
point O fixed in N
param l = 2 [m], m = 1.5 [kg], g = 9.81 [m/s^2]
coord x, y [m], a [rad]
frame B = N rotated a about z
body bar frame B mass m inertia plane 0.3 [kg*m^2] at O + x*N.x + y*N.y
point tip on bar = center(bar) + 0.5*l*B.x
point hinge on bar = center(bar) - 0.5*l*B.x
gravity -g*N.y
input push [N]
force on tip = push*N.x
state work' = push*x'
constraint pin: pos(hinge, O) = 0
output place = pos(tip, O) in N
start a = -1, x ~ 0.5, y ~ -0.8
run 1 [s]
)";

Model linked() { return Model::from_text(kLinked, {.backend = Backend::kTape}).value(); }

template <class Answer>
std::string refused(const Answer& answer) {
  return answer ? "" : answer.error().message;
}

TEST(Handles, ArePositionsInTheListsOfAModel) {
  const Model model = linked();
  EXPECT_EQ(model.coordinate("y").value().index, 1u);
  EXPECT_EQ(model.speed("a'").value().index, 2u);
  EXPECT_EQ(model.parameter("m").value().index, 1u);
  EXPECT_EQ(model.input("push").value().index, 0u);
  EXPECT_EQ(model.constraint("pin").value().index, 0u);
  EXPECT_EQ(model.states()[model.state("work").value().index].name, "work");
  EXPECT_EQ(model.coordinate("y").value(), model.coordinate("y").value());
  EXPECT_FALSE(model.coordinate("y").value() == linked().coordinate("y").value());
}

TEST(Handles, OfAWrongNameSayTheNearestOne) {
  const Model model = linked();
  EXPECT_EQ(refused(model.coordinate("xx")), "the model has no coordinate `xx`; did you mean `x`?");
  EXPECT_EQ(refused(model.point("tipp")), "the model has no point `tipp`; did you mean `tip`?");
  EXPECT_EQ(refused(model.constraint("q")), "the model has no constraint `q`; there are pin");
  EXPECT_NE(refused(model.column("plase")).find("did you mean `place`?"), std::string::npos);
  EXPECT_NE(refused(model.frame("hinge")).find("the model has no frame `hinge`"), std::string::npos);
}

TEST(Handles, ReadAndSetASimulation) {
  const Model model = linked();
  const auto y = model.coordinate("y").value();
  const auto rate = model.speed("a'").value();
  const auto work = model.state("work").value();
  const auto m = model.parameter("m").value();
  Simulation simulation = model.simulation().value();
  ASSERT_TRUE(simulation.set_input(model.input("push").value(), 3.0));
  ASSERT_TRUE(simulation.advance(0.5));
  EXPECT_EQ(simulation.value(y).value(), simulation.state().q[1]);
  EXPECT_EQ(simulation.value(rate).value(), simulation.state().u[2]);
  EXPECT_EQ(simulation.value(work).value(), simulation.state().z[work.index]);
  EXPECT_NE(simulation.value(work).value(), 0.0);
  Simulation other = model.simulation().value();
  ASSERT_TRUE(other.set_input("push", 3.0));
  ASSERT_TRUE(other.advance(0.5));
  ASSERT_TRUE(simulation.set(m, 2.5));
  ASSERT_TRUE(other.set({{"m", 2.5}}));
  EXPECT_EQ(simulation.value(m).value(), 2.5);
  EXPECT_EQ(simulation.value(y).value(), other.value(y).value()) << "handles stay valid when parameters change";
  EXPECT_EQ(model.with(m, 2.5).value().parameters()[1].value, 2.5);
}

TEST(Handles, FindTheColumnsThatNamesFind) {
  const Model model = linked();
  const Trajectory run = model.with({{"m", 2.0}}).value().run().value();
  const auto same = [&](const Result<Column>& one, const Result<Column>& other) {
    EXPECT_EQ(one.value().values, other.value().values);
    EXPECT_EQ(one.value().name, other.value().name);
    EXPECT_EQ(one.value().unit, other.value().unit);
    EXPECT_EQ(one.value().frame, other.value().frame);
    EXPECT_EQ(one.value().is_unique, other.value().is_unique);
  };
  for (const std::string& name : run.names()) same(run.column(model.column(name).value()), run.column(name));
  same(run.column(model.column("place").value()), run.column("place"));
  for (const Entity& one : model.coordinates())
    same(run.column(model.coordinate(one.name).value()), run.column(one.name));
  for (const Entity& one : model.speeds()) same(run.column(model.speed(one.name).value()), run.column(one.name));
  for (const Entity& one : model.states()) same(run.column(model.state(one.name).value()), run.column(one.name));
  const auto pin = model.constraint("pin").value();
  const auto bar = model.body("bar").value();
  same(run.force(pin, model.point("hinge").value()), run.force("pin", "hinge"));
  same(run.force(pin, bar), run.force("pin", "bar"));
  same(run.torque(pin, bar), run.torque("pin", "bar"));
  same(run.multiplier(pin), run.multiplier("pin"));
  EXPECT_NE(refused(run.force(pin, model.point("tip").value())).find("puts no force on `tip`"), std::string::npos);
}

TEST(Handles, AreTheSameForEveryEvaluator) {
  const Model model = linked();
  Evaluator one = model.evaluator().value(), other = model.with({{"l", 2.0}}).value().evaluator().value();
  std::vector<double> y(one.start().begin(), one.start().end()), a(3), b(3), axes(9);
  y[3] = 0.3;
  y[5] = -0.7;
  ASSERT_TRUE(one.velocity(one.point("tip").value(), 0.0, y, a));
  ASSERT_TRUE(other.position(model.frame("bar").value(), 0.0, y, axes));
  ASSERT_TRUE(other.velocity(model.point("tip").value(), 0.0, y, b));
  EXPECT_EQ(a, b);
  EXPECT_NE(a[0], 0.0);
}

TEST(Handles, OfAnotherModelAreRefused) {
  const Model model = linked(), other = linked();
  Simulation simulation = model.simulation().value();
  Evaluator evaluator = model.evaluator().value();
  const Trajectory run = model.run().value();
  std::vector<double> y(evaluator.start().begin(), evaluator.start().end()), three(3);
  const std::string tail = " is of another model than `linked`";
  EXPECT_EQ(refused(simulation.value(other.coordinate("x").value())), "this handle of a coordinate" + tail);
  EXPECT_EQ(refused(simulation.set_input(other.input("push").value(), 1.0)), "this handle of an input" + tail);
  EXPECT_EQ(refused(simulation.set(other.parameter("m").value(), 1.0)), "this handle of a parameter" + tail);
  EXPECT_EQ(refused(model.with(other.parameter("m").value(), 1.0)), "this handle of a parameter" + tail);
  EXPECT_EQ(refused(run.column(other.speed("x'").value())), "this handle of a speed" + tail);
  EXPECT_EQ(refused(run.column(other.column("place.x").value())), "this handle of a column" + tail);
  EXPECT_EQ(refused(run.multiplier(other.constraint("pin").value())), "this handle of a constraint" + tail);
  EXPECT_EQ(refused(run.torque(model.constraint("pin").value(), other.body("bar").value())),
            "this handle of a body" + tail);
  EXPECT_EQ(refused(evaluator.velocity(other.point("tip").value(), 0.0, y, three)), "this handle of a point" + tail);
  EXPECT_EQ(refused(simulation.value(CoordinateHandle())),
            "this handle is of no coordinate: `Model` has a function that finds it");
  EXPECT_FALSE(simulation.value(CoordinateHandle{99, model.coordinate("x").value().model}));
  EXPECT_FALSE(run.column(ColumnHandle{0, 5, model.coordinate("x").value().model}));
}

}  // namespace
}  // namespace vinculum::handles_test
