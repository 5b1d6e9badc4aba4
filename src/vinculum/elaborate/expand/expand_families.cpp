// Expands statements about whole families: declarations, lists of values, start values. Also selects clauses by `if`.
#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "vinculum/elaborate/check/syntax.hpp"
#include "vinculum/elaborate/expand/expander.hpp"

namespace vinculum::elaborate {

using diag::Kind;

namespace {

bool has_ranges(const std::vector<lang::ExpressionPtr>& indices) {
  return std::ranges::any_of(indices,
                             [](const lang::ExpressionPtr& one) { return std::get_if<lang::Range>(&one->node); });
}

/// The indices in `q[1..3]` or `q[1..3]'`; null if they contain no range.
std::vector<lang::ExpressionPtr>* ranges_in(lang::Expression& variable) {
  auto* prime = std::get_if<lang::Prime>(&variable.node);
  auto* index = std::get_if<lang::Index>(prime == nullptr ? &variable.node : &prime->operand->node);
  return index != nullptr && has_ranges(index->indices) ? &index->indices : nullptr;
}

}  // namespace

std::optional<std::vector<Expander::Indices>> Expander::all_indices(const std::vector<lang::ExpressionPtr>& written,
                                                                    diag::SourceRange at) {
  std::vector<Indices> all{{}};
  for (const auto& one : written) {
    const auto* range = std::get_if<lang::Range>(&one->node);
    const auto from = range == nullptr ? index(one) : whole(range->from, "the first index of a family");
    const auto to = range == nullptr ? from : whole(range->to, "the last index of a family");
    if (!from || !to) return std::nullopt;
    const std::int64_t size = std::max<std::int64_t>(*to - *from + 1, 0);
    if (range != nullptr &&
        !count(size * static_cast<std::int64_t>(std::min<std::size_t>(all.size(), kMostStatements)), at))
      return std::nullopt;
    std::vector<Indices> next;
    for (const Indices& before : all) {
      for (std::int64_t i = *from; i <= *to; ++i) {
        next.push_back(before);
        next.back().push_back(i);
      }
    }
    all = std::move(next);
  }
  return all;
}

std::vector<lang::Name> Expander::family(const lang::Name& name, const std::vector<Indices>& members) {
  std::vector<lang::Name> names;
  for (const Indices& indices : members) names.push_back({declare(name, indices), name.range});
  return names;
}

std::vector<lang::Name> Expander::family(const lang::Name& name) {
  const auto members = all_indices(name.indices, name.range);
  if (members) return family(name, *members);
  at_fault_.insert(name.text);
  forgive(scope_->prefix + name.text);
  return {};
}

namespace {

/// The entries of a list, also of one with a sign or a factor: `[0, 1, 2]*d`. Nothing for other expressions.
std::optional<lang::List> list_of(const lang::Expression& expression) {
  const auto with_each = [&](std::optional<lang::List> list, const auto& changed) {
    if (!list) return list;
    for (std::vector<lang::ExpressionPtr>& row : list->rows)
      for (lang::ExpressionPtr& entry : row)
        entry = std::make_unique<lang::Expression>(lang::Expression{changed(std::move(entry)), expression.range});
    return list;
  };
  if (const auto* list = std::get_if<lang::List>(&expression.node)) return *list;
  if (const auto* unary = std::get_if<lang::Unary>(&expression.node); unary != nullptr)
    return with_each(list_of(*unary->operand),
                     [&](lang::ExpressionPtr entry) { return lang::Unary{unary->op, std::move(entry)}; });
  const auto* binary = std::get_if<lang::Binary>(&expression.node);
  using Op = lang::BinaryOperator;
  if (binary == nullptr || (binary->op != Op::kMultiply && binary->op != Op::kDivide)) return std::nullopt;
  if (auto left = list_of(*binary->left))
    return with_each(std::move(left), [&](lang::ExpressionPtr entry) {
      return lang::Binary{binary->op, binary->op_range, std::move(entry), binary->right};
    });
  if (binary->op == Op::kDivide) return std::nullopt;
  return with_each(list_of(*binary->right), [&](lang::ExpressionPtr entry) {
    return lang::Binary{binary->op, binary->op_range, binary->left, std::move(entry)};
  });
}

}  // namespace

std::vector<lang::ExpressionPtr> Expander::values_of(const lang::ExpressionPtr& written, diag::SourceRange family,
                                                     const std::vector<Indices>& members) {
  std::vector<lang::ExpressionPtr> values;
  lang::ExpressionPtr value = written_out(written);
  std::optional<lang::List> list;
  if (!is_stopped_) list = list_of(*value);
  if (!list) {
    for (std::size_t i = 0; i < members.size(); ++i) values.push_back(i == 0 ? value : written_out(written));
    return values;
  }
  // A row of a matrix contains the values for all last indices, with the other indices fixed.
  const auto same_row = [&](const Indices& one) {
    return std::equal(one.begin(), std::prev(one.end()), members.front().begin());
  };
  const auto columns = static_cast<std::size_t>(std::ranges::count_if(members, same_row));
  const bool is_in_rows = list->rows.size() <= 1 || list->rows.front().size() == columns;
  for (std::vector<lang::ExpressionPtr>& row : list->rows) std::ranges::move(row, std::back_inserter(values));
  if (values.size() == members.size() && is_in_rows) return values;
  reporter_.error(Kind::kWrongArgumentCount, written->range,
                  reporter_.quoted(family) + " stands for " + std::to_string(members.size()) +
                      (members.size() == 1 ? " value, " : " values, ") +
                      (is_in_rows ? std::to_string(values.size()) + " in the list"
                                  : "with " + std::to_string(columns) + " in a row"),
                  "give a list of as many values as there are members, or one value for all");
  values.resize(members.size(), values.empty() ? lang::ExpressionPtr() : values.front());
  return values;
}

void Expander::parameters(lang::ParamStatement& params) {
  std::vector<lang::ParamItem> items;
  for (const lang::ParamItem& item : params.items) {
    if (!has_ranges(item.name.indices)) {
      for (lang::Name& name : family(item.name)) items.push_back({std::move(name), written_out(item.value), item.unit});
      continue;
    }
    const auto members = all_indices(item.name.indices, item.name.range);
    std::vector<lang::ExpressionPtr> values;
    if (members && !members->empty()) values = values_of(item.value, item.name.range, *members);
    if (!members || (!values.empty() && !values.front())) {
      at_fault_.insert(item.name.text);
      forgive(scope_->prefix + item.name.text);
      continue;
    }
    std::vector<lang::Name> names = family(item.name, *members);
    for (std::size_t i = 0; i < names.size() && !is_stopped_; ++i)
      items.push_back({std::move(names[i]), std::move(values[i]), item.unit});
  }
  params.items = std::move(items);
}

void Expander::coordinates(lang::CoordStatement& coords) {
  for (lang::CoordGroup& group : coords.groups) {
    std::vector<lang::Name> names;
    for (const lang::Name& name : group.names) std::ranges::move(family(name), std::back_inserter(names));
    group.names = std::move(names);
    if (group.scale) write_out(group.scale, false);
  }
}

void Expander::starts(lang::StartStatement& starts) {
  std::vector<lang::StartItem> items;
  for (lang::StartItem& item : starts.items) {
    auto* ranges = ranges_in(*item.variable);
    if (ranges == nullptr) {
      write_out(item.variable, false);
      write_out(item.value, false);
      const lang::NameReference* axis = item.axis ? as_name(*item.axis) : nullptr;
      if (item.axis && (axis == nullptr || (axis->name != "x" && axis->name != "y" && axis->name != "z")))
        write_out(item.axis, false);
      items.push_back(std::move(item));
      continue;
    }
    const auto members = all_indices(*ranges, item.variable->range);
    if (!members || members->empty()) continue;
    std::vector<lang::ExpressionPtr> values = values_of(item.value, item.variable->range, *members);
    for (std::size_t i = 0; i < values.size() && values[i] && !is_stopped_; ++i) {
      lang::StartItem one = item;
      std::vector<lang::ExpressionPtr>& indices = *ranges_in(*one.variable);
      for (std::size_t k = 0; k < indices.size(); ++k) indices[k] = make_number((*members)[i][k], indices[k]->range);
      write_out(one.variable, false);
      one.value = std::move(values[i]);
      items.push_back(std::move(one));
    }
  }
  starts.items = std::move(items);
}

bool Expander::choose(std::vector<lang::Clause>& clauses) {
  bool is_whole = true;
  std::vector<lang::Clause> chosen;
  for (lang::Clause& clause : clauses) {
    auto* choice = std::get_if<lang::ClauseChoice>(&clause.what);
    if (choice == nullptr) {
      chosen.push_back(std::move(clause));
      continue;
    }
    const std::optional<bool> truth = truth_of(choice->condition);
    if (!truth) {
      is_whole = false;
      continue;
    }
    std::vector<lang::Clause>& branch = *truth ? choice->then : choice->otherwise;
    is_whole = choose(branch) && is_whole;
    std::ranges::move(branch, std::back_inserter(chosen));
  }
  clauses = std::move(chosen);
  return is_whole;
}

}  // namespace vinculum::elaborate
