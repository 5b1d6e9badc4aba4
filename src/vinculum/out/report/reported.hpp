#pragma once

#include <array>
#include <span>
#include <vector>

#include "vinculum/dynamics/system.hpp"
#include "vinculum/sim/plant/dynamics.hpp"

namespace vinculum::out {

/// Numbers of terms and expressions at a state with its accelerations and reactions. Grows the System's graph.
class Reported {
 public:
  Reported(dynamics::System& system, std::span<const double> parameters, const sim::Sample& sample);
  [[nodiscard]] std::vector<double> of(std::span<const expr::Expr> values) const;
  [[nodiscard]] std::vector<double> of(mechanics::Term term) const;
  [[nodiscard]] double scalar(mechanics::Term term) const { return of(term)[0]; }
  [[nodiscard]] std::array<double, 3> vector(mechanics::Term term) const;

 private:
  dynamics::System& system_;
  std::vector<expr::Expr> symbols_;
  std::vector<double> values_;
};

}  // namespace vinculum::out
