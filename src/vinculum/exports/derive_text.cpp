#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <unordered_set>
#include <variant>

#include "vinculum/exports/derive_listing.hpp"
#include "vinculum/exports/derive_statements.hpp"
#include "vinculum/expr/latex.hpp"
#include "vinculum/expr/print.hpp"
#include "vinculum/expr/sharing.hpp"
#include "vinculum/expr/traversal.hpp"

namespace vinculum::report {
namespace {

using expr::Expr;
using Kind = Line::Kind;

constexpr std::size_t kLeastShared = 9;    // subexpressions with fewer nodes get no name: they are short enough
constexpr std::size_t kLongestLine = 120;  // largest number of operations and leaves in one printed line

std::vector<Expr> roots_of(const Line& line) {
  std::vector<Expr> roots = line.left_factors;
  roots.insert(roots.end(), line.right.begin(), line.right.end());
  if (line.multiplier.is_valid()) roots.push_back(line.multiplier);
  return roots;
}

// Translates the left side of a result into LaTeX, for example "vel(P)", "force on P, by mu", "d vel(P) / d u1",
// "M[1,2]".
std::string latex_left(std::string_view left) {
  const auto upright = [](std::string_view name) { return "\\mathrm{" + expr::latex_words(std::string(name)) + "}"; };
  if (const std::size_t by = left.find(" / d "); by != std::string_view::npos) {
    return fmt::format("\\frac{{\\partial {}}}{{\\partial {}}}", latex_left(left.substr(2, by - 2)),
                       expr::latex_name(std::string(left.substr(by + 5))));
  }
  if (left.starts_with("generalized force"))
    return "Q_{" + expr::latex_name(std::string(left.substr(left.rfind(" on ") + 4))) + "}";
  for (const auto& [beginning, letter] : {std::pair<std::string_view, const char*>{"vel(", "\\mathbf{v}"},
                                          {"acc(", "\\mathbf{a}"},
                                          {"omega(", "\\boldsymbol{\\omega}"},
                                          {"alpha(", "\\boldsymbol{\\alpha}"},
                                          {"force on ", "\\mathbf{F}"},
                                          {"torque on ", "\\mathbf{T}"}}) {
    if (!left.starts_with(beginning)) continue;
    const std::size_t by = std::min(left.find(", by "), left.size());
    const std::size_t end = beginning.ends_with('(') ? left.size() - 1 : by;
    const std::string share = by < left.size() ? "_{\\" + std::string(left.substr(by + 5)) + "}" : "";
    return fmt::format("{}^{{{}}}{}", letter, upright(left.substr(beginning.size(), end - beginning.size())), share);
  }
  return expr::latex_name(std::string(left));
}

// Writes the lines in order, and each definition of a subexpression just before the first line that uses it.
class Writer {
 public:
  Writer(const Derivation& derivation, bool is_latex)
      : derivation_(derivation), is_latex_(is_latex), lines_(listing(derivation)) {
    std::unordered_set<std::string> taken;
    const equations::System& system = *derivation.system;
    for (const auto* list : {&system.parameters, &system.q, &system.u, &system.z}) {
      for (const Expr symbol : *list) taken.insert(system.graph->symbol_name(symbol.node()));
    }
    std::vector<Expr> roots;
    for (const Line& line : lines_) {
      const std::vector<Expr> more = roots_of(line);
      roots.insert(roots.end(), more.begin(), more.end());
    }
    expr::SharingRule rule;
    rule.least_size = kLeastShared;
    rule.most_size = kLongestLine;
    shared_ = expr::name_shared(
        roots, rule, [](Expr, std::size_t) { return std::string("z"); }, is_latex ? expr::Names{} : names_by_results());
    // Definitions are numbered in the order of their first use.
    std::size_t count = 0;
    for (const Line& line : lines_) {
      for (const Expr definition : definitions_of(line)) {
        std::string name;
        do {
          name = fmt::format("z{}", ++count);
        } while (taken.contains(name));
        shared_.names[definition.node()] = is_latex ? expr::latex_name(name) : name;
      }
    }
    written_.clear();
  }

