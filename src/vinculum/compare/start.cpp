#include "vinculum/compare/start.hpp"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <variant>

#include "vinculum/base/tolerance.hpp"
#include "vinculum/compiled/scales.hpp"
#include "vinculum/model/evaluate.hpp"
#include "vinculum/motion/packed_state.hpp"
#include "vinculum/start/assembly_higher.hpp"
#include "vinculum/start/start_conditions.hpp"

namespace vinculum::compare {
namespace {

constexpr int kMostOfStart = 10;
constexpr int kMostStates = 200;

/// Whether the variant enforces every constraint exactly that some variant enforces exactly. Constraints that all
/// variants realize by penalties do not count, because there they are forces of the model.
bool keeps_all(const std::vector<Variant>& variants, const Variant& variant) {
  const auto& constraints = variant.bound->compiled->model->constraints;
  for (std::size_t c = 0; c < constraints.size(); ++c) {
    const auto keeps = [c](const Variant& other) {
      const auto& others = other.bound->compiled->model->constraints;
      return c < others.size() && !model::is_realised(others[c]);
    };
    if (!keeps(variant) && std::ranges::any_of(variants, keeps)) return false;
  }
  return true;
}

/// Returns the start values of the multipliers μ of a constraint, one per row, from the first variant whose law has μ
/// and no ladder parameter; empty if there is none.
std::vector<double> start_of_mu(const std::vector<Variant>& variants, std::size_t constraint, const Start& start) {
  for (const Variant& variant : variants) {
    const auto& constraints = variant.bound->compiled->model->constraints;
    if (constraint >= constraints.size()) continue;
    const model::Law& law = *constraints[constraint].law;
    if (law.mu().empty() || law.ladder().is_valid()) continue;
    const Vector z = evaluate_state_starts(*variant.bound, start.t0, start.q);
    std::vector<double> mu;
    for (const model::StateId id : law.mu()[0]) mu.push_back(z[static_cast<Eigen::Index>(id.index())]);
    return mu;
  }
  return {};
}

/// Computes the start values of the constraint function F for the rows of an added-inertia variant, from κF = μ(0) with
/// the added inertia κ; empty if all values are 0.
Vector wanted_rows(const std::vector<Variant>& variants, const Variant& variant, const CompiledModel& keeping,
                   const Start& start, std::string& note) {
  const model::Model& model = *variant.bound->compiled->model;
  Vector wanted = Vector::Zero(keeping.nc());
  for (std::size_t c = 0; c < model.constraints.size(); ++c) {
    const model::Term inertia = model.constraints[c].law->inertia();
    if (!inertia.is_valid()) continue;
    const std::vector<double> mu = start_of_mu(variants, c, start);
    const double kappa = model::TermValues(model, {}).scalar(inertia).value;
    for (int row = 0; row < keeping.nc(); ++row) {
      const equations::Row& of = keeping.system->rows[static_cast<std::size_t>(row)];
      const auto index = static_cast<std::size_t>(of.index);
      if (of.constraint.index() == c && index < mu.size()) wanted[row] = mu[index] / kappa;
    }
    const bool is_shifted = std::ranges::any_of(mu, [](double one) { return one != 0.0; });
    if (is_shifted)
      note += fmt::format("{}speeds shifted so that kappa*F = mu(0) of `{}`", note.empty() ? "" : "; ",
                          model.constraints[c].name);
  }
  return note.empty() ? Vector() : wanted;
}

/// Changes u by the least amount, in units 1/√M_rr, so that the rows ψ have the values `wanted`.
bool shift_speeds(sim::Dynamics& dynamics, Start& start, const Vector& wanted) {
  sim::Matrices m;
  for (int iteration = 0; iteration < kMostOfStart; ++iteration) {
    const Vector y = sim::packed_state(start);
    if (!dynamics.matrices(dynamics.mode(), start.t0, y.data(), m)) return false;
    Vector unit = m.metric.diagonal();
    for (double& one : unit) one = 1.0 / std::sqrt(one > 0.0 ? one : 1.0);
    const Matrix scaled = m.A * unit.asDiagonal();
    const Vector change = unit.cwiseProduct(scaled.completeOrthogonalDecomposition().solve(wanted - m.psi));
    if (!change.allFinite()) return false;
    start.u += change;
    if (change.cwiseAbs().maxCoeff() <= tolerance::kRounded * (tolerance::kFloor + start.u.cwiseAbs().maxCoeff()))
      return true;
  }
  return true;
}

}  // namespace

VariantStarts starts_of(const std::vector<Variant>& variants) {
  VariantStarts result;
  result.variants.resize(variants.size());
  const auto keeping =
      std::ranges::find_if(variants, [&](const Variant& variant) { return keeps_all(variants, variant); });
  if (keeping == variants.end()) {
    result.common = "each from its own start: no start satisfies all constraints";
    for (std::size_t i = 0; i < variants.size(); ++i) {
      sim::Dynamics dynamics(variants[i].bound);
      if (auto start = sim::assemble(dynamics))
        result.variants[i].start = std::move(*start);
      else
        result.variants[i].failure = start.error();
    }
    return result;
  }
  sim::Dynamics dynamics(keeping->bound);
  const auto common = sim::assemble(dynamics);
  result.common =
      fmt::format("all from the coordinates and speeds at which `{}` starts, on the constraints", keeping->name);
  for (std::size_t i = 0; i < variants.size(); ++i) {
    VariantStart& own = result.variants[i];
    if (!common) {
      own.failure = common.error();
      continue;
    }
    Start start = *common;
    const Vector wanted = wanted_rows(variants, variants[i], *keeping->bound, start, own.note);
    if (wanted.size() > 0 && !shift_speeds(dynamics, start, wanted))
      own.note = "speeds could not be shifted to kappa*F = mu(0)";
    start.z = evaluate_state_starts(*variants[i].bound, start.t0, start.q);
    if (variants[i].bound->compiled->system->higher) {
      if (auto done = sim::assemble_higher(*variants[i].bound, {.t0 = start.t0}, start); !done) {
        own.failure = done.error();
        continue;
      }
    }
    own.start = std::move(start);
  }
  return result;
}

double steps_by_stability(const Variant& variant, const Start& start) {
  const CompiledModel& compiled = *variant.bound;
  const bool is_fast = std::ranges::any_of(compiled.model->constraints, [](const model::Constraint& constraint) {
    return constraint.law->ladder().is_valid();
  });
  const integrate::Method* method = integrate::find_method(variant.options.method, variant.options.methods);
  const Vector y = sim::packed_state(start);
  if (!is_fast || method == nullptr || method->runge_kutta.stages == 0 || y.size() > kMostStates) return 0.0;
  sim::Dynamics dynamics(variant.bound);
  dynamics.set_scale(dynamics.scale(), variant.options.tolerance);
  Vector before(y.size()), behind(y.size());
  Matrix J(y.size(), y.size());
  for (Eigen::Index j = 0; j < y.size(); ++j) {
    Vector moved = y;
    const double step = tolerance::kDifference * std::max(dynamics.scale()[j], std::fabs(y[j]));
    moved[j] += step;
    if (!dynamics.derivative(start.t0, moved.data(), behind.data())) return 0.0;
    moved[j] = y[j] - step;
    if (!dynamics.derivative(start.t0, moved.data(), before.data())) return 0.0;
    J.col(j) = (behind - before) / (2.0 * step);
  }
  if (!J.allFinite()) return 0.0;
  const double rate = Eigen::EigenSolver<Matrix>(J, false).eigenvalues().cwiseAbs().maxCoeff();
  return rate * variant.options.duration / method->runge_kutta.stability;
}

}  // namespace vinculum::compare
