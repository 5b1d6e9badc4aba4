#pragma once

#include <limits>

/// Every numeric tolerance of Vinculum: what it compares with what, and where its value comes from. ε = 2⁻⁵² = 2.2e-16.
///
/// All are relative and meet scaled numbers only: rows and columns of unit length (`numeric::equilibrate_rows`),
/// changes over typical sizes (`compiled/scales`), residuals over the size of their terms, times over the step or the
/// run. Numbers with another meaning (weights of a method, shares, factors of a few) stand where they are used.
///
/// The ladder behind them: a sum of some tens of terms is right to 1e-14, a factorization or a converged iteration to
/// 1e-13, some hundred operations to 1e-12, some thousand to 1e-11; a solve divides by its conditioning, which is worse
/// than 1e-4 nowhere that generated code accepts; states lie on their constraints to 1e-12 and what is true only on
/// them holds to 1e-8. Derived programs take the same rows.   Law: tests/architecture/tolerances_test.cpp (no others,
/// at most 40).
namespace vinculum::tolerance {

// Arithmetic

inline constexpr double kRounding = std::numeric_limits<double>::epsilon();  ///< of one operation, relative: ε
inline constexpr double kLeast = 1e-300;  ///< added to a size, so that zero beside zero agrees
/// One number reached by different roundings of a few operations.
inline constexpr double kEqual = 4.0 * kRounding;
/// Times n: rounding of an elimination of n steps, entries of 1.
inline constexpr double kPerStep = 10.0 * kRounding;
inline constexpr double kRounded = 1e-14;   ///< 45 ε: a sum of tens of terms beside the largest of them
inline constexpr double kZero = 1e-12;      ///< 4500 ε: a value beside what it was made of is zero
inline constexpr double kIdentity = 1e-11;  ///< an expression at states of order 1 beside its terms is zero

// Rank, and what follows from it

/// A pivot of an equilibrated matrix beside the first is rounding. Small on purpose: errors grow as ε over the smallest
/// singular value, so that QR still delivers digits between 1e-13 and 1e-9, while a wide zone regularises silently.
inline constexpr double kRank = 1e-13;
/// The same where entries are themselves results of a factor (responses, Schur complements), or were written by hand.
inline constexpr double kDerivedRank = 1e-12;
/// The same at random states of order 1: rounding there is 1e-15, generic values are of order 1, so any value between
/// tells dependence, affinity and direction from their absence.
inline constexpr double kGeneric = 1e-9;
/// The same at states that lie on their constraints to `kZero`: rows that depend on each other only there stick out by
/// that over the conditioning; nothing regular comes near.
inline constexpr double kAtStates = 1e-8;
/// The same where rank is being lost: found to rounding over its rate.
inline constexpr double kNearSingular = 1e-5;
inline constexpr double kVanished = 1e-7;  ///< a row beside its usual length has no direction of its own
/// A pivot of A M⁻¹ Aᵀ in static order beside its diagonal entry: s² for s ≈ 3e-4, where the pivoted solver is better.
inline constexpr double kWeakRow = 1e-7;
/// A pivot of M beside its diagonal entry: below, H = M + AᵀWA takes its place (theory.md §3.3), as M⁻¹ f would be
/// larger than the motion by the inverse of the pivot and cancel.
inline constexpr double kWeakMass = 1e-4;
inline constexpr double kUnique = 1e-10;  ///< part of a unit vector along what is not determined: it has none
/// A row that depends on others agrees with them in its right-hand side: rounding of a solve over its conditioning.
inline constexpr double kConsistency = 1e-10;
/// A result of a solve beside what it is a part of is zero, or two are one: the same where conditioning is worst.
inline constexpr double kConditioned = 1e-9;
inline constexpr double kHalfDigits = 1e-8;  ///< √ε: a number that has lost half its digits; two roots are one
inline constexpr double kRoot = 1e-6;        ///< roots of eigenvalues and of sums of squares: the root of `kZero`
/// Sizes are alike: their order, not their rounding, decides between them.
inline constexpr double kTie = 1e-6;
inline constexpr double kNamed = 0.1;  ///< share of the largest part in a defect above which a part is named

// Off the constraints: a state that violates them by `defect` (relative)

inline constexpr double kDoubt = 10.0;       ///< × defect: rows that stick out by less may be dependent
inline constexpr double kPerDefect = 100.0;  ///< × defect: dependent rows may disagree by as much

// Iterations

inline constexpr double kConverged = 1e-13;  ///< the last change beside the solution is rounding (450 ε)
/// A miss that iterating no longer lowers, or a tolerance, is rounding up to here.
inline constexpr double kStagnation = 1e-11;
/// Below it Newton's next miss is rounding: its square over some conditioning.
inline constexpr double kQuadratic = 1e-9;
/// Line search: least decrease (Armijo), shortest part of a step, first damping.
inline constexpr double kSearch = 1e-4;
inline constexpr double kDifference = 1e-7;  ///< one-sided differences: √ε over a generous second derivative

// Sizes and instants

inline constexpr double kFloor = 1e-3;      ///< of the largest of its group: the size that a quantity has at least
inline constexpr double kSameTime = 1e-12;  ///< of the run: two instants are one
/// Of a step: two events are one; their time is a root on the dense output.
inline constexpr double kSameEvent = 1e-9;
/// Of a step, an interval, a value: beside it, above rounding, below what matters.
inline constexpr double kBeside = 1e-6;
/// Numbers written with three digits: a unit vector, the moments of a plate.
inline constexpr double kWritten = 2e-3;

// Tolerances of a run

inline constexpr double kDefaultRun = 1e-8;  ///< where a model asks for none
inline constexpr double kFinestRun = 1e-15;  ///< that a model may ask for
inline constexpr double kCoarsestRun = 0.1;  ///< that a model may ask for
/// With which a singular pose is crossed first; from there up by hundreds.
inline constexpr double kFinestCrossing = 1e-9;
inline constexpr double kCoarsestCrossing = 1e-5;  ///< to this

/// A dial for tests: multiplies what is compared with a limit of an audit. At 0 every line that looked at numbers
/// breaks and so shows its true residual.
struct Factor {
  double value = 1.0;
};

}  // namespace vinculum::tolerance
