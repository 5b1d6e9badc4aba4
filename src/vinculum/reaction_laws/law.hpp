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

/// The module of the reaction laws, with one file per law. The behavior of a law is a model::Law; its notation in model
/// texts is an entry of the table, reaction_laws::Kind.
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

/// Variables on which the values of an argument may depend. kMotion allows t, q, q' and states; kPlace allows only t
/// and q.
enum class MayHold { kMotion, kPlace };

/// A direction given in the model text, with its dimension and its range in the source.
struct Direction {
  Term along;
  Dimension dimension;
  diag::SourceRange range;
};

/// Reads the law clause of a constraint, whose rows already exist, and turns the arguments into terms. Every function
/// reports errors itself and then returns nothing (or false). Implemented in elaborate/statements/laws.cpp.
class Reader {
 public:
  virtual ~Reader() = default;
  [[nodiscard]] virtual model::ModelBuilder& builder() = 0;
  [[nodiscard]] virtual ConstraintId id() const = 0;
  [[nodiscard]] virtual const lang::LawClause& clause() const = 0;
  [[nodiscard]] virtual diag::SourceRange range() const = 0;  ///< range of the clause in the source
  /// True if all rows of the constraint satisfy the requirements `wanted` of the law; reports an error otherwise.
  [[nodiscard]] virtual bool has_rows(const LawRows& wanted) = 0;
  /// One scalar value. \param what  name of the argument in messages, "`kappa`".
  [[nodiscard]] virtual std::optional<Term> scalar(const lang::LawArgument& argument, const Dimension& dimension,
                                                   std::string_view what, MayHold may) = 0;
  /// Numerical value of `value`; reports an error if it is not constant.
  [[nodiscard]] virtual std::optional<double> constant(const lang::LawArgument& argument, Term value,
                                                       std::string_view what) = 0;
  /// One value per row of the constraint.   \param dimensions  [rows]
  [[nodiscard]] virtual std::optional<std::vector<Term>> of_rows(const lang::LawArgument& argument,
                                                                 std::span<const Dimension> dimensions,
                                                                 std::string_view what, MayHold may) = 0;
  /// A square matrix H over the coordinates. H_ij q_j' is a generalized force on q_i.   \returns [nq][nq]
  [[nodiscard]] virtual std::optional<std::vector<std::vector<Term>>> matrix_of_coordinates(
      const lang::LawArgument& argument, const std::string& what) = 0;
  [[nodiscard]] virtual std::optional<std::vector<Direction>> directions(const lang::LawArgument& argument) = 0;
  virtual void report(diag::Diagnostic diagnostic) = 0;

  [[nodiscard]] const Model& model() { return builder().model(); }
  [[nodiscard]] const Constraint& constraint() { return model().constraint(id()); }
  /// Argument with that keyword and order of derivative; null if the clause does not contain it.
  [[nodiscard]] const lang::LawArgument* argument(std::string_view word, int order = 0) const;
  /// All arguments with that keyword that name a state: `mu(z) = EXPR`.
  [[nodiscard]] std::vector<const lang::LawArgument*> arguments_of_states(std::string_view word) const;
  /// [rows] Dimension of the derivative of the given order of each multiplier μ. With F the relation of the row, μF has
  /// the dimension of the Lagrangian.
  [[nodiscard]] std::vector<Dimension> dimensions_of_mu(int order = 0);
  void error(diag::Kind kind, diag::SourceRange range, std::string message, std::string hint = {});
};

/// Value of a term that contains only numbers and parameters; nothing for other terms.
[[nodiscard]] std::optional<double> constant_value(const Model& model, Term term);
/// Range in the source from the first value of the argument to its last value.
[[nodiscard]] diag::SourceRange range_of(const lang::LawArgument& argument);

/// An entry of the table of reaction laws: the notation, and the function that creates the law from the text.
struct Kind {
  lang::LawForm form;
  std::function<bool(Reader&)> read;     ///< sets the law of the constraint; false after a reported error
  Level highest = Level::kAcceleration;  ///< highest level that the law's constraints may have
  bool is_ideal = false;                 ///< non-ideal forces may be stated in addition
  bool names_directions = false;         ///< the text states the direction of the reaction
  bool keeps_states = false;             ///< the rows may contain states
};

/// Terms as a list in text: "1, 2*m, x".
[[nodiscard]] std::string list_text(const Model& model, std::span<const Term> terms);

}  // namespace vinculum::reaction_laws
