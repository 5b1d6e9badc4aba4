#include "vinculum/sim/plant/random_states.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <random>
#include <span>

#include "vinculum/base/tolerance.hpp"
#include "vinculum/expr/evaluation.hpp"
#include "vinculum/expr/interpreter.hpp"
#include "vinculum/mechanics/sizes.hpp"
#include "vinculum/mechanics/traversal.hpp"
#include "vinculum/sim/plant/scales.hpp"
#include "vinculum/solve/constrained_solve.hpp"

namespace vinculum::sim {
namespace {

using expr::Expr;

constexpr int kStates = 3;
constexpr int kAttempts = 24;  // each a quarter closer to the start than the one before, from half a typical size
constexpr double kFirstDistance = 0.5;
constexpr double kCloser = 0.75;
constexpr int kNewtonSteps = 20;

/// Whether M is solved with: of a tree without rows that nobody writes it for, f holds all that M is made of.
bool needs_mass(const dynamics::System& system) { return !system.M.is_deferred() || !system.rows.empty(); }

std::vector<Expr> everything_solved(const dynamics::System& system) {
  std::vector<Expr> all = system.f;
  if (needs_mass(system)) all.insert(all.begin(), system.M.begin(), system.M.end());
  if (!system.has_implicit_nonideal) all.insert(all.end(), system.C.begin(), system.C.end());
  for (const dynamics::Row& row : system.rows) {
    if (row.chi.is_valid()) continue;  // of u' too
    all.insert(all.end(), row.A.begin(), row.A.end());
    all.push_back(row.b);
    if (row.phi.is_valid()) all.push_back(row.phi);
    if (row.psi.is_valid()) all.push_back(row.psi);
  }
  return all;
}

/// Newton's iteration onto the constraints in the metric of M, positions first, straight from the expressions.
class Satisfaction {
 public:
  Satisfaction(const Structure& structure, std::span<const Expr> inputs, const Vector& q_scale, const Vector& u_scale)
      : structure_(structure), q_scale_(q_scale), u_scale_(u_scale) {
    const dynamics::System& system = *structure.system;
    if (structure.position_rows.empty() && structure.velocity_rows.empty()) return;
    std::vector<Expr> roots = system.metric;
    for (const auto& row : system.G) roots.insert(roots.end(), row.begin(), row.end());
    for (const dynamics::Row& row : system.rows) {
      if (row.chi.is_valid()) {
        roots.insert(roots.end(), row.A.size(), system.graph->constant(0.0));
      } else {
        roots.insert(roots.end(), row.A.begin(), row.A.end());
      }
      roots.push_back(row.phi.is_valid() ? row.phi : system.graph->constant(0.0));
      roots.push_back(row.psi.is_valid() ? row.psi : system.graph->constant(0.0));
    }
    pieces_.emplace(roots, inputs);
  }
  /// \returns the state on the constraints, or nothing where the iteration does not converge.
  [[nodiscard]] std::optional<std::vector<double>> of(std::vector<double> state) const {
    if (!meet(state, structure_.position_rows, true) || !meet(state, structure_.velocity_rows, false))
      return std::nullopt;
    return state;
  }

 private:
  [[nodiscard]] bool meet(std::vector<double>& state, const std::vector<int>& rows, bool are_positions) const {
    using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    const int nq = structure_.nq(), nu = structure_.nu();
    const auto count = static_cast<int>(rows.size());
    if (count == 0) return true;
    solve::ConstrainedSolve solver(nu, count);
    solve::Solution solution;
    for (int iteration = 0; iteration < kNewtonSteps; ++iteration) {
      const std::vector<double> values = pieces_->at(state);
      const Matrix M = Eigen::Map<const RowMajor>(values.data(), nu, nu);
      const Matrix G = Eigen::Map<const RowMajor>(values.data() + nu * nu, nq, nu);
      const double* of_rows = values.data() + nu * nu + nq * nu;
      Matrix A(count, nu);
      Vector defect(count);
      for (int k = 0; k < count; ++k) {
        const int of = rows[static_cast<std::size_t>(k)];
        const double* row = of_rows + of * (nu + 2);
        const Embedding embedding = structure_.embedding[static_cast<std::size_t>(of)];
        A.row(k) = Eigen::Map<const Eigen::RowVectorXd>(row, nu) * (embedding == Embedding::kNone ? 1.0 : 0.0);
        defect[k] = embedding == Embedding::kWhole ? 0.0 : -row[are_positions ? nu : nu + 1];
      }
      if (!defect.allFinite() || !solver.factor(M, A)) return false;
      solver.solve_least_squares(Vector::Zero(nu), defect, solution);
      const Vector correction = are_positions ? Vector(G * solution.u) : solution.u;
      double* const place = state.data() + 1 + (are_positions ? 0 : nq);
      double relative = 0.0;
      for (Eigen::Index i = 0; i < correction.size(); ++i) {
        place[i] += correction[i];
        relative = std::max(relative, std::abs(correction[i]) / (are_positions ? q_scale_[i] : u_scale_[i]));
      }
      if (!std::isfinite(relative)) return false;
      if (relative < tolerance::kConverged) return true;
    }
    return false;
  }

