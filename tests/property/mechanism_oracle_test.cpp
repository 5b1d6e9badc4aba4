// Tests of the oracle of the random search: results calculated by hand, and wrong reports that it must find.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include "support/mechanisms/chance.hpp"
#include "support/mechanisms/expected.hpp"
#include "support/mechanisms/judge.hpp"
#include "support/mechanisms/make_node.hpp"
#include "support/mechanisms/search.hpp"

namespace vinculum::mechanisms {
namespace mechanism_oracle_test {

constexpr double kExact = 1e-12;
using Vector3 = Eigen::Vector3d;

/// Helper to build a mechanism statement by statement.
class Hand {
 public:
  Hand() {
    m.frames.push_back({.name = "N"});
    m.points.push_back({.name = "O", .kind = PointKind::kFixed});
    m.spin.assign(3, 0.0);
  }
  static VectorTerm along(int frame, int axis, double factor = 1.0) { return {Affine{factor}, frame, axis}; }
  int coordinate(const std::string& name, double q = 0.0, double rate = 0.0) {
    m.coordinates.push_back({name, q, rate});
    return static_cast<int>(m.coordinates.size()) - 1;
  }
  int frame(Frame f) {
    m.frames.push_back(std::move(f));
    m.spin.resize(3 * m.frames.size());
    m.order.push_back({Item::Kind::kFrame, static_cast<int>(m.frames.size()) - 1});
    return static_cast<int>(m.frames.size()) - 1;
  }
  int quaternion(const std::string& name) {
    Frame f{.name = name, .kind = FrameKind::kQuaternion, .parent = 0};
    for (int k = 0; k < 4; ++k) f.quaternion.push_back(coordinate(name + std::to_string(k), k == 0 ? 1.0 : 0.0));
    return frame(f);
  }
  int turned(const std::string& name, int parent, double angle, int letter) {
    return frame({.name = name, .kind = FrameKind::kAbout, .parent = parent, .angle = {angle}, .letter = letter});
  }
  int turned_by(const std::string& name, int parent, int q, int letter) {
    return frame(
        {.name = name, .kind = FrameKind::kAbout, .parent = parent, .angle = {0.0, {{q, 1.0}}}, .letter = letter});
  }
  int body(const std::string& name, int frame, double mass, std::vector<double> inertia, LinearVector offset,
           int base = 0) {
    m.points.push_back({.name = name, .kind = PointKind::kCenter, .base = base, .offset = std::move(offset)});
    m.bodies.push_back({.name = name, .frame = frame, .center = static_cast<int>(m.points.size()) - 1, .mass = mass});
    m.bodies.back().inertia = std::move(inertia);
    m.order.push_back({Item::Kind::kBody, static_cast<int>(m.bodies.size()) - 1});
    return static_cast<int>(m.bodies.size()) - 1;
  }
  /// Adds a body that moves freely along x, y, z of the ground.
  int free_body(const std::string& name, int frame, double mass, std::vector<double> inertia, Vector3 at) {
    LinearVector offset;
    for (int k = 0; k < 3; ++k) {
      offset.push_back({Affine{0.0, {{coordinate(name + std::string(1, "xyz"[k]), at[k]), 1.0}}}, 0, k});
    }
    return body(name, frame, mass, std::move(inertia), offset);
  }
  int point(const std::string& name, int base, LinearVector offset) {
    m.points.push_back({.name = name, .base = base, .offset = std::move(offset)});
    m.order.push_back({Item::Kind::kPoint, static_cast<int>(m.points.size()) - 1});
    return static_cast<int>(m.points.size()) - 1;
  }
  int center(int body) const { return m.bodies[static_cast<std::size_t>(body)].center; }
  void gravity(LinearVector g) {
    Load load;
    load.gravity = std::move(g);
    m.loads.push_back(load);
  }
  Constraint& joint(const std::string& kind, Side A, int P, Side B, int Q) {
    Constraint c;
    c.name = "c" + std::to_string(m.constraints.size());
    c.joint = kind;
    c.A = A;
    c.B = B;
    c.P = P;
    c.Q = Q;
    m.constraints.push_back(c);
    return m.constraints.back();
  }
  static Side of(int body) { return {SideKind::kBody, body}; }

