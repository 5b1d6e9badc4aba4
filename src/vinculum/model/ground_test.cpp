#include "vinculum/model/ground.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <array>
#include <cmath>
#include <functional>

#include "support/model/two_bodies.hpp"
#include "vinculum/model/evaluate.hpp"

namespace vinculum::model {
namespace {

using Eigen::Vector3d;
using expr::Op;
using testing::First;
using testing::TwoBodies;

/// A height as a term of the place, and the same function of numbers.
struct Hill {
  std::function<Term(TermPool&, const std::array<Term, 3>&)> term;
  std::function<double(const Vector3d&)> number;
};

const std::array<Hill, 3> kHills = {{
    {[](TermPool& pool, const std::array<Term, 3>& at) {
       return 0.3 * pool.function(Op::kSine, 1.7 * at[0]) + at[1] * at[1] / 4.0;
     },
     [](const Vector3d& at) { return 0.3 * std::sin(1.7 * at.x()) + at.y() * at.y() / 4.0; }},
    {[](TermPool& pool, const std::array<Term, 3>&) { return pool.number(0.2); }, [](const Vector3d&) { return 0.2; }},
    {[](TermPool& pool, const std::array<Term, 3>& at) {
       return pool.function(Op::kExponential, -(at[0] * at[0] + at[1] * at[1]));
     },
     [](const Vector3d& at) { return std::exp(-at.x() * at.x() - at.y() * at.y()); }},
}};

/// A body B over a ground of the body A, at a random state.
class Ground : public ::testing::Test {
 protected:
  std::array<Term, 3> place() { return place_on_ground(two.builder.terms(), two.Q, two.P, two.A); }
  Instant state() {
    Instant at;
    for (std::size_t i = 0; i < two.builder.model().coordinates.size(); ++i) {
      at.q.push_back(std::sin(1.0 + 2.3 * static_cast<double>(i)));
      at.q_dot.push_back(std::cos(2.0 + 1.9 * static_cast<double>(i)));
      at.q_ddot.push_back(0.0);
    }
    for (std::size_t i = 0; i < at.q.size(); i += 7) {
      Eigen::Map<Eigen::Vector4d> e(at.q.data() + i), rate(at.q_dot.data() + i);
      e.normalize();
      rate -= rate.dot(e) * e.eval();
    }
    return at;
  }
  Vector3d in_A(TermValues& now, Term vector) {
    const JetVector v = now.vector(vector, two.A);
    return {v[0].value, v[1].value, v[2].value};
  }

  TwoBodies two{First::kBody, {"ball", JointKind::kSpherical}};
};

TEST_F(Ground, NormalIsThatOfTheSurfaceUnderThePoint) {
  TermPool& pool = two.builder.terms();
  const Term offset = two.along(two.B, 0.1, -0.2, 0.3);
  for (const Hill& hill : kHills) {
    const PlacedSurface ground{SurfaceKind::kGround,
                               {hill.term(pool, place())},
                               two.P,
                               two.builder.axis(two.A, 2),
                               {two.builder.axis(two.A, 0), two.builder.axis(two.A, 1), two.builder.axis(two.A, 2)}};
    const OverGround over = over_ground(pool, ground, two.Q, offset);
    TermValues now(two.builder.model(), state());
    const Vector3d at = in_A(now, two.builder.pos(two.Q, two.P) + offset);
    const auto above = [&](const Vector3d& x) { return x.z() - hill.number(x); };
    Vector3d gradient;  // by central differences
    for (int k = 0; k < 3; ++k)
      gradient[k] = (above(at + 1e-5 * Vector3d::Unit(k)) - above(at - 1e-5 * Vector3d::Unit(k))) / 2e-5;
    EXPECT_NEAR((in_A(now, over.normal) - gradient.normalized()).norm(), 0.0, 1e-9);
    EXPECT_NEAR(now.scalar(over.gap).value, above(at) / gradient.norm(), 1e-9);
  }
}

TEST_F(Ground, GapIsTheDistanceToFirstOrder) {
  TermPool& pool = two.builder.terms();
  const Hill& hill = kHills[0];
  const PlacedSurface ground{SurfaceKind::kGround,
                             {hill.term(pool, place())},
                             two.P,
                             two.builder.axis(two.A, 2),
                             {two.builder.axis(two.A, 0), two.builder.axis(two.A, 1), two.builder.axis(two.A, 2)}};
  TermValues now(two.builder.model(), state());
  const Vector3d at = in_A(now, two.builder.pos(two.Q, two.P));
  for (const double distance : {0.0, 1e-3, 1e-2}) {
    // a point at this distance from the ground, and the rate of its gap
    Vector3d foot = at;
    foot.z() = hill.number(foot);
    const Vector3d normal = Vector3d(-0.3 * 1.7 * std::cos(1.7 * foot.x()), -foot.y() / 2.0, 1.0).normalized();
    const Vector3d to_point = foot + distance * normal - at;
    const OverGround over =
        over_ground(pool, ground, two.Q, two.along(two.A, to_point.x(), to_point.y(), to_point.z()));
    TermValues here(two.builder.model(), state());
    EXPECT_NEAR(here.scalar(over.gap).value, distance, distance * distance + 1e-15);
  }
}

TEST_F(Ground, RateOfAClosedGapIsTheVelocityAlongTheNormal) {
  TermPool& pool = two.builder.terms();
  TermValues now(two.builder.model(), state());
  Vector3d to_ground = in_A(now, two.builder.pos(two.Q, two.P));
  const Hill& hill = kHills[0];
  const double depth = to_ground.z() - hill.number(to_ground);
  JointSpec spec;
  spec.kind = JointKind::kContact;
  spec.first_point = two.P;
  spec.second_point = two.Q;
  spec.first_body = two.A;
  spec.second_body = two.B;
  spec.surface = SurfaceKind::kGround;
  spec.surface_lengths = {hill.term(pool, place()) + depth};  // at the height of the point
  spec.surface2 = SurfaceKind::kPoint;
  const ContactPlace contact = add_contact_places(two.builder, {"touch"}, spec).front();
  TermValues here(two.builder.model(), state());
  EXPECT_NEAR(here.scalar(contact.gap).value, 0.0, 1e-14);
  EXPECT_NEAR(here.scalar(contact.rate).value, here.scalar(contact.gap).rate, 1e-12);
  EXPECT_GT(std::abs(here.scalar(contact.rate).value), 0.1);
}

}  // namespace
}  // namespace vinculum::model