  std::string text() {
    for (const Line& line : lines_) {
      for (const Expr definition : definitions_of(line))
        result(shared_.names.at(definition.node()), printed(definition));
      write(line);
    }
    return std::move(text_);
  }

 private:
  // Returns the names of multipliers in the text. For a law whose multipliers μ are states, `multiplier` denotes μ, and
  // the λ of the equations gets the name of the ideal multiplier.
  [[nodiscard]] expr::Names names_by_results() const {
    const equations::System& system = *derivation_.system;
    const model::Model& model = *system.model;
    expr::Names names;
    for (std::size_t i = 0; i < model.states.size(); ++i) {
      if (!model.states[i].rate.is_valid()) names[system.z[i].node()] = text_of_state(model, model::StateId(i));
    }
    for (std::size_t i = 0; i < system.rows.size(); ++i) {
      if (model.constraint(system.rows[i].constraint).law->mu().empty()) continue;
      names[system.lambda[i].node()] = system.graph->symbol_name(system.lambda_ideal[i].node());
    }
    return names;
  }

  // Returns the definitions of subexpressions that a line uses and that have not been written yet.
  std::vector<Expr> definitions_of(const Line& line) {
    std::vector<Expr> found;
    const std::vector<Expr> roots = roots_of(line);
    if (roots.empty()) return found;
    const expr::Subgraph used(roots);
    for (const Expr definition : shared_.definitions) {
      if (used.position(definition.node()) == expr::Subgraph::kOutside) continue;
      if (written_.insert(definition.node()).second) found.push_back(definition);
    }
    return found;
  }

  [[nodiscard]] std::string printed(Expr e) const {
    return is_latex_ ? expr::to_latex(e, shared_.names) : expr::to_text(e, shared_.names);
  }
  // Writes the name of a subexpression that has one; otherwise the expression itself.
  [[nodiscard]] std::string value(Expr e) const {
    const auto known = shared_.names.find(e.node());
    return known != shared_.names.end() ? known->second : printed(e);
  }

  // Writes a vector, for example "-q2'*N.x + (a + b)*N.y".
  [[nodiscard]] std::string vector_text(const std::vector<Expr>& parts, const std::string& frame) const {
    std::vector<std::string> axes;
    for (const char* axis : {"x", "y", "z"}) {
      axes.push_back(is_latex_ ? fmt::format("\\hat{{\\mathbf{{{}}}}}_{}", expr::latex_words(frame), axis)
                               : fmt::format("{}.{}", frame, axis));
    }
    return combination(parts, axes);
  }

  [[nodiscard]] std::string combination(const std::vector<Expr>& parts, const std::vector<std::string>& units) const {
    std::string text;
    for (std::size_t k = 0; k < parts.size(); ++k) {
      if (parts[k].is_zero()) continue;
      const expr::Op op = parts[k].graph().node(parts[k]).op;
      std::string factor = value(parts[k]);
      const bool is_named = shared_.names.contains(parts[k].node());
      const bool is_sum = !is_named && (op == expr::Op::kAdd || op == expr::Op::kSubtract || op == expr::Op::kSelect ||
                                        is_sum_inside(parts[k]));
      const bool is_negative = !is_named && !is_sum && factor[0] == '-';
      if (is_negative) factor.erase(0, 1);
      if (is_sum) factor = in_brackets(factor);
      text += text.empty() ? (is_negative ? "-" : "") : is_negative ? " - " : " + ";
      text += factor == "1" ? units[k] : factor + (is_latex_ ? " \\, " : "*") + units[k];
    }
    return text.empty() ? "0" : text;
  }
  static bool is_sum_inside(Expr e) {  // whether e is −(a + b), which is printed as −a − b
    const expr::Graph& graph = e.graph();
    if (graph.node(e).op != expr::Op::kNegate) return false;
    const expr::Op inner = graph.node(graph.node(e).operands[0]).op;
    return inner == expr::Op::kAdd || inner == expr::Op::kSubtract;
  }

  [[nodiscard]] std::string in_brackets(const std::string& text) const {
    return is_latex_ ? "\\left(" + text + "\\right)" : "(" + text + ")";
  }

