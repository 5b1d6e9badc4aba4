#pragma once

#include <string>
#include <utility>
#include <vector>

#include "vinculum/exports/derive_listing.hpp"

namespace vinculum::report {

/// Converts an index of a speed or row to std::size_t; derivations store such indices as int.
[[nodiscard]] inline std::size_t at(int index) { return static_cast<std::size_t>(index); }

/// Collects the lines of a derivation, section by section.
class Lines {
 public:
  explicit Lines(equations::System& system) : system_(system), model_(*system.model) {}

  void heading(std::string words) { lines_.push_back({Line::Kind::kHeading, std::move(words)}); }
  void note(std::string words) { lines_.push_back({Line::Kind::kNote, std::move(words)}); }
  void given(std::string words) { lines_.push_back({Line::Kind::kGiven, std::move(words)}); }
  void result(std::string left, expr::Expr right, std::string left_latex = {}) {
    lines_.push_back({Line::Kind::kResult, {}, std::move(left), std::move(left_latex), {right}});
  }
  void equation(expr::Expr left, expr::Expr right) {
    lines_.push_back({Line::Kind::kResult, {}, {}, {}, {right}, {}, {}, {left}});
  }
  /// Adds a vector, given by its measure numbers in a frame.
  void vector(std::string left, const std::vector<expr::Expr>& right,
              model::FrameId frame = model::Model::newtonian()) {
    lines_.push_back({Line::Kind::kVector, {}, std::move(left), {}, right, model_.frame(frame).name});
  }
  /// Adds the equation Σ factor_k symbol_k = right; terms with factor 0 are left out.
  void linear_equation(const std::vector<expr::Expr>& factors, const std::vector<expr::Expr>& symbols,
                       expr::Expr right) {
    Line line{Line::Kind::kResult, {}, {}, {}, {right}};
    for (std::size_t k = 0; k < factors.size(); ++k) {
      if (factors[k].is_zero()) continue;
      line.left_factors.push_back(factors[k]);
      line.left_symbols.push_back(symbols[k]);
    }
    if (line.left_factors.empty()) line.left_factors.push_back(number(0.0));
    lines_.push_back(std::move(line));
  }
  [[nodiscard]] expr::Expr number(double value) { return system_.graph->constant(value); }

 protected:
  equations::System& system_;
  const model::Model& model_;
  std::vector<Line> lines_;
};

}  // namespace vinculum::report
