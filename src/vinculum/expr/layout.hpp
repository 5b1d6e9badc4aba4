#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "vinculum/expr/graph.hpp"

namespace vinculum::expr {

/// Names of nodes: symbols in another notation, or subexpressions that are written on lines of their own.
using Names = std::unordered_map<NodeId, std::string>;

/// A printed subexpression and its precedence (see `operation_table`).
struct Printed {
  static constexpr int kSum = 6, kProduct = 7, kRaised = 9, kAtom = 100;
  std::string text;
  int precedence = kAtom;
  /// Text of a function call in two parts, for notations with an exponent after the first one: \sin^2 q
  std::string head = {}, tail = {};
};

/// How printed subexpressions are joined. The base class is the notation of the model language; derived classes
/// override the differences from it.
class Notation {
 public:
  virtual ~Notation() = default;
  [[nodiscard]] virtual std::string symbol(const std::string& name) const;
  /// \param digits  decimal text of a positive number: "0.5", "1e-5".
  [[nodiscard]] virtual std::string decimal(const std::string& digits) const;
  [[nodiscard]] virtual Printed multiple_of_pi(int count) const;
  [[nodiscard]] virtual std::string in_brackets(const std::string& text) const;
  [[nodiscard]] virtual Printed raised(const Printed& base, const Printed& exponent) const;
  /// Product of `above` divided by the product of `below`. One of the two lists may be empty, but not both.
  [[nodiscard]] virtual Printed quotient(const std::vector<Printed>& above, const std::vector<Printed>& below) const;
  [[nodiscard]] virtual Printed call(const OperationInfo& info, const std::vector<Printed>& arguments) const;
  [[nodiscard]] virtual Printed table(const std::string& name, int order, const Printed& argument) const;
  [[nodiscard]] virtual Printed infix(const OperationInfo& info, const std::string& first,
                                      const std::string& second) const;
  [[nodiscard]] virtual Printed negation(const OperationInfo& info, const std::string& operand) const;
  [[nodiscard]] virtual Printed choice(const OperationInfo& info, const std::string& condition,
                                       const std::string& if_true, const std::string& if_false) const;
  [[nodiscard]] virtual std::string cut() const { return "..."; }

 protected:
  /// The text of `part`, in brackets if its precedence is below `lowest`.
  [[nodiscard]] std::string bracketed(const Printed& part, int lowest) const {
    return part.precedence < lowest ? in_brackets(part.text) : part.text;
  }
  friend class Layout;
};

/// The expression as sums of products of powers, in the given notation. The order and abbreviation of terms are those
/// of `to_text`.
/// \param names  nodes that are written by name; e itself is always written out unless it is a symbol
[[nodiscard]] std::string lay_out(Expr e, const Notation& notation, const Names& names = {},
                                  std::size_t max_nodes = 100000);

}  // namespace vinculum::expr
