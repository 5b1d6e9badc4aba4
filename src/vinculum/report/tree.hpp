#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <iosfwd>
#include <optional>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "vinculum/base/unit.hpp"

/// Results for people and programs. A report is one tree; text, JSON and CSV are three ways to write it.
namespace vinculum::report {

/// One thing that a report tells: a value, or a list or an object of further things, in the order in which they are
/// told. What it is for programs is its name and value; what is said of it for people is a text of its own, or a line
/// made from name, value, unit and frame.
struct Node {
  struct Member;
  enum class Form : std::uint8_t { kValue, kList, kObject, kSaid };  ///< kSaid: for people alone
  using Value = std::variant<std::nullptr_t, bool, std::int64_t, double, std::string>;

  std::string name;  ///< in an object
  Form form = Form::kValue;
  Value value = nullptr;  ///< null: there is none
  std::vector<Node> parts;
  std::string said;   ///< before what is said of the parts, whole lines
  UnitText unit;      ///< of a number or of all of a list; said in the unit shown, for programs in SI
  std::string frame;  ///< of measure numbers
  std::vector<std::string> not_unique = {};  ///< names of its entries that redundant constraints leave open
  bool is_listed = false;                    ///< text has a line for each part, made from what it holds
  bool is_hushed = false;                    ///< but for this part
  std::string shown_as = {};                 ///< a number as text has it, in the unit shown; empty: with 15 digits

  Node() = default;
  Node(std::nullptr_t) {}
  Node(std::string text) : value(std::move(text)) {}
  Node(std::string_view text) : value(std::string(text)) {}
  Node(const char* text) : value(std::string(text)) {}
  Node(bool truth) : value(truth) {}
  Node(std::integral auto number) : value(static_cast<std::int64_t>(number)) {}
  Node(std::floating_point auto number) : value(static_cast<double>(number)) {}
  template <class T>
  Node(const std::optional<T>& some) : Node(some ? Node(*some) : Node()) {}
  /// A list of what a container holds.
  template <std::ranges::range Values>
    requires(!std::convertible_to<Values, std::string_view>)
  Node(const Values& all) : form(Form::kList) {
    for (const auto& one : all) parts.emplace_back(one);
  }
  [[nodiscard]] static Node list() { return Node(std::vector<Node>{}); }
  [[nodiscard]] static Node object(std::initializer_list<Member> members = {});

  /// A further member of an object.
  Node& add(std::string its_name, Node node);
  /// A further entry of a list.
  Node& add(Node node);
  /// Says something behind what there is so far, to people alone.
  void say(std::string text);
  /// Nothing is said of it and its parts.
  void hush();
  /// The member of this name, the entry at this place. \pre there is one
  [[nodiscard]] const Node& at(std::string_view member) const;
  [[nodiscard]] const Node& at(std::size_t entry) const { return parts.at(entry); }
};
struct Node::Member {
  std::string name;
  Node node;
};

/// Many rows of the same kind, read when they are written.
struct Table {
  struct Column {
    std::string name;
    std::string unit = {};  ///< SI; empty for a number without dimension and for a text
  };
  std::vector<Column> columns;
  std::size_t rows = 0;
  std::function<Node::Value(std::size_t row, std::size_t column)> cell;
};

/// What is said, from the root on.
[[nodiscard]] std::string to_text(const Node& report);
/// What is there for programs, indented. What is not finite is null; numbers have as many digits as they need to be
/// read back.
[[nodiscard]] std::string to_json(const Node& report);
/// The format of JSON objects and of tables (docs/json.md).
inline constexpr int kFormat = 1;
/// A line of names, one of units behind `#`, `# vinculum-csv 1` and what is said about the rows, and one a row: `.` as
/// decimal point whatever the locale, as many digits as a number needs to be read back, empty where there is no finite
/// one; a text with a comma or a quote stands in quotes.
void write_csv(std::ostream& stream, const Table& table, std::string_view about = "");
/// The same of rows as they come, each a number a column.
class CsvRows {
 public:
  /// Writes the lines ahead of the rows. \param stream  outlives this
  CsvRows(std::ostream& stream, const std::vector<Table::Column>& columns, std::string_view about = "");
  void write(std::span<const double> row);

 private:
  std::ostream& stream_;
  std::string line_;
};

/// Cells in columns as wide as their widest, the first to the left and the others to the right; a line a row.
[[nodiscard]] std::string aligned(const std::vector<std::vector<std::string>>& rows, std::string_view indent = "");
/// "a, b, c".
[[nodiscard]] std::string listed(const std::vector<std::string>& words);
/// "m", "1" where there is none: as JSON and CSV have it.
[[nodiscard]] inline std::string stated(const std::string& si) { return si.empty() ? "1" : si; }
/// " N", " in frame N"; empty where there is none.
[[nodiscard]] std::string behind(const UnitText& unit, std::string_view frame = "");
/// −0 and 0 are one to the reader.
[[nodiscard]] inline double shown(double value) { return value == 0.0 ? 0.0 : value; }

}  // namespace vinculum::report
