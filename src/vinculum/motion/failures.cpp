// Writes messages of failures that name constraint rows, coordinates and terms as the model text does.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "vinculum/base/index.hpp"
#include "vinculum/compiled/effort_reach.hpp"
#include "vinculum/compiled/vanishing_divisor.hpp"
#include "vinculum/expr/interpreter.hpp"
#include "vinculum/motion/equation_pieces.hpp"
#include "vinculum/motion/kinematics_check.hpp"
#include "vinculum/motion/table_advice.hpp"

namespace vinculum::sim {
namespace {

using model::Level;

std::string quoted(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    text += i == 0 ? "" : i + 1 == names.size() ? " and " : ", ";
    text += "`" + names[i] + "`";
  }
  return text;
}

}  // namespace

Failure EquationPieces::named(Failure failure, double t, Level level) const {
  failure.t = t;
  std::vector<std::string> names;
  switch (failure.kind) {
    case FailureKind::kInconsistent: {
      for (const int row : failure.rows) names.push_back(at_.compiled->row_name(row));
      if (names.empty()) break;
      // `size` is 0 if actuator efforts have no effect on the rows
      if (failure.size == 0.0 && !at_.compiled->system->directed.empty()) {
        const equations::Row& first = nth(at_.compiled->system->rows, failure.rows.front());
        const bool is_via = at_.compiled->model->constraint(first.constraint).law->has_named_actuators();
        const bool is_one = names.size() == 1;
        const char* const by =
            is_via ? (is_one ? "its actuators" : "their actuators") : "forces along the stated directions";
        if (!do_efforts_reach(*at_.bound)) {
          failure.message = fmt::format(
              "constraint{} {} cannot be kept by {}, at this place or any other: no efforts give the "
              "accelerations that {} for",
              is_one ? "" : "s", quoted(names), by, is_one ? "it asks" : "they ask");
          failure.advice = fmt::format(
              "let {} act on what the constraint moves; through a spring or a rope in between it would act only on a "
              "higher derivative of the relation, which is not solved for",
              is_via ? "an actuator" : "the reaction");
          break;
        }
        failure.message = fmt::format("constraint{} {} cannot be kept by {} here: they do not {} {}", is_one ? "" : "s",
                                      quoted(names), by, is_one ? "affect" : "reach", is_one ? "it" : "all of them");
        failure.advice = fmt::format(
            "lead the motion past this pose, end the run before it, or add {} that {} the constraint here too",
            is_via ? "an actuator" : "a direction", is_via ? "moves" : "keeps");
        break;
      }
      const std::string size =
          fmt::format("{:.3g}{}", failure.size, at_.compiled->row_unit(failure.rows.front(), level));
      const std::string first = "`" + names.front() + "`";
      names.erase(names.begin());
      failure.message = names.empty()
                            ? fmt::format("constraint {} cannot be satisfied here: it is missed by {}", first, size)
                            : fmt::format("constraint {} contradicts {} by {}", first, quoted(names), size);
      break;
    }
    case FailureKind::kUndetermined: {
      for (const int speed : failure.coordinates) names.push_back(at_.compiled->speed_name(speed));
      if (names.empty()) break;
      failure.message = fmt::format("neither mass nor constraint determines the acceleration of {}", quoted(names));
      if (matrices.M.rows() != at_.nu) break;
      auto cause = explain_undetermined_angles(*at_.bound, failure.coordinates, t, at_.input.data() + 1, matrices.M);
      if (cause) return std::move(*cause);
      break;
    }
    case FailureKind::kFrictionNoSolution:
    case FailureKind::kFrictionManySolutions: {
      for (const int row : failure.rows) names.push_back(at_.compiled->row_name(row));
      if (names.empty() || !failure.message.empty()) break;
      failure.message =
          failure.kind == FailureKind::kFrictionNoSolution
              ? fmt::format("no reaction of {} agrees with the forces that depend on it", quoted(names))
              : fmt::format("several reactions of {} agree with the forces that depend on them", quoted(names));
      break;
    }
    case FailureKind::kNonFinite:
      for (const int row : failure.rows) names.push_back(at_.compiled->row_name(row));
      if (names.empty() || !failure.message.empty()) break;
      failure.message = fmt::format("the force stated by the reaction of {} is not finite", quoted(names));
      break;
    case FailureKind::kSingularByMultipliers: failure.rows = rows_with_inertia(*at_.compiled->system); break;
    default: break;
  }
  return failure;
}

Failure EquationPieces::non_finite(double t, const double* y) const {
  if (auto singular = explain_singular_kinematics(*at_.bound, t, y)) return std::move(*singular);
  const equations::System& system = *at_.compiled->system;
  std::vector<expr::Expr> roots = system.q_dot;
  roots.insert(roots.end(), system.f.begin(), system.f.end());
  // If C depends on reactions, it contains multipliers, which have no value here.
  if (!system.has_implicit_nonideal) roots.insert(roots.end(), system.C.begin(), system.C.end());
  if (!at_.compiled->late_matrices) roots.insert(roots.begin() + at_.nq, system.M.begin(), system.M.end());
  std::vector<expr::Expr> symbols{system.t};
  symbols.insert(symbols.end(), system.q.begin(), system.q.end());
  symbols.insert(symbols.end(), system.u.begin(), system.u.end());
  symbols.insert(symbols.end(), system.z.begin(), system.z.end());
  symbols.insert(symbols.end(), system.slide_direction.begin(), system.slide_direction.end());
  symbols.insert(symbols.end(), system.parameters.begin(), system.parameters.end());
  std::vector<double> values{t};
  values.insert(values.end(), y, y + at_.ny);
  values.insert(values.end(), at_.input.end() - at_.compiled->slide_size(), at_.input.end());
  values.insert(values.end(), at_.bound->parameters.begin(), at_.bound->parameters.end());

  Failure failure;
  failure.kind = FailureKind::kNonFinite;
  failure.t = t;
  const bool is_motion_finite = expr::explain_non_finite(system.q_dot, symbols, values).empty();
  for (std::size_t i = 0; is_motion_finite && i < system.rows.size(); ++i) {
    const equations::Row& row = system.rows[i];
    std::vector<expr::Expr> parts;
    if (!row.chi.is_valid()) {  // if the row has a χ, A and b also depend on u', which has no value here
      parts = row.A.values();
      parts.push_back(row.b);
    }
    for (const expr::Expr part : {row.phi, row.psi}) {
      if (part.is_valid()) parts.push_back(part);
    }
    const std::string culprit = expr::explain_non_finite(parts, symbols, values);
    if (culprit.empty()) continue;
    failure.rows = {static_cast<int>(i)};
    failure.message =
        fmt::format("constraint `{}` is not finite: {}{}", at_.compiled->row_name(static_cast<int>(i)), culprit,
                    vanishing_divisor(*at_.bound, parts, t, y)
                        ? "; it divides by a vector without a length, or by a matrix that `solve` or "
                          "`pinv` cannot invert"
                        : "");
    failure.advice = advice_of_table(culprit);
    return failure;
  }
  const std::string culprit = expr::explain_non_finite(roots, symbols, values);
  failure.message = culprit.empty() ? "the state itself is not finite" : culprit + " is not finite";
  failure.advice = advice_of_table(culprit);
  return failure;
}

}  // namespace vinculum::sim
