#include "vinculum/expr/code.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <utility>

#include "vinculum/base/contract.hpp"

namespace vinculum::expr {
namespace {

constexpr int kChoice = 1, kOr = 2, kAnd = 3, kComparison = 5, kSum = 6, kProduct = 7, kFactor = 8, kAtom = 100;

// Words that are not allowed as names in programs of either language: keywords of C99 and Python, functions that the
// programs call, and macros of <math.h> and of compilers.
constexpr std::string_view kReserved =
    " auto break case char const continue default do double else enum extern float for goto if inline int long "
    "register "
    "restrict return short signed sizeof static struct switch typedef union unsigned void volatile while asm typeof "
    "bool complex main "
    "False None True and as assert async await class def del elif except finally from global import in is lambda "
    "nonlocal not or pass raise try with yield math range abs "
    "sqrt sin cos tan asin acos atan atan2 sinh cosh tanh exp log pow fabs fmax floor isnan isinf isfinite isnormal "
    "signbit fpclassify isgreater isless isunordered math_errhandling double_t float_t DOMAIN HUGE INFINITY MAXFLOAT "
    "NAN "
    "OVERFLOW PLOSS SING SNAN TLOSS UNDERFLOW linux unix ";
// Beginnings of names of further macros: M_PI, FP_NAN, HUGE_VAL, MATH_ERRNO.
constexpr std::string_view kReservedBeginnings[] = {"M_", "FP_", "HUGE_", "MATH_"};

bool is_reserved(std::string_view name) {
  const auto begins = [&](std::string_view beginning) { return name.starts_with(beginning); };
  return kReserved.find(" " + std::string(name) + " ") != std::string_view::npos ||
         std::ranges::any_of(kReservedBeginnings, begins);
}

std::string bracketed(const Printed& part, int lowest) {
  return part.precedence < lowest ? "(" + part.text + ")" : part.text;
}

bool is_truth(Op op) {
  return op == Op::kLess || op == Op::kLessEqual || op == Op::kEqual || op == Op::kNotEqual || op == Op::kAnd ||
         op == Op::kOr || op == Op::kNot;
}

}  // namespace

bool is_identifier(std::string_view name) {
  if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0])) != 0) return false;
  const auto may_stand = [](char c) {
    return c == '_' || (static_cast<unsigned char>(c) < 128 && std::isalnum(static_cast<unsigned char>(c)) != 0);
  };
  return std::ranges::all_of(name, may_stand) && !is_reserved(name);
}

std::string identifier(std::string_view name) {
  std::string text;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const auto c = static_cast<unsigned char>(name[i]);
    if (c == '\'') {
      text += "_dot";
    } else if (c == ']' || c == ')') {
      continue;
    } else if (c < 128 && std::isalnum(c) != 0) {
      text += name[i];
    } else if (c >= 128) {
      text += fmt::format("x{:02x}", c);  // a letter outside ASCII becomes the hexadecimal codes of its bytes
    } else if (text.empty() || text.back() != '_') {
      text += '_';
    }
  }
  while (text.size() > 1 && text.back() == '_') text.pop_back();
  if (text.empty() || std::isdigit(static_cast<unsigned char>(text[0])) != 0) text.insert(0, "_");
  if (!is_identifier(text)) text += '_';
  return text;
}

