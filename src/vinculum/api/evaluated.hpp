#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "vinculum/api/shared.hpp"
#include "vinculum/equations/system.hpp"

namespace vinculum {

/// Kernels for positions, velocities, Jacobians and energies of a model as functions of (t, q, u, z). A kernel is
/// compiled when it is first needed; afterwards evaluations allocate nothing.
class Evaluated {
 public:
  [[nodiscard]] static Result<std::unique_ptr<Evaluated>> make(const std::shared_ptr<const Model::Shared>& model,
                                                               const Model::Shared::SharedBinding& bound);

  /// Kinetic, potential and total energy [J, 3]; the first two are NaN if the model states a Lagrangian.
  [[nodiscard]] std::span<const double> energies(double t, std::span<const double> y);
  /// Index of a point or frame, for the functions below.
  [[nodiscard]] Result<int> find_point(std::string_view name);
  [[nodiscard]] Result<int> find_frame(std::string_view name);
  [[nodiscard]] int place_count() const { return static_cast<int>(places_.size()); }
  [[nodiscard]] bool is_frame(int place) const { return places_[static_cast<std::size_t>(place)].is_frame; }
  void position(int place, double t, std::span<const double> y, std::span<double> position);
  void velocity(int place, double t, std::span<const double> y, std::span<double> velocity);
  void jacobian(int place, double t, std::span<const double> y, std::span<double> J);

 private:
  struct Place {
    std::string name;
    bool is_frame;
    sim::BoundKernel position, velocity, jacobian;
  };
  Evaluated(std::shared_ptr<const Model::Shared> model, Model::Shared::SharedBinding bound,
            std::shared_ptr<equations::System> system)
      : model_(std::move(model)), bound_(std::move(bound)), system_(std::move(system)) {}
  [[nodiscard]] const model::Model& model() const { return *bound_->compiled->model; }
  [[nodiscard]] sim::BoundKernel compiled(const std::string& name, std::vector<expr::Expr> values);
  [[nodiscard]] int add_place(std::string name, bool is_frame, std::span<const model::Term> position,
                              model::Term velocity);
  void evaluate(const sim::BoundKernel& kernel, double t, std::span<const double> y, std::span<double> result);

  std::shared_ptr<const Model::Shared> model_;
  Model::Shared::SharedBinding bound_;
  std::shared_ptr<equations::System> system_;
  std::vector<Place> places_;
  sim::BoundKernel energies_;
  std::vector<double> energy_values_, input_, workspace_;
};

}  // namespace vinculum
