#pragma once

#include <string>
#include <vector>

#include "vinculum/reaction_laws/law.hpp"

namespace vinculum::reaction_laws {

/// The laws that text may name, one row each. Handed to whoever parses and elaborates; a program may add its own.
class Table {
 public:
  explicit Table(std::vector<Kind> kinds = {});
  /// \pre no row has its word.
  void add(Kind kind);
  [[nodiscard]] lang::LawForms forms() const { return forms_; }
  /// The row of that word, or null.
  [[nodiscard]] const Kind* find(std::string_view word) const;
  /// Laws for relations that hold third derivatives: "`law NAME`".
  [[nodiscard]] std::string names_of_third() const;

 private:
  std::vector<Kind> kinds_;
  std::vector<lang::LawForm> forms_;
};

/// Those of theory.md §6.
[[nodiscard]] const Table& laws();

/// Hints at other laws where rows do not suit: of velocities under a law of positions, not homogeneous in velocities,
/// of positions that the time moves.
inline constexpr const char* kHintOfVelocity =
    "at velocity level it is `law viscous` that dissipates, `law inertial` that does not";
inline constexpr const char* kHintOfAffineRows =
    "the reaction of an affine row does work, R*q' = -lambda times the free term; take `law ideal` or `law vakonomic`";
inline constexpr const char* kHintOfMovedRows =
    "the reaction of a row moved by the time does work, R*q' = -lambda times its own rate at rest; take `law ideal`";

/// Two of them, as a list to compare: for messages.
inline constexpr const char* kTwoLaws = "ideal,vakonomic";
/// Some of them with all that such a list can hold.
inline constexpr const char* kSeveralLaws = "ideal,vakonomic(mu=1),kozlov(c=2),viscous(kappa=1e1..1e4)";

}  // namespace vinculum::reaction_laws
