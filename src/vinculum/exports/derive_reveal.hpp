#pragma once

#include <string>
#include <vector>

#include "vinculum/exports/derive_lines.hpp"

namespace vinculum::report {

/// One component of the force that a `reveal` statement requests, in the symbols of the equations: λ_s = −(F_s + F*_s).
/// F_s and F*_s are the generalized active and inertia force of an auxiliary speed, as expressions in t, q, u, z, u', λ
/// and efforts.
struct RevealedForce {
  std::string name;   ///< name in results: "hold", "sigma[2]"
  std::string speed;  ///< name of the auxiliary speed: "u(hold)", "u(sigma)[2]"
  model::RevealId reveal;
  int k = 0;
  expr::Expr active, inertia;  ///< generalized active force F_s and inertia force F*_s
  expr::Expr value;            ///< the revealed force −(F_s + F*_s)
};

/// Returns the forces of all `reveal` statements, in the order of the model. Adds nodes to the graph.
[[nodiscard]] std::vector<RevealedForce> revealed_forces(const Derivation& derivation);

/// Adds the section on revealed forces to a listing: the auxiliary speeds, their partial velocities, and their
/// equations.
void list_revealed(Lines& lines, const Derivation& derivation);

}  // namespace vinculum::report
