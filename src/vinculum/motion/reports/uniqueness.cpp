#include "vinculum/motion/reports/uniqueness.hpp"

#include <algorithm>

#include "vinculum/base/contract.hpp"
#include "vinculum/base/index.hpp"
#include "vinculum/base/tolerance.hpp"

namespace vinculum::sim {

std::vector<char> unaffected_by(const Matrix& gradient, const Matrix& N, std::span<double> clear,
                                const WithNoise& with_noise) {
  VINCULUM_EXPECTS(gradient.cols() == N.rows() && static_cast<Eigen::Index>(clear.size()) == gradient.rows());
  constexpr double kOfThisOrder = tolerance::kFloor, kFarAbove = 1.0 / tolerance::kBeside;
  std::vector<char> unique(clear.size(), 1);
  if (N.cols() == 0) return unique;
  // An entry that should be 0 in one column of N may be a rounding error of an entry of another column. So the largest
  // product of all columns is compared with the largest size of all columns.
  const Vector products = (gradient * N).cwiseAbs().rowwise().maxCoeff();
  const Vector sizes = (gradient.cwiseAbs() * N.cwiseAbs()).rowwise().maxCoeff();
  std::vector<int> doubtful;
  for (Eigen::Index row = 0; row < gradient.rows(); ++row) {
    if (products[row] <= tolerance::kUnique * sizes[row]) continue;
    const double known = nth(clear, row);
    if (known > 0.0 && products[row] > kOfThisOrder * known)
      nth(unique, row) = 0;
    else
      doubtful.push_back(static_cast<int>(row));
  }
  if (doubtful.empty()) return unique;

  // Numbers in a model text are accurate to a few units in their last place, so the error bounds are enlarged.
  const double slack = 1.0 + 2.0 * tolerance::kEqual / tolerance::kRounding;
  const Vector errors = slack * (errors_of(with_noise(doubtful)) * N.cwiseAbs()).rowwise().maxCoeff();
  for (std::size_t k = 0; k < doubtful.size(); ++k) {
    const Eigen::Index row = doubtful[k];
    if (products[row] <= tolerance::kUnique * sizes[row] + nth(errors, k)) continue;
    nth(unique, row) = 0;
    if (products[row] > kFarAbove * nth(errors, k)) nth(clear, row) = std::max(nth(clear, row), products[row]);
  }
  return unique;
}

}  // namespace vinculum::sim
