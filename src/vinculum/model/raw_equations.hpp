#pragma once

#include <span>
#include <vector>

#include "vinculum/model/builder.hpp"

namespace vinculum::model {

/// A system given by its equations alone, M(q, t) q'' = Q(q, q', t) without constraints ([UK] eq. 1):
///
///   L = ½ q'ᵀ M q',   D_i = Q_i + Σ_j (dM_ij/dt) q_j' − ½ Σ_jk (∂M_jk/∂q_i) q_j' q_k'
///
/// has these Lagrange equations. So the energy is ½ q'ᵀMq', and the generalized forces are Q wherever M is constant.
/// They add to what else the model holds.
/// \param M  lower triangle of the symmetric matrix: [n][i + 1], scalars of position level.  \param Q [n] scalars of
/// velocity level at most.   \pre the sizes agree.
void add_equations(ModelBuilder& builder, std::span<const CoordinateId> q, const std::vector<std::vector<Term>>& M,
                   std::span<const Term> Q);

}  // namespace vinculum::model
