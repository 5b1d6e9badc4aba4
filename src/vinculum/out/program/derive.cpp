#include "vinculum/dynamics/derive.hpp"

#include <algorithm>
#include <cmath>

#include "vinculum/base/linear_algebra.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/expr/derivative.hpp"
#include "vinculum/expr/interpreter.hpp"
#include "vinculum/law/higher_order/higher_order.hpp"
#include "vinculum/out/program/derive_report.hpp"
#include "vinculum/sim/plant/random_states.hpp"
#include "vinculum/sim/start/assembly.hpp"

namespace vinculum::out {
namespace {

constexpr double kGoodPivot = 0.1;  // of the largest one left: among these the last speed is taken
constexpr unsigned kSeed = 7;

struct State {
  std::vector<double> values;  // t, q, u, z, u'
  std::string what;
};

// Where the pivots are compared: the assembled start, else a random state near it.
State state_of(const std::shared_ptr<const mechanics::Model>& model, const dynamics::System& system) {
  const std::size_t size = 1 + system.q.size() + system.u.size() + system.z.size() + system.u.size();
  sim::CompileSettings settings;
  settings.codegen.backend = codegen::Backend::kTape;
  if (const auto compiled = sim::compile_model(model, settings)) {
    sim::Dynamics dynamics(*compiled);
    // rows that are not linear in the accelerations have their gradients there
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
    if (const auto random = sim::random_states(**compiled, kSeed, (*compiled)->parameters)) {
      State state{random->values.front(), "a random consistent state"};
      state.values.resize(size - system.u.size());  // without the parameters
      return with_accelerations(std::move(state));
    }
  }
  State state{{}, "a random state"};
  for (std::size_t i = 0; i < size; ++i)
    state.values.push_back(0.3 + 0.7 * std::sin(1.0 + 2.3 * static_cast<double>(i)));
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
    double largest = tolerance::kGeneric;
    Eigen::Index row = -1;
    for (Eigen::Index i = 0; i < rows; ++i) {
      if (is_taken[static_cast<std::size_t>(i)] != 0) continue;
      const double size = A.row(i).cwiseAbs().maxCoeff();
      if (size > largest * (1.0 + tolerance::kTie)) {
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

// Constraints of higher order have equations for their highest derivatives, and these have one form.
std::optional<Failure> other_form_of_higher_order(const dynamics::System& system, dynamics::Formulation form) {
  if (!system.higher || form == dynamics::Formulation::kExplicit) return std::nullopt;
  Failure failure;
  failure.kind = FailureKind::kNotUnique;
  for (const mechanics::ConstraintId id : system.higher->constraint_of_mu)
    failure.constraints.push_back(static_cast<int>(id.index()));
  failure.message = "the equations of constraint `" +
                    system.model->constraint(system.higher->constraint_of_mu.front()).name +
                    "` of higher order have one form, the explicit one";
  return failure;
}

std::string names_of(const dynamics::System& system, const auto& is_one) {
  std::string text;
  for (std::size_t i = 0; i < system.model->constraints.size(); ++i) {
    const mechanics::Constraint& constraint = system.model->constraints[i];
    if (is_one(constraint, mechanics::ConstraintId(i))) text += (text.empty() ? "`" : ", `") + constraint.name + "`";
  }
  return text;
}

}  // namespace

Outcome<Derivation> derive(const std::shared_ptr<const mechanics::Model>& model, dynamics::Formulation form) {
  auto system = dynamics::derive(model);
  if (!system) return fail(std::move(system.error()));
  auto closed = law::close(std::move(*system));
  if (!closed) return fail(std::move(closed.error()));
  Derivation derivation;
  derivation.system = std::move(*closed);
  if (auto failure = other_form_of_higher_order(*derivation.system, form)) return fail(std::move(*failure));
  derivation.form = form;
  state_directions(*derivation.system);
  std::vector<char> is_directed(derivation.system->rows.size(), 0);
  for (const dynamics::DirectedReaction& directed : derivation.system->directed) {
    for (int k = 0; k < directed.row_count; ++k) is_directed[static_cast<std::size_t>(directed.first_row + k)] = 1;
  }
  for (std::size_t i = 0; i < is_directed.size(); ++i) {
    (is_directed[i] != 0 ? derivation.directed_rows : derivation.ideal_rows).push_back(static_cast<int>(i));
  }
  if (form != dynamics::Formulation::kMinimal) return derivation;

  const dynamics::System& equations = *derivation.system;
  const State state = state_of(model, equations);
  derivation.chosen_at = state.what;
  std::vector<expr::Expr> symbols{equations.t}, roots;
  std::vector<double> values = state.values;
  for (const auto* more : {&equations.q, &equations.u, &equations.z, &equations.u_dot, &equations.parameters}) {
    symbols.insert(symbols.end(), more->begin(), more->end());
  }
  for (const auto& parameter : model->parameters) values.push_back(parameter.value);
  for (const int row : derivation.ideal_rows) {
    const auto& A = equations.rows[static_cast<std::size_t>(row)].A;
    roots.insert(roots.end(), A.begin(), A.end());
  }
  const auto nu = static_cast<Eigen::Index>(equations.nu());
  for (Eigen::Index r = 0; r < nu; ++r) roots.push_back(equations.metric[static_cast<std::size_t>(r * nu + r)]);
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

std::optional<std::string> why_no_code(const Derivation& derivation) {
  const dynamics::System& system = *derivation.system;
  constexpr const char* kInstead =
      "; `--to text` and `--to latex` print the equations, `vinculum run` and the library solve them";
  if (system.has_nonlinear_rows) {
    const std::string rows = names_of(system, [&](const mechanics::Constraint&, mechanics::ConstraintId id) {
      return std::ranges::any_of(system.rows,
                                 [&](const dynamics::Row& row) { return row.constraint == id && row.chi.is_valid(); });
    });
    return rows +
           " is not linear in the accelerations: they are found by a search among several answers, which printed code "
           "does not hold" +
           kInstead;
  }
  if (system.has_implicit_nonideal) {
    const std::string stated = names_of(system, [](const mechanics::Constraint& constraint, mechanics::ConstraintId) {
      return !constraint.nonideal.empty();
    });
    return "forces that " + stated +
           " states depend on the reactions themselves: both are found by iteration, which printed code does not hold" +
           kInstead;
  }
  return std::nullopt;
}

}  // namespace vinculum::out