  void result(const std::string& left, const std::string& right) {
    if (is_latex_) {
      text_ += fmt::format("\\begin{{equation}}\\tag{{{}}}\n  {} = {}\n\\end{{equation}}\n", ++count_, left, right);
    } else {
      text_ += fmt::format("-> ({}) {} = {}\n", ++count_, left, right);
    }
  }

  [[nodiscard]] std::string left_side(const Line& line) const {
    if (line.left_factors.empty()) {
      if (!is_latex_) return line.left;
      return line.left_latex.empty() ? latex_left(line.left) : line.left_latex;
    }
    if (line.left_symbols.empty()) return value(line.left_factors[0]);
    std::vector<std::string> symbols;
    for (const Expr symbol : line.left_symbols) symbols.push_back(value(symbol));
    return combination(line.left_factors, symbols);
  }

  // Writes a reaction: the factor times the vector formula of the statement, and the factor times the measure numbers.
  [[nodiscard]] std::string reaction(const Line& line) const {
    const auto factor_of = [&](const std::string& text) {
      const bool is_sum = text.find(" + ") != std::string::npos || text.find(" - ") != std::string::npos;
      return is_sum || text[0] == '-' ? in_brackets(text) : text;
    };
    const std::string measured = vector_text(line.right, line.frame);
    const std::string multiplier = factor_of(value(line.multiplier)), numbers = factor_of(measured);
    if (is_latex_) return multiplier + " \\, " + numbers;
    const std::string formula = fmt::format("{}*{}", multiplier, factor_of(line.words));
    return line.words == measured ? formula : fmt::format("{} = {}*{}", formula, multiplier, numbers);
  }

  void write(const Line& line) {
    const std::string words = is_latex_ ? expr::latex_words(line.words) : line.words;
    switch (line.kind) {
      case Kind::kHeading:
        text_ += fmt::format(fmt::runtime(is_latex_ ? "\\subsection*{{{}}}\n" : "\n{}\n"), words);
        break;
      case Kind::kNote: text_ += fmt::format(fmt::runtime(is_latex_ ? "\\noindent {}\n\n" : "   {}\n"), words); break;
      case Kind::kGiven:
        text_ +=
            fmt::format(fmt::runtime(is_latex_ ? "\\noindent({}) \\texttt{{{}}}\n\n" : "({}) {}\n"), ++count_, words);
        break;
      case Kind::kResult: result(left_side(line), value(line.right[0])); break;
      case Kind::kVector: result(left_side(line), vector_text(line.right, line.frame)); break;
      case Kind::kReaction: result(left_side(line), reaction(line)); break;
    }
  }

  const Derivation& derivation_;
  bool is_latex_;
  std::vector<Line> lines_;
  expr::Shared shared_;
  std::unordered_set<expr::NodeId> written_;
  std::string text_;
  int count_ = 0;
};

}  // namespace

std::string derive_text(const Derivation& derivation) {
  const model::Model& model = *derivation.system->model;
  std::string text = model.name;
  if (!model.title.empty()) text += "  " + model.title;
  text += "\n";
  for (const std::string& source : model.sources) text += "  after " + source + "\n";
  text += fmt::format("  equations of motion, {} form{}\n", to_string(derivation.form),
                      model.has_units ? "; SI units" : "");
  return text + Writer(derivation, false).text();
}

std::string derive_latex(const Derivation& derivation) {
  const model::Model& model = *derivation.system->model;
  std::string text = "\\documentclass{article}\n\\usepackage[T1]{fontenc}\n\\usepackage{amsmath}\n\\begin{document}\n";
  text += fmt::format("\\section*{{{}}}\n", expr::latex_words(model.title.empty() ? model.name : model.title));
  for (const std::string& source : model.sources)
    text += fmt::format("\\noindent After {}.\n\n", expr::latex_words(source));
  text += fmt::format("\\noindent Equations of motion, {} form{}.\n\n", to_string(derivation.form),
                      model.has_units ? "; SI units" : "");
  return text + Writer(derivation, true).text() + "\\end{document}\n";
}

}  // namespace vinculum::report
