#include "vinculum/dynamics/integrability.hpp"

#include <gtest/gtest.h>

#include "vinculum/dynamics/derive.hpp"
#include "vinculum/mechanics/builder.hpp"

namespace vinculum::dynamics {
namespace {

using mechanics::Term;

class Integrability : public ::testing::Test {
 protected:
  mechanics::ModelBuilder b{"forms"};
  mechanics::CoordinateId qx = b.add_coordinate("x"), qy = b.add_coordinate("y"), qz = b.add_coordinate("z");
  Term x = b.q(qx), y = b.q(qy), z = b.q(qz), t = b.time();
  Term x_dot = b.q_dot(qx), y_dot = b.q_dot(qy), z_dot = b.q_dot(qz);

  std::vector<bool> find() {
    const auto system = *derive(*b.finish());
    return find_semiholonomic_rows(*system);
  }
};

TEST_F(Integrability, ARateOfAFunctionIsSemiholonomic) {
  b.add_constraint("sphere", x * x_dot + y * y_dot + z * z_dot);
  EXPECT_EQ(find(), std::vector<bool>{true});
}

TEST_F(Integrability, AFunctionTimesARateIsSemiholonomicToo) {
  b.add_constraint("scaled", (1.0 + y * y) * (y * x_dot + x * y_dot - b.cos(t)));
  EXPECT_EQ(find(), std::vector<bool>{true});
}

TEST_F(Integrability, TheKnifeEdgeIsNot) {
  b.add_constraint("blade", b.sin(z) * x_dot - b.cos(z) * y_dot);
  EXPECT_EQ(find(), std::vector<bool>{false});
}

TEST_F(Integrability, TheContactFormBecomesIntegrableBesideASecondRow) {
  b.add_constraint("contact", z_dot - y * x_dot);
  b.add_constraint("plane", y_dot - 2.0 * x_dot);
  EXPECT_EQ(find(), (std::vector<bool>{true, true}));  // two forms in three coordinates leave curves
}

TEST_F(Integrability, ARowThatIsClosedByItselfStaysSoBesideOneThatIsNot) {
  const auto w = b.add_coordinate("w");
  b.add_constraint("blade", b.sin(z) * x_dot - b.cos(z) * y_dot);
  b.add_constraint("line", b.q_dot(w) - b.sin(t));
  EXPECT_EQ(find(), (std::vector<bool>{false, true}));
}

TEST_F(Integrability, TimeInARowMakesItNonholonomic) {
  b.add_constraint("drift", x_dot - t * y_dot);
  EXPECT_EQ(find(), std::vector<bool>{false});
}

TEST_F(Integrability, AnInhomogeneousRowIsTestedInSpaceAndTime) {
  b.add_constraint("chase", x_dot - y);
  EXPECT_EQ(find(), std::vector<bool>{false});
}

TEST_F(Integrability, APositionRowCanCloseAVelocityRow) {
  b.add_constraint("contact", z_dot - y * x_dot);
  b.add_constraint("slope", y - x * x);
  EXPECT_EQ(find(), (std::vector<bool>{true, false}));  // on y = x² the form is d(z − x³/3)
}

TEST_F(Integrability, StatedSpeedsMakeNoDifference) {
  b.add_speed("u1", b.cos(z) * x_dot + b.sin(z) * y_dot);
  b.add_speed("u2", b.cos(z) * y_dot - b.sin(z) * x_dot + z_dot);
  b.add_constraint("blade", b.terms().speed(mechanics::SpeedId(std::size_t{1})) - z_dot);
  b.add_constraint("still", z_dot);
  EXPECT_EQ(find(), (std::vector<bool>{true, true}));  // at constant z the blade draws a line
}

TEST_F(Integrability, RowsNonlinearInVelocityAreNotForms) {
  b.add_constraint("speed", x_dot * x_dot + y_dot * y_dot - 1.0);
  EXPECT_EQ(find(), std::vector<bool>{false});
}

}  // namespace
}  // namespace vinculum::dynamics
