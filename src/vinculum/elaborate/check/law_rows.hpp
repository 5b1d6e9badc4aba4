#pragma once

#include <optional>
#include <string>

#include "vinculum/diag/diagnostic.hpp"
#include "vinculum/model/law_equations.hpp"
#include "vinculum/model/model.hpp"

namespace vinculum::elaborate {

/// A row that does not satisfy the requirements of a reaction law.
struct LawRowProblem {
  diag::Diagnostic diagnostic;  ///< kNotAllowedHere, with message and hint, without range
  bool is_free_term = false;    ///< the row has a summand without velocities, which a text can point to
};

/// Why the rows of a constraint do not satisfy the requirements `wanted` of a law; nothing if all of them do. Texts and
/// programs (`Builder::law`) report the same message.
/// \param law  name of the law, as a text writes it
[[nodiscard]] std::optional<LawRowProblem> law_row_problem(const model::Model& model,
                                                           const model::Constraint& constraint,
                                                           const model::LawRows& wanted, const std::string& law);

/// "1 row", "2 rows"
[[nodiscard]] std::string count_of(std::size_t n, const std::string& noun);

/// Message about an argument with one value per row that has `count` values for `rows` rows.
[[nodiscard]] std::string wrong_count_of_rows(const std::string& argument, const std::string& constraint,
                                              std::size_t rows, std::size_t count);

/// Messages and hints about combinations of a law that is not ideal with other clauses.
inline constexpr const char* kNonidealNeedsIdeal = "a `nonideal` clause is allowed only with the ideal law";
inline constexpr const char* kHintOfNonideal = "state a further force as a load: `force on P = VEC`";
/// \param name  of the constraint
[[nodiscard]] std::string when_needs_ideal(const std::string& name);
inline constexpr const char* kHintOfWhen =
    "state a force that is switched as a load: `generalized force on q = (EXPR if CONDITION else 0)`";
/// \param clause  "`via`", or a law such as "`law NAME`"
[[nodiscard]] std::string state_not_kept(const std::string& name, const std::string& clause);

}  // namespace vinculum::elaborate
