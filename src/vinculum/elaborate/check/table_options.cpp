#include "vinculum/elaborate/check/table_options.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <variant>
#include <vector>

#include "vinculum/elaborate/check/functions.hpp"
#include "vinculum/lang/table_options.hpp"

namespace vinculum::elaborate {
namespace {

using diag::Kind;
using lang::CallOption;
using lang::TableOptionValue;
using Shape = expr::Spline::Kind;

constexpr std::array<std::pair<std::string_view, Shape>, 4> kKinds = {
    {{"linear", Shape::kLinear}, {"smooth", Shape::kSmooth}, {"spline", Shape::kSpline}, {"hold", Shape::kHold}}};
constexpr std::array<std::pair<std::string_view, Outside>, 3> kOutsides = {
    {{"error", Outside::kError}, {"hold", Outside::kHold}, {"linear", Outside::kLinear}}};

const Shape* kind_of(std::string_view word) {
  const auto* at = std::ranges::find(kKinds, word, &std::pair<std::string_view, Shape>::first);
  return at == kKinds.end() ? nullptr : &at->second;
}

/// Reads the options one after another, and records where each is stated.
class OptionReader {
 public:
  OptionReader(Reporter& reporter, int arguments) : reporter_(reporter), arguments_(arguments) {}

  bool read(const CallOption& option);
  [[nodiscard]] bool contradicts();
  bool unknown(std::string_view word, diag::SourceRange range);
  TableOptions options;

 private:
  bool fault(diag::SourceRange range, std::string message, std::string hint = {}) {
    reporter_.error(Kind::kNotAllowedHere, range, std::move(message), std::move(hint));
    return false;
  }
  bool read_outside(const CallOption& option);

  Reporter& reporter_;
  int arguments_;
  std::vector<const CallOption*> seen_;
};

bool OptionReader::unknown(std::string_view word, diag::SourceRange range) {
  std::vector<std::string> words;
  for (const lang::TableOptionForm& form : lang::table_options()) words.emplace_back(form.word);
  reporter_.error(Kind::kUnknownName, range, "`table` has no option " + quote(word), diag::hint_among(word, words));
  return false;
}

bool OptionReader::read_outside(const CallOption& option) {
  const auto* at = std::ranges::find(kOutsides, option.value.text, &std::pair<std::string_view, Outside>::first);
  if (at != kOutsides.end()) {
    options.outside = at->second;
    return true;
  }
  std::vector<std::string> words;
  for (const auto& one : kOutsides) words.emplace_back(one.first);
  return fault(option.value.range, quote(option.value.text) + " is no value of a table outside its range",
               diag::hint_among(option.value.text, words));
}

bool OptionReader::read(const CallOption& option) {
  const lang::TableOptionForm* form = lang::find_table_option(option.word.text);
  if (form == nullptr) return unknown(option.word.text, option.word.range);
  const TableOptionValue found = option.is_text              ? TableOptionValue::kText
                                 : option.value.text.empty() ? TableOptionValue::kNone
                                                             : TableOptionValue::kWord;
  if (found != form->value)
    return fault(option.word.range,
                 form->value == TableOptionValue::kNone   ? quote(form->word) + " takes no value"
                 : form->value == TableOptionValue::kText ? quote(form->word) + " wants the title of a column in quotes"
                                                          : quote(form->word) + " wants `error`, `hold` or `linear`",
                 "write `" + std::string(form->signature) + "`");
  for (const CallOption* other : seen_) {
    if (other->word.text == option.word.text)
      return fault(option.word.range, "the option " + quote(form->word) + " is stated twice");
    if (kind_of(form->word) != nullptr && kind_of(other->word.text) != nullptr)
      return fault(option.word.range, quote(other->word.text) + " and " + quote(form->word) +
                                          " contradict each other: a table has one kind");
  }
  seen_.push_back(&option);
  if (const Shape* kind = kind_of(form->word)) options.kind = *kind;
  if (form->word == "periodic") options.is_periodic = true;
  if (form->word == "column") {
    options.column = option.value.text;
    options.column_range = option.value.range;
  }
  return form->word == "outside" ? read_outside(option) : true;
}

/// Reports options that contradict each other.
bool OptionReader::contradicts() {
  const auto stated = [&](std::string_view word) -> const CallOption* {
    const auto at = std::ranges::find_if(seen_, [&](const CallOption* one) { return one->word.text == word; });
    return at == seen_.end() ? nullptr : *at;
  };
  if (const CallOption* outside = stated("outside"); outside != nullptr && options.is_periodic) {
    fault(outside->word.range, "`outside` and `periodic` contradict each other: a periodic table has no outside");
    return true;
  }
  for (const std::string_view word : {"column", "periodic", "outside"}) {
    const CallOption* option = arguments_ > 2 ? stated(word) : nullptr;
    if (option == nullptr || (word == "outside" && options.outside != Outside::kLinear)) continue;
    const std::string text = option->word.text + (word == "outside" ? " linear" : "");
    fault(option->word.range, quote(text) + " is an option of tables with one argument, this one has two");
    return true;
  }
  return false;
}

}  // namespace

std::optional<TableOptions> read_table_options(const lang::Call& call, Scope& scope, Reporter& reporter) {
  OptionReader reader(reporter, static_cast<int>(call.arguments.size()));
  for (std::size_t i = 2; i < call.arguments.size(); ++i) {
    const auto* name = std::get_if<lang::NameReference>(&call.arguments[i]->node);
    const bool is_known = name == nullptr || scope.find(name->name) != nullptr || name->name == "t" ||
                          name->name == "pi" || find_function(name->name) != nullptr ||
                          scope.is_forgiven(name->name, call.arguments[i]->range.begin);
    if (is_known) continue;
    reader.unknown(name->name, call.arguments[i]->range);
    return std::nullopt;
  }
  for (const CallOption& option : call.options)
    if (!reader.read(option)) return std::nullopt;
  if (reader.contradicts()) return std::nullopt;
  return reader.options;
}

}  // namespace vinculum::elaborate
