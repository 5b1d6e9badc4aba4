#pragma once

#include <memory>
#include <optional>

#include "vinculum/base/outcome.hpp"
#include "vinculum/model/model.hpp"

namespace vinculum::model {

/// Highest order of a coordinate's time derivative in a relation. Only constraints of higher order (theory.md §6.5)
/// contain derivatives above the second.
inline constexpr int kHighestDerivative = 8;
/// The level of a relation whose highest derivative has this order. From the third derivative on, the level equals the
/// order.
[[nodiscard]] constexpr Level level_of_derivative(int order) { return static_cast<Level>(order); }

/// Total time derivative of a scalar, or of a vector as seen in `frame`. Examples: d/dt(pos(P,O)) = vel(P) − vel(O),
/// d/dt(B.x) = cross(omega(B), B.x). Invalid (a Term without pool) if it would need a coordinate derivative above
/// kHighestDerivative.
/// Source: theory.md §2; Kane's transport theorem.
[[nodiscard]] Term time_derivative(const Model& model, Term term, FrameId frame = Model::newtonian());

/// Differentiates several terms with respect to time, in the newtonian frame. Each subterm that they share is
/// differentiated once. The model must not change during the lifetime of this object.
class TimeDerivatives {
 public:
  explicit TimeDerivatives(const Model& model);
  ~TimeDerivatives();
  [[nodiscard]] Term of(Term term);

 private:
  std::unique_ptr<class Differentiator> differentiator_;
};

/// The order of the highest time derivative in the term, as a level. Points and frames count with their definitions.
[[nodiscard]] Level level_of(const Model& model, Term term);

/// Whether the term contains an extra state z. A relation that contains one is a functional row (theory.md §6.10).
[[nodiscard]] bool holds_state(Term term);
/// `order_of_accelerations` returns how often a relation must be differentiated along the motion until accelerations
/// appear, with z' replaced by the rate of each state z. It returns nothing if more than kMostOfFunctional derivatives
/// are needed. For a relation without states the number is 2 − its level.
inline constexpr int kMostOfFunctional = 4;
[[nodiscard]] std::optional<int> order_of_accelerations(const Model& model, Term relation);
/// Time derivative of order `order` of a scalar.   \pre the derivative can be written as a term
[[nodiscard]] Term derivative_of(const Model& model, Term scalar, int order);

/// Replaces every massless point of a term by its definition, base plus offset, until only particles, points fixed in
/// solids and coordinates remain. A force can act on such particles and points.
[[nodiscard]] Term expand_massless(const Model& model, Term term);

/// The term in the notation of the model language: `cross(vel(P2), N.z)`, `2*q1*N.x`.
[[nodiscard]] std::string to_text(const Model& model, Term term);

}  // namespace vinculum::model
