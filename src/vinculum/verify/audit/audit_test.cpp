// Tests that correct motions pass the audit, and that a line that does not apply states its reason.
#include <limits>

#include "support/audit/subject.hpp"

namespace vinculum::audit {
namespace {

TEST(Audit, HoldsOnFreeAndConstrainedParticles) {
  for (Subject one : {pair_of(Pair()), subject(testing::parallel_pucks()), subject(testing::double_pendulum(3, 0.4)),
                      subject(testing::four_bar(1.0, 0.5))}) {
    const Audit audit = one.judged();
    EXPECT_TRUE(audit.holds()) << one.bound->model->name << "\n" << broken(audit);
    EXPECT_EQ(audit.samples, 6);
    EXPECT_EQ(audit.lines.size(), 20u);
  }
}

TEST(Audit, JudgesEveryIdentityWhereAllApply) {
  // With friction no energy is constant or stored. The model also has no switches and no outputs, so the corresponding
  // lines do not apply.
  const Audit audit = pair_of(Pair()).judged();
  for (const AuditLine& one : audit.lines) {
    const bool is_of_constants =
        one.section == "9" || one.identity.starts_with(kStored) || one.identity.starts_with(kRevealed);
    const bool has_nothing =
        is_of_constants || one.identity.starts_with(kSides) || one.identity.starts_with(kUniqueness);
    EXPECT_EQ(one.verdict, has_nothing ? Verdict::kDoesNotApply : Verdict::kHolds)
        << one.identity << ": " << one.reason;
  }
}

TEST(Audit, HoldsWhereSpeedsAndTheirPowersUnderflow) {
  for (const double speed : {1e-100, 1e-160, 1e-300, std::numeric_limits<double>::denorm_min()}) {
    Sketch s("decayed");
    const auto P = s.particle("p", 2.0, 3);
    const auto x = s.coordinates[0], y = s.coordinates[1];
    s.builder.add_force(P, -1.0 * s.builder.vel(P));
    (void)s.builder.add_constraint("rod",
                                   s.builder.q(x) * s.builder.q(x) + s.builder.q(y) * s.builder.q(y) - s.number(1.0));
    s.start_all({1.0, 0.0, 0.0}, {0.0, speed, speed});
    const Audit audit = subject(std::move(s)).judged();
    EXPECT_TRUE(audit.holds()) << speed << "\n" << broken(audit);
  }
}

/// Drag keeps the direction of a velocity, so the row needs no force: it is an integral of the motion.
Sketch drag_along_a_line(double drag) {
  Sketch s("drag");
  const auto P = s.particle("p", 2.0, 3);
  const auto x = s.coordinates[0], y = s.coordinates[1];
  s.builder.add_force(P, -drag * s.builder.vel(P));
  (void)s.builder.add_constraint("row", 0.3 * s.builder.q_dot(x) + 0.7 * s.builder.q_dot(y));
  s.start_all({0.0, 0.0, 1.0}, {7.0, -3.0, 3.0});
  return s;
}

TEST(Audit, HoldsOfARowWithoutForceWhereTheMotionHasDecayed) {
  for (const double drag : {1.0, 100.0, 1e3}) {
    const Audit audit = subject(drag_along_a_line(drag), 40.0).judged();
    EXPECT_TRUE(audit.holds()) << drag << "\n" << broken(audit);
  }
  // an acceleration that violates the row is found nevertheless
  Subject wrong = subject(drag_along_a_line(1.0), 2.0);
  for (Sample& sample : wrong.trajectory.samples) sample.reaction.total.u[0] += 1e-6;
  EXPECT_EQ(line(wrong.judged(), "A u' = b").verdict, Verdict::kBroken);
}

TEST(Audit, AtFactorZeroShowsTrueResiduals) {
  const Subject one = pair_of(Pair());
  const Audit limits = audit(one.bound, one.trajectory), bare = audit(one.bound, one.trajectory, {.factor = {0.0}});
  ASSERT_EQ(limits.lines.size(), bare.lines.size());
  for (std::size_t i = 0; i < bare.lines.size(); ++i) {
    EXPECT_EQ(bare.lines[i].worst, limits.lines[i].worst);
    EXPECT_EQ(bare.lines[i].verdict == Verdict::kBroken, bare.lines[i].worst > 0.0) << bare.lines[i].identity;
  }
}

TEST(Audit, SaysWhyALineDoesNotApply) {
  const Audit audit = subject(testing::parallel_pucks()).judged();
  EXPECT_EQ(line(audit, kReciprocity).verdict, Verdict::kDoesNotApply);
  EXPECT_NE(line(audit, kReciprocity).reason.find("newtonian frame"), std::string::npos)
      << line(audit, kReciprocity).reason;
}

TEST(Audit, OfARunThatStopsLeavesOutItsLastSample) {
  Subject one = pair_of(Pair());
  one.trajectory.samples.back().u.setConstant(std::nan(""));
  EXPECT_FALSE(one.judged().holds());
  one.trajectory.stopped = Failure{};
  EXPECT_TRUE(one.judged().holds());
}

TEST(Audit, OfARunThatStopsUnexpectedlyIsNoSuccess) {
  Subject one = pair_of(Pair());
  EXPECT_TRUE(one.judged().is_success());
  Failure failure;
  failure.kind = FailureKind::kNotUnique;
  failure.t = 0.5;
  one.trajectory.stopped = failure;
  EXPECT_FALSE(one.judged().is_success());
  ASSERT_TRUE(one.judged().stopped.has_value());
  EXPECT_EQ(one.judged().stopped->kind, FailureKind::kNotUnique);
  Pair expecting;
  model::Expectation expected{};
  expected.when = model::Expectation::When::kStop;
  expected.stop_kind = failure_info(FailureKind::kNotUnique).name;
  expecting.sketch.builder.model().expectations.push_back(expected);
  Subject other = pair_of(std::move(expecting));
  other.trajectory.stopped = one.trajectory.stopped;
  EXPECT_TRUE(other.judged().is_success());
  other.trajectory.stopped->kind = FailureKind::kNonFinite;
  EXPECT_FALSE(other.judged().is_success());
}

TEST(Audit, OfNothingIsNoSuccess) {
  Subject one = pair_of(Pair());
  one.trajectory.samples.clear();
  EXPECT_TRUE(one.judged().holds());
  EXPECT_FALSE(one.judged().is_success());
}

TEST(Audit, WhereConstraintsLeaveNoMotionWorkAndGaussDoNotApply) {
  Sketch s("held");
  const auto P = s.particle("p", 1.0, 1);
  s.builder.add_constraint("held", s.dot(s.from_origin(P), s.axis(0)) - s.number(0.5));
  s.start_all({0.5}, {0.0}, StartKind::kGuess);
  const Audit audit = subject(std::move(s)).judged();
  for (const char* name : {kIdealWork, kWork, kGauss}) {
    EXPECT_EQ(line(audit, name).verdict, Verdict::kDoesNotApply) << name;
    EXPECT_NE(line(audit, name).reason.find("the constraints leave"), std::string::npos) << name;
  }
}

}  // namespace
}  // namespace vinculum::audit
