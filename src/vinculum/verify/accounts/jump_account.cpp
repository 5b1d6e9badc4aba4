#include "vinculum/verify/accounts/jump_account.hpp"

#include <algorithm>

namespace vinculum::sim {

void JumpAccount::passed(const Stretch& stretch) {
  const Binding& bound = stretch.dynamics.binding();
  const auto is_unilateral = [](const model::Constraint& one) { return one.unilateral.has_value(); };
  if (std::ranges::none_of(bound->model->constraints, is_unilateral)) return;
  first_ = bound->nq();
  nu_ = bound->nu();
  t_ = stretch.t_end;
  last_ = stretch.y_end;
}

void JumpAccount::set(const Vector& after) {
  if (last_.size() == 0) return;
  if (after.segment(first_, nu_) != last_.segment(first_, nu_)) jumps_.push_back({t_, last_, after});
  last_ = after;
}

}  // namespace vinculum::sim
