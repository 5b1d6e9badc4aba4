#pragma once

#include <string>

#include "vinculum/expr/layout.hpp"

namespace vinculum::expr {

/// A name in mathematical notation: `q1'` → \dot{q}_{1}, `theta_dot` → \dot{\theta}, `q[2]` → q_{2}, `B.wx` →
/// \omega^{B}_{x}, `m_wheel` → m_{\mathrm{wheel}}, `length` → \mathit{length}, `multiplier(roll)[2]` →
/// \lambda_{\mathrm{roll},2}.
[[nodiscard]] std::string latex_name(const std::string& name);

/// Plain text for a LaTeX document: special characters are escaped.
[[nodiscard]] std::string latex_words(const std::string& text);

/// The expression in LaTeX mathematics; the order and abbreviation of terms are those of `to_text`. Uses \le, \frac,
/// \sqrt, cases.
[[nodiscard]] std::string to_latex(Expr e, const Names& names = {}, std::size_t max_nodes = 100000);

}  // namespace vinculum::expr
