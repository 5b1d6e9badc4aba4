#include "vinculum/elaborate/check/value.hpp"

#include <algorithm>
#include <utility>

namespace vinculum::elaborate {

std::string_view describe(ValueKind kind) {
  constexpr std::string_view kWords[] = {"nothing", "a scalar", "a condition", "a vector",     "a list", "a matrix",
                                         "a point", "a frame",  "a body",      "a constraint", "a text"};
  return kWords[static_cast<std::size_t>(kind)];
}

std::string describe(const Value& value) {
  std::string text(describe(value.kind));
  if (value.is_array()) text += " of " + std::to_string(value.rows);
  return value.is(ValueKind::kMatrix) ? text + " by " + std::to_string(value.columns) : text;
}

Value make_scalar(model::Term term, const Dimension& dimension) {
  Value value;
  value.kind = ValueKind::kScalar;
  value.term = term;
  value.dimension = dimension;
  return value;
}

bool is_moment(const Dimension& dimension, Turning turning) {
  return dimension == make_dimension(1, 2, -2) && (turning.turns || turning.is_reaction);
}

Value make_vector(model::Term term, const Dimension& dimension) {
  Value value = make_scalar(term, dimension);
  value.kind = ValueKind::kVector;
  for (int time = -2; time <= -1; ++time)
    value.turning.turns |= dimension == make_dimension(1, 2, time) || dimension == make_dimension(0, 0, time);
  return value;
}

Entry reaction_of(model::Term term, const Dimension& dimension) {
  return {term, dimension, false, {dimension == make_dimension(1, 2, -2), true}};
}

Value scalar_of_entry(const Entry& entry) {
  Value value = make_scalar(entry.term, entry.dimension);
  value.turning = entry.turning;
  return value;
}

Value make_condition(model::Term term) {
  Value value = make_scalar(term, {});
  value.kind = ValueKind::kCondition;
  return value;
}

Value make_list(std::vector<Entry> entries) {
  const auto rows = static_cast<int>(entries.size());
  Value value = make_matrix(rows, 1, std::move(entries));
  value.kind = ValueKind::kList;
  return value;
}

Value make_matrix(int rows, int columns, std::vector<Entry> entries) {
  Value value;
  value.kind = ValueKind::kMatrix;
  value.rows = rows;
  value.columns = columns;
  const auto first = std::ranges::find(entries, false, &Entry::fits_any);
  const auto has_first = [&](const Entry& entry) { return entry.fits_any || entry.dimension == first->dimension; };
  if (first != entries.end() && std::ranges::all_of(entries, has_first)) value.dimension = first->dimension;
  value.entries = std::move(entries);
  return value;
}

Value make_array(const Value& like, std::vector<Entry> entries) {
  Value value = make_matrix(like.rows, like.columns, std::move(entries));
  value.kind = like.kind;
  return value;
}

}  // namespace vinculum::elaborate
