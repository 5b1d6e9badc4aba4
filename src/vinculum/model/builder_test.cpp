#include "vinculum/model/builder.hpp"

#include <gtest/gtest.h>

#include "support/model/newtonian.hpp"
#include "vinculum/base/contract.hpp"
#include "vinculum/model/calculus.hpp"
#include "vinculum/model/evaluate.hpp"

namespace vinculum::model {
namespace {

using testing::N;

TEST(ModelBuilder, TakesCoordinateRatesAsSpeedsWhereNoneAreStated) {
  ModelBuilder builder("two");
  builder.add_coordinate("x");
  builder.add_coordinate("y");
  const auto model = builder.finish();
  ASSERT_TRUE(model.has_value());
  ASSERT_EQ((*model)->speeds.size(), 2u);
  EXPECT_EQ((*model)->speeds[0].name, "x'");
  EXPECT_EQ((*model)->speeds[1].name, "y'");
  EXPECT_TRUE((*model)->speeds[1].is_default);
}

TEST(ModelBuilder, CompletesStatedSpeedsWithIndependentRatesInOrder) {
  ModelBuilder builder("three");
  const Term x = builder.q_dot(builder.add_coordinate("x")), y = builder.q_dot(builder.add_coordinate("y"));
  const Term z = builder.q_dot(builder.add_coordinate("z"));
  builder.add_speed("w", 3.0 * x);  // w = 3 x' alone determines x'
  builder.add_speed("s", builder.cos(builder.q(CoordinateId(std::size_t{0}))) * y + z + 1.0);
  const auto model = builder.finish();
  ASSERT_TRUE(model.has_value());
  ASSERT_EQ((*model)->speeds.size(), 3u);
  EXPECT_EQ((*model)->speeds[2].name, "y'");
}

TEST(ModelBuilder, NamesTheSpeedThatDependsOnTheOthers) {
  ModelBuilder builder("dependent");
  const Term x = builder.q_dot(builder.add_coordinate("x")), y = builder.q_dot(builder.add_coordinate("y"));
  builder.add_speed("a", x + y);
  builder.add_speed("b", 2.0 * x + 2.0 * y);
  const auto model = builder.finish();
  ASSERT_FALSE(model.has_value());
  EXPECT_EQ(model.error().kind, FailureKind::kSingularKinematics);
  EXPECT_EQ(model.error().coordinates, std::vector<int>{1});
  EXPECT_NE(model.error().message.find("`b`"), std::string::npos);
}

TEST(ModelBuilder, RefusesSpeedsThatAreNotAffineInTheRates) {
  ModelBuilder builder("quadratic");
  const Term x = builder.q_dot(builder.add_coordinate("x"));
  builder.add_speed("e", x * x);
  EXPECT_FALSE(builder.finish().has_value());
}

TEST(ModelBuilder, RefusesMoreSpeedsThanCoordinates) {
  ModelBuilder builder("many");
  const Term x = builder.q_dot(builder.add_coordinate("x"));
  builder.add_speed("a", x);
  builder.add_speed("b", 2.0 * x + 1.0);
  const auto model = builder.finish();
  ASSERT_FALSE(model.has_value());
  EXPECT_EQ(model.error().coordinates, std::vector<int>{1});
}

TEST(ModelBuilder, NamesAreUniqueOverAllKinds) {
  ModelBuilder builder("names");
  builder.add_coordinate("x");
  EXPECT_THROW(builder.add_parameter("x", 1.0), InternalError);
  EXPECT_THROW(builder.add_fixed_point("N", Model::newtonian()), InternalError);
}

TEST(ModelBuilder, GivesAVectorRelationOneRowPerDirection) {
  ModelBuilder builder("rows");
  const Term x = builder.q(builder.add_coordinate("x"));
  const PointId O = builder.add_fixed_point("O", N);
  const PointId P = builder.point_of(builder.add_particle("P", builder.number(1.0), O, x * builder.axis(N, 0)));
  const ConstraintId rest = builder.add_constraint("rest", builder.vel(P));
  const std::vector<Term> along{builder.axis(N, 0)};
  const ConstraintId place = builder.add_constraint("place", builder.pos(P, O), along);
  EXPECT_EQ(builder.model().constraint(rest).rows.size(), 3u);
  EXPECT_EQ(builder.model().constraint(rest).level, Level::kVelocity);
  EXPECT_EQ(builder.model().constraint(place).rows.size(), 1u);
  EXPECT_EQ(builder.model().constraint(place).level, Level::kPosition);
  EXPECT_EQ(builder.model().constraint(place).text, "pos(P, O) = 0");
}

// The cost grows only in proportion to the number of coordinates without a stated speed. A dense elimination took
// minutes for this model.
TEST(ModelBuilder, CompletesTheSpeedsOfThousandsOfCoordinates) {
  constexpr std::size_t kCount = 3000;
  ModelBuilder builder("many");
  std::vector<CoordinateId> q;
  for (std::size_t i = 0; i < kCount; ++i) q.push_back(builder.add_coordinate("q" + std::to_string(i)));
  builder.add_speed("u", builder.q_dot(q[0]) + builder.q_dot(q[1]));
  EXPECT_FALSE(builder.complete_speeds());
  const auto model = builder.finish();
  ASSERT_TRUE(model);
  ASSERT_EQ((*model)->speeds.size(), kCount);
  EXPECT_EQ((*model)->speeds[1].name, "q0'");
  EXPECT_EQ((*model)->speeds[2].name, "q2'");
}

class QuaternionSpeeds : public ::testing::Test {
 protected:
  ModelBuilder b{"quaternion"};
  CoordinateId x = b.add_coordinate("x");
  std::array<CoordinateId, 4> e{b.add_coordinate("e0"), b.add_coordinate("e1"), b.add_coordinate("e2"),
                                b.add_coordinate("e3")};
  CoordinateId y = b.add_coordinate("y");
  FrameId A = b.add_rotated_frame("A", Model::newtonian(), b.q(x), 2);
  FrameId B = b.add_quaternion_frame("B", A, e);