  Mechanism m;
};

/// A mechanism at its guessed state, with the accelerations computed by the oracle.
class Solved {
 public:
  explicit Solved(const Mechanism& mechanism) : m(mechanism), s(m), oracle(m, s, state()) {
    EXPECT_LT(oracle.self_check, kExact);
    EXPECT_LT(oracle.row_residual, 1e-10);
    EXPECT_LT(oracle.mismatch, 1e-10);
  }
  Vector3 force_on(int c, int body) const { return entries(c, oracle.layout.body[static_cast<std::size_t>(body)]); }
  Vector3 moment_on(int c, int body) const {
    return entries(c, oracle.layout.body[static_cast<std::size_t>(body)] + 3);
  }
  Vector3 force_on_ground(int c) const { return entries(c, Layout::kGroundForce); }
  Vector3 moment_on_ground(int c) const { return entries(c, Layout::kGroundMoment); }
  /// Couple that acts on a body in addition to the force, if the force acts at `lever` from the mass center.
  Vector3 couple_on(int c, int body, const Vector3& lever) const {
    return moment_on(c, body) - lever.cross(force_on(c, body));
  }
  bool is_unique(int c, int entry) const {
    return oracle.is_unique(oracle.gradient_of(c, Vector(Vector::Unit(oracle.layout.size, entry)))).value();
  }

  Mechanism m;
  Structure s;
  Oracle oracle;

