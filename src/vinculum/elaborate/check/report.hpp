#pragma once

#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "vinculum/base/dimension.hpp"
#include "vinculum/diag/diagnostic.hpp"
#include "vinculum/diag/hints.hpp"
#include "vinculum/lang/expression.hpp"

namespace vinculum::elaborate {

/// A sink that records whether the model can still be built. A mistake at one place is reported once, even if a loop or
/// several uses of a component repeat its text with other indices or prefixes.
class Reporter {
 public:
  static constexpr int kMaxErrors = 200;  ///< after this many errors one `kTooManyErrors` is reported
  static constexpr int kMaxHints = 100;
  Reporter(const diag::SourceText& source, diag::Sink& sink) : source_(source), sink_(sink) {}

  void report(diag::Diagnostic diagnostic);
  void error(diag::Kind kind, diag::SourceRange range, std::string message, std::string hint = {});
  /// An error with a label at a second place that explains it.
  void error(diag::Kind kind, diag::SourceRange range, std::string message, diag::Label other, std::string hint = {});
  /// An error about two places that contradict each other, each with a label.
  void contrast(diag::Kind kind, std::string message, diag::Label first, diag::Label second, std::string hint = {});
  void warn(diag::Kind kind, diag::SourceRange range, std::string message, std::string hint = {});
  /// False after so many errors that the search for similar names would take too long (kMaxHints).
  [[nodiscard]] bool gives_hints() const { return errors_ < kMaxHints; }
  /// Whether the largest number of errors has been reported. Nothing more is reported then, so elaboration may stop.
  [[nodiscard]] bool is_full() const { return errors_ > kMaxErrors; }
  /// Records that a part of the model is missing whose cause has been reported. No further diagnostic is reported, but
  /// there will be no model.
  void leave_out() { is_complete_ = false; }
  [[nodiscard]] bool is_complete() const { return is_complete_; }

  /// Sets the current statement and the `use` statements from which it was expanded, innermost first. Diagnostics about
  /// the statement show them.
  void set_statement(diag::SourceRange statement, std::span<const diag::SourceRange> written_out_by) {
    statement_ = statement;
    written_out_by_.assign(written_out_by.begin(), written_out_by.end());
  }

  /// Enters and leaves the expression of a function that has been written out. Diagnostics in between show both its
  /// definition and its use.
  void enter(const lang::WrittenOut& function) { functions_.push_back(&function); }
  void leave() { functions_.pop_back(); }

  [[nodiscard]] const diag::SourceText& source() const { return source_; }
  /// Place as text, such as "pucks.vin:3".
  [[nodiscard]] std::string place(diag::SourceRange range) const;
  /// The text of a range on one line, without comments.
  [[nodiscard]] std::string as_written(diag::SourceRange range) const;
  /// The text of a range in backquotes, shortened if it is long or has several lines.
  [[nodiscard]] std::string quoted(diag::SourceRange range) const;

 private:
  const diag::SourceText& source_;
  diag::Sink& sink_;
  bool is_complete_ = true;
  int errors_ = 0;
  std::set<std::tuple<diag::Kind, diag::SourceRange>> reported_;
  diag::SourceRange statement_;
  std::vector<diag::SourceRange> written_out_by_;
  std::vector<const lang::WrittenOut*> functions_;  ///< those around the current expression, outermost first

  void show_uses(diag::Diagnostic& diagnostic) const;
  void show_functions(diag::Diagnostic& diagnostic) const;
};

/// Model text on one line, without comments.
[[nodiscard]] std::string on_one_line(std::string_view text);
/// The text in backquotes.
[[nodiscard]] std::string quote(std::string_view text);
/// The noun of a message with its article: "a length, m"; an adjective, "dimensionless", is unchanged.
[[nodiscard]] std::string with_article(const std::string& noun);

}  // namespace vinculum::elaborate
