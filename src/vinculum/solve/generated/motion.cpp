#include "vinculum/solve/generated/motion.hpp"

#include <algorithm>

#include "vinculum/base/index.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/expr/derivative.hpp"
#include "vinculum/expr/interpreter.hpp"
#include "vinculum/expr/operation_count.hpp"
#include "vinculum/model/evaluate.hpp"
#include "vinculum/solve/generated/dependent_speeds.hpp"
#include "vinculum/solve/generated/static_reduction.hpp"
#include "vinculum/solve/generated/tree_solution.hpp"

namespace vinculum::solve {
namespace {

using expr::Expr;
using model::Level;

// A cheaper solver whose guards refuse some configurations is compiled in addition if it takes at most this fraction of
// the operations of the full solver. The second value applies to projections, in which neither solver has corrections.
constexpr double kWorthAnother = 2.0 / 3.0, kWorthAnotherChange = 0.8;
constexpr int kNoRefinements = 0;

std::vector<int> rows_where(const equations::System& system, bool (*wanted)(Level)) {
  std::vector<int> rows;
  for (int row = 0; row < system.nc(); ++row) {
    if (wanted(system.rows[row].level)) rows.push_back(row);
  }
  return rows;
}

std::vector<Expr> zeros(const equations::System& system, std::size_t count) {
  return std::vector<Expr>(count, system.graph->constant(0.0));
}

/// The rows that a structure keeps, and the structure restricted to them.
struct KeptRows {
  std::vector<int> rows;
  solve::StaticStructure structure;
};

KeptRows keep(const std::vector<int>& rows, const solve::StaticStructure& structure) {
  KeptRows kept;
  kept.structure.generic_rank = structure.generic_rank;
  kept.structure.is_mass_singular = structure.is_mass_singular;
  kept.structure.gives_speeds = structure.gives_speeds;
  kept.structure.blocks = structure.blocks;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (structure.representative[i] != static_cast<int>(i)) continue;
    kept.structure.representative.push_back(static_cast<int>(kept.rows.size()));
    kept.structure.factor.push_back(1.0);
    if (structure.is_mass_singular) kept.structure.weights.push_back(structure.weights[i]);
    kept.rows.push_back(rows[i]);
  }
  return kept;
}

/// True if row i is written as the stated multiple of its representative, so that they agree for all values.
bool is_multiple_in_form(const equations::System& system, const std::vector<int>& rows,
                         const solve::StaticStructure& structure, std::size_t i) {
  if (structure.representative[i] < 0) return structure.representative[i] == solve::StaticStructure::kNothing;
  const equations::Row& row = system.rows[static_cast<std::size_t>(rows[i])];
  const auto representative = static_cast<std::size_t>(structure.representative[i]);
  const equations::Row& kept = system.rows[static_cast<std::size_t>(rows[representative])];
  const double factor = structure.factor[i];
  if (!row.A.is_multiple(kept.A, factor)) return false;
  return (row.b - factor * kept.b).is_zero();
}

Expr largest_disagreement(const equations::System& system, const std::vector<int>& rows,
                          const solve::StaticStructure& structure, const std::vector<Expr>& u_dot) {
  Expr largest = system.graph->constant(0.0);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (structure.representative[i] == static_cast<int>(i) || is_multiple_in_form(system, rows, structure, i)) continue;
    const equations::Row& row = system.rows[static_cast<std::size_t>(rows[i])];
    Expr missed = -row.b;
    Expr size = expr::absolute(row.b) + tolerance::kLeast;
    for (const auto& [j, entry] : row.A) {
      const Expr part = entry * u_dot[j];
      missed += part;
      size += expr::absolute(part);
    }
    largest = expr::maximum(largest, expr::absolute(missed) / size);
  }
  return largest;
}

/// The symbols t, q, u, z, which vary along a motion.
std::vector<Expr> state_of(const equations::System& system) {
  std::vector<Expr> state{system.t};
  for (const auto* some : {&system.q, &system.u, &system.z}) state.insert(state.end(), some->begin(), some->end());
  return state;
}

/// Number of operations that the evaluation of `outputs` at a state takes.
std::size_t operations(const equations::System& system, std::vector<Expr> outputs,
                       expr::Multiples multiples = expr::Multiples::kAll) {
  return expr::operation_count(outputs, state_of(system), multiples);
}

std::vector<Expr> with_guard(std::vector<Expr> outputs, Expr guard) {
  outputs.push_back(guard);
  return outputs;
}

/// The value of SymbolicSystem::kind; empty for equations without a model.
std::vector<int> kinds(const equations::System& system) {
  std::vector<Dimension> known;
  std::vector<int> kind;
  if (system.model == nullptr) return kind;
  for (const model::Speed& speed : system.model->speeds) {
    const auto at = std::ranges::find(known, speed.dimension);
    kind.push_back(static_cast<int>(at - known.begin()));
    if (at == known.end()) known.push_back(speed.dimension);
  }
  return kind;
}

