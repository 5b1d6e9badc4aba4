#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vinculum/diag/diagnostic.hpp"
#include "vinculum/lang/ast.hpp"
#include "vinculum/lang/law_form.hpp"
#include "vinculum/model/builder.hpp"
#include "vinculum/model/law_equations.hpp"

/// Laws of reaction, one file a law. What a law does is a model::Law; how it is written is a row of the table,
/// reaction_laws::Kind.
namespace vinculum::reaction_laws {

using model::Constraint;
using model::ConstraintId;
using model::FactorNames;
using model::LawChange;
using model::LawEquations;
using model::LawInstant;
using model::LawRows;
using model::Level;
using model::Model;
using model::RowFactors;
using model::StoredRates;
using model::Term;

/// What the values of an argument may change with.
enum class MayHold { kMotion, kPlace };  ///< t, q, q' and states; t and q

/// A direction stated, with its dimension and its place in the text.
struct Direction {
  Term along;
  Dimension dimension;
  diag::SourceRange range;
};

/// The clause of a law at a constraint whose rows are there: meaning out of its arguments. Every function reports what
/// is wrong and then returns nothing (false); written by elaborate/build/laws.
class Reader {
 public:
  virtual ~Reader() = default;
  [[nodiscard]] virtual model::ModelBuilder& builder() = 0;
  [[nodiscard]] virtual ConstraintId id() const = 0;
  [[nodiscard]] virtual const lang::LawClause& clause() const = 0;
  [[nodiscard]] virtual diag::SourceRange range() const = 0;  ///< of the clause
  /// `law NAME` needs such rows.
  [[nodiscard]] virtual bool has_rows(const LawRows& wanted) = 0;
  /// \param what  for messages, "`kappa`".
  [[nodiscard]] virtual std::optional<Term> scalar(const lang::LawArgument& argument, const Dimension& dimension,
                                                   std::string_view what, MayHold may) = 0;
  /// The number that a scalar has, which must be constant.
  [[nodiscard]] virtual std::optional<double> constant(const lang::LawArgument& argument, Term value,
                                                       std::string_view what) = 0;
  /// One value a row.   \param dimensions  [rows]
  [[nodiscard]] virtual std::optional<std::vector<Term>> of_rows(const lang::LawArgument& argument,
                                                                 std::span<const Dimension> dimensions,
                                                                 std::string_view what, MayHold may) = 0;
  /// A row and a column for each coordinate; H_ij q_j' is a generalized force on q_i.   \returns [nq][nq]
  [[nodiscard]] virtual std::optional<std::vector<std::vector<Term>>> matrix_of_coordinates(
      const lang::LawArgument& argument, const std::string& what) = 0;
  [[nodiscard]] virtual std::optional<std::vector<Direction>> directions(const lang::LawArgument& argument) = 0;
  virtual void report(diag::Diagnostic diagnostic) = 0;

  [[nodiscard]] const Model& model() { return builder().model(); }
  [[nodiscard]] const Constraint& constraint() { return model().constraint(id()); }
  /// The argument of that word; null where it is not written.
  [[nodiscard]] const lang::LawArgument* argument(std::string_view word, int order = 0) const;
  /// The arguments of that word that name a state: `mu(z) = EXPR`.
  [[nodiscard]] std::vector<const lang::LawArgument*> arguments_of_states(std::string_view word) const;
  /// Of derivative `order` of a multiplier μ for each row: μF adds to L.
  [[nodiscard]] std::vector<Dimension> dimensions_of_mu(int order = 0);
  void error(diag::Kind kind, diag::SourceRange range, std::string message, std::string hint = {});
};

/// The number of a term of numbers and parameters alone.
[[nodiscard]] std::optional<double> constant_value(const Model& model, Term term);
/// From the first value to the last.
[[nodiscard]] diag::SourceRange range_of(const lang::LawArgument& argument);

/// A row of the table of laws: how it is written, and the law that text makes.
struct Kind {
  lang::LawForm form;
  std::function<bool(Reader&)> read;     ///< sets the law of the constraint; false after a report
  Level highest = Level::kAcceleration;  ///< derivative that relations under it may hold
  bool is_ideal = false;                 ///< non-ideal forces may be stated beside it
  bool names_directions = false;         ///< it states where its reaction goes
  bool keeps_states = false;             ///< its rows may hold states
};

/// "1, 2*m, x".
[[nodiscard]] std::string list_text(const Model& model, std::span<const Term> terms);

}  // namespace vinculum::reaction_laws
