#include "vinculum/model/term.hpp"

#include <bit>
#include <cmath>
#include <limits>

#include "vinculum/base/contract.hpp"
#include "vinculum/base/rounded.hpp"
#include "vinculum/expr/series.hpp"
#include "vinculum/model/calculus.hpp"

namespace vinculum::model {
namespace {

using expr::Op;

std::uint64_t mix(std::uint64_t hash, std::uint64_t value) {
  hash ^= value + 0x9e3779b97f4a7c15ull + (hash << 6) + (hash >> 2);
  return hash * 0xff51afd7ed558ccdull;
}

/// Key that distinguishes numbers with equal values and different error bounds. It is 0 for relative error bounds up to
/// 64 times the rounding error, which is about the error of a dozen operations on numbers typed in a text. Numbers
/// of equal value with bounds below this share a node.
std::uint32_t doubt_key(const TermPool::Node& node) {
  constexpr auto kWellKnown = static_cast<float>(64.0 * tolerance::kRounding);
  return node.doubt > kWellKnown ? std::bit_cast<std::uint32_t>(node.doubt) : 0;
}

std::uint64_t hash_of(const TermPool::Node& node) {
  std::uint64_t hash = mix(static_cast<std::uint64_t>(node.kind), static_cast<std::uint64_t>(node.op));
  hash = mix(hash, node.order);
  hash = mix(hash, (static_cast<std::uint64_t>(node.index) << 32) | node.second);
  hash = mix(hash, std::bit_cast<std::uint64_t>(node.value) + doubt_key(node));
  for (const TermId operand : node.operands) hash = mix(hash, operand.value);
  return hash;
}

bool same(const TermPool::Node& a, const TermPool::Node& b) {
  return a.kind == b.kind && a.op == b.op && a.order == b.order && a.index == b.index && a.second == b.second &&
         std::bit_cast<std::uint64_t>(a.value) == std::bit_cast<std::uint64_t>(b.value) &&
         doubt_key(a) == doubt_key(b) && a.operands[0] == b.operands[0] && a.operands[1] == b.operands[1] &&
         a.operands[2] == b.operands[2];
}

TermPool::Node leaf(TermKind kind, TermType type, std::uint32_t index = 0, std::uint32_t second = 0, int order = 0) {
  TermPool::Node node;
  node.kind = kind;
  node.type = type;
  node.index = index;
  node.second = second;
  node.order = static_cast<std::uint8_t>(order);
  return node;
}

bool is_function(Term term, Op op) { return term.kind() == TermKind::kFunction && term.op() == op; }
bool is_number(Term term, double value) { return term.is_number() && term.value() == value; }

/// The product coefficient · rest; the coefficient is 1 if the term has no numerical factor.
struct Product {
  Rounded coefficient;
  Term rest;
};
Product split(Term term) {
  if (is_function(term, Op::kNegate)) {
    const Product inner = split(term.operand(0));
    return {-inner.coefficient, inner.rest};
  }
  if (is_function(term, Op::kMultiply) && term.operand(0).is_number()) {
    return {term.operand(0).rounded(), term.operand(1)};
  }
  return {1.0, term};
}

bool negated(Term term) { return is_function(term, Op::kNegate); }
bool is_negative(Term term) { return term.is_number() && term.value() < 0.0; }

// Simplifications. Each returns an equivalent simpler term, or an invalid one if it finds none.

Term simplified_sum(TermPool& pool, Term first, Term second) {
  if (first.is_zero()) return second;
  if (second.is_zero()) return first;
  if (negated(second)) return pool.function(Op::kSubtract, first, second.operand(0));
  if (is_negative(second)) return pool.function(Op::kSubtract, first, pool.number(-second.rounded()));
  if (negated(first)) return pool.function(Op::kSubtract, second, first.operand(0));
  const Product a = split(first), b = split(second);
  if (a.rest == b.rest) return pool.function(Op::kMultiply, pool.number(met(a.coefficient, b.coefficient)), a.rest);
  return {};
}

Term simplified_difference(TermPool& pool, Term first, Term second) {
  if (second.is_zero()) return first;
  if (first.is_zero()) return pool.function(Op::kNegate, second);
  if (negated(second)) return pool.function(Op::kAdd, first, second.operand(0));
  if (is_negative(second)) return pool.function(Op::kAdd, first, pool.number(-second.rounded()));
  if (negated(first)) return pool.function(Op::kNegate, pool.function(Op::kAdd, first.operand(0), second));
  const Product a = split(first), b = split(second);
  if (a.rest == b.rest) return pool.function(Op::kMultiply, pool.number(met(a.coefficient, -b.coefficient)), a.rest);
  return {};
}

/// Moves the sign of a factor, dividend or divisor to the front of the product or quotient.
Term with_sign_first(TermPool& pool, Op op, Term first, Term second) {
  if (is_negative(first)) return pool.function(Op::kNegate, pool.function(op, pool.number(-first.rounded()), second));
  if (negated(first)) return pool.function(Op::kNegate, pool.function(op, first.operand(0), second));
  if (negated(second)) return pool.function(Op::kNegate, pool.function(op, first, second.operand(0)));
  return {};
}

Term simplified_product(TermPool& pool, Term first, Term second) {
  constexpr Op op = Op::kMultiply;
  if (first.is_zero() || second.is_zero()) return pool.number(0.0);
  if (is_number(first, 1.0)) return second;
  if (is_number(second, 1.0)) return first;
  if (second.is_number() && !first.is_number()) return pool.function(op, second, first);
  if (const Term product = with_sign_first(pool, op, first, second); product.is_valid()) return product;
  const Product a = first.is_number() ? Product{first.rounded(), Term{}} : split(first), b = split(second);
  if ((a.rest.is_valid() && a.coefficient.value != 1.0) || b.coefficient.value != 1.0) {
    const Term rest = a.rest.is_valid() ? pool.function(op, a.rest, b.rest) : b.rest;
    return pool.function(op, pool.number(a.coefficient * b.coefficient), rest);
  }
  if (is_function(second, Op::kDivide) && is_number(second.operand(0), 1.0))
    return pool.function(Op::kDivide, first, second.operand(1));
  return {};
}

Term simplified_quotient(TermPool& pool, Term first, Term second) {
  if (is_number(second, 1.0)) return first;
  if (is_negative(second))
    return pool.function(Op::kNegate, pool.function(Op::kDivide, first, pool.number(-second.rounded())));
  if (const Term quotient = with_sign_first(pool, Op::kDivide, first, second); quotient.is_valid()) return quotient;
  if (!second.is_number() || second.value() == 0.0) return {};
  const Product a = split(first);
  if (a.coefficient.value == 1.0) return {};
  return pool.function(Op::kMultiply, pool.number(a.coefficient / second.rounded()), a.rest);
}

Term simplified(TermPool& pool, Op op, Term first, Term second, Term third) {
  switch (op) {
    case Op::kAdd: return simplified_sum(pool, first, second);
    case Op::kSubtract: return simplified_difference(pool, first, second);
    case Op::kMultiply: return simplified_product(pool, first, second);
    case Op::kDivide: return simplified_quotient(pool, first, second);
    case Op::kNegate:
      if (negated(first)) return first.operand(0);
      if (is_function(first, Op::kSubtract)) return pool.function(Op::kSubtract, first.operand(1), first.operand(0));
      return {};
    case Op::kPower: return is_number(second, 1.0) ? first : second.is_zero() ? pool.number(1.0) : Term{};
    case Op::kAbsolute: return negated(first) ? pool.function(op, first.operand(0)) : Term{};
    case Op::kSelect:
      if (first.is_number()) return first.is_zero() ? third : second;
      return second == third ? second : Term{};
    default: return {};
  }
}

}  // namespace

Term TermPool::intern(const Node& node) {
  const std::uint64_t hash = hash_of(node);
  const std::lock_guard lock(growing_);
  const TermId id = interned_.find_or_make(
      hash, [&](TermId known) { return same(nodes_[known.index()], node); },
      [&] {
        nodes_.push_back(node);
        return TermId(nodes_.size() - 1);
      });
  return Term(this, id);
}

Rounded Term::rounded() const { return {value(), static_cast<double>(pool_->node(id_).doubt) * std::abs(value())}; }

Term TermPool::number(double value) { return number(as_stated(value)); }
Term TermPool::number(const Rounded& value) {
  Node node = leaf(TermKind::kNumber, TermType::kScalar);
  const bool is_known = std::isfinite(value.value) && std::isfinite(value.error);
  if (!is_known || !value.may_be_zero()) {  // every number whose error bound includes 0 is stored as the same node 0
    node.value = value.value;
    const double doubt = is_known ? value.error / std::abs(value.value) : tolerance::kEqual;
    node.doubt = std::nextafter(static_cast<float>(doubt), std::numeric_limits<float>::infinity());
  }
  return intern(node);
}
Term TermPool::time() { return intern(leaf(TermKind::kTime, TermType::kScalar)); }
Term TermPool::parameter(ParameterId id) { return intern(leaf(TermKind::kParameter, TermType::kScalar, id.value)); }
Term TermPool::coordinate(CoordinateId id, int order) {
  VINCULUM_EXPECTS(order >= 0 && order <= kHighestDerivative);
  return intern(leaf(TermKind::kCoordinate, TermType::kScalar, id.value, 0, order));
}
Term TermPool::speed(SpeedId id, int order) {
  VINCULUM_EXPECTS(order >= 0 && order < kHighestDerivative);
  return intern(leaf(TermKind::kSpeed, TermType::kScalar, id.value, 0, order));
}
Term TermPool::multiplier(ConstraintId id, int row) {
  return intern(leaf(TermKind::kMultiplier, TermType::kScalar, id.value, static_cast<std::uint32_t>(row)));
}
Term TermPool::ideal_multiplier(ConstraintId id, int row) {
  return intern(leaf(TermKind::kIdealMultiplier, TermType::kScalar, id.value, static_cast<std::uint32_t>(row)));
}
Term TermPool::generalized_force(ConstraintId id, SpeedId speed) {
  return intern(leaf(TermKind::kGeneralizedForce, TermType::kScalar, id.value, speed.value));
}
Term TermPool::generalized_ideal_force(ConstraintId id, SpeedId speed) {
  return intern(leaf(TermKind::kGeneralizedIdealForce, TermType::kScalar, id.value, speed.value));
}
Term TermPool::departure(ConstraintId id, int row) {
  return intern(leaf(TermKind::kDeparture, TermType::kScalar, id.value, static_cast<std::uint32_t>(row)));
}
Term TermPool::system_vector(SystemVector which, SpeedId speed) {
  return intern(leaf(TermKind::kSystemVector, TermType::kScalar, static_cast<std::uint32_t>(which), speed.value));
}
Term TermPool::law_energy(ConstraintId id) { return intern(leaf(TermKind::kLawEnergy, TermType::kScalar, id.value)); }
Term TermPool::effort(ConstraintId id, int actuator) {
  VINCULUM_EXPECTS(actuator >= 0);
  return intern(leaf(TermKind::kEffort, TermType::kScalar, id.value, static_cast<std::uint32_t>(actuator)));
}
Term TermPool::state(StateId id) { return intern(leaf(TermKind::kState, TermType::kScalar, id.value)); }

Term TermPool::slide_direction(SlideId id, int component) {
  VINCULUM_EXPECTS(component >= 0 && component <= 2);
  return intern(leaf(TermKind::kSlideDirection, TermType::kScalar, id.value, static_cast<std::uint32_t>(component)));
}

Term TermPool::partial(Term of, Term by) {
  VINCULUM_EXPECTS(of.is_scalar() && by.is_valid());
  VINCULUM_EXPECTS(by.kind() == TermKind::kTime || by.kind() == TermKind::kCoordinate ||
                   by.kind() == TermKind::kState || (by.kind() == TermKind::kSpeed && by.order() == 0));
  if (of == by) return number(1.0);
  if (of.is_number() || of.kind() == TermKind::kParameter) return number(0.0);
  Node node = leaf(TermKind::kPartial, TermType::kScalar);
  node.operands[0] = of.id();
  node.operands[1] = by.id();
  return intern(node);
}
Term TermPool::rate(Term of, int order) {
  VINCULUM_EXPECTS(of.is_scalar() && order >= 1 && order <= kHighestDerivative);
  if (of.is_number() || of.kind() == TermKind::kParameter) return number(0.0);
  Node node = leaf(TermKind::kRate, TermType::kScalar, 0, 0, order);
  node.operands[0] = of.id();
  return intern(node);
}

Term TermPool::table(std::shared_ptr<const expr::Spline> spline, int derivative_order, Term x) {
  VINCULUM_EXPECTS(spline != nullptr && derivative_order >= 0 && x.is_scalar());
  if (derivative_order > spline->degree()) return number(0.0);
  std::uint32_t index = 0;
  {
    const std::lock_guard lock(growing_);
    while (index < splines_.size() && splines_[index] != spline) ++index;
    if (index == splines_.size()) splines_.push_back(std::move(spline));
  }
  Node node = leaf(TermKind::kTable, TermType::kScalar, index, 0, derivative_order);
  node.operands[0] = x.id();
  return intern(node);
}

Term TermPool::function(Op op, Term first, Term second, Term third) {
  const int arity = expr::operation_info(op).arity;
  VINCULUM_EXPECTS(op != Op::kConstant && op != Op::kSymbol && op != Op::kTable);
  VINCULUM_EXPECTS(first.is_valid() && second.is_valid() == (arity >= 2) && third.is_valid() == (arity >= 3));
  VINCULUM_EXPECTS(first.is_scalar() && (arity < 2 || second.is_scalar()) && (arity < 3 || third.is_scalar()));

  const bool numbers = first.is_number() && (arity < 2 || second.is_number()) && (arity < 3 || third.is_number());
  if (numbers) {
    const Rounded value = expr::evaluate_rounded(op, first.rounded(), arity < 2 ? Rounded() : second.rounded(),
                                                 arity < 3 ? Rounded() : third.rounded());
    // a result that is not finite remains an operation, so that a message at run time can show it
    if (std::isfinite(value.value)) return number(value);
  }

  if (const Term simpler = simplified(*this, op, first, second, third); simpler.is_valid()) return simpler;
  Node node = leaf(TermKind::kFunction, TermType::kScalar);
  node.op = op;
  node.operands[0] = first.id();
  if (arity >= 2) node.operands[1] = second.id();
  if (arity >= 3) node.operands[2] = third.id();
  return intern(node);
}

Term operator+(Term a, Term b) { return a.is_scalar() ? a.pool().function(Op::kAdd, a, b) : a.pool().vector_add(a, b); }
Term operator-(Term a, Term b) {
  return a.is_scalar() ? a.pool().function(Op::kSubtract, a, b) : a.pool().vector_subtract(a, b);
}
Term operator-(Term a) { return a.is_scalar() ? a.pool().function(Op::kNegate, a) : a.pool().vector_negate(a); }
Term operator*(Term a, Term b) {
  VINCULUM_EXPECTS(a.is_scalar() || b.is_scalar());
  if (a.is_vector()) return a.pool().scale(b, a);
  return b.is_vector() ? a.pool().scale(a, b) : a.pool().function(Op::kMultiply, a, b);
}
Term operator/(Term a, Term b) {
  VINCULUM_EXPECTS(b.is_scalar());
  if (a.is_scalar()) return a.pool().function(Op::kDivide, a, b);
  return a.pool().scale(a.pool().function(Op::kDivide, a.pool().number(1.0), b), a);
}
Term operator*(double a, Term b) { return b.pool().number(a) * b; }
Term operator*(Term a, double b) { return a.pool().number(b) * a; }
Term operator/(Term a, double b) { return a / a.pool().number(b); }
Term operator/(double a, Term b) { return b.pool().number(a) / b; }
Term operator+(Term a, double b) { return a + a.pool().number(b); }
Term operator+(double a, Term b) { return b.pool().number(a) + b; }
Term operator-(Term a, double b) { return a - a.pool().number(b); }
Term operator-(double a, Term b) { return b.pool().number(a) - b; }

std::string_view to_string(Level level) {
  switch (level) {
    case Level::kPosition: return "position";
    case Level::kVelocity: return "velocity";
    case Level::kAcceleration: return "acceleration";
    default: break;
  }
  static constexpr std::string_view kAbove[] = {"third derivative", "fourth derivative",  "fifth derivative",
                                                "sixth derivative", "seventh derivative", "eighth derivative"};
  static_assert(std::size(kAbove) + 2 == kHighestDerivative);
  return kAbove[static_cast<std::size_t>(level) - 3];
}

}  // namespace vinculum::model
