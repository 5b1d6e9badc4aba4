#pragma once

namespace vinculum::out::solver_texts {

// Pieces of dense solvers in the two languages, put together by `solver_text` (derive_solver.hpp). Words between @ are
// for it to fill:
// @mass@ the inertia that stands for a speed, @parameter@ and @argument@ where it is handed on, @why@ what is said
// about M.

/// Cholesky and pivoted orthogonalization, least norm.
extern const char* const kToolsC;
extern const char* const kToolsPython;
/// `solve` of the three forms.
extern const char* const kExplicitC;
extern const char* const kExplicitPython;
extern const char* const kAugmentedC;
extern const char* const kAugmentedPython;
extern const char* const kMinimalC;
extern const char* const kMinimalPython;
/// `solve_with_efforts` on top of any of them.
extern const char* const kEffortsC;
extern const char* const kEffortsPython;

}  // namespace vinculum::out::solver_texts
