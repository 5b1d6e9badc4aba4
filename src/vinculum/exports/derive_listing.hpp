#pragma once

#include <string>
#include <vector>

#include "vinculum/exports/derive_report.hpp"

namespace vinculum::report {

/// One line of a derivation in its readable form.
struct Line {
  enum class Kind {
    kHeading,   ///< words
    kNote,      ///< words, not numbered
    kGiven,     ///< a statement of the model in the notation of the language: words
    kResult,    ///< left = right, both expressions
    kVector,    ///< left = right[0] F.x + right[1] F.y + right[2] F.z
    kReaction,  ///< left = λ × (vector formula in `words`) = λ × right: force or torque of a row
  } kind{};
  std::string words = {};
  std::string left = {};        ///< in the language's notation: "vel(P1)", "M[1,2]"; empty: given by `left_factors`
  std::string left_latex = {};  ///< if it does not follow from `left`
  std::vector<expr::Expr> right = {};
  std::string frame = {};                     ///< frame of the measure numbers
  expr::Expr multiplier = {};                 ///< multiplier of a reaction
  std::vector<expr::Expr> left_factors = {};  ///< left side Σ factor × symbol of an equation, …
  std::vector<expr::Expr> left_symbols = {};  ///< … or one factor without symbol
};

/// Content of the text and of the LaTeX document of a derivation: each statement of the model with its consequences,
/// then the equations of the chosen form. Expressions are simplified for reading. Adds nodes to the system's graph.
[[nodiscard]] std::vector<Line> listing(const Derivation& derivation);

}  // namespace vinculum::report
