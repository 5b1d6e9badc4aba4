#include "vinculum/api/at_state.hpp"

#include <algorithm>

#include "vinculum/base/tolerance.hpp"

namespace vinculum {

AtState::AtState(std::shared_ptr<const Model::Shared> model, Model::Shared::SharedBinding bound)
    : model_(std::move(model)), bound_(std::move(bound)), dynamics_(bound_) {
  using Group = report::Column::Group;
  for (const report::Column& column : report::columns_of(*bound_)) {
    for (int k = 0; k < column.count; ++k) {
      const report::Named named{entry_name(column, k), report::stated(column.unit(k).si)};
      if (column.group == Group::kState) components_.push_back(named);
    }
  }
}

Result<void> AtState::place(const std::optional<State>& given, const Result<State>& start) {
  if (!given && !start) return Unexpected<Error>{start.error()};
  const State& state = given ? *given : *start;
  if (given) {
    if (const auto checked = start_in(bound_, state, tolerance::kHalfDigits); !checked)
      return Unexpected<Error>{checked.error()};
  }
  const auto packed_state = packed(*bound_, state);
  if (!packed_state) return Unexpected<Error>{packed_state.error()};
  t_ = state.t;
  y_ = to_vector(*packed_state);
  return {};
}

Result<void> AtState::make(const linear::LinearEquations::Quantities& wanted) {
  const auto lock = model_->growing();
  auto made = linear::LinearEquations::make(bound_, wanted);
  if (!made) return failed(made.error());
  equations_.emplace(*std::move(made));
  return {};
}

Result<Vector> AtState::accelerations() {
  learn_scales(dynamics_, t_, {y_.data(), static_cast<std::size_t>(y_.size())});
  Vector rates = Vector::Zero(y_.size());
  if (const auto done = dynamics_.derivative(t_, y_.data(), rates.data()); !done)
    return Unexpected<Error>{motion_error(*model_->model, bound_->compiled->system.get(), done.error())};
  return Vector(rates.segment(bound_->compiled->nq(), bound_->compiled->nu()));
}

Unexpected<Error> AtState::failed(const Failure& failure, std::string_view none) const {
  const std::string_view kind = failure.kind == FailureKind::kNotUnique  ? "not-linear"
                                : failure.kind == FailureKind::kAssembly ? none
                                                                         : "";
  return {motion_error(*model_->model, bound_->compiled->system.get(), failure, kind)};
}

Result<std::vector<AtState::Index>> AtState::components(const std::vector<std::string>& names) const {
  std::vector<Index> found;
  for (const std::string& name : names) {
    const auto at = std::ranges::find(components_, name, &report::Named::name);
    if (at == components_.end()) return no_such("coordinate, speed or state", name, report::names_of(components_));
    found.push_back(at - components_.begin());
  }
  return found;
}

bool AtState::is_held(Index component) const {
  const Index z = component - equations_->nq() - equations_->nu();
  return z >= 0 && equations_->is_held()[static_cast<std::size_t>(z)] != 0;
}

State AtState::state_of_components(double t, const Vector& y) const {
  return unpacked(*bound_, t, {y.data(), static_cast<std::size_t>(y.size())});
}

std::vector<Entity> AtState::entities(const std::vector<report::Named>& all) {
  std::vector<Entity> result;
  for (const auto& [name, unit] : all) result.push_back({name, unit, ""});
  return result;
}

}  // namespace vinculum
