#include "vinculum/expr/readable.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <unordered_map>

#include "vinculum/base/tolerance.hpp"
#include "vinculum/expr/polynomial.hpp"
#include "vinculum/expr/traversal.hpp"

namespace vinculum::expr {
namespace {

constexpr std::size_t kLongest = 1000000;
// Limit for all roots together. Longer expressions stay as they are, because they cannot be made readable
constexpr std::size_t kMostNodes = 20000;

class Reader {
 public:
  Reader(Graph& graph, std::size_t most_terms) : graph_(graph), most_terms_(most_terms) {}

  // \pre nodes are read in ascending order, so that the operands of each node have been read
  void read(NodeId id) { polynomials_.emplace(id, polynomial_of(id)); }

  // The shorter of two forms: the node itself, and its polynomial with common factors taken out.
  Expr best(NodeId id) {
    if (const auto found = best_.find(id); found != best_.end()) return found->second;
    const Expr written = write(polynomials_.at(id));
    const Expr kept(&graph_, id);
    return best_[id] = size(written.node()) < size(id) ? written : kept;
  }

 private:
  std::size_t size(NodeId root) {
    std::vector<NodeId> stack{root};
    while (!stack.empty()) {
      const NodeId id = stack.back();
      if (sizes_.contains(id)) {
        stack.pop_back();
        continue;
      }
      const Graph::Node& node = graph_.node(id);
      std::size_t total = 1;
      bool is_known = true;
      for (const NodeId operand : node.operands) {
        if (!operand.is_valid()) continue;
        const auto found = sizes_.find(operand);
        if (found == sizes_.end()) {
          stack.push_back(operand);
          is_known = false;
        } else {
          total += found->second;
        }
      }
      if (!is_known) continue;
      // x*x counts as x^2
      if (node.op == Op::kMultiply && node.operands[0] == node.operands[1]) total = sizes_.at(node.operands[0]) + 2;
      sizes_[id] = std::min(total, kLongest);
      stack.pop_back();
    }
    return sizes_.at(root);
  }

  Polynomial atom(Expr e, int exponent = 1) {
    if (e.is_zero() && exponent > 0) return {};
    if (e.is_constant() && e.value() != 0.0) return {{Monomial{}, evaluate_power(e.value(), exponent)}};
    return {{Monomial{{e.node(), exponent}}, 1.0}};
  }

  // A product to an integer power. A sum is raised as one factor and not expanded.
  Polynomial raised(NodeId id, int exponent) {
    const Polynomial& p = polynomials_.at(id);
    if (p.size() == 1) {
      const auto& [monomial, c] = *p.begin();
      const double factor = evaluate_power(c, exponent);
      if (std::isnormal(factor)) {
        Monomial m;
        for (const auto& [base, e] : monomial) m.emplace_back(base, e * exponent);
        return {{m, factor}};
      }
    }
    // (2 a x + 2 b x)^n = (2 x)^n (a + b)^n would be valid, but a sum raised as one factor is easier to read
    const Expr e = best(id);
    if (has_sign_first(e)) {
      Polynomial result = atom(-e, exponent);
      if (exponent % 2 != 0) {
        for (auto& [m, c] : result) c = -c;
      }
      return result;
    }
    return atom(e, exponent);
  }

  [[nodiscard]] bool has_sign_first(Expr e) const {
    const Op op = graph_.node(e).op;
    return op == Op::kNegate || (op == Op::kMultiply && Expr(&graph_, graph_.node(e).operands[0]).is_constant() &&
                                 Expr(&graph_, graph_.node(e).operands[0]).value() < 0.0);
  }

