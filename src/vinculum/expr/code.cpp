#include "vinculum/expr/code.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <utility>

#include "vinculum/base/contract.hpp"

namespace vinculum::expr {
namespace {

constexpr int kChoice = 1, kOr = 2, kAnd = 3, kComparison = 5, kSum = 6, kProduct = 7, kFactor = 8, kAtom = 100;

constexpr std::array<std::string_view, 70> kReserved = {
    "auto",     "break",  "case",     "char",   "const",    "continue", "default", "do",      "double",  "else",
    "enum",     "extern", "float",    "for",    "goto",     "if",       "inline",  "int",     "long",    "register",
    "restrict", "return", "short",    "signed", "sizeof",   "static",   "struct",  "switch",  "typedef", "union",
    "unsigned", "void",   "volatile", "while",  "False",    "None",     "True",    "and",     "as",      "assert",
    "async",    "await",  "class",    "def",    "del",      "elif",     "except",  "finally", "from",    "global",
    "import",   "in",     "is",       "lambda", "nonlocal", "not",      "or",      "pass",    "raise",   "try",
    "with",     "yield",  "math",     "main",   "range",    "abs",      "asm",     "complex", "bool",    "float"};

std::string bracketed(const Printed& part, int lowest) {
  return part.precedence < lowest ? "(" + part.text + ")" : part.text;
}

bool is_truth(Op op) {
  return op == Op::kLess || op == Op::kLessEqual || op == Op::kEqual || op == Op::kNotEqual || op == Op::kAnd ||
         op == Op::kOr || op == Op::kNot;
}

// name, C text, Python text: written into the file when used.
struct Helper {
  std::string_view name, c, python;
};
constexpr Helper kHelpers[] = {
    {"sign_of", "static double sign_of(double x) { return x > 0.0 ? 1.0 : x < 0.0 ? -1.0 : x; }\n",
     "def sign_of(x):\n    return 1.0 if x > 0.0 else -1.0 if x < 0.0 else x\n"},
    {"smaller", "static double smaller(double a, double b) { return a < b || a != a ? a : b; }\n",
     "def smaller(a, b):\n    return a if a < b or a != a else b\n"},
    {"larger", "static double larger(double a, double b) { return a > b || a != a ? a : b; }\n",
     "def larger(a, b):\n    return a if a > b or a != a else b\n"},
    {"floor_of", "static double floor_of(double x) { return floor(x); }\n",
     "def floor_of(x):\n    return float(math.floor(x)) if math.isfinite(x) else x\n"},
    {"whole_power",
     "/* x^n for n >= 1, by squaring */\n"
     "static double whole_power(double x, int n) {\n"
     "  int bit = 1;\n"
     "  double p = x;\n"
     "  while (2 * bit <= n) bit *= 2;\n"
     "  for (bit /= 2; bit > 0; bit /= 2) {\n"
     "    p = p * p;\n"
     "    if (n & bit) p = p * x;\n"
     "  }\n"
     "  return p;\n"
     "}\n",
     "def whole_power(x, n):\n"
     "    \"\"\"x^n for n >= 1, by squaring\"\"\"\n"
     "    bit = 1\n"
     "    while 2 * bit <= n:\n"
     "        bit *= 2\n"
     "    p = x\n"
     "    bit //= 2\n"
     "    while bit > 0:\n"
     "        p = p * p\n"
     "        if n & bit:\n"
     "            p = p * x\n"
     "        bit //= 2\n"
     "    return p\n"},
    {"divided", "static double divided(double a, double b) { return a / b; }\n",
     "def divided(a, b):\n"
     "    \"\"\"a/b; infinite or nan where b is 0\"\"\"\n"
     "    if b != 0.0:\n"
     "        return a / b\n"
     "    return math.nan if a == 0.0 or a != a else math.copysign(math.inf, a) * math.copysign(1.0, b)\n"},
    {"guarded", "",
     "def guarded(function, *x):\n"
     "    \"\"\"function(*x), nan where Python raises: a branch that is not taken must not stop the rest\"\"\"\n"
     "    try:\n"
     "        return function(*x)\n"
     "    except (ValueError, OverflowError):\n"
     "        return math.nan\n"},
    {"spline",
     "/* derivative of an order 0..3 of a cubic spline with `pieces` pieces at `at`; NaN outside its knots */\n"
     "static double spline(const double *knots, const double *c, int pieces, int order, double at) {\n"
     "  int k = 0;\n"
     "  double s;\n"
     "  if (!(at >= knots[0] && at <= knots[pieces])) return NAN;\n"
     "  while (k + 1 < pieces && at >= knots[k + 1]) ++k;\n"
     "  s = at - knots[k];\n"
     "  c += 4 * k;\n"
     "  switch (order) {\n"
     "    case 0: return ((c[3] * s + c[2]) * s + c[1]) * s + c[0];\n"
     "    case 1: return (3.0 * c[3] * s + 2.0 * c[2]) * s + c[1];\n"
     "    case 2: return 6.0 * c[3] * s + 2.0 * c[2];\n"
     "    default: return 6.0 * c[3];\n"
     "  }\n"
     "}\n",
     "def spline(knots, coefficients, order, at):\n"
     "    \"\"\"derivative of an order 0..3 of a cubic spline at `at`; nan outside its knots\"\"\"\n"
     "    if not knots[0] <= at <= knots[-1]:\n"
     "        return math.nan\n"
     "    k = 0\n"
     "    while k + 2 < len(knots) and at >= knots[k + 1]:\n"
     "        k += 1\n"
     "    s = at - knots[k]\n"
     "    c = coefficients[4 * k:4 * k + 4]\n"
     "    if order == 0:\n"
     "        return ((c[3] * s + c[2]) * s + c[1]) * s + c[0]\n"
     "    if order == 1:\n"
     "        return (3.0 * c[3] * s + 2.0 * c[2]) * s + c[1]\n"
     "    return 6.0 * c[3] * s + 2.0 * c[2] if order == 2 else 6.0 * c[3]\n"},
};

}  // namespace

bool is_identifier(std::string_view name) {
  if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0])) != 0) return false;
  const auto may_stand = [](char c) {
    return c == '_' || (static_cast<unsigned char>(c) < 128 && std::isalnum(static_cast<unsigned char>(c)) != 0);
  };
  return std::ranges::all_of(name, may_stand) && std::ranges::find(kReserved, name) == kReserved.end();
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
      text += fmt::format("x{:02x}", c);  // a letter beyond ASCII, byte by byte
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
      const std::string first = bracketed(condition(node.operands[0], names, false), own + 1);
      return {fmt::format("{} {} {}", first, sign, bracketed(condition(node.operands[1], names, false), own + 1)), own};
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
    const bool commutes = sign == '+' || sign == '*';  // in every bit
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
      auto at = std::ranges::find(tables_, node.payload);
      if (at == tables_.end()) at = tables_.insert(tables_.end(), node.payload);
      const auto k = at - tables_.begin() + 1;
      const std::string order = fmt::format("{}", node.derivative_order);
      const std::string knots = fmt::format("table{}_knots", k), coefficients = fmt::format("table{}_coefficients", k);
      if (!is_c) return call(helper("spline"), {knots, coefficients, order, part(0, 0)});
      const std::string pieces = fmt::format("{}", graph_.spline(TableId(node.payload)).knots().size() - 1);
      return call(helper("spline"), {knots, coefficients, pieces, order, part(0, 0)});
    }
    default: break;
  }
  if (is_truth(node.op)) return chosen(condition(id, names, is_root), {"1.0"}, {"0.0"});
  const OperationInfo& info = operation_info(node.op);
  std::vector<std::string> arguments;
  for (int k = 0; k < info.arity; ++k) arguments.push_back(part(k, 0));
  return call(is_c ? std::string(info.c) : "math." + std::string(info.name), arguments, true);
}

