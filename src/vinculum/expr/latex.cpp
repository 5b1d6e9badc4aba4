#include "vinculum/expr/latex.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

namespace vinculum::expr {
namespace {

constexpr std::array<std::string_view, 31> kGreek = {
    "alpha", "beta",  "gamma", "delta", "epsilon", "zeta",  "eta", "theta",   "iota", "kappa", "lambda",
    "mu",    "nu",    "xi",    "pi",    "rho",     "sigma", "tau", "upsilon", "phi",  "chi",   "psi",
    "omega", "Gamma", "Delta", "Theta", "Lambda",  "Sigma", "Phi", "Psi",     "Omega"};

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

std::string word(const std::string& letters) {
  if (letters.size() <= 1) return letters;
  if (letters == "phi") return "\\varphi";
  if (std::ranges::find(kGreek, letters) != kGreek.end()) return "\\" + letters;
  return "\\mathit{" + letters + "}";
}

std::string subscript_word(const std::string& part) {
  const bool is_plain = part.size() == 1 || std::ranges::all_of(part, is_digit);
  if (is_plain) return part;
  if (std::ranges::find(kGreek, part) != kGreek.end()) return "\\" + part;
  return "\\mathrm{" + part + "}";
}

std::string dotted(int dots, const std::string& core) {
  switch (dots) {
    case 0: return core;
    case 1: return "\\dot{" + core + "}";
    case 2: return "\\ddot{" + core + "}";
    default: return "\\dddot{" + core + "}";
  }
}

void append(std::string& list, const std::string& part) {
  if (!part.empty()) list.append(list.empty() ? "" : ",").append(part);
}

// Removes the indices from "name[1][2]", which leaves "name", and returns "1,2".
std::string take_indices(std::string& name) {
  std::string indices;
  const std::size_t open = name.find('[');
  if (open == std::string::npos) return indices;
  for (const char c : name.substr(open)) {
    if (c == '[') {
      if (!indices.empty()) indices += ',';
    } else if (c != ']') {
      indices += c;
    }
  }
  name.resize(open);
  return indices;
}

bool take_suffix(std::string& name, std::string_view suffix) {
  if (name.size() <= suffix.size() || !name.ends_with(suffix)) return false;
  name.resize(name.size() - suffix.size());
  return true;
}

class LatexNotation : public Notation {
 public:
  [[nodiscard]] std::string symbol(const std::string& name) const override { return latex_name(name); }
  [[nodiscard]] std::string decimal(const std::string& digits) const override {
    const std::size_t e = digits.find('e');
    if (e == std::string::npos) return digits;
    const std::string mantissa = digits.substr(0, e);
    return fmt::format("{}10^{{{}}}", mantissa == "1" ? "" : mantissa + " \\cdot ", digits.substr(e + 1));
  }
  [[nodiscard]] Printed multiple_of_pi(int count) const override {
    return count == 1 ? Printed{"\\pi"} : Printed{fmt::format("{}\\pi", count), Printed::kProduct};
  }
  [[nodiscard]] std::string in_brackets(const std::string& text) const override {
    return "\\left(" + text + "\\right)";
  }

  [[nodiscard]] Printed raised(const Printed& base, const Printed& exponent) const override {
    if (!base.head.empty()) return {fmt::format("{}^{{{}}} {}", base.head, exponent.text, base.tail), Printed::kRaised};
    const bool is_accented = base.text.find('^') != std::string::npos || base.text.ends_with("}^");
    const std::string text = is_accented && base.precedence == Printed::kAtom ? in_brackets(base.text)
                                                                              : bracketed(base, Printed::kRaised + 1);
    return {fmt::format("{}^{{{}}}", text, exponent.text), Printed::kRaised};
  }

  [[nodiscard]] Printed quotient(const std::vector<Printed>& above, const std::vector<Printed>& below) const override {
    const std::string numerator = above.empty() ? "1" : product(above);
    if (below.empty()) return {numerator, Printed::kProduct};
    return {fmt::format("\\frac{{{}}}{{{}}}", numerator, product(below)), Printed::kProduct};
  }

  [[nodiscard]] Printed call(const OperationInfo& info, const std::vector<Printed>& arguments) const override {
    const std::string& first = arguments[0].text;
    switch (info.op) {
      case Op::kSquareRoot: return {fmt::format("\\sqrt{{{}}}", first)};
      case Op::kAbsolute: return {fmt::format("\\left|{}\\right|", first)};
      case Op::kFloor: return {fmt::format("\\left\\lfloor {}\\right\\rfloor", first)};
      case Op::kExponential: return {fmt::format("e^{{{}}}", first), Printed::kRaised};
      default: break;
    }
    std::string list;
    for (const Printed& argument : arguments) list.append(list.empty() ? "" : ", ").append(argument.text);
    const bool is_plain =
        arguments.size() == 1 && arguments[0].precedence == Printed::kAtom && arguments[0].head.empty();
    const std::string tail = is_plain ? list : in_brackets(list);
    const std::string head(info.latex);
    // \sin q has the precedence of a factor, but no letter may follow it directly: products put it last or add a space
    return {head + (is_plain ? " " : "") + tail, Printed::kAtom, head, tail};
  }