/// True if M is diagonal and every speed occurs in at most one of the rows.
bool stand_alone(const equations::System& system, const std::vector<int>& rows) {
  const std::size_t nu = system.u.size();
  std::vector<char> is_held(nu, 0);
  for (const int row : rows) {
    for (const auto& [j, entry] : nth(system.rows, row).A) {
      if (is_held[j] != 0) return false;
      is_held[j] = 1;
    }
  }
  for (std::size_t i = 0; i < nu; ++i) {
    for (std::size_t j = 0; j < i; ++j)
      if (!system.M[i * nu + j].is_zero()) return false;
  }
  return true;
}

/// True if a guard is above 0 for the declared parameter values at every state.
bool is_refused_as_declared(const equations::System& system, Expr guard) {
  if (expr::depends_on(guard, state_of(system))) return false;
  const std::vector<double> values = model::declared_values(*system.model);
  return expr::interpret(std::vector<Expr>{guard}, system.parameters, values).front() > 0.0;
}

/// The generated solution without corrections. Its guard refuses a state unless the residuals of the rows are only
/// rounding errors. Nothing if there is no such guard.
/// \pre M is not deferred.
std::optional<solve::StaticSolution> solve_without_corrections(const equations::System& system, const KeptRows& kept,
                                                               const std::vector<Expr>& b) {
  if (kept.rows.empty() || !stand_alone(system, kept.rows)) return std::nullopt;
  const solve::StaticLdlt ldlt(symbolic_system(system, kept.rows), kept.structure);
  const Expr guard = ldlt.uncorrected_guard();
  if (!guard.is_valid() || is_refused_as_declared(system, guard)) return std::nullopt;
  solve::StaticSolution solution = ldlt.solve(impressed_force(system), b, 0);
  solution.contraction = expr::maximum(solution.contraction, guard);
  return solution;
}

std::vector<Expr> of_rows(const equations::System& system, const std::vector<int>& rows, Expr equations::Row::* what) {
  std::vector<Expr> all;
  for (const int row : rows) all.push_back(nth(system.rows, row).*what);
  return all;
}

/// Purpose of a generated solution: the accelerations, or a projection step (the least change in the metric).
enum class Asked { kMotion, kChange };

/// Outputs that generated code for this purpose must compute.
std::vector<Expr> asked_of(const solve::StaticSolution& solution, Asked asked) {
  std::vector<Expr> outputs = solution.u;
  if (asked == Asked::kMotion) outputs.push_back(solution.residual);
  return with_guard(std::move(outputs), solution.contraction);
}

/// The generated solution with the fewest operations, among three: StaticLdlt with all given rows; DependentSpeeds,
/// which first eliminates rows with constant coefficients; articulated bodies. The first two are not formed if M, A and
/// the right-hand sides alone take at least as many operations as the articulated bodies, or if M is deferred.
/// \param r_b  [kept rows]
solve::StaticSolution solve_with_rows(const equations::System& system, Asked asked, const KeptRows& kept,
                                      const std::vector<Expr>& r_b, const equations::ArticulatedMotion* bodies,
                                      int refinements) {
  std::optional<solve::StaticSolution> tree;
  if (bodies != nullptr && !kept.rows.empty()) {
    const std::vector<Expr> a = asked == Asked::kMotion ? bodies->u_dot : zeros(system, system.u.size());
    tree = tree_solution(*bodies, gradients(system, kept.rows), r_b, a, refinements, acts_of(system, kept.rows));
    if (system.M.is_deferred()) return std::move(*tree);
  }
  const std::size_t of_tree = tree ? operations(system, asked_of(*tree, asked)) : 0;
  const solve::SymbolicSystem symbolic =
      symbolic_system(system, kept.rows, asked == Asked::kMotion ? MassMatrix::kM : MassMatrix::kMetric);
  const std::vector<Expr> r_f = asked == Asked::kMotion ? impressed_force(system) : zeros(system, system.u.size());
  if (tree) {
    std::vector<Expr> solved_with = symbolic.M;
    solved_with.insert(solved_with.end(), r_f.begin(), r_f.end());
    solved_with.insert(solved_with.end(), r_b.begin(), r_b.end());
    for (const expr::SparseRow& row : symbolic.A) {
      for (const auto& [j, entry] : row) solved_with.push_back(entry);
    }
    if (operations(system, std::move(solved_with)) >= of_tree) return std::move(*tree);
  }
  solve::StaticSolution best = solve::StaticLdlt(symbolic, kept.structure).solve(r_f, r_b, refinements);
  if (!tree && !kept.structure.gives_speeds) return best;
  std::size_t least = operations(system, asked_of(best, asked));
  if (kept.structure.gives_speeds) {
    solve::StaticSolution less = solve::DependentSpeeds(symbolic).solve(r_f, r_b, refinements);
    if (const std::size_t cost = operations(system, asked_of(less, asked)); cost < least) {
      least = cost;
      best = std::move(less);
    }
  }
  return tree && of_tree < least ? std::move(*tree) : best;
}

