#include "vinculum/compiled/kernel_outputs.hpp"

#include <algorithm>

#include "vinculum/base/index.hpp"
#include "vinculum/equations/lowering.hpp"
#include "vinculum/expr/derivative.hpp"
#include "vinculum/solve/pivoted/directed.hpp"
#include "vinculum/solve/pivoted/reaction_forces.hpp"

namespace vinculum::sim {
namespace {

using expr::Expr;
using model::Level;

Expr zero_unless_valid(const equations::System& system, Expr e) {
  return e.is_valid() ? e : system.graph->constant(0.0);
}

std::vector<Expr> zeros(const equations::System& system, std::size_t count) {
  return std::vector<Expr>(count, system.graph->constant(0.0));
}

/// The stated coefficient or bound of friction, which must be ≥ 0; 1 if none is stated.
Expr stated_bound(const equations::System& system, const equations::Slide& slide) {
  if (slide.coefficient.is_valid()) return slide.coefficient;
  return slide.bound.is_valid() ? slide.bound : system.graph->constant(1.0);
}

MotionOutputs outputs_of_motion(const Structure& s, const solve::Acceleration& acceleration) {
  const equations::System& system = *s.system;
  MotionOutputs motion;
  motion.values = acceleration.q_dot;
  append(motion.values, acceleration.u_dot);
  const bool lacks_multipliers =
      s.is_moved_by_multipliers && acceleration.lambda.empty() &&
      std::ranges::any_of(system.z_dot, [&](Expr rate) { return expr::depends_on(rate, system.lambda); });
  if (lacks_multipliers) {
    append(motion.values, zeros(system, system.z.size()));
  } else {
    // In z' the symbols λ are replaced by the λ of the generated solution.
    append(motion.values, expr::substitute(system.z_dot, system.lambda,
                                           acceleration.lambda.empty() ? system.lambda : acceleration.lambda));
  }
  motion.values.push_back(acceleration.guards.residual);
  // Without multipliers the guard is 1, which is always refused, so that the pivoted solver computes z' with its λ.
  motion.values.push_back(lacks_multipliers ? system.graph->constant(1.0) : acceleration.guards.contraction);
  motion.compares_rows = !acceleration.disagreement.is_zero();
  if (motion.compares_rows) {
    motion.values.push_back(acceleration.disagreement);
    for (const int row : s.position_rows) motion.values.push_back(system.rows[static_cast<std::size_t>(row)].phi);
    for (const int row : s.velocity_rows) motion.values.push_back(system.rows[static_cast<std::size_t>(row)].psi);
  }
  const bool has_own_levels =
      std::ranges::none_of(system.rows, [](const equations::Row& row) { return row.level == Level::kAcceleration; });
  const bool has_multipliers = system.directed.empty() && has_own_levels && !acceleration.lambda.empty() &&
                               solve::kept_count(s.structure) == system.rows.size();
  if (has_multipliers) motion.lambda = acceleration.lambda;
  return motion;
}

}  // namespace

void append_jacobian(std::vector<Expr>& all, const equations::System& system, std::span<const Expr> values,
                     std::span<const Expr> by) {
  const std::size_t first = all.size();
  all.resize(first + values.size() * by.size(), system.graph->constant(0.0));
  for (const expr::Entry& entry : expr::sparse_jacobian(values, by)) {
    all[first + static_cast<std::size_t>(entry.row) * by.size() + static_cast<std::size_t>(entry.column)] = entry.value;
  }
}

WrittenMotion motion_outputs(const Structure& s, int refinements) {
  const equations::System& system = *s.system;
  WrittenMotion motion;
  if (!s.can_write_accelerations()) return motion;
  if (system.has_implicit_nonideal && !s.has_given_friction()) {
    if (const auto written = solve::reaction_force_acceleration(system, s.dependence, s.structure, refinements))
      motion.whole = outputs_of_motion(s, *written);
  } else if (!system.directed.empty()) {
    motion.whole =
        outputs_of_motion(s, solve::directed_acceleration(system, s.of_ideal_rows, s.tree.get(), refinements));
  } else {
    const solve::Acceleration whole = solve::acceleration(system, s.structure, s.tree.get(), refinements);
    motion.whole = outputs_of_motion(s, whole);
    if (const auto reduced = solve::reduced_acceleration(system, s.structure, whole))
      motion.reduced = outputs_of_motion(s, *reduced);
  }
  return motion;
}

std::vector<Expr> projection_outputs(const solve::Projection& projection) {
  std::vector<Expr> all = projection.correction;
  append(all, projection.violation);
  all.push_back(projection.contraction);
  return all;
}

std::vector<Expr> matrices_outputs(const equations::System& system, WithMass with_mass, MatricesLayout& layout) {
  std::vector<Expr> all;
  const auto place = [&all] { return static_cast<int>(all.size()); };
  const auto begin = [&](std::size_t columns) {
    MatricesLayout::Entries entries{place(), {}};
    entries.pattern.columns = static_cast<int>(columns);
    return entries;
  };
  const auto add_dense = [&](MatricesLayout::Entries& entries, std::span<const Expr> row) {
    for (std::size_t j = 0; j < row.size(); ++j) {
      if (row[j].is_zero()) continue;
      entries.pattern.column.push_back(static_cast<int>(j));
      all.push_back(row[j]);
    }
    entries.pattern.end_row();
  };
  const auto add_row = [&](MatricesLayout::Entries& entries, const expr::SparseRow& row) {
    for (const auto& [j, entry] : row) {
      entries.pattern.column.push_back(static_cast<int>(j));
      all.push_back(entry);
    }
    entries.pattern.end_row();
  };
  const auto add_square = [&](const std::vector<Expr>& M) {
    const std::size_t nu = system.u.size();
    MatricesLayout::Entries entries = begin(nu);
    for (std::size_t i = 0; i < nu; ++i) add_dense(entries, std::span(M).subspan(i * nu, nu));
    return entries;
  };
  layout.q_dot = place();
  append(all, system.q_dot);
  layout.G = begin(system.u.size());
  for (const auto& row : system.G) add_row(layout.G, row);
  layout.M = layout.metric = std::nullopt;
  if (with_mass == WithMass::kYes) {
    layout.M = add_square(system.M);
    layout.metric = system.has_indefinite_mass ? add_square(system.metric) : layout.M;
  }
  layout.f = place();
  append(all, system.f);
  const Expr zero = system.graph->constant(0.0);
  layout.C = place();
  append(all, system.has_implicit_nonideal ? zeros(system, system.u.size()) : system.C);
  const expr::SparseRow nothing(*system.graph, system.u.size());
  layout.A = begin(system.u.size());
  for (const equations::Row& row : system.rows) add_row(layout.A, row.chi.is_valid() ? nothing : row.A);
  layout.b = place();
  for (const equations::Row& row : system.rows) all.push_back(row.chi.is_valid() ? zero : row.b);
  layout.phi = place();
  for (const equations::Row& row : system.rows) all.push_back(zero_unless_valid(system, row.phi));
  layout.psi = place();
  for (const equations::Row& row : system.rows) all.push_back(zero_unless_valid(system, row.psi));
  layout.phi_q = begin(system.q.size());
  for (const equations::Row& row : system.rows) add_row(layout.phi_q, row.phi_q);
  layout.Gamma = begin(system.u.size());
  for (const auto& direction : solve::effort_directions(system)) add_dense(layout.Gamma, direction);
  layout.size = place();
  return all;
}

void MatricesLayout::Entries::read(const double* value, Matrix& matrix) const {
  if (matrix.rows() != pattern.rows() || matrix.cols() != pattern.columns)
    matrix.setZero(pattern.rows(), pattern.columns);
  for (int i = 0; i < pattern.rows(); ++i)
    for (int at = pattern.begin(i); at < pattern.end(i); ++at) matrix(i, pattern.column_of(at)) = *value++;
}

numeric::SparseMatrix MatricesLayout::Entries::sparse(const double* outputs) const {
  std::vector<numeric::SparseEntry> entries;
  entries.reserve(pattern.column.size());
  const double* value = outputs + first;
  for (int i = 0; i < pattern.rows(); ++i)
    for (int at = pattern.begin(i); at < pattern.end(i); ++at) entries.emplace_back(i, pattern.column_of(at), *value++);
  numeric::SparseMatrix matrix(pattern.rows(), pattern.columns);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

numeric::SparsePattern gradient_pattern(const equations::System& system) {
  numeric::SparsePattern pattern;
  pattern.columns = system.nu();
  for (const equations::Row& row : system.rows) {
    for (const auto& [j, A] : row.A) pattern.column.push_back(static_cast<int>(j));
    pattern.end_row();
  }
  return pattern;
}

std::vector<Expr> gradient_outputs(const equations::System& system) {
  std::vector<Expr> all;
  for (const equations::Row& row : system.rows)
    append(all, row.chi.is_valid() ? zeros(system, row.A.entries().size()) : row.A.values());
  for (const equations::Row& row : system.rows) {
    all.push_back(zero_unless_valid(system, equations::relation_of(row)));
  }
  return all;
}

std::vector<Expr> condition_outputs(const equations::System& system) {
  std::vector<Expr> values;
  for (const equations::Row& row : system.rows) append(values, row.conditions);
  std::vector<Expr> all = values;
  const std::size_t first = all.size(), width = system.u.size() + system.z.size();
  all.resize(first + values.size() * width, system.graph->constant(0.0));
  for (const expr::Entry& entry : expr::sparse_jacobian(values, system.q)) {
    const auto row = static_cast<std::size_t>(entry.row);
    for (const auto& [r, G] : nth(system.G, entry.column)) all[first + row * width + r] += entry.value * G;
  }
  for (const expr::Entry& entry : expr::sparse_jacobian(values, system.z)) {
    const auto row = static_cast<std::size_t>(entry.row), column = static_cast<std::size_t>(entry.column);
    all[first + row * width + system.u.size() + column] = entry.value;
  }
  return all;
}

std::vector<Expr> reaction_force_outputs(const equations::System& system, const solve::ReactionDependence& dependence) {
  std::vector<Expr> multipliers, all = system.C;
  for (const int row : dependence.rows) multipliers.push_back(system.lambda[static_cast<std::size_t>(row)]);
  append_jacobian(all, system, system.C, multipliers);
  return all;
}

std::vector<Expr> slide_motion_outputs(const equations::System& system) {
  std::vector<Expr> velocities;
  for (const equations::Slide& slide : system.slides) append(velocities, slide.velocity);
  std::vector<Expr> all = velocities;
  append_jacobian(all, system, velocities, system.u);
  append(all, expr::substitute(system.lowering->rates(velocities), system.u_dot, zeros(system, system.u.size())));
  return all;
}

std::vector<Expr> slide_bound_outputs(const equations::System& system) {
  std::vector<Expr> all;
  std::vector<Expr> forces = system.f;
  for (std::size_t r = 0; r < forces.size(); ++r) forces[r] += system.C[r];
  append_jacobian(all, system, forces, system.slide_direction);
  for (const equations::Slide& slide : system.slides) all.push_back(slide.static_ratio);
  for (const equations::Slide& slide : system.slides) all.push_back(stated_bound(system, slide));
  return all;
}

std::vector<Expr> stick_outputs(const equations::System& system, const solve::StickResponse& response) {
  std::vector<Expr> all = response.K;
  for (const equations::Slide& slide : system.slides) all.push_back(zero_unless_valid(system, slide.bound));
  for (const equations::Slide& slide : system.slides) all.push_back(slide.static_ratio);
  all.push_back(response.contraction);
  return all;
}

std::vector<Expr> locked_outputs(const equations::System& system, const solve::LockedMotion& motion) {
  std::vector<Expr> all = system.q_dot;
  append(all, motion.u_dot);
  append(all, system.z_dot);
  all.push_back(system.graph->constant(0.0));
  all.push_back(motion.contraction);
  append(all, motion.force);
  for (const equations::Slide& slide : system.slides) all.push_back(slide.bound);
  for (const equations::Slide& slide : system.slides) all.push_back(slide.static_ratio);
  return all;
}

std::vector<Expr> event_outputs(const equations::System& system) {
  const Expr zero = system.graph->constant(0.0), one = system.graph->constant(1.0);
  std::vector<Expr> all;
  for (const equations::EventForms& event : system.events) {
    all.push_back(event.condition.is_valid() ? expr::select(event.condition, one, zero) : zero);
    all.push_back(event.time.is_valid() ? event.time : zero);
    for (const Expr value : event.values) all.push_back(value.is_valid() ? value : zero);
  }
  return all;
}

std::vector<Expr> switched_row_outputs(const equations::System& system, const std::vector<int>& rows) {
  std::vector<Expr> all;
  for (const int row : rows) {
    const equations::Row& r = system.rows[static_cast<std::size_t>(row)];
    all.push_back(r.acts);
    all.push_back(zero_unless_valid(system, r.while_acting.phi));
    all.push_back(zero_unless_valid(system, r.while_acting.psi));
    append(all, r.while_acting.A.dense());
    append(all, r.level == model::Level::kPosition ? r.while_acting.phi_q.dense() : zeros(system, system.q.size()));
  }
  return all;
}

std::vector<Expr> nonlinear_row_outputs(const equations::System& system, const std::vector<int>& rows) {
  std::vector<Expr> all, slope = zeros(system, system.u.size());
  for (const int row : rows) {
    const equations::Row& r = system.rows[static_cast<std::size_t>(row)];
    append(all, r.A.dense());
    for (const auto& [i, A] : r.A) slope[i] += system.lambda[static_cast<std::size_t>(row)] * A;
  }
  for (const int row : rows) all.push_back(system.rows[static_cast<std::size_t>(row)].b);
  append_jacobian(all, system, slope, system.u_dot);
  for (const model::Constraint& constraint : system.model->constraints) {
    if (constraint.branch.is_valid()) all.push_back(system.lowering->scalar(constraint.branch));
  }
  return all;
}

std::vector<Expr> top_outputs(const equations::System& system) {
  std::vector<Expr> all = system.q_dot;
  append(all, system.higher->J);
  append(all, system.higher->r);
  return all;
}

std::vector<Expr> hidden_outputs(const equations::System& system) {
  std::vector<Expr> all = system.higher->hidden;
  append(all, system.higher->hidden_gradient);
  for (const auto& row : system.G) append(all, row.dense());
  return all;
}

std::vector<Expr> gradient_by_multipliers(const equations::System& system, std::span<const Expr> outputs) {
  std::vector<Expr> multipliers = system.lambda, all;
  append(multipliers, system.lambda_ideal);
  append(multipliers, system.slide_direction);
  append_jacobian(all, system, outputs, multipliers);
  return all;
}

}  // namespace vinculum::sim
