#include "vinculum/sensitivity/values_at.hpp"

#include "vinculum/expr/derivative.hpp"

namespace vinculum::sensitivity {

using expr::Expr;

ValuesAt::ValuesAt(std::vector<Expr> f, const sim::MotionEquations& of, std::span<const double> parameters,
                   const sim::ParameterRates& rates)
    : ny_(of.state.size() - 1), rates_(rates.rates) {
  const auto size = [](std::size_t count) { return static_cast<Eigen::Index>(count); };
  const Eigen::Index count = size(f.size());
  value_ = by_t_ = Vector::Zero(count);
  by_y_ = Matrix::Zero(count, size(ny_));
  by_changed_ = Matrix::Zero(count, size(rates.by.size()));
  by_p_ = Matrix::Zero(count, rates.rates.cols());
  if (f.empty()) return;
  std::vector<Expr> columns = of.state;
  for (const std::size_t parameter : rates.by) columns.push_back(of.system->parameters[parameter]);
  entries_ = expr::sparse_jacobian(f, columns);
  for (const expr::Entry& entry : entries_) f.push_back(entry.value);
  series_ = std::make_unique<expr::TaylorSeries>(std::move(f), sim::concatenated({of.state, of.system->parameters}), 0);
  for (std::size_t i = 0; i < parameters.size(); ++i) series_->set(of.state.size() + i, 0, parameters[i]);
}

void ValuesAt::compute(double t, const double* y) {
  if (series_ == nullptr) return;
  series_->set(0, 0, t);
  for (std::size_t i = 0; i < ny_; ++i) series_->set(i + 1, 0, y[i]);
  series_->compute(0);
  for (Eigen::Index i = 0; i < value_.size(); ++i) value_[i] = (*series_)(static_cast<std::size_t>(i), 0);
  for (std::size_t k = 0; k < entries_.size(); ++k) {
    const double value = (*series_)(static_cast<std::size_t>(value_.size()) + k, 0);
    const auto [row, column] = std::pair<Eigen::Index, Eigen::Index>(entries_[k].row, entries_[k].column);
    if (column == 0)
      by_t_[row] = value;
    else if (column <= by_y_.cols())
      by_y_(row, column - 1) = value;
    else
      by_changed_(row, column - 1 - by_y_.cols()) = value;
  }
  by_p_.noalias() = by_changed_ * rates_;
}

bool ValuesAt::is_finite() const {
  return value_.allFinite() && by_t_.allFinite() && by_y_.allFinite() && by_p_.allFinite();
}

}  // namespace vinculum::sensitivity
