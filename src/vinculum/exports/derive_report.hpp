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

/// Additional motion variables w = B u + β of the minimal form, one for each row that makes a speed dependent. They
/// bring the constraint forces into evidence ([R] 2.5.2, theory.md §5.10). The forces do not depend on the choice.
enum class Additional {
  kSpeeds,     ///< the dependent speeds themselves, as defined by the model's `speed` statements
  kVanishing,  ///< the expressions of the rows, which are 0 along the motion ([R] eq. 103, after Djerassi)
  kAbsolute,   ///< velocity in the newtonian frame of the first point or body named by the row, as it enters the row
               ///< ([R] eq. 83, after Banerjee)
};

/// A constraint with a `when` clause. `acts` is 1 while its condition is true, else 0; a motion changes it only at an
/// instant, with the impulse that the constraint needs there.
struct Switched {
  model::ConstraintId constraint;
  std::vector<int> rows;  ///< its rows in the System
  expr::Expr condition;   ///< of t, q, u, z
  expr::Expr symbol;      ///< acts(c)
};

/// The equations of motion of a model in one of their formulations, ready to be printed.
struct Derivation {
  std::shared_ptr<equations::System> system;  ///< a separate one, because printing adds nodes to its graph
  equations::Formulation form{};
  std::vector<int> ideal_rows;     ///< rows of the System enforced by multipliers
  std::vector<int> directed_rows;  ///< rows enforced by efforts of actuators or along given directions (theory.md §6.9)
  /// the ideal rows that hold identically in the coordinates, for the declared parameter values
  std::vector<int> held_rows;

  /// Constraints that act while a condition is true. Their rows in the System are the rows while they act.
  std::vector<Switched> switched;
  std::vector<int> switched_rows;  ///< in the minimal form: rows of `switched`, which are then not in `ideal_rows`

  // minimal form: independent speeds, which determine the dependent ones
  std::vector<int> independent, dependent;  ///< indices into System::u; dependent in the order of their pivots
  /// [dependent] the ideal rows that determine the dependent speeds: row k has its pivot in speed k
  std::vector<int> pivot_rows;
  std::string chosen;  ///< "by pivoting at the start", "… at a random state", "as `run` states"
  Additional additional = Additional::kSpeeds;
  /// For kAbsolute: order in which the matrix B of the pivot rows and the dependent speeds is eliminated; pairs of
  /// positions in `pivot_rows` and `dependent`.
  std::vector<std::pair<int, int>> additional_pivots;
};

/// Derives the equations. In the minimal form the speeds are divided by `choose_speeds`. With constraints of higher
/// order the equations are J x = r for the highest derivatives (System::higher); then only the explicit form exists.
/// \returns why the model has no equations, as `equations::derive` and `reaction_laws::close`.   Source: theory.md
/// §7; [R] 5.1.
[[nodiscard]] Outcome<Derivation> derive(const std::shared_ptr<const model::Model>& model, equations::Formulation form,
                                         Additional additional = Additional::kSpeeds);

/// Why no code can be written for the equations, as a sentence; empty if it can. Reason: they are implicit and need a
/// search or an iteration (friction with the actual reaction, rows that are not linear in the accelerations). Text
/// and LaTeX mention this instead.
[[nodiscard]] std::optional<std::string> why_no_code(const Derivation& derivation);

/// For reading: the statements of the model, numbered, each with its consequences, in the notation of the language or
/// as a LaTeX document. Subexpressions used more than once get names z1, z2, …
[[nodiscard]] std::string derive_text(const Derivation& derivation);
[[nodiscard]] std::string derive_latex(const Derivation& derivation);

/// One self-contained file (C99; Python that imports only `math`): parameters, functions for q' M f C A b and for
/// accelerations with multipliers (docs/derive.md). Every operation has the same result as in the interpreter.
/// \pre not `why_no_code`
[[nodiscard]] std::string derive_c(const Derivation& derivation);
[[nodiscard]] std::string derive_python(const Derivation& derivation);

}  // namespace vinculum::report
