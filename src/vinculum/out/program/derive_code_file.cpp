#include "vinculum/out/program/derive_code_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <variant>

#include "vinculum/expr/sharing.hpp"
#include "vinculum/expr/traversal.hpp"
#include "vinculum/out/program/derive_solver.hpp"
#include "vinculum/out/program/derive_statements.hpp"
#include "vinculum/out/report/columns.hpp"

namespace vinculum::out {
namespace {

using expr::CodeLanguage;
using expr::Expr;

constexpr const char* kTaken[] = {
    "t",          "q",         "u",        "p",          "qdot",    "M",           "f",
    "C",          "A",         "b",        "Gamma",      "psi",     "udot",        "lambda_",
    "effort",     "NU",        "NQ",       "NI",         "NP",      "NR",          "NX",
    "NW",         "ND",        "NE",       "SIZE",       "solve",   "cholesky",    "orthogonalize",
    "least_norm", "eliminate", "dot",      "check_rows", "spline",  "whole_power", "smaller",
    "larger",     "sign_of",   "floor_of", "divided",    "guarded", "independent", "dependent",
    "pivot_rows", "sqrt",      "sin",      "cos",        "tan",     "asin",        "acos",
    "atan",       "atan2",     "sinh",     "cosh",       "tanh",    "exp",         "log",
    "pow",        "fabs",      "floor",    "NAN",        "INFINITY"};

}  // namespace

CodeFile::CodeFile(const Derivation& derivation, CodeLanguage language)
    : derivation_(derivation),
      system_(*derivation.system),
      model_(*system_.model),
      language_(language),
      name_(expr::identifier(model_.name)),
      printer_(*system_.graph, language, has_choices()) {
  for (const char* taken : kTaken) taken_.insert(taken);
  for (const char* function :
       {"parameters", "equations", "accelerations", "dependent_speeds", "velocity_rows", "state_rates", "masses"}) {
    taken_.insert(name_ + "_" + function);
  }
  if (has_states()) taken_.insert({"z", "zdot", "lambda", "lambdas"});
  if (system_.has_indefinite_mass) taken_.insert("mass");
  names_[system_.t.node()] = "t";
  for (const auto* list : {&system_.parameters, &system_.q, &system_.u, &system_.z, &system_.lambda}) {
    if (list == &system_.lambda && !has_states()) continue;  // else no function knows them
    for (const Expr symbol : *list)
      names_[symbol.node()] = unique(expr::identifier(system_.graph->symbol_name(symbol.node())));
  }
}

std::string CodeFile::text() {
  const std::string functions = parameters() + equations() + masses() + state_rates() + velocity_rows();
  std::string result = header() + constants();
  result += printer_.support() + functions;
  result += solver_text(derivation_.form, language_, has_efforts(), system_.has_indefinite_mass) + dependent_speeds() +
            accelerations();
  while (result.ends_with("\n\n")) result.pop_back();
  return result;
}

bool CodeFile::has_dependent_speeds() const {
  if (derivation_.form != dynamics::Formulation::kMinimal || derivation_.dependent.empty()) return false;
  return std::ranges::all_of(derivation_.pivot_rows,
                             [&](int row) { return system_.rows[static_cast<std::size_t>(row)].psi.is_valid(); });
}

int CodeFile::effort_count() const {
  std::size_t count = 0;
  for (const auto& directed : system_.directed) count += directed.Gamma.size();
  return static_cast<int>(count);
}

bool CodeFile::has_choices() const {
  for (std::size_t i = 0; i < system_.graph->size(); ++i) {
    if (system_.graph->node(expr::NodeId(i)).op == expr::Op::kSelect) return true;
  }
  return false;
}

std::string CodeFile::unique(std::string name) {
  while (!taken_.insert(name).second) name += '_';
  return name;
}

std::string CodeFile::header() const {
  std::string text = model_.name + (model_.title.empty() ? "" : ": " + model_.title) + "\n";
  for (const std::string& source : model_.sources) text += "after " + source + "\n";
  text += fmt::format(
      "\nEquations of motion, {} form: q' = G u + g, M u' = f{} + A^T lambda{}, A u' = b{}.\nSI units.{}\n\n",
      to_string(derivation_.form), system_.has_nonideal ? " + C" : "", has_efforts() ? " + Gamma^T e" : "",
      has_states() ? ", z' in t, q, u, z and lambda" : "",
      language_ == CodeLanguage::kC ? " Matrices are stored row by row." : " Matrices are lists of rows.");
  const auto listed = [&](std::string_view array, const auto& quantities) {
    std::string list;
    for (std::size_t i = 0; i < quantities.size(); ++i) {
      const std::string unit = model_.has_units ? fmt::format(" [{}]", si_unit(quantities[i].dimension)) : "";
      list += fmt::format("  {}[{}]  {}{}\n", array, i, quantities[i].name, unit);
    }
    return list;
  };
  text += listed("p", model_.parameters) + listed("q", model_.coordinates) + listed("u", model_.speeds);
  for (std::size_t i = 0; i < model_.states.size(); ++i) {
    const std::string unit = model_.has_units ? fmt::format(" [{}]", si_unit(model_.states[i].dimension)) : "";
    text += fmt::format("  z[{}]  {}{}\n", i, text_of_state(model_, mechanics::StateId(i)), unit);
  }
  for (std::size_t i = 0; i < system_.rows.size(); ++i) {
    const auto& constraint = model_.constraint(system_.rows[i].constraint);
    const std::string row = constraint.rows.size() == 1
                                ? constraint.name
                                : fmt::format("{}[{}]", constraint.name, system_.rows[i].index + 1);
    const bool is_directed =
        std::ranges::find(derivation_.directed_rows, static_cast<int>(i)) != derivation_.directed_rows.end();
    const bool is_by_mu = std::holds_alternative<mechanics::VakonomicLaw>(constraint.law);
    text += fmt::format("  lambda[{}]  {} of {}: {}{}\n", i, is_by_mu ? "ideal multiplier" : "multiplier", row,
                        constraint.text, is_directed ? ", kept by efforts" : "");
  }
  if (derivation_.form == dynamics::Formulation::kMinimal) {
    text += "\nIndependent speeds:";
    for (const int s : derivation_.independent)
      text += fmt::format(" {}", model_.speeds[static_cast<std::size_t>(s)].name);
    text += derivation_.independent.empty() ? " none\n" : "\n";
    text += fmt::format("Chosen by pivoting at {}; the accelerations fail where the choice is singular.\n",
                        derivation_.chosen_at);
  }
  return comment(text);
}

std::string CodeFile::index_lists() const {
  std::string text;
  if (derivation_.form == dynamics::Formulation::kMinimal) {
    std::vector<int> pivots;  // among the ideal rows: what `solve` sees
    for (const int row : derivation_.pivot_rows) {
      pivots.push_back(
          static_cast<int>(std::ranges::find(derivation_.ideal_rows, row) - derivation_.ideal_rows.begin()));
    }
    text += index_list("independent", derivation_.independent) + index_list("dependent", derivation_.dependent) +
            index_list("pivot_rows", pivots);
  }
  if (!has_efforts()) return text;
  text += index_list("ideal_rows", derivation_.ideal_rows) + index_list("directed_rows", derivation_.directed_rows);
  std::vector<int> rows;  // `law directed`: an effort is the multiplier of its row too
  for (const auto& directed : system_.directed) {
    const auto* law = std::get_if<mechanics::DirectedLaw>(&model_.constraint(directed.constraint).law);
    for (std::size_t k = 0; k < directed.Gamma.size(); ++k) {
      rows.push_back(law != nullptr && !law->is_via ? directed.first_row + static_cast<int>(k) : -1);
    }
  }
  return text + index_list("row_of_effort", rows);
}

std::string CodeFile::effort_scales() const {
  std::string scales;
  for (const auto& directed : system_.directed) {
    for (const double s : directed.scale)
      scales += (scales.empty() ? "" : ", ") + expr::CodePrinter::number(s, language_);
  }
  return scales;
}

std::string CodeFile::body(const std::vector<Assignment>& assignments) {
  const bool is_c = language_ == CodeLanguage::kC;
  std::vector<Expr> roots;
  for (const Assignment& assignment : assignments) {
    if (assignment.right.is_valid()) roots.push_back(assignment.right);
  }
  const std::string indent = is_c ? "  " : "    ", end = is_c ? ";\n" : "\n", declare = is_c ? "const double " : "";
  std::string text;
  if (!roots.empty()) {
    const expr::Subgraph used(roots);
    const char* const multipliers = is_c ? "lambda" : "lambdas";
    for (const auto& [list, array] : {std::pair{&system_.parameters, "p"},
                                      {&system_.q, "q"},
                                      {&system_.u, "u"},
                                      {&system_.z, "z"},
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
  const expr::Shared shared = expr::name_shared(
      roots, rule,
      [&](Expr e, std::size_t) {
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
      },
      names_);
  for (const Expr definition : shared.definitions) {
    text += fmt::format("{}{}{} = {}{}", indent, declare, shared.names.at(definition.node()),
                        printer_.print(definition, shared.names), end);
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

std::vector<CodeFile::Assignment> CodeFile::pieces() const {
  const std::size_t nu = system_.u.size();
  std::vector<Assignment> all;
  for (std::size_t i = 0; i < system_.q.size(); ++i) all.push_back({fmt::format("qdot[{}]", i), system_.q_dot[i]});
  for (std::size_t r = 0; r < nu; ++r) {
    for (std::size_t s = 0; s < nu; ++s) {
      const bool is_mirror =
          s < r && system_.M[r * nu + s] == system_.M[s * nu + r] && !system_.M[r * nu + s].is_constant();
      all.push_back(
          {place("M", r, s, nu), is_mirror ? Expr() : system_.M[r * nu + s], is_mirror ? place("M", s, r, nu) : ""});
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
  return all;
}

std::vector<CodeFile::Assignment> CodeFile::pivot_rows() const {
  std::vector<Assignment> all;
  for (std::size_t k = 0; k < derivation_.pivot_rows.size(); ++k) {
    const dynamics::Row& row = system_.rows[static_cast<std::size_t>(derivation_.pivot_rows[k])];
    all.push_back({fmt::format("psi[{}]", k), row.psi});
    for (std::size_t j = 0; j < derivation_.dependent.size(); ++j) {
      all.push_back(
          {place("A", k, j, derivation_.dependent.size()), row.A[static_cast<std::size_t>(derivation_.dependent[j])]});
    }
  }
  return all;
}

std::vector<CodeFile::Assignment> CodeFile::masses_of_speeds() const {
  const std::size_t nu = system_.u.size();
  std::vector<Assignment> all;
  for (std::size_t r = 0; r < nu; ++r) all.push_back({fmt::format("mass[{}]", r), system_.metric[r * nu + r]});
  return all;
}

std::vector<CodeFile::Assignment> CodeFile::rates_of_states() const {
  std::vector<Assignment> all;
  for (std::size_t i = 0; i < system_.z.size(); ++i) all.push_back({fmt::format("zdot[{}]", i), system_.z_dot[i]});
  return all;
}

}  // namespace vinculum::out
