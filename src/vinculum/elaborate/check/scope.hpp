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
  kState
};
/// "coordinate", "let", …
[[nodiscard]] std::string_view to_string(SymbolKind kind);
/// What to write where `owner.part` stands and the owner has no such part: `bar.tip`, `P.vel`. May be empty.
[[nodiscard]] std::string hint_for_part(SymbolKind kind, const std::string& owner, const std::string& part);

enum class SymbolState : std::uint8_t {
  kDeclared,  ///< its statement is not elaborated yet
  kReady,
  kFaulty,  ///< its statement was wrong and reported: uses of it are silent
};

struct Symbol {
  SymbolKind kind{};
  SymbolState state = SymbolState::kDeclared;
  std::string name;
  diag::SourceRange range;             ///< of the name where it is declared
  std::size_t statement = 0;           ///< index of its statement
  std::uint32_t index = 0;             ///< id of the model's entity; not for lets, reveals and outputs
  Needs needs{};                       ///< lets, reveals and outputs: what must be known before they have a value
  Value value;                         ///< lets, reveals and outputs
  Turning turning;                     ///< parameters, coordinates, speeds, states
  UnitValue declared;                  ///< what a bare number set or compared to it is measured in
  std::optional<Dimension> next_unit;  ///< of a parameter without a unit: that of the next one, which could be its own
  std::optional<diag::Diagnostic>
      if_angle;               ///< of such a parameter before one in degrees: to be said where it is an angle
  bool is_doubtful = false;   ///< its statement was wrong, and says of which kind it is but not of which dimension
  bool is_nonlinear = false;  ///< a speed of `Model::nonlinear_speeds`: `value` is its definition
};

/// The one flat scope of a model. Names are declared in a pass of their own, so that a use before the declaration can
/// say so; a use sees what an earlier statement, or an earlier item of its own statement, declares.
class Scope {
 public:
  static constexpr std::uint32_t kNowhere = 0xffffffffu;  ///< behind every text: of a name that an option gives
  explicit Scope(Reporter& reporter) : reporter_(reporter) {}

  /// Reports duplicates and reserved names; then the statement's own entity is to be left out (null).
  Symbol* declare(SymbolKind kind, const lang::Name& name, std::size_t statement);
  /// Names that may be declared at this place, in text that was left out: behind it they are no news when unknown.
  void forgive(const std::string& name, std::uint32_t from = 0);
  void forgive_all(std::uint32_t from) { all_forgiven_from_ = from; }
  [[nodiscard]] bool is_forgiven(const std::string& name, std::uint32_t at) const;

  [[nodiscard]] Symbol* find(const std::string& name);
  /// The function that the name stands for without arguments, as `energy`: null where it is declared, or may be.
  [[nodiscard]] const FunctionInfo* function(const std::string& name, diag::SourceRange at);
  /// What `name` stands for at `statement`, or null after a report (or silence, where the cause is known).
  Symbol* resolve(const std::string& name, diag::SourceRange range, std::size_t statement);
  [[nodiscard]] std::string hint_for(const std::string& name, std::size_t statement);
  [[nodiscard]] std::vector<std::string> names_before(std::size_t statement) const;

 private:
  Reporter& reporter_;
  std::unordered_map<std::string, Symbol> symbols_;          ///< references stay valid while it grows
  std::unordered_map<std::string, std::uint32_t> forgiven_;  ///< from where on
  std::unordered_set<std::string> early_;                    ///< used before their declaration, and reported
  std::optional<std::uint32_t> all_forgiven_from_;
};

}  // namespace vinculum::elaborate
