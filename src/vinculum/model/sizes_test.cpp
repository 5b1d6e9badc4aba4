#include "vinculum/model/sizes.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "vinculum/model/builder.hpp"

namespace vinculum::model {
namespace {

const Dimension kMetre = make_dimension(0, 1, 0);

/// A particle that starts at x = l, and an angle. The unit of length is 2^length metres, the unit of time 2^time
/// seconds.
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

TEST(SizesOfTheText, AreNotOfNumbersWhoseSquaresUnderflow) {
  for (const double tiny : {1e-160, 1e-300, std::numeric_limits<double>::denorm_min()}) {
    ModelBuilder b("tiny");
    b.model().has_units = true;
    (void)b.parameter(b.add_parameter("l", tiny, kMetre));
    const CoordinateId x = b.add_coordinate("x", kMetre);
    b.add_start({StartCondition::On::kCoordinate, x.value, StartKind::kHeld, b.number(tiny), {}});
    b.add_start({StartCondition::On::kCoordinateRate, x.value, StartKind::kHeld, b.number(tiny), {}});
    const std::vector<double> values{tiny};
    EXPECT_EQ(coordinate_reach(b.model(), values, stated_places(b.model(), values))[0], 1.0) << tiny;
  }
}

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
      EXPECT_EQ(reach[1], 1.0);  // the coordinate is an angle, for which 1 is typical
      // no number has this dimension, so it is the square of a length of the model
      EXPECT_EQ(reach[2], 9.0 * metre * metre);
      EXPECT_EQ(coordinate_reach(model, swing.values, Vector::Zero(3))[0], 0.75 * metre);
      EXPECT_EQ(coordinate_scale(model, swing.values, Vector::Zero(3))[1], 1e-3);
      // zero up to rounding, as after the assembly of a start
      const Vector rounding = Vector::Constant(3, 1e-24 * metre);
      EXPECT_EQ(coordinate_reach(model, swing.values, rounding),
                coordinate_reach(model, swing.values, Vector::Zero(3)));
      EXPECT_EQ(time_scale(model), 3.0 * second);
      const ModelUnits units(model, swing.values, q);
      EXPECT_DOUBLE_EQ(units.of(make_dimension(0, 1, -2)), 3.0 * metre / (9.0 * second * second));
      EXPECT_EQ(units.mass, 0.0);
      EXPECT_EQ(units.of(make_dimension(1, 0, 0)), 1.0);
    }
  }
}

/// A particle that starts at rest at 0 and is pushed by a force, or starts with a speed. The text contains no length.
TEST(SizesOfTheText, AreWhatAMotionAsStatedCoversWhereNoLengthIsStated) {
  for (const int length : {0, 20, -20}) {
    for (const bool has_force : {true, false}) {
      const double metre = std::exp2(length);
      ModelBuilder b("push");
      b.model().has_units = true;
      const CoordinateId x = b.add_coordinate("x", kMetre);
      const Term along = b.axis(Model::newtonian(), 0);
      const PointId O = b.add_fixed_point("O", Model::newtonian());
      const PointId P = b.point_of(b.add_particle("P", b.number(2.0), O, b.q(x) * along));
      if (has_force)
        b.add_force(P, 3.0 * metre * along);
      else
        b.add_start({StartCondition::On::kCoordinateRate, x.value, StartKind::kHeld, b.number(5.0 * metre), {}});
      RunSettings run;
      run.duration = 4.0;
      b.model().run = run;
      const double reach = coordinate_reach(b.model(), {}, Vector::Zero(1))[0];
      EXPECT_DOUBLE_EQ(reach, has_force ? 3.0 / 2.0 * 16.0 * metre : 20.0 * metre) << length;
      EXPECT_EQ(coordinate_reach(b.model(), {}, Vector::Constant(1, 1e-20 * metre))[0], reach) << length;
      EXPECT_EQ(coordinate_reach(b.model(), {}, Vector::Constant(1, 1e-3 * metre))[0], 1e-3 * metre) << length;
    }
  }
}

}  // namespace
}  // namespace vinculum::model
