#include "vinculum/exports/derive_code_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "vinculum/expr/traversal.hpp"

namespace vinculum::report {
namespace {

using expr::Expr;

// Names that the functions of a program use. A symbol of the model with such a name gets another name in the program.
constexpr const char* kOwn[] = {
    "t",           "q",       "u",      "z",        "p",       "lambdas", "qdot",     "M",         "f",
    "C",           "A",       "b",      "Gamma",    "mass",    "zdot",    "psi",      "SIZE",      "spline",
    "whole_power", "smaller", "larger", "sign_of",  "divided", "guarded", "floor_of", "in_period", "J",
    "r",           "udot",    "effort", "revealed", "E",       "R",       "phi",      "output",    "switches"};
// Further names of this kind, which only a program with events or `when` clauses uses.
constexpr const char* kOfEvents[] = {"acts", "guards", "at", "every", "direction", "happened"};

}  // namespace

CodeWriter::CodeWriter(const Derivation& derivation)
    : system_(*derivation.system),
      name_(expr::identifier(system_.model->name)),
      bare_state_(variables("t, q[NQ], u[NU]" + std::string(system_.z.empty() ? "" : ", z[NZ]") + ", p[NP]")),
      state_(bare_state_) {
  if (!derivation.switched.empty()) std::ranges::move(variables("acts[NACTS]"), std::back_inserter(state_));
  for (const Switched& one : derivation.switched) acts_.push_back(one.symbol);
}

std::vector<Variable> CodeWriter::variables(const std::string& text) {
  return read_functions("f(" + text + ")")[0].inputs;
}

std::vector<Variable> CodeWriter::state_and(const std::string& more) const {
  std::vector<Variable> inputs = state_;
  std::ranges::move(variables(more), std::back_inserter(inputs));
  return inputs;
}

void CodeWriter::name_symbols(bool has_accelerations) {
  taken_.insert(std::begin(kOwn), std::end(kOwn));
  if (!system_.events.empty() || !acts_.empty()) taken_.insert(std::begin(kOfEvents), std::end(kOfEvents));
  for (const Program::Size& size : program.sizes) taken_.insert(size.name);
  symbols_[system_.t.node()] = "t";
  std::vector<const std::vector<Expr>*> all{&system_.parameters, &system_.q, &system_.u, &system_.z, &system_.lambda};
  if (has_accelerations) all.insert(all.end(), {&system_.u_dot, &system_.effort});
  all.push_back(&acts_);
  for (const auto* symbols : all) {
    for (const Expr symbol : *symbols) {
      std::string name = expr::identifier(system_.graph->symbol_name(symbol.node()));
      while (!taken_.insert(name).second) name += '_';
      symbols_[symbol.node()] = name;
    }
  }
}

Function& CodeWriter::add(const std::string& name, const std::string& about, std::vector<Variable> inputs,
                          const std::string& outputs, bool is_public) {
  program.functions.push_back(
      {about + "\n", name_ + "_" + name, std::move(inputs), variables(outputs), {}, is_public, {}, {}});
  return program.functions.back();
}

void CodeWriter::add_text(const std::string& head, const std::string& about, const std::string& body) {
  std::string text = head + body, state;
  for (const Variable& one : state_) state += (state.empty() ? "" : ", ") + one.name;
  for (const auto& [mark, words] : {std::pair<std::string_view, std::string>{"NAME", name_}, {"STATE", state}}) {
    for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at + words.size()))
      text.replace(at, mark.size(), words);
  }
  Function function = std::move(read_functions(text)[0]);
  function.about = about + "\n";
  function.is_public = true;
  function.inputs = state_;
  program.functions.push_back(std::move(function));
}

Statement CodeWriter::assignment(std::string place, Expr value) {
  Statement result{Statement::Kind::kAssign, 1, {std::move(place), "="}};
  result.value = value;
  return result;
}

void CodeWriter::assign(std::string_view array, const std::vector<Expr>& values, std::size_t columns) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    assignments_.push_back(assignment(
        columns == 0 ? fmt::format("{}[{}]", array, i) : fmt::format("{}[{}][{}]", array, i / columns, i % columns),
        values[i]));
  }
}

void CodeWriter::assign_if(const std::string& condition, std::vector<Statement> assignments) {
  if (assignments.empty()) return;
  assignments_.push_back({Statement::Kind::kIf, 1, {condition}});
  for (Statement& one : assignments) {
    one.depth = 2;
    assignments_.push_back(std::move(one));
  }
}

void CodeWriter::write_body(Function& function) {
  std::vector<Expr> roots;
  for (const Statement& assignment : assignments_)
    if (assignment.value.is_valid()) roots.push_back(assignment.value);
  const auto define = [&](const std::string& name, const std::string& text, Expr value) {
    Statement definition{Statement::Kind::kDefine, 1, {name, text}};
    definition.type = "const";
    definition.value = value;
    function.body.push_back(std::move(definition));
  };
  const expr::Subgraph used(roots);
  for (const auto& [symbols, array] : {std::pair{&system_.parameters, "p"},
                                       {&system_.q, "q"},
                                       {&system_.u, "u"},
                                       {&system_.z, "z"},
                                       {&system_.lambda, "lambda"},
                                       {&system_.u_dot, "udot"},
                                       {&system_.effort, "effort"},
                                       {&acts_, "acts"}}) {
    for (std::size_t i = 0; i < symbols->size(); ++i) {
      if (used.position((*symbols)[i].node()) != expr::Subgraph::kOutside)
        define(symbols_.at((*symbols)[i].node()), fmt::format("{}[{}]", array, i), {});
    }
  }
  const expr::Shared shared = share(roots);
  function.names = shared.names;
  for (const Expr definition : shared.definitions) define(shared.names.at(definition.node()), {}, definition);
  std::ranges::move(assignments_, std::back_inserter(function.body));
  assignments_.clear();
}

// Names subexpressions that are used more than once: sines and cosines by their argument, all others z1, z2, …
expr::Shared CodeWriter::share(const std::vector<Expr>& roots) const {
  expr::SharingRule rule;
  rule.counts_squares = true;
  std::unordered_set<std::string> local = taken_;
  std::size_t count = 0;
  const auto name_of = [&](Expr e, std::size_t) {
    const expr::Graph::Node& node = e.graph().node(e);
    if ((node.op == expr::Op::kSine || node.op == expr::Op::kCosine) && symbols_.contains(node.operands[0])) {
      std::string name = (node.op == expr::Op::kSine ? "sin_" : "cos_") + symbols_.at(node.operands[0]);
      if (local.insert(name).second) return name;
    }
    std::string name;
    while (name.empty() || !local.insert(name).second) name = fmt::format("z{}", ++count);
    return name;
  };
  return expr::name_shared(roots, rule, name_of, symbols_);
}

}  // namespace vinculum::report
