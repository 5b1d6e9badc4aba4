#include <gtest/gtest.h>

#include "support/base/count_allocations.hpp"
#include "support/motion/test_models.hpp"
#include "vinculum/hybrid/friction_state.hpp"
#include "vinculum/hybrid/look.hpp"
#include "vinculum/model/inspect/inspection.hpp"
#include "vinculum/motion/equations_of.hpp"
#include "vinculum/reaction_laws/laws.hpp"

namespace vinculum::sim {
namespace {

using model::StartCondition;
using model::StartKind;
using model::Term;

/// Counts the memory allocations in one call each of derivative, projection, gradients and report at a state. Each
/// function has been called once before.
long allocations_of(Dynamics& dynamics, Vector y) {
  const double t = 0.0;
  Vector y_dot(y.size()), residual;
  numeric::SparseRows A;
  Sample sample;
  const Vector off = y.array() + 1e-5;
  const auto round = [&] {
    bool good = static_cast<bool>(dynamics.derivative(t, off.data(), y_dot.data()));
    y = off;
    good = good && dynamics.project(t, y.data());
    EquationsOf(dynamics).gradients(dynamics.mode(), t, y.data(), A, residual);
    return good && dynamics.report(t, y.data(), sample);
  };
  EXPECT_TRUE(round());
  const long before = allocations;
  EXPECT_TRUE(round());
  return allocations - before;
}

Vector start_of(Dynamics& dynamics) {
  const auto start = assemble(dynamics);
  Vector y(start->q.size() + start->u.size() + start->z.size());
  y << start->q, start->u, start->z;
  return y;
}

TEST(HotPath, AllocatesNothingByGeneratedCode) {
#ifndef VINCULUM_COUNTS_ALLOCATIONS
  GTEST_SKIP() << "malloc cannot be replaced here";
#endif
  // Checks that allocations are counted: this string needs at least one.
  ASSERT_GT(std::string(1000, 'x').size() + static_cast<std::size_t>(allocations), 1000u);
  auto dynamics = testing::double_pendulum(1, 0.7).dynamics();
  const Vector y = start_of(dynamics);
  EXPECT_EQ(allocations_of(dynamics, y), 0);
  EXPECT_EQ(dynamics.mode().counts.fallbacks, 0);
}

TEST(HotPath, AllocatesNothingByPivots) {
#ifndef VINCULUM_COUNTS_ALLOCATIONS
  GTEST_SKIP() << "malloc cannot be replaced here";
#endif
  auto dynamics = testing::four_bar(1e-6, 3.0).dynamics();  // almost flat, so the guards refuse generated code
  const Vector y = start_of(dynamics);
  EXPECT_EQ(allocations_of(dynamics, y), 0);
  EXPECT_GT(dynamics.mode().counts.fallbacks, 0);
}

TEST(HotPath, AllocatesNothingWhereInvariantsAreKept) {
#ifndef VINCULUM_COUNTS_ALLOCATIONS
  GTEST_SKIP() << "malloc cannot be replaced here";
#endif
  auto sketch = testing::double_pendulum(1, 0.7);
  auto& model = sketch.builder.model();
  model.conserved.push_back({model::Conserved::What::kEnergy, model::total_energy(model), {}, {}, "energy", {}});
  auto dynamics = sketch.dynamics();
  const Vector y = start_of(dynamics);
  for (const auto formulation :
       {equations::Formulation::kExplicit, equations::Formulation::kAugmented, equations::Formulation::kMinimal}) {
    dynamics.set_formulation(formulation);
    Mode mode = dynamics.mode();
    dynamics.keep_levels(mode, 0.0, y);
    dynamics.set_mode(std::move(mode));
    EXPECT_EQ(allocations_of(dynamics, y), 0) << static_cast<int>(formulation);
  }
}

TEST(HotPath, AllocatesNothingInOtherFormulations) {
#ifndef VINCULUM_COUNTS_ALLOCATIONS
  GTEST_SKIP() << "malloc cannot be replaced here";
#endif
  for (const auto formulation : {equations::Formulation::kAugmented, equations::Formulation::kMinimal}) {
    auto dynamics = testing::double_pendulum(1, 0.7).dynamics();
    const Vector y = start_of(dynamics);
    dynamics.set_formulation(formulation);
    EXPECT_EQ(allocations_of(dynamics, y), 0) << to_string(formulation);
  }
}

TEST(HotPath, AllocatesNothingWhereFrictionTakesTheActualReaction) {
#ifndef VINCULUM_COUNTS_ALLOCATIONS
  GTEST_SKIP() << "malloc cannot be replaced here";
#endif
  testing::Sketch s("hoop");
  const auto bead = s.particle("p", 1.0, 2);
  const auto hoop = s.builder.add_constraint("hoop", s.square(s.from_origin(bead)) - s.number(1.0));
  model::TermPool& pool = s.builder.terms();
  const auto R = model::reaction(s.builder.model(), hoop, bead);
  s.builder.add_nonideal_force(hoop, bead, -(0.2 * pool.norm(R) * pool.unit(s.builder.vel(bead))));
  s.start_all({1.0, 0.0}, {0.0, 2.0});
  auto dynamics = s.dynamics();
  EXPECT_EQ(allocations_of(dynamics, start_of(dynamics)), 0);
}

TEST(HotPath, AllocatesNothingWhereFrictionSticks) {
#ifndef VINCULUM_COUNTS_ALLOCATIONS
  GTEST_SKIP() << "malloc cannot be replaced here";
#endif
  testing::Sketch s("floor");
  const auto block = s.particle("p", 1.0, 3);
  s.builder.add_gravity(s.number(-9.81) * s.axis(2));
  const auto floor = s.builder.add_constraint("floor", s.dot(s.from_origin(block), s.axis(2)));
  model::TermPool& pool = s.builder.terms();
  const auto R = model::reaction(s.builder.model(), floor, block);
  s.builder.add_nonideal_force(floor, block, -(0.2 * pool.norm(R) * pool.unit(s.builder.vel(block))));
  s.builder.add_force(block, 0.3 * s.axis(0));
  s.start_all({0.0, 0.0, 0.0}, {0.0, 0.0, 0.0});
  auto dynamics = s.dynamics();
  Vector y = start_of(dynamics);
  ASSERT_TRUE(settle_friction(dynamics, 0.0, y.data()));
  ASSERT_EQ(dynamics.mode().friction.sticks, std::vector<char>{1});
  Vector y_dot(y.size());
  const Vector off = y.array() + 1e-5;
  const auto round = [&] {
    const bool good = static_cast<bool>(dynamics.derivative(0.0, off.data(), y_dot.data()));
    y = off;
    return good && dynamics.project(0.0, y.data());
  };
  EXPECT_TRUE(round());
  const long before = allocations;
  EXPECT_TRUE(round());
  EXPECT_EQ(allocations - before, 0);
  EXPECT_LT(y.tail(3).norm(), 1e-15);
}

TEST(HotPath, AllocatesNothingOnABranchOfAccelerations) {
#ifndef VINCULUM_COUNTS_ALLOCATIONS
  GTEST_SKIP() << "malloc cannot be replaced here";
#endif
  testing::Sketch s("size");
  const auto P = s.particle("p", 1.0, 2);
  s.builder.add_gravity(s.number(-9.81) * s.axis(1));
  s.builder.add_constraint("size", s.square(s.builder.acc(P)) - s.number(4.0));
  s.start_all({1.0, 0.0}, {0.0, 2.0});
  auto dynamics = s.dynamics();
  EXPECT_EQ(allocations_of(dynamics, start_of(dynamics)), 0);
}

TEST(HotPath, AllocatesNothingWhereConstraintsAreOfHigherOrder) {
#ifndef VINCULUM_COUNTS_ALLOCATIONS
  GTEST_SKIP() << "malloc cannot be replaced here";
#endif
  testing::Sketch s("size");
  const auto P = s.particle("p", 1.0, 2);
  const auto size = s.builder.add_constraint("size", s.square(s.builder.acc(P)) - s.number(4.0));
  const Term mu = s.number(0.7);
  reaction_laws::set_vakonomic(s.builder, size, {&mu, 1});
  s.start_all({1.0, 0.0}, {0.0, 2.0});
  s.builder.add_start({StartCondition::On::kHigherRate, 0, StartKind::kHeld, s.number(2.0), {}, 2});
  auto dynamics = s.dynamics();
  EXPECT_EQ(allocations_of(dynamics, start_of(dynamics)), 0);
}

/// A particle on a spring with two forces whose changes a step could miss: the force of a wall that is never reached,
/// and a steep function of x, for which the enclosure check divides the step.
testing::Sketch watched() {
  testing::Sketch s("watched");
  const auto P = s.particle("p", 1.0, 2);
  const Term x = s.builder.q(s.coordinates[0]);
  const auto apply = [&](expr::Op op, Term a, Term b = {}) { return s.builder.terms().function(op, a, b); };
  const Term pressed = apply(expr::Op::kMaximum, x - s.number(1.01), s.number(0.0));
  const Term drag = apply(expr::Op::kHyperbolicTangent, x * s.number(3.0));
  s.builder.add_force(P, s.number(-1.0) * s.from_origin(P) - (s.number(100.0) * pressed + drag) * s.axis(0));
  s.start_all({1.0, 0.3}, {0.0, 0.2});
  return s;
}

/// Counts over all enclosure checks along the motion from its start.
struct Looks {
  long allocations = 0, closer = 0, not_quiet = 0, steps = 0;
};
Looks look_along(Dynamics& dynamics, Look& look) {
  const auto start = assemble(dynamics);
  Vector y(start->q.size() + start->u.size());
  y << start->q, start->u;
  look.take(look.sides_at(0.0, y));
  Mode mode = dynamics.mode();
  set_sides(mode, dynamics.binding(), look.sides());
  dynamics.set_mode(std::move(mode));
  integrate::Problem problem;
  problem.size = static_cast<int>(y.size());
  problem.derivative = [&](double t, const double* state, double* rate) { return dynamics.derivative(t, state, rate); };
  problem.look = [&](double t, const double* state, double* rate) {
    return dynamics.derivative(dynamics.mode(), t, state, rate);
  };
  integrate::Options options;
  options.tolerance = 1e-8;
  Looks all;
  const long closer_before = look.closer();
  double t = 0.0;
  const auto done = integrate::integrate(problem, options, t, y, 6.0, [&](const integrate::Step& step) {
    const long before = allocations;
    const Seen seen = look.into(step);
    all.allocations += allocations - before;
    all.not_quiet += seen.what != Seen::What::kQuiet ? 1 : 0;
    ++all.steps;
    return Outcome<integrate::Continue>(integrate::Continue::kYes);
  });
  EXPECT_TRUE(done);
  all.closer = look.closer() - closer_before;
  return all;
}

TEST(LookAllocation, IsNoneWhereNothingIsFound) {
#ifndef VINCULUM_COUNTS_ALLOCATIONS
  GTEST_SKIP() << "malloc cannot be replaced here";
#endif
  auto dynamics = watched().dynamics();
  Vector scale = Vector::Ones(4);
  dynamics.set_scale(scale, 1e-8);
  Regions regions(dynamics, 1.0);
  Look look({dynamics, dynamics.mode(), 1e-8, 1.0}, regions);
  const Looks first = look_along(dynamics, look), again = look_along(dynamics, look);
  EXPECT_GT(first.allocations, 0);  // the workspace is allocated in the first round
  EXPECT_GT(again.closer, 0);
  EXPECT_EQ(again.not_quiet, 0);
  EXPECT_EQ(again.allocations, 0);
}

}  // namespace
}  // namespace vinculum::sim
