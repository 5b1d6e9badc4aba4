#include "vinculum/compiled/random_states.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <random>
#include <span>

#include "vinculum/base/index.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/compiled/scales.hpp"
#include "vinculum/expr/derivative.hpp"
#include "vinculum/expr/evaluation.hpp"
#include "vinculum/expr/interpreter.hpp"
#include "vinculum/model/sizes.hpp"
#include "vinculum/model/traversal.hpp"
#include "vinculum/numeric/ranked_rows.hpp"
#include "vinculum/solve/pivoted/constrained_solve.hpp"

namespace vinculum::sim {
namespace {

using expr::Expr;
using model::Level;
using numeric::SparseEntry;
using numeric::SparseMatrix;

constexpr int kStates = 3;
// Most attempts per state. The first is at a distance of half a typical size from the start, each further one at 3/4 of
// the previous distance.
constexpr int kAttempts = 24;
constexpr double kFirstDistance = 0.5;
constexpr double kCloser = 0.75;
constexpr int kNewtonSteps = 20;

/// The forces f with all friction directions set to 0.
std::vector<Expr> without_friction(const equations::System& system) {
  return expr::substitute(system.f, system.slide_direction,
                          std::vector<Expr>(system.slide_direction.size(), system.graph->constant(0.0)));
}

/// All expressions that must be finite. If M is not used to solve for accelerations, it is left out, because f contains
/// the same subexpressions.
std::vector<Expr> everything_solved(const Structure& structure) {
  const equations::System& system = *structure.system;
  std::vector<Expr> all;
  if (structure.needs_mass())
    std::ranges::copy_if(system.M, std::back_inserter(all), [](Expr M) { return !M.is_zero(); });
  append(all, without_friction(system));
  if (!system.has_implicit_nonideal) all.insert(all.end(), system.C.begin(), system.C.end());
  for (const equations::Row& row : system.rows) {
    if (row.chi.is_valid()) continue;  // such a row also depends on u', which has no value here
    append(all, row.A.values());
    all.push_back(row.b);
    if (row.phi.is_valid()) all.push_back(row.phi);
    if (row.psi.is_valid()) all.push_back(row.psi);
  }
  return all;
}

/// A sparse matrix whose entries are among the values of one evaluation of many expressions (`roots`).
class SparsePiece {
 public:
  explicit SparsePiece(std::vector<Expr>& roots) : first_(roots.size()) {}
  void add(int row, int column, Expr value, std::vector<Expr>& roots) {
    places_.emplace_back(row, column, 0.0);
    roots.push_back(value);
  }
  [[nodiscard]] SparseMatrix at(const std::vector<double>& values, int rows, int columns) const {
    std::vector<SparseEntry> entries;
    entries.reserve(places_.size());
    for (std::size_t k = 0; k < places_.size(); ++k)
      entries.emplace_back(places_[k].row(), places_[k].col(), values[first_ + k]);
    SparseMatrix matrix(rows, columns);
    matrix.setFromTriplets(entries.begin(), entries.end());
    return matrix;
  }

 private:
  std::size_t first_;
  std::vector<SparseEntry> places_;
};

/// Solves the rows of one level, φ = 0 or ψ = 0, by Newton's iteration. Each step is the least change in a metric. The
/// metric is M or, if M is not used, the diagonal of the pivots of articulated bodies.
class Satisfaction {
 public:
  /// \param rows  rows of this level.  \param sizes  typical sizes of the corrected variables, q or u.
  Satisfaction(const Structure& structure, const std::vector<Embedding>& embedding, std::span<const Expr> inputs,
               const std::vector<int>& rows, Level level, const Vector& sizes)
      : nu_(structure.nu()), count_(static_cast<int>(rows.size())), sizes_(sizes) {
    if (rows.empty()) return;
    const equations::System& system = *structure.system;
    first_ = level == Level::kPosition ? 1 : 1 + structure.nq();
    std::vector<Expr> roots;
    for (const int row : rows) {
      const equations::Row& stated = nth(system.rows, row);
      const Expr missed = level == Level::kPosition ? stated.phi : stated.psi;
      const bool is_held = nth(embedding, row) == Embedding::kWhole || !missed.is_valid();
      roots.push_back(is_held ? system.graph->constant(0.0) : missed);
    }
    M_.emplace(roots);
    if (structure.needs_mass()) {
      const std::vector<Expr>& metric = system.metric;
      for (std::size_t k = 0; k < metric.size(); ++k) {
        if (!metric[k].is_zero()) M_->add(static_cast<int>(k) / nu_, static_cast<int>(k) % nu_, metric[k], roots);
      }
    } else {
      const std::vector<Expr> pivots = structure.tree->factor->pivots();
      for (int j = 0; j < nu_; ++j) M_->add(j, j, nth(pivots, j), roots);
    }
    At_.emplace(roots);
    for (int k = 0; k < count_; ++k) {
      const equations::Row& row = nth(system.rows, nth(rows, k));
      if (row.chi.is_valid() || !restricts_speeds(nth(embedding, nth(rows, k)))) continue;
      for (const auto& [j, entry] : row.A) At_->add(static_cast<int>(j), k, entry, roots);
    }
    if (level == Level::kPosition) {
      G_.emplace(roots);
      for (int i = 0; i < structure.nq(); ++i) {
        for (const auto& [r, entry] : nth(system.G, i)) G_->add(i, static_cast<int>(r), entry, roots);
      }
    }
    pieces_.emplace(roots, inputs);
  }

