#include "vinculum/run/tolerant_condition.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "vinculum/base/tolerance.hpp"
#include "vinculum/compiled/scales.hpp"

namespace vinculum::sim {
namespace {

class Condition {
 public:
  Condition(const Binding& bound, const Sample& sample, const SampleSizes& sizes, double error)
      : bound_(bound), sample_(sample), sizes_(sizes), error_(error) {}

  /// \param is_negated  an odd number of `not` precedes the part: `not x < 0` permits what `x >= 0` permits
  [[nodiscard]] bool holds(expr::Expr part, bool is_negated) const {
    using expr::Op;
    const auto side = [&](int i) { return holds(part.operand(i), is_negated); };
    switch (part.op()) {
      case Op::kAnd: return is_negated ? side(0) || side(1) : side(0) && side(1);
      case Op::kOr: return is_negated ? side(0) && side(1) : side(0) || side(1);
      case Op::kNot: return holds(part.operand(0), !is_negated);
      case Op::kLessEqual: return is_negated ? !is_true(part) : is_true(part) || is_close(part);
      case Op::kLess: return is_negated ? !is_true(part) || is_close(part) : is_true(part);
      default: return is_true(part) != is_negated;
    }
  }

 private:
  [[nodiscard]] std::vector<Rounded> values(std::span<const expr::Expr> of) const {
    return with_rounding(bound_, of, sample_, sizes_, error_);
  }
  [[nodiscard]] bool is_true(expr::Expr part) const { return values({&part, 1})[0].value != 0.0; }
  [[nodiscard]] bool is_close(expr::Expr comparison) const {
    const std::array sides = {comparison.operand(0), comparison.operand(1)};
    const std::vector<Rounded> found = values(sides);
    const Rounded difference = found[0] - found[1];
    return std::isfinite(difference.error) && difference.may_be_zero();
  }

  const Binding& bound_;
  const Sample& sample_;
  const SampleSizes& sizes_;
  double error_;
};

}  // namespace

SampleSizes typical_sizes(const Binding& bound, const Sample& sample) {
  SampleSizes sizes;
  sizes.q = coordinate_scale(bound, sample.q);
  sizes.u = speed_scale(bound, sample.u, sample.reaction.u_dot(), sizes.q);
  sizes.z = state_scale(bound, sample.z, sample.z_dot, sizes.q, sizes.u);
  sizes.raise(sample);
  return sizes;
}

bool holds_within_accuracy(const Binding& bound, expr::Expr condition, const Sample& sample, const SampleSizes& sizes,
                           double run_tolerance) {
  return Condition(bound, sample, sizes, std::max(run_tolerance, tolerance::kZero)).holds(condition, false);
}

}  // namespace vinculum::sim
