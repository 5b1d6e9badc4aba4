#include "vinculum/elaborate/check/functions.hpp"

#include <algorithm>
#include <vector>

#include "vinculum/diag/hints.hpp"
#include "vinculum/lang/foreign_words.hpp"

namespace vinculum::elaborate {
namespace {

using A = ArgumentKind;
using D = DimensionRule;
using F = Function;
using expr::Op;

constexpr Op kNoOp = Op::kConstant;

using Arguments = std::array<A, 3>;  // missing arguments are A::kNone

constexpr FunctionInfo row(F function, std::string_view name, std::string_view signature, int least, int most,
                           Arguments arguments, D dimension, std::string_view meaning, Op op = kNoOp,
                           Needs needs = Needs::kNothing) {
  return {function, name, signature, least, most, arguments, dimension, needs, op, meaning};
}

constexpr FunctionInfo elementary(std::string_view name, std::string_view signature, Op op, std::string_view meaning,
                                  A argument = A::kNumber, D dimension = D::kNumber) {
  return row(F::kElementary, name, signature, 1, 1, {argument}, dimension, meaning, op);
}

constexpr FunctionInfo of_constraint(F function, std::string_view name, std::string_view signature, A second,
                                     std::string_view meaning) {
  const int count = second == A::kNone ? 1 : 2;
  return row(function, name, signature, count, count, {A::kConstraint, second}, D::kOwn, meaning, kNoOp,
             Needs::kConstraints);
}

constexpr FunctionInfo named_energy(F function, std::string_view name, std::string_view meaning,
                                    Needs needs = Needs::kMasses) {
  return row(function, name, name, 0, 0, {}, D::kOwn, meaning, kNoOp, needs);
}

constexpr FunctionInfo named_vector(F function, std::string_view name, std::string_view meaning) {
  return named_energy(function, name, meaning, Needs::kEverything);
}

constexpr FunctionInfo kTable[] = {
    elementary("sin", "sin(x)", Op::kSine, "sine"),
    elementary("cos", "cos(x)", Op::kCosine, "cosine"),
    elementary("tan", "tan(x)", Op::kTangent, "tangent"),
    elementary("asin", "asin(x)", Op::kArcSine, "inverse sine, in [-pi/2, pi/2]"),
    elementary("acos", "acos(x)", Op::kArcCosine, "inverse cosine, in [0, pi]"),
    elementary("atan", "atan(x)", Op::kArcTangent, "inverse tangent, in [-pi/2, pi/2]"),
    row(F::kElementary, "atan2", "atan2(y, x)", 2, 2, {A::kScalar, A::kLike}, D::kNumber,
        "angle of the point (x, y), in [-pi, pi]; y and x of one dimension", Op::kArcTangent2),
    elementary("sinh", "sinh(x)", Op::kHyperbolicSine, "hyperbolic sine"),
    elementary("cosh", "cosh(x)", Op::kHyperbolicCosine, "hyperbolic cosine"),
    elementary("tanh", "tanh(x)", Op::kHyperbolicTangent, "hyperbolic tangent"),
    elementary("exp", "exp(x)", Op::kExponential, "exponential"),
    elementary("log", "log(x)", Op::kLogarithm, "natural logarithm"),
    elementary("sqrt", "sqrt(x)", Op::kSquareRoot, "square root, of the root of the argument's dimension", A::kScalar,
               D::kRoot),
    elementary("abs", "abs(x)", Op::kAbsolute, "absolute value, also |x|", A::kScalar, D::kAsFirst),
    elementary("sign", "sign(x)", Op::kSign, "-1, 0 or 1", A::kScalar),
    elementary("floor", "floor(x)", Op::kFloor, "largest whole number that is not larger"),
    row(F::kMinimum, "min", "min(a, b, ...)", 2, kAnyCount, {A::kScalar, A::kLike, A::kLike}, D::kAsFirst,
        "smallest of its arguments, all of one dimension", Op::kMinimum),
    row(F::kMaximum, "max", "max(a, b, ...)", 2, kAnyCount, {A::kScalar, A::kLike, A::kLike}, D::kAsFirst,
        "largest of its arguments, all of one dimension", Op::kMaximum),
    row(F::kSmoothstep, "smoothstep", "smoothstep(x[, a, b])", 1, 3, {A::kScalar, A::kLike, A::kLike}, D::kNumber,
        "0 up to a, 1 from b on (a = 0, b = 1 unless given), 6 s^5 - 15 s^4 + 10 s^3 with s = (x - a)/(b - a) between: "
        "twice differentiable"),
    row(F::kTable, "table", "table(\"file.csv\", x[, y][, OPTIONS])", 2, 3, {A::kText, A::kScalar, A::kScalar}, D::kOwn,
        "function through the rows of a file; options `linear`, `smooth`, `spline`, `hold`, `column \"NAME\"`, "
        "`outside "
        "error|hold|linear`, `periodic`"),
    row(F::kDot, "dot", "dot(a, b)", 2, 2, {A::kVector, A::kVector}, D::kProduct, "scalar product of two vectors"),
    row(F::kCross, "cross", "cross(a, b)", 2, 2, {A::kVector, A::kVector}, D::kProduct,
        "vector product of two vectors"),
    row(F::kNorm, "norm", "norm(a)", 1, 1, {A::kVector}, D::kAsFirst, "length of a vector"),
    row(F::kUnit, "unit", "unit(a)", 1, 1, {A::kVector}, D::kNumber, "the vector divided by its length"),
    row(F::kPosition, "pos", "pos(P, O)", 2, 2, {A::kPoint, A::kPoint}, D::kOwn, "position of P from O"),
    row(F::kVelocity, "vel", "vel(P[, F])", 1, 2, {A::kPoint, A::kFrame}, D::kOwn,
        "velocity of P as seen in F, the newtonian frame unless given"),
    row(F::kAcceleration, "acc", "acc(P[, F])", 1, 2, {A::kPoint, A::kFrame}, D::kOwn,
        "acceleration of P as seen in F, the newtonian frame unless given"),
    row(F::kAngularVelocity, "omega", "omega(B[, A])", 1, 2, {A::kFrame, A::kFrame}, D::kOwn,
        "angular velocity of B in A, the newtonian frame unless given"),
    row(F::kAngularAcceleration, "alpha", "alpha(B[, A])", 1, 2, {A::kFrame, A::kFrame}, D::kOwn,
        "angular acceleration of B in A, the newtonian frame unless given"),
    row(F::kTimeDerivative, "dt", "dt(x[, F])", 1, 2, {A::kQuantity, A::kFrame}, D::kOwn,
        "total time derivative, of a vector as seen in F, the newtonian frame unless given"),
    of_constraint(F::kMultiplier, "multiplier", "multiplier(c)", A::kNone,
                  "actual multiplier of a constraint, a list if the constraint has several rows; mu for laws whose "
                  "reaction contains a rate of mu"),
    of_constraint(F::kIdealMultiplier, "ideal_multiplier", "ideal_multiplier(c)", A::kNone,
                  "multiplier of the constraint under the ideal law"),
    of_constraint(F::kForce, "force", "force(c, P)", A::kPointOrBody,
                  "force of constraint c on P: the reaction and the force of `nonideal on P`; on a body the resultant"),
    of_constraint(F::kIdealForce, "ideal_force", "ideal_force(c, P)", A::kPointOrBody,
                  "ideal part of the force of constraint c on a point or body"),
    of_constraint(F::kNonidealForce, "nonideal_force", "nonideal_force(c, P)", A::kPointOrBody,
                  "force(c, P) - ideal_force(c, P)"),
    of_constraint(F::kReaction, "reaction", "reaction(c, P)", A::kPointOrBody,
                  "actual reaction of constraint c on a point or body, without the forces of `nonideal`"),
    of_constraint(F::kTorque, "torque", "torque(c, B)", A::kBody,
                  "couple of constraint c on body B in addition to its forces, with the torque of `nonideal on B`"),
    of_constraint(F::kEffort, "effort", "effort(c, k)", A::kIndex,
                  "effort of actuator k of a constraint that actuators enforce"),
    of_constraint(F::kResidual, "residual", "residual(c)", A::kNone,
                  "left side minus right side; with several rows the largest in size"),
    of_constraint(F::kClosed, "closed", "closed(c)", A::kNone,
                  "1 while the gap of a unilateral constraint is closed, else 0"),
    of_constraint(
        F::kGeneralizedForce, "generalized_force", "generalized_force(c)", A::kNone,
        "generalized force of a constraint and of its `nonideal` clauses, a list with one entry for each speed"),
    of_constraint(F::kGeneralizedIdealForce, "generalized_ideal_force", "generalized_ideal_force(c)", A::kNone,
                  "its ideal part: the reaction if the constraints under the ideal law had no `nonideal` clauses"),
    of_constraint(F::kGeneralizedNonidealForce, "generalized_nonideal_force", "generalized_nonideal_force(c)", A::kNone,
                  "generalized_force(c) - generalized_ideal_force(c)"),
    of_constraint(F::kDeparture, "departure", "departure(c)", A::kNone,
                  "b - A*a, by how much the free acceleration violates the constraint; a list if the constraint has "
                  "several rows"),
    named_vector(F::kIdealForces, "Q_ideal",
                 "generalized forces of all constraints together if they were ideal, one for each speed"),
    named_vector(F::kNonidealForces, "Q_nonideal", "Q_constraint - Q_ideal"),
    named_vector(F::kConstraintForces, "Q_constraint",
                 "generalized forces of all constraints that have rows, M*u' - f, one for each speed"),
    named_vector(F::kFreeAcceleration, "free_acceleration",
                 "u' without any constraint that has rows, one for each speed"),
    named_vector(F::kGaussFunction, "gauss",
                 "Gauss' function (u' - a)*M*(u' - a) of the motion, a the free acceleration"),
    named_energy(F::kKineticEnergy, "kinetic_energy", "kinetic energy of all particles and bodies"),
    named_energy(F::kPotentialEnergy, "potential_energy", "energy of gravity, springs and potentials"),
    named_energy(F::kEnergy, "energy", "kinetic and potential energy, and q'*dL/dq' - L of each `lagrangian`"),
    named_energy(F::kHamiltonian, "hamiltonian",
                 "q'*dL/dq' - L, which differs from the energy where coordinates are rheonomic"),
    of_constraint(F::kPower, "power", "power(c)", A::kNone, "power of all forces of constraint c"),
    row(F::kMomentum, "momentum", "momentum(P)", 1, 1, {A::kMomentumOf}, D::kOwn,
        "momentum of a particle or a body; of a coordinate q the scalar dL/dq'"),
    row(F::kAngularMomentum, "angular_momentum", "angular_momentum(P, O)", 2, 2, {A::kMass, A::kPoint}, D::kOwn,
        "angular momentum of a particle or a body about O"),
    row(F::kCenter, "center", "center(B)", 1, 1, {A::kBody}, D::kNumber, "mass centre of a body, a point"),
    row(F::kJacobian, "jacobian", "jacobian(list, list)", 2, 2, {A::kList, A::kList}, D::kOwn,
        "partial derivatives of the first list by the second, one of coordinates, their first derivatives, speeds and "
        "t: a row for each entry of the first"),
    row(F::kTranspose, "transpose", "transpose(A)", 1, 1, {A::kArray}, D::kOwn,
        "transposed matrix; a list becomes a matrix of one row"),
    row(F::kPseudoInverse, "pinv", "pinv(A)", 1, 1, {A::kMatrix}, D::kOwn,
        "Moore-Penrose inverse of a matrix of full rank; no value where the rank drops"),
    row(F::kSolve, "solve", "solve(A, b)", 2, 2, {A::kMatrix, A::kArray}, D::kOwn,
        "x of A*x = b, A square; no value where A is singular"),
    named_energy(F::kEffectiveEnergy, "effective_energy",
                 "energy and the energy stored by the laws of constraints, such as mu*dF/dq'*q'; it is constant if "
                 "nothing else does work",
                 Needs::kEverything),
};

}  // namespace

std::span<const FunctionInfo> function_table() { return kTable; }

const FunctionInfo* find_function(std::string_view name) {
  const auto* row = std::ranges::find(kTable, name, &FunctionInfo::name);
  return row == std::end(kTable) ? nullptr : row;
}

std::string hint_for_function(std::string_view name) {
  if (std::string hint = lang::hint_for_foreign_function(name); !hint.empty()) return hint;
  std::vector<std::string> names;
  for (const FunctionInfo& info : kTable) names.emplace_back(info.name);
  return diag::hint_nearest(name, names);
}

}  // namespace vinculum::elaborate
