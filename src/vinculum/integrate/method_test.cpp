#include "vinculum/integrate/method.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace vinculum::integrate {
namespace {

/// Rooted trees, one for each order condition (Butcher; Hairer, Nørsett & Wanner I, II.2). They are constructed from
/// their definition, so that the check of the coefficients is independent of the integrator.
struct Tree {
  int order;
  std::vector<std::size_t> children;  // indices into the list of trees, not increasing
  double gamma;
};

void add_trees(std::vector<Tree>& trees, std::size_t known, int order, int left, std::vector<std::size_t>& children) {
  if (left == 0) {
    double gamma = order;
    for (const std::size_t child : children) gamma *= trees[child].gamma;
    trees.push_back({order, children, gamma});
    return;
  }
  const std::size_t first = children.empty() ? known : children.back() + 1;
  for (std::size_t child = 0; child < first; ++child) {
    if (trees[child].order > left) continue;
    children.push_back(child);
    add_trees(trees, known, order, left - trees[child].order, children);
    children.pop_back();
  }
}

std::vector<Tree> trees_up_to(int order) {
  std::vector<Tree> trees;
  for (int n = 1; n <= order; ++n) {
    std::vector<std::size_t> children;
    add_trees(trees, trees.size(), n, n - 1, children);
  }
  return trees;
}

/// Elementary weights Φ of every stage, for each tree. [trees][rows]
std::vector<std::vector<double>> stage_weights(const RungeKutta& method, const std::vector<Tree>& trees) {
  const auto rows = static_cast<std::size_t>(method.rows());
  std::vector<std::vector<double>> weights;
  for (const Tree& tree : trees) {
    std::vector<double> phi(rows, 1.0);
    for (const std::size_t child : tree.children) {
      for (std::size_t i = 0; i < rows; ++i) {
        double sum = 0.0;
        for (std::size_t j = 0; j < i; ++j) sum += method.a[i * rows + j] * weights[child][j];
        phi[i] *= sum;
      }
    }
    weights.push_back(phi);
  }
  return weights;
}

/// Largest violation of the order conditions Σ_j w_j Φ_j(tree) = θ^order/γ(tree) over the trees of the given order.
double violation(const std::vector<Tree>& trees, const std::vector<std::vector<double>>& weights, int order,
                 const std::vector<double>& w, double theta) {
  double worst = 0.0;
  for (std::size_t t = 0; t < trees.size(); ++t) {
    if (trees[t].order != order) continue;
    double sum = 0.0;
    for (std::size_t j = 0; j < w.size(); ++j) sum += w[j] * weights[t][j];
    worst = std::max(worst, std::abs(sum - std::pow(theta, order) / trees[t].gamma));
  }
  return worst;
}

std::vector<double> row(std::span<const double> table, int index, int rows) {
  const auto part = table.subspan(static_cast<std::size_t>(index * rows), static_cast<std::size_t>(rows));
  return {part.begin(), part.end()};
}

/// Weights b_j(θ) of the stages in the dense output at the fraction θ of a step.
std::vector<double> dense_weights(const RungeKutta& method, double theta) {
  const int rows = method.rows();
  const std::vector<double> b = row(method.a, method.stages, rows);
  std::vector<double> result;
  for (int j = 0; j < rows; ++j) {
    const double r0 = b[static_cast<std::size_t>(j)];
    const double r1 = (j == 0 ? 1.0 : 0.0) - r0;
    std::vector<double> r = {r0, r1, r0 - (j == method.stages ? 1.0 : 0.0) - r1};
    for (int i = 0; i < method.dense_rows; ++i) r.push_back(method.d[static_cast<std::size_t>(i * rows + j)]);
    // y = θ(r0 + (1−θ)(r1 + θ(r2 + …))), expanded term by term.
    double factor = theta;
    double sum = 0.0;
    for (std::size_t i = 0; i < r.size(); ++i) {
      sum += factor * r[i];
      factor *= i % 2 == 0 ? 1.0 - theta : theta;
    }
    result.push_back(sum);
  }
  return result;
}

// Ten times the largest measured error, 1.0e-14. That error is rounding: products of coefficients are up to 43, and in
// the dense output up to 528.
constexpr double kIdentity = 1e-13;
constexpr double kClearlyNot = 1e-6;

class EveryExplicitMethod : public ::testing::TestWithParam<const Method*> {};

TEST_P(EveryExplicitMethod, HasRowSumsEqualToItsNodes) {
  const RungeKutta& method = GetParam()->runge_kutta;
  const int rows = method.rows();
  ASSERT_EQ(method.a.size(), static_cast<std::size_t>(rows * rows));
  ASSERT_EQ(method.c.size(), static_cast<std::size_t>(rows));
  for (int i = 0; i < rows; ++i) {
    double sum = 0.0;
    for (const double a : row(method.a, i, rows)) sum += a;
    EXPECT_NEAR(sum, method.c[static_cast<std::size_t>(i)], kIdentity) << "row " << i;
    for (int j = i; j < rows; ++j) EXPECT_EQ(method.a[static_cast<std::size_t>(i * rows + j)], 0.0) << "explicit";
  }
}

TEST_P(EveryExplicitMethod, SatisfiesEveryOrderConditionUpToItsOrderAndNotBeyond) {
  const RungeKutta& method = GetParam()->runge_kutta;
  const std::vector<Tree> trees = trees_up_to(GetParam()->order + 1);
  const auto weights = stage_weights(method, trees);
  const std::vector<double> b = row(method.a, method.stages, method.rows());
  for (int order = 1; order <= GetParam()->order; ++order) {
    EXPECT_LT(violation(trees, weights, order, b, 1.0), kIdentity) << order;
  }
  EXPECT_GT(violation(trees, weights, GetParam()->order + 1, b, 1.0), kClearlyNot);
}

TEST_P(EveryExplicitMethod, IntegratesPolynomialsBelowItsOrderExactly) {
  const RungeKutta& method = GetParam()->runge_kutta;
  for (int degree = 0; degree < GetParam()->order; ++degree) {
    double sum = 0.0;
    for (int j = 0; j < method.stages; ++j) {
      sum += method.a[static_cast<std::size_t>(method.stages * method.rows() + j)] *
             std::pow(method.c[static_cast<std::size_t>(j)], degree);
    }
    EXPECT_NEAR(sum, 1.0 / (degree + 1), kIdentity) << degree;
  }
}

TEST_P(EveryExplicitMethod, ComparesWithSolutionsOfTheOrdersItNames) {
  const RungeKutta& method = GetParam()->runge_kutta;
  ASSERT_EQ(method.embedded_orders.size(), static_cast<std::size_t>(method.error_rows));
  const std::vector<Tree> trees = trees_up_to(GetParam()->order);
  const auto weights = stage_weights(method, trees);
  for (int i = 0; i < method.error_rows; ++i) {
    const std::vector<double> e = row(method.e, i, method.rows());
    const int embedded = method.embedded_orders[static_cast<std::size_t>(i)];
    for (int order = 1; order <= embedded; ++order) EXPECT_LT(violation(trees, weights, order, e, 0.0), kIdentity);
    EXPECT_GT(violation(trees, weights, embedded + 1, e, 0.0), kClearlyNot);
    EXPECT_EQ(method.error_uses_last, e[static_cast<std::size_t>(method.stages)] != 0.0);
  }
}

TEST_P(EveryExplicitMethod, HasADenseOutputOfTheOrderItNamesAtEveryPoint) {
  const RungeKutta& method = GetParam()->runge_kutta;
  const std::vector<Tree> trees = trees_up_to(GetParam()->dense_order + 1);
  const auto weights = stage_weights(method, trees);
  for (const double theta : {0.0, 0.1, 0.37, 0.5, 0.81, 1.0}) {
    const std::vector<double> b = dense_weights(method, theta);
    for (int order = 1; order <= GetParam()->dense_order; ++order) {
      EXPECT_LT(violation(trees, weights, order, b, theta), kIdentity) << "theta " << theta << " order " << order;
    }
  }
  EXPECT_GT(violation(trees, weights, GetParam()->dense_order + 1, dense_weights(method, 0.37), 0.37), kClearlyNot);
}

INSTANTIATE_TEST_SUITE_P(MethodTable, EveryExplicitMethod, ::testing::ValuesIn([] {
                           std::vector<const Method*> methods;
                           for (const Method& method : method_table())
                             if (method.runge_kutta.stages > 0) methods.push_back(&method);
                           return methods;
                         }()),
                         [](const auto& param) { return std::string(param.param->name); });

TEST(RootedTrees, AreAsManyAsCayleyCounted) {
  const std::vector<Tree> trees = trees_up_to(8);
  const int expected[] = {1, 1, 2, 4, 9, 20, 48, 115};
  for (int order = 1; order <= 8; ++order) {
    const auto is_of_order = [&](const Tree& tree) { return tree.order == order; };
    EXPECT_EQ(std::count_if(trees.begin(), trees.end(), is_of_order), expected[order - 1]);
  }
}

TEST(MethodTable, FindsItsRowsByNameAndNothingElse) {
  ASSERT_FALSE(method_table().empty());
  EXPECT_EQ(method_table().front().name, "dop853");
  for (const Method& method : method_table()) {
    EXPECT_EQ(find_method(method.name), &method);
    EXPECT_FALSE(method.source.empty());
  }
  EXPECT_EQ(find_method("dop85"), nullptr);
  EXPECT_EQ(find_method(""), &method_table().front());
  EXPECT_EQ(names_of(method_table()).size(), method_table().size());
}

}  // namespace
}  // namespace vinculum::integrate