  // p times a sum, if p contains that sum as a divisor: the two cancel before anything is expanded. Otherwise nothing.
  std::optional<Polynomial> cancelled(const Polynomial& p, NodeId sum_id) {
    if (polynomials_.at(sum_id).size() < 2 || p.empty()) return std::nullopt;
    const Polynomial whole = atom_without_sign(best(sum_id));
    if (whole.empty()) return std::nullopt;
    const Monomial& factor = whole.begin()->first;
    if (factor.size() != 1 || factor[0].second != 1) return std::nullopt;
    for (const auto& [m, c] : p) {
      if (exponent_in(m, factor[0].first) >= 0) return std::nullopt;
    }
    Polynomial result;
    for (const auto& [m, c] : p) add_to(result, product(m, factor), c * whole.begin()->second);
    return result;
  }

  Polynomial atom_without_sign(Expr e) {
    if (!has_sign_first(e)) return atom(e);
    Polynomial result = atom(-e);
    for (auto& [m, c] : result) c = -c;
    return result;
  }

  Polynomial multiplied(NodeId first, NodeId second) {
    const Polynomial& a = polynomials_.at(first);
    const Polynomial& b = polynomials_.at(second);
    if (const auto whole = cancelled(a, second)) return *whole;
    if (const auto whole = cancelled(b, first)) return *whole;
    if (a.size() * b.size() > most_terms_) {
      if (a.size() == 1 || b.size() == 1) {  // a long sum times one product is not expanded
        Polynomial result = a.size() == 1 ? a : b;
        return scaled_by_atom(result, best(a.size() == 1 ? second : first));
      }
      return scaled_by_atom(atom(best(first)), best(second));
    }
    Polynomial result;
    for (const auto& [m, c] : a) {
      for (const auto& [n, d] : b) add_to(result, without_roots(product(m, n)), c * d);
    }
    return folded(result);
  }

  // Replaces sqrt(x)^2 by x.
  Monomial without_roots(const Monomial& m) {
    Monomial result;
    for (const auto& [id, exponent] : m) {
      const Graph::Node& node = graph_.node(id);
      if (node.op == Op::kSquareRoot && std::abs(exponent) >= 2) {
        result = product(result, {{node.operands[0], exponent / 2}});
        if (exponent % 2 != 0) result = product(result, {{id, exponent % 2}});
      } else {
        result = product(result, {{id, exponent}});
      }
    }
    return result;
  }

  Polynomial scaled_by_atom(const Polynomial& p, Expr e) {
    Polynomial result;
    const Polynomial factor = atom(e);
    if (factor.empty()) return {};
    for (const auto& [m, c] : p) add_to(result, product(m, factor.begin()->first), c * factor.begin()->second);
    return result;
  }

  Polynomial sum(NodeId first, NodeId second, double sign) {
    const Polynomial& a = polynomials_.at(first);
    const Polynomial& b = polynomials_.at(second);
    if (a.size() + b.size() > most_terms_) {
      Polynomial result = a.size() < most_terms_ ? a : atom(best(first));
      if (result.size() + b.size() <= most_terms_) {
        for (const auto& [m, c] : b) add_to(result, m, sign * c);
      } else {
        for (const auto& [m, c] : atom(best(second))) add_to(result, m, sign * c);
      }
      return folded(result);
    }
    Polynomial result = a;
    for (const auto& [m, c] : b) add_to(result, m, sign * c);
    return folded(result);
  }

  Polynomial polynomial_of(NodeId id) {
    const Graph::Node node = graph_.node(id);
    const auto operand = [&](int k) { return node.operands[k]; };
    switch (node.op) {
      case Op::kConstant: {
        Polynomial result;
        if (node.value != 0.0) result[{}] = node.value;
        return std::isfinite(node.value) ? result : atom(Expr(&graph_, id));
      }
      case Op::kSymbol: return atom(Expr(&graph_, id));
      case Op::kAdd: return sum(operand(0), operand(1), 1.0);
      case Op::kSubtract: return sum(operand(0), operand(1), -1.0);
      case Op::kNegate: {
        Polynomial result = polynomials_.at(operand(0));
        for (auto& [m, c] : result) c = -c;
        return result;
      }
      case Op::kMultiply: return multiplied(operand(0), operand(1));
      case Op::kDivide: {
        if (polynomials_.at(operand(1)).empty()) return rebuilt(id);
        const Polynomial below = raised(operand(1), -1);
        const Polynomial& above = polynomials_.at(operand(0));
        if (const auto whole = cancelled(below, operand(0))) return *whole;
        Polynomial result;
        for (const auto& [m, c] : above) {
          for (const auto& [n, d] : below) add_to(result, without_roots(product(m, n)), c * d);
        }
        return result;
      }
      case Op::kPower: {
        const Graph::Node& exponent = graph_.node(operand(1));
        const bool is_whole = exponent.op == Op::kConstant && exponent.value == std::floor(exponent.value) &&
                              std::fabs(exponent.value) <= kLargestWholePower;
        if (is_whole && !polynomials_.at(operand(0)).empty())
          return raised(operand(0), static_cast<int>(exponent.value));
        return rebuilt(id);
      }
      default: return rebuilt(id);
    }
  }

