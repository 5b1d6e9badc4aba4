#pragma once

#include <span>
#include <vector>

#include "vinculum/base/linear_algebra.hpp"
#include "vinculum/equations/form_parts.hpp"
#include "vinculum/equations/rate_solver.hpp"

namespace vinculum::equations {

/// Evaluates expressions of t, q and the parameters at given states, the probes.
class FormProbes {
 public:
  /// \param x  [nq + 1] symbols of q and t, to which `states` gives values
  FormProbes(const System& system, const std::vector<expr::Expr>& x, std::span<const double> parameters,
             const std::vector<std::vector<double>>& states);
  [[nodiscard]] std::size_t count() const { return states_.size(); }
  [[nodiscard]] Matrix of(const ExprMatrix& rows, std::size_t probe) const;
  [[nodiscard]] std::vector<Matrix> of(const ExprMatrix& rows) const;
  /// The values of `rows` at each probe, with each column multiplied by its scale.
  [[nodiscard]] std::vector<Matrix> of(const ExprMatrix& rows, const Columns& columns) const;

 private:
  std::vector<expr::Expr> symbols_;
  std::vector<std::vector<double>> states_;
};

/// Generic rank: the largest rank over the probes. At a single probe the rank may be lower.
[[nodiscard]] int generic_rank(const std::vector<Matrix>& at_probes);

}  // namespace vinculum::equations
