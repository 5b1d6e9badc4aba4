#pragma once

#include <string>
#include <vector>

#include "vinculum/exports/derive_report.hpp"

namespace vinculum::report {

/// One line of a derivation in its readable form.
struct Line {
  enum class Kind {
    kHeading,   ///< a heading: words
    kNote,      ///< a sentence without a number: words
    kGiven,     ///< a statement of the model in the notation of the language: words
    kResult,    ///< left = right, both expressions
    kVector,    ///< left = right[0] F.x + right[1] F.y + right[2] F.z
    kReaction,  ///< left = λ × (vector formula in `words`) = λ × right: force or torque of a row with multiplier λ
  } kind{};
  std::string words = {};
  std::string left = {};  ///< left side in the notation of the language: "vel(P1)", "M[1,2]"; empty: use `left_factors`
  std::string left_latex = {};  ///< the left side in LaTeX, if it cannot be derived from `left`
  std::vector<expr::Expr> right = {};
  std::string frame = {};                     ///< frame of the measure numbers in `right`
  expr::Expr multiplier = {};                 ///< multiplier of a reaction
  std::vector<expr::Expr> left_factors = {};  ///< left side of an equation: Σ factor × symbol, …
  std::vector<expr::Expr> left_symbols = {};  ///< … or a single factor, if there are no symbols
};

/// Returns the content of a derivation, from which text and LaTeX are written. It contains each statement of the model
/// with its consequences, followed by the equations of the chosen form. Expressions are simplified for reading. Adds
/// nodes to the system's graph.
[[nodiscard]] std::vector<Line> listing(const Derivation& derivation);

}  // namespace vinculum::report
