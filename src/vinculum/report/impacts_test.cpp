#include "vinculum/report/impacts.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "support/motion/test_models.hpp"
#include "vinculum/model/unilateral.hpp"
#include "vinculum/run/simulate.hpp"

namespace vinculum::report {
namespace {

constexpr double kMass = 2.0, kGravity = 10.0, kHeight = 0.8;  // the first impact is at 0.4 s with 4 m/s

/// A mass that is dropped from a height onto a floor.
sim::testing::Sketch dropped(double restitution, model::RestitutionLaw law = model::RestitutionLaw::kEnergetic) {
  sim::testing::Sketch s("dropped");
  (void)s.particle("p", kMass, 1);
  model::ModelBuilder& b = s.builder;
  b.add_gravity(s.number(-kGravity) * s.axis(0));
  const auto floor = b.add_constraint("floor", b.q(s.coordinates[0]));
  model::Unilateral unilateral;
  unilateral.restitution = s.number(restitution);
  unilateral.law = law;
  model::make_unilateral(b, floor, unilateral);
  s.start_all({kHeight}, {0.0});
  return s;
}

std::vector<ImpactSummary> summaries_of(sim::testing::Sketch sketch, double duration, std::string* text = nullptr) {
  auto dynamics = sketch.dynamics();
  const sim::Trajectory run = simulate(dynamics, sim::testing::run_for(duration, 1e-11));
  EXPECT_FALSE(run.stopped) << sim::testing::reason(run);
  const sim::CompiledModel& compiled = *dynamics.binding().compiled;
  if (text != nullptr) *text = to_text(impacts_of(compiled, run));
  return impact_summaries(compiled, run);
}

TEST(Impacts, AreSummedUpForEachConstraint) {
  const double e = 0.5, v = std::sqrt(2.0 * kGravity * kHeight), fall = v / kGravity;
  std::string text;
  const auto all = summaries_of(dropped(e), 0.9, &text);  // impacts at 0.4 s and 0.8 s
  ASSERT_EQ(all.size(), 1u);
  const ImpactSummary& one = all[0];
  EXPECT_EQ(one.count, 2);
  EXPECT_NEAR(one.first, fall, 1e-9);
  EXPECT_NEAR(one.last, fall * (1.0 + 2.0 * e), 1e-9);
  EXPECT_NEAR(one.greatest, kMass * (1.0 + e) * v, 1e-8);
  EXPECT_EQ(one.t_greatest, one.first);
  EXPECT_NEAR(one.total, kMass * (1.0 + e) * v * (1.0 + e), 1e-8);
  const double energy = 0.5 * kMass * v * v;
  EXPECT_NEAR(one.work.compression, -energy * (1.0 + e * e), 1e-8);
  EXPECT_NEAR(one.work.total(), energy * (e * e * e * e - 1.0), 1e-8);
  EXPECT_EQ(
      text,
      "\nconstraint `floor` had 2 impacts (energetic), first at t = 0.4 s, last at t = 0.8 s: greatest impulse 12 "
      "at t = 0.4 s, 15 lost\n");
}

TEST(Impacts, OfAnElasticContactLoseNoEnergy) {
  std::string text;
  (void)summaries_of(dropped(1.0, model::RestitutionLaw::kNewton), 0.9, &text);
  EXPECT_EQ(text, "\nconstraint `floor` had one impact (newton), at t = 0.4 s: impulse 16, no energy lost\n");
}

TEST(Impacts, HaveNoLineWithoutAnImpact) {
  std::string text = "none";
  EXPECT_TRUE(summaries_of(dropped(0.5), 0.2, &text).empty());
  EXPECT_EQ(text, "");
}

}  // namespace
}  // namespace vinculum::report
