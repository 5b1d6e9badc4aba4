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

/// Builds reports for people and programs. A report is one tree; text, JSON and CSV are three ways to write it.
namespace vinculum::report {

/// A node of a report: a value, or an ordered list or object of further nodes. JSON contains its name and value. Text
/// contains the text that was provided for the node (`said`), or else a line made from name, value, unit and frame.
struct Node {
  struct Member;
  enum class Form : std::uint8_t { kValue, kList, kObject, kSaid };  ///< kSaid: text only, absent from JSON
  using Value = std::variant<std::nullptr_t, bool, std::int64_t, double, std::string>;

  std::string name;  ///< name, if the node is a member of an object
  Form form = Form::kValue;
  Value value = nullptr;  ///< value of a leaf; null: none
  std::vector<Node> parts;
  std::string said;   ///< text of this node, before the texts of `parts`; whole lines
  UnitText unit;      ///< unit of a number, or of all entries of a list; text uses the shown unit, JSON uses SI
  std::string frame;  ///< frame in which measure numbers are given
  std::vector<std::string> not_unique = {};  ///< names of entries that redundant constraints make indeterminate
  bool is_listed = false;     ///< the text has one line for each of `parts`, made from the content of that part
  bool is_hushed = false;     ///< the node is left out of the text if its parent has `is_listed`
  std::string shown_as = {};  ///< the number as text shows it, in the shown unit; empty: 15 digits

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
  /// Creates a list of the elements of a container.
  template <std::ranges::range Values>
    requires(!std::convertible_to<Values, std::string_view>)
  Node(const Values& all) : form(Form::kList) {
    for (const auto& one : all) parts.emplace_back(one);
  }
  [[nodiscard]] static Node list() { return Node(std::vector<Node>{}); }
  [[nodiscard]] static Node object(std::initializer_list<Member> members = {});

  /// Adds a member to an object.
  Node& add(std::string its_name, Node node);
  /// Adds an entry to a list.
  Node& add(Node node);
  /// Adds a text after the existing parts. It is absent from JSON.
  void say(std::string text);
  /// Leaves this node and its parts out of the text; JSON still contains them.
  void hush();
  /// Returns the member with this name, or the entry with this index. \pre it exists
  [[nodiscard]] const Node& at(std::string_view member) const;
  [[nodiscard]] const Node& at(std::size_t entry) const { return parts.at(entry); }
};
struct Node::Member {
  std::string name;
  Node node;
};

/// A table with many rows of the same kind. Cells are computed when they are written.
struct Table {
  struct Column {
    std::string name;
    std::string unit = {};  ///< SI; empty for a dimensionless number and for text
  };
  std::vector<Column> columns;
  std::size_t rows = 0;
  std::function<Node::Value(std::size_t row, std::size_t column)> cell;
};

/// Returns the text of a report.
[[nodiscard]] std::string to_text(const Node& report);
/// Returns the JSON of a report, indented. Numbers that are not finite become null; others have as many digits as are
/// needed to read them back exactly.
[[nodiscard]] std::string to_json(const Node& report);
/// Version of the format of JSON objects and tables (docs/json.md).
inline constexpr int kFormat = 1;
/// Writes CSV: a line of names; comment lines with the units, `# vinculum-csv 1` and `about`; one line per row. The
/// decimal point is `.` in every locale, and numbers have as many digits as are needed to read them back exactly. A
/// number that is not finite is an empty field. Text with a comma or a quote is enclosed in quotes.
void write_csv(std::ostream& stream, const Table& table, std::string_view about = "");
/// Writes CSV as `write_csv` does, for rows that arrive one at a time, with one number per column.
class CsvRows {
 public:
  /// Writes the header lines. \param stream  must live longer than this object
  CsvRows(std::ostream& stream, const std::vector<Table::Column>& columns, std::string_view about = "");
  void write(std::span<const double> row);

 private:
  std::ostream& stream_;
  std::string line_;
};

/// Returns text in aligned columns, one line per row. The first column is aligned to the left, the others to the right.
[[nodiscard]] std::string aligned(const std::vector<std::vector<std::string>>& rows, std::string_view indent = "");
/// Joins words by commas: "a, b, c".
[[nodiscard]] std::string listed(const std::vector<std::string>& words);
/// Returns a unit as it is written in JSON and CSV: "m"; "1" for an empty unit.
[[nodiscard]] inline std::string stated(const std::string& si) { return si.empty() ? "1" : si; }
/// Returns the text that follows a number, such as " N" or " in frame N"; empty if there is neither unit nor frame.
[[nodiscard]] std::string behind(const UnitText& unit, std::string_view frame = "");
/// Replaces −0 by 0.
[[nodiscard]] inline double shown(double value) { return value == 0.0 ? 0.0 : value; }

}  // namespace vinculum::report
