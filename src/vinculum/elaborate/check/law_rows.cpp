#include "vinculum/elaborate/check/law_rows.hpp"

#include "vinculum/model/calculus.hpp"
#include "vinculum/model/homogeneity.hpp"
#include "vinculum/model/nonlinear_speeds.hpp"
#include "vinculum/reaction_laws/hints.hpp"
#include "vinculum/reaction_laws/law_table.hpp"

namespace vinculum::elaborate {

using model::Level;
using model::Term;

namespace {

LawRowProblem not_allowed(std::string message, std::string hint) {
  LawRowProblem problem;
  problem.diagnostic.kind = diag::Kind::kNotAllowedHere;
  problem.diagnostic.message = std::move(message);
  problem.diagnostic.hint = std::move(hint);
  return problem;
}

/// Why a row is not homogeneous in the velocities as the law requires; nothing if it is.
std::optional<LawRowProblem> homogeneity_problem(const model::Model& model, Term row, const std::string& constraint,
                                                 bool is_free_of_time, const std::string& name) {
  const Level level = model::level_of(model, row);
  const bool is_linear = level == Level::kPosition || model::is_affine_in_rates(model, row);
  if (model::degree_in_rates(model, row)) {
    if (is_linear || !is_free_of_time || !model::changes_with_time(model, row)) return std::nullopt;
    return not_allowed(name + " needs rows that are linear in the velocities where they change with the time, `" +
                           constraint + "` is not: the reaction would do work",
                       reaction_laws::kHintOfTimedRows);
  }
  if (!is_linear)
    return not_allowed(name + " needs rows homogeneous in the velocities, `" + constraint +
                           "` restricts their magnitudes: no reaction keeps it without work",
                       reaction_laws::kHintOfMagnitudes);
  if (level == Level::kPosition)
    return not_allowed(name + " needs rows that the time alone does not change, `" + constraint + "` is moved by it",
                       reaction_laws::kHintOfMovedRows);
  LawRowProblem problem = not_allowed(name + " needs rows homogeneous in the velocities: `" + constraint +
                                          "` requires motion while all coordinates rest",
                                      reaction_laws::kHintOfAffineRows);
  problem.is_free_term = true;
  return problem;
}

}  // namespace

std::string count_of(std::size_t n, const std::string& noun) {
  return std::to_string(n) + " " + noun + (n == 1 ? "" : "s");
}

std::string wrong_count_of_rows(const std::string& argument, const std::string& constraint, std::size_t rows,
                                std::size_t count) {
  return "`" + argument + "` has one value for each row: `" + constraint + "` has " + count_of(rows, "row") +
         ", and there " + (count == 1 ? "is " : "are ") + count_of(count, "value");
}

std::optional<LawRowProblem> law_row_problem(const model::Model& model, const model::Constraint& constraint,
                                             const model::LawRows& wanted, const std::string& law) {
  const std::string name = "`law " + law + "`";
  for (const Term row : constraint.rows) {
    // A row of a vector relation may have a lower level than the relation. Then the level of the row counts.
    const Level level = model::level_of(model, row);
    if (level >= wanted.lowest && level <= wanted.highest) continue;
    std::string hint;
    if (level == Level::kPosition && wanted.lowest == Level::kVelocity)
      hint = "its derivative is of velocity level: `dt(LHS) = dt(RHS)`";
    if (level == Level::kVelocity && wanted.highest == Level::kPosition) hint = reaction_laws::kHintOfVelocity;
    return not_allowed(
        name + " needs rows of " +
            (wanted.lowest == wanted.highest ? std::string(to_string(wanted.lowest)) : "position or velocity") +
            " level, `" + constraint.name + "` is of " + std::string(to_string(level)) + " level",
        std::move(hint));
  }
  if (!wanted.are_homogeneous) return std::nullopt;
  for (const Term row : constraint.rows) {
    if (auto problem = homogeneity_problem(model, row, constraint.name, wanted.are_free_of_time, name)) return problem;
  }
  return std::nullopt;
}

std::string when_needs_ideal(const std::string& name) {
  return "`when` is for constraints of the ideal law, without `nonideal`, `friction` and `via`: at the instant when `" +
         name + "` begins to act, the impulse of another law is not known";
}

std::string state_not_kept(const std::string& name, const std::string& clause) {
  return "`" + name + "` contains a state, which " + clause + " cannot keep";
}

}  // namespace vinculum::elaborate