 private:
  State state() const {
    State at;
    for (const Coordinate& c : m.coordinates) at.q.push_back(c.q);
    for (const Speed& speed : s.speeds) {
      at.u.push_back(speed.coordinate >= 0 ? m.coordinates[static_cast<std::size_t>(speed.coordinate)].rate
                                           : m.spin[static_cast<std::size_t>(3 * speed.frame + speed.axis)]);
    }
    at.du.assign(at.u.size(), 0.0);
    const Oracle before(m, s, at);
    for (std::size_t k = 0; k < at.du.size(); ++k) at.du[k] = before.predicted[static_cast<Eigen::Index>(k)];
    return at;
  }
  Vector3 entries(int c, int first) const { return oracle.exerted(c, oracle.lambda).segment<3>(first); }
};

void expect_near(const Vector3& has, const Vector3& wants) {
  EXPECT_LT((has - wants).norm(), 1e-11) << has.transpose() << " instead of " << wants.transpose();
}

TEST(MechanismOracle, FindsTheCoupleOfAPinWhoseBodyStandsInATurnedFrame) {
  Hand hand;
  const int R = hand.quaternion("R"), T = hand.turned("T", R, 0.3, 2), S = hand.turned("S", R, 0.7, 2);
  const int b = hand.free_body("b", T, 2.0, {0.1, 0.2, 0.2}, {0.5, 0, 0});
  const int P = hand.point("P", hand.center(b), {Hand::along(R, 0, -0.5)});
  hand.gravity({Hand::along(0, 2, -10.0)});
  Constraint& pin = hand.joint("revolute", {}, 0, Hand::of(b), P);
  pin.axis = {Hand::along(0, 2)};
  pin.axis2 = {Hand::along(S, 2)};
  const Solved solved(hand.m);
  // A weight of 20 N with a lever arm of half a meter.
  expect_near(solved.force_on(0, b), {0, 0, 20});
  expect_near(solved.couple_on(0, b, {-0.5, 0, 0}), {0, -10, 0});
  expect_near(solved.force_on_ground(0), {0, 0, -20});
  expect_near(solved.moment_on_ground(0), {0, 10, 0});
  EXPECT_EQ(solved.s.carrier_of[static_cast<std::size_t>(P)], b);
}

TEST(MechanismOracle, FindsWhatABallDoesToTheGround) {
  Hand hand;
  const int R = hand.quaternion("R");
  const int b = hand.free_body("b", R, 2.0, {0.2, 0.2, 0.2}, {0, 0, 0.5});
  hand.gravity({Hand::along(0, 0, 1.0), Hand::along(0, 2, -10.0)});
  Constraint& roll = hand.joint("rolling", {}, 0, Hand::of(b), hand.center(b));
  roll.axis = {Hand::along(0, 2)};
  roll.surface = "sphere";
  roll.lengths = {0.5};
  const Solved solved(hand.m);
  const double a = 2.0 / (2.0 + 0.2 / 0.25);  // 2 N accelerate the mass and the rotation
  expect_near(solved.force_on(0, b), {2.0 * a - 2.0, 0, 20});
  expect_near(solved.force_on_ground(0), {2.0 - 2.0 * a, 0, -20});
  expect_near(solved.couple_on(0, b, {0, 0, -0.5}), {0, 0, 0});
}

TEST(MechanismOracle, FindsTheWholeForceOfAPinWithAStatedPart) {
  Hand hand;
  const int R = hand.turned_by("R", 0, hand.coordinate("a"), 2);
  const int x = hand.coordinate("x", 0.5), y = hand.coordinate("y");
  const int b = hand.body("b", R, 2.0, {0.1}, {{Affine{0.0, {{x, 1.0}}}, 0, 0}, {Affine{0.0, {{y, 1.0}}}, 0, 1}});
  const int P = hand.point("P", hand.center(b), {Hand::along(R, 0, -0.5)});
  hand.gravity({Hand::along(0, 1, -10.0)});
  Constraint pin;
  pin.name = "pin";
  pin.is_vector = true;
  pin.left = node::position(P, 0);
  pin.right = node::linear({});
  pin.along = {{Hand::along(0, 0)}, {Hand::along(0, 1)}};
  Action stated;
  stated.index = P;
  stated.has_from = true;
  stated.from = 0;
  stated.value = node::linear({Hand::along(0, 0, 3.0)});
  pin.nonideal.push_back(stated);
  hand.m.constraints.push_back(pin);
  const Solved solved(hand.m);
  expect_near(solved.force_on(0, b), {0, 10.0 / 3.0, 0});
  expect_near(solved.force_on_ground(0), {0, -10.0 / 3.0, 0});
  // Without the stated force of 3 N the reaction is the same, but the multiplier differs.
  expect_near(solved.oracle.wrench.block<3, 2>(solved.oracle.layout.body[0], 0) * solved.oracle.lambda,
              {-3, 10.0 / 3.0, 0});
  expect_near(solved.oracle.wrench.block<3, 2>(solved.oracle.layout.body[0], 0) * solved.oracle.lambda_ideal,
              {0, 10.0 / 3.0, 0});
}

TEST(MechanismOracle, FindsTheThrustOfAScrewOnTheGround) {
  Hand hand;
  const int z = hand.coordinate("z"), a = hand.coordinate("a");
  const int R = hand.turned_by("R", 0, a, 2);
  const int b = hand.body("b", R, 2.0, {0.3, 0.3, 0.3}, {{Affine{0.0, {{z, 1.0}}}, 0, 2}});
  hand.gravity({Hand::along(0, 2, -10.0)});
  Constraint& screw = hand.joint("screw", {}, 0, Hand::of(b), hand.center(b));
  screw.axis = {Hand::along(0, 2)};
  screw.number = 0.5;
  const Solved solved(hand.m);
  // Lead h per radian: (m h² + I) α = −m g h. The nut falls with z'' = h α.
  const double h = 0.5 / (2.0 * std::numbers::pi), alpha = -20.0 * h / (2.0 * h * h + 0.3);
  const double thrust = 2.0 * (h * alpha + 10.0);
  EXPECT_NEAR(solved.force_on(0, b)[2], thrust, 1e-11);
  EXPECT_NEAR(solved.moment_on(0, b)[2], -h * thrust, 1e-11);
  EXPECT_NEAR(solved.force_on_ground(0)[2], -thrust, 1e-11);
  // The transverse force is not unique, because the coordinates keep the nut on the line too.
  EXPECT_TRUE(solved.is_unique(0, solved.oracle.layout.body[0] + 2));
  EXPECT_FALSE(solved.is_unique(0, solved.oracle.layout.body[0]));
}

TEST(MechanismOracle, KnowsWhatTwoBallJointsShare) {
  Hand hand;
  const int R = hand.quaternion("R");
  const int b = hand.free_body("b", R, 3.0, {0.4, 0.5, 0.2}, {1, 0, 0});
  const int lower = hand.point("L", hand.center(b), {Hand::along(R, 0, -1.0), Hand::along(R, 2, -1.0)});
  const int upper = hand.point("U", hand.center(b), {Hand::along(R, 0, -1.0), Hand::along(R, 2, 1.0)});
  const int G = hand.point("G", 0, {Hand::along(0, 2, -1.0)}), H = hand.point("H", 0, {Hand::along(0, 2, 1.0)});
  hand.gravity({Hand::along(0, 2, -10.0)});
  hand.joint("spherical", {}, G, Hand::of(b), lower);
  hand.joint("spherical", Hand::of(b), upper, {}, H);
  const Solved solved(hand.m);
  const int body = solved.oracle.layout.body[0];
  // A door: 30 N at 1 m are balanced by two forces of 15 N at a distance of 2 m. The distribution of the weight is not
  // unique.
  for (int c = 0; c < 2; ++c) {
    EXPECT_TRUE(solved.is_unique(c, body));
    EXPECT_TRUE(solved.is_unique(c, body + 1));
    EXPECT_FALSE(solved.is_unique(c, body + 2));
    EXPECT_TRUE(solved.is_unique(c, Layout::kGroundForce));
    EXPECT_FALSE(solved.is_unique(c, Layout::kGroundForce + 2));
  }
  EXPECT_NEAR(solved.force_on(0, b)[0], 15.0, 1e-11);
  EXPECT_NEAR(solved.force_on(1, b)[0], -15.0, 1e-11);
  EXPECT_NEAR(solved.force_on_ground(1)[0], 15.0, 1e-11);
  EXPECT_NEAR(solved.force_on(0, b)[2] + solved.force_on(1, b)[2], 30.0, 1e-11);
}

TEST(MechanismOracle, RevealsTheHingeOfAPendulum) {
  Hand hand;
  // The body hangs down and swings through its lowest position.
  const int a = hand.coordinate("a", -std::numbers::pi / 2, 2.0);
  const int R = hand.turned_by("R", 0, a, 2), T = hand.turned("T", R, 0.4, 2);
  const int b = hand.body("b", T, 2.0, {0.3}, {Hand::along(R, 0, 0.5)});
  hand.gravity({Hand::along(0, 1, -10.0)});
  hand.m.reveals.push_back({"r", false, hand.center(b), {{Hand::along(0, 0)}, {Hand::along(0, 1)}}});
  hand.m.reveals.push_back({"t", true, b, {{Hand::along(0, 2)}}});
  const Solved solved(hand.m);
  EXPECT_NEAR(solved.oracle.reveals[0][0].value, 0.0, 1e-12);
  EXPECT_NEAR(solved.oracle.reveals[0][1].value, 2.0 * (10.0 + 0.5 * 4.0), 1e-12);
  EXPECT_NEAR(solved.oracle.reveals[1][0].value, 0.0, 1e-12);
}

TEST(MechanismOracle, GivesGearsTheRatioOfTheirTorques) {
  Hand hand;
  const int A = hand.turned_by("A", 0, hand.coordinate("a"), 2), B = hand.turned_by("B", 0, hand.coordinate("b"), 2);
  const int a = hand.body("wheel", A, 1.0, {0.2}, {});
  const int b = hand.body("pinion", B, 1.0, {0.3}, {Hand::along(0, 0, 1.5)});
  Load drive;
  drive.kind = Load::Kind::kTorque;
  drive.action.on = Action::On::kBody;
  drive.action.index = a;
  drive.action.value = node::linear({Hand::along(0, 2, 7.0)});
  hand.m.loads.push_back(drive);
  Constraint& gear = hand.joint("gear", Hand::of(a), hand.center(a), Hand::of(b), hand.center(b));
  gear.axis = {Hand::along(0, 2)};
  gear.number = 0.5;  // radii 1 and 0.5
  const Solved solved(hand.m);
  // The teeth exert the force F on the pinion: 0.2 α = 7 − F, 0.3 β = −0.5 F, α = −0.5 β.
  const double F = 7.0 * 0.3 / (0.3 + 0.2 * 0.25);
  expect_near(solved.force_on(0, b), {0, F, 0});
  EXPECT_NEAR(solved.moment_on(0, b)[2], -0.5 * F, 1e-11);
  EXPECT_NEAR(solved.moment_on(0, a)[2], -F, 1e-11);
}

TEST(MechanismOracle, GivesTheEffortsOfActuators) {
  Hand hand;
  const int x = hand.coordinate("x"), y = hand.coordinate("y", 0.0, 0.0);
  hand.m.points.push_back({.name = "p",
                           .kind = PointKind::kParticle,
                           .base = 0,
                           .offset = {{Affine{0.0, {{x, 1.0}}}, 0, 0}, {Affine{0.0, {{y, 1.0}}}, 0, 1}}});
  hand.m.particles.push_back({"p", 1, 2.0});
  hand.m.order.push_back({Item::Kind::kParticle, 0});
  hand.gravity({Hand::along(0, 1, -10.0)});
  Constraint level;
  level.name = "level";
  level.left = node::dot(node::position(1, 0), node::linear({Hand::along(0, 1)}));
  level.right = node::number(0.0);
  level.law = LawKind::kVia;
  Action force;
  force.index = 1;
  force.value = node::linear({Hand::along(0, 0, 3.0), Hand::along(0, 1, 4.0)});
  level.actuators = {force};
  hand.m.constraints.push_back(level);
  const Solved solved(hand.m);
  EXPECT_NEAR(solved.oracle.lambda[0], 5.0, 1e-12);  // the effort e satisfies 4 e = 20
  EXPECT_NEAR(solved.oracle.predicted[0], 7.5, 1e-12);
}

/// Compares the derivatives of Kinematics with differences of positions at neighboring instants.
TEST(MechanismOracle, HasTheDerivativesOfItsPlaces) {
  int compared = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const Mechanism m = random_mechanism(seed);
    const Structure s(m);
    std::vector<double> q, u, du;
    for (const Coordinate& c : m.coordinates) q.push_back(c.q);
    Chance chance(seed);
    for (std::size_t k = 0; k < s.speeds.size(); ++k) {
      u.push_back(chance.between(-1, 1));
      du.push_back(chance.between(-1, 1));
    }
    const Motion motion = motion_of(m, s, 0.3, q, u, du);
    const Kinematics here(m, s, motion);
    constexpr double h = 1e-3;
    const auto at = [&](double dt) {
      Motion moved;
      moved.t = Jet(0.3 + dt);
      for (const Jet& x : motion.q) moved.q.emplace_back(x.c[0].v + dt * x.c[1].v + 0.5 * dt * dt * x.c[2].v);
      return Kinematics(m, s, moved);
    };
    const Kinematics before2 = at(-2 * h), before = at(-h), after = at(h), after2 = at(2 * h);
    for (const Body& body : m.bodies) {
      for (int k = 0; k < 3; ++k) {
        const auto place = [&](const Kinematics& kin) { return kin.place(body.center)[k].value(); };
        const auto axis = [&](const Kinematics& kin) { return kin.R(body.frame)[(k + 1) % 3][k].value(); };
        const auto compare = [&](const Jet& has, const auto& f) {
          const double rate = (f(before2) - 8 * f(before) + 8 * f(after) - f(after2)) / (12 * h);
          const double second =
              (-f(before2) + 16 * f(before) - 30 * f(here) + 16 * f(after) - f(after2)) / (12 * h * h);
          EXPECT_NEAR(has.c[1].v, rate, 1e-8) << seed;
          EXPECT_NEAR(has.c[2].v, second, 1e-6) << seed;
          ++compared;
        };
        compare(here.place(body.center)[k], place);
        compare(here.R(body.frame)[(k + 1) % 3][k], axis);
      }
    }
  }
  EXPECT_GT(compared, 300);
}

// Wrong reports that the oracle must find.

struct Wrong {
  std::string name;
  /// Introduces the error into the reading. \returns false if the reading contains nothing to which the error applies.
  std::function<bool(const Oracle&, Reading&)> make;
};

bool is_all_unique(const Answer& answer) { return std::ranges::count(answer.is_unique, 0) == 0; }
bool is_all_unique(const Exerted& one) {
  return flag_of(one.is_unique, 0) && flag_of(one.is_unique, 1) && flag_of(one.is_unique, 2);
}
double size_of(const std::array<double, 3>& v) { return std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }

/// Applies `change` to an output that the motion determines.
bool change_answer(const Oracle& oracle, Reading& reading, Asked::What what,
                   const std::function<void(Answer&)>& change) {
  for (Answer& answer : reading.answers) {
    if (answer.asked.what != what || !is_all_unique(answer) || !expected_answer(oracle, reading, answer.asked))
      continue;
    double size = 0.0;
    for (const double x : answer.values) size = std::max(size, std::abs(x));
    if (size < 0.1) continue;
    change(answer);
    return true;
  }
  return false;
}

/// Inverts a uniqueness flag in the first output of this kind: that of the last entry whose uniqueness is clear.
bool flag_answer(const Oracle& oracle, Reading& reading, Asked::What what) {
  for (Answer& answer : reading.answers) {
    if (answer.asked.what != what || !is_all_unique(answer)) continue;
    const auto expected = expected_answer(oracle, reading, answer.asked);
    if (!expected) continue;
    for (std::size_t k = answer.is_unique.size(); k-- > 0;) {
      const Vector& gradient = expected->gradients[k];
      const bool is_of_group = !expected->groups.empty();
      if (!oracle.is_unique(gradient) || (!is_of_group && is_flag_open(oracle, reading, gradient))) continue;
      answer.is_unique[k] = 0;
      return true;
    }
  }
  return false;
}

std::vector<Wrong> wrong_reports() {
  using What = Asked::What;
  std::vector<Wrong> all;
  const auto of_points = [&](const std::string& name, const std::function<void(Exerted&)>& change) {
    all.push_back({name, [change](const Oracle&, Reading& reading) {
                     for (Exerted& one : reading.forces.on_points) {
                       if (size_of(one.value) < 0.1 || !is_all_unique(one)) continue;
                       change(one);
                       return true;
                     }
                     return false;
                   }});
  };
  of_points("a force with the other sign", [](Exerted& one) {
    for (double& x : one.value) x = -x;
  });
  of_points("a force larger by a millionth", [](Exerted& one) {
    for (double& x : one.value) x *= 1.0 + 1e-6;
  });
  of_points("a force of nothing", [](Exerted& one) { one.value = {}; });
  of_points("a force with exchanged measure numbers",
            [](Exerted& one) { one.value = {one.value[1], one.value[2], one.value[0] + 0.5}; });
  all.push_back({"a force that is not listed", [](const Oracle& oracle, Reading& reading) {
                   const Mechanism& m = oracle.mechanism();
                   for (std::size_t i = 0; i < reading.forces.on_points.size(); ++i) {
                     const Exerted& one = reading.forces.on_points[i];
                     if (size_of(one.value) < 0.1 || !is_all_unique(one)) continue;
                     // Forces on the ground are read from outputs.
                     const auto is_of_body = [&](std::size_t p) {
                       return m.points[p].name == one.on && oracle.structure().carrier_of[p] >= 0;
                     };
                     bool is_one = false;
                     for (std::size_t p = 0; p < m.points.size(); ++p) is_one = is_one || is_of_body(p);
                     if (!is_one) continue;
                     reading.forces.on_points.erase(reading.forces.on_points.begin() + static_cast<long>(i));
                     return true;
                   }
                   return false;
                 }});
  all.push_back({"forces of two bodies exchanged", [](const Oracle&, Reading& reading) {
                   auto& forces = reading.forces.on_points;
                   for (std::size_t i = 0; i + 1 < forces.size(); ++i) {
                     if (forces[i].constraint != forces[i + 1].constraint || size_of(forces[i].value) < 0.1) continue;
                     std::swap(forces[i].value, forces[i + 1].value);
                     return true;
                   }
                   return false;
                 }});
  all.push_back({"a couple of nothing", [](const Oracle&, Reading& reading) {
                   for (Exerted& one : reading.forces.on_bodies) {
                     if (size_of(one.value) < 0.1 || !is_all_unique(one)) continue;
                     one.value = {};
                     return true;
                   }
                   return false;
                 }});
  all.push_back({"accelerations off by a millionth", [](const Oracle&, Reading& reading) {
                   if (reading.state.du.empty()) return false;
                   reading.state.du[0] += 1e-6 * (1.0 + std::abs(reading.state.du[0]));
                   return true;
                 }});
  all.push_back({"a formulation off by a millionth", [](const Oracle&, Reading& reading) {
                   if (reading.u_dot["minimal"].empty()) return false;
                   double size = 1.0;
                   for (const double x : reading.state.du) size = std::max(size, std::abs(x));
                   reading.u_dot["minimal"].back() += 1e-6 * size;
                   return true;
                 }});
  const std::vector<std::pair<std::string, What>> outputs = {{"force", What::kForce},
                                                             {"force along a direction", What::kForceAlong},
                                                             {"resultant", What::kResultant},
                                                             {"torque", What::kTorque},
                                                             {"torque along a direction", What::kTorqueAlong},
                                                             {"multiplier", What::kMultiplier},
                                                             {"effort", What::kEffort},
                                                             {"generalized force", What::kGeneralized},
                                                             {"reveal", What::kReveal},
                                                             {"ideal force", What::kIdealForce},
                                                             {"nonideal force", What::kNonidealForce},
                                                             {"reaction", What::kReaction},
                                                             {"force on the ground", What::kGroundForce}};
  for (const auto& [name, what] : outputs) {
    all.push_back({"output " + name + " half as large again", [what](const Oracle& oracle, Reading& reading) {
                     return change_answer(oracle, reading, what, [](Answer& a) {
                       for (double& x : a.values) x *= 1.5;
                     });
                   }});
    all.push_back({"output " + name + " flagged", [what](const Oracle& oracle, Reading& reading) {
                     if (what == What::kNonidealForce) return false;
                     return flag_answer(oracle, reading, what);
                   }});
    all.push_back({"output " + name + " not flagged", [what](const Oracle& oracle, Reading& reading) {
                     if (what == What::kNonidealForce) return false;
                     for (Answer& answer : reading.answers) {
                       if (answer.asked.what != what || is_all_unique(answer) ||
                           !expected_answer(oracle, reading, answer.asked))
                         continue;
                       answer.is_unique.assign(answer.is_unique.size(), 1);
                       return true;
                     }
                     return false;
                   }});
  }
  return all;
}

bool is_judged(const Mechanism& m, const Reading& reading, const Verdict& verdict) {
  return reading.has_motion() && verdict.refused.empty() && verdict.findings.empty() && verdict.is_clear &&
         !m.constraints.empty();
}

TEST(MechanismOracle, SeesWrongReportsOfEachKind) {
  const std::vector<Wrong> all = wrong_reports();
  std::vector<int> made(all.size(), 0), seen(all.size(), 0);
  int mechanisms = 0;
  for (std::uint64_t seed = 1; seed < 4000 && mechanisms < 250; ++seed) {
    const Mechanism m = random_mechanism(seed);
    const Structure s(m);
    const Reading right = read(m, s);
    if (!is_judged(m, right, judge(m, s, right))) continue;
    ++mechanisms;
    const Oracle oracle(m, s, right.state);
    for (std::size_t i = 0; i < all.size(); ++i) {
      Reading wrong = right;
      if (!all[i].make(oracle, wrong)) continue;
      ++made[i];
      const bool is_seen = !judge(m, s, wrong).findings.empty();
      seen[i] += is_seen ? 1 : 0;
      if (!is_seen)
        std::printf("not seen, seed %llu: %s\n", static_cast<unsigned long long>(seed), all[i].name.c_str());
    }
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    std::printf("%4d of %4d  %s\n", seen[i], made[i], all[i].name.c_str());
    EXPECT_EQ(seen[i], made[i]) << all[i].name;
  }
}

}  // namespace mechanism_oracle_test
}  // namespace vinculum::mechanisms
