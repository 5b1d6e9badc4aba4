#include <gtest/gtest.h>

#include "support/elaborate/elaborated.hpp"
#include "vinculum/model/unit_texts.hpp"

// The unit in which an output is shown: that of a moment or of an energy, or the unit stated by `as`.
namespace vinculum::elaborate {
namespace {

/// A slider C on a motor, a bar attached to C at the angle a, and some parameters; `more` begins in line 18.
testing::Elaborated with_bar(const std::string& more) {
  return testing::elaborated(
      "model m\nframe N newtonian\npoint O fixed in N\ncoord s [mm], a [deg]\n"
      "param m = 1 [kg], L = 0.5 [m], k = 3 [N*m/rad], c = 1 [N*m*s/rad], T0 = 2 [N*m], F0 = 3 [N], J = 1 [kg*m^2]\n"
      "param V0 = 4 [J], w = 2 [rad/s], P0 = 5 [W], q = 0.3\nframe B = N rotated a about z\n"
      "particle C mass m at O + s*N.x\nbody bar frame B mass m inertia plane 0.02 [kg*m^2] at C + L*B.x\n"
      "gravity -9.81 [m/s^2]*N.y\ntorque on bar = -k*a*N.z\nconstraint slide: dot(pos(C, O), N.x) = 5 [mm]\n"
      "constraint turn: a = 0.1 [rad]\nconstraint pin: pos(bar, O) = 0.5 [m]*N.x along N.x\n"
      "    law directed along N.x + N.y\nconstraint hold: dot(omega(bar), N.z) = 0\n"
      "    via torque on bar along N.z\n" +
      more);
}

/// Units of an output of this expression, "N*m, J" if its entries differ. If the text has an error, its messages.
std::string units_shown_of(const std::string& expression) {
  const auto result = with_bar("output o = " + expression + "\n");
  if (result.model == nullptr) return result.messages;
  std::string units;
  for (const UnitText& one : model::units_of(*result.model, testing::output_of(result, "o")))
    units += (units.empty() ? "" : ", ") + one.shown;
  return units;
}

TEST(Moments, AreEnergiesPerAngle) {
  for (const char* moment : {"k*a",
                             "-k*a - c*a'",
                             "J*a''",
                             "T0",
                             "2*T0",
                             "T0*sin(a)",
                             "T0 if t < 1 [s] else 0",
                             "abs(T0)",
                             "max(k*a, 0)",
                             "-(T0)",
                             "sqrt(2)*T0",
                             "V0*a",
                             "P0/w",
                             "P0/a'",
                             "jacobian([potential_energy], [a])[1, 1]",
                             "dt(momentum(a))",
                             "k*atan2(s, L)",
                             "k*(a + 10 [deg])",
                             "3 [N*m]",
                             "2 [kN*mm]*q",
                             "T0*w/w",
                             "k*a^3",
                             "T0*(a/w)*(w/a)"})
    EXPECT_EQ(units_shown_of(moment), "N*m") << moment;
  for (const char* energy : {"k*a^2/2", "T0*a", "J*a'^2/2", "V0", "3 [J]", "kinetic_energy", "potential_energy",
                             "energy", "hamiltonian", "m*9.81 [m/s^2]*L", "F0*s", "k*a*a", "V0*sin(a)", "P0*t",
                             "P0/w*a", "T0*w/w*a", "m*dot(vel(C), vel(bar))", "F0*L"})
    EXPECT_EQ(units_shown_of(energy), "J") << energy;
}

TEST(Moments, AreVectorsAndTheirParts) {
  for (const char* moment : {"dot(torque(hold, bar), N.z)", "torque(hold, bar)", "cross(pos(bar, C), F0*N.y)",
                             "dot(cross(pos(bar, C), F0*N.y), N.z)", "norm(cross(pos(bar, C), F0*N.y))",
                             "dot(T0*N.z, B.z)", "L*F0*N.x", "dt(angular_momentum(bar, O))",
                             "dot(dt(angular_momentum(bar, O)), N.z)", "dot(cross(pos(bar, O), force(slide, C)), N.z)"})
    EXPECT_EQ(units_shown_of(moment), "N*m") << moment;
  for (const char* energy : {"dot(F0*N.x, pos(bar, O))", "dot(force(slide, C), pos(C, O))",
                             "dot(angular_momentum(bar, O), omega(bar))", "dot(reaction(slide, C), s*N.x)"})
    EXPECT_EQ(units_shown_of(energy), "J") << energy;
  for (const char* power :
       {"dot(torque(hold, bar), omega(bar))", "power(slide)", "T0*a'", "dot(force(slide, C), vel(C))"})
    EXPECT_EQ(units_shown_of(power), "W") << power;
}

TEST(Moments, AreRevealed) {
  const auto result = testing::with_plate(
      "reveal R: torque on plate along N.z, D.z\nreveal F: force on plate along N.x\noutput a = R\noutput b = -2*R[1]\n"
      "output c = F\noutput d = F*r\n");
  ASSERT_TRUE(result.model) << result.messages;
  for (const auto& [name, unit] : {std::pair{"a", "N*m"}, {"b", "N*m"}, {"c", "N"}, {"d", "N*m"}}) {
    EXPECT_EQ(model::units_of(*result.model, testing::output_of(result, name))[0].shown, unit) << name;
  }
}

TEST(Moments, AreReactionsOfAnglesAndReactionsTimesALever) {
  for (const char* moment : {"multiplier(turn)", "multiplier(slide)*L", "L*multiplier(slide)/2", "effort(hold, 1)",
                             "norm(force(slide, C))*L", "ideal_multiplier(turn)", "dot(force(slide, C), N.x)*L",
                             "generalized_force(turn)[2]", "Q_constraint[2]", "Q_ideal[2] + Q_nonideal[2]"})
    EXPECT_EQ(units_shown_of(moment), "N*m") << moment;
  EXPECT_EQ(units_shown_of("multiplier(slide)"), "N");
  EXPECT_EQ(units_shown_of("generalized_force(turn)"), "N, N*m");
  EXPECT_EQ(units_shown_of("Q_constraint"), "N, N*m");
  EXPECT_EQ(units_shown_of("[k*a, k*a^2, a, s]"), "N*m, J, deg, mm");
  EXPECT_EQ(units_shown_of("free_acceleration"), "m/s^2, rad/s^2");
}

TEST(Moments, AreWhatAsStates) {
  for (const auto& [text, unit] :
       std::vector<std::pair<std::string, std::string>>{{"m*9.81 [m/s^2]*L*cos(a) as [N*m]", "N*m"},
                                                        {"T0*a as [N*m]", "N*m"},
                                                        {"k*a as [J]", "J"},
                                                        {"k*a as [kN*mm]", "kN*mm"},
                                                        {"kinetic_energy as [mJ]", "mJ"},
                                                        {"2*a as [deg]", "deg"},
                                                        {"a as [rad]", "rad"},
                                                        {"s as [cm]", "cm"},
                                                        {"vel(bar) in B as [km/h]", "km/h"},
                                                        {"omega(bar) as [rpm]", "rpm"},
                                                        {"generalized_force(slide)[1] as [kN]", "kN"},
                                                        {"[s, 2*s] as [um]", "um"},
                                                        {"0 as [N]", "N"},
                                                        {"t as [ms]", "ms"}}) {
    EXPECT_EQ(units_shown_of(text), unit) << text;
  }
}

TEST(Moments, GoWithTheUnitThatIsStated) {
  EXPECT_EQ(with_bar("output o = k*a as [N]\n").messages,
            R"(m.vin:18:12: error: an output and its unit differ in dimension [dimension-mismatch]
  18 | output o = k*a as [N]
     |            ^^^ energy or torque, J
     |                   ^^^ force, N
  hint: its unit in SI is `[J]`
)");
  const auto head = [](const std::string& text) {
    const auto result = with_bar("output o = " + text + "\n");
    return result.diagnostics.empty() ? std::string() : result.diagnostics[0].message;
  };
  EXPECT_EQ(head("[s, a] as [mm]"), "the unit of an output is that of each of its entries");
  EXPECT_EQ(head("vel(C) as [m]"), "an output and its unit differ in dimension");
  EXPECT_EQ(head("s < 1 [m] as [m]"), "a condition has no unit");
  EXPECT_EQ(head("s as [furlong]"), "unknown unit `furlong`");
  EXPECT_EQ(head("s as m"), "expected a unit, found `m`");
  EXPECT_EQ(head("s as"), "expected a unit, found the end of the statement");
  // If the model contains no other unit, the stated unit is shown.
  const auto bare = testing::elaborated("model m\ncoord x\nlagrangian x'^2/2\noutput o = x\n");
  EXPECT_EQ(bare.messages, "");
}

}  // namespace
}  // namespace vinculum::elaborate
