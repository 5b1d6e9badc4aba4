#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <vinculum/tools.hpp>
#include <vinculum/vinculum.hpp>

namespace vinculum {
namespace robots_test {

using nlohmann::json;

const std::filesystem::path kRobots = VINCULUM_SOURCE "/tests/reference/robots";
const Settings kTape = {.set = {}, .backend = Backend::kTape, .cache = ""};
/// Rounding errors of the accelerations of both programs, relative to the largest acceleration.
constexpr double kSameAcceleration = 1e-11;

ImportedRobot imported(const std::string& name, const ImportOptions& options = {}) {
  const auto robot = import_robot(kRobots / (name.find('.') == name.npos ? name + ".urdf" : name), options);
  if (!robot) throw std::runtime_error(robot.error().text());
  return *robot;
}

Model model_of(const ImportedRobot& robot) {
  auto model = Model::from_text(robot.text, kTape);
  if (!model) throw std::runtime_error(model.error().text());
  return *std::move(model);
}

using Named = std::map<std::string, double>;

/// A state by the names of coordinates and speeds. Names that the model does not have are ignored.
State state_of(const Model& model, const Named& values) {
  State state;
  const auto value = [&values](const std::string& name) {
    const auto found = values.find(name);
    return found == values.end() ? 0.0 : found->second;
  };
  for (const Entity& one : model.coordinates()) state.q.push_back(value(one.name));
  for (const Entity& one : model.speeds()) state.u.push_back(value(one.name));
  return state;
}

Named accelerations_at(const Model& model, const State& state) {
  auto simulation = model.simulation();
  if (!simulation) throw std::runtime_error(simulation.error().text());
  if (const auto done = simulation->set_state(state); !done) throw std::runtime_error(done.error().text());
  const auto rates = simulation->accelerations();
  if (!rates) throw std::runtime_error(rates.error().text());
  Named named;
  for (std::size_t i = 0; i < rates->size(); ++i) named[model.speeds()[i].name] = (*rates)[i];
  return named;
}

double largest(const Named& values) {
  double most = 1.0;
  for (const auto& [name, value] : values) most = std::max(most, std::abs(value));
  return most;
}

// Accelerations by Pinocchio at random states: tests/reference/compute_robots.py.
TEST(ImportedRobots, AccelerateAsInPinocchio) {
  const json all = json::parse(std::ifstream(VINCULUM_SOURCE "/tests/reference/robots.json"))["robots"];
  ASSERT_EQ(all.size(), 6U);
  for (const auto& [title, states] : all.items()) {
    const std::size_t blank = title.find(' ');
    const bool is_floating = title.substr(blank + 1) == "floating";
    const Model model =
        model_of(imported(title.substr(0, blank), {.base = is_floating ? RobotBase::kFloating : RobotBase::kFixed}));
    ASSERT_EQ(states.size(), 3U) << title;
    for (const json& one : states) {
      Named values = one["coordinates"].get<Named>();
      values.merge(one["speeds"].get<Named>());
      const Named expected = one["accelerations"].get<Named>();
      const Named found = accelerations_at(model, state_of(model, values));
      for (const auto& [name, value] : found) {
        const auto at = expected.find(name);
        ASSERT_NE(at, expected.end()) << title << ": " << name;
        EXPECT_NEAR(value, at->second, kSameAcceleration * largest(expected)) << title << ": " << name;
      }
    }
  }
}

// The same planar joint by two sliding joints and one that turns, with frames between them.
TEST(ImportedRobots, GlideInAPlaneAsOnTwoSlides) {
  const Model planar = model_of(imported("puck")), slides = model_of(imported("puck_on_slides"));
  Named values = {{"glide_x", 0.3},      {"glide_y", -0.2},      {"glide_angle", 0.8},   {"swing", -0.6},
                  {"fly_x", 0.1},        {"fly_y", 0.2},         {"fly_z", -0.1},        {"fly_e0", 0.5},
                  {"fly_e1", 0.5},       {"fly_e2", -0.5},       {"fly_e3", 0.5},        {"glide_x'", 1.1},
                  {"glide_y'", 0.4},     {"glide_angle'", -2.0}, {"swing'", 1.7},        {"fly_x'", 0.3},
                  {"fly_y'", -0.4},      {"fly_z'", 0.6},        {"ball_frame.wx", 1.0}, {"ball_frame.wy", -0.7},
                  {"ball_frame.wz", 0.2}};
  const Named first = accelerations_at(planar, state_of(planar, values));
  const Named second = accelerations_at(slides, state_of(slides, values));
  ASSERT_EQ(first.size(), 10U);
  for (const auto& [name, value] : first) {
    ASSERT_TRUE(second.contains(name)) << name;
    EXPECT_NEAR(value, second.at(name), kSameAcceleration * largest(first)) << name;
  }
}

// arm.sdf is the robot of arm.urdf with other frames of its links.
TEST(ImportedRobots, AccelerateAlikeFromBothFormats) {
  const ImportedRobot robot = imported("arm.sdf");
  EXPECT_EQ(robot.degrees_of_freedom, 3);
  const Model first = model_of(imported("arm")), second = model_of(robot);
  const Named values = {{"shoulder", 0.3},   {"elbow", -0.8}, {"stretch", 0.25},
                        {"shoulder'", -1.2}, {"elbow'", 0.9}, {"stretch'", 0.4}};
  const Named one = accelerations_at(first, state_of(first, values));
  const Named other = accelerations_at(second, state_of(second, values));
  ASSERT_EQ(other.size(), 3U);
  for (const auto& [name, value] : one) EXPECT_NEAR(value, other.at(name), kSameAcceleration * largest(one)) << name;
}

// Its axis is x of the model, which is z of the wheel; 1 kg m² there, spring 3 N m/rad with rest at 0.4, damping 0.1.
TEST(ImportedRobots, HaveTheSpringsOfSdfFiles) {
  const Model model = model_of(imported("spring.sdf"));
  const Named found = accelerations_at(model, state_of(model, {{"a", 0.1}, {"a'", 0.5}}));
  EXPECT_NEAR(found.at("a'"), -3.0 * (0.1 - 0.4) - 0.1 * 0.5, kSameAcceleration);
}

// The kinetic energy of an impossible inertia is that of the file; the nearest real inertia differs.
TEST(ImportedRobots, MoveWithAnImpossibleInertiaExactly) {
  const ImportedRobot exact = imported("walker"), fixed = imported("walker", {.fix_inertia = true});
  ASSERT_EQ(exact.diagnostics.all.size(), 1U);
  EXPECT_EQ(exact.diagnostics.all[0].severity, "warning");
  EXPECT_NE(exact.text.find("lagrangian -"), std::string::npos);
  EXPECT_EQ(fixed.text.find("lagrangian"), std::string::npos);
  const Named values = {{"left_hip", 0.4}, {"left_knee", -0.5}, {"left_hip'", 1.0}, {"left_knee'", 2.0}};
  const Model first = model_of(exact), second = model_of(fixed);
  const double one = accelerations_at(first, state_of(first, values)).at("left_hip'");
  const double other = accelerations_at(second, state_of(second, values)).at("left_hip'");
  EXPECT_GT(std::abs(one - other), 1e-3 * std::abs(one));
}

// A spring at a limit pushes back by its stiffness times the depth; a stop lets no coordinate pass.
TEST(ImportedRobots, HaveLimitsAsSpringsOrStops) {
  const Model springs = model_of(imported("arm", {.limits = RobotLimits::kSpring}));
  const Model plain = model_of(imported("arm"));
  const Named inside = {{"shoulder", 2.4}, {"stretch", 0.2}}, outside = {{"shoulder", 2.6}, {"stretch", 0.2}};
  EXPECT_EQ(accelerations_at(springs, state_of(springs, inside)), accelerations_at(plain, state_of(plain, inside)));
  const State state = state_of(plain, outside);
  const auto matrices = plain.matrices(state);
  ASSERT_TRUE(matrices) << matrices.error().text();
  const auto free = accelerations_at(plain, state), pushed = accelerations_at(springs, state);
  double torque = 0.0;  // M (u'_springs − u'_plain), first row
  for (std::size_t i = 0; i < 3; ++i) {
    const std::string& name = plain.speeds()[i].name;
    torque += matrices->M.values[i] * (pushed.at(name) - free.at(name));
  }
  EXPECT_NEAR(torque, -1e3 * 0.1, 1e-8);
  const Model stops = model_of(imported("arm", {.limits = RobotLimits::kContact}));
  const auto run = stops.run({.until = 0.5});
  ASSERT_TRUE(run) << run.error().text();
  EXPECT_FALSE(run->stopped());
  const auto stretch = run->column("stretch");
  ASSERT_TRUE(stretch && !stretch->values.empty());
  EXPECT_LT(*std::ranges::max_element(stretch->values), 0.4 + 1e-9);
  EXPECT_GT(*std::ranges::min_element(stretch->values), 0.1 - 1e-9);
}

TEST(ImportedRobots, AreCanonicalTextsThatCheck) {
  for (const char* name : {"arm", "hand", "walker", "puck", "puck_on_slides", "arm.sdf", "spring.sdf"}) {
    for (const RobotBase base : {RobotBase::kFixed, RobotBase::kFloating}) {
      if (base == RobotBase::kFloating && std::string_view(name) == "arm.sdf") continue;  // fixed to the world
      for (const RobotLimits limits : {RobotLimits::kNone, RobotLimits::kSpring, RobotLimits::kContact}) {
        const ImportedRobot robot = imported(name, {.base = base, .limits = limits});
        const auto model = Model::from_text(robot.text, kTape);
        ASSERT_TRUE(model) << name << ": " << model.error().text();
        EXPECT_TRUE(model->diagnostics().all.empty()) << name << ": " << model->diagnostics().text;
      }
    }
  }
}

TEST(ImportedRobots, ThatAreFixedToTheWorldDoNotFloat) {
  EXPECT_ANY_THROW((void)imported("arm.sdf", {.base = RobotBase::kFloating}));
  EXPECT_FALSE(imported("arm.sdf", {.base = RobotBase::kFixed}).text.empty());
}

// The hand's fingers follow one joint, whose limits are the strictest of all four joints: 0.7 (-1.2 q) + 0.1 <= 1.3
// gives q >= -10/7, -1.2 q <= 1.6 gives q >= -4/3, and -1.2 q >= -1 gives q <= 5/6.
TEST(ImportedRobots, KeepTheLimitsOfJointsThatMimic) {
  EXPECT_NE(imported("hand", {.limits = RobotLimits::kContact})
                .text.find("limits of near_joint = -1.3333333333333335 .. 0.8333333333333334 [rad]"),
            std::string::npos);
}

}  // namespace robots_test
}  // namespace vinculum
