#include "vinculum/diag/diagnostic.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

#include "vinculum/base/contract.hpp"

namespace vinculum::diag {
namespace {

constexpr KindInfo kKinds[] = {
    {Kind::kUnexpectedCharacter, "unexpected-character", "a character that nothing in the language begins with"},
    {Kind::kUnterminatedString, "unterminated-string", "a string that is not closed on its line"},
    {Kind::kBadNumber, "bad-number", "a number that cannot be read, or is too large"},
    {Kind::kUnexpectedToken, "unexpected-token", "a word or symbol that the grammar does not allow here"},
    {Kind::kUnclosedBracket, "unclosed-bracket",
     "a bracket, brace or bar that is not closed, or closed without being open"},
    {Kind::kNestingTooDeep, "nesting-too-deep", "brackets or operators nested deeper than the limit"},
    {Kind::kUnknownStatement, "unknown-statement", "a line that begins with no keyword"},
    {Kind::kNotSupported, "not-supported", "a construct of the language that this version does not have yet"},
    {Kind::kUnknownName, "unknown-name", "a name that is not defined before its use"},
    {Kind::kWrongKind, "wrong-kind", "a value or a name of the wrong kind"},
    {Kind::kDuplicateName, "duplicate-name", "a name declared twice"},
    {Kind::kReservedName, "reserved-name", "a keyword, function or constant declared as a name"},
    {Kind::kUnknownUnit, "unknown-unit", "a unit that is not in the table of units"},
    {Kind::kDimensionMismatch, "dimension-mismatch", "two sides, terms or a declaration that differ in dimension"},
    {Kind::kWrongArgumentCount, "wrong-argument-count", "a function with too few or too many arguments"},
    {Kind::kUnknownFunction, "unknown-function", "a call of a name that is not a function"},
    {Kind::kMisplacedStatement, "misplaced-statement", "a statement or clause in a place where it is not allowed"},
    {Kind::kNotAllowedHere, "not-allowed-here", "an expression that is not allowed in this place"},
    {Kind::kPointNotInConstraint, "point-not-in-constraint", "a force at a point where the constraint exerts none"},
    {Kind::kDerivativeOrder, "derivative-order",
     "a time derivative above the second, or above the third where the law of a constraint takes it"},
    {Kind::kSingularSpeeds, "singular-speeds",
     "speed definitions that cannot be solved for the derivatives of the coordinates"},
    {Kind::kBadStart, "bad-start", "a start value of a quantity that has none, or two start values of one quantity"},
    {Kind::kBadValue, "bad-value", "a number outside its meaningful range"},
    {Kind::kTrivialConstraint, "trivial-constraint",
     "a constraint whose relation reduces to 0 = 0, or a `reveal` at a point that carries nothing"},
    {Kind::kIncompleteReveal, "incomplete-reveal",
     "a `reveal` of the force on a body without forces that act at other points of the body"},
    {Kind::kUnstatedStart, "unstated-start", "multipliers of a law that start at 0, because no start is stated"},
    {Kind::kLawWithoutEffect, "law-without-effect",
     "a law of reaction that equals the ideal one for such a constraint"},
    {Kind::kContradiction, "contradiction", "a constraint whose relation can never be true"},
    {Kind::kBareAngle, "bare-angle",
     "a number without a unit, used with an angle that is declared in another unit than rad"},
    {Kind::kUnusedCoordinate, "unused-coordinate",
     "a coordinate that appears in no mass, no Lagrangian and no constraint"},
    {Kind::kPlaceOfContact, "place-of-contact",
     "a place that moves with a body, although a point of the body is probably meant"},
    {Kind::kDoubtfulFriction, "doubtful-friction",
     "friction whose coefficients or velocity of sliding are probably not those meant"},
    {Kind::kMissingStatement, "missing-statement", "a statement that the model needs and does not have"},
    {Kind::kFileNotFound, "file-not-found", "a file that the model names and that cannot be read"},
    {Kind::kBadTable, "bad-table", "a table file that does not contain a table of numbers"},
    {Kind::kIncludeCycle, "include-cycle", "a file that includes itself, directly or through other files"},
    {Kind::kTooManyStatements, "too-many-statements",
     "loops, families and components that make more statements than a model may have"},
    {Kind::kTooManyErrors, "too-many-errors", "reading stopped after the largest number of errors shown"},
    {Kind::kBadXml, "bad-xml", "a file to be imported that is not XML"},
    {Kind::kNotATree, "not-a-tree", "links of a robot that do not form one tree"},
};

constexpr std::size_t kLongestNameToCompare = 64;

char lower(char c) { return 'A' <= c && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// Twice the edit distance of two names. An insertion, a deletion, a substitution or an exchange of neighbors counts 2.
// A change between upper and lower case counts 1.
int twice_edit_distance(std::string_view first, std::string_view second) {
  std::array<std::array<int, kLongestNameToCompare + 1>, 3> rows{};
  for (std::size_t j = 0; j <= second.size(); ++j) rows[0][j] = 2 * static_cast<int>(j);
  for (std::size_t i = 1; i <= first.size(); ++i) {
    auto& row = rows[i % 3];
    const auto& above = rows[(i + 2) % 3];
    const auto& two_above = rows[(i + 1) % 3];
    row[0] = 2 * static_cast<int>(i);
    for (std::size_t j = 1; j <= second.size(); ++j) {
      const char a = first[i - 1];
      const char b = second[j - 1];
      const int substitution = a == b ? 0 : lower(a) == lower(b) ? 1 : 2;
      row[j] = std::min({above[j] + 2, row[j - 1] + 2, above[j - 1] + substitution});
      if (i > 1 && j > 1 && a == second[j - 2] && first[i - 2] == b) row[j] = std::min(row[j], two_above[j - 2] + 2);
    }
  }
  return rows[first.size() % 3][second.size()];
}

}  // namespace

std::span<const KindInfo> diagnostic_table() { return kKinds; }

const KindInfo& kind_info(Kind kind) {
  const auto* row = std::ranges::find(kKinds, kind, &KindInfo::kind);
  VINCULUM_EXPECTS(row != std::end(kKinds));
  return *row;
}

void Diagnostics::report(Diagnostic diagnostic) { all_.push_back(std::move(diagnostic)); }

bool Diagnostics::has_errors() const {
  return std::ranges::any_of(all_, [](const Diagnostic& one) { return one.severity == Severity::kError; });
}

void Diagnostics::sort() { sort_by_place(all_); }

void sort_by_place(std::span<Diagnostic> diagnostics) {
  std::ranges::stable_sort(diagnostics, [](const Diagnostic& a, const Diagnostic& b) {
    return a.range.begin != b.range.begin ? a.range.begin < b.range.begin : a.severity < b.severity;
  });
}

std::string nearest_name(std::string_view name, std::span<const std::string> candidates) {
  if (name.empty() || name.size() > kLongestNameToCompare) return {};
  const auto is_same = [&](const std::string& candidate) {
    return candidate != name && std::ranges::equal(candidate, name, {}, lower, lower);
  };
  if (const auto same = std::ranges::find_if(candidates, is_same); same != candidates.end()) return *same;
  // About a third of the letters may differ. For a name of one letter, only its case may differ.
  const int limit = name.size() == 1 ? 1 : 2 * std::max(1, static_cast<int>(name.size()) / 3);
  int best = limit + 1;
  std::string_view nearest;
  for (const std::string& candidate : candidates) {
    if (candidate.empty() || candidate.size() > kLongestNameToCompare || candidate == name) continue;
    const auto difference = static_cast<int>(candidate.size()) - static_cast<int>(name.size());
    if (2 * std::abs(difference) >= best) continue;
    const int distance = twice_edit_distance(name, candidate);
    if (distance < best) {
      best = distance;
      nearest = candidate;
    }
  }
  return std::string(nearest);
}

}  // namespace vinculum::diag