  // The operation applied to the readable forms of its operands, as one atom.
  Polynomial rebuilt(NodeId id) {
    const Graph::Node node = graph_.node(id);
    const auto part = [&](int k) { return node.operands[k].is_valid() ? best(node.operands[k]) : Expr(); };
    const Expr e = node.op == Op::kTable ? graph_.table(TableId(node.payload), node.derivative_order, part(0))
                                         : graph_.make(node.op, part(0), part(1), part(2));
    if (e.is_zero()) return {};
    if (graph_.node(e).op == Op::kNegate) {  // for example, sin(-x) has become -sin(x)
      Polynomial result = atom(Expr(&graph_, graph_.node(e).operands[0]));
      for (auto& [m, c] : result) c = -c;
      return result;
    }
    return atom(e);
  }

  // Simplifies c R sin² x + c R cos² x = c R, c R − c R sin² x = c R cos² x, and so on.
  Polynomial folded(Polynomial p) {
    for (bool is_changed = true; is_changed;) {
      is_changed = false;
      for (const auto& [m, c] : p) {
        for (const auto& [atom_id, exponent] : m) {
          const Op op = graph_.node(atom_id).op;
          if (exponent < 2 || (op != Op::kSine && op != Op::kCosine)) continue;
          const Expr argument(&graph_, graph_.node(atom_id).operands[0]);
          const Expr other = graph_.make(op == Op::kSine ? Op::kCosine : Op::kSine, argument);
          const Monomial rest = product(m, {{atom_id, 2}}, -1);
          const Monomial partner = product(rest, {{other.node(), 2}});
          const auto with = p.find(partner);
          const auto without = p.find(rest);
          if (with != p.end() && is_near(with->second, c)) {
            const double both = c;
            const Monomial first = m;
            p.erase(first);
            p.erase(partner);
            add_to(p, rest, both);
            is_changed = true;
          } else if (without != p.end() && is_near(without->second, -c)) {
            const double rest_c = -c;
            const Monomial first = m;
            p.erase(first);
            p.erase(rest);
            add_to(p, partner, rest_c);
            is_changed = true;
          }
          if (is_changed) break;
        }
        if (is_changed) break;
      }
    }
    return p;
  }
  static bool is_near(double a, double b) { return std::fabs(a - b) <= 4.0 * tolerance::kEqual * std::fabs(a); }

  // c m, times `factor` if it is valid, with one fraction bar.
  Expr write_monomial(const Monomial& m, double c, Expr factor = {}) {
    if (factor.is_valid() && factor.is_zero()) return factor;
    Expr above = graph_.constant(1.0), below = above;
    for (const auto& [id, exponent] : m) {
      Expr& side = exponent > 0 ? above : below;
      side = side * power(Expr(&graph_, id), std::abs(exponent));
    }
    if (factor.is_valid()) above = above * factor;
    const Expr size = below.is_constant() ? above : above / below;
    return c * size;
  }