std::string CodePrinter::support() const {
  const bool is_c = language_ == CodeLanguage::kC;
  std::string text;
  for (std::size_t k = 0; k < tables_.size(); ++k) {
    const Spline& spline = graph_.spline(TableId(tables_[k]));
    text += is_c ? fmt::format("/* {} */\n", spline.name()) : fmt::format("# {}\n", spline.name());
    for (const auto& [what, numbers] : {std::pair{"knots", spline.knots()}, {"coefficients", spline.coefficients()}}) {
      std::string list;
      for (std::size_t i = 0; i < numbers.size(); ++i) {
        list.append(i == 0 ? "" : i % 4 == 0 ? ",\n    " : ", ").append(number(numbers[i], language_));
      }
      text +=
          is_c ? fmt::format("static const double table{}_{}[{}] = {{\n    {}}};\n", k + 1, what, numbers.size(), list)
               : fmt::format("table{}_{} = [\n    {}]\n", k + 1, what, list);
    }
    text += is_c ? "\n" : "\n\n";
  }
  for (const Helper& helper : kHelpers) {
    if (!helpers_.contains(std::string(helper.name))) continue;
    text.append(is_c ? helper.c : helper.python).append(is_c ? "\n" : "\n\n");
  }
  return text;
}

}  // namespace vinculum::expr
