#include "vinculum/model/sliding.hpp"

#include <gtest/gtest.h>

#include "vinculum/model/builder.hpp"
#include "vinculum/model/calculus.hpp"
#include "vinculum/model/inspect/inspection.hpp"

namespace vinculum::model {
namespace {

/// A particle on a floor.
struct Floor {
  Floor() {
    const auto O = builder.add_fixed_point("O", Model::newtonian());
    const auto x = builder.add_coordinate("x"), y = builder.add_coordinate("y");
    P = builder.point_of(
        builder.add_particle("P", builder.number(1.0), O, builder.q(x) * axis(0) + builder.q(y) * axis(1)));
    floor = builder.add_constraint("floor", pool().dot(builder.pos(P, O), axis(1)));
    v = builder.vel(P);
    normal = pool().norm(reaction(builder.model(), floor, P));
  }
  Term axis(int i) { return builder.axis(Model::newtonian(), i); }
  TermPool& pool() { return builder.terms(); }
  /// The force after its directions have been replaced by friction directions.
  Term held(Term force) {
    builder.add_nonideal_force(floor, P, force);
    return std::get<ForceOn>(builder.model().constraints[0].nonideal.back().what).force;
  }
  [[nodiscard]] std::size_t slides() const { return builder.model().slides.size(); }

  ModelBuilder builder{"floor"};
  PointId P;
  ConstraintId floor;
  Term v, normal;
};

TEST(HeldDirections, AreThoseOfEveryWayToWriteThem) {
  Floor f;
  const Term unit = f.held(-(0.2 * f.normal * f.pool().unit(f.v)));
  EXPECT_EQ(f.slides(), 1U);
  for (const Term same :
       {f.held(-(0.2 * f.normal * f.v / f.pool().norm(f.v))), f.held(-(0.2 * f.normal / f.pool().norm(f.v) * f.v)),
        f.held(f.v / f.pool().norm(f.v) * f.normal * -0.2)}) {
    EXPECT_EQ(f.slides(), 1U);
    EXPECT_EQ(to_text(f.builder.model(), same).find("vel"), std::string::npos) << to_text(f.builder.model(), same);
  }
  EXPECT_EQ(to_text(f.builder.model(), unit).find("vel"), std::string::npos);
  const Term along = f.pool().dot(f.v, f.axis(0));
  f.held(-(0.2 * f.normal * f.pool().function(expr::Op::kSign, along)) * f.axis(0));
  EXPECT_EQ(f.slides(), 2U);
  f.held(-(0.2 * f.normal * (along / f.pool().function(expr::Op::kAbsolute, along))) * f.axis(0));
  EXPECT_EQ(f.slides(), 2U);
  EXPECT_TRUE(f.builder.model().slides[1].velocity.is_scalar());
}

TEST(HeldDirections, LeaveOtherForcesAsTheyAre) {
  Floor f;
  const Term drag = -(f.pool().norm(f.v) * f.v), e = f.pool().unit(f.v);
  EXPECT_EQ(f.held(drag), drag);
  const Term radial = f.pool().unit(f.builder.pos(f.P, PointId(std::size_t{0})));
  EXPECT_EQ(f.held(radial), radial);
  const Term square = f.pool().dot(e, f.axis(0)) * e;  // quadratic in the direction e
  EXPECT_EQ(f.held(square), square);
  EXPECT_EQ(f.slides(), 0U);
  EXPECT_FALSE(f.held(drag - 0.1 * e) == drag - 0.1 * e);  // linear in the direction e, with an additional drag force
  EXPECT_EQ(f.slides(), 1U);
}

TEST(HeldDirections, OfAnotherStaticCoefficientAreSlidesOfTheirOwn) {
  Floor f;
  const Term force = -(0.2 * f.normal * f.pool().unit(f.v));
  f.held(force);
  Nonideal with_static{ForceOn{f.P, force, {}}, {}};
  with_static.static_ratio = f.builder.number(1.5);
  f.builder.add_nonideal(f.floor, with_static);
  f.builder.add_nonideal(f.floor, with_static);
  EXPECT_EQ(f.slides(), 2U);
  EXPECT_EQ(to_text(f.builder.model(), std::get<ForceOn>(f.builder.model().constraints[0].nonideal[1].stated).force),
            to_text(f.builder.model(), force));
}

}  // namespace
}  // namespace vinculum::model