  // Writes a sum. Factors common to all terms are taken out first, then factors common to some terms.
  Expr write(const Polynomial& p) {
    if (p.empty()) return graph_.constant(0.0);
    if (p.size() == 1) return write_monomial(p.begin()->first, p.begin()->second);
    Monomial shared = p.begin()->first;
    double factor = std::fabs(p.begin()->second);
    bool has_one_size = true;
    int negative = 0;
    for (const auto& [m, c] : p) {
      shared = common(shared, m);
      has_one_size = has_one_size && is_near(std::fabs(c), factor);
      negative += c < 0.0 ? 1 : 0;
    }
    if (!has_one_size) factor = 1.0;
    if (negative == static_cast<int>(p.size())) factor = -factor;
    if (!shared.empty() || factor != 1.0) {
      Polynomial inside;
      for (const auto& [m, c] : p)
        inside[product(m, shared, -1)] = has_one_size ? (c / factor > 0.0 ? 1.0 : -1.0) : c / factor;
      return write_monomial(shared, factor, write_sum(inside));
    }
    return write_sum(p);
  }

  // Takes the factor out of several terms that shortens the sum most.
  Expr write_sum(const Polynomial& p) {
    Monomial chosen;
    long most = 0;
    for (auto i = p.begin(); i != p.end(); ++i) {
      for (auto j = std::next(i); j != p.end(); ++j) {
        const Monomial candidate = common(i->first, j->first);
        if (candidate.empty() || candidate == chosen) continue;
        long weight = 0, count = 0;
        for (const auto& [id, exponent] : candidate)
          weight += static_cast<long>(size(id)) + (std::abs(exponent) > 1 ? 2 : 1);
        for (const auto& [m, c] : p) count += is_divisible(m, candidate) ? 1 : 0;
        if ((count - 1) * weight > most) {
          most = (count - 1) * weight;
          chosen = candidate;
        }
      }
    }
    if (chosen.empty()) return plain_sum(p);
    Polynomial inside, rest;
    for (const auto& [m, c] : p) {
      if (is_divisible(m, chosen)) {
        inside[product(m, chosen, -1)] = c;
      } else {
        rest[m] = c;
      }
    }
    // The sum in brackets is now one factor, so that a (q + p) + b (q + p) has it in common
    Expr bracket = write(folded(inside));
    double factor = 1.0;
    if (has_sign_first(bracket)) {
      bracket = -bracket;
      factor = -1.0;
    }
    if (bracket.is_zero()) return write(rest);
    if (bracket.is_constant()) {
      add_to(rest, chosen, factor * bracket.value());
    } else {
      add_to(rest, product(chosen, {{bracket.node(), 1}}), factor);
    }
    return write(rest);
  }

  Expr plain_sum(const Polynomial& p) {
    Expr total = graph_.constant(0.0);
    for (const auto& [m, c] : p) total = total + write_monomial(m, c);
    return total;
  }

  Graph& graph_;
  std::size_t most_terms_;
  std::unordered_map<NodeId, Polynomial> polynomials_;
  std::unordered_map<NodeId, Expr> best_;
  std::unordered_map<NodeId, std::size_t> sizes_;
};

}  // namespace

std::size_t printed_size(Expr e) {
  const Subgraph subgraph(std::span<const Expr>(&e, 1));
  std::vector<std::size_t> sizes(subgraph.size(), 1);
  for (std::size_t i = 0; i < subgraph.size(); ++i) {
    for (const NodeId operand : e.graph().node(subgraph[i]).operands) {
      if (operand.is_valid()) sizes[i] = std::min(sizes[i] + sizes[subgraph.position(operand)], kLongest);
    }
  }
  return sizes.back();
}

std::vector<Expr> readable(std::span<const Expr> roots, std::size_t most_terms) {
  std::vector<Expr> result(roots.begin(), roots.end());
  if (roots.empty()) return result;
  const Subgraph subgraph(roots);
  if (subgraph.size() > kMostNodes) return result;
  Reader reader(roots[0].graph(), most_terms);
  for (const NodeId id : subgraph.nodes()) reader.read(id);
  for (Expr& root : result) root = reader.best(root.node());
  return result;
}

}  // namespace vinculum::expr
