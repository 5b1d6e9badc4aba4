#include "vinculum/reaction_laws/law.hpp"

#include <algorithm>
#include <utility>

#include "vinculum/model/calculus.hpp"
#include "vinculum/model/dimensions.hpp"

namespace vinculum::reaction_laws {

const lang::LawArgument* Reader::argument(std::string_view word, int order) const {
  const auto& all = clause().arguments;
  const auto found = std::ranges::find_if(
      all, [&](const lang::LawArgument& one) { return one.word == word && one.order == order && !one.of; });
  return found == all.end() ? nullptr : &*found;
}

std::vector<const lang::LawArgument*> Reader::arguments_of_states(std::string_view word) const {
  std::vector<const lang::LawArgument*> all;
  for (const lang::LawArgument& one : clause().arguments)
    if (one.word == word && one.of) all.push_back(&one);
  return all;
}

std::vector<Dimension> Reader::dimensions_of_mu(int order) {
  std::vector<Dimension> all;
  for (std::size_t row = 0; row < constraint().rows.size(); ++row)
    all.push_back(model::dimension_of_mu(model(), id(), row) * make_dimension(0, 0, -order));
  return all;
}

void Reader::error(diag::Kind kind, diag::SourceRange range, std::string message, std::string hint) {
  diag::Diagnostic diagnostic;
  diagnostic.kind = kind;
  diagnostic.range = range;
  diagnostic.message = std::move(message);
  diagnostic.hint = std::move(hint);
  report(std::move(diagnostic));
}

namespace {

bool is_constant(Term term) {
  using model::TermKind;
  if (term.kind() == TermKind::kNumber || term.kind() == TermKind::kParameter) return true;
  if (term.kind() != TermKind::kFunction) return false;
  for (int i = 0; i < term.operand_count(); ++i) {
    if (!is_constant(term.operand(i))) return false;
  }
  return true;
}

}  // namespace

std::optional<double> constant_value(const Model& model, Term term) {
  if (!is_constant(term)) return std::nullopt;
  return model::TermValues(model, {}).scalar(term).value;
}

diag::SourceRange range_of(const lang::LawArgument& argument) {
  return cover(argument.values.front()->range, argument.values.back()->range);
}

std::string list_text(const Model& model, std::span<const Term> terms) {
  std::string text;
  for (const Term term : terms) text += (text.empty() ? "" : ", ") + model::to_text(model, term);
  return text;
}

}  // namespace vinculum::reaction_laws
