#include <gtest/gtest.h>

#include "support/models.hpp"
#include "vinculum/compare/compare.hpp"

// Forces that are exactly zero appear as rounding of their terms; this must not count as a difference between laws.
namespace vinculum {
namespace forces_test {

/// A particle driven along a line, with a velocity constraint that states the same line.
std::string pushed(const std::string& size, const std::string& law) {
  return R"(model pushed
frame N newtonian
point O fixed in N
coord x, y [m]
param F = 0.7*)" +
         size + R"( [N], m = 3*)" + size + R"( [kg]
particle P mass m at O + x*N.x + y*N.y
force on P = F*(0.1*N.x + 0.3*N.y)
constraint row: 3*x' - y' = 0 [m/s])" +
         law + R"(
output Q = generalized_force(row)
output E = kinetic_energy
start x' = 0.1 [m/s], y' ~ 0.3 [m/s]
run 1 [s] tolerance 1e-11
)";
}

TEST(ForcesThatAreRounding, AreMeasuredByWhatWouldSpendTheEnergies) {
  for (const char* size : {"1e-9", "1", "1e9"}) {
    std::vector<compare::Variant> variants;
    for (const char* law : {"", "\n    law vakonomic"}) {
      const auto model = test_support::model_of_text(pushed(size, law));
      variants.push_back({law, test_support::compiled(model), sim::options_of(*model), {"Q"}, {}, {"E"}});
    }
    const compare::Comparison c = compare::compare(variants);
    bool was_seen = false;
    for (std::size_t i = 0; i < c.quantities.size(); ++i) {
      if (c.quantities[i].group != compare::Group::kForces) continue;
      was_seen = true;
      EXPECT_LT(c.variants[1].quantities[i].largest, 1e-9 * c.quantities[i].scale) << size << c.quantities[i].name;
    }
    EXPECT_TRUE(was_seen);
  }
}

}  // namespace forces_test
}  // namespace vinculum
