#include "vinculum/equations/integrability.hpp"

#include <gtest/gtest.h>

#include "vinculum/equations/derive.hpp"
#include "vinculum/model/builder.hpp"

namespace vinculum::equations {
namespace {

using model::Term;
using Rows = std::vector<Integrability>;
constexpr Integrability kNone = Integrability::kNone, kInSet = Integrability::kInSet,
                        kByItself = Integrability::kByItself;

class SemiHolonomic : public ::testing::Test {
 protected:
  model::ModelBuilder b{"forms"};
  model::CoordinateId qx = b.add_coordinate("x"), qy = b.add_coordinate("y"), qz = b.add_coordinate("z");
  Term x = b.q(qx), y = b.q(qy), z = b.q(qz), t = b.time();
  Term x_dot = b.q_dot(qx), y_dot = b.q_dot(qy), z_dot = b.q_dot(qz);

  Rows find() {
    const auto system = *derive(*b.finish());
    return find_semiholonomic_rows(*system);
  }
};

TEST_F(SemiHolonomic, ARateOfAFunctionIsSemiholonomic) {
  b.add_constraint("sphere", x * x_dot + y * y_dot + z * z_dot);
  EXPECT_EQ(find(), Rows{kByItself});
}

TEST_F(SemiHolonomic, AFunctionTimesARateIsSemiholonomicToo) {
  b.add_constraint("scaled", (1.0 + y * y) * (y * x_dot + x * y_dot - b.cos(t)));
  EXPECT_EQ(find(), Rows{kByItself});
}

TEST_F(SemiHolonomic, TheKnifeEdgeIsNot) {
  b.add_constraint("blade", b.sin(z) * x_dot - b.cos(z) * y_dot);
  EXPECT_EQ(find(), Rows{kNone});
}

TEST_F(SemiHolonomic, TheContactFormBecomesIntegrableBesideASecondRow) {
  b.add_constraint("contact", z_dot - y * x_dot);
  b.add_constraint("plane", y_dot - 2.0 * x_dot);
  // two closed forms in three coordinates: their integral manifolds are curves
  EXPECT_EQ(find(), (Rows{kInSet, kByItself}));
}

TEST_F(SemiHolonomic, ARowThatIsClosedByItselfStaysSoBesideOneThatIsNot) {
  const auto w = b.add_coordinate("w");
  b.add_constraint("blade", b.sin(z) * x_dot - b.cos(z) * y_dot);
  b.add_constraint("line", b.q_dot(w) - b.sin(t));
  EXPECT_EQ(find(), (Rows{kNone, kByItself}));
}

TEST_F(SemiHolonomic, ThreeContactFormsAreIntegrableOnlyTogether) {
  const auto w = b.add_coordinate("w");
  b.add_constraint("a", z_dot - b.q(w) * x_dot);
  b.add_constraint("b", b.q_dot(w) - y * x_dot);
  b.add_constraint("c", y_dot - z * x_dot);
  // three closed forms in four coordinates: their integral manifolds are curves
  EXPECT_EQ(find(), (Rows{kInSet, kInSet, kInSet}));
}

TEST_F(SemiHolonomic, TimeInARowMakesItNonholonomic) {
  b.add_constraint("drift", x_dot - t * y_dot);
  EXPECT_EQ(find(), Rows{kNone});
}

TEST_F(SemiHolonomic, AnInhomogeneousRowIsTestedInSpaceAndTime) {
  b.add_constraint("chase", x_dot - y);
  EXPECT_EQ(find(), Rows{kNone});
}

TEST_F(SemiHolonomic, APositionRowCanCloseAVelocityRow) {
  b.add_constraint("contact", z_dot - y * x_dot);
  b.add_constraint("slope", y - x * x);
  EXPECT_EQ(find(), (Rows{kByItself, kNone}));  // on the surface y = x² the form is d(z − x³/3)
}

TEST_F(SemiHolonomic, StatedSpeedsMakeNoDifference) {
  b.add_speed("u1", b.cos(z) * x_dot + b.sin(z) * y_dot);
  b.add_speed("u2", b.cos(z) * y_dot - b.sin(z) * x_dot + z_dot);
  b.add_constraint("blade", b.terms().speed(model::SpeedId(std::size_t{1})) - z_dot);
  b.add_constraint("still", z_dot);
  EXPECT_EQ(find(), (Rows{kInSet, kByItself}));  // at constant z the blade moves along a line, so its row is integrable
}

TEST_F(SemiHolonomic, RowsNonlinearInVelocityAreNotForms) {
  b.add_constraint("speed", x_dot * x_dot + y_dot * y_dot - 1.0);
  EXPECT_EQ(find(), Rows{kNone});
}

}  // namespace
}  // namespace vinculum::equations