  /// Corrects the state.
  /// \returns false if the iteration does not converge to a state that satisfies the rows.
  [[nodiscard]] bool meet(std::vector<double>& state) const {
    if (count_ == 0) return true;
    for (int iteration = 0; iteration < kNewtonSteps; ++iteration) {
      const std::vector<double> values = pieces_->at(state);
      const Vector defect = -Eigen::Map<const Vector>(values.data(), count_);
      if (!defect.allFinite()) return false;
      const auto change = least_change(M_->at(values, nu_, nu_), At_->at(values, nu_, count_), defect);
      if (!change) return false;
      const Vector correction = G_ ? Vector(G_->at(values, static_cast<int>(sizes_.size()), nu_) * *change) : *change;
      double relative = 0.0;
      for (Eigen::Index i = 0; i < correction.size(); ++i) {
        state[static_cast<std::size_t>(first_ + i)] += correction[i];
        relative = std::max(relative, std::abs(correction[i]) / sizes_[i]);
      }
      if (!std::isfinite(relative)) return false;
      if (relative < tolerance::kConverged) return true;
    }
    return false;
  }

 private:
  /// The solution u of A u = d that is least in the metric of M; rows that depend on earlier rows are ignored.
  [[nodiscard]] static std::optional<Vector> least_change(const SparseMatrix& M, const SparseMatrix& At,
                                                          const Vector& d) {
    numeric::RankedRows rows;
    if (rows.factor(M, At, Vector::Ones(At.cols()), tolerance::kRank)) return rows.least(d);
    solve::ConstrainedSolve solver(static_cast<int>(M.rows()), static_cast<int>(At.cols()));
    if (!solver.factor(Matrix(M), Matrix(At).transpose())) return std::nullopt;
    solve::Solution solution;
    solver.solve_least_squares(Vector::Zero(M.rows()), d, solution);
    return std::move(solution.u);
  }

