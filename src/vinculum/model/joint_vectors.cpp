#include "vinculum/model/joint_vectors.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <vector>

#include "vinculum/base/contract.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/model/traversal.hpp"

namespace vinculum::model {
namespace {

using expr::Op;

bool is_basis_vector(Term term) { return term.kind() == TermKind::kBasisVector; }
bool is_basis_vector_of(Term term, FrameId frame) { return is_basis_vector(term) && term.index() == frame.value; }

/// Measure numbers of the vector in the frame; each is a plain number if it is constant.
std::array<Term, 3> measure_numbers(TermPool& pool, Term vector, FrameId frame) {
  const auto each = [](auto&& f) { return std::array<Term, 3>{f(0), f(1), f(2)}; };
  const auto of = [&](int i) { return measure_numbers(pool, vector.operand(i), frame); };
  const auto at = [](const std::array<Term, 3>& v, int k) { return v[static_cast<std::size_t>(k)]; };
  switch (vector.kind()) {
    case TermKind::kZeroVector: return each([&](int) { return pool.number(0.0); });
    case TermKind::kVectorNegate: return each([v = of(0), at](int k) { return -at(v, k); });
    case TermKind::kVectorAdd: return each([v = of(0), w = of(1), at](int k) { return at(v, k) + at(w, k); });
    case TermKind::kVectorSubtract: return each([v = of(0), w = of(1), at](int k) { return at(v, k) - at(w, k); });
    case TermKind::kScale: return each([v = of(1), s = vector.operand(0), at](int k) { return s * at(v, k); });
    case TermKind::kUnit: {
      const std::array<Term, 3> v = of(0);
      const Term norm = pool.function(Op::kSquareRoot, v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
      return each([&](int k) { return at(v, k) / norm; });
    }
    default: return each([&](int k) { return pool.dot(vector, pool.basis_vector(frame, k)); });
  }
}

/// The basis vector of the frame along which the vector has its smallest measure number in magnitude.
Term farthest_basis_vector(TermPool& pool, Term axis, FrameId frame) {
  const std::array<Term, 3> v = measure_numbers(pool, axis, frame);
  if (std::ranges::all_of(v, &Term::is_number)) {
    const auto least = std::ranges::min_element(v, {}, [](Term x) { return std::abs(x.value()); });
    return pool.basis_vector(frame, static_cast<int>(least - v.begin()));
  }
  const auto is_less = [&](std::size_t i, std::size_t k) {
    return pool.function(Op::kLessEqual, v[i] * v[i], v[k] * v[k]);
  };
  const auto basis = [&](int k) { return pool.basis_vector(frame, k); };
  const Term x_is_least = pool.function(Op::kAnd, is_less(0, 1), is_less(0, 2));
  return pool.vector_select(x_is_least, basis(0), pool.vector_select(is_less(1, 2), basis(1), basis(2)));
}

/// sin(√x)/√x, smooth at 0. Below x = 1/4 it is the power series, whose first omitted term is below 1e-19.
Term sine_over_root(TermPool& pool, Term x) {
  constexpr double kLimit = 0.25;
  Term series = pool.number(1.0);
  for (int k = 7; k >= 1; --k) series = 1.0 - x * series / static_cast<double>(2 * k * (2 * k + 1));
  const Term root = pool.function(Op::kSquareRoot, pool.function(Op::kMaximum, x, pool.number(kLimit)));
  const Term closed = pool.function(Op::kSine, root) / root;
  return pool.function(Op::kSelect, pool.function(Op::kLess, x, pool.number(kLimit)), series, closed);
}

}  // namespace

Term direction_of(Term axis) { return axis.pool().unit(axis); }

Triad triad_about(TermPool& pool, Term axis, FrameId frame, Term in_basis) {
  const Term a = direction_of(axis);
  const bool is_negated = a.kind() == TermKind::kVectorNegate;
  const Term base = is_negated ? a.operand(0) : a;
  if (is_basis_vector_of(base, frame)) {
    const int k = static_cast<int>(base.second());
    const Term next = pool.basis_vector(frame, (k + 1) % 3), last = pool.basis_vector(frame, (k + 2) % 3);
    return is_negated ? Triad{a, last, next} : Triad{a, next, last};
  }
  const Term measured = in_basis.is_valid() ? direction_of(in_basis) : a;
  const Term e1 = pool.unit(pool.cross(a, farthest_basis_vector(pool, measured, frame)));
  return {a, e1, pool.cross(a, e1)};
}

bool are_proportional(TermPool& pool, Term a, FrameId of_a, Term b, FrameId of_b) {
  const std::array<Term, 3> x = measure_numbers(pool, a, of_a), y = measure_numbers(pool, b, of_b);
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t k = (i + 1) % 3;
    const Term first = x[i] * y[k], second = x[k] * y[i], difference = first - second;
    if (difference.is_zero()) continue;
    if (!first.is_number() || !second.is_number()) return false;
    if (std::fabs(difference.value()) > tolerance::kEqual * std::fabs(first.value())) return false;
  }
  return true;
}

Term counterpart(TermPool& pool, Term vector, FrameId from, FrameId to) {
  const std::vector<Term> nodes = in_order(vector);
  const bool is_of_frame = std::ranges::all_of(nodes, [&](Term node) {
    return node.operand_count() > 0 || node.kind() == TermKind::kNumber || node.kind() == TermKind::kParameter ||
           node.kind() == TermKind::kZeroVector || is_basis_vector_of(node, from);
  });
  if (!is_of_frame) {
    Term sum = pool.zero_vector();
    const std::array<Term, 3> v = measure_numbers(pool, vector, from);
    for (int k = 0; k < 3; ++k) sum = sum + v[static_cast<std::size_t>(k)] * pool.basis_vector(to, k);
    return sum;
  }
  std::unordered_map<TermId, Term> rewritten;
  for (const Term node : nodes) {
    if (is_basis_vector(node)) {
      rewritten[node.id()] = pool.basis_vector(to, static_cast<int>(node.second()));
      continue;
    }
    std::vector<Term> operands;
    for (int i = 0; i < node.operand_count(); ++i) operands.push_back(rewritten.at(node.operand(i).id()));
    rewritten[node.id()] = operands.empty() ? node : with_operands(node, operands);
  }
  return rewritten.at(vector.id());
}

Turn::Turn(TermPool& pool, Term vector) : pool_(pool) {
  VINCULUM_EXPECTS(vector.is_vector());
  const bool is_negated = vector.kind() == TermKind::kVectorNegate;
  const Term positive = is_negated ? vector.operand(0) : vector;
  const bool is_scaled = positive.kind() == TermKind::kScale;
  const Term base = is_scaled ? positive.operand(1) : positive;
  if (is_basis_vector(base) || base.kind() == TermKind::kUnit) {
    // The vector is `angle` times a unit vector, which is the axis of rotation.
    const Term angle = is_scaled ? positive.operand(0) : pool.number(1.0);
    along_ = is_negated ? -base : base;
    cosine_ = pool.function(Op::kCosine, angle);
    sine_ = pool.function(Op::kSine, angle);
    versine_ = 1.0 - cosine_;
  } else {
    // With sin θ/θ and (1 − cos θ)/θ² = (sin(θ/2)/(θ/2))²/2 as functions of θ², a zero vector needs no direction.
    const Term square = pool.dot(vector, vector);
    const Term half = sine_over_root(pool, square / 4.0);
    along_ = vector;
    sine_ = sine_over_root(pool, square);
    versine_ = 0.5 * (half * half);
    cosine_ = 1.0 - square * versine_;
  }
}

Term Turn::of(Term vector) const {
  return cosine_ * vector + sine_ * pool_.cross(along_, vector) + versine_ * pool_.dot(along_, vector) * along_;
}

}  // namespace vinculum::model
