#include "vinculum/elaborate/check/table_file.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <sstream>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "vinculum/elaborate/check/model_folder.hpp"
#include "vinculum/elaborate/check/units.hpp"
#include "vinculum/lang/parser.hpp"

namespace vinculum::elaborate {
namespace {

namespace fs = std::filesystem;
using diag::Kind;

constexpr std::uintmax_t kLargestFile = std::uintmax_t{64} << 20;

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r";
  const std::size_t begin = text.find_first_not_of(kBlank);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlank) - begin + 1);
}

std::optional<double> read_number(std::string_view text) {
  text = trimmed(text);
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

/// The unit at the end of a column title, `force [kN]`; dimensionless if there is none.
std::optional<UnitValue> read_title(std::string_view title) {
  const std::size_t open = title.find('[');
  if (open == std::string_view::npos) return UnitValue{};
  const diag::SourceText text("title", "1 " + std::string(trimmed(title.substr(open))));
  diag::Diagnostics problems;
  Reporter reporter(text, problems);
  const lang::ExpressionPtr number = lang::parse_expression(text, problems);
  const auto* literal = number ? std::get_if<lang::NumberLiteral>(&number->node) : nullptr;
  if (literal == nullptr || !literal->unit || problems.has_errors()) return std::nullopt;
  return read_unit(*literal->unit, reporter);
}

struct Rows {
  UnitValue x_unit, y_unit;
  std::vector<double> x, y;
  std::string problem;  ///< empty if there is no problem
};

Rows read_rows(std::istream& stream) {
  Rows rows;
  std::string line;
  bool is_first = true;
  for (int number = 1; std::getline(stream, line); ++number) {
    if (number == 1 && line.starts_with("\xEF\xBB\xBF")) line.erase(0, 3);
    const std::string_view text = trimmed(line);
    if (text.empty() || text.front() == '#') continue;
    const auto fault = [&](const std::string& what) { rows.problem = "line " + std::to_string(number) + ": " + what; };
    const std::size_t comma = text.find(',');
    if (comma == std::string_view::npos || text.find(',', comma + 1) != std::string_view::npos) {
      fault("a table has two columns divided by a comma");
      return rows;
    }
    const auto x = read_number(text.substr(0, comma)), y = read_number(text.substr(comma + 1));
    if (std::exchange(is_first, false) && !x && !y) {
      const auto x_unit = read_title(text.substr(0, comma)), y_unit = read_title(text.substr(comma + 1));
      if (!x_unit || !y_unit) {
        fault("the unit of a column cannot be read");
        return rows;
      }
      rows.x_unit = *x_unit;
      rows.y_unit = *y_unit;
      continue;
    }
    if (!x || !y) {
      fault("both columns are finite numbers");
      return rows;
    }
    const double x_si = *x * rows.x_unit.scale, y_si = *y * rows.y_unit.scale;
    if (!rows.x.empty() && x_si <= rows.x.back()) {
      fault("the first column increases from row to row");
      return rows;
    }
    rows.x.push_back(x_si);
    rows.y.push_back(y_si);
  }
  if (rows.x.size() < 2) rows.problem = "a table has two rows at least";
  return rows;
}

}  // namespace

std::optional<Table> read_table(const fs::path& folder, const std::string& name, diag::SourceRange range,
                                Reporter& reporter) {
  const Located located = locate_below(folder, name, "a table", kLargestFile);
  if (!located.problem.empty()) {
    reporter.error(Kind::kFileNotFound, range, located.problem);
    return std::nullopt;
  }
  std::ifstream stream(located.file, std::ios::binary);
  if (!stream) {
    reporter.error(Kind::kFileNotFound, range, "the file `" + name + "` cannot be read");
    return std::nullopt;
  }
  Rows rows = read_rows(stream);
  if (!rows.problem.empty()) {
    reporter.error(Kind::kBadTable, range, "`" + name + "`, " + rows.problem);
    return std::nullopt;
  }
  return Table{std::make_shared<const expr::Spline>(name, std::move(rows.x), std::move(rows.y)), rows.x_unit.dimension,
               rows.y_unit.dimension};
}

}  // namespace vinculum::elaborate
