#include "vinculum/mechanics/builder.hpp"

#include <gtest/gtest.h>

#include <chrono>

#include "vinculum/base/contract.hpp"

namespace vinculum::mechanics {
namespace {

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
  builder.add_speed("w", 3.0 * x);                   // determines x'
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
  const FrameId N = Model::newtonian();
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

// Coordinates without a stated speed cost no more than their number: with a dense elimination this took minutes.
TEST(ModelBuilder, CompletesTheSpeedsOfThousandsOfCoordinates) {
  constexpr std::size_t kCount = 3000;
  ModelBuilder builder("many");
  std::vector<CoordinateId> q;
  for (std::size_t i = 0; i < kCount; ++i) q.push_back(builder.add_coordinate("q" + std::to_string(i)));
  builder.add_speed("u", builder.q_dot(q[0]) + builder.q_dot(q[1]));
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_FALSE(builder.complete_speeds());
  const auto model = builder.finish();
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
  ASSERT_TRUE(model);
  ASSERT_EQ((*model)->speeds.size(), kCount);
  EXPECT_EQ((*model)->speeds[1].name, "q0'");
  EXPECT_EQ((*model)->speeds[2].name, "q2'");
}

}  // namespace
}  // namespace vinculum::mechanics
