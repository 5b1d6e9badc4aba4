#pragma once

#include <array>
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
/// Message and hint about a second declaration of a name.
[[nodiscard]] std::string declared_twice(const std::string& name);
inline constexpr const char* kHintOfDeclaredTwice = "take one of the two out, or give it another name";
/// Text for messages: "coordinate", "let", …
[[nodiscard]] std::string_view to_string(SymbolKind kind);
/// Hint for a text `owner.part` whose owner has no such part: `bar.tip`, `P.vel`. May be empty.
[[nodiscard]] std::string hint_for_part(SymbolKind kind, const std::string& owner, const std::string& part);

enum class SymbolState : std::uint8_t {
  kDeclared,  ///< its statement has not been elaborated yet
  kReady,
  kFaulty,  ///< its statement has an error, which has been reported; uses of the symbol are not reported
};

struct Symbol {
  SymbolKind kind{};
  SymbolState state = SymbolState::kDeclared;
  std::string name;
  diag::SourceRange range;    ///< range of the name in its declaration
  std::size_t statement = 0;  ///< index of the declaring statement
  std::uint32_t index = 0;    ///< id in the model of the declared thing; not for lets, reveals and outputs
  Needs needs{};    ///< for lets, reveals, outputs and inputs: the part of the model that must be complete before the
                    ///< symbol has a value
  Value value;      ///< for lets, reveals, outputs and inputs
  Turning turning;  ///< for parameters, coordinates, speeds and states
  UnitValue declared;  ///< the unit that a number without unit takes if it is assigned to the symbol or compared with
                       ///< it
  /// For a parameter without unit: the unit of the next parameter in its statement. A unit covers all names before it,
  /// so perhaps it was meant for this parameter too
  std::optional<Dimension> next_unit;
  std::optional<diag::Diagnostic>
      if_angle;               ///< if that unit is degrees: the warning to report when the parameter is used as an angle
  bool is_doubtful = false;   ///< its statement has an error, so its kind is known but its dimension is not
  bool is_nonlinear = false;  ///< a speed in `Model::nonlinear_speeds`; `value` is its definition
};

/// All names of a model, in one scope. Names are declared before any statement is elaborated, so a use before the
/// declaration can be reported as such. A statement can use the names of earlier statements and of its own earlier
/// items.
class Scope {
 public:
  static constexpr std::uint32_t kNowhere = 0xffffffffu;  ///< position of names in options of the command: after all
                                                          ///< texts
  explicit Scope(Reporter& reporter) : reporter_(reporter) {}

  /// Declares a name. Reports a duplicate or reserved name and then returns null; the caller must leave out the thing.
  Symbol* declare(SymbolKind kind, const lang::Name& name, std::size_t statement);
  /// Records a name that left-out text may have declared: its uses after byte `from` are not reported as unknown.
  void forgive(const std::string& name, std::uint32_t from = 0);
  void forgive_all(std::uint32_t from) { all_forgiven_from_ = from; }
  [[nodiscard]] bool is_forgiven(const std::string& name, std::uint32_t at) const;

  [[nodiscard]] Symbol* find(const std::string& name);
  [[nodiscard]] std::vector<const Symbol*> all() const;  ///< in no order
  /// The function with that name that takes no arguments, such as `energy`. Null if the name is declared, or may be
  /// declared by left-out text.
  [[nodiscard]] const FunctionInfo* function(const std::string& name, diag::SourceRange at);
  /// The symbol of `name` as visible in the statement with index `statement`. Null after an error; the error is
  /// reported unless its cause has been reported.
  Symbol* resolve(const std::string& name, diag::SourceRange range, std::size_t statement);
  [[nodiscard]] std::string hint_for(const std::string& name, std::size_t statement);
  /// The constraints of `limits` with that name or of that coordinate: "its limits are `q.min` and `q.max`". Empty if
  /// there are none.
  [[nodiscard]] std::string hint_for_limits(const std::string& owner);
  [[nodiscard]] std::vector<std::string> names_before(std::size_t statement) const;
  /// Inside the height of a ground: the place on it, which the names x, y, z denote there instead of symbols.
  [[nodiscard]] const std::optional<std::array<model::Term, 3>>& place() const { return place_; }
  void set_place(const std::optional<std::array<model::Term, 3>>& place) { place_ = place; }

 private:
  Reporter& reporter_;
  std::unordered_map<std::string, Symbol> symbols_;          ///< references to symbols stay valid when it grows
  std::unordered_map<std::string, std::uint32_t> forgiven_;  ///< for each name, the byte after which it is not reported
  std::unordered_set<std::string> early_;  ///< names for which a use before the declaration has been reported
  std::optional<std::uint32_t> all_forgiven_from_;
  std::optional<std::array<model::Term, 3>> place_;
};

}  // namespace vinculum::elaborate
