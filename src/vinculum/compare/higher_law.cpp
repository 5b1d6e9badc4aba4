#include "vinculum/compare/higher_law.hpp"

#include <algorithm>
#include <initializer_list>

#include "vinculum/base/contract.hpp"
#include "vinculum/base/index.hpp"
#include "vinculum/equations/derive.hpp"
#include "vinculum/expr/derivative.hpp"
#include "vinculum/higher_order/higher_order.hpp"

namespace vinculum::compare {

using expr::Expr;

HigherLaw::HigherLaw(std::shared_ptr<const model::Model> law, const std::vector<double>& parameters,
                     const std::vector<int>& multipliers)
    : parameters_(parameters), is_multiplier_(law->states.size(), 0) {
  for (const int state : multipliers) nth(is_multiplier_, state) = 1;
  const auto stated = equations::derive(std::move(law));
  VINCULUM_EXPECTS(stated);
  stated_ = *stated;
  const auto closed = reaction_laws::close(stated_);
  VINCULUM_EXPECTS(closed && (*closed)->higher);
  closed_ = *closed;
  for (const model::ConstraintId id : closed_->higher->constraint_of_mu)
    highest_ = std::max(highest_, 2 * static_cast<int>(closed_->model->constraint(id).level) - 1);
  write_equations();
  write_rates(multipliers);
}

void HigherLaw::write_equations() {
  const equations::HigherOrder& h = *closed_->higher;
  expr::Graph& graph = *closed_->graph;
  const std::size_t nu = closed_->u.size(), count = h.F.size();
  std::vector<Expr> inputs{closed_->t};
  for (const std::vector<Expr>* more :
       std::initializer_list<const std::vector<Expr>*>{&closed_->q, &closed_->u, &closed_->z, &h.top})
    inputs.insert(inputs.end(), more->begin(), more->end());
  first_top_ = static_cast<Eigen::Index>(inputs.size() - h.top.size());
  values_ = Vector::Zero(static_cast<Eigen::Index>(inputs.size()));
  for (std::size_t a = 0; a < count; ++a) {
    const auto mu = closed_->model->constraint(h.constraint_of_mu[a]).law->mu();
    const int place = h.z_dot[mu.back()[static_cast<std::size_t>(h.row_of_mu[a])].index()];
    unknown_.push_back(place >= 0 ? inputs[static_cast<std::size_t>(1 + place)]
                                  : h.top[static_cast<std::size_t>(-1 - place)]);
  }
  std::vector<Expr> R(nu, graph.constant(0.0));
  for (const auto& of_constraint : h.R) {
    for (std::size_t r = 0; r < nu; ++r) R[r] += of_constraint[r];
  }
  std::vector<Expr> roots = expr::substitute(R, unknown_, std::vector<Expr>(count, graph.constant(0.0)));
  std::vector<Expr> W(nu * count, graph.constant(0.0));
  for (const expr::Entry& entry : expr::sparse_jacobian(R, unknown_))
    W[static_cast<std::size_t>(entry.row) * count + static_cast<std::size_t>(entry.column)] = entry.value;
  roots.insert(roots.end(), W.begin(), W.end());
  roots.insert(roots.end(), h.F.begin(), h.F.end());
  const std::vector<Expr> moving(inputs.begin() + 1, inputs.end());
  for (const Expr& F : h.F) {
    const std::vector<Expr> slopes = expr::gradient(F, moving);
    Expr size = graph.constant(0.0);
    for (std::size_t i = 0; i < moving.size(); ++i) size += expr::absolute(slopes[i] * moving[i]);
    roots.push_back(size);
  }
  inputs.insert(inputs.end(), closed_->parameters.begin(), closed_->parameters.end());
  equations_ = std::make_unique<expr::TaylorSeries>(std::move(roots), std::move(inputs), 0);
}

/// Writes the rates of the multipliers as the laws state them. The highest derivative of a multiplier μ of higher order
/// is an unknown x.
void HigherLaw::write_rates(const std::vector<int>& multipliers) {
  const equations::HigherOrder& h = *closed_->higher;
  std::vector<Expr> roots, inputs{stated_->t};
  for (const auto* more : {&stated_->q, &stated_->u, &stated_->z, &stated_->lambda})
    inputs.insert(inputs.end(), more->begin(), more->end());
  for (std::size_t a = 0; a < h.F.size(); ++a) {
    const auto mu = stated_->model->constraint(h.constraint_of_mu[a]).law->mu();
    inputs.push_back(stated_->z_dot[mu.back()[static_cast<std::size_t>(h.row_of_mu[a])].index()]);
  }
  for (const int state : multipliers) roots.push_back(stated_->z_dot[static_cast<std::size_t>(state)]);
  rate_count_ = static_cast<Eigen::Index>(roots.size());
  inputs.insert(inputs.end(), stated_->parameters.begin(), stated_->parameters.end());
  rates_ = std::make_unique<expr::TaylorSeries>(std::move(roots), std::move(inputs), 0);
}

/// Writes the derivatives 1, 2, … of one quantity to the positions of its rates in the state; the last one is a highest
/// derivative.   \param place  position of the first derivative   \param of  index of the quantity
void HigherLaw::follow(int place, const std::vector<Vector>& derivatives, Eigen::Index of) {
  const int first_state = closed_->nq() + closed_->nu();
  for (std::size_t k = 1; k < derivatives.size(); ++k) {
    at(place) = derivatives[k][of];
    if (place < 0) return;
    place = nth(closed_->higher->z_dot, place - first_state);
  }
}

void HigherLaw::take(double t, const Vector& y, const Derivatives& motion) {
  const equations::HigherOrder& h = *closed_->higher;
  const auto of_model = static_cast<Eigen::Index>(closed_->nq() + closed_->nu()) +
                        static_cast<Eigen::Index>(closed_->model->states.size());
  values_.setZero();
  values_[0] = t;
  values_.segment(1, of_model) = y.head(of_model);
  for (int r = 0; r < closed_->nu(); ++r) follow(nth(h.u_dot, r), motion.u, r);
  for (std::size_t i = 0; i < is_multiplier_.size(); ++i) {
    if (is_multiplier_[i] == 0) follow(h.z_dot[i], motion.z, static_cast<Eigen::Index>(i));
  }
  for (std::size_t i = 0; i < static_cast<std::size_t>(values_.size()); ++i)
    equations_->set(i, 0, values_[static_cast<Eigen::Index>(i)]);
  for (std::size_t i = 0; i < parameters_.size(); ++i)
    equations_->set(static_cast<std::size_t>(values_.size()) + i, 0, parameters_[i]);
  equations_->compute(0);
  const Eigen::Index nu = closed_->nu(), count = static_cast<Eigen::Index>(unknown_.size());
  std::size_t next = 0;
  const auto read = [&](auto& target) {
    for (double& one : target) one = (*equations_)(next++, 0);
  };
  R_0_.resize(nu);
  F_.resize(count);
  F_size_.resize(count);
  W_.resize(nu, count);
  read(R_0_);
  for (Eigen::Index r = 0; r < nu; ++r) {
    for (Eigen::Index a = 0; a < count; ++a) W_(r, a) = (*equations_)(next++, 0);
  }
  read(F_);
  read(F_size_);
}

Vector HigherLaw::rates(const Vector& x, const Vector& lambda) {
  const auto of_model = static_cast<std::size_t>(1 + stated_->nq() + stated_->nu() + stated_->nz());
  std::size_t next = 0;
  for (; next < of_model; ++next) rates_->set(next, 0, values_[static_cast<Eigen::Index>(next)]);
  for (const Vector* more : {&lambda, &x}) {
    for (const double one : *more) rates_->set(next++, 0, one);
  }
  for (const double one : parameters_) rates_->set(next++, 0, one);
  rates_->compute(0);
  Vector result(rate_count_);
  for (Eigen::Index i = 0; i < rate_count_; ++i) result[i] = (*rates_)(static_cast<std::size_t>(i), 0);
  return result;
}

}  // namespace vinculum::compare
