#include "vinculum/exports/derive_choice.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "vinculum/base/linear_algebra.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/compiled/random_states.hpp"
#include "vinculum/exports/derive_additional.hpp"
#include "vinculum/expr/interpreter.hpp"
#include "vinculum/start/assembly.hpp"
#include "vinculum/verify/invariants/invariants.hpp"

namespace vinculum::report {
namespace {

// A pivot is good if it is at least this fraction of the largest remaining pivot. Of the good pivots in a row, the one
// of the last speed is chosen.
constexpr double kGoodPivot = 0.1;
constexpr unsigned kSeed = 7;

struct State {
  std::vector<double> values;  // t, q, u, z, u'
  std::string what;
};

// Returns the state at which pivots are compared: the assembled start or, if there is none, a random consistent state.
State state_of(const std::shared_ptr<const model::Model>& model, const equations::System& system) {
  const std::size_t size = 1 + system.q.size() + system.u.size() + system.z.size() + system.u.size();
  sim::CompileSettings settings;
  settings.conserved_judge = sim::judge_conserved;
  settings.codegen.backend = codegen::Backend::kTape;
  if (const auto bound = sim::compile_model(model, settings)) {
    sim::Dynamics dynamics(*bound);
    // Rows that are not linear in the accelerations have gradients that depend on the accelerations.
    const auto with_accelerations = [&](State state) {
      sim::Sample sample;
      state.values.resize(size, 0.0);
      if (!dynamics.report(state.values[0], state.values.data() + 1, sample)) return state;
      std::ranges::copy(sample.reaction.u_dot(), state.values.end() - static_cast<std::ptrdiff_t>(system.u.size()));
      return state;
    };
    if (const auto start = sim::assemble(dynamics)) {
      State state{{start->t0}, "the start"};
      for (const Vector* part : {&start->q, &start->u, &start->z})
        state.values.insert(state.values.end(), part->begin(), part->end());
      return with_accelerations(std::move(state));
    }
    if (const auto random = sim::random_states(**bound, (*bound)->embedding(), kSeed, (*bound)->parameters)) {
      State state{random->values.front(), "a random consistent state"};
      state.values.resize(size - system.u.size());  // drops the parameters
      return with_accelerations(std::move(state));
    }
  }
  State state{{}, "a random state"};
  for (std::size_t i = 0; i < size; ++i)
    state.values.push_back(0.3 + 0.7 * std::sin(1.0 + 2.3 * static_cast<double>(i)));
  return state;
}

std::size_t place_of(Eigen::Index index) { return static_cast<std::size_t>(index); }

struct Pivot {
  Eigen::Index row, column;
};

// Performs Gaussian elimination of rows of unit length with pivoting. Each step takes the row with the largest pivot,
// and in this row the last permitted column whose pivot is good.
std::vector<Pivot> pivots_of(Matrix A, const std::vector<char>& is_allowed) {
  std::vector<Pivot> pivots;
  std::vector<char> is_taken(place_of(A.rows()), 0);
  for (Eigen::Index i = 0; i < A.rows(); ++i) {
    for (Eigen::Index j = 0; j < A.cols(); ++j) A(i, j) = is_allowed[place_of(j)] != 0 ? A(i, j) : 0.0;
    const double length = A.row(i).norm();
    if (length > 0.0) A.row(i) /= length;
  }
  while (true) {
    double largest = tolerance::kGeneric;
    Pivot pivot{-1, -1};
    for (Eigen::Index i = 0; i < A.rows(); ++i) {
      if (is_taken[place_of(i)] != 0) continue;
      const double size = A.row(i).cwiseAbs().maxCoeff();
      if (size > largest * (1.0 + tolerance::kTie)) {
        largest = size;
        pivot.row = i;
      }
    }
    if (pivot.row < 0) return pivots;
    for (Eigen::Index j = 0; j < A.cols(); ++j) {
      if (std::fabs(A(pivot.row, j)) >= kGoodPivot * largest) pivot.column = j;
    }
    is_taken[place_of(pivot.row)] = 1;
    pivots.push_back(pivot);
    for (Eigen::Index i = 0; i < A.rows(); ++i) {
      if (is_taken[place_of(i)] != 0) continue;
      A.row(i) -= A(i, pivot.column) / A(pivot.row, pivot.column) * A.row(pivot.row);
      A(i, pivot.column) = 0.0;
    }
  }
}

// Evaluates matrices of expressions at a state; columns are scaled by the inertia of their speeds.
class Values {
 public:
  Values(const Derivation& derivation, const State& state) : system_(*derivation.system), values_(state.values) {
    symbols_ = {system_.t};
    for (const auto* more : {&system_.q, &system_.u, &system_.z, &system_.u_dot, &system_.parameters})
      symbols_.insert(symbols_.end(), more->begin(), more->end());
    for (const auto& parameter : system_.model->parameters) values_.push_back(parameter.value);
    std::vector<expr::Expr> masses;
    const std::size_t nu = system_.u.size();
    for (std::size_t r = 0; r < nu; ++r) masses.push_back(system_.metric[r * nu + r]);
    masses_ = expr::interpret(masses, symbols_, values_);
  }

