#include "vinculum/expr/print.hpp"

#include <fmt/format.h>

#include "vinculum/expr/layout.hpp"

namespace vinculum::expr {

std::string Notation::symbol(const std::string& name) const { return name; }
std::string Notation::decimal(const std::string& digits) const { return digits; }
std::string Notation::in_brackets(const std::string& text) const { return "(" + text + ")"; }

Printed Notation::multiple_of_pi(int count) const {
  return count == 1 ? Printed{"pi"} : Printed{fmt::format("{}*pi", count), Printed::kProduct};
}

Printed Notation::raised(const Printed& base, const Printed& exponent) const {
  return {fmt::format("{}^{}", bracketed(base, Printed::kRaised + 1), bracketed(exponent, Printed::kRaised + 1)),
          Printed::kRaised};
}

Printed Notation::quotient(const std::vector<Printed>& above, const std::vector<Printed>& below) const {
  std::string text;
  for (const Printed& part : above) text.append(text.empty() ? "" : "*").append(bracketed(part, Printed::kProduct));
  if (above.empty()) text = "1";
  if (below.size() == 1) text.append("/").append(bracketed(below[0], Printed::kProduct + 1));
  if (below.size() > 1) {
    std::string divisor;
    for (const Printed& part : below)
      divisor.append(divisor.empty() ? "" : "*").append(bracketed(part, Printed::kProduct));
    text += fmt::format("/({})", divisor);
  }
  return {text, Printed::kProduct};
}

Printed Notation::call(const OperationInfo& info, const std::vector<Printed>& arguments) const {
  std::string list;
  for (const Printed& argument : arguments) list.append(list.empty() ? "" : ", ").append(argument.text);
  return {fmt::format("{}({})", info.name, list)};
}

Printed Notation::table(const std::string& name, int order, const Printed& argument) const {
  return {fmt::format("table{}(\"{}\", {})", std::string(static_cast<std::size_t>(order), '\''), name, argument.text)};
}

Printed Notation::infix(const OperationInfo& info, const std::string& first, const std::string& second) const {
  return {fmt::format("{} {} {}", first, info.infix, second), info.precedence};
}

Printed Notation::negation(const OperationInfo& info, const std::string& operand) const {
  return {"not " + operand, info.precedence};
}

Printed Notation::choice(const OperationInfo& info, const std::string& condition, const std::string& if_true,
                         const std::string& if_false) const {
  return {fmt::format("{} if {} else {}", if_true, condition, if_false), info.precedence};
}

std::string to_text(Expr e, std::size_t max_nodes) { return lay_out(e, Notation(), {}, max_nodes); }
std::string to_text(Expr e, const Names& names) { return lay_out(e, Notation(), names); }

}  // namespace vinculum::expr
