#pragma once

#include <memory>
#include <span>
#include <vector>

#include "vinculum/api/shared.hpp"
#include "vinculum/equations/system.hpp"

namespace vinculum {

/// Evaluates positions, velocities, Jacobians and energies of a model as functions of (t, q, u, z). The compiled
/// function (kernel) of a quantity is made when the quantity is first needed; afterwards evaluations allocate nothing.
class Evaluated {
 public:
  [[nodiscard]] static Result<std::unique_ptr<Evaluated>> make(const std::shared_ptr<const Model::Shared>& model,
                                                               const Model::Shared::SharedBinding& bound);

  /// [3] Kinetic, potential and total energy in J; the first two are NaN if the model states a Lagrangian.
  [[nodiscard]] std::span<const double> energies(double t, std::span<const double> y);
  /// Index `place` by which the functions below refer to a point or frame of the model.
  [[nodiscard]] int point(std::size_t index);
  [[nodiscard]] int frame(std::size_t index);
  void position(int place, double t, std::span<const double> y, std::span<double> position);
  void velocity(int place, double t, std::span<const double> y, std::span<double> velocity);
  void jacobian(int place, double t, std::span<const double> y, std::span<double> J);

 private:
  struct Place {
    sim::BoundKernel position, velocity, jacobian;
  };
  Evaluated(std::shared_ptr<const Model::Shared> model, Model::Shared::SharedBinding bound,
            std::shared_ptr<equations::System> system)
      : model_(std::move(model)), bound_(std::move(bound)), system_(std::move(system)) {}
  [[nodiscard]] const model::Model& model() const { return *bound_->compiled->model; }
  [[nodiscard]] sim::BoundKernel compiled(const std::string& name, std::vector<expr::Expr> values);
  [[nodiscard]] int add_place(std::span<const model::Term> position, model::Term velocity);
  void evaluate(const sim::BoundKernel& kernel, double t, std::span<const double> y, std::span<double> result);

  std::shared_ptr<const Model::Shared> model_;
  Model::Shared::SharedBinding bound_;
  std::shared_ptr<equations::System> system_;
  std::vector<Place> places_;
  std::vector<int> of_points_, of_frames_;  ///< index into `places_` of each point or frame; -1 before its first use
  sim::BoundKernel energies_;
  std::vector<double> energy_values_, input_, workspace_;
};

}  // namespace vinculum
