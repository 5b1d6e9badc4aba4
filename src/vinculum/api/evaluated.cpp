#include "vinculum/api/evaluated.hpp"

#include <algorithm>
#include <limits>
#include <variant>

#include "vinculum/compiled/structure.hpp"
#include "vinculum/equations/derive.hpp"
#include "vinculum/expr/derivative.hpp"
#include "vinculum/model/inspect/hamiltonian.hpp"
#include "vinculum/model/inspect/inspection.hpp"
#include "vinculum/model/kinematic_tree.hpp"

namespace vinculum {

Result<std::unique_ptr<Evaluated>> Evaluated::make(const std::shared_ptr<const Model::Shared>& model,
                                                   const Model::Shared::SharedBinding& bound) {
  const auto lock = model->growing();
  auto system = sim::derive_all(bound->compiled->model);
  if (!system) return Unexpected<Error>{motion_error(*bound->compiled->model, nullptr, system.error())};
  return std::unique_ptr<Evaluated>(new Evaluated(model, bound, *std::move(system)));
}

sim::BoundKernel Evaluated::compiled(const std::string& name, std::vector<expr::Expr> values) {
  const codegen::KernelSpec spec{model().name + "." + name, sim::state_symbols(*system_), system_->parameters,
                                 std::move(values)};
  codegen::CompileOptions on_tape;
  on_tape.backend = codegen::Backend::kTape;
  sim::BoundKernel kernel{codegen::compile({&spec, 1}, on_tape)[0], {}};
  kernel.constants = kernel.kernel->prepare(bound_->parameters);
  workspace_.resize(std::max(workspace_.size(), kernel.kernel->workspace_size()));
  return kernel;
}

void Evaluated::evaluate(const sim::BoundKernel& kernel, double t, std::span<const double> y,
                         std::span<double> result) {
  input_.resize(y.size() + 1);
  input_[0] = t;
  std::ranges::copy(y, input_.begin() + 1);
  kernel.evaluate(input_.data(), result.data(), workspace_.data());
}

std::span<const double> Evaluated::energies(double t, std::span<const double> y) {
  if (!energies_.kernel) {
    const auto lock = model_->growing();
    const model::Model& model = this->model();
    const bool has_lagrangian = std::ranges::any_of(model.loads, [](const model::Load& load) {
      return std::holds_alternative<model::LagrangianFunction>(load.what);
    });
    const expr::Expr none = system_->graph->constant(std::numeric_limits<double>::quiet_NaN());
    const auto lowered = [&](model::Term term) { return equations::lower(*system_, term)[0]; };
    energies_ = compiled("energies", {has_lagrangian ? none : lowered(model::kinetic_energy(model)),
                                      has_lagrangian ? none : lowered(model::potential_energy(model)),
                                      lowered(model::total_energy(model))});
    energy_values_.resize(3);
  }
  evaluate(energies_, t, y, energy_values_);
  return energy_values_;
}

int Evaluated::add_place(std::span<const model::Term> position, model::Term velocity) {
  std::vector<expr::Expr> places, partial;
  for (const model::Term term : position) {
    for (const expr::Expr value : equations::lower(*system_, term)) places.push_back(value);
  }
  const std::vector<expr::Expr> rate = equations::lower(*system_, velocity);
  for (const expr::Expr value : rate) {
    for (const expr::Expr by_speed : expr::gradient(value, system_->u)) partial.push_back(by_speed);
  }
  places_.push_back(
      {compiled("position", std::move(places)), compiled("velocity", rate), compiled("jacobian", std::move(partial))});
  return static_cast<int>(places_.size()) - 1;
}

int Evaluated::point(std::size_t index) {
  of_points_.resize(model().points.size(), -1);
  if (of_points_[index] >= 0) return of_points_[index];
  const auto lock = model_->growing();
  const model::PointId point(index);
  model::TermPool& terms = *model().terms;
  const model::Term position = terms.position(point, model::KinematicTree(model()).origin_of(point));
  return of_points_[index] = add_place({&position, 1}, terms.velocity(point, model::kNewtonian));
}

int Evaluated::frame(std::size_t index) {
  of_frames_.resize(model().frames.size(), -1);
  if (of_frames_[index] >= 0) return of_frames_[index];
  const auto lock = model_->growing();
  const model::FrameId frame(index);
  model::TermPool& terms = *model().terms;
  const std::array axes = {terms.basis_vector(frame, 0), terms.basis_vector(frame, 1), terms.basis_vector(frame, 2)};
  return of_frames_[index] = add_place(axes, terms.angular_velocity(frame, model::kNewtonian));
}

void Evaluated::position(int place, double t, std::span<const double> y, std::span<double> position) {
  evaluate(places_[static_cast<std::size_t>(place)].position, t, y, position);
}
void Evaluated::velocity(int place, double t, std::span<const double> y, std::span<double> velocity) {
  evaluate(places_[static_cast<std::size_t>(place)].velocity, t, y, velocity);
}
void Evaluated::jacobian(int place, double t, std::span<const double> y, std::span<double> J) {
  evaluate(places_[static_cast<std::size_t>(place)].jacobian, t, y, J);
}

}  // namespace vinculum
