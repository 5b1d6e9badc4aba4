// Tests derivatives, levels, expansion and numerical values of terms in models with bodies, quaternions and points on
// bodies.
#include <gtest/gtest.h>

#include <cmath>

#include "support/model/newtonian.hpp"
#include "support/model/random_model.hpp"
#include "vinculum/model/calculus.hpp"
#include "vinculum/model/expansion.hpp"
#include "vinculum/model/kinematic_tree.hpp"
#include "vinculum/model/traversal.hpp"

namespace vinculum::model {
namespace {

using testing::RandomModel;

constexpr unsigned kModels = 60;
using testing::N;

void expect_same(const JetVector& got, const JetVector& expected, double tolerance, const std::string& what) {
  for (std::size_t i = 0; i < 3; ++i) {
    ASSERT_TRUE(std::isfinite(expected[i].value)) << what;
    EXPECT_NEAR(got[i].value, expected[i].value, tolerance * (1.0 + std::fabs(expected[i].value))) << what;
  }
}

TEST(BodiesCalculus, RatesOfEveryVectorSeenFromEveryFrameAgreeWithJets) {
  for (unsigned seed = 0; seed < kModels; ++seed) {
    RandomModel random(seed);
    TermPool& pool = random.builder.terms();
    const PointId P = random.point(), Q = random.point();
    const FrameId F = random.frame(), G = random.frame();
    for (const Term term : {pool.position(P, Q), pool.velocity(P, N), pool.velocity(P, F), pool.angular_velocity(G, F),
                            pool.cross(pool.velocity(Q, G), pool.position(P, Q)), random.basis()}) {
      const FrameId seen_in = random.frame();
      const Term rate = time_derivative(random.model(), term, seen_in);
      ASSERT_TRUE(rate.is_valid());
      TermValues values(random.model(), random.instant());
      expect_same(values.vector(rate, seen_in), rate_of(values.vector(term, seen_in)), 1e-10,
                  to_text(random.model(), term) + " of model " + std::to_string(seed));
    }
  }
}

TEST(BodiesCalculus, AMaterialPointMovesAsThePointOfTheSameMeasureNumbersInItsBody) {
  for (unsigned seed = 0; seed < kModels; ++seed) {
    RandomModel random(seed);
    ModelBuilder& builder = random.builder;
    const BodyId body = random.bodies[random.below(random.bodies.size())];
    const FrameId B = builder.frame_of(body), seen_in = random.frame();
    const PointId C = builder.center_of(body);
    const PointId contact =
        builder.add_point_on("contact", B, random.point(), builder.q(CoordinateId(std::size_t{0})) * random.basis());
    const Instant at = random.instant();
    const JetVector r = TermValues(random.model(), at).vector(builder.pos(contact, C), B);
    const PointId fixed = builder.add_point(
        "fixed", C,
        r[0].value * builder.axis(B, 0) + r[1].value * builder.axis(B, 1) + r[2].value * builder.axis(B, 2));
    TermValues values(random.model(), at);
    expect_same(values.vector(builder.vel(contact, seen_in)), values.vector(builder.vel(fixed, seen_in)), 1e-11,
                "velocity");
    expect_same(values.vector(builder.acc(contact, seen_in)), values.vector(builder.acc(fixed, seen_in)), 1e-10,
                "acceleration");
    EXPECT_EQ(KinematicTree(random.model()).carrier_of(contact), body);
    EXPECT_EQ(KinematicTree(random.model()).carrier_of(fixed), body);
  }
}

TEST(BodiesCalculus, AnObserverInABodyMovesWithItsMassCentre) {
  ModelBuilder b("observer");
  const PointId O = b.add_fixed_point("O", N);
  const Term x = b.q(b.add_coordinate("x")), y = b.q(b.add_coordinate("y"));
  const FrameId B = b.add_rotated_frame("B", N, x, 2), F = b.add_rotated_frame("F", N, x, 2);
  const Term one = b.number(1.0), zero = b.number(0.0);
  const BodyId body = b.add_body("body", B, one, {one, one, one, zero, zero, zero}, O, y * b.axis(N, 0));
  const PointId P = b.add_point("P", b.center_of(body), b.axis(B, 1));
  const Instant at{0.0, {0.3, 0.5}, {0.7, 1.1}, {0.2, -0.4}, {}, {}};
  TermValues values(b.model(), at);
  expect_same(values.vector(b.vel(P, B)), {}, 1e-15, "a point of the body is at rest in it");
  EXPECT_TRUE(KinematicTree(b.model()).of_motion(P, B).is_none());
  EXPECT_EQ(level_of(b.model(), b.terms().dot(b.vel(P, B), b.axis(N, 0))), Level::kPosition);
  // As seen from B the origin moves backward: v = −v_C − ω × (−y N.x).
  const JetVector origin = values.vector(b.vel(O, B));
  EXPECT_NEAR(origin[0].value, -1.1, 1e-14);
  EXPECT_NEAR(origin[1].value, 0.7 * 0.5, 1e-14);
  // A frame without body turns about the newtonian origin.
  expect_same(values.vector(b.vel(O, F)), {}, 1e-15, "the origin is at rest in a frame of no body");
}

// Cached levels and expansions of terms are discarded when the model gets a body or a particle.
TEST(BodiesCalculus, LevelsAndExpansionsFollowAModelThatGrows) {
  ModelBuilder b("grows");
  const PointId O = b.add_fixed_point("O", N);
  const Term x = b.q(b.add_coordinate("x")), y = b.q(b.add_coordinate("y"));
  const FrameId B = b.add_rotated_frame("B", N, x, 2);
  const PointId P = b.add_point("P", O, b.axis(B, 1));
  const Term seen_in_B = b.terms().dot(b.vel(P, B), b.axis(N, 0)), place = b.pos(P, O);
  // B turns about the origin and P moves with it, so vel(P, B) = 0
  EXPECT_EQ(level_of(b.model(), seen_in_B), Level::kPosition);
  EXPECT_EQ(to_text(b.model(), expand_massless(b.model(), place)), "B.y");
  const Term one = b.number(1.0), zero = b.number(0.0);
  b.add_body("body", B, one, {one, one, one, zero, zero, zero}, O, y * b.axis(N, 0));
  EXPECT_EQ(level_of(b.model(), seen_in_B), Level::kVelocity);
  EXPECT_EQ(level_of(b.model(), b.terms().norm(b.vel(P, B)) + seen_in_B), Level::kVelocity);
  b.add_particle("Q", one, P, b.terms().zero_vector());
  EXPECT_EQ(to_text(b.model(), expand_massless(b.model(), place)), "pos(Q, O)");
}

TEST(BodiesCalculus, ExpansionAndNewtonianMotionsKeepEveryValue) {
  for (unsigned seed = 0; seed < kModels; ++seed) {
    RandomModel random(seed);
    const Model& model = random.model();
    TermPool& pool = random.builder.terms();
    const PointId P = random.point(), Q = random.point();
    const FrameId F = random.frame(), G = random.frame();
    const Instant at = random.instant();
    for (const Term term : {pool.position(P, Q), pool.velocity(P, F), pool.acceleration(P, F),
                            pool.angular_velocity(F, G), pool.angular_acceleration(F, G)}) {
      TermValues values(model, at);
      const std::string text = to_text(model, term) + " of model " + std::to_string(seed);
      expect_same(values.vector(expand_massless(model, term)), values.vector(term), 1e-10, text);
      expect_same(values.vector(seen_in_newtonian(model, term)), values.vector(term), 1e-10, text);
      const std::set<PointId> all(random.points.begin(), random.points.end());
      const Term bare = expand_massless(model, term, all);
      expect_same(values.vector(bare), values.vector(term), 1e-10, text);
    }
  }
}

TEST(BodiesCalculus, ExpansionStopsAtPlacesThatTakeAForceAndFramesThatTakeATorque) {
  for (unsigned seed = 0; seed < kModels; ++seed) {
    RandomModel random(seed);
    const Model& model = random.model();
    KinematicTree tree(model);
    TermPool& pool = random.builder.terms();
    const Term term =
        pool.dot(pool.velocity(random.point(), random.frame()), random.basis()) +
        pool.dot(pool.angular_velocity(random.frame(), random.frame()), pool.position(random.point(), random.point()));
    const Term expanded = expand_massless(model, seen_in_newtonian(model, expand_massless(model, term)));
    for (const Term leaf : leaves_as_read(expanded)) {
      const PointId point(std::size_t{leaf.index()});
      if (leaf.kind() == TermKind::kVelocity) {
        EXPECT_TRUE(model.point(point).particle || tree.solid_of(point)) << to_text(model, leaf);
        EXPECT_EQ(leaf.second(), N.value);
      }
      if (leaf.kind() == TermKind::kAngularVelocity && leaf.second() == N.value) {
        const FrameId frame(std::size_t{leaf.index()});
        EXPECT_TRUE(model.frame(frame).body || tree.carrying_frame(frame) == N) << to_text(model, leaf);
      }
    }
  }
}

TEST(BodiesCalculus, PartialDerivativesAndTheirRatesAgreeWithClosedForms) {
  ModelBuilder b("partial");
  TermPool& pool = b.terms();
  const CoordinateId q0 = b.add_coordinate("x"), q1 = b.add_coordinate("y");
  const Term x = b.q(q0), y = b.q(q1), t = b.time(), xd = b.q_dot(q0), yd = b.q_dot(q1);
  b.add_speed("u", xd * (2.0 + y) + yd);
  b.add_speed("w", yd - 0.5 * xd + t);
  ASSERT_FALSE(b.complete_speeds());
  const Instant at{0.4, {0.3, -0.6}, {0.7, 1.1}, {0.2, -0.9}, {}, {}};
  TermValues values(b.model(), at);
  const Term f = x * x * b.sin(y) + t * y;
  const Term by_x = pool.partial(f, x);
  const double s = std::sin(-0.6), c = std::cos(-0.6);
  EXPECT_NEAR(values.scalar(by_x).value, 2 * 0.3 * s, 1e-11);
  EXPECT_NEAR(values.scalar(time_derivative(b.model(), by_x)).value, 2 * 0.7 * s + 0.6 * c * 1.1, 1e-10);
  const Term second = time_derivative(b.model(), time_derivative(b.model(), by_x));
  EXPECT_NEAR(values.scalar(second).value, 2 * 0.2 * s + 4 * 0.7 * c * 1.1 - 0.6 * s * 1.21 + 0.6 * c * -0.9, 1e-8);
  EXPECT_NEAR(values.scalar(pool.partial(f, t)).value, -0.6, 1e-11);
  EXPECT_NEAR(values.scalar(pool.partial(xd * xd * y, xd)).value, 2 * 0.7 * -0.6, 1e-11);
  // If only u changes, q' changes by the first column of G = [[2 + y, 1], [−1/2, 1]]⁻¹. The determinant of that matrix
  // is 1.4 + 0.5 here.
  const Term g = xd * xd + y * yd;
  EXPECT_NEAR(values.scalar(pool.partial(g, pool.speed(SpeedId(std::size_t{0})))).value,
              2 * 0.7 * (1.0 / 1.9) + -0.6 * (0.5 / 1.9), 1e-10);

  const auto level = [&](Term term) { return level_of(b.model(), term); };
  EXPECT_EQ(level(by_x), Level::kPosition);
  EXPECT_EQ(level(pool.partial(xd * y + yd, xd)), Level::kPosition);
  EXPECT_EQ(level(pool.partial(xd * xd, xd)), Level::kVelocity);
  EXPECT_EQ(level(pool.partial(xd * y, x)), Level::kVelocity);
  EXPECT_EQ(level(time_derivative(b.model(), by_x)), Level::kVelocity);
  EXPECT_EQ(level(second), Level::kAcceleration);
  EXPECT_EQ(level_of(b.model(), time_derivative(b.model(), second)), Level::kThird);
  EXPECT_EQ(to_text(b.model(), by_x), "jacobian(x*x*sin(y) + t*y, x)");
}

TEST(BodiesCalculus, APartialDerivativeByARateIsOfPositionLevelWhereTheTermIsAffine) {
  for (unsigned seed = 0; seed < kModels; ++seed) {
    RandomModel random(seed);
    TermPool& pool = random.builder.terms();
    const Term velocity = pool.dot(pool.velocity(random.point(), random.frame()), random.basis()) +
                          pool.dot(random.basis(), random.basis());
    const Term rate = pool.coordinate(CoordinateId(std::size_t{0}), 1);
    EXPECT_EQ(level_of(random.model(), pool.partial(velocity, rate)), Level::kPosition);
    EXPECT_EQ(level_of(random.model(), pool.partial(velocity * rate, rate)), level_of(random.model(), velocity));
  }
}

}  // namespace
}  // namespace vinculum::model
