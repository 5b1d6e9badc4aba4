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

namespace vinculum::elaborate {

/// The sink with a memory of whether the model can still be built. One mistake at one place is reported once, however
/// often a loop or the uses of a component bring its text up again: what differs then is an index or a prefix.
class Reporter {
 public:
  static constexpr int kMaxErrors = 200;  ///< then one `kTooManyErrors`
  static constexpr int kMaxHints = 100;
  Reporter(const diag::SourceText& source, diag::Sink& sink) : source_(source), sink_(sink) {}

  void report(diag::Diagnostic diagnostic);
  void error(diag::Kind kind, diag::SourceRange range, std::string message, std::string hint = {});
  /// With a further place that explains the first.
  void error(diag::Kind kind, diag::SourceRange range, std::string message, diag::Label other, std::string hint = {});
  /// Of two places that do not go together, each with what it is.
  void contrast(diag::Kind kind, std::string message, diag::Label first, diag::Label second, std::string hint = {});
  void warn(diag::Kind kind, diag::SourceRange range, std::string message, std::string hint = {});
  /// False once there are so many errors that looking for near names would take long.
  [[nodiscard]] bool gives_hints() const { return errors_ < kMaxHints; }
  /// Whether the largest number of errors is reported: nothing more will be, so elaboration may stop.
  [[nodiscard]] bool is_full() const { return errors_ > kMaxErrors; }
  /// Something is missing whose cause is reported already: no diagnostic, no model.
  void leave_out() { is_complete_ = false; }
  [[nodiscard]] bool is_complete() const { return is_complete_; }

  /// The statement in work, and the uses of components that it was written out by, the innermost first: they are shown
  /// beside mistakes in it.
  void set_statement(diag::SourceRange statement, std::span<const diag::SourceRange> written_out_by) {
    statement_ = statement;
    written_out_by_.assign(written_out_by.begin(), written_out_by.end());
  }

  [[nodiscard]] const diag::SourceText& source() const { return source_; }
  /// "pucks.vin:3"
  [[nodiscard]] std::string place(diag::SourceRange range) const;
  /// The text of a range on one line, without comments.
  [[nodiscard]] std::string as_written(diag::SourceRange range) const;
  /// The text of a range in backquotes, shortened where it is long or goes over several lines.
  [[nodiscard]] std::string quoted(diag::SourceRange range) const;

 private:
  const diag::SourceText& source_;
  diag::Sink& sink_;
  bool is_complete_ = true;
  int errors_ = 0;
  std::set<std::tuple<diag::Kind, diag::SourceRange>> reported_;
  diag::SourceRange statement_;
  std::vector<diag::SourceRange> written_out_by_;

  void show_uses(diag::Diagnostic& diagnostic) const;
};

/// A text of the language on one line, without comments.
[[nodiscard]] std::string on_one_line(std::string_view text);
/// The text in backquotes.
[[nodiscard]] std::string quote(std::string_view text);
/// "a length, m", "dimensionless": for the middle of a sentence.
[[nodiscard]] std::string with_article(const std::string& noun);

}  // namespace vinculum::elaborate
