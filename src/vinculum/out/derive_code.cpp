#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "vinculum/base/contract.hpp"
#include "vinculum/expr/code.hpp"
#include "vinculum/expr/sharing.hpp"
#include "vinculum/expr/traversal.hpp"
#include "vinculum/out/columns.hpp"
#include "vinculum/out/derive_report.hpp"
#include "vinculum/out/derive_solver.hpp"
#include "vinculum/out/derive_statements.hpp"

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
    for (const char* function : {"parameters", "equations", "accelerations", "dependent_speeds", "velocity_rows", "state_rates", "masses"}) {
      taken_.insert(name_ + "_" + function);
    }
    if (has_states()) taken_.insert({"z", "zdot", "lambda", "lambdas"});
    if (system_.has_indefinite_mass) taken_.insert("mass");
    names_[system_.t.node()] = "t";
    for (const auto* list : {&system_.parameters, &system_.q, &system_.u, &system_.z, &system_.lambda}) {
      if (list == &system_.lambda && !has_states()) continue;   // else no function knows them
      for (const Expr symbol : *list) names_[symbol.node()] = unique(expr::identifier(system_.graph->symbol_name(symbol.node())));
    }
  }

  std::string text() {
    const std::string functions = parameters() + equations() + masses() + state_rates() + velocity_rows();
    std::string result = header();
    result += is_c_ ? "#include <math.h>\n\n" + constants() : "import math\n\n" + constants();
    result += is_c_ ? "\n" : "\n\n";
    result += printer_.support() + functions;
    result += solver_text(derivation_.form, language_, has_efforts(), system_.has_indefinite_mass) + dependent_speeds() + accelerations();
    while (result.ends_with("\n\n")) result.pop_back();
    return result;
  }

 private:
  [[nodiscard]] bool has_efforts() const { return !system_.directed.empty(); }
  [[nodiscard]] bool has_states() const { return !system_.z.empty(); }
  // What every function of the state takes: declared, and handed on.
  [[nodiscard]] std::string declared() const {
    if (!is_c_) return handed();
    return has_states() ? "double t, const double *q, const double *u, const double *z, const double *p"
                        : "double t, const double *q, const double *u, const double *p";
  }
  [[nodiscard]] std::string handed() const { return has_states() ? "t, q, u, z, p" : "t, q, u, p"; }
  // Against warnings about what a function happens not to use.
  [[nodiscard]] std::string unused(const std::string& more = "") const {
    return std::string("  (void)t; (void)q; (void)u; (void)p;") + (has_states() ? " (void)z;" : "") + more + "\n";
  }
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
    text += fmt::format("\nEquations of motion, {} form: q' = G u + g, M u' = f{} + A^T lambda{}, A u' = b{}.\nSI units.{}\n\n",
                        to_string(derivation_.form), system_.has_nonideal ? " + C" : "", has_efforts() ? " + Gamma^T e" : "",
                        has_states() ? ", z' in t, q, u, z and lambda" : "",
                        is_c_ ? " Matrices are stored row by row." : " Matrices are lists of rows.");
    text += listed("p", model_.parameters) + listed("q", model_.coordinates) + listed("u", model_.speeds);
    for (std::size_t i = 0; i < model_.states.size(); ++i) {
      const std::string unit = model_.has_units ? fmt::format(" [{}]", si_unit(model_.states[i].dimension)) : "";
      text += fmt::format("  z[{}]  {}{}\n", i, text_of_state(model_, mechanics::StateId(i)), unit);
    }
    for (std::size_t i = 0; i < system_.rows.size(); ++i) {
      const auto& constraint = model_.constraint(system_.rows[i].constraint);
      const std::string row = constraint.rows.size() == 1 ? constraint.name : fmt::format("{}[{}]", constraint.name, system_.rows[i].index + 1);
      const bool is_directed = std::ranges::find(derivation_.directed_rows, static_cast<int>(i)) != derivation_.directed_rows.end();
      const bool is_by_mu = std::holds_alternative<mechanics::VakonomicLaw>(constraint.law);
      text += fmt::format("  lambda[{}]  {} of {}: {}{}\n", i, is_by_mu ? "ideal multiplier" : "multiplier", row, constraint.text,
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
      text += fmt::format("enum {{ NQ = {}, NU = {}, NP = {}, NC = {}, NI = {}, NE = {}, NR = {}, NX = NR{}", system_.q.size(),
                          system_.u.size(), system_.parameters.size(), system_.rows.size(), derivation_.ideal_rows.size(),
                          effort_count(), largest, has_states() ? fmt::format(", NZ = {}", system_.z.size()) : "");
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
      const char* const multipliers = is_c_ ? "lambda" : "lambdas";
      for (const auto& [list, array] : {std::pair{&system_.parameters, "p"}, {&system_.q, "q"}, {&system_.u, "u"}, {&system_.z, "z"},
                                        {&system_.lambda, multipliers}}) {
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
                         "void {2}_equations({6}, double *qdot, double *M,\n"
                         "    double *f{3}, double *A, double *b{4}) {{\n{5}{7}"
                         "  (void)A; (void)b;\n}}\n\n",
                         system_.has_nonideal ? ", C[NU] of non-ideal constraints" : "",
                         has_efforts() ? ", Gamma[NE][NU] generalized force of a unit of each effort" : "", name_,
                         system_.has_nonideal ? ", double *C" : "", has_efforts() ? ", double *Gamma" : "", written, declared(),
                         unused(" (void)qdot; (void)M; (void)f;"));
    }
    const std::size_t rows = system_.rows.size();
    std::string text = fmt::format("def {}_equations({}):\n    \"\"\"The pieces of the equations of motion: q', M, f{}, A, b{}\"\"\"\n", name_, handed(),
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
                         "static void {}_velocity_rows({}, double *psi, double *A) {{\n"
                         "{}{}}}\n\n", name_, declared(), written, unused());
    }
    return fmt::format("def {0}_velocity_rows({3}):\n"
                       "    \"\"\"The pivot rows at the velocity level and their derivatives by the dependent speeds\"\"\"\n"
                       "    psi = [0.0] * {1}\n    A = [[0.0] * {1} for _ in range({1})]\n{2}    return psi, A\n\n\n",
                       name_, derivation_.dependent.size(), written, handed());
  }

  [[nodiscard]] std::string dependent_speeds() const {
    if (!has_dependent_speeds()) return "";
    if (is_c_) {
      return fmt::format(R"(/* Sets the dependent speeds in u so that the constraints hold, by Newton's iteration from what stands there (linear
   constraints: one step, and one against rounding). Returns 0, or 3 where they do not determine them. */
int {0}_dependent_speeds({1}) {{
  double psi[ND], A[ND * ND];
  int k, step;
  for (step = 0; step < 50; ++step) {{
    double largest = 0.0, size = 0.0;
    {0}_velocity_rows({2}, psi, A);
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

)", name_, has_states() ? "double t, const double *q, double *u, const double *z, const double *p"
                             : "double t, const double *q, double *u, const double *p", handed());
    }
    return fmt::format(R"py(def {0}_dependent_speeds({1}):
    """u with the dependent speeds such that the constraints hold, by Newton's iteration from what stands there (linear
    constraints: one step, and one against rounding)"""
    u = list(u)
    for step in range(50):
        psi, A = {0}_velocity_rows({1})
        change = eliminate(A, [[x] for x in psi])
        if change is None:
            raise ArithmeticError("the constraints do not determine the dependent speeds here")
        for s, (x,) in zip(dependent, change):
            u[s] -= x
        if step > 0 and max(abs(x) for (x,) in change) <= 1e-14 * max(abs(u[s]) for s in dependent):
            break
    return u


)py", name_, handed());
  }

  // Inertia of each speed without what need not be positive: what the sizes of the equations go by.
  std::string masses() {
    if (!system_.has_indefinite_mass) return "";
    const std::size_t nu = system_.u.size();
    std::vector<Assignment> all;
    for (std::size_t r = 0; r < nu; ++r) all.push_back({fmt::format("mass[{}]", r), system_.metric[r * nu + r]});
    const std::string written = body(all);
    const std::string words = "Inertia of each speed without what multipliers add to it, mass[NU]";
    if (is_c_) return fmt::format("/* {}. */\nstatic void {}_masses({}, double *mass) {{\n{}{}}}\n\n", words, name_, declared(), written, unused());
    return fmt::format("def {}_masses({}):\n    \"\"\"{}\"\"\"\n    mass = [0.0] * {}\n{}    return mass\n\n\n", name_, handed(), words, nu, written);
  }

  std::string state_rates() {
    if (!has_states()) return "";
    std::vector<Assignment> all;
    for (std::size_t i = 0; i < system_.z.size(); ++i) all.push_back({fmt::format("zdot[{}]", i), system_.z_dot[i]});
    const std::string written = body(all);
    if (is_c_) {
      return fmt::format("/* The rates of the states, zdot[NZ], which may depend on the multipliers, lambda[NC]. */\n"
                         "void {}_state_rates({}, const double *lambda, double *zdot) {{\n{}{}}}\n\n",
                         name_, declared(), written, unused(" (void)lambda;"));
    }
    return fmt::format("def {}_state_rates({}, lambdas):\n    \"\"\"The rates of the states, which may depend on the multipliers\"\"\"\n"
                       "    zdot = [0.0] * {}\n{}    return zdot\n\n\n", name_, handed(), system_.z.size(), written);
  }

  [[nodiscard]] std::string accelerations() const { return is_c_ ? accelerations_c() : accelerations_python(); }

  [[nodiscard]] std::string accelerations_c() const {
    const bool has_C = system_.has_nonideal, has_mass = system_.has_indefinite_mass;
    const std::string more = std::string(has_efforts() ? ", and the efforts, effort[NE]" : "") + (has_states() ? ", and z', zdot[NZ]" : "");
    std::string text = fmt::format("/* u' at a state, udot[NU], and the multipliers, lambda[NC]{}. Returns 0; 1 where an acceleration is\n"
                                   "   undetermined, 2 where constraints contradict each other, 3 where the dependent speeds are no longer determined. */\n"
                                   "int {}_accelerations({}, double *udot,\n    double *lambda{}{}) {{\n",
                                   more, name_, declared(), has_efforts() ? ", double *effort" : "", has_states() ? ", double *zdot" : "");
    text += fmt::format("  double qdot[SIZE(NQ)], M[SIZE(NU * NU)], f[SIZE(NU)], A[SIZE(NC * NU)], b[SIZE(NC)]{}{}{};\n",
                        has_C ? ", C[SIZE(NU)]" : "", has_efforts() ? ", Gamma[SIZE(NE * NU)]" : "", has_mass ? ", mass[SIZE(NU)]" : "");
    if (has_C || has_states()) text += std::string("  int ") + (has_C ? "i" : "") + (has_C && has_states() ? ", " : "") + (has_states() ? "result" : "") + ";\n";
    text += fmt::format("  {}_equations({}, qdot, M, f{}, A, b{});\n", name_, handed(), has_C ? ", C" : "", has_efforts() ? ", Gamma" : "");
    if (has_C) text += "  for (i = 0; i < NU; ++i) f[i] += C[i];\n";
    if (has_mass) text += fmt::format("  {}_masses({}, mass);\n", name_, handed());
    const std::string solved = fmt::format("{}(M, {}f, A, b, {}udot, lambda{})", has_efforts() ? "solve_with_efforts" : "solve",
                                           has_mass ? "mass, " : "", has_efforts() ? "Gamma, " : "", has_efforts() ? ", effort" : "");
    if (!has_states()) return text + fmt::format("  return {};\n}}\n", solved);
    return text + fmt::format("  result = {};\n  if (result == 0) {}_state_rates({}, lambda, zdot);\n  return result;\n}}\n", solved, name_, handed());
  }

  [[nodiscard]] std::string accelerations_python() const {
    const bool has_C = system_.has_nonideal, has_mass = system_.has_indefinite_mass;
    std::string words = "u'";
    words += ", the multipliers";
    if (has_efforts()) words += has_states() ? ", the efforts" : " and the efforts";
    if (has_states()) words += " and z'";
    std::string text = fmt::format("def {0}_accelerations({4}):\n    \"\"\"{1}\"\"\"\n    qdot, M, f{2}, A, b{3} = {0}_equations({4})\n", name_, words,
                                   has_C ? ", C" : "", has_efforts() ? ", Gamma" : "", handed());
    if (has_C) text += "    f = [x + y for x, y in zip(f, C)]\n";
    const std::string mass = has_mass ? fmt::format("{}_masses({}), ", name_, handed()) : "";
    const std::string solved = has_efforts() ? fmt::format("solve_with_efforts(M, {}f, A, b, Gamma)", mass) : fmt::format("solve(M, {}f, A, b)", mass);
    if (!has_states()) return text + fmt::format("    return {}\n", solved);
    const char* const found = has_efforts() ? "udot, lambdas, effort" : "udot, lambdas";
    return text + fmt::format("    {0} = {1}\n    return {0}, {2}_state_rates({3}, lambdas)\n", found, solved, name_, handed());
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

std::optional<std::string> why_no_code(const Derivation& derivation) {
  const dynamics::System& system = *derivation.system;
  const auto names = [&](auto&& is_one) {
    std::string text;
    for (std::size_t i = 0; i < system.model->constraints.size(); ++i) {
      if (is_one(system.model->constraints[i], mechanics::ConstraintId(i))) text += (text.empty() ? "`" : ", `") + system.model->constraints[i].name + "`";
    }
    return text;
  };
  constexpr const char* kInstead = "; `--to text` and `--to latex` print the equations, `vinculum run` and the library solve them";
  if (system.has_nonlinear_rows) {
    const std::string rows = names([&](const mechanics::Constraint&, mechanics::ConstraintId id) {
      return std::ranges::any_of(system.rows, [&](const dynamics::Row& row) { return row.constraint == id && row.chi.is_valid(); });
    });
    return rows + " is not linear in the accelerations: they are found by a search among several answers, which printed code does not hold" + kInstead;
  }
  if (system.has_implicit_nonideal) {
    const std::string stated = names([](const mechanics::Constraint& constraint, mechanics::ConstraintId) { return !constraint.nonideal.empty(); });
    return "forces that " + stated + " states depend on the reactions themselves: both are found by iteration, which printed code does not hold" + kInstead;
  }
  return std::nullopt;
}

std::string derive_c(const Derivation& derivation) {
  VINCULUM_EXPECTS(!why_no_code(derivation));
  return CodeFile(derivation, CodeLanguage::kC).text();
}
std::string derive_python(const Derivation& derivation) {
  VINCULUM_EXPECTS(!why_no_code(derivation));
  return CodeFile(derivation, CodeLanguage::kPython).text();
}

}  // namespace vinculum::out