std::string CodePrinter::number(double value, CodeLanguage language) {
  const bool is_c = language == CodeLanguage::kC;
  if (std::isnan(value)) return is_c ? "NAN" : "math.nan";
  if (std::isinf(value)) return std::string(value < 0.0 ? "-" : "") + (is_c ? "INFINITY" : "math.inf");
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

std::string CodePrinter::helper(std::string_view name) {
  helpers_.insert(std::string(name));
  return std::string(name);
}

std::string CodePrinter::print(Expr e, const Names& names) { return value(e.node(), names, true).text; }

Printed CodePrinter::call(std::string_view function, const std::vector<std::string>& arguments, bool may_fail) {
  std::string list;
  for (const std::string& argument : arguments) list.append(list.empty() ? "" : ", ").append(argument);
  if (language_ == CodeLanguage::kPython && may_fail && is_guarded_) {
    return {fmt::format("{}({}, {})", helper("guarded"), function, list)};
  }
  return {fmt::format("{}({})", function, list)};
}

Printed CodePrinter::power(const Graph::Node& node, const Names& names) {
  const bool is_c = language_ == CodeLanguage::kC;
  const Printed base = value(node.operands[0], names, false);
  PowerPlan plan;
  const Graph::Node& exponent = graph_.node(node.operands[1]);
  if (exponent.op != Op::kConstant || !find_power_plan(exponent.value, plan)) {
    return call(is_c ? "pow" : "math.pow", {base.text, value(node.operands[1], names, false).text}, true);
  }
  Printed p{"1.0"};
  if (plan.whole == 1) p = base;
  if (plan.whole == 2 || plan.whole == 3) {
    const bool is_short = base.precedence == kAtom && is_identifier(base.text);
    p = !is_short         ? call(helper("whole_power"), {base.text, fmt::format("{}", plan.whole)})
        : plan.whole == 2 ? Printed{fmt::format("{0}*{0}", base.text), kProduct}
                          : Printed{fmt::format("{0}*{0}*{0}", base.text), kProduct};
  } else if (plan.whole > 3) {
    p = call(helper("whole_power"), {base.text, fmt::format("{}", plan.whole)});
  }
  if (plan.has_root) {
    const Printed root = call(is_c ? "sqrt" : "math.sqrt", {base.text}, true);
    p = plan.whole == 0 ? root : Printed{fmt::format("{}*{}", bracketed(p, kProduct), root.text), kProduct};
  }
  if (!plan.is_reciprocal) return p;
  if (!is_c && is_guarded_) return call(helper("divided"), {"1.0", p.text});
  return {fmt::format("1.0/{}", bracketed(p, kFactor)), kProduct};
}

Printed CodePrinter::condition(NodeId id, const Names& names, bool is_root) {
  const Graph::Node& node = graph_.node(id);
  const bool is_c = language_ == CodeLanguage::kC;
  if (!is_truth(node.op) || (!is_root && names.contains(id))) {
    return {fmt::format("{} != 0.0", bracketed(value(id, names, false), kSum)), kComparison};
  }
  switch (node.op) {
    case Op::kAnd:
    case Op::kOr: {
      const int own = node.op == Op::kAnd ? kAnd : kOr;
      const std::string sign = node.op == Op::kAnd ? (is_c ? "&&" : "and") : is_c ? "||" : "or";
      const int least = is_c ? kAnd + 1 : own + 1;  // C compilers warn about && within || without parentheses
      const std::string first = bracketed(condition(node.operands[0], names, false), least);
      return {fmt::format("{} {} {}", first, sign, bracketed(condition(node.operands[1], names, false), least)), own};
    }
    case Op::kNot:
      return {fmt::format("{}({})", is_c ? "!" : "not ", condition(node.operands[0], names, false).text), kAnd + 1};
    default: {
      const std::string first = bracketed(value(node.operands[0], names, false), kSum);
      const std::string second = bracketed(value(node.operands[1], names, false), kSum);
      return {fmt::format("{} {} {}", first, operation_info(node.op).c, second), kComparison};
    }
  }
}

Printed CodePrinter::value(NodeId id, const Names& names, bool is_root) {
  const Graph::Node& node = graph_.node(id);
  const bool is_c = language_ == CodeLanguage::kC;
  if (!is_root || node.op == Op::kSymbol) {
    if (const auto found = names.find(id); found != names.end()) return {found->second};
  }
  const auto part = [&](int k, int lowest) { return bracketed(value(node.operands[k], names, false), lowest); };
  const auto infix = [&](char sign, int own, int right) {
    const char* space = own == kSum ? " " : "";
    Printed first = value(node.operands[0], names, false), second = value(node.operands[1], names, false);
    // the two operands may be exchanged without changing a bit of the result
    const bool commutes = sign == '+' || sign == '*';
    if (commutes && second.precedence == own && first.precedence >= right) std::swap(first, second);
    return Printed{fmt::format("{}{}{}{}{}", bracketed(first, own), space, sign, space, bracketed(second, right)), own};
  };
  const auto chosen = [&](const Printed& test, const Printed& yes, const Printed& no) {
    const std::string first = bracketed(yes, kOr), other = bracketed(no, kChoice);
    const std::string question = bracketed(test, kOr);
    return Printed{is_c ? fmt::format("{} ? {} : {}", question, first, other)
                        : fmt::format("{} if {} else {}", first, question, other),
                   kChoice};
  };
  switch (node.op) {
    case Op::kSymbol: throw InternalError("code: no name for the symbol " + graph_.symbol_name(id));
    case Op::kConstant: return {number(node.value, language_), std::signbit(node.value) ? kProduct : kAtom};
    case Op::kAdd: return infix('+', kSum, kProduct);
    case Op::kSubtract: return infix('-', kSum, kProduct);
    case Op::kMultiply: return infix('*', kProduct, kFactor);
    case Op::kDivide:
      if (!is_c && is_guarded_) return call(helper("divided"), {part(0, 0), part(1, 0)});
      return infix('/', kProduct, kFactor);
    case Op::kNegate: return {"-" + part(0, kFactor), kProduct};
    case Op::kPower: return power(node, names);
    case Op::kAbsolute: return call(is_c ? "fabs" : "abs", {part(0, 0)});
    case Op::kSign: return call(helper("sign_of"), {part(0, 0)});
    case Op::kFloor: return call(is_c ? std::string("floor") : helper("floor_of"), {part(0, 0)});
    case Op::kMinimum: return call(helper("smaller"), {part(0, 0), part(1, 0)});
    case Op::kMaximum: return call(helper("larger"), {part(0, 0), part(1, 0)});
    case Op::kSelect:
      return chosen(condition(node.operands[0], names, false), value(node.operands[1], names, false),
                    value(node.operands[2], names, false));
    case Op::kTable: {
      const TableId table(node.payload);
      auto at = std::ranges::find(tables_, table);
      if (at == tables_.end()) at = tables_.insert(tables_.end(), table);
      const Spline& spline = graph_.spline(table);
      std::string argument = part(0, 0);
      if (spline.is_periodic())
        argument = fmt::format("{}({}, {}, {})", helper("in_period"), argument, number(spline.first(), language_),
                               number(spline.last(), language_));
      return call(helper("spline"),
                  {fmt::format("table{0}_knots, table{0}_coefficients", at - tables_.begin() + 1),
                   fmt::format("{}, {}", spline.knots().size() - 1, node.derivative_order), argument});
    }
    default: break;
  }
  if (is_truth(node.op)) return chosen(condition(id, names, is_root), {"1.0"}, {"0.0"});
  const OperationInfo& info = operation_info(node.op);
  std::vector<std::string> arguments;
  for (int k = 0; k < info.arity; ++k) arguments.push_back(part(k, 0));
  return call(is_c ? std::string(info.c) : "math." + std::string(info.name), arguments, true);
}

}  // namespace vinculum::expr
