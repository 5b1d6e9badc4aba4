#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vinculum/diag/source.hpp"

namespace vinculum::diag {

enum class Severity { kError, kWarning, kNotice };

/// What is wrong with a model. One row each in `diagnostic_table()`, a page in docs/errors/, a golden test.
enum class Kind {
  kUnexpectedCharacter,  ///< a character that no token begins with, bad UTF-8
  kUnterminatedString,
  kBadNumber,        ///< `1.2.3`, `1e`, overflow
  kUnexpectedToken,  ///< syntax: found …, expected …
  kUnclosedBracket,
  kNestingTooDeep,
  kUnknownStatement,  ///< a line begins with no keyword
  kNotSupported,      ///< a statement, clause or function of the language that this version does not have yet
  kUnknownName,
  kWrongKind,  ///< a scalar where a vector is wanted, a point where a frame is wanted, …
  kDuplicateName,
  kReservedName,
  kUnknownUnit,
  kDimensionMismatch,
  kWrongArgumentCount,
  kUnknownFunction,
  kMisplacedStatement,    ///< `model` not first, a second `run`, a clause with no statement, no newtonian frame
  kNotAllowedHere,        ///< a multiplier inside a constraint's relation, q'' in a load, `t` in a param, …
  kPointNotInConstraint,  ///< force(c, P) where P carries no force of c
  kDerivativeOrder,       ///< dt would need a derivative above the second
  kSingularSpeeds,        ///< speed definitions not affine in q', or not invertible
  kBadStart,              ///< a start condition on what has no start
  kBadValue,              ///< a mass < 0, a run of length ≤ 0, a tolerance outside (0, 1)
  kTrivialConstraint,     ///< warning: the relation reduces to 0 = 0; a `reveal` does
  kUnstatedStart,         ///< notice: the multipliers of a law start at 0, which nothing states
  kLawWithoutEffect,      ///< notice: a law equals the ideal one for such a constraint
  kContradiction,         ///< the relation reduces to 1 = 0
  kBareAngle,             ///< warning: `a = 90` beside a coordinate in degrees
  kUnusedCoordinate,      ///< a coordinate that appears in no mass, Lagrangian or constraint
  kPlaceOfContact,        ///< warning: a place that goes along with a body where a point of it is meant
  kMissingStatement,      ///< no `run`, no coordinate, …
  kFileNotFound,          ///< a table's file, an included one
  kBadTable,              ///< a table's content
  kIncludeCycle,          ///< a file that includes itself, directly or by others
  kTooManyStatements,     ///< loops, families and components written out are too long
  kTooManyErrors,         ///< reading or checking stopped after 200 errors
};

struct KindInfo {
  Kind kind;
  std::string_view name;     ///< in brackets after the message, and `"kind"` in JSON
  std::string_view meaning;  ///< one line for docs
};
[[nodiscard]] std::span<const KindInfo> diagnostic_table();
[[nodiscard]] const KindInfo& kind_info(Kind kind);

/// A further place that helps to understand the first, with its own words ("acceleration, m/s^2").
struct Label {
  SourceRange range;
  std::string text;
};

struct Diagnostic {
  Kind kind{};
  Severity severity = Severity::kError;
  SourceRange range;          ///< the exact token or expression at fault
  std::string message;        ///< what was found and what was expected, without a full stop
  std::string label;          ///< words behind the caret of `range`, may be empty
  std::vector<Label> labels;  ///< other places, in the order to show them
  std::string hint;           ///< what to do, may be empty
};

/// Collects diagnostics; the parser and the elaboration go on after each.
class Sink {
 public:
  virtual ~Sink() = default;
  virtual void report(Diagnostic diagnostic) = 0;
};

/// The usual sink: keeps everything.
class Diagnostics final : public Sink {
 public:
  void report(Diagnostic diagnostic) override;
  [[nodiscard]] std::span<const Diagnostic> all() const { return all_; }
  [[nodiscard]] bool has_errors() const;
  /// Orders by place; at one place errors first. Rendering does this itself.
  void sort();

 private:
  std::vector<Diagnostic> all_;
};

/// Orders by place; at one place errors first, then in the order reported.
void sort_by_place(std::span<Diagnostic> diagnostics);

/// The name in `candidates` nearest to `name` by edit distance, or empty when none is near enough to suggest.
[[nodiscard]] std::string nearest_name(std::string_view name, std::span<const std::string> candidates);

}  // namespace vinculum::diag