  int nu_, count_;
  Eigen::Index first_ = 0;  ///< index of the first corrected variable in the state
  Vector sizes_;
  /// The matrices of the iteration among the values of `pieces_`, after the residuals of the rows.
  std::optional<SparsePiece> M_, At_, G_;
  /// Empty if there are no rows to satisfy.
  std::optional<expr::Evaluation> pieces_;
};

/// Sets q and u to the values of the `start` statements. If the right-hand side of a statement depends on q, it is
/// evaluated with the values of the earlier statements.
void stated_start(const Structure& structure, std::span<const Expr> inputs, std::vector<double>& values) {
  using On = model::StartCondition::On;
  const auto& starts = structure.model->starts;
  const std::size_t nq = static_cast<std::size_t>(structure.nq());
  const expr::Evaluation stated(structure.start_values, inputs);
  const bool uses_places = std::ranges::any_of(starts, [](const auto& start) {
    return std::ranges::any_of(model::leaves_as_read(start.value), [](model::Term leaf) {
      return leaf.kind() != model::TermKind::kNumber && leaf.kind() != model::TermKind::kParameter;
    });
  });
  std::vector<double> now;
  for (std::size_t s = 0; s < starts.size(); ++s) {
    if (s == 0 || uses_places) now = stated.at(values);
    const double value = now[s];
    if (!std::isfinite(value)) continue;
    if (starts[s].on == On::kCoordinate) values[1 + starts[s].index] = value;
    if (starts[s].on == On::kSpeed) values[1 + nq + starts[s].index] = value;
    if (starts[s].on == On::kCoordinateRate && structure.has_identity_kinematics)
      values[1 + nq + starts[s].index] = value;
  }
  const std::vector<double> z = expr::interpret(structure.state_starts, inputs, values);
  for (std::size_t i = 0; i < z.size(); ++i) {
    if (std::isfinite(z[i])) values[1 + nq + static_cast<std::size_t>(structure.nu()) + i] = z[i];
  }
}

/// Plausible speeds [nu]. For each dimension, it is the largest of three values: the stated speeds; the speeds that the
/// forces reach over the typical size of the coordinates; this size divided by the time of the run. Forces, inertia and
/// G are evaluated at the start.
Vector speeds_around(const Structure& structure, std::span<const Expr> inputs, const std::vector<double>& base,
                     const Vector& reach) {
  const equations::System& system = *structure.system;
  const std::size_t nq = system.q.size(), nu = system.u.size();
  std::vector<Expr> wanted = without_friction(system);
  for (std::size_t r = 0; r < nu; ++r)
    wanted.push_back(structure.needs_mass() ? system.M[r * nu + r] : system.graph->constant(0.0));
  std::vector<std::size_t> of_coordinate, of_speed;
  for (std::size_t i = 0; i < nq; ++i) {
    for (const auto& [r, G] : system.G[i]) {
      of_coordinate.push_back(i), of_speed.push_back(r);
      wanted.push_back(G);
    }
  }
  const std::vector<double> numbers = expr::interpret(wanted, inputs, base);
  const double time = time_scale(*structure.model);
  // For each speed, the displacement along it that changes a coordinate by its typical size.
  std::vector<double> displacements(nu, 0.0);
  for (std::size_t k = 0; k < of_speed.size(); ++k) {
    double& own = displacements[of_speed[k]];
    const double G = std::abs(numbers[2 * nu + k]), s = reach[static_cast<Eigen::Index>(of_coordinate[k])];
    if (G > 0.0 && std::isfinite(G)) own = own > 0.0 ? std::min(own, s / G) : s / G;
  }
  Vector size(static_cast<Eigen::Index>(nu));
  for (std::size_t r = 0; r < nu; ++r) {
    const double displacement = displacements[r], force = std::abs(numbers[r]), inertia = numbers[nu + r];
    const double reached = inertia > 0.0 ? std::sqrt(force / inertia * displacement) : 0.0;
    double& own = size[static_cast<Eigen::Index>(r)];
    own = std::max(std::abs(base[1 + nq + r]), displacement > 0.0 ? displacement / time : 1.0);
    if (std::isfinite(reached)) own = std::max(own, reached);
  }
  std::vector<Dimension> dimensions;
  for (const model::Speed& speed : structure.model->speeds) dimensions.push_back(speed.dimension);
  return model::largest_of_kind(dimensions, size);
}

/// The stated start, and the distances from it within which states are sought.
struct Surroundings {
  std::vector<double> base;  ///< stated t, q, u, z, and the parameters
  Vector q_reach, q_scale, u_scale, z_reach;
  double time;

