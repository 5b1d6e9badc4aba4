#include "vinculum/linear/linear_equations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "vinculum/base/tolerance.hpp"
#include "vinculum/compiled/output_expressions.hpp"
#include "vinculum/expr/derivative.hpp"

namespace vinculum::linear {
namespace {

using equations::System;
using expr::Expr;

Failure not_linear(std::string message, std::string advice) {
  Failure failure;
  failure.kind = FailureKind::kNotUnique;
  failure.message = std::move(message);
  failure.advice = std::move(advice);
  return failure;
}

/// Refuses friction, with the name of its constraint.
Outcome<void> refuse_friction(const sim::CompiledModel& compiled) {
  if (compiled.system->slides.empty()) return {};
  const model::ConstraintId id = compiled.system->slides.front().constraint;
  const std::string of = id.is_valid() ? "of constraint `" + compiled.model->constraint(id).name + "` " : "";
  Failure failure =
      not_linear("the dry friction " + of + "sticks or slides, so the motion has no linear system at this state",
                 "linearize the model without this friction, or with viscous friction");
  if (id.is_valid()) failure.constraints = {static_cast<int>(id.index())};
  return fail(std::move(failure));
}

}  // namespace

Outcome<LinearEquations> LinearEquations::make(std::shared_ptr<const sim::Binding> bound, const Quantities& wanted) {
  if (auto smooth = refuse_friction(*bound); !smooth) return fail(std::move(smooth.error()));
  auto motion = sim::motion_equations(bound->compiled->model, bound->embedding());
  if (!motion) return fail(std::move(motion.error()));
  LinearEquations made(std::move(bound), *std::move(motion));
  made.find_held();
  if (auto done = made.find_conditions(wanted.parameters); !done) return fail(std::move(done.error()));
  if (auto done = made.add_outputs(wanted.outputs); !done) return fail(std::move(done.error()));
  made.parameters_ = sim::parameter_rates(made.system(), *made.bound_, wanted.parameters);
  made.compile();
  return made;
}

void LinearEquations::find_held() {
  const System& of = system();
  is_held_.assign(of.z.size(), 0);
  for (std::size_t i = 0; i < is_held_.size(); ++i) {
    const bool is_of_model = i < of.model->states.size();
    is_held_[i] = of.z_dot[i].is_zero() || (is_of_model && of.model->states[i].is_of_input) ? 1 : 0;
  }
}

Outcome<void> LinearEquations::find_conditions(std::span<const std::size_t> parameters) {
  const System& of = system();
  std::vector<Expr> inputs;
  for (const std::size_t parameter : parameters) inputs.push_back(of.parameters[parameter]);
  const auto add = [&](Expr condition) {
    if (condition.is_valid()) conditions_.push_back(condition);
  };
  for (std::size_t i = 0; i < of.rows.size(); ++i) {
    const equations::Row& row = of.rows[i];
    if (!sim::restricts_speeds(bound_->embedding()[i])) continue;
    const std::size_t first = conditions_.size();
    row.conditions.empty() ? add(row.phi) : sim::append(conditions_, row.conditions);
    add(row.psi);
    for (std::size_t p = 0; p < inputs.size(); ++p) {
      if (std::ranges::none_of(std::span(conditions_).subspan(first),
                               [&](Expr c) { return expr::depends_on(c, std::span(&inputs[p], 1)); }))
        continue;
      Failure failure =
          not_linear(fmt::format("parameter `{}` occurs in constraint `{}`, so the motion depends on its rates too",
                                 of.model->parameters[parameters[p]].name, of.model->constraint(row.constraint).name),
                     "use a force, or a coordinate with a servo constraint, as the input");
      failure.rows = {static_cast<int>(i)};
      return fail(std::move(failure));
    }
  }
  for (const auto& quaternion : of.quaternions) {
    Expr norm = of.graph->constant(-1.0);
    for (const int i : quaternion) norm += of.q[static_cast<std::size_t>(i)] * of.q[static_cast<std::size_t>(i)];
    conditions_.push_back(norm);
  }
  if (of.higher) sim::append(conditions_, of.higher->hidden);
  for (const char depends : expr::which_depend_on(conditions_, of.u)) is_position_.push_back(depends == 0 ? 1 : 0);
  return {};
}

Outcome<void> LinearEquations::add_outputs(std::span<const std::size_t> outputs) {
  for (const std::size_t index : outputs) {
    const std::vector<Expr> components = sim::output_expressions(equations_, index);
    if (components.empty()) {
      Failure failure = not_linear(
          fmt::format("output `{}` contains a quantity that is not a function of state, accelerations and forces",
                      system().model->outputs[index].name),
          "linearize without this output");
      failure.statements = {{StatementId::Kind::kOutput, static_cast<int>(index)}};
      return fail(std::move(failure));
    }
    sim::append(equations_.S, components);
  }
  return {};
}

void LinearEquations::compile() {
  const std::span<const Expr> y(equations_.state.begin() + 1, equations_.state.end());
  c_y_ = expr::sparse_jacobian(conditions_, y);
  gradient_ = std::make_unique<sim::MotionGradient>(equations_, bound_->parameters, parameters_.by);
  const std::vector<Expr> symbols = sim::concatenated({equations_.state, system().parameters});
  const auto series = [&](std::vector<Expr> roots) {
    auto made = std::make_unique<expr::TaylorSeries>(std::move(roots), symbols, 0);
    for (std::size_t i = 0; i < bound_->parameters.size(); ++i)
      made->set(equations_.state.size() + i, 0, bound_->parameters[i]);
    return made;
  };
  std::vector<Expr> roots = conditions_;
  for (const expr::Entry& entry : c_y_) roots.push_back(entry.value);
  condition_values_ = series(std::move(roots));

  switches_ = std::make_unique<sim::Switches>(*system().graph, equations_.state, system().parameters);
  switches_->collect(sim::concatenated({equations_.E, equations_.S, conditions_}));
  std::vector<Expr> sides;
  for (const auto& surface : switches_->surfaces()) {
    sides.push_back(surface.x);
    sides.push_back(surface.is_floor() ? surface.x : surface.y);
  }
  surface_values_ = series(std::move(sides));
}

namespace {

void set_state(expr::TaylorSeries& series, double t, const Vector& y) {
  series.set(0, 0, t);
  for (Eigen::Index i = 0; i < y.size(); ++i) series.set(static_cast<std::size_t>(i) + 1, 0, y[i]);
  series.compute(0);
}

}  // namespace

Outcome<void> LinearEquations::at(double t, const Vector& y, const Vector& u_dot, NearState& near) {
  Failure failure;
  failure.t = t;
  failure.kind = FailureKind::kNonFinite;
  Vector S(static_cast<Eigen::Index>(equations_.S.size()));
  if (!gradient_->rates_at(t, y.data(), u_dot, S)) {
    failure.kind = FailureKind::kUndetermined;
    failure.message = "the equations of motion have no solution at this state";
    return fail(std::move(failure));
  }
  if (!gradient_->at(t, y.data(), S.segment(nq(), nu())) || !S.allFinite()) {
    failure.message = "the equations of motion have no finite derivative at this state";
    return fail(std::move(failure));
  }
  const Eigen::Index outputs = S.size() - ny();
  near.F = S.head(ny());
  near.h = S.tail(outputs);
  near.F_y = gradient_->F_y().topRows(ny());
  near.h_y = gradient_->F_y().bottomRows(outputs);
  near.F_p = gradient_->F_p().topRows(ny()) * parameters_.rates;
  near.h_p = gradient_->F_p().bottomRows(outputs) * parameters_.rates;
  set_state(*condition_values_, t, y);
  near.c.resize(static_cast<Eigen::Index>(conditions_.size()));
  near.c_y = Matrix::Zero(near.c.size(), ny());
  for (Eigen::Index i = 0; i < near.c.size(); ++i) near.c[i] = (*condition_values_)(static_cast<std::size_t>(i), 0);
  for (std::size_t k = 0; k < c_y_.size(); ++k)
    near.c_y(c_y_[k].row, c_y_[k].column) = (*condition_values_)(conditions_.size() + k, 0);
  if (near.c.allFinite() && near.c_y.allFinite()) return {};
  failure.message = "the constraints have no finite derivative at this state";
  return fail(std::move(failure));
}

std::optional<std::string> LinearEquations::corner(double t, const Vector& y) {
  const auto& surfaces = switches_->surfaces();
  if (surfaces.empty()) return std::nullopt;
  set_state(*surface_values_, t, y);
  for (std::size_t i = 0; i < surfaces.size(); ++i) {
    if (surfaces[i].is_pole()) continue;
    const double x = (*surface_values_)(2 * i, 0);
    const double other = surfaces[i].is_floor() ? std::round(x) : (*surface_values_)(2 * i + 1, 0);
    if (std::abs(x - other) <= tolerance::kZero * std::max(std::abs(x), std::abs(other))) return surfaces[i].text;
  }
  return std::nullopt;
}

bool LinearEquations::depend_on_time() const {
  const std::span<const Expr> t(equations_.state.data(), 1);
  return std::ranges::any_of(sim::concatenated({equations_.E, equations_.S, conditions_}),
                             [&](Expr one) { return expr::depends_on(one, t); });
}

std::string LinearEquations::name(Eigen::Index component) const {
  const auto index = static_cast<std::size_t>(component);
  const auto count_q = static_cast<std::size_t>(nq()), count_u = static_cast<std::size_t>(nu());
  if (index < count_q) return system().model->coordinates[index].name;
  if (index < count_q + count_u) return system().model->speeds[index - count_q].name;
  return system().z_names[index - count_q - count_u];
}

}  // namespace vinculum::linear
