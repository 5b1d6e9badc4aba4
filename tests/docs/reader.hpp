#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "e2e/command.hpp"
#include "support/models.hpp"

/// Follows a page that shows commands and their output: runs the commands and compares the output with the page.
namespace vinculum::docs {

/// Numbers may differ between machines. Relative tolerance (six digits), and absolute tolerance for numbers that are
/// rounding errors.
inline constexpr double kShownAlike = 1e-6, kRounding = 1e-7;

inline std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

/// Splits a line into numbers and single other characters: "[-2.49," becomes "[", "-2.49", ",".
inline std::vector<std::string> words_of(const std::string& line) {
  static const std::regex word(R"(-?\d+(\.\d+)?(e[-+]?\d+)?|[^\s\d])");
  return {std::sregex_token_iterator(line.begin(), line.end(), word), std::sregex_token_iterator()};
}

inline bool is_alike(const std::string& shown, const std::string& found) {
  if (shown == found) return true;
  const auto is_number = [](const std::string& word) {
    return std::isdigit(static_cast<unsigned char>(word.back())) != 0;
  };
  if (!is_number(shown) || !is_number(found)) return false;
  const double a = std::stod(shown), b = std::stod(found);
  return std::abs(a - b) <= kShownAlike * std::abs(a) + kRounding;
}

/// Compares a line of the page with a line of the output. "…" at the end of the page's line matches any rest.
inline bool is_same_line(const std::string& shown, const std::string& found) {
  static const std::string rest = "…";
  const bool is_begin = shown.ends_with(rest);
  const auto a = words_of(is_begin ? shown.substr(0, shown.size() - rest.size()) : shown), b = words_of(found);
  if (is_begin) return a.size() <= b.size() && std::equal(a.begin(), a.end(), b.begin(), is_alike);
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), is_alike);
}

/// Compares the output shown on a page with the actual output. A line "…" matches any number of lines.
/// \returns the first line that was not found, in quotes, or "" if all lines agree.
inline std::string missing_from(const std::vector<std::string>& shown, const std::vector<std::string>& answer) {
  std::size_t at = 0;
  bool is_open = false;
  for (const std::string& line : shown) {
    if (line == "…") {
      is_open = true;
      continue;
    }
    while (is_open && at < answer.size() && !is_same_line(line, answer[at])) ++at;
    if (at == answer.size() || !is_same_line(line, answer[at])) return "`" + line + "`";
    ++at;
    is_open = false;
  }
  return is_open || at == answer.size() ? "" : "the end of the answer, before " + answer[at];
}

/// Follows a page in a new folder: writes each ```vin block to the file NAME.vin of its `model NAME`, and runs each
/// line after "$ " of the blocks without a language.
class Reader {
 public:
  void keep(const std::string& model) {
    std::istringstream words(model);
    std::string statement, name;
    words >> statement >> name;
    ASSERT_EQ(statement, "model") << model;
    folder_.write(name + ".vin", model);
    ++models;
  }

  void type(const std::string& session) {
    const auto lines = lines_of(session);
    for (std::size_t i = 0; i < lines.size();) {
      ASSERT_TRUE(lines[i].starts_with("$ ")) << lines[i];
      const std::string command = lines[i++].substr(2);
      std::vector<std::string> shown;
      while (i < lines.size() && !lines[i].starts_with("$ ")) shown.push_back(lines[i++]);
      const test_support::Ran ran = test_support::run_line(folder_, "vinculum() { \"$VINCULUM\" \"$@\"; }; " + command);
      EXPECT_EQ(missing_from(shown, lines_of(ran.out + ran.err)), "") << command << "\n" << ran.out << ran.err;
      ++commands;
    }
  }

  /// Follows all blocks of a page, in their order.
  void follow(const std::string& page) {
    std::string language, block;
    bool is_inside = false;
    for (const std::string& line : lines_of(page)) {
      if (!line.starts_with("```")) {
        if (is_inside) block += line + "\n";
        continue;
      }
      is_inside = !is_inside;
      if (is_inside) {
        language = line.substr(3);
        block.clear();
      } else if (language == "vin") {
        keep(block);
      } else if (language.empty()) {
        type(block);
      }
    }
  }

  /// Copies the files of a folder (models and their tables) to where the commands run.
  void copy(const std::filesystem::path& from) { std::filesystem::copy(from, folder_.path()); }

  /// Makes the models of this project available as models/.
  void put_models() { std::filesystem::create_directory_symlink(VINCULUM_MODELS, folder_.path() / "models"); }

  int models = 0, commands = 0;

 private:
  test_support::Folder folder_;
};

}  // namespace vinculum::docs
