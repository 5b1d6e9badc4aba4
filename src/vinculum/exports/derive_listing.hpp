#pragma once

#include <string>
#include <vector>

#include "vinculum/exports/derive_report.hpp"

namespace vinculum::report {

/// One line of a derivation for reading.
struct Line {
  enum class Kind {
    kHeading,   ///< words
    kNote,      ///< words, not numbered
    kGiven,     ///< a statement of the model, echoed in the language: words
    kResult,    ///< left = right, both of `expr`
    kVector,    ///< left = right[0] F.x + right[1] F.y + right[2] F.z
    kReaction,  ///< left = λ × (words as a vector formula) = λ × right: the force or torque of a row
  } kind{};
  std::string words = {};
  std::string left = {};        ///< in the language's notation: "vel(P1)", "M[1,2]"; empty: in symbols
  std::string left_latex = {};  ///< where it does not follow from `left`
  std::vector<expr::Expr> right = {};
  std::string frame = {};                     ///< of the measure numbers
  expr::Expr multiplier = {};                 ///< of a reaction
  std::vector<expr::Expr> left_factors = {};  ///< of an equation with the left side Σ factor × symbol,
  std::vector<expr::Expr> left_symbols = {};  ///< or one factor and no symbol
};

/// What the text and the LaTeX of a derivation share: the model's statements, each with what follows from it, then the
/// equations of the form. Expressions are made readable. Grows the system's graph.
[[nodiscard]] std::vector<Line> listing(const Derivation& derivation);

}  // namespace vinculum::report
