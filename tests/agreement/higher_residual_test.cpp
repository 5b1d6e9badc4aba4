#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "support/models.hpp"
#include "vinculum/compare/compare.hpp"

// Residuals of laws of higher order along motions under other laws, compared with closed forms: theory.md §6.5, 6.8.
namespace vinculum::compare {
namespace higher_residual_test {

Variant variant(const std::string& name, const std::string& text) {
  const auto bound = test_support::compiled(test_support::model_of_text(text));
  Variant result{name, bound, sim::options_of(*bound->compiled->model), {}, {}, {}};
  result.options.tolerance = 1e-12;
  return result;
}

/// Compares variants of a model text in which each of the laws is inserted for LAW.
Comparison compared(const std::string& text, const std::vector<std::string>& laws) {
  std::vector<Variant> variants;
  for (const std::string& law : laws) {
    std::string stated = text;
    stated.replace(stated.find("LAW"), 3, law);
    variants.push_back(variant(law, stated));
  }
  return compare(variants);
}

std::string primes(std::size_t count) { return std::string(count, '\''); }

constexpr double kMass = 1.3, kRate = 0.8, kSpeed = 0.9;

/// Model of a free mass with the constraint x^(p) = c^(p−1) y'. The reaction is R = (−1)^p μ^(p) along x, and c^(p−1)
/// μ' along y.
std::string link(std::size_t p) {
  return "model link\nparam m = 1.3, c = 0.8, v = 0.9\ncoord x, y\nlagrangian m/2*(x'^2 + y'^2)\nconstraint link: x" +
         primes(p) + " = c^" + std::to_string(p - 1) + "*y'\n    LAW\nstart y' = v, x' = 0.2\nrun 1 tolerance 1e-12\n";
}

// Under Gauss' principle y' = v is constant. m x'' = μ'' then gives μ' = m c v t + μ'(0), and the residual of the other
// law along y is c μ'.
TEST(ResidualOfHigherOrder, AlongTheMotionOfLeastConstraintFollowsTheClosedForm) {
  const Comparison c = compared(link(2), {"law ideal", "law vakonomic start mu = 0.3, mu' = 0.5"});
  const LawResidual& residual = c.residuals[1][0];
  ASSERT_TRUE(residual.is_computed) << residual.reason;
  const double rate = kMass * kRate * kSpeed;  // change of μ'
  const double left = kRate * (rate + 0.5);
  // Largest terms: m x'' along x, and the reaction along y at the end.
  const double size = std::hypot(kMass * kRate * kSpeed, left);
  EXPECT_NEAR(residual.equations, left / size, 1e-9);
  EXPECT_EQ(residual.t_equations, 1.0);
  EXPECT_LT(residual.rows, 1e-12);
  EXPECT_LT(c.residuals[0][0].equations, 1e-12);
  EXPECT_LT(c.residuals[1][1].equations, 1e-7);
  EXPECT_LT(c.residuals[1][1].rows, 1e-9);
  EXPECT_GT(c.residuals[0][1].equations, 1e-2);
}

// Motion and law differ only in their start values of μ. The residual along y is c^(p−1) (δμ)', where δμ is the
// polynomial with the differences of the start values.
TEST(ResidualOfHigherOrder, AlongTheMotionOfAnotherStartIsThePolynomialOfTheDifference) {
  for (std::size_t p = 2; p <= 5; ++p) {
    SCOPED_TRACE("p = " + std::to_string(p));
    std::string first = "law vakonomic start mu = 0.1", second = "law vakonomic start mu = 0.4";
    const double difference[] = {0.3, 0.2, -0.5, 0.4, 0.7};
    for (std::size_t k = 1; k < p; ++k) {
      first += ", mu" + primes(k) + " = 0";
      second += ", mu" + primes(k) + " = " + std::to_string(difference[k]);
    }
    const Comparison c = compared(link(p), {first, second});
    for (std::size_t i = 0; i < 2; ++i) {
      ASSERT_TRUE(c.residuals[i][i].is_computed) << c.residuals[i][i].reason;
      EXPECT_LT(c.residuals[i][i].equations, 1e-7);
      EXPECT_LT(c.residuals[i][i].rows, 1e-7);
    }
    // Residual at an instant, relative to the largest terms along the motion. R_0 contains only μ'.
    const sim::Trajectory& motion = c.variants[0].trajectory;
    double left = 0.0, size = 0.0;
    const double factor = std::pow(kRate, static_cast<double>(p - 1));
    for (const sim::Sample& sample : motion.samples) {
      double change = 0.0, power = 1.0;
      for (std::size_t k = 1; k < p; ++k) {
        change += difference[k] * power;
        power *= sample.t / static_cast<double>(k);
      }
      left = std::max(left, factor * std::abs(change));
      const Vector inertia = kMass * sample.reaction.u_dot().cwiseAbs();
      const double mu_rate = sample.z[1] + change;
      size = std::max(size, std::hypot(inertia[0], inertia[1] + factor * std::abs(mu_rate)));
    }
    const LawResidual& residual = c.residuals[1][0];
    ASSERT_TRUE(residual.is_computed) << residual.reason;
    EXPECT_EQ(residual.t_end, 1.0);
    EXPECT_NEAR(residual.equations, left / size, 2e-4 * left / size);  // largest terms at the samples only
  }
}

// The relation is nonlinear in the accelerations, so the reaction contains fourth derivatives of the motion.
TEST(ResidualOfHigherOrder, OfARelationNonlinearInAccelerationsVanishesAlongItsOwnMotionAlone) {
  const std::string text =
      "model plane\ncoord x, y\nlagrangian (x'^2 + y'^2)/2 - 0.3*y - 0.1*x^2\n"
      "constraint size: (x''^2 + y''^2)/2 = 0.5\n    LAW\nstart x' = 1, y' = 0.4\nrun 0.5 tolerance 1e-12\n";
  const Comparison c = compared(
      text, {"law ideal", "law vakonomic start mu = 0.5, mu' = 0.2", "law vakonomic start mu = 0.9, mu' = -0.3"});
  // The ideal law cannot be evaluated for rows that are nonlinear in the accelerations.
  EXPECT_FALSE(c.residuals[0][1].is_computed);
  for (std::size_t i = 1; i < 3; ++i) {
    for (std::size_t k = 0; k < 3; ++k) {
      ASSERT_TRUE(c.residuals[i][k].is_computed) << c.residuals[i][k].reason;
      EXPECT_EQ(c.residuals[i][k].t_end, 0.5);
      EXPECT_LT(c.residuals[i][k].rows, 1e-8);
      if (i == k)
        EXPECT_LT(c.residuals[i][k].equations, 1e-6) << i;
      else
        EXPECT_GT(c.residuals[i][k].equations, 1e-3) << i << k;
    }
  }
}

// For a holonomic constraint f, the relations f'' = 0 and f''' = 0 (with f'' = 0 at the start) give the motion of the
// ideal pendulum, for all start values of μ.
TEST(ResidualOfHigherOrder, OfADifferentiatedHolonomicConstraintVanishesAlongTheIdealMotion) {
  const std::string text =
      "model pendulum\ncoord x, y\nlagrangian (x'^2 + y'^2)/2 - 9.81*y\nconstraint rod: RELATION\n    LAW\n"
      "start x = 1, y = 0, x' = 0, y' = 0.5\nrun 1 tolerance 1e-12\n";
  const auto stated = [&](const std::string& relation, const std::string& law) {
    std::string all = text;
    all.replace(all.find("RELATION"), 8, relation);
    if (relation.find("'''") != relation.npos) all.replace(all.find("y' = 0.5"), 8, "y' = 0.5, x'' = -0.25");
    all.replace(all.find("LAW"), 3, law);
    return variant(law, all);
  };
  const Comparison c = compare(
      {stated("x^2 + y^2 = 1", "law ideal"),
       stated("x*x'' + y*y'' + x'^2 + y'^2 = 0", "law vakonomic start mu = 0.7, mu' = -0.4"),
       stated("x*x''' + y*y''' + 3*x'*x'' + 3*y'*y'' = 0", "law vakonomic start mu = 0.7, mu' = -0.4, mu'' = 0.2")});
  for (std::size_t law = 0; law < 3; ++law) {
    for (std::size_t motion = 0; motion < 3; ++motion) {
      const LawResidual& residual = c.residuals[law][motion];
      ASSERT_TRUE(residual.is_computed) << law << motion << residual.reason;
      EXPECT_LT(residual.equations, 1e-6) << law << motion;
      EXPECT_LT(residual.rows, 1e-6) << law << motion;
    }
  }
}

// A constraint of first order and an extra state in the same model follow their own laws.
TEST(ResidualOfHigherOrder, FollowsMultipliersOfFirstOrderBesideIt) {
  const std::string text =
      "model mixed\ncoord x, y, th, X, Y\n"
      "lagrangian (x'^2 + y'^2)/2 + th'^2/4 + (X'^2 + Y'^2)/2 + 0.3*th*X\n"
      "constraint skate: sin(th)*x' - cos(th)*y' = 0\n    LAW\n"
      "constraint link: X'' = Y' + 0.1*th'\n    law vakonomic start mu = 0, mu' = 0.5\nstate w' = X - w\n"
      "start th = 0.3, x' = cos(0.3), y' = sin(0.3), th' = 1, Y' = 1\nrun 1 tolerance 1e-12\n";
  const Comparison c = compared(text, {"law ideal", "law vakonomic start mu = 0.4", "law kozlov c = 2 start mu = 0.4"});
  for (std::size_t law = 0; law < 3; ++law) {
    for (std::size_t motion = 0; motion < 3; ++motion) {
      const LawResidual& residual = c.residuals[law][motion];
      ASSERT_TRUE(residual.is_computed) << law << motion << residual.reason;
      if (law == motion)
        EXPECT_LT(residual.equations, 1e-6) << law;
      else
        EXPECT_GT(residual.equations, 1e-2) << law << motion;
      EXPECT_LT(residual.rows, 1e-7) << law << motion;
    }
  }
}

TEST(ResidualOfHigherOrder, SaysWhyAMotionGivesNone) {
  const std::string text =
      "model rubbed\ncoord x, y, z\nframe N newtonian\npoint O fixed in N\n"
      "particle P mass 1 at O + x*N.x + z*N.z\nparticle Q mass 1 at O + y*N.y\ngravity -9.81*N.z\n"
      "constraint floor: dot(pos(P, O), N.z) = 0\nFRICTION"
      "constraint link: x'' = y'\n    LAW\nstart x' = 2, y' = 1\nrun 0.2\n";
  const auto stated = [&](const std::string& friction, const std::string& law) {
    std::string all = text;
    all.replace(all.find("FRICTION"), 8, friction);
    all.replace(all.find("LAW"), 3, law);
    return variant(law, all);
  };
  const Comparison c = compare({stated("    friction on P mu = 0.1\n", "law ideal"), stated("", "law vakonomic")});
  EXPECT_FALSE(c.residuals[1][0].is_computed);
  EXPECT_NE(c.residuals[1][0].reason.find("friction may stick"), std::string::npos) << c.residuals[1][0].reason;
}

}  // namespace higher_residual_test
}  // namespace vinculum::compare
