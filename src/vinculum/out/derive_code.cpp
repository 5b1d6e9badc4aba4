#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "vinculum/expr/code.hpp"
#include "vinculum/expr/sharing.hpp"
#include "vinculum/expr/traversal.hpp"
#include "vinculum/out/columns.hpp"
#include "vinculum/out/derive_report.hpp"
#include "vinculum/out/derive_solver.hpp"

namespace vinculum::out {
namespace {

using expr::CodeLanguage;
using expr::Expr;

constexpr const char* kTaken[] = {
    "t", "q", "u", "p", "qdot", "M", "f", "C", "A", "b", "Gamma", "psi", "udot", "lambda_", "effort", "NU", "NQ", "NI", "NP", "NR", "NX",
    "NW", "ND", "NE", "SIZE", "solve", "cholesky", "orthogonalize", "least_norm", "eliminate", "dot", "check_rows", "spline",
    "whole_power", "smaller", "larger", "sign_of", "floor_of", "divided", "guarded", "independent", "dependent", "pivot_rows", "sqrt",
    "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "exp", "log", "pow", "fabs", "floor", "NAN", "INFINITY"};

struct Assignment {
  std::string left;   // "M[3]"
  Expr right;         // not valid: `text` instead
  std::string text = {};
};

class CodeFile {
 public:
  CodeFile(const Derivation& derivation, CodeLanguage language)
      : derivation_(derivation), system_(*derivation.system), model_(*system_.model), language_(language),
        is_c_(language == CodeLanguage::kC), name_(expr::identifier(model_.name)),
        printer_(*system_.graph, language, has_choices()) {
    for (const char* taken : kTaken) taken_.insert(taken);
    for (const char* function : {"parameters", "equations", "accelerations", "dependent_speeds", "velocity_rows"}) {
      taken_.insert(name_ + "_" + function);
    }
    names_[system_.t.node()] = "t";
    for (const auto* list : {&system_.parameters, &system_.q, &system_.u}) {
      for (const Expr symbol : *list) names_[symbol.node()] = unique(expr::identifier(system_.graph->symbol_name(symbol.node())));
    }
  }

  std::string text() {
    const std::string functions = parameters() + equations() + velocity_rows();
    std::string result = header();
    result += is_c_ ? "#include <math.h>\n\n" + constants() : "import math\n\n" + constants();
    result += is_c_ ? "\n" : "\n\n";
    result += printer_.support() + functions;
    result += solver_text(derivation_.form, language_, has_efforts()) + dependent_speeds() + accelerations();
    while (result.ends_with("\n\n")) result.pop_back();
    return result;
  }

 private:
  [[nodiscard]] bool has_efforts() const { return !system_.directed.empty(); }
  [[nodiscard]] int effort_count() const {
    std::size_t count = 0;
    for (const auto& directed : system_.directed) count += directed.Gamma.size();
    return static_cast<int>(count);
  }
  [[nodiscard]] bool has_choices() const {
    for (std::size_t i = 0; i < system_.graph->size(); ++i) {
      if (system_.graph->node(expr::NodeId(i)).op == expr::Op::kSelect) return true;
    }
    return false;
  }

  std::string unique(std::string name) {
    while (!taken_.insert(name).second) name += '_';
    return name;
  }

  // "q[0] q1 [m], q[1] …" for the header.
  [[nodiscard]] std::string listed(std::string_view array, const auto& quantities) const {
    std::string text;
    for (std::size_t i = 0; i < quantities.size(); ++i) {
      const std::string unit = model_.has_units ? fmt::format(" [{}]", si_unit(quantities[i].dimension)) : "";
      text += fmt::format("  {}[{}]  {}{}\n", array, i, quantities[i].name, unit);
    }
    return text;
  }

  [[nodiscard]] std::string header() const {
    std::string text = model_.name + (model_.title.empty() ? "" : ": " + model_.title) + "\n";
    for (const std::string& source : model_.sources) text += "after " + source + "\n";
    text += fmt::format("\nEquations of motion, {} form: q' = G u + g, M u' = f{} + A^T lambda{}, A u' = b.\nSI units.{}\n\n",
                        to_string(derivation_.form), system_.has_nonideal ? " + C" : "", has_efforts() ? " + Gamma^T e" : "",
                        is_c_ ? " Matrices are stored row by row." : " Matrices are lists of rows.");
    text += listed("p", model_.parameters) + listed("q", model_.coordinates) + listed("u", model_.speeds);
    for (std::size_t i = 0; i < system_.rows.size(); ++i) {
      const auto& constraint = model_.constraint(system_.rows[i].constraint);
      const std::string row = constraint.rows.size() == 1 ? constraint.name : fmt::format("{}[{}]", constraint.name, system_.rows[i].index + 1);
      const bool is_directed = std::ranges::find(derivation_.directed_rows, static_cast<int>(i)) != derivation_.directed_rows.end();
      text += fmt::format("  lambda[{}]  multiplier of {}: {}{}\n", i, row, constraint.text,
                          is_directed ? ", kept by efforts" : "");
    }
    if (derivation_.form == dynamics::Formulation::kMinimal) {
      text += "\nIndependent speeds:";
      for (const int s : derivation_.independent) text += fmt::format(" {}", model_.speeds[static_cast<std::size_t>(s)].name);
      text += derivation_.independent.empty() ? " none\n" : "\n";
      text += fmt::format("Chosen by pivoting at {}; the accelerations fail where the choice is singular.\n", derivation_.chosen_at);
    }
    if (!is_c_) return docstring(text);
    std::string safe = text;  // the words of a model may close the comment
    for (std::size_t at = safe.find("*/"); at != std::string::npos; at = safe.find("*/", at)) safe.replace(at, 2, "* /");
    return "/*\n" + safe + "*/\n";
  }

  static std::string docstring(const std::string& text) {
    std::string safe;
    for (const char c : text) {
      if (c == '\\' || c == '"') safe += '\\';
      safe += c;
    }
    return "\"\"\"" + safe + "\"\"\"\n\n";
  }

  [[nodiscard]] std::string index_list(const std::string& name, const std::vector<int>& indices) const {
    std::string list;
    for (const int i : indices) list += fmt::format("{}{}", list.empty() ? "" : ", ", i);
    if (!is_c_) return fmt::format("{} = [{}]\n", name, list);
    return fmt::format("static const int {}[SIZE({})] = {{{}}};\n", name, indices.size(), list.empty() ? "0" : list);
  }

  [[nodiscard]] std::string constants() const {
    const bool is_minimal = derivation_.form == dynamics::Formulation::kMinimal;
    std::string text;
    if (is_c_) {
      const std::size_t largest = std::max({system_.u.size(), system_.rows.size(), static_cast<std::size_t>(effort_count())});
      text += "#define SIZE(n) ((n) > 0 ? (n) : 1)\n";
      text += fmt::format("enum {{ NQ = {}, NU = {}, NP = {}, NC = {}, NI = {}, NE = {}, NR = {}, NX = NR", system_.q.size(),
                          system_.u.size(), system_.parameters.size(), system_.rows.size(), derivation_.ideal_rows.size(),
                          effort_count(), largest);
      if (is_minimal) text += fmt::format(", NW = {}, ND = {}", derivation_.independent.size(), derivation_.dependent.size());
      text += " };\n";
    }
    if (is_minimal) {
      std::vector<int> pivots;  // among the ideal rows: what `solve` sees
      for (const int row : derivation_.pivot_rows) {
        pivots.push_back(static_cast<int>(std::ranges::find(derivation_.ideal_rows, row) - derivation_.ideal_rows.begin()));
      }
      text += index_list("independent", derivation_.independent) + index_list("dependent", derivation_.dependent);
      text += index_list("pivot_rows", pivots);
    }
    if (has_efforts()) {
      text += index_list("ideal_rows", derivation_.ideal_rows) + index_list("directed_rows", derivation_.directed_rows);
      std::vector<int> rows;  // `law directed`: an effort is the multiplier of its row too
      for (const auto& directed : system_.directed) {
        const auto* law = std::get_if<mechanics::DirectedLaw>(&model_.constraint(directed.constraint).law);
        for (std::size_t k = 0; k < directed.Gamma.size(); ++k) {
          rows.push_back(law != nullptr && !law->is_via ? directed.first_row + static_cast<int>(k) : -1);
        }
      }
      text += index_list("row_of_effort", rows);
      std::string scales;
      for (const auto& directed : system_.directed) {
        for (const double s : directed.scale) scales += (scales.empty() ? "" : ", ") + expr::CodePrinter::number(s, language_);
      }
      text += is_c_ ? fmt::format("static const double effort_scale[SIZE(NE)] = {{{}}};\n", scales) : fmt::format("effort_scale = [{}]\n", scales);
    }
    return text;
  }

  std::string parameters() {
    std::string text = is_c_ ? fmt::format("/* The model's own values of the parameters. */\nvoid {}_parameters(double *p) {{\n", name_)
                             : fmt::format("def {}_parameters():\n    \"\"\"The model's own values of the parameters\"\"\"\n", name_);
    std::string list;
    for (std::size_t i = 0; i < model_.parameters.size(); ++i) {
      const std::string value = expr::CodePrinter::number(model_.parameters[i].value, language_);
      if (is_c_) text += fmt::format("  p[{}] = {};  /* {} */\n", i, value, model_.parameters[i].name);
      list += (i == 0 ? "" : ", ") + value;
    }
    if (!is_c_) return text + "    return [" + list + "]\n\n\n";
    return text + (model_.parameters.empty() ? "  (void)p;\n" : "") + "}\n\n";
  }

  // The body of a function: the symbols used, shared subexpressions, and the assignments.
  std::string body(const std::vector<Assignment>& assignments) {
    std::vector<Expr> roots;
    for (const Assignment& assignment : assignments) {
      if (assignment.right.is_valid()) roots.push_back(assignment.right);
    }
    const std::string indent = is_c_ ? "  " : "    ", end = is_c_ ? ";\n" : "\n", declare = is_c_ ? "const double " : "";
    std::string text;
    if (!roots.empty()) {
      const expr::Subgraph used(roots);
      for (const auto& [list, array] : {std::pair{&system_.parameters, "p"}, {&system_.q, "q"}, {&system_.u, "u"}}) {
        for (std::size_t i = 0; i < list->size(); ++i) {
          const expr::NodeId node = (*list)[i].node();
          if (used.position(node) == expr::Subgraph::kOutside) continue;
          text += fmt::format("{}{}{} = {}[{}]{}", indent, declare, names_.at(node), array, i, end);
        }
      }
    }
    expr::SharingRule rule;
    rule.counts_squares = true;
    std::unordered_set<std::string> local;
    std::size_t count = 0;
    const expr::Shared shared = expr::name_shared(roots, rule, [&](Expr e, std::size_t) {
      const expr::Graph::Node& node = e.graph().node(e);
      std::string name;
      if ((node.op == expr::Op::kSine || node.op == expr::Op::kCosine) && names_.contains(node.operands[0])) {
        name = (node.op == expr::Op::kSine ? "sin_" : "cos_") + names_.at(node.operands[0]);
        if (!taken_.contains(name) && local.insert(name).second) return name;
      }
      do {
        name = fmt::format("z{}", ++count);
      } while (taken_.contains(name));
      return name;
    }, names_);
    for (const Expr definition : shared.definitions) {
      text += fmt::format("{}{}{} = {}{}", indent, declare, shared.names.at(definition.node()), printer_.print(definition, shared.names), end);
    }
    for (const Assignment& assignment : assignments) {
      // a root that is a definition is written by its name
      std::string right = assignment.text;
      if (assignment.right.is_valid()) {
        const auto known = shared.names.find(assignment.right.node());
        right = known != shared.names.end() ? known->second : printer_.print(assignment.right, shared.names);
      }
      text += fmt::format("{}{} = {}{}", indent, assignment.left, right, end);
    }
    return text;
  }

  [[nodiscard]] std::string place(const std::string& array, std::size_t row, std::size_t column, std::size_t columns) const {
    return is_c_ ? fmt::format("{}[{}]", array, row * columns + column) : fmt::format("{}[{}][{}]", array, row, column);
  }

  std::string equations() {
    const std::size_t nu = system_.u.size();
    std::vector<Assignment> all;
    for (std::size_t i = 0; i < system_.q.size(); ++i) all.push_back({fmt::format("qdot[{}]", i), system_.q_dot[i]});
    for (std::size_t r = 0; r < nu; ++r) {
      for (std::size_t s = 0; s < nu; ++s) {
        const bool is_mirror = s < r && system_.M[r * nu + s] == system_.M[s * nu + r] && !system_.M[r * nu + s].is_constant();
        all.push_back({place("M", r, s, nu), is_mirror ? Expr() : system_.M[r * nu + s], is_mirror ? place("M", s, r, nu) : ""});
      }
    }
    for (std::size_t r = 0; r < nu; ++r) all.push_back({fmt::format("f[{}]", r), system_.f[r]});
    if (system_.has_nonideal) {
      for (std::size_t r = 0; r < nu; ++r) all.push_back({fmt::format("C[{}]", r), system_.C[r]});
    }
    for (std::size_t i = 0; i < system_.rows.size(); ++i) {
      for (std::size_t r = 0; r < nu; ++r) all.push_back({place("A", i, r, nu), system_.rows[i].A[r]});
    }
    for (std::size_t i = 0; i < system_.rows.size(); ++i) all.push_back({fmt::format("b[{}]", i), system_.rows[i].b});
    std::size_t k = 0;
    for (const auto& directed : system_.directed) {
      for (const auto& column : directed.Gamma) {
        for (std::size_t r = 0; r < nu; ++r) all.push_back({place("Gamma", k, r, nu), column[r]});
        ++k;
      }
    }
    const std::string written = body(all);
    if (is_c_) {
      return fmt::format("/* The pieces of the equations of motion: qdot[NQ], M[NU][NU], f[NU]{0}, A[NC][NU], b[NC]{1}. */\n"
                         "void {2}_equations(double t, const double *q, const double *u, const double *p, double *qdot, double *M,\n"
                         "    double *f{3}, double *A, double *b{4}) {{\n{5}  (void)t; (void)q; (void)u; (void)p; (void)qdot; (void)M; (void)f;\n"
                         "  (void)A; (void)b;\n}}\n\n",
                         system_.has_nonideal ? ", C[NU] of non-ideal constraints" : "",
                         has_efforts() ? ", Gamma[NE][NU] generalized force of a unit of each effort" : "", name_,
                         system_.has_nonideal ? ", double *C" : "", has_efforts() ? ", double *Gamma" : "", written);
    }
    const std::size_t rows = system_.rows.size();
    std::string text = fmt::format("def {}_equations(t, q, u, p):\n    \"\"\"The pieces of the equations of motion: q', M, f{}, A, b{}\"\"\"\n", name_,
                                   system_.has_nonideal ? ", C of non-ideal constraints" : "",
                                   has_efforts() ? ", Gamma (generalized force of a unit of each effort)" : "");
    text += fmt::format("    qdot, f, b = [0.0] * {}, [0.0] * {}, [0.0] * {}\n", system_.q.size(), nu, rows);
    text += fmt::format("    M = [[0.0] * {0} for _ in range({0})]\n    A = [[0.0] * {0} for _ in range({1})]\n", nu, rows);
    if (system_.has_nonideal) text += fmt::format("    C = [0.0] * {}\n", nu);
    if (has_efforts()) text += fmt::format("    Gamma = [[0.0] * {} for _ in range({})]\n", nu, effort_count());
    return text + written + fmt::format("    return qdot, M, f{}, A, b{}\n\n\n", system_.has_nonideal ? ", C" : "", has_efforts() ? ", Gamma" : "");
  }

  [[nodiscard]] bool has_dependent_speeds() const {
    if (derivation_.form != dynamics::Formulation::kMinimal || derivation_.dependent.empty()) return false;
    return std::ranges::all_of(derivation_.pivot_rows, [&](int row) { return system_.rows[static_cast<std::size_t>(row)].psi.is_valid(); });
  }

  std::string velocity_rows() {
    if (!has_dependent_speeds()) return "";
    std::vector<Assignment> all;
    for (std::size_t k = 0; k < derivation_.pivot_rows.size(); ++k) {
      const dynamics::Row& row = system_.rows[static_cast<std::size_t>(derivation_.pivot_rows[k])];
      all.push_back({fmt::format("psi[{}]", k), row.psi});
      for (std::size_t j = 0; j < derivation_.dependent.size(); ++j) {
        all.push_back({place("A", k, j, derivation_.dependent.size()), row.A[static_cast<std::size_t>(derivation_.dependent[j])]});
      }
    }
    const std::string written = body(all);
    if (is_c_) {
      return fmt::format("/* The pivot rows at the velocity level, psi[ND], and their derivatives by the dependent speeds, A[ND][ND]. */\n"
                         "static void {}_velocity_rows(double t, const double *q, const double *u, const double *p, double *psi, double *A) {{\n"
                         "{}  (void)t; (void)q; (void)u; (void)p;\n}}\n\n", name_, written);
    }
    return fmt::format("def {0}_velocity_rows(t, q, u, p):\n"
                       "    \"\"\"The pivot rows at the velocity level and their derivatives by the dependent speeds\"\"\"\n"
                       "    psi = [0.0] * {1}\n    A = [[0.0] * {1} for _ in range({1})]\n{2}    return psi, A\n\n\n",
                       name_, derivation_.dependent.size(), written);
  }

  [[nodiscard]] std::string dependent_speeds() const {
    if (!has_dependent_speeds()) return "";
    if (is_c_) {
      return fmt::format(R"(/* Sets the dependent speeds in u so that the constraints hold, by Newton's iteration from what stands there (linear
   constraints: one step, and one against rounding). Returns 0, or 3 where they do not determine them. */
int {0}_dependent_speeds(double t, const double *q, double *u, const double *p) {{
  double psi[ND], A[ND * ND];
  int k, step;
  for (step = 0; step < 50; ++step) {{
    double largest = 0.0, size = 0.0;
    {0}_velocity_rows(t, q, u, p, psi, A);
    if (!eliminate(A, psi, ND, 1)) return 3;
    for (k = 0; k < ND; ++k) {{
      u[dependent[k]] -= psi[k];
      if (fabs(psi[k]) > largest) largest = fabs(psi[k]);
      if (fabs(u[dependent[k]]) > size) size = fabs(u[dependent[k]]);
    }}
    if (step > 0 && largest <= 1e-14 * size + 1e-300) return 0;
  }}
  return 0;
}}

)", name_);
    }
    return fmt::format(R"py(def {0}_dependent_speeds(t, q, u, p):
    """u with the dependent speeds such that the constraints hold, by Newton's iteration from what stands there (linear
    constraints: one step, and one against rounding)"""
    u = list(u)
    for step in range(50):
        psi, A = {0}_velocity_rows(t, q, u, p)
        change = eliminate(A, [[x] for x in psi])
        if change is None:
            raise ArithmeticError("the constraints do not determine the dependent speeds here")
        for s, (x,) in zip(dependent, change):
            u[s] -= x
        if step > 0 and max(abs(x) for (x,) in change) <= 1e-14 * max(abs(u[s]) for s in dependent):
            break
    return u


)py", name_);
  }

  [[nodiscard]] std::string accelerations() const {
    const std::string C = system_.has_nonideal ? ", C" : "", Gamma = has_efforts() ? ", Gamma" : "";
    if (is_c_) {
      std::string text = fmt::format("/* u' at a state, udot[NU], and the multipliers, lambda[NC]{}. Returns 0; 1 where an acceleration is\n"
                                     "   undetermined, 2 where constraints contradict each other, 3 where the dependent speeds are no longer determined. */\n"
                                     "int {}_accelerations(double t, const double *q, const double *u, const double *p, double *udot,\n"
                                     "    double *lambda{}) {{\n"
                                     "  double qdot[SIZE(NQ)], M[SIZE(NU * NU)], f[SIZE(NU)], A[SIZE(NC * NU)], b[SIZE(NC)]{}{};\n",
                                     has_efforts() ? ", and the efforts, effort[NE]" : "", name_, has_efforts() ? ", double *effort" : "",
                                     system_.has_nonideal ? ", C[SIZE(NU)]" : "", has_efforts() ? ", Gamma[SIZE(NE * NU)]" : "");
      if (system_.has_nonideal) text += "  int i;\n";
      text += fmt::format("  {}_equations(t, q, u, p, qdot, M, f{}, A, b{});\n", name_, C, Gamma);
      if (system_.has_nonideal) text += "  for (i = 0; i < NU; ++i) f[i] += C[i];\n";
      if (!has_efforts()) return text + "  return solve(M, f, A, b, udot, lambda);\n}\n";
      return text + R"(  return solve_with_efforts(M, f, A, b, Gamma, udot, lambda, effort);
}
)";
    }
    std::string text = fmt::format("def {0}_accelerations(t, q, u, p):\n    \"\"\"u', the multipliers{1}\"\"\"\n    qdot, M, f{2}, A, b{3} = {0}_equations(t, q, u, p)\n",
                                   name_, has_efforts() ? " and the efforts" : "", C, Gamma);
    if (system_.has_nonideal) text += "    f = [x + y for x, y in zip(f, C)]\n";
    return text + (has_efforts() ? "    return solve_with_efforts(M, f, A, b, Gamma)\n" : "    return solve(M, f, A, b)\n");
  }

  const Derivation& derivation_;
  const dynamics::System& system_;
  const mechanics::Model& model_;
  CodeLanguage language_;
  bool is_c_;
  std::string name_;
  expr::CodePrinter printer_;
  std::unordered_set<std::string> taken_;
  expr::Names names_;
};

}  // namespace

std::string derive_c(const Derivation& derivation) { return CodeFile(derivation, CodeLanguage::kC).text(); }
std::string derive_python(const Derivation& derivation) { return CodeFile(derivation, CodeLanguage::kPython).text(); }

}  // namespace vinculum::out
