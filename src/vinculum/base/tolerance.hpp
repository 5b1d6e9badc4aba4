#pragma once

#include <limits>

/// All numeric tolerances of Vinculum. Each comment says what is compared with what, and where the value comes from.
/// ε = 2⁻⁵² = 2.2e-16.
///
/// All tolerances are relative and apply to scaled numbers only: rows and columns of unit length
/// (`numeric::equilibrate_rows`), changes relative to typical sizes (`compiled/scales`), residuals relative to the size
/// of their terms, times relative to the step or the run. Numbers of another kind (weights of a method, fractions,
/// small factors) are defined in the file that uses them.
///
/// Typical rounding errors on which the values are based: a sum of tens of terms 1e-14; a factorization or a converged
/// iteration 1e-13; some hundred operations 1e-12; some thousand 1e-11. A solve divides these by the reciprocal
/// condition number; generated code refuses anything below 1e-4. States satisfy their constraints to 1e-12, and
/// statements that are true only on the constraints hold to 1e-8. Programs written by `derive` use the same values.
/// Test: tests/architecture/tolerances_test.cpp (no tolerances elsewhere, at most 40 here).
namespace vinculum::tolerance {

// Arithmetic

/// Relative rounding error of one operation: ε
inline constexpr double kRounding = std::numeric_limits<double>::epsilon();
/// Added to a scale or divisor, so that 0 compared with a scale of 0 counts as equal
inline constexpr double kLeast = 1e-300;
/// Relative difference below which two numbers are equal: one number computed in two ways by a few operations each.
inline constexpr double kEqual = 4.0 * kRounding;
/// Times n: rounding error of an elimination of n steps on a matrix with entries of order 1.
inline constexpr double kPerStep = 10.0 * kRounding;
/// 45 ε: rounding error of a sum of tens of terms, relative to the largest term
inline constexpr double kRounded = 1e-14;
inline constexpr double kZero = 1e-12;      ///< 4500 ε: a value is zero relative to the terms it was computed from
inline constexpr double kIdentity = 1e-11;  ///< an expression at random states of order 1 is zero relative to its terms

// Rank decisions

/// A pivot of an equilibrated matrix is zero relative to the first pivot. The value is small on purpose: errors grow as
/// ε over the smallest singular value, so QR still gives correct digits for pivots between 1e-13 and 1e-9, while a
/// larger tolerance would silently change the problem there.
inline constexpr double kRank = 1e-13;
/// As kRank, if the entries are results of a factorization (responses, Schur complements) or were typed by hand.
inline constexpr double kDerivedRank = 1e-12;
/// As kRank, at random states of order 1. Rounding errors are 1e-15 there and generic values of order 1, so any value
/// in between distinguishes dependent from independent, affine from nonlinear, and so on.
inline constexpr double kGeneric = 1e-9;
/// As kRank, at states that satisfy their constraints to `kZero`. Rows that depend on each other only on the
/// constraints leave a remainder of `kZero` over the conditioning there; regular rows leave far more.
inline constexpr double kAtStates = 1e-8;
/// As kRank, where a run loses rank. The instant of a zero is known only within rounding error, so the value found
/// there differs from 0 by this error times the rate of change.
inline constexpr double kNearSingular = 1e-5;
/// The length of a row is zero relative to its typical length, so the row has no direction
inline constexpr double kVanished = 1e-7;
/// A pivot of A M⁻¹ Aᵀ in static order is weak relative to its diagonal entry: s² for s ≈ 3e-4, below which the pivoted
/// solver is more accurate.
inline constexpr double kWeakRow = 1e-7;
/// A pivot of M is weak relative to its diagonal entry. Below this value H = M + AᵀWA replaces M (theory.md §3.3): M⁻¹
/// f would exceed the motion by a factor of 1/pivot and then cancel.
inline constexpr double kWeakMass = 1e-4;
inline constexpr double kUnique = 1e-10;  ///< a component of a unit vector along the undetermined directions is zero
/// The right-hand side of a dependent row agrees with the other rows: rounding error of a solve over its conditioning.
inline constexpr double kConsistency = 1e-10;
/// A result of a solve is zero relative to the whole it is part of, or two results are equal, at the worst conditioning
/// that is accepted.
inline constexpr double kConditioned = 1e-9;
/// √ε: accuracy of a number that has lost half its digits; two roots closer than this are one
inline constexpr double kHalfDigits = 1e-8;
inline constexpr double kRoot = 1e-6;  ///< zero for square roots of eigenvalues and of sums of squares: √kZero
/// Two sizes are alike, so that their order in the list, not their rounding errors, decides between them.
inline constexpr double kTie = 1e-6;
/// a message names each row or coordinate whose part of a violation exceeds this fraction of the largest part
inline constexpr double kNamed = 0.1;

// States off the constraints, by a relative violation `defect`

inline constexpr double kDoubt = 10.0;       ///< × defect: rows whose pivots are smaller than this may be dependent
inline constexpr double kPerDefect = 100.0;  ///< × defect: dependent rows may disagree by this much

// Iterations

/// The last change of an iteration relative to the solution is rounding error (450 ε)
inline constexpr double kConverged = 1e-13;
/// A residual that further iterations do not reduce, or a requested tolerance, is at the level of rounding errors.
inline constexpr double kStagnation = 1e-11;
/// Newton's method needs no further check below this residual: the next residual is about its square divided by the
/// conditioning, which is rounding error.
inline constexpr double kQuadratic = 1e-9;
/// Line search: least relative decrease (Armijo), smallest fraction of a step, first damping.
inline constexpr double kSearch = 1e-4;
/// Relative step of one-sided differences: √ε, enlarged for large second derivatives
inline constexpr double kDifference = 1e-7;

// Sizes and times

/// Smallest typical size of a quantity, as a fraction of the largest of its group
inline constexpr double kFloor = 1e-3;
inline constexpr double kSameTime = 1e-12;  ///< two times are equal, as a fraction of the run
/// Two events are one, as a fraction of the step; their times are roots on the dense output.
inline constexpr double kSameEvent = 1e-9;
/// A small displacement, as a fraction of a step, an interval or a value: above rounding errors, too small to matter.
inline constexpr double kBeside = 1e-6;
/// Relative accuracy of numbers typed with three digits: a unit vector, the moments of inertia of a plate.
inline constexpr double kWritten = 2e-3;

// Tolerances of a run

inline constexpr double kDefaultRun = 1e-8;  ///< tolerance of a run if the model states none
inline constexpr double kFinestRun = 1e-15;  ///< smallest tolerance that a model may state
inline constexpr double kCoarsestRun = 0.1;  ///< largest tolerance that a model may state
/// First tolerance for crossing a singular configuration. It is raised by factors of 100 …
inline constexpr double kFinestCrossing = 1e-9;
inline constexpr double kCoarsestCrossing = 1e-5;  ///< … up to this one

/// A factor for tests: multiplies the limits of an audit. With 0, every audit line that compares numbers fails and so
/// shows its true residual.
struct Factor {
  double value = 1.0;
};

}  // namespace vinculum::tolerance