  std::vector<std::string> names() {
    EXPECT_FALSE(b.complete_speeds());
    std::vector<std::string> all;
    for (const Speed& speed : b.model().speeds) all.push_back(speed.name);
    return all;
  }
};

TEST_F(QuaternionSpeeds, AQuaternionCountsForThreeTurningSpeeds) {
  EXPECT_EQ(names(), (std::vector<std::string>{"x'", "B.wx", "B.wy", "B.wz", "y'"}));
  EXPECT_EQ(to_text(b.model(), b.model().speeds[2].definition), "dot(omega(B, A), B.y)");
}

TEST_F(QuaternionSpeeds, OnlyWhatTheStatedSpeedsLeaveOpenIsTaken) {
  b.add_speed("u", b.terms().dot(b.omega(B, A), b.axis(B, 1)) + b.q_dot(y));
  b.add_speed("v", b.terms().dot(b.omega(B), b.axis(B, 0)));
  b.add_speed("w", b.terms().dot(b.omega(B), b.axis(B, 2)));
  // x' is added as a speed. v and x' determine B.wx, so only B.wy is added; w determines B.wz, and u determines y'.
  EXPECT_EQ(names(), (std::vector<std::string>{"u", "v", "w", "x'", "B.wy"}));
}

TEST_F(QuaternionSpeeds, SpeedsInTheParentsDirectionsNeedNoOthers) {
  for (int i = 0; i < 3; ++i) b.add_speed("u" + std::to_string(i), b.terms().dot(b.omega(B, A), b.axis(A, i)));
  EXPECT_EQ(names(), (std::vector<std::string>{"u0", "u1", "u2", "x'", "y'"}));
}

TEST_F(QuaternionSpeeds, TheGrowthOfAQuaternionIsNoMotion) {
  Term growth = b.number(0.0);
  for (const CoordinateId q : e) growth = growth + b.q(q) * b.q_dot(q);
  b.add_speed("growth", growth);
  const auto failure = b.complete_speeds();
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->kind, FailureKind::kSingularKinematics);
}

TEST_F(QuaternionSpeeds, ThreeTurningSpeedsAndAFourthAreTooMany) {
  for (int i = 0; i < 3; ++i) b.add_speed("u" + std::to_string(i), b.terms().dot(b.omega(B, A), b.axis(A, i)));
  b.add_speed("more", b.terms().dot(b.omega(B, A), b.axis(B, 1)));
  const auto failure = b.complete_speeds();
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->coordinates, std::vector<int>{3});
}

TEST(ModelBuilder, MakesInertiaAboutAnotherPointCentral) {
  ModelBuilder b("about");
  const FrameId B = b.add_rotated_frame("B", Model::newtonian(), b.q(b.add_coordinate("q")), 2);
  const PointId O = b.add_fixed_point("O", Model::newtonian());
  const Term offset = 1.0 * b.axis(B, 0) + 2.0 * b.axis(B, 1) - 3.0 * b.axis(B, 2);
  const auto number = [&b](double value) { return b.number(value); };
  // Inertia about O: diag(0.1, 0.2, 0.3) about the mass center plus a point mass of 2 at (1, 2, −3).
  const BodyId body =
      b.add_body("body", B, number(2.0),
                 {number(0.1 + 26.0), number(0.2 + 20.0), number(0.3 + 10.0), number(-4.0), number(12.0), number(6.0)},
                 O, offset, O);
  const Inertia& I = b.model().body(body).inertia;
  TermValues values(b.model(), Instant{0.0, {0.4}, {0.0}, {0.0}, {}, {}});
  const double expected[6] = {0.1, 0.2, 0.3, 0.0, 0.0, 0.0};
  int i = 0;
  for (const Term moment : {I.xx, I.yy, I.zz, I.xy, I.yz, I.zx})
    EXPECT_NEAR(values.scalar(moment).value, expected[i++], 1e-13);
  EXPECT_EQ(b.model().point(b.center_of(body)).center_of, body);
  EXPECT_EQ(b.model().frame(B).body, body);
}

TEST(ModelBuilder, RowsOfSeveralLevelsHaveTheHighest) {
  ModelBuilder b("rows");
  const CoordinateId x = b.add_coordinate("x");
  const ConstraintId c = b.add_rows("c", {b.q(x), b.q_dot(x) - b.number(1.0)});
  EXPECT_EQ(b.model().constraint(c).level, Level::kVelocity);
  EXPECT_EQ(b.model().constraint(c).text, "x = 0, x' - 1 = 0");
  EXPECT_THROW(b.add_rows("d", {}), InternalError);
  EXPECT_THROW(b.add_reveal({"r", {}, {}, {}, {}}), InternalError);
}

}  // namespace
}  // namespace vinculum::model
