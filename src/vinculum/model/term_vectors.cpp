// Builds vector terms, and scalars made of vectors, with simplifications: signs and factors are moved to the front, and
// products of basis vectors of one frame are evaluated.
#include <array>
#include <cmath>

#include "vinculum/base/contract.hpp"
#include "vinculum/model/term.hpp"

namespace vinculum::model {
namespace {

using expr::Op;

bool is_kind(Term term, TermKind kind) { return term.kind() == kind; }
bool is_negated(Term term) { return is_kind(term, TermKind::kVectorNegate); }

/// Most summands of a sum in which like terms are collected. Longer sums are stored as written, because collecting
/// costs the square of the length.
constexpr std::size_t kMaxCollected = 64;

/// The product factor · base; the factor is 1 if the vector has none.
struct Scaled {
  Term factor;
  Term base;
};
Scaled scaled_part(Term vector) {
  if (is_negated(vector)) {
    const Scaled inner = scaled_part(vector.operand(0));
    return {-inner.factor, inner.base};
  }
  if (is_kind(vector, TermKind::kScale)) return {vector.operand(0), vector.operand(1)};
  return {vector.pool().number(1.0), vector};
}

/// Appends the summands of ±vector. False if the sum is nested deeper than kMaxCollected or has too many summands.
bool collect(Term vector, bool negative, std::vector<Scaled>& summands, std::size_t depth = 0) {
  if (depth > kMaxCollected) return false;
  while (true) {
    if (is_kind(vector, TermKind::kVectorNegate)) {
      vector = vector.operand(0);
      negative = !negative;
    } else if (is_kind(vector, TermKind::kVectorAdd) || is_kind(vector, TermKind::kVectorSubtract)) {
      const bool subtract = is_kind(vector, TermKind::kVectorSubtract);
      if (!collect(vector.operand(0), negative, summands, depth + 1)) return false;
      negative = negative != subtract;
      vector = vector.operand(1);
    } else {
      Scaled scaled = scaled_part(vector);
      if (negative) scaled.factor = -scaled.factor;
      summands.push_back(scaled);
      return summands.size() <= kMaxCollected;
    }
  }
}

TermPool::Node vector_node(TermKind kind, Term first, Term second = {}, Term third = {}) {
  TermPool::Node node;
  node.kind = kind;
  node.type = TermType::kVector;
  node.operands[0] = first.id();
  if (second.is_valid()) node.operands[1] = second.id();
  if (third.is_valid()) node.operands[2] = third.id();
  return node;
}

TermPool::Node leaf(TermKind kind, std::uint32_t index, std::uint32_t second) {
  TermPool::Node node;
  node.kind = kind;
  node.type = TermType::kVector;
  node.index = index;
  node.second = second;
  return node;
}

bool are_of_one_frame(Term a, Term b) {
  return is_kind(a, TermKind::kBasisVector) && is_kind(b, TermKind::kBasisVector) && a.index() == b.index();
}

}  // namespace

Term TermPool::zero_vector() { return intern(leaf(TermKind::kZeroVector, 0, 0)); }
Term TermPool::basis_vector(FrameId frame, int axis) {
  VINCULUM_EXPECTS(axis >= 0 && axis < 3);
  return intern(leaf(TermKind::kBasisVector, frame.value, static_cast<std::uint32_t>(axis)));
}
Term TermPool::position(PointId to, PointId from) {
  return to == from ? zero_vector() : intern(leaf(TermKind::kPosition, to.value, from.value));
}
Term TermPool::velocity(PointId point, FrameId seen_in) {
  return intern(leaf(TermKind::kVelocity, point.value, seen_in.value));
}
Term TermPool::acceleration(PointId point, FrameId seen_in) {
  return intern(leaf(TermKind::kAcceleration, point.value, seen_in.value));
}
Term TermPool::angular_velocity(FrameId frame, FrameId seen_in) {
  return frame == seen_in ? zero_vector() : intern(leaf(TermKind::kAngularVelocity, frame.value, seen_in.value));
}
Term TermPool::angular_acceleration(FrameId frame, FrameId seen_in) {
  return frame == seen_in ? zero_vector() : intern(leaf(TermKind::kAngularAcceleration, frame.value, seen_in.value));
}

Term TermPool::ground_angular_velocity() { return intern(leaf(TermKind::kAngularVelocity, 0, 0)); }
Term TermPool::ground_angular_acceleration() { return intern(leaf(TermKind::kAngularAcceleration, 0, 0)); }

Term TermPool::vector_negate(Term a) {
  VINCULUM_EXPECTS(a.is_vector());
  if (a.is_zero()) return a;
  if (is_negated(a)) return a.operand(0);
  if (is_kind(a, TermKind::kVectorSubtract)) return vector_subtract(a.operand(1), a.operand(0));
  return intern(vector_node(TermKind::kVectorNegate, a));
}

Term TermPool::vector_add(Term a, Term b) {
  VINCULUM_EXPECTS(a.is_vector() && b.is_vector());
  if (a.is_zero()) return b;
  if (b.is_zero()) return a;

  // The sum is rewritten only if two summands are multiples of the same vector; otherwise it stays as written.
  std::vector<Scaled> summands;
  if (collect(a, false, summands) && collect(b, false, summands)) {
    bool changed = false;
    for (std::size_t i = 0; i < summands.size(); ++i) {
      for (std::size_t k = i + 1; k < summands.size();) {
        if (summands[k].base == summands[i].base) {
          summands[i].factor = summands[i].factor + summands[k].factor;
          summands.erase(summands.begin() + static_cast<std::ptrdiff_t>(k));
          changed = true;
        } else {
          ++k;
        }
      }
    }
    if (changed) {
      Term sum = zero_vector();
      for (const Scaled& summand : summands) {
        const Term next = scale(summand.factor, summand.base);
        if (sum.is_zero()) {
          sum = next;
        } else if (is_negated(next)) {
          sum = intern(vector_node(TermKind::kVectorSubtract, sum, next.operand(0)));
        } else if (!next.is_zero()) {
          sum = intern(vector_node(TermKind::kVectorAdd, sum, next));
        }
      }
      return sum;
    }
  }
  if (is_negated(b)) return intern(vector_node(TermKind::kVectorSubtract, a, b.operand(0)));
  if (is_negated(a)) return intern(vector_node(TermKind::kVectorSubtract, b, a.operand(0)));
  return intern(vector_node(TermKind::kVectorAdd, a, b));
}

Term TermPool::vector_subtract(Term a, Term b) {
  VINCULUM_EXPECTS(a.is_vector() && b.is_vector());
  if (b.is_zero()) return a;
  if (a.is_zero()) return vector_negate(b);
  if (a == b) return zero_vector();
  // a − (b − c) is rewritten as a + (c − b), because only sums collect like terms.
  if (is_kind(b, TermKind::kVectorSubtract)) return vector_add(a, vector_subtract(b.operand(1), b.operand(0)));
  return vector_add(a, vector_negate(b));
}

Term TermPool::scale(Term factor, Term vector) {
  VINCULUM_EXPECTS(factor.is_scalar() && vector.is_vector());
  if (factor.is_zero() || vector.is_zero()) return zero_vector();
  if (factor.is_number() && factor.value() == 1.0) return vector;
  if (factor.is_number() && factor.value() < 0.0) return vector_negate(scale(number(-factor.value()), vector));
  if (is_kind(factor, TermKind::kFunction) && factor.op() == Op::kNegate) {
    return vector_negate(scale(factor.operand(0), vector));
  }
  if (is_negated(vector)) return vector_negate(scale(factor, vector.operand(0)));
  if (is_kind(vector, TermKind::kScale)) {
    return scale(function(Op::kMultiply, factor, vector.operand(0)), vector.operand(1));
  }
  return intern(vector_node(TermKind::kScale, factor, vector));
}

Term TermPool::dot(Term a, Term b) {
  VINCULUM_EXPECTS(a.is_vector() && b.is_vector());
  if (a.is_zero() || b.is_zero()) return number(0.0);
  if (are_of_one_frame(a, b)) return number(a.second() == b.second() ? 1.0 : 0.0);
  if (a == b && is_kind(a, TermKind::kUnit)) return number(1.0);
  if (is_negated(a)) return -dot(a.operand(0), b);
  if (is_negated(b)) return -dot(a, b.operand(0));
  if (is_kind(a, TermKind::kScale)) return a.operand(0) * dot(a.operand(1), b);
  if (is_kind(b, TermKind::kScale)) return b.operand(0) * dot(a, b.operand(1));
  if (is_kind(b, TermKind::kCross) && (a == b.operand(0) || a == b.operand(1))) return number(0.0);
  if (is_kind(a, TermKind::kCross) && (b == a.operand(0) || b == a.operand(1))) return number(0.0);
  Node node = vector_node(TermKind::kDot, a, b);
  node.type = TermType::kScalar;
  return intern(node);
}

Term TermPool::cross(Term a, Term b) {
  VINCULUM_EXPECTS(a.is_vector() && b.is_vector());
  if (a.is_zero() || b.is_zero() || a == b) return zero_vector();
  if (are_of_one_frame(a, b)) {
    const int i = static_cast<int>(a.second()), k = static_cast<int>(b.second());
    const Term third = basis_vector(FrameId(std::size_t{a.index()}), 3 - i - k);
    return (i + 1) % 3 == k ? third : vector_negate(third);
  }
  if (is_negated(a)) return vector_negate(cross(a.operand(0), b));
  if (is_negated(b)) return vector_negate(cross(a, b.operand(0)));
  if (is_kind(a, TermKind::kScale)) return scale(a.operand(0), cross(a.operand(1), b));
  if (is_kind(b, TermKind::kScale)) return scale(b.operand(0), cross(a, b.operand(1)));
  return intern(vector_node(TermKind::kCross, a, b));
}

Term TermPool::norm(Term a) {
  VINCULUM_EXPECTS(a.is_vector());
  if (a.is_zero()) return number(0.0);
  if (is_kind(a, TermKind::kBasisVector) || is_kind(a, TermKind::kUnit)) return number(1.0);
  if (is_negated(a)) return norm(a.operand(0));
  if (is_kind(a, TermKind::kScale)) return function(Op::kAbsolute, a.operand(0)) * norm(a.operand(1));
  Node node = vector_node(TermKind::kNorm, a);
  node.type = TermType::kScalar;
  return intern(node);
}

Term TermPool::unit(Term a) {
  VINCULUM_EXPECTS(a.is_vector());
  if (is_kind(a, TermKind::kBasisVector) || is_kind(a, TermKind::kUnit)) return a;
  if (is_negated(a)) return vector_negate(unit(a.operand(0)));
  // a number that `scale` leaves as a factor is positive
  if (is_kind(a, TermKind::kScale) && a.operand(0).is_number()) return unit(a.operand(1));
  return intern(vector_node(TermKind::kUnit, a));
}

Term TermPool::vector_select(Term condition, Term if_true, Term if_false) {
  VINCULUM_EXPECTS(condition.is_scalar() && if_true.is_vector() && if_false.is_vector());
  if (condition.is_number()) return condition.is_zero() ? if_false : if_true;
  if (if_true == if_false) return if_true;
  return intern(vector_node(TermKind::kVectorSelect, condition, if_true, if_false));
}

}  // namespace vinculum::model
