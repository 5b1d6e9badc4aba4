#include "vinculum/elaborate/check/record_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <optional>
#include <string_view>

#include "vinculum/elaborate/check/csv_line.hpp"

namespace vinculum::elaborate {
namespace record_file {

/// Reads one file, line by line.
class Lines {
 public:
  explicit Lines(const std::string& input) : input_(input) {}
  /// \returns false after an error.
  bool take(int number, std::string_view line) {
    const std::vector<std::string_view> parts = cells_of(line);
    if (titles_.empty()) return take_titles(number, parts);
    if (parts.size() != titles_.size())
      return fault(fmt::format("line {} has {} instead of {} columns", number, parts.size(), titles_.size()));
    const auto t = read_number(parts.front()), value = read_number(parts[column_]);
    if (!t || !value)
      return fault(fmt::format("line {}: `{}` is not a finite number", number, t ? parts[column_] : parts.front()));
    const double t_si = *t * titles_.front().unit->scale;
    if (!record.t.empty() && !(t_si > record.t.back()))
      return fault(fmt::format("line {}: the time {} is not after {}, the time of the row before", number,
                               parts.front(), before_));
    before_ = parts.front();
    record.t.push_back(t_si);
    record.values.push_back(*value * titles_[column_].unit->scale);
    return true;
  }
  void finish() {
    if (titles_.empty()) record.problem = "it is empty";
    if (record.problem.empty() && record.t.empty()) record.problem = "it has a title line and no rows";
  }
  RecordFile record;

 private:
  bool fault(std::string problem) {
    record.problem = std::move(problem);
    return false;
  }
  bool take_titles(int number, const std::vector<std::string_view>& parts) {
    for (const std::string_view part : parts) {
      titles_.push_back(read_title(part));
      if (read_number(part))
        return fault("its first line gives no titles: write `t [s], " + input_ + " [unit]` above the numbers");
      if (!titles_.back().unit) return fault(fmt::format("line {}: the unit of `{}` cannot be read", number, part));
    }
    if (titles_.size() < 2) return fault("it has one column: a record has a time and a value, divided by a comma");
    const ColumnTitle& time = titles_.front();
    if (time.has_unit && time.unit->dimension != make_dimension(0, 0, 1))
      return fault(fmt::format("its first column, `{}`, is not a time", time.name));
    if (titles_.size() > 2) {
      const auto named = std::find_if(titles_.begin() + 1, titles_.end(),
                                      [this](const ColumnTitle& title) { return title.name == input_; });
      if (named == titles_.end())
        return fault(fmt::format("it has {} columns after the time, and none of them is titled `{}`",
                                 titles_.size() - 1, input_));
      column_ = static_cast<std::size_t>(named - titles_.begin());
    }
    record.dimension = titles_[column_].unit->dimension;
    record.has_unit = titles_[column_].has_unit;
    return true;
  }

  const std::string& input_;
  std::vector<ColumnTitle> titles_;
  std::size_t column_ = 1;
  std::string before_;
};

}  // namespace record_file

RecordFile read_record(const std::filesystem::path& file, const std::string& input) {
  RecordFile none;
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error)) {
    none.problem = "there is no such file";
    return none;
  }
  std::ifstream stream(file, std::ios::binary);
  if (!stream) {
    none.problem = "it cannot be read";
    return none;
  }
  record_file::Lines lines(input);
  std::string line;
  for (int number = 1; std::getline(stream, line); ++number) {
    if (number == 1 && line.starts_with("\xEF\xBB\xBF")) line.erase(0, 3);
    const std::string_view text = trimmed(line);
    if (text.empty() || text.front() == '#') continue;
    if (!lines.take(number, text)) return std::move(lines.record);
  }
  lines.finish();
  return std::move(lines.record);
}

}  // namespace vinculum::elaborate