  Surroundings(const Structure& structure, std::span<const Expr> inputs, std::span<const double> parameters) {
    const equations::System& system = *structure.system;
    const std::size_t nq = system.q.size(), nu = system.u.size(), nz = system.z.size();
    base.assign(1 + nq + nu + nz, 0.0);
    base.insert(base.end(), parameters.begin(), parameters.end());
    for (const std::array<int, 4>& e : system.quaternions) base[1 + static_cast<std::size_t>(e[0])] = 1.0;
    stated_start(structure, inputs, base);
    const Vector q = Eigen::Map<const Vector>(base.data() + 1, static_cast<Eigen::Index>(nq));
    const Vector z = Eigen::Map<const Vector>(base.data() + 1 + nq + nu, static_cast<Eigen::Index>(nz));
    q_reach = coordinate_reach(*structure.model, parameters, q);
    q_scale = coordinate_scale(*structure.model, parameters, q);
    u_scale = speeds_around(structure, inputs, base, q_reach);
    z_reach = state_reach(system, parameters, q, z);
    time = time_scale(*structure.model);
  }
  /// A random state.   \param distance  largest change of a component relative to its typical size
  /// \param q_size [nq]  typical sizes of the coordinates
  template <class Random>
  [[nodiscard]] std::vector<double> some(double distance, const Vector& q_size, Random&& random) const {
    std::vector<double> values = base;
    double* place = values.data();
    *place++ += distance * time * random();
    for (const Vector* size : {&q_size, &u_scale, &z_reach}) {
      for (const double one : *size) *place++ += distance * one * random();
    }
    return values;
  }
};

std::vector<Expr> inputs_of(const equations::System& system) {
  std::vector<Expr> inputs = state_symbols(system);
  inputs.insert(inputs.end(), system.parameters.begin(), system.parameters.end());
  return inputs;
}

bool are_finite(const expr::Evaluation& values, std::span<const double> at) {
  const std::vector<double> results = values.at(at);
  return std::all_of(results.begin(), results.end(), [](double x) { return std::isfinite(x); });
}

}  // namespace

Outcome<RandomStates> random_states(const Structure& structure, const std::vector<Embedding>& embedding, unsigned seed,
                                    std::span<const double> parameters) {
  RandomStates states;
  states.inputs = inputs_of(*structure.system);
  const Surroundings around(structure, states.inputs, parameters);
  const std::vector<Expr> solved = everything_solved(structure);
  const expr::Evaluation checked(solved, states.inputs);
  std::mt19937_64 generator(seed);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  const auto random = [&] { return uniform(generator); };
  const Satisfaction positions(structure, embedding, states.inputs, structure.position_rows, Level::kPosition,
                               around.q_scale);
  std::vector<int> rows_of_speeds = structure.velocity_rows;
  rows_of_speeds.insert(rows_of_speeds.end(), structure.integrals.begin(), structure.integrals.end());
  const Satisfaction speeds(structure, embedding, states.inputs, rows_of_speeds, Level::kVelocity, around.u_scale);
  std::vector<double> last = around.base;
  double distance = kFirstDistance;
  for (int attempt = 0; attempt < kAttempts && states.values.size() < kStates; ++attempt) {
    std::vector<double> values = around.some(distance, around.q_scale, random);
    if (are_finite(checked, values)) {
      std::vector<double> satisfying = values;
      const bool is_better = positions.meet(satisfying) && speeds.meet(satisfying) && are_finite(checked, satisfying);
      states.values.push_back(is_better ? std::move(satisfying) : std::move(values));
    } else {
      last = std::move(values);
      distance *= kCloser;
    }
  }
  if (states.values.empty()) {
    Failure failure;
    failure.kind = FailureKind::kNonFinite;
    failure.message = fmt::format("the equations are not finite anywhere near the start: {}",
                                  expr::explain_non_finite(solved, states.inputs, last));
    return fail(std::move(failure));
  }
  while (states.values.size() < kStates) states.values.push_back(states.values.front());
  return states;
}

RandomStates states_anywhere(const Structure& structure, unsigned seed, std::span<const double> parameters,
                             std::span<const Expr> finite) {
  RandomStates states;
  states.inputs = inputs_of(*structure.system);
  const Surroundings around(structure, states.inputs, parameters);
  const expr::Evaluation checked(finite, states.inputs);
  std::mt19937_64 generator(seed);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  double distance = kFirstDistance;
  for (int attempt = 0; attempt < kAttempts && states.values.size() < kStates; ++attempt) {
    std::vector<double> values = around.some(distance, around.q_reach, [&] { return uniform(generator); });
    for (const std::array<int, 4>& e : structure.system->quaternions) {
      double norm2 = 0.0;
      for (const int i : e) norm2 += values[1 + static_cast<std::size_t>(i)] * values[1 + static_cast<std::size_t>(i)];
      for (const int i : e) values[1 + static_cast<std::size_t>(i)] /= std::sqrt(norm2);
    }
    if (are_finite(checked, values)) {
      states.values.push_back(std::move(values));
    } else {
      distance *= kCloser;
    }
  }
  return states;
}

}  // namespace vinculum::sim
