// Selection of one of several configurations. Values that rows determine by themselves come first, then stated guesses.
// Both take precedence over values without a statement.
#include <gtest/gtest.h>

#include <cmath>

#include "support/models.hpp"
#include "vinculum/start/assembly.hpp"

namespace vinculum::sim {
namespace guesses_test {

const char* const kLinkage =
    "model m\nframe N newtonian\npoint O fixed in N\ncoord p, q, s\nframe A = N rotated p about z\nframe B = N rotated "
    "q "
    "about z\nframe C = N rotated s about z\npoint K = O + 0.2*A.x\npoint P2 = K + 0.5*B.x\npoint D = O + "
    "0.5*N.x\npoint P1 = D "
    "+ 0.4*C.x\nbody a frame A mass 1 inertia plane 1 at O\nbody b frame B mass 1 inertia plane 1 at K\nbody c frame C "
    "mass 1 "
    "inertia plane 1 at D\nconstraint pin: pos(P1, P2) = 0 along N.x, N.y\n";

struct Case {
  const char* name;
  std::string text;
  std::vector<double> q;  ///< expected coordinates at the start
};

// A linkage with its crank at s has two configurations: p = 2.0265926, which is closest to the guesses, and p = 0.7.
TEST(Guesses, LeadToThePoseNextToThem) {
  const double p = 2.0265926, q = 0.4092003;
  const std::string next = "start p ~ 2.0, q ~ 0.4\nrun 0\n", linkage = kLinkage;
  const Case cases[] = {
      {"the crank's row", linkage + "constraint goal: s = 1.9\n" + next, {p, q, 1.9}},
      {"the crank's row by another unit", linkage + "constraint goal: 1e6*s = 1.9e6\n" + next, {p, q, 1.9}},
      {"a row that is not linear", linkage + "constraint goal: exp(s) = exp(1.9)\n" + next, {p, q, 1.9}},
      {"the time in the row", linkage + "constraint goal: s = 1.9 + 2*t\n" + next, {p, q, 1.9}},
      {"one row behind the other",
       linkage + "coord r\nlagrangian r'^2/2\nconstraint first: r = 0.95\nconstraint second: s = 2*r\n" + next,
       {p, q, 1.9, 0.95}},
      {"nothing states the crank, and no row does",
       linkage + "start p ~ 2.0265926, q ~ 0.4092003\nrun 0\n",
       {p, q, 1.9}},
      {"the crank is held", linkage + "start s = 1.9\n" + next, {p, q, 1.9}},
  };
  for (const Case& one : cases) {
    SCOPED_TRACE(one.name);
    Dynamics dynamics(test_support::compiled(test_support::model_of_text(one.text)));
    const auto start = assemble(dynamics);
    ASSERT_TRUE(start) << start.error().message;
    for (std::size_t i = 0; i < one.q.size(); ++i)
      EXPECT_NEAR(start->q[static_cast<Eigen::Index>(i)], one.q[i], 2e-3) << i;
    EXPECT_TRUE(start->by_chance.empty()) << start->by_chance.front();
  }
}

// Values without a statement change before stated guesses do.
TEST(Guesses, WeighMoreThanWhatNothingStates) {
  const Case cases[] = {
      {"of a sum",
       "model m\ncoord x, y\nlagrangian (x'^2 + y'^2)/2\nconstraint c: x + y = 3\nstart x ~ 1\nrun 0\n",
       {1.0, 2.0}},
      {"of a product",
       "model m\ncoord x, y, z\nlagrangian (x'^2 + y'^2 + z'^2)/2\nconstraint c: x*y + z = 5\nstart x ~ 1, y ~ 2\nrun "
       "0\n",
       {1.0, 2.0, 3.0}},
      {"where nothing is stated all change alike",
       "model m\ncoord x, y\nlagrangian (x'^2 + y'^2)/2\nconstraint c: x + y = 3\nrun 0\n",
       {1.5, 1.5}},
      {"where all is stated too",
       "model m\ncoord x, y\nlagrangian (x'^2 + y'^2)/2\nconstraint c: x + y = 3\nstart x ~ 1, y ~ 1\nrun 0\n",
       {1.5, 1.5}},
  };
  for (const Case& one : cases) {
    SCOPED_TRACE(one.name);
    Dynamics dynamics(test_support::compiled(test_support::model_of_text(one.text)));
    const auto start = assemble(dynamics);
    ASSERT_TRUE(start) << start.error().message;
    for (std::size_t i = 0; i < one.q.size(); ++i)
      EXPECT_NEAR(start->q[static_cast<Eigen::Index>(i)], one.q[i], 2e-3) << i;
  }
}

TEST(Guesses, FarFromTheStartAreNamed) {
  Dynamics dynamics(test_support::compiled(test_support::model_of_text(
      std::string(kLinkage) + "constraint goal: s = 1.9\nstart p ~ -2.0, q ~ 3.4\nrun 0\n")));
  const auto start = assemble(dynamics);
  ASSERT_TRUE(start) << start.error().message;
  ASSERT_FALSE(start->by_chance.empty());
  EXPECT_NE(start->by_chance.front().find("far from its guess"), std::string::npos) << start->by_chance.front();
}

}  // namespace guesses_test
}  // namespace vinculum::sim
