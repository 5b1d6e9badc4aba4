#pragma once

#include <optional>

#include "vinculum/api/shared.hpp"
#include "vinculum/linear/linear_equations.hpp"
#include "vinculum/report/linear_parts.hpp"

namespace vinculum {

/// One model at one state, with its equations for linear systems and the names of its quantities.
class AtState {
 public:
  AtState(std::shared_ptr<const Model::Shared> model, Model::Shared::SharedBinding bound);

  /// Reads the state, or the start of the model if none is given.
  [[nodiscard]] Result<void> place(const std::optional<State>& given, const Result<State>& start);

 protected:
  using Index = Eigen::Index;

  [[nodiscard]] Result<void> make(const linear::LinearEquations::Quantities& wanted);
  /// The accelerations at the state, from which nonlinear relations are solved. \returns an Error if there are none
  [[nodiscard]] Result<Vector> accelerations();
  /// An Error of kind "not-linear" for kNotUnique, and of the kind `none` for kAssembly.
  [[nodiscard]] Unexpected<Error> failed(const Failure& failure, std::string_view none = "no-equilibrium") const;
  /// Indices of named components of y.
  [[nodiscard]] Result<std::vector<Index>> components(const std::vector<std::string>& names) const;
  /// Whether only events, samples or inputs change the component.
  [[nodiscard]] bool is_held(Index component) const;
  [[nodiscard]] State state_of_components(double t, const Vector& y) const;
  [[nodiscard]] static std::vector<Entity> entities(const std::vector<report::Named>& all);

  std::shared_ptr<const Model::Shared> model_;
  Model::Shared::SharedBinding bound_;
  sim::Dynamics dynamics_;
  std::vector<report::Named> components_;
  double t_ = 0.0;
  Vector y_;
  std::optional<linear::LinearEquations> equations_;
};

}  // namespace vinculum
