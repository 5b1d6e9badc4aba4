#include "vinculum/expr/layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <tuple>
#include <utility>
#include <vector>

#include "vinculum/expr/traversal.hpp"

namespace vinculum::expr {
namespace {

constexpr int kSumLevel = Printed::kSum, kProductLevel = Printed::kProduct, kRaised = Printed::kRaised;
constexpr int kDeepest = 500;

std::string digits_of(double value) {
  std::string text = fmt::format("{}", value);
  const std::size_t e = text.find('e');
  if (e == std::string::npos) return text;
  // 1e-05 becomes 1e-5, and 1e+20 becomes 1e20
  std::size_t digits = e + 1;
  const bool is_small = text[digits] == '-';
  if (is_small || text[digits] == '+') ++digits;
  while (digits + 1 < text.size() && text[digits] == '0') ++digits;
  return fmt::format("{}{}{}", text.substr(0, e + 1), is_small ? "-" : "", text.substr(digits));
}

// A positive factor as printed: (digits or a multiple of π)/below. Digits are empty and pi = 0 if the numerator is 1.
struct Coefficient {
  std::string digits;
  int pi = 0;
  int below = 1;
};

Coefficient coefficient(double c) {
  if (c == 1.0) return {};
  const std::string decimal = digits_of(c);
  if (decimal.size() <= 6 || !std::isfinite(c)) return {decimal};
  for (const int d : {1, 2, 3, 4, 6, 180}) {  // finds factors such as 2*pi and pi/180
    for (int n = 1; n <= 4; ++n) {
      if (c == n * std::numbers::pi / d) return {"", n, d};
    }
  }
  for (int d = 2; d <= 1000; ++d) {  // finds factors such as 2/3
    const double n = std::round(c * d);
    if (n >= 1.0 && n <= 1000.0 && n / d == c) return {n == 1.0 ? "" : digits_of(n), 0, d};
  }
  return {decimal};
}

struct Factor {
  NodeId base;
  double exponent;  // exponent > 0; a factor in `below` divides
};

struct Product {
  double coefficient = 1.0;
  std::vector<Factor> above, below;
  bool is_cut = false;
};

struct Term {
  NodeId node;
  bool is_negative;
};

}  // namespace

class Layout {
 public:
  Layout(Expr root, const Notation& notation, const Names& names, std::size_t max_nodes)
      : graph_(root.graph()),
        root_(root.node()),
        notation_(notation),
        names_(names),
        subgraph_(std::span<const Expr>(&root, 1)),
        left_(max_nodes) {
    for (std::size_t i = 0; i < subgraph_.size(); ++i) {
      const Graph::Node& node = graph_.node(subgraph_[i]);
      std::uint32_t first = node.op == Op::kSymbol ? node.payload : NodeId::kNone;
      for (const NodeId operand : node.operands) {
        if (operand.is_valid()) first = std::min(first, first_symbols_[subgraph_.position(operand)]);
      }
      first_symbols_.push_back(first);
    }
  }

  Printed print(NodeId id, int depth) {
    const Graph::Node& node = graph_.node(id);
    if (const std::string* name = name_of(id)) return spend() ? Printed{*name} : cut();
    if (node.op == Op::kSymbol) return spend() ? Printed{notation_.symbol(graph_.symbol_name(id))} : cut();
    if (depth > kDeepest) return cut();
    if (node.op == Op::kNegate && is_sum(node.operands[0])) return print_sum(id, depth);
    switch (node.op) {
      case Op::kAdd:
      case Op::kSubtract: return print_sum(id, depth);
      case Op::kConstant:
      case Op::kMultiply:
      case Op::kDivide:
      case Op::kNegate:
      case Op::kPower: {
        Product product = split_product(id);
        const bool is_negative = product.coefficient < 0.0;
        product.coefficient = std::fabs(product.coefficient);
        const Printed size = print_product(product, depth);
        if (!is_negative) return size;
        return {fmt::format("-{}", bracketed(size, kProductLevel)), kSumLevel};
      }
      default: break;
    }
    if (!spend()) return cut();
    const OperationInfo& info = operation_info(node.op);
    const auto part = [&](int k, int lowest) { return bracketed(print(node.operands[k], depth + 1), lowest); };
    if (node.op == Op::kSelect) {
      const std::string if_true = part(1, info.precedence + 1), condition = part(0, info.precedence + 1);
      return notation_.choice(info, condition, if_true, part(2, info.precedence));
    }
    if (node.op == Op::kNot) return notation_.negation(info, part(0, info.precedence + 1));
    if (node.op == Op::kTable) {
      return notation_.table(graph_.spline(TableId(node.payload)).name(), node.derivative_order,
                             print(node.operands[0], depth + 1));
    }
    if (!info.infix.empty()) {  // comparisons cannot be chained; `and` and `or` group to the left
      const int left = node.op == Op::kAnd || node.op == Op::kOr ? info.precedence : info.precedence + 1;
      const std::string first = part(0, left);
      return notation_.infix(info, first, part(1, info.precedence + 1));
    }
    std::vector<Printed> arguments;
    for (int k = 0; k < info.arity; ++k) arguments.push_back(print(node.operands[k], depth + 1));
    return notation_.call(info, arguments);
  }