  [[nodiscard]] Printed table(const std::string& name, int order, const Printed& argument) const override {
    const std::string primes(static_cast<std::size_t>(order), '\'');
    return {fmt::format("\\operatorname{{table}}{}_{{\\mathrm{{{}}}}}{}", primes, latex_words(name),
                        in_brackets(argument.text))};
  }
  [[nodiscard]] Printed infix(const OperationInfo& info, const std::string& first,
                              const std::string& second) const override {
    return {fmt::format("{} {} {}", first, info.latex, second), info.precedence};
  }
  [[nodiscard]] Printed negation(const OperationInfo& info, const std::string& operand) const override {
    return {fmt::format("\\lnot {}", operand), info.precedence};
  }
  [[nodiscard]] Printed choice(const OperationInfo&, const std::string& condition, const std::string& if_true,
                               const std::string& if_false) const override {
    return {
        fmt::format("\\begin{{cases}} {} & {} \\\\ {} & \\text{{else}} \\end{{cases}}", if_true, condition, if_false),
        Printed::kSum};
  }
  [[nodiscard]] std::string cut() const override { return "\\ldots"; }

 private:
  // Factors are written next to each other. A dot is written only between two numbers, which would otherwise merge.
  [[nodiscard]] std::string product(const std::vector<Printed>& parts) const {
    std::string text;
    for (const Printed& part : parts) {
      const std::string factor = parts.size() == 1 ? part.text : bracketed(part, Printed::kProduct);
      const bool meets_digit =
          !text.empty() && is_digit(text.back()) && (is_digit(factor[0]) || factor.starts_with("10^"));
      text.append(text.empty() ? "" : meets_digit ? " \\cdot " : " \\, ").append(factor);
    }
    return text;
  }
};

}  // namespace

std::string latex_words(const std::string& text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '\\': result += "\\textbackslash{}"; break;
      case '^': result += "\\^{}"; break;
      case '~': result += "\\~{}"; break;
      case '_':
      case '&':
      case '%':
      case '$':
      case '#':
      case '{':
      case '}': result.append("\\").push_back(c); break;
      default: result += c;
    }
  }
  return result;
}

std::string latex_name(const std::string& full) {
  std::string name = full;
  int dots = 0;
  while (take_suffix(name, "'")) ++dots;
  // multipliers λ and μ of constraint rows, actuator efforts, auxiliary speeds and their generalized forces
  for (const auto& [opening, letter] : {std::pair<std::string_view, std::string_view>{"multiplier(", "\\lambda"},
                                        {"ideal_multiplier(", "\\lambda^{\\mathrm{ideal}}"},
                                        {"mu(", "\\mu"},
                                        {"effort(", "e"},
                                        {"u(", "u"},
                                        {"F(", "F"},
                                        {"F*(", "F^{*}"},
                                        {"acts(", "a"},
                                        {"guard(", "g"}}) {
    if (!name.starts_with(opening)) continue;
    std::string inside = name.substr(opening.size());
    std::string index = take_indices(inside);
    std::erase(inside, ')');
    const std::size_t comma = inside.find(',');
    if (comma != std::string::npos) {
      index = inside.substr(inside.find_first_not_of(", ", comma));
      inside.resize(comma);
    }
    return fmt::format("{}_{{\\mathrm{{{}}}{}}}", dotted(dots, std::string(letter)), latex_words(inside),
                       index.empty() ? "" : "," + index);
  }
  std::string superscript;
  const std::size_t point = name.find_last_of('.');
  if (point != std::string::npos) {  // in B.wx the part before the point names a frame or component
    superscript = name.substr(0, point);
    name = name.substr(point + 1);
    std::string owner_indices = take_indices(superscript);
    superscript = latex_words(superscript);
    if (!owner_indices.empty()) superscript += "_{" + owner_indices + "}";
    if (name.size() == 2 && name[0] == 'w') name = std::string("omega_") + name[1];
  }
  const std::string indices = take_indices(name);
  if (take_suffix(name, "_ddot")) dots += 2;
  if (take_suffix(name, "_dot")) dots += 1;
  std::string subscript, head = name;
  const std::size_t underscore = name.find('_');
  if (underscore != std::string::npos && underscore > 0) {
    head = name.substr(0, underscore);
    for (std::size_t at = underscore; at != std::string::npos;) {
      const std::size_t next = name.find('_', at + 1);
      const std::string part = name.substr(at + 1, next == std::string::npos ? next : next - at - 1);
      if (!part.empty()) append(subscript, subscript_word(part));
      at = next;
    }
  }
  std::size_t letters = head.size();
  while (letters > 1 && is_digit(head[letters - 1])) --letters;
  std::string digits = head.substr(letters);
  append(digits, subscript);
  append(digits, indices);
  std::string text = dotted(dots, word(latex_words(head.substr(0, letters))));
  if (!superscript.empty()) text += fmt::format("^{{{}}}", superscript);
  if (!digits.empty()) text += fmt::format("_{{{}}}", digits);
  return text;
}

std::string to_latex(Expr e, const Names& names, std::size_t max_nodes) {
  return lay_out(e, LatexNotation(), names, max_nodes);
}

}  // namespace vinculum::expr