/// Adds rates, guards and the disagreement of left-out rows to a solution.   \param solution  for the kept rows.
Acceleration motion_of(const equations::System& system, const std::vector<int>& rows,
                       const solve::StaticStructure& structure, solve::StaticSolution solution) {
  const Expr disagreement = largest_disagreement(system, rows, structure, solution.u);
  const bool has_all = kept_count(structure) == rows.size();
  std::vector<Expr> lambda = has_all ? std::move(solution.lambda) : std::vector<Expr>();
  return {
      system.q_dot, std::move(solution.u), std::move(lambda), {solution.residual, solution.contraction}, disagreement};
}

/// True if the outputs `answer` take at most `share` times the operations of the outputs `other`. Guards and
/// multiplications by constants do not count, because they contain typical sizes and cost nothing if these are 1.
bool is_worth_it(const equations::System& system, const std::vector<Expr>& answer, const std::vector<Expr>& other,
                 double share) {
  const auto cost = [&system](const std::vector<Expr>& of) {
    return static_cast<double>(operations(system, of, expr::Multiples::kVarying));
  };
  return cost(answer) <= share * cost(other);
}

/// One Newton step of a projection onto rows, in the metric.   \param change  computes the change of q or u from du.
template <class Change>
ProjectionWays ways_onto(const equations::System& system, const std::vector<int>& rows,
                         const std::vector<Expr>& violation, const solve::StaticStructure& structure,
                         const equations::ArticulatedMotion* tree, const Change& change) {
  const KeptRows kept = keep(rows, structure);
  std::vector<Expr> defect;
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (structure.representative[i] == static_cast<int>(i)) defect.push_back(-violation[i]);
  const auto by = [&](const solve::StaticSolution& solution) {
    return Projection{rows, change(solution.u), violation, solution.contraction};
  };
  ProjectionWays ways{std::nullopt, by(solve_with_rows(system, Asked::kChange, kept, defect, tree, kNoRefinements))};
  if (structure.blocks.is_empty()) return ways;
  const solve::StaticReduction reduction(symbolic_system(system, kept.rows, MassMatrix::kMetric), structure.blocks);
  Projection reduced = by(reduction.solve(zeros(system, system.u.size()), defect));
  if (is_worth_it(system, reduced.correction, ways.whole.correction, kWorthAnotherChange))
    ways.reduced = std::move(reduced);
  return ways;
}

/// Motion without rows, by articulated bodies or by elimination of M, whichever takes fewer operations. The elimination
/// is not formed if M and f alone take more operations than the articulated bodies, or if M is deferred.
Acceleration free_acceleration(const equations::System& system, const solve::StaticStructure& structure,
                               const equations::ArticulatedMotion* tree) {
  const Expr zero = system.graph->constant(0.0);
  const std::size_t of_tree = tree != nullptr ? operations(system, with_guard(tree->u_dot, tree->contraction)) : 0;
  if (tree != nullptr && system.M.is_deferred())
    return {system.q_dot, tree->u_dot, {}, {zero, tree->contraction}, zero};
  if (tree != nullptr) {
    std::vector<Expr> dense = system.M;
    dense.insert(dense.end(), system.f.begin(), system.f.end());
    if (operations(system, std::move(dense)) >= of_tree)
      return {system.q_dot, tree->u_dot, {}, {zero, tree->contraction}, zero};
  }
  const solve::StaticLdlt ldlt(symbolic_system(system, {}), structure);
  solve::StaticSolution solution = ldlt.solve(impressed_force(system), {}, 0);
  if (tree != nullptr && operations(system, with_guard(solution.u, solution.contraction)) > of_tree)
    return {system.q_dot, tree->u_dot, {}, {zero, tree->contraction}, zero};
  return {system.q_dot, std::move(solution.u), {}, {solution.residual, solution.contraction}, zero};
}

}  // namespace

std::vector<int> all_rows(const equations::System& system) {
  return rows_where(system, [](Level) { return true; });
}

std::vector<int> position_rows(const equations::System& system) {
  return rows_where(system, [](Level level) { return level == Level::kPosition; });
}

std::vector<int> velocity_rows(const equations::System& system) {
  return rows_where(system, [](Level level) { return level != Level::kAcceleration; });
}

std::vector<Expr> acts_of(const equations::System& system, const std::vector<int>& rows) {
  std::vector<Expr> acts = of_rows(system, rows, &equations::Row::acts);
  if (std::ranges::none_of(acts, &Expr::is_valid)) acts.clear();
  return acts;
}

