// Tests that invariants are found, and that a quantity that is not constant is listed with the reason.
#include "vinculum/verify/invariants/invariants.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/motion/test_models.hpp"
#include "vinculum/model/evaluate.hpp"
#include "vinculum/model/inspect/inspection.hpp"

namespace vinculum::sim {
namespace {

using model::ModelBuilder;
using testing::Sketch;

Invariants of(Sketch s) {
  const auto bound = s.try_compile();
  if (!bound) throw std::runtime_error(bound.error().message);
  return find_invariants(**bound);
}

std::vector<std::string> names(const Invariants& invariants) {
  std::vector<std::string> all;
  for (const Invariant& one : invariants.found) all.push_back(one.name);
  return all;
}
std::string why_not(const Invariants& invariants, const std::string& name) {
  const auto found = std::ranges::find(invariants.missed, name, &NotInvariant::name);
  return found == invariants.missed.end() ? "" : found->why;
}

using Names = std::vector<std::string>;

TEST(Invariants, OfAFreeParticleAreEnergyMomentumAndAngularMomentum) {
  Sketch s("free");
  s.particle("p", 2.0, 3);
  s.start_all({0.1, 0.2, 0.3}, {1.0, 0.5, 0.2});
  EXPECT_EQ(names(of(std::move(s))),
            (Names{"energy", "momentum(px)", "momentum(py)", "momentum(pz)",
                   "angular momentum of the whole about O along N.x", "angular momentum of the whole about O along N.y",
                   "angular momentum of the whole about O along N.z"}));
}

TEST(Invariants, OfAFallAreThoseAcrossIt) {
  Sketch s("fall");
  s.particle("p", 2.0, 3);
  s.builder.add_gravity(s.number(-9.81) * s.axis(2));
  const Invariants found = of(std::move(s));
  EXPECT_EQ(names(found),
            (Names{"energy", "momentum(px)", "momentum(py)", "angular momentum of the whole about O along N.z"}));
  EXPECT_EQ(why_not(found, "momentum(pz)"), "gravity acts along pz");
}

TEST(Invariants, OfTwoTiedParticlesAreThoseOfTheWhole) {
  Sketch s("tied");
  const auto P = s.particle("a", 1.0, 2), Q = s.particle("b", 3.0, 2);
  s.builder.add_constraint("rod", s.square(s.builder.pos(P, Q)) - 1.0);
  s.builder.add_spring(P, Q, s.number(2.0), s.number(0.3));
  s.start_all({0.0, 0.0, 1.0, 0.0}, {0.1, 0.2, 0.1, 0.5}, model::StartKind::kGuess);
  const Invariants found = of(std::move(s));
  EXPECT_EQ(names(found), (Names{"energy", "momentum of the whole along N.x", "momentum of the whole along N.y",
                                 "angular momentum of the whole about O along N.z"}));
  EXPECT_NE(why_not(found, "momentum(ax)").find("the reaction of rod acts along ax"), std::string::npos);
}

/// The reaction on the driven body is 0 except at a jump of the prescribed speed, where it is an impulse.
TEST(Invariants, DoNotHoldTheMomentumOfWhatIsLedAtSpeedsThatJump) {
  for (const bool jumps : {true, false}) {
    Sketch s("led");
    s.particle("p", 2.0, 2);
    const auto later = s.builder.time() - s.number(100.0);
    const auto way = jumps ? s.builder.terms().function(expr::Op::kMaximum, later, s.number(0.0)) : later;
    s.builder.add_constraint("led", s.builder.q(s.coordinates[0]) - s.number(0.5) * way);
    s.start_all({0.0, 0.0}, {0.0, 1.0}, model::StartKind::kGuess);
    const Invariants found = of(std::move(s));
    const Names all = names(found);
    EXPECT_EQ(std::ranges::find(all, "momentum(px)") == all.end(), jumps);
    EXPECT_NE(std::ranges::find(all, "momentum(py)"), all.end());
    EXPECT_EQ(std::ranges::find(all, "momentum of the whole along N.x"), all.end());
    const bool blames_led = why_not(found, "momentum(px)").find("the reaction of led acts along px elsewhere") == 0;
    EXPECT_EQ(blames_led, jumps);
  }
}

/// A bead on a line that turns at a prescribed rate. Its energy E is not constant, but q'·∂L/∂q' − L is, with L the
/// Lagrangian.
Sketch bead_on_turning_line() {
  Sketch s("turning");
  const auto r = s.coordinate("r");
  const auto A = s.builder.add_rotated_frame("A", Sketch::frame(), 2.0 * s.builder.time(), 2);
  s.builder.add_particle("p", s.number(1.0), s.origin, s.builder.q(r) * s.builder.axis(A, 0));
  s.start_all({1.0}, {0.3});
  return s;
}

TEST(Invariants, OfRheonomicCoordinatesAreTheHamiltonianNotTheEnergy) {
  const Invariants found = of(bead_on_turning_line());
  EXPECT_EQ(names(found), (Names{"hamiltonian"}));
  EXPECT_EQ(why_not(found, "energy"), "points that move with the time do work");
}

TEST(Invariants, OfAMotionSeenFromASteadilyMovingFrameKeepTheEnergy) {
  // The position x = q + 3 t depends on time, so the kinetic energy depends on q' + 3. But the motion is free.
  Sketch s("train");
  const auto q = s.coordinate("q");
  s.builder.add_particle("p", s.number(1.0), s.origin, (s.builder.q(q) + 3.0 * s.builder.time()) * s.axis(0));
  s.start_all({1.0}, {0.3});
  const Names found = names(of(std::move(s)));
  EXPECT_NE(std::ranges::find(found, "hamiltonian"), found.end());
  EXPECT_NE(std::ranges::find(found, "momentum(q)"), found.end());
}

TEST(Invariants, OfQuasiSpeedsAreMomentaOfCoordinates) {
  // Polar coordinates, with the speeds r' and r phi'.
  Sketch s("polar");
  ModelBuilder& b = s.builder;
  const auto r = s.coordinate("r"), phi = s.coordinate("phi");
  const auto A = b.add_rotated_frame("A", Sketch::frame(), b.q(phi), 2);
  b.add_speed("v", b.q_dot(r));
  b.add_speed("w", b.q(r) * b.q_dot(phi));
  const auto P = b.point_of(b.add_particle("p", s.number(1.5), s.origin, b.q(r) * b.axis(A, 0)));
  b.add_spring(P, s.origin, s.number(2.0), s.number(0.4));
  s.start(r, 1.0);
  s.start_rate(r, 0.2);
  s.start_rate(phi, 0.7);
  const auto bound = *s.try_compile();
  const Invariants found = find_invariants(*bound);
  EXPECT_EQ(names(found), (Names{"energy", "momentum(phi)"}));
  // The momentum is m r² phi'.
  model::Instant at;
  at.q = {1.2, 0.3};
  at.q_dot = {0.5, 0.8};
  at.q_ddot = {0.0, 0.0};
  auto terms = model::TermValues(*bound->compiled->model, at);
  EXPECT_NEAR(terms.scalar(found.found[1].value).value, 1.5 * 1.2 * 1.2 * 0.8, 1e-9);
}

TEST(Invariants, OfLoadsThatBalanceEachOtherAreFound) {
  Sketch s("balanced");
  const auto P = s.particle("p", 1.0, 1);
  s.builder.add_force(P, s.number(0.7) * s.axis(0));
  s.builder.add_force(P, s.number(-0.7) * s.axis(0));
  const Names found = names(of(std::move(s)));
  EXPECT_EQ(found, (Names{"energy", "momentum(px)"}));
}

}  // namespace
}  // namespace vinculum::sim
