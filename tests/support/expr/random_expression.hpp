#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "vinculum/expr/graph.hpp"

namespace vinculum::expr {

/// Random expressions for tests that compare two methods: derivatives with differences, back ends with each other.
/// They depend only on the seed, which tests print.
class RandomExpressions {
 public:
  enum class Kind {
    kSmooth,  ///< finite and differentiable for symbols in [-1, 1]
    kAny,     ///< every operation on any operands, including infinities and NaN
  };

  RandomExpressions(Graph& graph, std::uint64_t seed, int symbols, Kind kind)
      : graph_(graph), random_(seed), kind_(kind) {
    for (int i = 0; i < symbols; ++i) symbols_.push_back(graph.symbol(std::string("x").append(std::to_string(i))));
    pool_ = symbols_;
    std::vector<double> knots, values;
    for (int k = 0; k <= 8; ++k) {
      knots.push_back(k == 0 ? -1.5 : knots.back() + uniform(0.2, 0.6));
      values.push_back(uniform(-1.0, 1.0));
    }
    knots.back() = std::max(knots.back(), 1.5);
    table_ = graph.add_table(std::make_shared<Spline>("random.csv", knots, values));
  }

  [[nodiscard]] const std::vector<Expr>& symbols() const { return symbols_; }
  [[nodiscard]] double uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random_);
  }
  [[nodiscard]] int below(int n) { return std::uniform_int_distribution<int>(0, n - 1)(random_); }

  /// A new expression, built from those made before.
  Expr next() {
    const Expr e = kind_ == Kind::kSmooth ? smooth(pick(), pick()) : any(pick(), pick(), pick());
    pool_.push_back(e);
    return e;
  }

  /// Values for the symbols; for Kind::kAny also 0, ±1, large values, infinity and NaN.
  std::vector<double> values() {
    std::vector<double> result;
    for (std::size_t i = 0; i < symbols_.size(); ++i) {
      const int special = kind_ == Kind::kAny ? below(30) : 30;
      const double table[] = {0.0, 1.0, -1.0, 1e300, -1e-300, 1e8, HUGE_VAL, std::nan("")};
      result.push_back(special < 8 ? table[special] : uniform(-1.0, 1.0));
    }
    return result;
  }

 private:
  Expr pick() {
    const int n = static_cast<int>(pool_.size());
    // mostly built from recent expressions, so that graphs are deep as well as wide
    const int recent = below(3) == 0 ? n : std::min(n, 12);
    return pool_[static_cast<std::size_t>(n - 1 - below(recent))];
  }

  Expr smooth(Expr a, Expr b) {
    const auto bounded = [&](Expr e) { return graph_.make(Op::kHyperbolicTangent, e); };
    const double c = 0.25 * (1 + below(12));
    switch (below(18)) {
      case 0: return a + b;
      case 1: return a - b;
      case 2: return a * b;
      case 3: return bounded(a) * c;
      case 4: return bounded(a) / (1.5 + bounded(b));
      case 5: return sine(a);
      case 6: return cosine(a + c * b);
      case 7: return square_root(1.5 + bounded(a));
      case 8: return graph_.make(Op::kExponential, bounded(a));
      case 9: return graph_.make(Op::kLogarithm, 2.0 + bounded(a));
      case 10: return graph_.make(Op::kArcTangent2, bounded(a), 2.0 + bounded(b));
      case 11: return graph_.make(Op::kArcSine, 0.7 * bounded(a));
      case 12: return graph_.make(Op::kArcCosine, 0.7 * bounded(a)) - graph_.make(Op::kArcTangent, b);
      case 13: return power(1.5 + bounded(a), b.is_constant() ? b : bounded(b));
      case 14: return power(1.5 + bounded(a), 0.5 * (below(9) - 4));
      case 15: return graph_.table(table_, below(2), bounded(a));
      case 16: return graph_.make(Op::kTangent, bounded(a)) - graph_.make(Op::kHyperbolicSine, bounded(b));
      default: return graph_.make(Op::kHyperbolicCosine, bounded(a)) * power(bounded(b), 1.0 + below(5));
    }
  }

  Expr any(Expr a, Expr b, Expr c) {
    const int choice = below(40);
    if (choice == 0) return graph_.constant(uniform(-3.0, 3.0));
    if (choice == 1) return graph_.constant(below(5) - 2.0);
    if (choice == 2) return graph_.table(table_, below(4), a);
    if (choice == 3) return power(a, 0.5 * (below(13) - 6));
    if (choice == 4) return power(a, below(141) - 70.0);
    const int first = static_cast<int>(Op::kAdd);
    const int last = static_cast<int>(Op::kSelect);
    return graph_.make(static_cast<Op>(first + below(last - first + 1)), a, b, c);
  }

  Graph& graph_;
  std::mt19937_64 random_;
  Kind kind_;
  std::vector<Expr> symbols_, pool_;
  TableId table_;
};

}  // namespace vinculum::expr
