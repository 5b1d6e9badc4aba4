#pragma once

#include <span>
#include <vector>

#include "vinculum/model/builder.hpp"

namespace vinculum::model {

/// Adds a system that is given by its equations without constraints, M(q, t) q'' = Q(q, q', t) ([UK] eq. 1). The model
/// stores it as
///
///   L = ½ q'ᵀ M q',   D_i = Q_i + Σ_j (dM_ij/dt) q_j' − ½ Σ_jk (∂M_jk/∂q_i) q_j' q_k'
///
/// The Lagrange equations of L with the generalized forces D are the given ones. So the energy is ½ q'ᵀMq', and D = Q
/// wherever M is constant. Other parts of the model remain as they are; their equations are added to these.
/// \param M  lower triangle of the symmetric matrix: [n][i + 1], scalars of position level.
/// \param Q  [n] scalars of velocity level at most.   \pre the sizes agree.
void add_equations(ModelBuilder& builder, std::span<const CoordinateId> q, const std::vector<std::vector<Term>>& M,
                   std::span<const Term> Q);

}  // namespace vinculum::model
