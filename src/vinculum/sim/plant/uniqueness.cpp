#include "vinculum/sim/plant/uniqueness.hpp"

#include <algorithm>

#include "vinculum/base/contract.hpp"
#include "vinculum/base/index.hpp"
#include "vinculum/base/tolerance.hpp"

namespace vinculum::sim {

std::vector<char> unaffected_by(const Matrix& gradient, const Matrix& N, std::span<double> clear,
                                const WithNoise& with_noise) {
  VINCULUM_EXPECTS(gradient.cols() == N.rows() && static_cast<Eigen::Index>(clear.size()) == gradient.rows());
  constexpr double kOfThisOrder = 1e-3, kFarAbove = 1e6;
  std::vector<char> unique(clear.size(), 1);
  if (N.cols() == 0) return unique;
  const Matrix products = (gradient * N).cwiseAbs(), sizes = gradient.cwiseAbs() * N.cwiseAbs();
  std::vector<int> doubtful;
  for (Eigen::Index row = 0; row < gradient.rows(); ++row) {
    if ((products.row(row).array() <= tolerance::kUnique * sizes.row(row).array()).all()) continue;
    const double known = nth(clear, row);
    if (known > 0.0 && products.row(row).maxCoeff() > kOfThisOrder * known)
      nth(unique, row) = 0;
    else
      doubtful.push_back(static_cast<int>(row));
  }
  if (doubtful.empty()) return unique;

  const Matrix errors = errors_of(with_noise(doubtful)) * N.cwiseAbs();
  for (std::size_t k = 0; k < doubtful.size(); ++k) {
    const Eigen::Index row = doubtful[k];
    const auto error = errors.row(static_cast<Eigen::Index>(k)).array();
    const auto product = products.row(row).array();
    if ((product <= tolerance::kUnique * sizes.row(row).array() + error).all()) continue;
    nth(unique, row) = 0;
    const double largest = product.maxCoeff();
    if (largest > kFarAbove * error.maxCoeff()) nth(clear, row) = std::max(nth(clear, row), largest);
  }
  return unique;
}

}  // namespace vinculum::sim
