#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "vinculum/base/unit.hpp"
#include "vinculum/elaborate/check/functions.hpp"
#include "vinculum/elaborate/check/report.hpp"
#include "vinculum/elaborate/check/value.hpp"
#include "vinculum/lang/ast.hpp"

namespace vinculum::elaborate {

enum class SymbolKind : std::uint8_t {
  kParameter,
  kCoordinate,
  kSpeed,
  kLet,
  kFrame,
  kPoint,
  kBody,
  kConstraint,
  kReveal,
  kOutput,
  kState,
  kEvent,
  kInput
};
/// "coordinate", "let", …
[[nodiscard]] std::string_view to_string(SymbolKind kind);
/// Hint for `owner.part` if the owner has no such part: `bar.tip`, `P.vel`. May be empty.
[[nodiscard]] std::string hint_for_part(SymbolKind kind, const std::string& owner, const std::string& part);

enum class SymbolState : std::uint8_t {
  kDeclared,  ///< its statement has not been elaborated yet
  kReady,
  kFaulty,  ///< its statement was wrong and has been reported; uses of it are not reported
};

struct Symbol {
  SymbolKind kind{};
  SymbolState state = SymbolState::kDeclared;
  std::string name;
  diag::SourceRange range;    ///< of the name in its declaration
  std::size_t statement = 0;  ///< index of its statement
  std::uint32_t index = 0;    ///< id of the entity in the model; not for lets, reveals and outputs
  Needs needs{};              ///< lets, reveals, outputs and inputs: what must be complete before they have a value
  Value value;                ///< lets, reveals, outputs and inputs
  Turning turning;            ///< parameters, coordinates, speeds, states
  UnitValue declared;         ///< the unit of a bare number assigned to it or compared with it
  /// For a parameter without unit: the unit of the next parameter, which it could take
  std::optional<Dimension> next_unit;
  std::optional<diag::Diagnostic>
      if_angle;               ///< for such a parameter before one in degrees: the warning if it is used as an angle
  bool is_doubtful = false;   ///< its statement was wrong, and determines its kind but not its dimension
  bool is_nonlinear = false;  ///< a speed of `Model::nonlinear_speeds`: `value` is its definition
};

/// The single flat scope of a model. Names are declared in a pass of their own, so that a use before the declaration
/// can be reported as such. A use sees the names of earlier statements and of earlier items of its own statement.
class Scope {
 public:
  static constexpr std::uint32_t kNowhere = 0xffffffffu;  ///< after all texts: position of a name in an option
  explicit Scope(Reporter& reporter) : reporter_(reporter) {}

  /// Declares a name. Reports duplicates and reserved names and then returns null: the entity must be left out.
  Symbol* declare(SymbolKind kind, const lang::Name& name, std::size_t statement);
  /// Names that omitted text may have declared from byte `from` on: uses after it are not reported as unknown.
  void forgive(const std::string& name, std::uint32_t from = 0);
  void forgive_all(std::uint32_t from) { all_forgiven_from_ = from; }
  [[nodiscard]] bool is_forgiven(const std::string& name, std::uint32_t at) const;

  [[nodiscard]] Symbol* find(const std::string& name);
  /// The function with that name that takes no arguments, such as `energy`; null if the name is, or may be, declared.
  [[nodiscard]] const FunctionInfo* function(const std::string& name, diag::SourceRange at);
  /// The symbol of `name` as seen from `statement`; null after an error, which is reported unless its cause has been
  /// reported.
  Symbol* resolve(const std::string& name, diag::SourceRange range, std::size_t statement);
  [[nodiscard]] std::string hint_for(const std::string& name, std::size_t statement);
  [[nodiscard]] std::vector<std::string> names_before(std::size_t statement) const;

 private:
  Reporter& reporter_;
  std::unordered_map<std::string, Symbol> symbols_;          ///< references stay valid when it grows
  std::unordered_map<std::string, std::uint32_t> forgiven_;  ///< byte from which on each name is forgiven
  std::unordered_set<std::string> early_;  ///< names whose use before their declaration has been reported
  std::optional<std::uint32_t> all_forgiven_from_;
};

}  // namespace vinculum::elaborate