 private:
  bool spend() {
    if (left_ == 0) return false;
    --left_;
    return true;
  }
  [[nodiscard]] Printed cut() const { return {notation_.cut()}; }
  [[nodiscard]] std::string bracketed(const Printed& part, int lowest) const {
    return notation_.bracketed(part, lowest);
  }

  // The root is written out even if it has a name, because this text defines the name.
  [[nodiscard]] const std::string* name_of(NodeId id) const {
    if (names_.empty() || (id == root_ && graph_.node(id).op != Op::kSymbol)) return nullptr;
    const auto found = names_.find(id);
    return found == names_.end() ? nullptr : &found->second;
  }

  [[nodiscard]] bool is_sum(NodeId id) const {
    const Op op = graph_.node(id).op;
    return (op == Op::kAdd || op == Op::kSubtract) && name_of(id) == nullptr;
  }

  Printed print_sum(NodeId id, int depth) {
    std::vector<Term> stack{{id, false}}, terms;
    double constant = 0.0;
    bool is_cut = false;
    while (!stack.empty()) {
      const Term term = stack.back();
      stack.pop_back();
      const Graph::Node& node = graph_.node(term.node);
      if (name_of(term.node) != nullptr) {
        terms.push_back(term);
      } else if (node.op == Op::kConstant) {
        constant += term.is_negative ? -node.value : node.value;
      } else if (node.op == Op::kNegate) {
        stack.push_back({node.operands[0], !term.is_negative});
      } else if (node.op == Op::kAdd || node.op == Op::kSubtract) {
        if (!spend()) {
          is_cut = true;
          break;
        }
        stack.push_back({node.operands[1], term.is_negative != (node.op == Op::kSubtract)});
        stack.push_back({node.operands[0], term.is_negative});
      } else {
        terms.push_back(term);
      }
    }
    std::vector<Product> products;
    for (const Term& term : terms) {
      products.push_back(split_product(term.node));
      if (term.is_negative) products.back().coefficient = -products.back().coefficient;
    }
    std::stable_sort(products.begin(), products.end(),
                     [&](const Product& a, const Product& b) { return rank(a) < rank(b); });
    std::vector<Printed> positive, negative;
    for (Product& product : products) {
      const bool is_negative = product.coefficient < 0.0;
      product.coefficient = std::fabs(product.coefficient);
      (is_negative ? negative : positive).push_back(print_product(product, depth));
    }
    if (constant != 0.0) (constant < 0.0 ? negative : positive).push_back(print_constant(std::fabs(constant)));
    if (is_cut) positive.push_back(cut());
    std::string text;
    for (const Printed& part : positive) text.append(text.empty() ? "" : " + ").append(bracketed(part, kSumLevel));
    for (const Printed& part : negative) text.append(text.empty() ? "-" : " - ").append(bracketed(part, kProductLevel));
    return {text, positive.size() == 1 && negative.empty() ? positive[0].precedence : kSumLevel};
  }

  [[nodiscard]] Printed print_constant(double size) const {
    std::vector<Printed> above, below;
    add_coefficient(coefficient(size), above, below);
    if (above.empty()) above.push_back({notation_.decimal("1")});
    return below.empty() ? above[0] : notation_.quotient(above, below);
  }

  void add_coefficient(const Coefficient& c, std::vector<Printed>& above, std::vector<Printed>& below) const {
    if (!c.digits.empty()) above.push_back({notation_.decimal(c.digits)});
    if (c.pi > 0) above.push_back(notation_.multiple_of_pi(c.pi));
    if (c.below > 1) below.push_back({notation_.decimal(fmt::format("{}", c.below))});
  }

