#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vinculum/diag/source.hpp"

namespace vinculum::diag {

enum class Severity { kError, kWarning, kNotice };

/// Kinds of diagnostics about a model. Each has a row in `diagnostic_table()`, a page in docs/errors/ and a golden
/// test.
enum class Kind {
  kUnexpectedCharacter,  ///< a character that no token begins with, bad UTF-8
  kUnterminatedString,
  kBadNumber,        ///< `1.2.3`, `1e`, overflow
  kUnexpectedToken,  ///< syntax: found …, expected …
  kUnclosedBracket,
  kNestingTooDeep,
  kUnknownStatement,  ///< a line that begins with no keyword
  kNotSupported,      ///< a statement, clause or function of the language that this version does not support yet
  kUnknownName,
  kWrongKind,  ///< a scalar where a vector is required, a point where a frame is required, …
  kDuplicateName,
  kReservedName,
  kUnknownUnit,
  kDimensionMismatch,
  kWrongArgumentCount,
  kUnknownFunction,
  kMisplacedStatement,    ///< `model` not first, a second `run`, a clause with no statement, no newtonian frame
  kNotAllowedHere,        ///< a multiplier inside a constraint's relation, q'' in a load, `t` in a param, …
  kPointNotInConstraint,  ///< `force(c, P)` for a point P on which the constraint c has no force
  kDerivativeOrder,       ///< a time derivative of higher order than is allowed at this place
  kSingularSpeeds,        ///< speed definitions not affine in q', or not invertible
  kBadStart,              ///< a start condition on a name that has no start value
  kBadValue,              ///< a mass < 0, a run of length ≤ 0, a tolerance outside (0, 1)
  kTrivialConstraint,     ///< warning: the relation of a constraint or of a `reveal` reduces to 0 = 0
  kIncompleteReveal,      ///< warning: the revealed force lacks forces at a point that moves with the body but is
                          ///< defined from another point
  kUnstatedStart,         ///< notice: the multipliers of a law start at 0, because no statement gives their start
  kLawWithoutEffect,      ///< notice: for this constraint its law is equivalent to the ideal law
  kContradiction,         ///< the relation reduces to 1 = 0
  kBareAngle,             ///< warning: a number without unit for a coordinate in degrees, as in `a = 90`
  kUnusedCoordinate,      ///< a coordinate that appears in no mass, Lagrangian or constraint
  kPlaceOfContact,  ///< warning: a point whose place moves along a body, used where a point fixed in the body is needed
  kDoubtfulFriction,   ///< warning: friction whose coefficients or velocity of sliding are probably not meant
  kMissingStatement,   ///< no `run`, no coordinate, …
  kFileNotFound,       ///< the file of a table, or an included file
  kBadTable,           ///< the content of a table's file is not a valid table
  kIncludeCycle,       ///< a file that includes itself, directly or through others
  kTooManyStatements,  ///< loops, families and components expand to too many statements
  kTooManyErrors,      ///< reading or checking stopped after 200 errors
  kBadXml,             ///< a file to be imported is not XML
  kNotATree,           ///< the links of a robot, or joints that mimic each other, form no tree
};

struct KindInfo {
  Kind kind;
  std::string_view name;     ///< in brackets after the message, and `"kind"` in JSON
  std::string_view meaning;  ///< one line for docs
};
[[nodiscard]] std::span<const KindInfo> diagnostic_table();
[[nodiscard]] const KindInfo& kind_info(Kind kind);

/// A further place in the text that helps to understand the error, with its own text ("acceleration, m/s^2").
struct Label {
  SourceRange range;
  std::string text;
};

struct Diagnostic {
  Kind kind{};
  Severity severity = Severity::kError;
  SourceRange range;          ///< the exact token or expression at fault
  std::string message;        ///< the fault and, in most cases, the expected text; without a full stop
  std::string label;          ///< text next to the caret under `range`; may be empty
  std::vector<Label> labels;  ///< labels at other places, in the order of display
  std::string hint;           ///< what the user can do; may be empty
};

/// Receives diagnostics. The parser and the elaboration continue after each one.
class Sink {
 public:
  virtual ~Sink() = default;
  virtual void report(Diagnostic diagnostic) = 0;
};

/// The standard sink: stores all diagnostics.
class Diagnostics final : public Sink {
 public:
  void report(Diagnostic diagnostic) override;
  [[nodiscard]] std::span<const Diagnostic> all() const { return all_; }
  [[nodiscard]] bool has_errors() const;
  /// Orders by place in the text; at the same place errors come first. The render functions sort their input
  /// themselves.
  void sort();

 private:
  std::vector<Diagnostic> all_;
};

/// Orders by place in the text. At the same place errors come first; equal ones keep the order of reporting.
void sort_by_place(std::span<Diagnostic> diagnostics);

/// The name in `candidates` that is nearest to `name` by edit distance; empty if no candidate is near enough.
[[nodiscard]] std::string nearest_name(std::string_view name, std::span<const std::string> candidates);

}  // namespace vinculum::diag
