#include "vinculum/model/unit_texts.hpp"

#include <gtest/gtest.h>

#include "vinculum/model/builder.hpp"

namespace vinculum::model {
namespace {

const Dimension kEnergy = make_dimension(1, 2, -2), kRate = make_dimension(0, 0, -1);

/// An angle declared in degrees, a length without a declared unit, and a constraint on the angle.
struct SwingInUnits {
  explicit SwingInUnits(bool has_units = true) {
    builder.model().has_units = has_units;
    angle = builder.add_coordinate("a");
    builder.model().coordinates.back().unit = {"rad", "deg", 0.5};
    length = builder.add_coordinate("x", make_dimension(0, 1, 0));
    (void)builder.complete_speeds();
    held = builder.add_constraint("held", builder.q(angle), {}, {});
  }
  Model& model() { return builder.model(); }
  TermPool& terms() { return *model().terms; }
  UnitText output(Term value, const Dimension& dimension) {
    Output output{"o", value, {}, dimension, {}};
    return units_of(model(), output).front();
  }

  ModelBuilder builder{"swing"};
  CoordinateId angle, length;
  ConstraintId held;
};

TEST(UnitTexts, AreThoseDeclaredAndElseSi) {
  SwingInUnits of;
  EXPECT_EQ(unit_of(of.model(), of.model().coordinates[0]), (UnitText{"rad", "deg", 0.5}));
  EXPECT_EQ(unit_of(of.model(), of.model().coordinates[1]).shown, "m");
  EXPECT_EQ(unit_of(of.model(), of.model().speeds[0]), (UnitText{"rad/s", "deg/s", 0.5}));
  EXPECT_EQ(unit_of(of.model(), of.model().speeds[1]).shown, "m/s");
  SwingInUnits without(false);
  EXPECT_EQ(unit_of(without.model(), without.model().coordinates[1]), UnitText{});
  EXPECT_EQ(unit_of_force(without.model(), true), UnitText{});
}

TEST(UnitTexts, OfAnOutputAreThoseOfTheVariableThatItIs) {
  SwingInUnits of;
  EXPECT_EQ(of.output(of.terms().coordinate(of.angle), {}).shown, "deg");
  EXPECT_EQ(of.output(of.terms().coordinate(of.angle, 2), kRate * kRate).shown, "deg/s^2");
  EXPECT_EQ(of.output(2.0 * of.terms().coordinate(of.angle), {}).shown, "");
}

TEST(UnitTexts, TellMomentsFromEnergies) {
  SwingInUnits of;
  EXPECT_EQ(of.output(of.terms().multiplier(of.held, 0), kEnergy).shown, "N*m");
  EXPECT_EQ(of.output(-of.terms().multiplier(of.held, 0), kEnergy).shown, "N*m");
  EXPECT_EQ(of.output(of.terms().coordinate(of.length), kEnergy).si, "m") << "a variable has its own unit";
  EXPECT_EQ(of.output(2.0 * of.terms().coordinate(of.length), kEnergy).si, "J");
  EXPECT_EQ(of.output(of.terms().zero_vector(), kEnergy).si, "N*m");
  EXPECT_EQ(unit_of_multiplier(of.model(), of.held, 0).si, "N*m");
}

TEST(UnitTexts, OfEntriesThatDifferAreOneEach) {
  SwingInUnits of;
  const Term force = of.terms().multiplier(of.held, 0);
  Output output{"o", {}, {}, {}, {}, {force, force}, {kEnergy, make_dimension(1, 1, -2)}};
  ASSERT_EQ(units_of(of.model(), output).size(), 2u);
  EXPECT_EQ(units_of(of.model(), output)[0].si, "N*m");
  EXPECT_EQ(units_of(of.model(), output)[1].si, "N");
  output.component_dimensions[1] = kEnergy;
  EXPECT_EQ(units_of(of.model(), output).size(), 1u);
}

}  // namespace
}  // namespace vinculum::model
