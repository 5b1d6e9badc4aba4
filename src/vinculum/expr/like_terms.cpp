#include "vinculum/expr/like_terms.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

namespace vinculum::expr {
namespace {

constexpr std::size_t kMostFactors = 12;
constexpr int kDeepestTerm = 3;  // largest depth in a sum at which terms are searched

Op opposite(Op op) { return op == Op::kAdd ? Op::kSubtract : Op::kAdd; }

/// The factors of a product, by ascending node.
class Factors {
 public:
  explicit Factors(Expr product) {
    read(product);
    std::sort(ids_.begin(), ids_.begin() + count_);
  }
  [[nodiscard]] bool has_all() const { return has_all_; }
  [[nodiscard]] std::span<const NodeId> ids() const { return {ids_.data(), count_}; }

 private:
  void read(Expr e) {
    if (e.op() == Op::kMultiply) {
      read(e.operand(0));
      if (has_all_) read(e.operand(1));
    } else if (count_ == kMostFactors) {
      has_all_ = false;
    } else {
      ids_[count_++] = e.node();
    }
  }

  std::array<NodeId, kMostFactors> ids_;
  std::size_t count_ = 0;
  bool has_all_ = true;
};

/// The common elements of two sorted lists, and up to two elements that occur only in the one or only in the other
/// list.
struct Compared {
  std::array<NodeId, kMostFactors> common;
  std::size_t common_count = 0;
  std::array<NodeId, 2> first{}, second{};
  std::size_t first_count = 0, second_count = 0;
  bool is_close = true;  ///< each list has at most two elements that the other does not have

  Compared(std::span<const NodeId> a, std::span<const NodeId> b) {
    std::size_t i = 0, j = 0;
    while (is_close && (i < a.size() || j < b.size())) {
      if (j == b.size() || (i < a.size() && a[i] < b[j])) {
        put(a[i++], first, first_count);
      } else if (i == a.size() || b[j] < a[i]) {
        put(b[j++], second, second_count);
      } else {
        common[common_count++] = a[i++];
        ++j;
      }
    }
  }

 private:
  void put(NodeId id, std::array<NodeId, 2>& alone, std::size_t& count) {
    if (count == alone.size()) {
      is_close = false;
    } else {
      alone[count++] = id;
    }
  }
};

/// Whether the factors in which two products differ are sin² x and cos² x of the same angle.
bool are_squares_of_an_angle(const Graph& graph, const Compared& rest) {
  if (rest.first_count != 2 || rest.second_count != 2) return false;
  if (rest.first[0] != rest.first[1] || rest.second[0] != rest.second[1]) return false;
  const Graph::Node &x = graph.node(rest.first[0]), &y = graph.node(rest.second[0]);
  const bool is_pair = (x.op == Op::kSine && y.op == Op::kCosine) || (x.op == Op::kCosine && y.op == Op::kSine);
  return is_pair && x.operands[0] == y.operands[0];
}

/// Combines a ± b, where neither is a sum. Invalid if they do not combine.
Expr collect_two(Op op, Expr a, Expr b) {
  const Scaled left = split_factor(a);
  Scaled right = split_factor(b);
  if (op == Op::kSubtract) right.factor = -right.factor;
  const auto with = [](const Rounded& factor, Expr core) {
    if (factor.value == 0.0) return core.graph().constant(0.0);
    return is_usable_factor(factor) ? scale(factor, core) : Expr();
  };
  if (left.core == right.core) return with(met(left.factor, right.factor), left.core);
  if (left.core.op() != Op::kMultiply || right.core.op() != Op::kMultiply) return {};
  const Factors of_left(left.core), of_right(right.core);
  if (!of_left.has_all() || !of_right.has_all()) return {};
  const Compared rest(of_left.ids(), of_right.ids());
  if (!rest.is_close) return {};
  if (rest.first_count == 0 && rest.second_count == 0) return with(met(left.factor, right.factor), left.core);
  if (left.factor.value != right.factor.value || !are_squares_of_an_angle(a.graph(), rest)) return {};
  if (rest.common_count == 0) return a.graph().constant(left.factor);
  Expr product(&a.graph(), rest.common[0]);
  for (std::size_t k = 1; k < rest.common_count; ++k) product = product * Expr(&a.graph(), rest.common[k]);
  return scale(left.factor, product);
}

Expr into_sum(Op op, Expr sum, Expr term, int depth);

Expr collect(Op op, Expr a, Expr b, int depth) {
  if (const Expr joined = collect_two(op, a, b); joined.is_valid()) return joined;
  return into_sum(op, a, b, depth);
}

/// Combines sum ± term if `term` combines with a term of the sum; otherwise invalid.
Expr into_sum(Op op, Expr sum, Expr term, int depth) {
  const Op of_sum = sum.op();
  if (depth == 0 || (of_sum != Op::kAdd && of_sum != Op::kSubtract)) return {};
  const Expr x = sum.operand(0), y = sum.operand(1);
  if (const Expr joined = collect(op, x, term, depth - 1); joined.is_valid()) {
    return of_sum == Op::kAdd ? joined + y : joined - y;
  }
  // x + (y ± term), x − (y ∓ term)
  const Expr joined = collect(of_sum == Op::kAdd ? op : opposite(op), y, term, depth - 1);
  if (!joined.is_valid()) return {};
  return of_sum == Op::kAdd ? x + joined : x - joined;
}

}  // namespace

Scaled split_factor(Expr e) {
  switch (e.op()) {
    case Op::kNegate: return {-1.0, e.operand(0)};
    case Op::kMultiply:
      if (e.operand(0).is_constant()) return {e.operand(0).rounded(), e.operand(1)};
      break;
    default: break;
  }
  return {1.0, e};
}

Expr scale(const Rounded& factor, Expr core) { return core.graph().constant(factor) * core; }

bool is_usable_factor(const Rounded& c) { return std::isnormal(c.value); }

Expr collect_terms(Op op, Expr a, Expr b) {
  if (a.is_constant() || b.is_constant()) return {};
  if (const Expr joined = collect(op, a, b, kDeepestTerm); joined.is_valid()) return joined;
  // a + b = b + a, a − b = −(b − a)
  const Expr turned = into_sum(op, b, a, kDeepestTerm);
  return !turned.is_valid() ? Expr() : op == Op::kAdd ? turned : -turned;
}

}  // namespace vinculum::expr
