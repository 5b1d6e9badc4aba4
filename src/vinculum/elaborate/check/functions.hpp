#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "vinculum/expr/operation.hpp"

namespace vinculum::elaborate {

/// Requirement on an argument of a function.
enum class ArgumentKind : std::uint8_t {
  kNone,    ///< no argument at this place
  kNumber,  ///< dimensionless scalar
  kScalar,  ///< scalar of any dimension
  kLike,    ///< scalar with the dimension of the first argument
  kVector,
  kQuantity,    ///< scalar, vector, list or matrix
  kPoint,       ///< a body means its mass center
  kMass,        ///< a particle or a body
  kMomentumOf,  ///< a particle, a body or a coordinate
  kFrame,       ///< a body means its frame
  kBody,        ///< a frame means the body fixed in it
  kPointOrBody,
  kConstraint,  ///< a constraint, or one row of it: `roll`, `roll[2]`
  kText,
  kList,  ///< list of scalars
  kMatrix,
  kArray,  ///< list or matrix
  kIndex,  ///< integer ≥ 1
};

/// Rule for the dimension of the result of a function.
enum class DimensionRule : std::uint8_t {
  kNumber,   ///< dimensionless
  kAsFirst,  ///< dimension of the first argument
  kRoot,     ///< square root of the dimension of the first argument
  kProduct,  ///< product of the dimensions of the arguments
  kOwn,      ///< determined by the function's own code
};

enum class Function : std::uint8_t {
  kElementary,  ///< one operation of the expression graph: `FunctionInfo::op`
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
  kClosed,
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
  kNotSupported,  ///< a function of the language that this version does not support
};

/// The part of the model that must be complete before the function has a value.
enum class Needs : std::uint8_t {
  kNothing,
  kSpeeds,       ///< all speeds, including the default speeds of quaternions
  kMasses,       ///< all masses and potentials of the model; required by energies
  kConstraints,  ///< the constraint in the argument; required by multipliers and forces
  kEverything,   ///< all constraints; required by revealed forces
};

constexpr int kAnyCount = 16;  ///< `max_arguments` of min and max

struct FunctionInfo {
  Function function;
  std::string_view name;
  std::string_view signature;  ///< "vel(P[, F])"; without brackets if it takes no arguments
  int min_arguments;           ///< 0, with max_arguments 0: a named quantity, written without brackets
  int max_arguments;
  std::array<ArgumentKind, 3> arguments;  ///< the last kind applies to all further arguments
  DimensionRule dimension;
  Needs needs;
  expr::Op op;               ///< only for kElementary, kMinimum, kMaximum
  std::string_view meaning;  ///< one line for docs and help
};

/// The table of the functions of the language; checks, messages and docs are derived from it.
[[nodiscard]] std::span<const FunctionInfo> function_table();
/// The row with that name, or null.
[[nodiscard]] const FunctionInfo* find_function(std::string_view name);
/// A hint such as "did you mean `sin`?", or empty.
[[nodiscard]] std::string hint_for_function(std::string_view name);

}  // namespace vinculum::elaborate
