#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "vinculum/base/outcome.hpp"
#include "vinculum/equations/formulation.hpp"
#include "vinculum/equations/system.hpp"

namespace vinculum::report {

/// Choice of the additional motion variables w = B u + β of the minimal form. There is one for each row that makes a
/// speed dependent. With them, Kane's equations also determine the constraint forces ([R] 2.5.2, theory.md §5.10),
/// which do not depend on the choice.
enum class Additional {
  kSpeeds,     ///< the dependent speeds themselves, as defined by the model's `speed` statements
  kVanishing,  ///< values of the rows' own expressions, which are 0 along the motion ([R] eq. 103, after Djerassi)
  kAbsolute,   ///< velocity in the newtonian frame of the row's first point or body ([R] eq. 83, after Banerjee)
};

/// A constraint with a `when` clause. `acts` is 1 while its condition is true, otherwise 0. In a motion `acts` changes
/// only at instants, together with the impulse that the constraint needs when it begins to act.
struct Switched {
  model::ConstraintId constraint;
  std::vector<int> rows;  ///< rows of the constraint in the System
  expr::Expr condition;   ///< condition of the `when` clause, in t, q, u, z
  expr::Expr symbol;      ///< the symbol acts(c)
};

/// The equations of motion of a model in one of their formulations, ready to be printed.
struct Derivation {
  std::shared_ptr<equations::System> system;  ///< a System of its own, because printing adds nodes to its graph
  equations::Formulation form{};
  std::vector<int> ideal_rows;     ///< rows of the System that are enforced by multipliers
  std::vector<int> directed_rows;  ///< rows enforced by actuator efforts or by forces in given directions (theory.md
                                   ///< §6.9)
  /// The ideal rows that the coordinates satisfy identically, for the declared parameter values. Subset of
  /// `ideal_rows`.
  std::vector<int> held_rows;

  /// Constraints with a `when` clause. Their rows in the System are those that apply while the constraints act.
  std::vector<Switched> switched;
  std::vector<int> switched_rows;  ///< only in the minimal form: rows of `switched`; they are then not in `ideal_rows`

  // Only in the minimal form: the speeds are separated into independent speeds and the dependent speeds that they
  // determine.
  std::vector<int> independent, dependent;  ///< indices into System::u; dependent in the order of their pivots
  /// [dependent] The ideal rows that determine the dependent speeds: entry k determines the dependent speed k.
  std::vector<int> pivot_rows;
  std::string chosen;  ///< basis of the choice: "by pivoting at the start", "… at a random state", "as `run` states"
  Additional additional = Additional::kSpeeds;
  /// Only for kAbsolute: order of elimination for the matrix B of the pivot rows and the dependent speeds, as pairs of
  /// indices into `pivot_rows` and `dependent`.
  std::vector<std::pair<int, int>> additional_pivots;
};

/// Derives the equations. In the minimal form, `choose_speeds` separates the speeds into independent and dependent
/// ones. With constraints of higher order, the equations are J x = r for the highest derivatives x (System::higher),
/// and only the explicit form exists.
/// \returns the reason why the model has no equations, if `equations::derive` or `reaction_laws::close` fails.
/// Source: theory.md §7; [R] 5.1.
[[nodiscard]] Outcome<Derivation> derive(const std::shared_ptr<const model::Model>& model, equations::Formulation form,
                                         Additional additional = Additional::kSpeeds);

/// Returns the reason why no program can be written for the equations, as a sentence; empty if one can. Some equations
/// are implicit and need a search or an iteration: friction that depends on the actual reaction, and rows that are not
/// linear in the accelerations. Text and LaTeX mention this with the equations.
[[nodiscard]] std::optional<std::string> why_no_code(const Derivation& derivation);

/// Writes the derivation for readers, in the notation of the language or as a LaTeX document: the statements of the
/// model, numbered, each with its consequences. Subexpressions that are used more than once get names z1, z2, …
[[nodiscard]] std::string derive_text(const Derivation& derivation);
[[nodiscard]] std::string derive_latex(const Derivation& derivation);

/// Writes a program as one self-contained file, in C99 or in Python that imports only `math`. It contains the
/// parameters, functions for q' and for the terms M, f, C, A, b of the equations of motion, and functions for
/// accelerations with multipliers (docs/derive.md). Every operation has the same result as in the interpreter.
/// \pre `why_no_code` is empty
[[nodiscard]] std::string derive_c(const Derivation& derivation);
[[nodiscard]] std::string derive_python(const Derivation& derivation);

}  // namespace vinculum::report
