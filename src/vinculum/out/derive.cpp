#include <algorithm>
#include <cmath>

#include "vinculum/base/linear_algebra.hpp"
#include "vinculum/dynamics/derive.hpp"
#include "vinculum/expr/derivative.hpp"
#include "vinculum/expr/interpreter.hpp"
#include "vinculum/out/derive_report.hpp"
#include "vinculum/sim/assembly.hpp"
#include "vinculum/sim/random_states.hpp"

namespace vinculum::out {
namespace {

constexpr double kTolPivot = 1e-9;     // of rows of unit length: below, the row depends on those before
constexpr double kGoodPivot = 0.1;     // of the largest one left: among these the last speed is taken
constexpr unsigned kSeed = 7;

struct State {
  std::vector<double> values;   // t, q, u
  std::string what;
};

// Where the pivots are compared: the assembled start, else a random state near it.
State state_of(const std::shared_ptr<const mechanics::Model>& model, const dynamics::System& system) {
  const std::size_t size = 1 + system.q.size() + system.u.size();
  sim::CompileSettings settings;
  settings.codegen.backend = codegen::Backend::kTape;
  if (const auto compiled = sim::compile_model(model, settings)) {
    sim::Dynamics dynamics(*compiled);
    if (const auto start = sim::assemble(dynamics)) {
      State state{{start->t0}, "the start"};
      state.values.insert(state.values.end(), start->q.begin(), start->q.end());
      state.values.insert(state.values.end(), start->u.begin(), start->u.end());
      return state;
    }
    if (const auto random = sim::random_states(**compiled, kSeed)) {
      State state{random->values.front(), "a random consistent state"};
      state.values.resize(size);
      return state;
    }
  }
  State state{{}, "a random state"};
  for (std::size_t i = 0; i < size; ++i) state.values.push_back(0.3 + 0.7 * std::sin(1.0 + 2.3 * static_cast<double>(i)));
  return state;
}

// Gaussian elimination of the rows with a pivot order: each step takes the best row, and in it the last good speed.
void choose_speeds(Derivation& derivation, Matrix A) {
  const auto rows = A.rows();
  std::vector<char> is_taken(static_cast<std::size_t>(rows), 0), is_dependent(static_cast<std::size_t>(A.cols()), 0);
  for (Eigen::Index i = 0; i < rows; ++i) {
    const double length = A.row(i).norm();
    if (length > 0.0) A.row(i) /= length;
  }
  while (true) {
    double largest = kTolPivot;
    Eigen::Index row = -1;
    for (Eigen::Index i = 0; i < rows; ++i) {
      if (is_taken[static_cast<std::size_t>(i)] != 0) continue;
      const double size = A.row(i).cwiseAbs().maxCoeff();
      if (size > largest * (1.0 + 1e-6)) {
        largest = size;
        row = i;
      }
    }
    if (row < 0) break;
    Eigen::Index column = -1;
    for (Eigen::Index j = 0; j < A.cols(); ++j) {
      if (std::fabs(A(row, j)) >= kGoodPivot * largest) column = j;
    }
    is_taken[static_cast<std::size_t>(row)] = 1;
    is_dependent[static_cast<std::size_t>(column)] = 1;
    derivation.pivot_rows.push_back(derivation.ideal_rows[static_cast<std::size_t>(row)]);
    derivation.dependent.push_back(static_cast<int>(column));
    for (Eigen::Index i = 0; i < rows; ++i) {
      if (is_taken[static_cast<std::size_t>(i)] != 0) continue;
      A.row(i) -= A(i, column) / A(row, column) * A.row(row);
      A(i, column) = 0.0;
    }
  }
  for (std::size_t r = 0; r < is_dependent.size(); ++r) {
    if (is_dependent[r] == 0) derivation.independent.push_back(static_cast<int>(r));
  }
}

// Equations as text are those of sliding: v/|v| in the place of directions held.
void state_directions(dynamics::System& system) {
  std::vector<expr::Expr> directions;
  for (const dynamics::Slide& slide : system.slides) {
    expr::Expr square = system.graph->constant(0.0);
    for (const expr::Expr v : slide.velocity) square += v * v;
    const expr::Expr size = slide.count == 1 ? system.graph->make(expr::Op::kAbsolute, slide.velocity[0])
                                             : system.graph->make(expr::Op::kSquareRoot, square);
    for (const expr::Expr v : slide.velocity) directions.push_back(v / size);
  }
  if (!directions.empty()) system.C = expr::substitute(system.C, system.slide_direction, directions);
}

}  // namespace

Outcome<Derivation> derive(const std::shared_ptr<const mechanics::Model>& model, dynamics::Formulation form) {
  auto system = dynamics::derive(model);
  if (!system) return fail(std::move(system.error()));
  Derivation derivation;
  derivation.system = std::move(*system);
  derivation.form = form;
  state_directions(*derivation.system);
  std::vector<char> is_directed(derivation.system->rows.size(), 0);
  for (const dynamics::DirectedReaction& directed : derivation.system->directed) {
    for (int k = 0; k < directed.row_count; ++k) is_directed[static_cast<std::size_t>(directed.first_row + k)] = 1;
  }
  for (std::size_t i = 0; i < is_directed.size(); ++i) {
    (is_directed[i] != 0 ? derivation.directed_rows : derivation.ideal_rows).push_back(static_cast<int>(i));
  }
  if (derivation.system->has_nonlinear_rows) {
    derivation.no_code = "a constraint is not linear in the accelerations: they are the answer of an iteration";
    if (form == dynamics::Formulation::kMinimal) derivation.no_form = derivation.no_code;
  } else if (derivation.system->has_implicit_nonideal) {
    derivation.no_code = "forces depend on reactions, which are the answer of a search among branches, and friction may stick";
  }
  if (form != dynamics::Formulation::kMinimal || !derivation.no_form.empty()) return derivation;

  const dynamics::System& equations = *derivation.system;
  const State state = state_of(model, equations);
  derivation.chosen_at = state.what;
  std::vector<expr::Expr> symbols{equations.t}, roots;
  std::vector<double> values = state.values;
  for (const auto* more : {&equations.q, &equations.u, &equations.parameters}) symbols.insert(symbols.end(), more->begin(), more->end());
  for (const auto& parameter : model->parameters) values.push_back(parameter.value);
  for (const int row : derivation.ideal_rows) {
    const auto& A = equations.rows[static_cast<std::size_t>(row)].A;
    roots.insert(roots.end(), A.begin(), A.end());
  }
  const auto nu = static_cast<Eigen::Index>(equations.nu());
  for (Eigen::Index r = 0; r < nu; ++r) roots.push_back(equations.M[static_cast<std::size_t>(r * nu + r)]);
  const std::vector<double> numbers = expr::interpret(roots, symbols, values);
  const auto rows = static_cast<Eigen::Index>(derivation.ideal_rows.size());
  Matrix A(rows, nu);
  for (Eigen::Index i = 0; i < rows; ++i) {
    for (Eigen::Index r = 0; r < nu; ++r) {
      const double a = numbers[static_cast<std::size_t>(i * nu + r)];
      const double mass = numbers[static_cast<std::size_t>(rows * nu + r)];
      A(i, r) = std::isfinite(a) ? (mass > 0.0 && std::isfinite(mass) ? a / std::sqrt(mass) : a) : 0.0;
    }
  }
  choose_speeds(derivation, std::move(A));
  return derivation;
}

}  // namespace vinculum::out
