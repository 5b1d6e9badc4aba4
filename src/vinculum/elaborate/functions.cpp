#include "vinculum/elaborate/functions.hpp"

#include <algorithm>

namespace vinculum::elaborate {
namespace {

using A = ArgumentKind;
using D = DimensionRule;
using F = Function;
using R = ResultKind;
using expr::Op;

constexpr Op kNoOp = Op::kConstant;

constexpr FunctionInfo elementary(std::string_view name, std::string_view signature, Op op, std::string_view meaning,
                                  A argument = A::kNumber, D dimension = D::kNumber) {
  return {F::kElementary, name, signature, 1, 1, {argument, A::kNone, A::kNone}, R::kScalar, dimension, Needs::kNothing, op,
          meaning};
}

constexpr FunctionInfo kinematic(F function, std::string_view name, std::string_view signature, A first, A second, int least,
                                 R result, D dimension, std::string_view meaning) {
  return {function, name, signature, least, second == A::kNone ? 1 : 2, {first, second, A::kNone}, result, dimension,
          Needs::kNothing, kNoOp, meaning};
}

constexpr FunctionInfo of_constraint(F function, std::string_view name, std::string_view signature, A second, R result,
                                     D dimension, std::string_view meaning) {
  const int count = second == A::kNone ? 1 : 2;
  return {function, name, signature, count, count, {A::kConstraint, second, A::kNone}, result, dimension,
          Needs::kConstraints, kNoOp, meaning};
}

constexpr FunctionInfo named_energy(F function, std::string_view name, std::string_view meaning) {
  return {function, name, name, 0, 0, {A::kNone, A::kNone, A::kNone}, R::kScalar, D::kEnergy, Needs::kMasses, kNoOp, meaning};
}

constexpr FunctionInfo kTable[] = {
    elementary("sin", "sin(x)", Op::kSine, "sine"),
    elementary("cos", "cos(x)", Op::kCosine, "cosine"),
    elementary("tan", "tan(x)", Op::kTangent, "tangent"),
    elementary("asin", "asin(x)", Op::kArcSine, "inverse sine, in [-pi/2, pi/2]"),
    elementary("acos", "acos(x)", Op::kArcCosine, "inverse cosine, in [0, pi]"),
    elementary("atan", "atan(x)", Op::kArcTangent, "inverse tangent, in [-pi/2, pi/2]"),
    {F::kElementary, "atan2", "atan2(y, x)", 2, 2, {A::kScalar, A::kLike, A::kNone}, R::kScalar, D::kNumber, Needs::kNothing,
     Op::kArcTangent2, "angle of the point (x, y), in [-pi, pi]; y and x of one dimension"},
    elementary("sinh", "sinh(x)", Op::kHyperbolicSine, "hyperbolic sine"),
    elementary("cosh", "cosh(x)", Op::kHyperbolicCosine, "hyperbolic cosine"),
    elementary("tanh", "tanh(x)", Op::kHyperbolicTangent, "hyperbolic tangent"),
    elementary("exp", "exp(x)", Op::kExponential, "exponential"),
    elementary("log", "log(x)", Op::kLogarithm, "natural logarithm"),
    elementary("sqrt", "sqrt(x)", Op::kSquareRoot, "square root, of the root of the argument's dimension", A::kScalar, D::kRoot),
    elementary("abs", "abs(x)", Op::kAbsolute, "absolute value, also |x|", A::kScalar, D::kAsFirst),
    elementary("sign", "sign(x)", Op::kSign, "-1, 0 or 1", A::kScalar),
    elementary("floor", "floor(x)", Op::kFloor, "largest whole number that is not larger"),
    {F::kMinimum, "min", "min(a, b, ...)", 2, kAnyCount, {A::kScalar, A::kLike, A::kLike}, R::kScalar, D::kAsFirst,
     Needs::kNothing, Op::kMinimum, "smallest of its arguments, all of one dimension"},
    {F::kMaximum, "max", "max(a, b, ...)", 2, kAnyCount, {A::kScalar, A::kLike, A::kLike}, R::kScalar, D::kAsFirst,
     Needs::kNothing, Op::kMaximum, "largest of its arguments, all of one dimension"},
    {F::kSmoothstep, "smoothstep", "smoothstep(x[, a, b])", 1, 3, {A::kScalar, A::kLike, A::kLike}, R::kScalar, D::kNumber,
     Needs::kNothing, kNoOp,
     "0 up to a, 1 from b on (a = 0, b = 1 unless given), 6 s^5 - 15 s^4 + 10 s^3 with s = (x - a)/(b - a) between: twice differentiable"},
    {F::kTable, "table", "table(\"file.csv\", x)", 2, 2, {A::kText, A::kScalar, A::kNone}, R::kScalar, D::kTable,
     Needs::kNothing, kNoOp, "cubic spline, twice differentiable, through the rows of a two-column file; no value outside its range"},

    {F::kDot, "dot", "dot(a, b)", 2, 2, {A::kVector, A::kVector, A::kNone}, R::kScalar, D::kProduct, Needs::kNothing, kNoOp,
     "scalar product of two vectors"},
    {F::kCross, "cross", "cross(a, b)", 2, 2, {A::kVector, A::kVector, A::kNone}, R::kVector, D::kProduct, Needs::kNothing,
     kNoOp, "vector product of two vectors"},
    kinematic(F::kNorm, "norm", "norm(a)", A::kVector, A::kNone, 1, R::kScalar, D::kAsFirst, "length of a vector"),
    kinematic(F::kUnit, "unit", "unit(a)", A::kVector, A::kNone, 1, R::kVector, D::kNumber, "the vector divided by its length"),

    kinematic(F::kPosition, "pos", "pos(P, O)", A::kPoint, A::kPoint, 2, R::kVector, D::kLength, "position of P from O"),
    kinematic(F::kVelocity, "vel", "vel(P[, F])", A::kPoint, A::kFrame, 1, R::kVector, D::kVelocity,
              "velocity of P as seen in F, the newtonian frame unless given"),
    kinematic(F::kAcceleration, "acc", "acc(P[, F])", A::kPoint, A::kFrame, 1, R::kVector, D::kAcceleration,
              "acceleration of P as seen in F, the newtonian frame unless given"),
    kinematic(F::kAngularVelocity, "omega", "omega(B[, A])", A::kFrame, A::kFrame, 1, R::kVector, D::kAngularVelocity,
              "angular velocity of B in A, the newtonian frame unless given"),
    kinematic(F::kAngularAcceleration, "alpha", "alpha(B[, A])", A::kFrame, A::kFrame, 1, R::kVector, D::kAngularAcceleration,
              "angular acceleration of B in A, the newtonian frame unless given"),
    kinematic(F::kTimeDerivative, "dt", "dt(x[, F])", A::kQuantity, A::kFrame, 1, R::kAsFirst, D::kPerTime,
              "total time derivative, of a vector as seen in F, the newtonian frame unless given"),

    of_constraint(F::kMultiplier, "multiplier", "multiplier(c)", A::kNone, R::kScalarOrList, D::kPerRow,
                  "actual multiplier of a constraint, a list where it has several rows; mu of the vakonomic law and its kin"),
    of_constraint(F::kIdealMultiplier, "ideal_multiplier", "ideal_multiplier(c)", A::kNone, R::kScalarOrList, D::kPerRow,
                  "multiplier that the constraint would have were it ideal"),
    of_constraint(F::kForce, "force", "force(c, P)", A::kPointOrBody, R::kVector, D::kForce,
                  "force of constraint c on P: reaction and what `nonideal on P` states; on a body the resultant"),
    of_constraint(F::kIdealForce, "ideal_force", "ideal_force(c, P)", A::kPointOrBody, R::kVector, D::kForce,
                  "ideal part of the force of constraint c on a point or body"),
    of_constraint(F::kNonidealForce, "nonideal_force", "nonideal_force(c, P)", A::kPointOrBody, R::kVector, D::kForce,
                  "force(c, P) - ideal_force(c, P)"),
    of_constraint(F::kReaction, "reaction", "reaction(c, P)", A::kPointOrBody, R::kVector, D::kForce,
                  "actual reaction of constraint c on a point or body, without what `nonideal` states there"),
    of_constraint(F::kTorque, "torque", "torque(c, B)", A::kBody, R::kVector, D::kTorque,
                  "couple of constraint c on body B beside its forces, with what `nonideal on B` states"),
    of_constraint(F::kEffort, "effort", "effort(c, k)", A::kIndex, R::kScalar, D::kEffort,
                  "effort of actuator k of a constraint that actuators keep"),
    of_constraint(F::kResidual, "residual", "residual(c)", A::kNone, R::kScalar, D::kRow,
                  "left side minus right side; of several rows the largest in size"),
    of_constraint(F::kGeneralizedForce, "generalized_force", "generalized_force(c)", A::kNone, R::kScalarOrList, D::kPerSpeed,
                  "generalized force of a constraint and of its `nonideal` clauses, a list with one entry for each speed"),
    named_energy(F::kKineticEnergy, "kinetic_energy", "kinetic energy of all particles and bodies"),
    named_energy(F::kPotentialEnergy, "potential_energy", "energy of gravity, springs and potentials"),
    named_energy(F::kEnergy, "energy", "kinetic and potential energy, and q'*dL/dq' - L of each `lagrangian`"),
    named_energy(F::kHamiltonian, "hamiltonian", "q'*dL/dq' - L, which differs from the energy where coordinates are rheonomic"),
    of_constraint(F::kPower, "power", "power(c)", A::kNone, R::kScalar, D::kPower,
                  "power of all forces of constraint c"),
    {F::kMomentum, "momentum", "momentum(P)", 1, 1, {A::kMomentumOf, A::kNone, A::kNone}, R::kVector, D::kMomentum,
     Needs::kNothing, kNoOp, "momentum of a particle or a body; of a coordinate q the scalar dL/dq'"},
    {F::kAngularMomentum, "angular_momentum", "angular_momentum(P, O)", 2, 2, {A::kMass, A::kPoint, A::kNone}, R::kVector,
     D::kAngularMomentum, Needs::kNothing, kNoOp, "angular momentum of a particle or a body about O"},
    {F::kCenter, "center", "center(B)", 1, 1, {A::kBody, A::kNone, A::kNone}, R::kPoint, D::kNumber, Needs::kNothing, kNoOp,
     "mass centre of a body, a point"},

    {F::kJacobian, "jacobian", "jacobian(list, list)", 2, 2, {A::kList, A::kList, A::kNone}, R::kMatrix, D::kByEntry,
     Needs::kNothing, kNoOp,
     "partial derivatives of the first list by the second, one of coordinates, their first derivatives, speeds and t: a row for each entry of the first"},
    {F::kTranspose, "transpose", "transpose(A)", 1, 1, {A::kArray, A::kNone, A::kNone}, R::kMatrix, D::kByEntry, Needs::kNothing,
     kNoOp, "transposed matrix; a list becomes a matrix of one row"},
    {F::kPseudoInverse, "pinv", "pinv(A)", 1, 1, {A::kMatrix, A::kNone, A::kNone}, R::kMatrix, D::kByEntry, Needs::kNothing, kNoOp,
     "Moore-Penrose inverse of a matrix of full rank; no value where the rank drops"},
    {F::kSolve, "solve", "solve(A, b)", 2, 2, {A::kMatrix, A::kArray, A::kNone}, R::kAsSecond, D::kByEntry, Needs::kNothing, kNoOp,
     "x of A*x = b, A square; no value where A is singular"},

    {F::kEffectiveEnergy, "effective_energy", "effective_energy", 0, 0, {A::kNone, A::kNone, A::kNone}, R::kScalar, D::kEnergy,
     Needs::kEverything, kNoOp,
     "energy and mu*dF/dq'*q' of the vakonomic constraints, with what realised ones store: constant where nothing else works"},
};

}  // namespace

std::span<const FunctionInfo> function_table() { return kTable; }

const FunctionInfo* find_function(std::string_view name) {
  const auto* row = std::ranges::find(kTable, name, &FunctionInfo::name);
  return row == std::end(kTable) ? nullptr : row;
}

}  // namespace vinculum::elaborate