std::vector<expr::SparseRow> gradients(const equations::System& system, const std::vector<int>& rows) {
  std::vector<expr::SparseRow> A;
  A.reserve(rows.size());
  for (const int row : rows) A.push_back(nth(system.rows, row).A);
  return A;
}

solve::SymbolicSystem symbolic_system(const equations::System& system, const std::vector<int>& rows, MassMatrix mass) {
  solve::SymbolicSystem symbolic;
  symbolic.nu = system.nu();
  symbolic.M = (mass == MassMatrix::kM ? system.M : system.metric).get();
  symbolic.A = gradients(system, rows);
  symbolic.kind = kinds(system);
  symbolic.parameters = system.parameters;
  symbolic.acts = acts_of(system, rows);
  return symbolic;
}

std::vector<Expr> impressed_force(const equations::System& system) {
  if (!system.has_nonideal) return system.f;
  std::vector<Expr> force;
  force.reserve(system.f.size());
  for (std::size_t i = 0; i < system.f.size(); ++i) force.push_back(system.f[i] + system.C[i]);
  return force;
}

Acceleration acceleration(const equations::System& system, const solve::StaticStructure& structure,
                          const equations::ArticulatedMotion* tree, int refinements) {
  return acceleration_of_rows(system, all_rows(system), structure, tree, refinements);
}

solve::StaticLdlt kept_ldlt(const equations::System& system, const std::vector<int>& rows,
                            const solve::StaticStructure& structure) {
  const KeptRows kept = keep(rows, structure);
  return solve::StaticLdlt(symbolic_system(system, kept.rows), kept.structure);
}

std::size_t kept_count(const solve::StaticStructure& structure) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < structure.representative.size(); ++i) {
    if (structure.representative[i] == static_cast<int>(i)) ++count;
  }
  return count;
}

Acceleration acceleration_of_rows(const equations::System& system, const std::vector<int>& rows,
                                  const solve::StaticStructure& structure, const equations::ArticulatedMotion* tree,
                                  int refinements) {
  if (rows.empty()) return free_acceleration(system, structure, tree);
  const KeptRows kept = keep(rows, structure);
  std::vector<Expr> b;
  b.reserve(kept.rows.size());
  for (const int row : kept.rows) b.push_back(system.rows[static_cast<std::size_t>(row)].b);
  return motion_of(system, rows, structure, solve_with_rows(system, Asked::kMotion, kept, b, tree, refinements));
}

std::optional<Acceleration> reduced_acceleration(const equations::System& system,
                                                 const solve::StaticStructure& structure,
                                                 const Acceleration& of_all_rows) {
  if (structure.blocks.is_empty() && system.M.is_deferred()) return std::nullopt;
  const std::vector<int> rows = all_rows(system);
  const KeptRows kept = keep(rows, structure);
  const std::vector<Expr> b = of_rows(system, kept.rows, &equations::Row::b);
  const auto if_worth_it = [&](solve::StaticSolution solution) -> std::optional<Acceleration> {
    Acceleration reduced = motion_of(system, rows, structure, std::move(solution));
    if (!is_worth_it(system, reduced.u_dot, of_all_rows.u_dot, kWorthAnother)) return std::nullopt;
    return reduced;
  };
  if (!system.M.is_deferred()) {
    if (auto solution = solve_without_corrections(system, kept, b)) {
      if (auto uncorrected = if_worth_it(std::move(*solution))) return uncorrected;
    }
  }
  if (structure.blocks.is_empty()) return std::nullopt;
  const solve::StaticReduction reduction(symbolic_system(system, kept.rows), structure.blocks);
  return if_worth_it(reduction.solve(impressed_force(system), b));
}

ProjectionWays position_projection(const equations::System& system, const solve::StaticStructure& structure,
                                   const equations::ArticulatedMotion* tree) {
  const std::vector<int> rows = position_rows(system);
  const auto change_of_places = [&system](const std::vector<Expr>& du) {
    std::vector<Expr> dq;
    for (const expr::SparseRow& row : system.G) {
      Expr sum = system.graph->constant(0.0);
      for (const auto& [j, G] : row) sum += G * du[j];
      dq.push_back(sum);
    }
    return dq;
  };
  const std::vector<Expr> violation = of_rows(system, rows, &equations::Row::phi);
  return ways_onto(system, rows, violation, structure, tree, change_of_places);
}

ProjectionWays velocity_projection(const equations::System& system, const std::vector<int>& rows,
                                   const solve::StaticStructure& structure, const equations::ArticulatedMotion* tree) {
  const std::vector<Expr> violation = of_rows(system, rows, &equations::Row::psi);
  return ways_onto(system, rows, violation, structure, tree, [](const std::vector<Expr>& du) { return du; });
}

}  // namespace vinculum::solve