  const Structure& structure_;
  Vector q_scale_, u_scale_;
  std::optional<expr::Evaluation> pieces_;  ///< metric, G, then A, φ, ψ of each row; where there are any to meet
};

/// q, u as `start` states them; right sides that use q see what stands before them.
void stated_start(const Structure& structure, std::span<const Expr> inputs, std::vector<double>& values) {
  using On = mechanics::StartCondition::On;
  const auto& starts = structure.model->starts;
  const std::size_t nq = static_cast<std::size_t>(structure.nq());
  const expr::Evaluation stated(structure.start_values, inputs);
  const bool uses_places = std::ranges::any_of(starts, [](const auto& start) {
    return std::ranges::any_of(mechanics::leaves_as_read(start.value), [](mechanics::Term leaf) {
      return leaf.kind() != mechanics::TermKind::kNumber && leaf.kind() != mechanics::TermKind::kParameter;
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

/// Speeds that the motion may plausibly have: those stated, what forces reach over the size of the places, that size in
/// the time of a run; the largest of each dimension. Forces, inertia and G are those at the start. [nu]
Vector speeds_around(const Structure& structure, std::span<const Expr> inputs, const std::vector<double>& base,
                     const Vector& reach) {
  const dynamics::System& system = *structure.system;
  const std::size_t nq = system.q.size(), nu = system.u.size();
  std::vector<Expr> wanted = system.f;
  for (std::size_t r = 0; r < nu; ++r)
    wanted.push_back(needs_mass(system) ? system.M[r * nu + r] : system.graph->constant(0.0));
  std::vector<std::size_t> of_coordinate, of_speed;
  for (std::size_t i = 0; i < nq; ++i) {
    for (std::size_t r = 0; r < nu; ++r) {
      if (system.G[i][r].is_zero()) continue;
      of_coordinate.push_back(i), of_speed.push_back(r);
      wanted.push_back(system.G[i][r]);
    }
  }
  const std::vector<double> numbers = expr::interpret(wanted, inputs, base);
  const double time = time_scale(*structure.model);
  // The displacement along each speed alone that moves some coordinate by its size.
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
  for (const mechanics::Speed& speed : structure.model->speeds) dimensions.push_back(speed.dimension);
  return mechanics::largest_of_kind(dimensions, size);
}

/// Where states are sought: around the start as the text has it.
struct Surroundings {
  std::vector<double> base;  ///< t, q, u, z as stated, and the parameters
  Vector q_reach, q_scale, u_scale, z_reach;
  double time;

  Surroundings(const Structure& structure, std::span<const Expr> inputs, std::span<const double> parameters) {
    const dynamics::System& system = *structure.system;
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
  /// A state at this distance, places by `q_size`.
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

std::vector<Expr> inputs_of(const dynamics::System& system) {
  std::vector<Expr> inputs = state_symbols(system);
  inputs.insert(inputs.end(), system.parameters.begin(), system.parameters.end());
  return inputs;
}

bool are_finite(const expr::Evaluation& values, std::span<const double> at) {
  const std::vector<double> results = values.at(at);
  return std::all_of(results.begin(), results.end(), [](double x) { return std::isfinite(x); });
}

}  // namespace

Outcome<RandomStates> random_states(const Structure& structure, unsigned seed, std::span<const double> parameters) {
  RandomStates states;
  states.inputs = inputs_of(*structure.system);
  const Surroundings around(structure, states.inputs, parameters);
  const std::vector<Expr> solved = everything_solved(*structure.system);
  const expr::Evaluation checked(solved, states.inputs);
  std::mt19937_64 generator(seed);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  const auto random = [&] { return uniform(generator); };
  const Satisfaction satisfaction(structure, states.inputs, around.q_scale, around.u_scale);
  std::vector<double> last = around.base;
  double distance = kFirstDistance;
  for (int attempt = 0; attempt < kAttempts && states.values.size() < kStates; ++attempt) {
    std::vector<double> values = around.some(distance, around.q_scale, random);
    if (are_finite(checked, values)) {
      auto satisfying = satisfaction.of(values);
      const bool is_better = satisfying && are_finite(checked, *satisfying);
      states.values.push_back(is_better ? std::move(*satisfying) : std::move(values));
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
