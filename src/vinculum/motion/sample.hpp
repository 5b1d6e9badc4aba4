#pragma once

#include <array>
#include <vector>

#include "vinculum/base/linear_algebra.hpp"
#include "vinculum/motion/mode.hpp"
#include "vinculum/solve/pivoted/reaction.hpp"

namespace vinculum::sim {

/// All reported quantities at one instant.
struct Sample {
  double t = 0.0;
  Vector q, u;               ///< [nq], [nu] coordinates and speeds
  Vector z, z_dot;           ///< [nz] extra states and their rates
  Vector top;                ///< highest derivatives (HigherOrder::top); empty without constraints of higher order
  Vector q_dot;              ///< [nq] G u + g
  solve::Reaction reaction;  ///< accelerations, multipliers, generalized forces and efforts
  Vector vectors;            ///< values of System::vectors
  bool is_free_motion_unique = true;  ///< false: M is singular, and the free acceleration in `vectors` is not unique
  FrictionState friction;             ///< state of all friction contacts; empty if the model has none
  Vector outputs;                     ///< [output_size], columns as in CompiledModel::output_columns
  Vector expectations;     ///< both sides of the model's expectations, columns as in CompiledModel::expectation_columns
  Vector residual;         ///< [constraints] largest absolute residual of the rows of the constraint as stated
  int rank = 0;            ///< rank of A at this state
  std::vector<char> acts;  ///< [nc] whether the row acts at this state; empty if all rows always act
  // Whether a quantity has the same value for every admissible λ (theory.md §3.5): 1 or 0.
  std::vector<char> row_unique;                         ///< [nc] multiplier of the row
  std::vector<std::array<char, 3>> point_force_unique;  ///< [point_forces] along x, y, z of the newtonian frame
  struct BodyUnique {
    std::array<char, 3> force{1, 1, 1}, couple{1, 1, 1}, moment{1, 1, 1};  ///< `moment` is about the mass center
  };
  std::vector<BodyUnique> body_wrench_unique;  ///< [body_wrenches] along the same axes
  std::vector<char> output_unique;             ///< [output_size] each entry of an output
};

}  // namespace vinculum::sim
