#include "vinculum/compare/compare.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>

#include "support/motion/test_models.hpp"
#include "vinculum/reaction_laws/laws.hpp"

// Tests that comparisons of laws agree with the closed forms of theory.md §6.8.
namespace vinculum::compare {
namespace {

using namespace sim;
using namespace sim::testing;

using model::ConstraintId;
using SetLaw = std::function<void(Sketch&, ConstraintId)>;
using Build = std::function<Sketch(const SetLaw&)>;

void ideal(Sketch&, ConstraintId) {}

SetLaw vakonomic(double mu, double c = 0.0) {
  return [mu, c](Sketch& s, ConstraintId id) {
    const std::vector<Term> starts{s.number(mu)};
    reaction_laws::set_vakonomic(s.builder, id, starts, c > 0.0 ? s.number(c) : Term{});
  };
}

/// A penalty law as a function of its parameter: reaction_laws::stiff, viscous or inertial.
using Realisation = reaction_laws::LawPtr (*)(Term kappa);
SetLaw realised(Realisation by, double kappa) {
  return [by, kappa](Sketch& s, ConstraintId id) { s.builder.set_law(id, by(s.number(kappa))); };
}

Variant variant(const std::string& name, const Build& build, const SetLaw& law, double duration,
                double tolerance = 1e-12) {
  Sketch sketch = build(law);
  auto bound = sketch.try_compile();
  if (!bound) throw std::runtime_error(bound.error().message);
  Variant result{name, *bound, run_for(duration, tolerance), {}, {}, {}};
  result.options.output_step = duration / 400.0;
  return result;
}

/// A free unit mass in the plane with the constraint x' = t y', from x = y = 0 and y' = 1. Closed forms exist under
/// both the ideal and the vakonomic law.
Sketch rheonomic(const SetLaw& law) {
  Sketch s("rheonomic");
  const auto P = s.particle("p", 1.0, 2);
  (void)P;
  const auto x = s.coordinates[0], y = s.coordinates[1];
  law(s, s.builder.add_constraint("row", s.builder.q_dot(x) - s.builder.time() * s.builder.q_dot(y)));
  s.start_all({0.0, 0.0}, {0.0, 1.0}, StartKind::kGuess);
  return s;
}

/// A unit mass with the force 1 along x that moves along y with y' = 1. Its constraint is x' = 0 if `at_velocity`,
/// otherwise x = 0.
Build pushed(bool at_velocity) {
  return [at_velocity](const SetLaw& law) {
    Sketch s("pushed");
    const auto P = s.particle("p", 1.0, 2);
    const auto x = s.coordinates[0];
    s.builder.add_force(P, s.axis(0));
    law(s, s.builder.add_constraint("row", at_velocity ? s.builder.q_dot(x) : s.builder.q(x)));
    s.start_all({0.0, 0.0}, {0.0, 1.0}, StartKind::kGuess);
    return s;
  };
}

Ladder ladder(const std::string& parameter, const std::vector<double>& values) {
  Ladder result{parameter, {}, values};
  for (std::size_t i = 0; i < values.size(); ++i) result.variants.push_back(i + 1);
  return result;
}

Comparison climbed(const Build& build, const SetLaw& reference, const std::function<SetLaw(double)>& rung,
                   const std::string& parameter, const std::vector<double>& values, double duration) {
  std::vector<Variant> variants{variant("reference", build, reference, duration)};
  for (const double value : values)
    variants.push_back(variant(parameter + std::to_string(value), build, rung(value), duration));
  CompareOptions options;
  options.ladders.push_back(ladder(parameter, values));
  return compare(variants, options);
}

TEST(Compare, FindsHowFarTwoLawsPart) {
  const Comparison c =
      compare({variant("ideal", rheonomic, ideal, 1.0), variant("vakonomic", rheonomic, vakonomic(0.0), 1.0)});
  ASSERT_EQ(c.times.size(), 401U);
  const Compared& other = c.variants[1];
  ASSERT_EQ(c.quantities[0].name, "px");
  EXPECT_NEAR(other.quantities[0].end, std::sqrt(2.0) - 1.0 - 0.5 * std::log(2.0), 1e-10);
  EXPECT_NEAR(other.quantities[1].end, std::asinh(1.0) - std::numbers::pi / 4.0, 1e-10);
  EXPECT_NEAR(c.quantities[0].scale, std::asinh(1.0), 1e-10);  // the larger of x and y, which have the same dimension
  const Parting& coordinates = other.groups[static_cast<std::size_t>(Group::kCoordinates)];
  EXPECT_NEAR(coordinates.largest, (std::asinh(1.0) - std::numbers::pi / 4.0) / std::asinh(1.0), 1e-10);
  EXPECT_EQ(coordinates.t, 1.0);
  EXPECT_EQ(c.variants[0].groups[0].largest, 0.0);
}

// Along the ideal motion, mu = -atan(t)/sqrt(1 + t^2). The residual of the vakonomic equations is atan(t)/(1 + t^2).
TEST(LawResidual, OfTheVakonomicLawAlongTheIdealMotionFollowsTheClosedForm) {
  const Comparison c =
      compare({variant("ideal", rheonomic, ideal, 1.0), variant("vakonomic", rheonomic, vakonomic(0.0), 1.0)});
  double left = 0.0, size = 0.0;
  for (int k = 0; k <= 400; ++k) {
    const double t = k / 400.0, w = 1.0 + t * t, mu = std::atan(t) / std::sqrt(w), cube = std::pow(w, -1.5);
    left = std::max(left, std::atan(t) / w);
    size = std::max(size, std::hypot(cube, t * cube + mu));
  }
  const LawResidual& residual = c.residuals[1][0];
  ASSERT_TRUE(residual.is_computed) << residual.reason;
  EXPECT_NEAR(residual.equations, left / size, 1e-5);
  EXPECT_NEAR(residual.t_equations, 0.7654, 5e-3);  // maximum of atan(t)/(1 + t^2): 2 t atan(t) = 1
  EXPECT_LT(residual.rows, 1e-13);
  EXPECT_EQ(residual.t_end, 1.0);
}

// Along the vakonomic motion, the residual of the equations under the ideal law is (t x'' + y'')/sqrt(1 + t^2).
TEST(LawResidual, OfTheIdealLawAlongTheVakonomicMotionIsWhatMuExerts) {
  const Comparison c =
      compare({variant("ideal", rheonomic, ideal, 1.0), variant("vakonomic", rheonomic, vakonomic(0.0), 1.0)});
  // The vakonomic motion has x' = t/(1 + t^2), y' = 1/(1 + t^2) and mu = -t/(1 + t^2).
  double left = 0.0, size = 0.0;
  for (int k = 0; k <= 4000; ++k) {
    const double t = k / 4000.0, w = 1.0 + t * t, x2 = (1.0 - t * t) / (w * w), y2 = -2.0 * t / (w * w);
    left = std::max(left, std::fabs(t * x2 + y2) / std::sqrt(w));
    size = std::max(size, std::hypot(x2, y2));
  }
  EXPECT_NEAR(c.residuals[0][1].equations, left / size, 1e-5);
}

TEST(LawResidual, VanishesAlongTheLawsOwnMotion) {
  const Comparison c = compare(
      {variant("ideal", rheonomic, ideal, 1.0), variant("vakonomic", rheonomic, vakonomic(0.3), 1.0),
       variant("kozlov", rheonomic, vakonomic(0.3, 5.0), 1.0), variant("fast", rheonomic, vakonomic(0.3, 2e3), 1.0),
       variant("viscous", rheonomic, realised(reaction_laws::viscous, 20.0), 1.0)});
  EXPECT_LT(c.residuals[0][0].equations, 1e-14);
  EXPECT_LT(c.residuals[1][1].equations, 1e-7);  // mu is integrated with states interpolated between steps
  EXPECT_LT(c.residuals[2][2].equations, 1e-7);
  EXPECT_LT(c.residuals[3][3].equations, 1e-5);
  EXPECT_LT(c.residuals[4][4].equations, 1e-14);
  EXPECT_GT(c.residuals[0][4].rows, 1e-3);  // the penalty law `viscous` does not enforce the row exactly
  EXPECT_GT(c.residuals[1][2].equations, 1e-2);
}

/// A unit mass on a floor, pushed with 5 N, from x' = 1. With `has_friction`, friction of 0.2 N acts on it.
Sketch on_floor(bool has_friction) {
  Sketch s("floor");
  const auto P = s.particle("p", 1.0, 2);
  s.builder.add_gravity(s.number(-9.81) * s.axis(1));
  s.builder.add_force(P, s.number(5.0) * s.axis(0));
  const ConstraintId contact = s.builder.add_constraint("contact", s.builder.q(s.coordinates[1]));
  if (has_friction) {
    model::TermPool& pool = s.builder.terms();
    const Term reaction = s.builder.terms().multiplier(contact, 0);
    s.builder.add_nonideal_force(
        contact, P, -(s.number(0.2) * pool.function(expr::Op::kAbsolute, reaction) * pool.unit(s.builder.vel(P))));
  }
  s.start_all({0.0, 0.0}, {1.0, 0.0});
  return s;
}

TEST(LawResidual, OfFrictionWithTheActualReactionIsTheFrictionThatIsMissing) {
  const Build frictionless = [](const SetLaw&) { return on_floor(false); };
  const Build with_friction = [](const SetLaw&) { return on_floor(true); };
  const Comparison c =
      compare({variant("ideal", frictionless, ideal, 1.0), variant("friction", with_friction, ideal, 1.0)});
  const double friction = 0.2 * 9.81;
  ASSERT_TRUE(c.residuals[1][0].is_computed) << c.residuals[1][0].reason;
  EXPECT_NEAR(c.residuals[1][0].equations, friction / std::hypot(10.0, 9.81), 1e-12);
  EXPECT_NEAR(c.residuals[0][1].equations, friction / std::hypot(10.0 - friction, 9.81), 1e-12);
  EXPECT_LT(c.residuals[1][1].equations, 1e-13);
}

TEST(Ladder, OfViscousFrictionFollowsTheClosedForm) {
  const std::vector<double> kappas{10.0, 100.0, 1000.0};
  const Comparison c = climbed(
      pushed(true), ideal, [](double kappa) { return realised(reaction_laws::viscous, kappa); }, "kappa", kappas, 2.0);
  const LadderResult& result = c.ladders[0];
  EXPECT_EQ(result.limit, "kappa without bound");
  EXPECT_EQ(result.theory, 1.0);
  EXPECT_EQ(result.reference, 0U);
  for (std::size_t k = 0; k < kappas.size(); ++k) {
    const double kappa = kappas[k];
    EXPECT_NEAR(result.rungs[k].coordinates, (2.0 - (1.0 - std::exp(-2.0 * kappa)) / kappa) / kappa / 2.0,
                1e-11);  // the scale is 2, the largest value of y
    // At its stability limit, an explicit method has oscillations of some tens of times the tolerance.
    EXPECT_NEAR(result.rungs[k].speeds, (1.0 - std::exp(-2.0 * kappa)) / kappa, 1e-10);
  }
  EXPECT_TRUE(std::isnan(result.rungs[0].coordinates_order));
  EXPECT_NEAR(result.rungs[2].coordinates_order, 1.0, 0.03);
  EXPECT_NEAR(result.rungs[2].speeds_order, 1.0, 1e-3);
}

TEST(Ladder, OfAddedInertiaStartsWithTheMomentumOfTheVakonomicLaw) {
  const double mu = 0.5;
  const std::vector<double> kappas{10.0, 100.0, 1000.0};
  const Comparison c = climbed(
      pushed(true), vakonomic(mu), [](double kappa) { return realised(reaction_laws::inertial, kappa); }, "kappa",
      kappas, 2.0);
  for (std::size_t k = 0; k < kappas.size(); ++k) {
    const double kappa = kappas[k];
    const Sample& first = c.variants[k + 1].trajectory.start();
    EXPECT_NEAR(first.u[0], mu / kappa, 1e-14);
    EXPECT_NEAR(first.u[1], 1.0, 1e-14);  // the speed perpendicular to the row's gradient does not change
    EXPECT_NE(c.variants[k + 1].start, "");
    EXPECT_NEAR(c.ladders[0].rungs[k].coordinates, (mu / kappa * 2.0 + 4.0 / (2.0 * (1.0 + kappa))) / 2.0, 1e-11);
  }
  EXPECT_EQ(c.variants[0].start, "");
  EXPECT_EQ(c.ladders[0].limit, "kappa without bound");
  EXPECT_NEAR(c.ladders[0].rungs[2].coordinates_order, 1.0, 0.01);
}

TEST(Ladder, OfAStiffSpringHasOrderOneInPositionsAndOneHalfInSpeeds) {
  const std::vector<double> kappas{1e2, 1e4, 1e6};
  const Comparison c = climbed(
      pushed(false), ideal, [](double kappa) { return realised(reaction_laws::stiff, kappa); }, "kappa", kappas, 2.0);
  const LadderResult& result = c.ladders[0];
  for (std::size_t k = 0; k < kappas.size(); ++k) {
    EXPECT_NEAR(result.rungs[k].coordinates, 2.0 / kappas[k] / 2.0,
                1e-3 / kappas[k] * 2.0);  // exact: (1 - cos wt)/kappa; here only at the samples
    EXPECT_NEAR(result.rungs[k].speeds, 1.0 / std::sqrt(kappas[k]), 2e-3 / std::sqrt(kappas[k]));
  }
  EXPECT_NEAR(result.rungs[2].coordinates_order, 1.0, 0.01);
  EXPECT_NEAR(result.rungs[2].speeds_order, 0.5, 0.01);  // it starts from rest, but the force makes it oscillate
}

TEST(Ladder, OfKozlovsFamilyTendsToTheLawsAtItsEnds) {
  const auto rung = [](double c) { return vakonomic(0.3, c); };
  const Comparison up = climbed(rheonomic, ideal, rung, "c", {1e2, 1e3, 1e4}, 1.0);
  EXPECT_EQ(up.ladders[0].limit, "c without bound");
  EXPECT_NEAR(up.ladders[0].rungs[2].coordinates_order, 1.0, 0.02);
  const Comparison down = climbed(rheonomic, vakonomic(0.3), rung, "c", {1e-1, 1e-2, 1e-3}, 1.0);
  EXPECT_EQ(down.ladders[0].limit, "c to 0");
  EXPECT_NEAR(down.ladders[0].rungs[2].coordinates_order, 1.0, 0.02);
}

TEST(Ladder, SaysWhereTheoryKnowsOfNoLimit) {
  const auto viscous = [](double kappa) { return realised(reaction_laws::viscous, kappa); };
  const Comparison c = climbed(rheonomic, vakonomic(0.0), viscous, "kappa", {1e2, 1e3, 1e4}, 1.0);
  EXPECT_EQ(c.ladders[0].limit, "");
  EXPECT_NE(c.ladders[0].no_limit, "");
  EXPECT_EQ(c.ladders[0].theory, 0.0);
  EXPECT_NEAR(c.ladders[0].rungs[2].coordinates_order, 0.0, 0.02);  // with friction the limit is not the ideal law
}

TEST(Ladder, GivesNoOrderBelowWhatTheToleranceResolves) {
  std::vector<Variant> variants{variant("ideal", pushed(true), ideal, 2.0, 1e-6)};
  for (const double kappa : {1e2, 1e3, 1e4}) {
    variants.push_back(variant("viscous", pushed(true), realised(reaction_laws::viscous, kappa), 2.0, 1e-6));
  }
  CompareOptions options;
  options.ladders.push_back(ladder("kappa", {1e2, 1e3, 1e4}));
  const Comparison c = compare(variants, options);
  EXPECT_TRUE(std::isfinite(c.ladders[0].rungs[1].coordinates_order));
  // The difference 1e-4 is below 100 times the tolerance.
  EXPECT_TRUE(std::isnan(c.ladders[0].rungs[2].coordinates_order));
}

TEST(Compare, GoesAsFarAsAVariantThatStops) {
  // y reaches 0.8 at t = sinh 0.8 under the ideal law, and never under the vakonomic one.
  const Build ends = [](const SetLaw& law) {
    Sketch s = rheonomic(law);
    const Term root = s.builder.terms().function(expr::Op::kSquareRoot, s.number(0.8) - s.builder.q(s.coordinates[1]));
    s.builder.add_generalized_force(s.coordinates[1], s.number(1e-9) * root);
    return s;
  };
  const Comparison c = compare({variant("vakonomic", ends, vakonomic(0.0), 1.0), variant("ideal", ends, ideal, 1.0)});
  EXPECT_FALSE(c.variants[0].trajectory.stopped);
  ASSERT_TRUE(c.variants[1].trajectory.stopped.has_value());
  EXPECT_TRUE(c.variants[1].has_motion());
  EXPECT_EQ(c.times.size(), 401U);
  EXPECT_NEAR(c.variants[1].t_compared, std::sinh(0.8), 3e-3);
  EXPECT_LE(c.variants[1].t_compared, std::sinh(0.8));
  EXPECT_EQ(c.variants[1].quantities[0].t, c.variants[1].t_compared);
  EXPECT_TRUE(std::isnan(c.values[1](400, 0)));
}

TEST(Compare, DoesNotRunWhatTheExplicitIntegratorCannotReach) {
  const Comparison c = compare({variant("ideal", pushed(true), ideal, 2.0),
                                variant("viscous", pushed(true), realised(reaction_laws::viscous, 1e9), 2.0)});
  EXPECT_FALSE(c.variants[1].has_motion());
  EXPECT_NE(c.variants[1].not_run, "");
  EXPECT_NEAR(c.variants[1].steps_by_stability, 2e9 / 6.1, 1e3);  // stability bound of dop853
  EXPECT_EQ(c.variants[0].steps_by_stability, 0.0);
  EXPECT_FALSE(c.variants[1].groups[0].is_there);
  EXPECT_FALSE(c.residuals[0][1].is_computed);
}

TEST(Compare, RunsStiffVariantsByAnImplicitMethod) {
  // viscous: x' = 1/κ after a boundary layer of 1/κ, so the motion differs from x = 0 by t/κ
  std::vector<Variant> variants{variant("ideal", pushed(true), ideal, 2.0, 1e-9),
                                variant("viscous", pushed(true), realised(reaction_laws::viscous, 1e9), 2.0, 1e-9)};
  for (Variant& one : variants) one.options.method = "radau";
  const Comparison c = compare(variants);
  EXPECT_EQ(c.variants[1].not_run, "");
  EXPECT_EQ(c.variants[1].steps_by_stability, 0.0);
  ASSERT_TRUE(c.variants[1].has_motion());
  EXPECT_EQ(c.variants[1].t_compared, 2.0);
  EXPECT_NEAR(c.values[1](400, 0), 2e-9, 1e-12);
  EXPECT_LT(c.variants[1].trajectory.statistics.steps, 1000);
  // each explicit method has its own bound
  variants[1].options.method = "dp5";
  EXPECT_NEAR(compare(variants).variants[1].steps_by_stability, 2e9 / 3.25, 1e3);
}

/// A run from 0 to `end` with marks of one event.
Trajectory run_with(const std::vector<double>& marks, double end) {
  Trajectory run;
  run.samples.resize(2);
  run.samples.back().t = end;
  for (const double t : marks) run.events.emplace_back(Mark{t, "hit"});
  return run;
}

TEST(CompareEvents, PairsTheOccurrencesOfAnEventInOrder) {
  Sketch s = rheonomic(ideal);
  const auto model = s.finish();
  const auto of = [&](const Trajectory& first, const Trajectory& other) {
    return event_differences(first, other, *model, 4.0);
  };
  EXPECT_TRUE(of(run_with({}, 4.0), run_with({}, 4.0)).empty());
  const auto same = of(run_with({1.0, 2.0, 3.0}, 4.0), run_with({1.0, 2.125, 3.0625}, 4.0));
  ASSERT_EQ(same.size(), 1U);
  EXPECT_TRUE(same[0].is_same_number());
  EXPECT_EQ(same[0].largest, 0.125);
  EXPECT_EQ(same[0].t, 2.0);
  EXPECT_FALSE(same[0].alone);
  const auto fewer = of(run_with({1.0, 2.0, 3.0}, 4.0), run_with({1.0}, 4.0));
  EXPECT_FALSE(fewer[0].is_same_number());
  EXPECT_EQ(fewer[0].alone, 2.0);
  const auto more = of(run_with({}, 4.0), run_with({1.5}, 4.0));
  EXPECT_EQ(more[0].in_first, 0U);
  EXPECT_EQ(more[0].in_other, 1U);
  EXPECT_EQ(more[0].alone, 1.5);
}

TEST(CompareEvents, DoNotMissWhatAMotionDoesNotReach) {
  Sketch s = rheonomic(ideal);
  const auto model = s.finish();
  const auto short_one = event_differences(run_with({1.0, 2.0, 3.0}, 4.0), run_with({1.0}, 1.5), *model, 4.0);
  EXPECT_TRUE(short_one[0].is_same_number()) << "the other motion ends before 2 s";
  // an event that ends both motions, at times that differ by a rounding error of the search
  const auto ends = event_differences(run_with({2.0}, 2.0), run_with({2.0 + 1e-9}, 2.0 + 1e-9), *model, 4.0);
  EXPECT_TRUE(ends[0].is_same_number());
  EXPECT_NEAR(ends[0].largest, 1e-9, 1e-15);
  EXPECT_TRUE(event_differences(run_with({3.0}, 4.0), run_with({}, 2.0), *model, 4.0).empty());
}

TEST(Compare, FormulationsAgreeAndHaveNoResiduals) {
  std::vector<Variant> variants;
  Sketch s = double_pendulum(1);
  const auto bound = s.try_compile();
  ASSERT_TRUE(bound);
  for (const equations::Formulation formulation : equations::kFormulations) {
    variants.push_back({std::string(to_string(formulation)), *bound, run_for(2.0, 1e-11), {}, {}, {}});
    variants.back().options.formulation = formulation;
  }
  CompareOptions options;
  options.has_law_residuals = false;
  const Comparison c = compare(variants, options);
  EXPECT_TRUE(c.residuals.empty());
  for (const Compared& one : c.variants) {
    EXPECT_TRUE(one.has_motion());
    EXPECT_LT(one.groups[0].largest, 1e-8) << one.name;
  }
  EXPECT_GT(c.variants[2].groups[0].largest, 0.0);
}

TEST(Compare, SaysWhyNoVariantHasAStart) {
  const Build contradictory = [](const SetLaw& law) {
    Sketch s("contradictory");
    (void)s.particle("p", 1.0, 2);
    law(s, s.builder.add_constraint("row", s.builder.q(s.coordinates[0])));
    s.start_all({1.0, 0.0}, {0.0, 0.0});
    return s;
  };
  const Comparison c = compare({variant("ideal", contradictory, ideal, 1.0),
                                variant("stiff", contradictory, realised(reaction_laws::stiff, 10.0), 1.0)});
  for (const Compared& one : c.variants) {
    ASSERT_TRUE(one.trajectory.stopped.has_value());
    EXPECT_EQ(one.trajectory.stopped->kind, FailureKind::kAssembly);
    EXPECT_FALSE(one.has_motion());
  }
  EXPECT_TRUE(c.times.empty());
}

/// A skate on the plane, at rest up to rounding: speeds of 1e-17 and a multiplier of 1e-20.
Sketch at_rest(const SetLaw& law) {
  Sketch s("at_rest");
  s.particle("p", 1.0, 2);
  const auto x = s.coordinates[0], y = s.coordinates[1], theta = s.coordinate("theta");
  const Term rate = s.builder.q_dot(theta);
  s.builder.add_lagrangian(rate * rate / 2.0);
  law(s, s.builder.add_constraint("blade", s.builder.sin(s.builder.q(theta)) * s.builder.q_dot(x) -
                                               s.builder.cos(s.builder.q(theta)) * s.builder.q_dot(y)));
  s.start(x, 0.0), s.start(y, 0.0), s.start(theta, 0.0);
  s.start_rate(x, 1e-17), s.start_rate(y, 0.0, StartKind::kGuess), s.start_rate(theta, 1e-17);
  return s;
}

// Rounding errors must not be reported as differences. They are compared with a unit formed from a mass, a length and a
// time of the model.
TEST(Compare, NothingIsFarFromAnythingAtRest) {
  const Comparison found =
      compare({variant("ideal", at_rest, ideal, 1.0), variant("vakonomic", at_rest, vakonomic(1e-20), 1.0),
               variant("kozlov", at_rest, vakonomic(1e-20, 2.0), 1.0)});
  for (const Compared& one : found.variants) {
    for (const Parting& group : one.groups) EXPECT_LT(group.largest, 1e-13) << one.name;
  }
}

}  // namespace
}  // namespace vinculum::compare
