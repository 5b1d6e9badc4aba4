#include "vinculum/elaborate/check/csv_line.hpp"

#include <charconv>
#include <cmath>
#include <variant>

#include "vinculum/elaborate/check/units.hpp"
#include "vinculum/lang/parser.hpp"

namespace vinculum::elaborate {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r";
  const std::size_t begin = text.find_first_not_of(kBlank);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlank) - begin + 1);
}

std::vector<std::string_view> cells_of(std::string_view line) {
  std::vector<std::string_view> cells;
  for (std::size_t begin = 0;;) {
    const std::size_t comma = line.find(',', begin);
    cells.push_back(trimmed(line.substr(begin, comma - begin)));
    if (comma == std::string_view::npos) return cells;
    begin = comma + 1;
  }
}

std::optional<double> read_number(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

ColumnTitle read_title(std::string_view text) {
  const std::size_t open = text.find('[');
  ColumnTitle title{std::string(trimmed(text.substr(0, open))), UnitValue{}, open != std::string_view::npos};
  if (!title.has_unit) return title;
  const diag::SourceText number("title", "1 " + std::string(text.substr(open)));
  diag::Diagnostics problems;
  Reporter reporter(number, problems);
  const lang::ExpressionPtr parsed = lang::parse_expression(number, problems);
  const auto* literal = parsed ? std::get_if<lang::NumberLiteral>(&parsed->node) : nullptr;
  title.unit.reset();
  if (literal != nullptr && literal->unit && !problems.has_errors()) title.unit = read_unit(*literal->unit, reporter);
  return title;
}

}  // namespace vinculum::elaborate