  Product split_product(NodeId id) {
    struct Item {
      NodeId node;
      bool is_below;
    };
    Product product;
    std::vector<Item> stack{{id, false}};
    while (!stack.empty()) {
      const Item item = stack.back();
      stack.pop_back();
      const Graph::Node& node = graph_.node(item.node);
      if (name_of(item.node) != nullptr) {
        add_factor(product, item.node, item.is_below);
        continue;
      }
      const bool is_fork = node.op == Op::kMultiply || node.op == Op::kDivide;
      if (is_fork && !spend()) {
        product.is_cut = true;
        break;
      }
      if (is_fork) {
        stack.push_back({node.operands[1], item.is_below != (node.op == Op::kDivide)});
        stack.push_back({node.operands[0], item.is_below});
      } else if (node.op == Op::kNegate) {
        product.coefficient = -product.coefficient;
        stack.push_back({node.operands[0], item.is_below});
      } else if (node.op == Op::kConstant && !(item.is_below && node.value == 0.0)) {
        product.coefficient = item.is_below ? product.coefficient / node.value : product.coefficient * node.value;
      } else {
        add_factor(product, item.node, item.is_below);
      }
    }
    for (std::vector<Factor>* side : {&product.above, &product.below}) {
      std::stable_sort(side->begin(), side->end(), [&](const Factor& a, const Factor& b) { return rank(a) < rank(b); });
    }
    return product;
  }

  void add_factor(Product& product, NodeId id, bool is_below) const {
    const Graph::Node& node = graph_.node(id);
    Factor factor{id, 1.0};
    if (node.op == Op::kPower && graph_.node(node.operands[1]).op == Op::kConstant && name_of(id) == nullptr) {
      factor = {node.operands[0], graph_.node(node.operands[1]).value};
    }
    if (factor.exponent < 0.0) {
      factor.exponent = -factor.exponent;
      is_below = !is_below;
    }
    std::vector<Factor>& side = is_below ? product.below : product.above;
    const auto same = std::find_if(side.begin(), side.end(), [&](const Factor& f) { return f.base == factor.base; });
    if (same == side.end()) {
      side.push_back(factor);
    } else {
      same->exponent += factor.exponent;
    }
  }

  // Rank that orders factors: symbols by declaration; then functions by the earliest declared symbol in them; then
  // sums.
  using Rank = std::tuple<int, std::uint32_t, Op, NodeId>;
  [[nodiscard]] Rank rank(const Factor& factor) const {
    const Op op = graph_.node(factor.base).op;
    const int kind = op == Op::kSymbol ? 0 : name_of(factor.base) != nullptr ? 1 : is_sum(factor.base) ? 2 : 1;
    return {kind, first_symbols_[subgraph_.position(factor.base)], op, factor.base};
  }

  // Ranks that order the terms of a sum by the symbols in their factors, so that the order does not depend on how the
  // sum was built.
  [[nodiscard]] std::vector<std::pair<std::uint32_t, Op>> rank(const Product& product) const {
    std::vector<std::pair<std::uint32_t, Op>> ranks;
    for (const std::vector<Factor>* side : {&product.above, &product.below}) {
      for (const Factor& factor : *side) {
        ranks.emplace_back(first_symbols_[subgraph_.position(factor.base)], graph_.node(factor.base).op);
      }
    }
    return ranks;
  }

  Printed print_factor(const Factor& factor, int depth) {
    const Graph::Node& node = graph_.node(factor.base);
    if (factor.exponent != 1.0) {
      return notation_.raised(print(factor.base, depth + 1), {notation_.decimal(digits_of(factor.exponent))});
    }
    if (node.op != Op::kPower || name_of(factor.base) != nullptr) return print(factor.base, depth + 1);
    const Printed base = print(node.operands[0], depth + 1);
    return notation_.raised(base, print(node.operands[1], depth + 1));
  }

  // \pre the coefficient is not negative
  Printed print_product(const Product& product, int depth) {
    if (product.above.empty() && product.below.empty() && !product.is_cut) {
      return spend() ? print_constant(product.coefficient) : cut();
    }
    std::vector<Printed> above, below;
    if (product.coefficient != 1.0) add_coefficient(coefficient(product.coefficient), above, below);
    for (const Factor& factor : product.above) above.push_back(print_factor(factor, depth));
    if (product.is_cut) above.push_back(cut());
    for (const Factor& factor : product.below) below.push_back(print_factor(factor, depth));
    if (above.size() == 1 && below.empty()) return above[0];
    return notation_.quotient(above, below);
  }

  const Graph& graph_;
  NodeId root_;
  const Notation& notation_;
  const Names& names_;
  Subgraph subgraph_;
  std::vector<std::uint32_t> first_symbols_;  // by position: the earliest declared symbol that the node depends on
  std::size_t left_;                          // number of nodes that may still be printed
};

std::string lay_out(Expr e, const Notation& notation, const Names& names, std::size_t max_nodes) {
  return Layout(e, notation, names, max_nodes).print(e.node(), 0).text;
}

}  // namespace vinculum::expr
