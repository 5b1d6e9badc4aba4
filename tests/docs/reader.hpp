#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "e2e/command.hpp"
#include "support/models.hpp"

/// Pages that show what to type and what is answered, followed as they stand.
namespace vinculum::docs {

/// Digits of numbers that differ between machines: all beyond the sixth, and what is rounding altogether.
inline constexpr double kShownAlike = 1e-6, kRounding = 1e-7;

inline std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

/// Words and the marks beside them, "[-2.49," as "[", "-2.49", ",": numbers by themselves.
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

/// A line shown may end in "…" for the rest of the one found.
inline bool is_same_line(const std::string& shown, const std::string& found) {
  static const std::string rest = "…";
  const bool is_begin = shown.ends_with(rest);
  const auto a = words_of(is_begin ? shown.substr(0, shown.size() - rest.size()) : shown), b = words_of(found);
  if (is_begin) return a.size() <= b.size() && std::equal(a.begin(), a.end(), b.begin(), is_alike);
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), is_alike);
}

/// What a page shows of an answer, a line "…" for any lines left out, against the answer; the first line that is not
/// found, or "".
inline std::string missing_from(const std::vector<std::string>& shown, const std::vector<std::string>& answer) {
  std::size_t at = 0;
  bool is_open = false;
  for (const std::string& line : shown) {
    if (line == "…") {
      is_open = true;
      continue;
    }
    while (is_open && at < answer.size() && !is_same_line(line, answer[at])) ++at;
    if (at == answer.size() || !is_same_line(line, answer[at])) return line;
    ++at;
    is_open = false;
  }
  return is_open || at == answer.size() ? "" : "the end of the answer, before " + answer[at];
}

/// Does what a page says, in a clean folder: keeps each ```vin block in the file that its `model NAME` says, and types
/// each line behind "$ " of the other blocks.
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

  /// All blocks of a page, in their order.
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

  /// The models of this project are at hand as models/.
  void put_models() { std::filesystem::create_directory_symlink(VINCULUM_MODELS, folder_.path() / "models"); }

  int models = 0, commands = 0;

 private:
  test_support::Folder folder_;
};

}  // namespace vinculum::docs
