#pragma once

#include <limits>

/// All numeric tolerances of Vinculum. Each comment says what is compared with what, and where the value comes from.
/// The relative spacing of doubles is ε = 2⁻⁵² = 2.2e-16.
///
/// All tolerances are relative and apply to scaled numbers only:
///  * rows and columns of matrices that are scaled to unit length (`numeric::equilibrate_rows`);
///  * changes of states, divided by the typical sizes of the states (`compiled/scales`);
///  * residuals, divided by the size of their terms;
///  * times, divided by the step or by the length of the run.
/// Other numbers (weights of a method, fractions, small factors) are defined in the file that uses them.
///
/// The values follow from the relative rounding errors of typical computations: 1e-14 for a sum of tens of terms, 1e-13
/// for a factorization or a converged iteration, 1e-12 for some hundred operations, 1e-11 for some thousand. A linear
/// solve divides these errors by the reciprocal condition number; generated code rejects reciprocal condition numbers
/// below 1e-4. States satisfy their constraints to 1e-12. Equations that are true only for states that satisfy the
/// constraints are true to 1e-8 for these states. Programs written by `derive` use the same values.
/// Test: tests/architecture/tolerances_test.cpp (no tolerances elsewhere, at most 40 here).
namespace vinculum::tolerance {

// Arithmetic

/// Relative rounding error of one operation, ε.
inline constexpr double kRounding = std::numeric_limits<double>::epsilon();
/// Added to a scale or divisor that may be 0, so that 0 counts as small compared with a scale of 0.
inline constexpr double kLeast = 1e-300;
/// Two numbers are equal if their relative difference is at most this. For one number that is computed in two ways by a
/// few operations each.
inline constexpr double kEqual = 4.0 * kRounding;
/// Rounding error of an elimination step on a matrix with entries of order 1; multiplied by the number of steps.
inline constexpr double kPerStep = 10.0 * kRounding;
/// Rounding error of a sum of tens of terms, relative to the largest term: 45 ε.
inline constexpr double kRounded = 1e-14;
inline constexpr double kZero = 1e-12;      ///< a value counts as zero below this, relative to its terms: 4500 ε
inline constexpr double kIdentity = 1e-11;  ///< kZero for some thousand operations at random states of order 1

// Rank decisions

/// A pivot counts as zero if it is below this, relative to the first pivot of the equilibrated matrix. The value is
/// small on purpose: errors of QR grow as ε over the smallest singular value, so it still gives correct digits for
/// pivots between 1e-13 and 1e-9. A larger tolerance would silently change the problem there.
inline constexpr double kRank = 1e-13;
/// Replaces kRank if the entries of the matrix are results of a factorization (responses, Schur complements) or were
/// typed by hand.
inline constexpr double kDerivedRank = 1e-12;
/// Replaces kRank at random states of order 1. Rounding errors are 1e-15 there, and values that do not vanish
/// identically are of order 1. So any tolerance between the two distinguishes dependent from independent rows, affine
/// from nonlinear ones, and so on.
inline constexpr double kGeneric = 1e-9;
/// Replaces kRank at states that satisfy their constraints to `kZero`. Rows that depend on each other only at such
/// states have pivots there of about `kZero` divided by the reciprocal condition number. Pivots of independent rows are
/// far larger.
inline constexpr double kAtStates = 1e-8;
/// Replaces kRank at the instant at which a run loses rank. That instant is a root known only within rounding error, so
/// the pivot there differs from 0 by this error times its rate of change.
inline constexpr double kNearSingular = 1e-5;
/// A row has no direction (it vanishes) if its length is below this, relative to its typical length along the motion.
inline constexpr double kVanished = 1e-7;
/// A pivot of A M⁻¹ Aᵀ, eliminated in a fixed order, is weak if it is below this, relative to its diagonal entry. For a
/// row of unit length, the pivot is the square of the length s of the part that is independent of the rows before. The
/// pivoted solver is more accurate for s < 3e-4.
inline constexpr double kWeakRow = 1e-7;
/// A pivot of the mass matrix M is weak if it is below this, relative to its diagonal entry. Then H = M + AᵀWA replaces
/// M (theory.md §3.3): with M, terms of M⁻¹ f would be larger than the accelerations by a factor of 1/pivot and cancel
/// in the result.
inline constexpr double kWeakMass = 1e-4;
inline constexpr double kUnique = 1e-10;  ///< a force component is unique if its part along the undetermined directions
                                          ///< is below this, relative to its terms
/// The right-hand side of a dependent row agrees with the other rows if the residual is below this, relative to its
/// terms. The value is the rounding error of a solve, divided by the reciprocal condition number.
inline constexpr double kConsistency = 1e-10;
/// A result of a solve counts as zero if it is below this, relative to the total to which it contributes. Two results
/// are equal if they differ by less. The value is the error of a solve with the worst conditioning that is accepted.
inline constexpr double kConditioned = 1e-9;
/// Accuracy of a number that has lost half of its digits, √ε. Two roots that are closer than this are one root.
inline constexpr double kHalfDigits = 1e-8;
inline constexpr double kRoot = 1e-6;  ///< roots of eigenvalues or of sums of squares are zero below this: √kZero
/// Two candidates count as equally good if their relative difference is below this. Then their order in the list
/// decides, and not their rounding errors.
inline constexpr double kTie = 1e-6;
/// A message names each row or coordinate whose share of a violation is at least this fraction of the largest share.
inline constexpr double kNamed = 0.1;

// States that violate their constraints: `defect` is the relative violation

inline constexpr double kDoubt = 10.0;       ///< rows count as possibly dependent if their pivots are below this times
                                             ///< `defect`
inline constexpr double kPerDefect = 100.0;  ///< this times `defect` is the largest accepted disagreement of dependent
                                             ///< rows

// Iterations

/// An iteration has converged if its last change, relative to the solution, is below this: 450 ε, its rounding error.
inline constexpr double kConverged = 1e-13;
/// A residual that iterations no longer reduce is accepted as rounding error if its relative size is below this. A
/// requested tolerance below this needs summation with compensated rounding errors.
inline constexpr double kStagnation = 1e-11;
/// Newton's method has converged if the relative residual is below this. The next residual would be about its square
/// divided by the conditioning, which is rounding error.
inline constexpr double kQuadratic = 1e-9;
/// Line search: least relative decrease (Armijo), smallest fraction of a step, and first damping.
inline constexpr double kSearch = 1e-4;
/// Relative step of one-sided differences: √ε, enlarged because second derivatives of the function may be large.
inline constexpr double kDifference = 1e-7;

// Sizes and times

/// Smallest typical size of a quantity, relative to the largest typical size of the quantities of its kind.
inline constexpr double kFloor = 1e-3;
inline constexpr double kSameTime = 1e-12;  ///< two times are equal within this fraction of the run
/// Two events are simultaneous if their times differ by less than this fraction of the step. The times are roots on the
/// step's dense output.
inline constexpr double kSameEvent = 1e-9;
/// A displacement by this fraction of a step, an interval or a value is larger than rounding errors, but too small to
/// affect the result.
inline constexpr double kBeside = 1e-6;
/// Relative accuracy of numbers typed with three digits, such as a unit vector or the moments of inertia of a plate.
inline constexpr double kWritten = 2e-3;

// Tolerances of a run

inline constexpr double kDefaultRun = 1e-8;  ///< tolerance of a run if the model states no tolerance
inline constexpr double kFinestRun = 1e-15;  ///< smallest tolerance that a model may state
inline constexpr double kCoarsestRun = 0.1;  ///< largest tolerance that a model may state
/// First tolerance for crossing a singular configuration. After a failure it is raised by factors of 100 …
inline constexpr double kFinestCrossing = 1e-9;
inline constexpr double kCoarsestCrossing = 1e-5;  ///< … up to this tolerance

/// A factor for tests, which multiplies the limits of an audit. With 0 every audit line that compares numbers fails, so
/// its true residual is visible.
struct Factor {
  double value = 1.0;
};

// Contacts

/// Two edges of a polygon face a corner equally if their distances from it differ by less than this part of the lengths
/// of the bodies. It exceeds the drift of closed gaps, `kConsistency`, and is too small for an effect on the motion.
inline constexpr double kCorner = 2e-9;

}  // namespace vinculum::tolerance
