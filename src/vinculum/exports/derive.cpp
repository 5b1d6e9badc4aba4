#include "vinculum/equations/derive.hpp"

#include <algorithm>

#include "vinculum/base/contract.hpp"
#include "vinculum/compiled/binding.hpp"
#include "vinculum/compiled/structure.hpp"
#include "vinculum/equations/constraint_rows.hpp"
#include "vinculum/exports/derive_choice.hpp"
#include "vinculum/exports/derive_reduction.hpp"
#include "vinculum/exports/derive_report.hpp"
#include "vinculum/higher_order/higher_order.hpp"

namespace vinculum::report {
namespace {

// Returns a failure if another form than the explicit one is requested for a model with constraints of higher order,
// which has only the explicit form.
std::optional<Failure> other_form_of_higher_order(const equations::System& system, equations::Formulation form) {
  if (!system.higher || form == equations::Formulation::kExplicit) return std::nullopt;
  Failure failure;
  failure.kind = FailureKind::kNotUnique;
  for (const model::ConstraintId id : system.higher->constraint_of_mu)
    failure.constraints.push_back(static_cast<int>(id.index()));
  failure.message = "the equations of constraint `" +
                    system.model->constraint(system.higher->constraint_of_mu.front()).name +
                    "` of higher order have one form, the explicit one";
  return failure;
}

std::string names_of(const equations::System& system, const auto& is_one) {
  std::string text;
  for (std::size_t i = 0; i < system.model->constraints.size(); ++i) {
    const model::Constraint& constraint = system.model->constraints[i];
    if (is_one(constraint, model::ConstraintId(i))) text += (text.empty() ? "`" : ", `") + constraint.name + "`";
  }
  return text;
}

/// Creates the factor acts(c) of each constraint c with a `when` clause. The rows of the System become the rows that
/// apply while the constraints act.
void name_switched(Derivation& derivation) {
  equations::System& system = *derivation.system;
  for (std::size_t i = 0; i < system.rows.size(); ++i) {
    const equations::Row& row = system.rows[i];
    if (!row.acts.is_valid()) continue;
    if (derivation.switched.empty() || derivation.switched.back().constraint != row.constraint) {
      const model::Constraint& constraint = system.model->constraint(row.constraint);
      derivation.switched.push_back({row.constraint,
                                     {},
                                     equations::lower(system, constraint.when)[0],
                                     system.graph->symbol("acts(" + constraint.name + ")")});
    }
    derivation.switched.back().rows.push_back(static_cast<int>(i));
  }
  equations::let_all_rows_act(system);
}

/// Sets the entries of rows that the coordinates satisfy identically to 0; they are rounding errors of cancelling
/// terms. The rows themselves remain, and the solver of the equations reports their multipliers as undetermined.
void clear_held_rows(Derivation& derivation) {
  const auto structure = sim::analyse(derivation.system, sim::CompileSettings().seed);
  if (!structure) return;  // equations that are not finite at any state are printed as stated
  const expr::Expr zero = derivation.system->graph->constant(0.0);
  for (std::size_t i = 0; i < structure->declared.embedding.size(); ++i) {
    if (sim::restricts_speeds(structure->declared.embedding[i])) continue;
    equations::Row& row = derivation.system->rows[i];
    row.A = expr::SparseRow(*derivation.system->graph, row.A.size());
    if (structure->declared.embedding[i] != sim::Embedding::kWhole) continue;
    row.b = zero;
    derivation.held_rows.push_back(static_cast<int>(i));
  }
}

}  // namespace

Outcome<Derivation> derive(const std::shared_ptr<const model::Model>& model, equations::Formulation form,
                           Additional additional) {
  VINCULUM_EXPECTS(additional == Additional::kSpeeds || form == equations::Formulation::kMinimal);
  auto system = equations::derive(model);
  if (!system) return fail(std::move(system.error()));
  auto closed = reaction_laws::close(std::move(*system));
  if (!closed) return fail(std::move(closed.error()));
  Derivation derivation;
  derivation.system = std::move(*closed);
  if (auto failure = other_form_of_higher_order(*derivation.system, form)) return fail(std::move(*failure));
  derivation.form = form;
  derivation.additional = additional;
  if (!derivation.system->higher) {
    clear_held_rows(derivation);
    name_switched(derivation);
  }
  derivation.system->f = of_sliding(*derivation.system, derivation.system->f);
  derivation.system->C = of_sliding(*derivation.system, derivation.system->C);
  std::vector<char> is_directed(derivation.system->rows.size(), 0);
  for (const equations::DirectedReaction& directed : derivation.system->directed) {
    for (int k = 0; k < directed.row_count; ++k) is_directed[static_cast<std::size_t>(directed.first_row + k)] = 1;
  }
  for (std::size_t i = 0; i < is_directed.size(); ++i) {
    (is_directed[i] != 0 ? derivation.directed_rows : derivation.ideal_rows).push_back(static_cast<int>(i));
  }
  if (form != equations::Formulation::kMinimal) return derivation;
  for (const Switched& one : derivation.switched)
    derivation.switched_rows.insert(derivation.switched_rows.end(), one.rows.begin(), one.rows.end());
  std::erase_if(derivation.ideal_rows, [&](int row) {
    return std::ranges::find(derivation.switched_rows, row) != derivation.switched_rows.end();
  });

  if (auto chosen = choose_speeds(derivation); !chosen) return fail(std::move(chosen.error()));
  return derivation;
}

std::optional<std::string> why_no_code(const Derivation& derivation) {
  const equations::System& system = *derivation.system;
  constexpr const char* kInstead =
      "; `--to text` and `--to latex` print the equations, `vinculum run` and the library solve them";
  if (system.has_nonlinear_rows) {
    const std::string rows = names_of(system, [&](const model::Constraint&, model::ConstraintId id) {
      return std::ranges::any_of(system.rows,
                                 [&](const equations::Row& row) { return row.constraint == id && row.chi.is_valid(); });
    });
    return rows +
           " is not linear in the accelerations: they are found by a search among several answers, which printed code "
           "does not contain" +
           kInstead;
  }
  const auto is_unilateral = [](const model::Constraint& one, model::ConstraintId) {
    return one.unilateral.has_value();
  };
  if (const std::string unilateral = names_of(system, is_unilateral); !unilateral.empty())
    return "unilateral constraints (" + unilateral +
           ") open and close: which of them act, and their impacts, are decided by a search that printed code does not "
           "contain" +
           kInstead;
  const auto is_switched = [](const model::Constraint& one, model::ConstraintId) { return one.when.is_valid(); };
  if (const std::string switched = names_of(system, is_switched);
      !switched.empty() && (system.higher || derivation.form == equations::Formulation::kMinimal)) {
    return "constraints with `when` (" + switched + "): " +
           (system.higher
                ? "the model has constraints of higher order too"
                : "which speeds depend on the others changes with the constraints that act; `--form explicit` "
                  "and `--form augmented` have code") +
           kInstead;
  }
  if (system.has_implicit_nonideal) {
    const std::string stated = names_of(
        system, [](const model::Constraint& constraint, model::ConstraintId) { return !constraint.nonideal.empty(); });
    return "forces that " + stated +
           " states depend on the reactions themselves: both are found by iteration, which printed code does not "
           "contain" +
           kInstead;
  }
  return std::nullopt;
}

}  // namespace vinculum::report