  [[nodiscard]] Matrix of(const std::vector<std::vector<expr::Expr>>& rows) const {
    Matrix A(static_cast<Eigen::Index>(rows.size()), static_cast<Eigen::Index>(masses_.size()));
    for (Eigen::Index i = 0; i < A.rows(); ++i) {
      const std::vector<double> numbers = expr::interpret(rows[place_of(i)], symbols_, values_);
      for (Eigen::Index r = 0; r < A.cols(); ++r) {
        const double a = numbers[place_of(r)], mass = masses_[place_of(r)];
        A(i, r) = std::isfinite(a) ? (mass > 0.0 && std::isfinite(mass) ? a / std::sqrt(mass) : a) : 0.0;
      }
    }
    return A;
  }

 private:
  const equations::System& system_;
  std::vector<expr::Expr> symbols_;
  std::vector<double> values_, masses_;
};

Failure not_independent(const std::string& message) {
  Failure failure;
  failure.kind = FailureKind::kSingularKinematics;
  failure.message = message;
  return failure;
}

// Marks each column that contains a pivot by 1.
std::vector<char> pivot_columns(const std::vector<Pivot>& pivots, Eigen::Index count) {
  std::vector<char> is_one(place_of(count), 0);
  for (const Pivot& pivot : pivots) is_one[place_of(pivot.column)] = 1;
  return is_one;
}

}  // namespace

Outcome<void> choose_speeds(Derivation& derivation) {
  const equations::System& system = *derivation.system;
  const model::Model& model = *system.model;
  const State state = state_of(system.model, system);
  const Values values(derivation, state);
  const Eigen::Index nu = system.nu();
  std::vector<char> may_depend(place_of(nu), 1);
  std::string stated;
  for (const model::SpeedId speed : model.run ? model.run->independent : std::vector<model::SpeedId>()) {
    may_depend[speed.index()] = 0;
    stated += (stated.empty() ? "`" : ", `") + model.speeds[speed.index()].name + "`";
  }
  std::vector<std::vector<expr::Expr>> rows;
  for (const int row : derivation.ideal_rows) rows.push_back(system.rows[place_of(row)].A.dense());
  const Matrix A = values.of(rows);
  std::vector<Pivot> pivots = pivots_of(A, may_depend);
  const std::size_t rank = pivots_of(A, std::vector<char>(place_of(nu), 1)).size();
  if (pivots.size() < rank)
    return fail(not_independent(stated + " cannot be independent: the constraints relate them at " + state.what));

  if (derivation.additional == Additional::kAbsolute) {
    auto inertial = additional_rows(derivation);
    if (!inertial) return fail(std::move(inertial.error()));
    const Matrix B = values.of(inertial->B);
    const auto of_pivot_rows = [&] {  // the rows of B that correspond to the pivot rows of A
      Matrix chosen(static_cast<Eigen::Index>(pivots.size()), nu);
      for (std::size_t k = 0; k < pivots.size(); ++k) chosen.row(static_cast<Eigen::Index>(k)) = B.row(pivots[k].row);
      return chosen;
    };
    if (pivots_of(of_pivot_rows(), pivot_columns(pivots, nu)).size() < pivots.size()) {
      pivots = pivots_of(A, pivot_columns(pivots_of(B, may_depend), nu));
    }
    const std::vector<Pivot> additional = pivots_of(of_pivot_rows(), pivot_columns(pivots, nu));
    if (additional.size() < rank)
      return fail(
          not_independent("the velocities that the rows name first are no additional motion variables here: with the "
                          "independent speeds "
                          "they do not determine the motion; `--additional vanishing` always does"));
    for (const Pivot& pivot : additional) {
      const auto dependent = std::ranges::find(pivots, pivot.column, &Pivot::column) - pivots.begin();
      derivation.additional_pivots.emplace_back(static_cast<int>(pivot.row), static_cast<int>(dependent));
    }
  }
  std::vector<char> is_dependent = pivot_columns(pivots, nu);
  for (const Pivot& pivot : pivots) {
    derivation.pivot_rows.push_back(derivation.ideal_rows[place_of(pivot.row)]);
    derivation.dependent.push_back(static_cast<int>(pivot.column));
  }
  for (std::size_t r = 0; r < is_dependent.size(); ++r) {
    if (is_dependent[r] == 0) derivation.independent.push_back(static_cast<int>(r));
  }
  const auto count = static_cast<std::size_t>(std::ranges::count(may_depend, 0));
  derivation.chosen = count == 0                              ? "by pivoting at " + state.what
                      : count < derivation.independent.size() ? "as `run` states, and by pivoting at " + state.what
                                                              : "as `run` states";
  return {};
}

}  // namespace vinculum::report
