#include "vinculum/mechanics/sizes.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "vinculum/mechanics/builder.hpp"

namespace vinculum::mechanics {
namespace {

const Dimension kMetre = make_dimension(0, 1, 0);

/// A particle that starts at x = l and an angle, lengths and times stated in powers of two of the units.
struct Swing {
  ModelBuilder b{"swing"};
  std::vector<double> values;

  Swing(int length, int time) {
    b.model().has_units = true;
    const Term l = b.parameter(b.add_parameter("l", 0.75 * std::exp2(length), kMetre));
    values = {0.75 * std::exp2(length)};
    const CoordinateId x = b.add_coordinate("x", kMetre);
    (void)b.add_coordinate("phi");
    (void)b.add_coordinate("area", make_dimension(0, 2, 0));
    b.add_start({StartCondition::On::kCoordinate, x.value, StartKind::kHeld, -4.0 * l, {}});
    RunSettings run;
    run.duration = 3.0 * std::exp2(time);
    b.model().run = run;
  }
};

TEST(SizesOfTheText, AreTheSameInAllUnits) {
  for (const int length : {0, 20, -20}) {
    for (const int time : {0, 10, -10}) {
      Swing swing(length, time);
      const double metre = std::exp2(length), second = std::exp2(time);
      const Model& model = swing.b.model();
      const Vector q = stated_places(model, swing.values);
      EXPECT_EQ(q[0], -3.0 * metre);
      EXPECT_EQ(q[1], 0.0);
      const Vector reach = coordinate_reach(model, swing.values, q);
      EXPECT_EQ(reach[0], 3.0 * metre);
      EXPECT_EQ(reach[1], 1.0);                  // an angle
      EXPECT_EQ(reach[2], 9.0 * metre * metre);  // nothing of its dimension: a length of the model, squared
      EXPECT_EQ(coordinate_reach(model, swing.values, Vector::Zero(3))[0], 0.75 * metre);
      EXPECT_EQ(coordinate_scale(model, swing.values, Vector::Zero(3))[1], 1e-3);
      EXPECT_EQ(time_scale(model), 3.0 * second);
      const ModelUnits units(model, swing.values, q);
      EXPECT_DOUBLE_EQ(units.of(make_dimension(0, 1, -2)), 3.0 * metre / (9.0 * second * second));
      EXPECT_EQ(units.mass, 0.0);
      EXPECT_EQ(units.of(make_dimension(1, 0, 0)), 1.0);
    }
  }
}

}  // namespace
}  // namespace vinculum::mechanics
