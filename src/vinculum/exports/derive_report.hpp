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

/// Additional motion variables w = B u + β of the minimal form, one for each row that takes a speed's independence:
/// what brings the constraint forces into evidence ([R] 2.5.2, theory.md §5.10). The force does not depend on the
/// choice.
enum class Additional {
  kSpeeds,     ///< the dependent speeds themselves: a basis of the model's own, by its `speed` statements
  kVanishing,  ///< the rows' own expressions, which are 0 along the motion ([R] eq. 103, after Djerassi)
  kAbsolute,   ///< what the first place that a row names adds to it, a velocity in the newtonian frame ([R] eq. 83,
               ///< after Banerjee)
};

/// The equations of motion of a model in one of their formulations, ready to be printed.
struct Derivation {
  std::shared_ptr<equations::System> system;  ///< its own: printing grows the graph
  equations::Formulation form{};
  std::vector<int> ideal_rows;     ///< rows of the System kept by multipliers
  std::vector<int> directed_rows;  ///< rows kept by efforts of actuators or along directions (theory.md §6.9)
  std::vector<int> held_rows;      ///< of these: 0 = 0 by the choice of coordinates, with the declared parameters

  // minimal form: a choice of speeds that determines the others
  std::vector<int> independent, dependent;  ///< indices into System::u; dependent in the order of their pivots
  std::vector<int> pivot_rows;              ///< [dependent] the ideal rows that determine them, row k pivots on speed k
  std::string chosen;                       ///< "by pivoting at the start", "… at a random state", "as `run` states"
  Additional additional = Additional::kSpeeds;
  /// For kAbsolute: an order in which B of the pivot rows by the dependent speeds is eliminated, places in pivot_rows
  /// and in dependent.
  std::vector<std::pair<int, int>> additional_pivots;
};

/// Derives the equations; the minimal form with speeds as `choose_speeds` divides them.
/// With constraints of higher order the equations are J x = r for the highest derivatives (System::higher), in the
/// explicit form alone.
/// \returns why the model has no equations, as `equations::derive` and `reaction_laws::close`.   Source: theory.md §7;
/// [R] 5.1.
[[nodiscard]] Outcome<Derivation> derive(const std::shared_ptr<const model::Model>& model, equations::Formulation form,
                                         Additional additional = Additional::kSpeeds);

/// Why there is no code for the equations, in a sentence: they are implicit, and what solves them searches or iterates
/// (friction with the actual reaction, rows that are not linear in the accelerations). Their text says so instead.
[[nodiscard]] std::optional<std::string> why_no_code(const Derivation& derivation);

/// For reading: the model's statements echoed and numbered, each with what follows from it, in the language's notation
/// or as a LaTeX document. Subexpressions used more than once are named z1, z2, …
[[nodiscard]] std::string derive_text(const Derivation& derivation);
[[nodiscard]] std::string derive_latex(const Derivation& derivation);

/// One self-contained file (C99; Python with `math` alone): parameters, q' M f C A b, and accelerations with
/// multipliers. docs/derive.md describes the functions. They compute what the interpreter does, operation by operation.
/// \pre not `why_no_code`
[[nodiscard]] std::string derive_c(const Derivation& derivation);
[[nodiscard]] std::string derive_python(const Derivation& derivation);

}  // namespace vinculum::report
