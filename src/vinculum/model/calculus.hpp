#pragma once

#include <memory>
#include <optional>

#include "vinculum/base/outcome.hpp"
#include "vinculum/model/model.hpp"

namespace vinculum::model {

/// Highest derivative of coordinates in relations; derivatives above the second occur only in relations of theory.md
/// §6.5.
inline constexpr int kHighestDerivative = 8;
/// The level of a relation whose highest derivative has this order; from the third derivative on it equals the order.
[[nodiscard]] constexpr Level level_of_derivative(int order) { return static_cast<Level>(order); }

/// Total time derivative of a scalar, or of a vector as seen in `frame`: d/dt(pos(P,O)) = vel(P) − vel(O), d/dt(B.x) =
/// cross(omega(B), B.x), … Invalid (a Term without pool) if it would need a coordinate derivative above the highest.
/// Source: theory.md §2; Kane's transport theorem.
[[nodiscard]] Term time_derivative(const Model& model, Term term, FrameId frame = Model::newtonian());

/// Time derivatives in the newtonian frame of several terms with shared subterms, each of which is differentiated once.
/// The model must not change meanwhile.
class TimeDerivatives {
 public:
  explicit TimeDerivatives(const Model& model);
  ~TimeDerivatives();
  [[nodiscard]] Term of(Term term);

 private:
  std::unique_ptr<class Differentiator> differentiator_;
};

/// The level of the highest derivative in the term after every point and frame in it has been expanded.
[[nodiscard]] Level level_of(const Model& model, Term term);

/// Whether the term contains an extra state: a relation that does is a functional relation (theory.md §6.10).
[[nodiscard]] bool holds_state(Term term);
/// How often a relation must be differentiated along the motion, inserting the rates of states, until accelerations
/// appear. Nothing if more than kMostOfFunctional derivatives are needed. For a relation without states this is 2 − its
/// level.
inline constexpr int kMostOfFunctional = 4;
[[nodiscard]] std::optional<int> order_of_accelerations(const Model& model, Term relation);
/// Time derivative of order `order` of a scalar.   \pre it can be written as a term
[[nodiscard]] Term derivative_of(const Model& model, Term scalar, int order);

/// The term with all points that have no mass replaced by their definitions, down to particles, points fixed in the
/// newtonian frame and coordinates. The remaining points are the points on which a force can act.
[[nodiscard]] Term expand_massless(const Model& model, Term term);

/// The term in the notation of the model language: `cross(vel(P2), N.z)`, `2*q1*N.x`.
[[nodiscard]] std::string to_text(const Model& model, Term term);

}  // namespace vinculum::model
