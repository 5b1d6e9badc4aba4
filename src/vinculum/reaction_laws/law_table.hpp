#pragma once

#include <string>
#include <vector>

#include "vinculum/reaction_laws/law.hpp"

namespace vinculum::reaction_laws {

/// Table of the reaction laws that model texts may use. It is an argument of the parser and of the elaborator, so a
/// program may add laws.
class Table {
 public:
  explicit Table(std::vector<Kind> kinds = {});
  /// \pre no law in the table has the same keyword.
  void add(Kind kind);
  [[nodiscard]] lang::LawForms forms() const { return forms_; }
  /// The entry with that keyword, or null.
  [[nodiscard]] const Kind* find(std::string_view word) const;
  /// Names of the laws that accept relations with third derivatives, for messages: "`law NAME`".
  [[nodiscard]] std::string names_of_third() const;

 private:
  std::vector<Kind> kinds_;
  std::vector<lang::LawForm> forms_;
};

/// The table of the laws of theory.md §6.
[[nodiscard]] const Table& laws();

/// Hints at other laws if a law does not accept the rows. They are for, in this order: rows of velocity level under a
/// law for positions; rows that are not homogeneous in the velocities; rows of position level that depend on time.
inline constexpr const char* kHintOfVelocity =
    "at velocity level it is `law viscous` that dissipates, `law inertial` that does not";
inline constexpr const char* kHintOfAffineRows =
    "the reaction of an affine row does work, R*q' = -lambda times the free term; take `law ideal` or `law vakonomic`";
inline constexpr const char* kHintOfMovedRows =
    "the reaction of a row moved by the time does work, R*q' = -lambda times its own rate at rest; take `law ideal`";

/// Two laws, as an example of a list to compare, for messages.
inline constexpr const char* kTwoLaws = "ideal,vakonomic";
/// Several laws with all forms of arguments that such a list allows, for messages.
inline constexpr const char* kSeveralLaws = "ideal,vakonomic(mu=1),kozlov(c=2),viscous(kappa=1e1..1e4)";

}  // namespace vinculum::reaction_laws
