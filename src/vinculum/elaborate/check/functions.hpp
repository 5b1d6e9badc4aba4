#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "vinculum/expr/operation.hpp"

namespace vinculum::elaborate {

/// What an argument must be.
enum class ArgumentKind : std::uint8_t {
  kNone,    ///< no argument at this place
  kNumber,  ///< dimensionless scalar
  kScalar,  ///< scalar of any dimension
  kLike,    ///< scalar of the first argument's dimension
  kVector,
  kQuantity,    ///< scalar, vector, list or matrix
  kPoint,       ///< a body stands for its mass centre
  kMass,        ///< a particle or a body
  kMomentumOf,  ///< one of these, or a coordinate
  kFrame,       ///< a body stands for its frame
  kBody,        ///< a frame stands for the body fixed in it
  kPointOrBody,
  kConstraint,  ///< a constraint, or one row of it: `roll`, `roll[2]`
  kText,
  kList,  ///< list of scalars
  kMatrix,
  kArray,  ///< list or matrix
  kIndex,  ///< whole number from 1
};

/// Dimension of the result.
enum class DimensionRule : std::uint8_t {
  kNumber,   ///< dimensionless
  kAsFirst,  ///< the first argument's
  kRoot,     ///< its square root
  kProduct,  ///< product of the arguments'
  kOwn,      ///< a rule of the function's own
};

enum class Function : std::uint8_t {
  kElementary,  ///< one operation of the expression graph: see `op`
  kMinimum,
  kMaximum,
  kSmoothstep,
  kTable,
  kDot,
  kCross,
  kNorm,
  kUnit,
  kPosition,
  kVelocity,
  kAcceleration,
  kAngularVelocity,
  kAngularAcceleration,
  kTimeDerivative,
  kMultiplier,
  kIdealMultiplier,
  kForce,
  kIdealForce,
  kNonidealForce,
  kReaction,
  kResidual,
  kGeneralizedForce,
  kGeneralizedIdealForce,
  kGeneralizedNonidealForce,
  kDeparture,
  kIdealForces,
  kNonidealForces,
  kConstraintForces,
  kFreeAcceleration,
  kGaussFunction,
  kTorque,
  kEffort,
  kCenter,
  kJacobian,
  kPseudoInverse,
  kTranspose,
  kSolve,
  kKineticEnergy,
  kPotentialEnergy,
  kEnergy,
  kHamiltonian,
  kEffectiveEnergy,
  kPower,
  kMomentum,
  kAngularMomentum,
  kNotSupported,  ///< a function of the language that this version does not have
};

/// What a function needs to be known before it has a value.
enum class Needs : std::uint8_t {
  kNothing,
  kSpeeds,       ///< the motion variables that nothing states: those of quaternions
  kMasses,       ///< all masses and potentials of the model: the energies
  kConstraints,  ///< a constraint that is complete: multipliers and forces
  kEverything,   ///< all constraints: revealed forces
};

constexpr int kAnyCount = 16;  ///< `max_arguments` of min and max

struct FunctionInfo {
  Function function;
  std::string_view name;
  std::string_view signature;  ///< "vel(P[, F])"; without brackets where it takes no arguments
  int min_arguments;           ///< 0 and 0: a quantity that is named, not called
  int max_arguments;
  std::array<ArgumentKind, 3> arguments;  ///< the last one repeats for further arguments
  DimensionRule dimension;
  Needs needs;
  expr::Op op;               ///< kElementary, kMinimum, kMaximum only
  std::string_view meaning;  ///< one line for docs and help
};

/// The one table of the language's functions; checks, messages and docs follow from it.
[[nodiscard]] std::span<const FunctionInfo> function_table();
/// The row of that name, or null.
[[nodiscard]] const FunctionInfo* find_function(std::string_view name);
/// "did you mean `sin`?", or empty.
[[nodiscard]] std::string hint_for_function(std::string_view name);

}  // namespace vinculum::elaborate
