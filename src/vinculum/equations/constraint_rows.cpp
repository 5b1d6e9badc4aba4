#include "vinculum/equations/constraint_rows.hpp"

#include "vinculum/equations/lowering.hpp"
#include "vinculum/equations/truths.hpp"
#include "vinculum/expr/derivative.hpp"
#include "vinculum/model/calculus.hpp"
#include "vinculum/model/traversal.hpp"

namespace vinculum::equations {
namespace {

using expr::Expr;
using model::Level;

/// Time derivative along the motion with u' = 0.
Expr rate_without_u_dot(const System& system, Expr value) {
  std::vector<Expr> x = system.q, rate = system.q_dot;
  x.insert(x.end(), system.z.begin(), system.z.end());
  rate.insert(rate.end(), system.z_dot.begin(), system.z_dot.end());
  x.push_back(system.t);
  rate.push_back(system.graph->constant(1.0));
  return expr::directional_derivative({&value, 1}, x, rate)[0];
}

/// Whether the term contains vectors that rotate. Then it is shorter to differentiate the vectors, whose velocities and
/// accelerations are passed from link to link, than to differentiate their measure numbers.
bool holds_turning_vectors(Lowering& lowering, model::Term term) {
  const model::Model& model = lowering.model();
  const auto is_turning = [](model::FrameId frame) { return frame != model::Model::newtonian(); };
  const auto has_turning_offset = [&](std::size_t point) {
    for (model::PointId p(point); p.is_valid(); p = model.point(p).base) {
      if (model.point(p).on.is_valid()) return true;
      for (const OffsetPart& part : lowering.offset_parts(p)) {
        if (is_turning(part.frame)) return true;
      }
    }
    return false;
  };
  for (const model::Term leaf : model::leaves_as_read(term)) {
    switch (leaf.kind()) {
      case model::TermKind::kBasisVector:
      case model::TermKind::kAngularVelocity:
        if (is_turning(model::FrameId(std::size_t{leaf.index()}))) return true;
        break;
      case model::TermKind::kPosition:
        if (has_turning_offset(leaf.index()) || has_turning_offset(leaf.second())) return true;
        break;
      case model::TermKind::kVelocity:
        if (has_turning_offset(leaf.index())) return true;
        break;
      default: break;
    }
  }
  return false;
}

/// b = −dψ/dt at u' = 0, where the rate dψ/dt is given as a term.
Expr right_side(const System& system, model::Term rate) {
  const Expr value = system.lowering->scalar(rate);
  const std::vector<Expr> zeros(system.u_dot.size(), system.graph->constant(0.0));
  return -expr::substitute({&value, 1}, system.u_dot, zeros)[0];
}

/// Writes a position- or velocity-level row by differentiating terms.
/// \returns false if this way is not shorter, or if a derivative cannot be written as a term
bool write_row_of_vectors(const System& system, model::TimeDerivatives& rates, model::Term relation, Row& row) {
  if (!holds_turning_vectors(*system.lowering, relation)) return false;
  const bool is_position = row.level == Level::kPosition;
  const model::Term psi = is_position ? rates.of(relation) : relation;
  const model::Term rate = rates.of(psi);
  if (!rate.is_valid()) return false;
  if (is_position) {
    row.phi = system.lowering->scalar(relation);
    row.phi_q = expr::sparse_gradient(row.phi, system.q);
  }
  row.psi = system.lowering->scalar(psi);
  row.A = expr::sparse_gradient(row.psi, system.u);
  row.b = right_side(system, rate);
  return true;
}

void write_position_row(const System& system, Expr phi, Row& row) {
  row.phi = phi;
  row.phi_q = expr::sparse_gradient(phi, system.q);
  row.psi = rate_without_u_dot(system, phi);
  row.A = expr::SparseRow(*system.graph, system.u.size());
  for (const auto& [i, slope] : row.phi_q) {
    for (const auto& [r, G] : system.G[i]) row.A.add(r, slope * G);
  }
  row.b = -rate_without_u_dot(system, row.psi);
}

void write_velocity_row(const System& system, Expr psi, Row& row) {
  row.psi = psi;
  row.A = expr::sparse_gradient(psi, system.u);
  row.b = -rate_without_u_dot(system, psi);
}

/// Differentiates a relation φ(q, z, t) with states z' = z_dot along the motion until it depends on u. The result is a
/// velocity-level row; φ and its derivatives before that one are conditions on the start.   Source: theory.md §6.10.
void write_functional_row(const System& system, Expr relation, Row& row) {
  row.level = Level::kVelocity;
  for (int order = 0; order < model::kMostOfFunctional; ++order) {
    if (expr::depends_on(relation, system.u)) break;
    row.conditions.push_back(relation);
    relation = rate_without_u_dot(system, relation);
  }
  write_velocity_row(system, relation, row);
}

void write_acceleration_row(const System& system, Expr chi, Row& row) {
  row.A = expr::sparse_gradient(chi, system.u_dot);
  for (const auto& [i, entry] : row.A) {
    if (expr::depends_on(entry, system.u_dot)) row.chi = chi;
  }
  if (row.chi.is_valid()) {
    row.b = -chi;
    for (const auto& [i, entry] : row.A) row.b += entry * system.u_dot[i];
    return;
  }
  const std::vector<Expr> zeros(system.u_dot.size(), system.graph->constant(0.0));
  row.b = -expr::substitute({&chi, 1}, system.u_dot, zeros)[0];
}

/// \param row  constraint and level are set; the function writes the rest
void write_row(const System& system, model::TimeDerivatives& rates, model::Term stated, Row& row) {
  const bool is_functional = row.level == Level::kPosition && model::holds_state(stated);
  if (row.level != Level::kAcceleration && !is_functional && write_row_of_vectors(system, rates, stated, row)) return;
  const Expr relation = system.lowering->scalar(stated);
  if (is_functional) {
    write_functional_row(system, relation, row);
  } else if (row.level == Level::kPosition) {
    write_position_row(system, relation, row);
  } else if (row.level == Level::kVelocity) {
    write_velocity_row(system, relation, row);
  } else {
    write_acceleration_row(system, relation, row);
  }
}

/// Replaces A, b, φ and ψ of the row by 0 while the condition is false, so that the row is 0 = 0.
void switch_row(Expr condition, Row& row) {
  expr::Graph& graph = condition.graph();
  const Expr zero = graph.constant(0.0);
  const auto switched = [&](Expr e) { return e.is_valid() ? expr::select(condition, e, zero) : e; };
  const auto all_switched = [&](const expr::SparseRow& stated) {
    expr::SparseRow result(graph, stated.size());
    for (const auto& [i, entry] : stated) result.add(i, switched(entry));
    return result;
  };
  row.acts = expr::select(condition, graph.constant(1.0), zero);
  row.while_acting = {row.A, row.phi_q, row.b, row.phi, row.psi};
  row.A = all_switched(row.A);
  row.b = switched(row.b);
  row.phi = switched(row.phi);
  row.psi = switched(row.psi);
  if (row.level == Level::kPosition) row.phi_q = all_switched(row.phi_q);
}

}  // namespace

void let_all_rows_act(System& system) {
  for (Row& row : system.rows) {
    if (!row.acts.is_valid()) continue;
    row.A = row.while_acting.A;
    if (row.level == Level::kPosition) row.phi_q = row.while_acting.phi_q;
    row.b = row.while_acting.b;
    row.phi = row.while_acting.phi;
    row.psi = row.while_acting.psi;
    row.acts = {};
  }
}

void write_rows(System& system) {
  const model::Model& model = *system.model;
  model::TimeDerivatives rates(model);
  for (std::size_t c = 0; c < model.constraints.size(); ++c) {
    const model::Constraint& constraint = model.constraints[c];
    if (!model::has_rows(constraint)) continue;
    const bool is_switched = constraint.when.is_valid();
    for (std::size_t k = 0; k < constraint.rows.size(); ++k) {
      Row row;
      row.constraint = model::ConstraintId(c);
      row.index = static_cast<int>(k);
      row.level = model::level_of(model, constraint.rows[k]);
      write_row(system, rates, constraint.rows[k], row);
      if (is_switched) switch_row(with_surfaces(system.lowering->scalar(constraint.when)), row);
      system.has_nonlinear_rows = system.has_nonlinear_rows || row.chi.is_valid();
      system.rows.push_back(std::move(row));
    }
  }
}

}  // namespace vinculum::equations
